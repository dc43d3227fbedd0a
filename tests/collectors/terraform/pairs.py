"""A pair is one planned resource, and the same thing in an account: made in moto, or told by answers of botocore's shapes.

It stands where no recorded twin has the type (`fixtures/twins/`): moto cannot make it, or Terraform's provider does not get on with moto.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.aws.tables import TABLES as LIVE
from collectors.table import Table
from collectors.terraform.plan import read_plan
from scanner.model import Resource
from tests.collectors.aws.answers import Answers
from tests.collectors.terraform.conftest import Maker
from tests.collectors.terraform.twins import ACCOUNT, REGION
from tests.conftest import ROOT

Boto = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """One planned resource and its live half."""

    plan: str
    """Folder of `fixtures/plans/types/` and address, or the address alone of what `planned` makes by hand."""
    live: str = ""
    """Its id in the account, where `answers` tell it."""
    answers: Answers = field(default_factory=dict)
    make: Callable[[Boto], Mapping[str, str]] | None = None
    """Makes it in moto; ids of the plan → ids of the account, its own among them."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Ids of other resources that its facts name, as in `make`."""
    planned: Callable[[Maker], None] | None = None
    """For types that Terraform's provider 5 lacks, and what the recorded plans do not have."""

    @property
    def id(self) -> str:
        """Its id in the plan."""
        return f"plan/{self.plan.rpartition(' ')[2]}"

    def resource(self) -> Resource:
        """The planned half."""
        if self.planned is None:
            return recorded(self.plan.partition(" ")[0])[self.id]
        maker = Maker()
        self.planned(maker)
        return maker.one(self.id.removeprefix("plan/"))


@functools.cache
def recorded(folder: str) -> Mapping[str, Resource]:
    """Resources of a recorded plan."""
    return {r.id: r for r in read_plan(ROOT / "fixtures" / "plans" / "types" / folder / "plan.json").resources}


def tables(planned: Resource) -> Sequence[Table]:
    """The live tables of a planned resource."""
    return [t for t in LIVE if t.native_type == planned.native_type]


def arn(service: str, resource: str, region: str = REGION) -> str:
    """An ARN of the account."""
    return f"arn:aws:{service}:{region}:{ACCOUNT}:{resource}"


def role(name: str) -> str:
    """A role of the account."""
    return arn("iam", f"role/{name}", "")


def document(*statements: Mapping[str, Any]) -> str:
    """A policy document."""
    return json.dumps({"Version": "2012-10-17", "Statement": statements})
