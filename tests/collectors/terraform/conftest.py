"""A plan by hand: just enough of Terraform's JSON, with references listed the way Terraform lists them."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.configuration import Instance, parse, suffix
from collectors.terraform.plan import PlanEstate, read_plan
from scanner.model import Resource

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


class Maker:
    """Collects resources, calls and outputs, and writes the plan."""

    def __init__(self) -> None:
        self.document: dict[str, Any] = {
            "format_version": "1.2",
            "terraform_version": "1.11.4",
            "planned_values": {"root_module": {}},
            "resource_changes": [],
            "configuration": {
                "provider_config": {"aws": {"name": "aws", "expressions": {"region": {"constant_value": "us-east-1"}}}},
                "root_module": {},
            },
            "timestamp": "2026-11-01T00:00:00Z",
        }

    def module(self, *names: str) -> dict[str, Any]:
        """The configuration of a module; its calls are made on the way."""
        module = self.document["configuration"]["root_module"]
        for name in names:
            call = module.setdefault("module_calls", {}).setdefault(name, {})
            module = call.setdefault("module", {})
        return module

    def call(self, *names: str, for_each: Any = None, **arguments: Any) -> None:
        """Arguments of a module call: lists are references, the rest constants."""
        outer = self.module(*names[:-1])
        call = outer.setdefault("module_calls", {}).setdefault(names[-1], {})
        call["expressions"] = {k: expression(v) for k, v in arguments.items()}
        if for_each is not None:
            call["for_each_expression"] = expression(for_each)

    def output(self, *names: str, **outputs: Any) -> None:
        """Outputs of a module."""
        self.module(*names).setdefault("outputs", {}).update({k: {"expression": expression(v)} for k, v in outputs.items()})

    def add(  # noqa: PLR0913 - a resource change has as many parts
        self,
        address: str,
        *,
        sets: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
        late: tuple[str, ...] = (),
        before: Mapping[str, Any] | None = None,
        actions: tuple[str, ...] = ("create",),
        sensitive: Mapping[str, Any] | None = None,
        for_each: Any = None,
        provider: str = "aws",
    ) -> None:
        """A resource. `sets` are its expressions; what they refer to is unknown, what is constant is in `after`; `late` is unknown too."""
        steps = list(parse(address))
        module: list[str] = []
        where = ""
        while steps[0] == "module":
            steps.pop(0)
            module.append(str(steps.pop(0)))
            where += f"{'.' if where else ''}module.{module[-1]}"
            if isinstance(steps[0], Instance):
                where += suffix(steps.pop(0).key)
        data = steps[0] == "data"
        if data:
            steps.pop(0)
        kind, name = str(steps[0]), str(steps[1])
        entry = {
            "address": f"{'data.' if data else ''}{kind}.{name}",
            "mode": "data" if data else "managed",
            "type": kind,
            "name": name,
        }
        expressions = {k: expression(v) for k, v in (sets or {}).items()}
        entry |= {"provider_config_key": provider, "expressions": expressions}
        if for_each is not None:
            entry["for_each_expression"] = expression(for_each)
        resources = self.module(*module).setdefault("resources", [])
        if entry["address"] not in [r["address"] for r in resources]:
            resources.append(entry)
        unknown: dict[str, Any] = dict.fromkeys((*(k for k, v in (sets or {}).items() if refers(v)), *late), True)
        values = {k: v for k, v in (sets or {}).items() if not refers(v)} | dict(after or {})
        for known in after or {}:
            unknown.pop(known, None)
        change = {
            "actions": list(actions),
            "before": before,
            "after": values,
            "after_unknown": unknown,
            "after_sensitive": sensitive or {},
        }
        if set(actions) <= {"delete", "forget"}:
            change |= {"after": None, "after_unknown": {}}
        made = {"address": address, "mode": entry["mode"], "type": kind, "name": name, "change": change}
        if where:
            made["module_address"] = where
        if isinstance(steps[-1], Instance):
            made["index"] = steps[-1].key
        self.document["resource_changes"].append(made)

    def key(self, address: str, **more: Any) -> None:
        """A KMS key that does not exist yet."""
        self.add(address, late=("arn", "id", "key_id"), **more)

    def read(self, **options: Any) -> PlanEstate:
        """The plan, read."""
        return read_plan(io.StringIO(json.dumps(self.document)), name="made", **options)

    def one(self, address: str) -> Resource:
        """One resource of the plan, read."""
        (found,) = (r for r in self.read().resources if r.id == f"plan/{address}")
        return found


def refers(value: Any) -> bool:
    """Whether a value stands for references."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def expression(value: Any) -> dict[str, Any]:
    """A list of texts is references, each followed by its prefixes as Terraform has it; anything else is a constant."""
    if not refers(value):
        return {"constant_value": value}
    listed: list[str] = []
    for name in value:
        listed.append(name)
        parts = name.split(".")
        least = 3 if parts[0] in ("data", "module") and len(parts) > 3 else 2
        while len(parts) > least and parts[0] not in ("var", "each", "local", "count"):
            parts = parts[:-1]
            listed.append(".".join(parts))
    return {"references": listed}


@pytest.fixture
def make() -> Maker:
    """An empty plan."""
    return Maker()


@pytest.fixture
def fixtures() -> Path:
    """The recorded plans."""
    return FIXTURES
