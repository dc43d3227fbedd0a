"""The embedded engine: Microsoft's regorus, a Rego interpreter in Rust, in this process."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scanner.engine import UnfitError, proof_of
from scanner.judge import Proof
from scanner.model import JSON, BartizanError, Rule

PACKAGE = "gordon-to-regorus"
POSITION = re.compile(r"--> ([^\n]+?):(\d+):(\d+)")
SAID = re.compile(r"error: ([^\n]+)")


def said(error: Exception) -> tuple[str, str]:
    """(place, message) of a regorus error: the file:line:column and the sentence, without its stack."""
    text = str(error).split("Stack backtrace", 1)[0]
    place = POSITION.search(text)
    message = SAID.search(text)
    where = f"{place[1]}:{place[2]}:{place[3]}" if place else ""
    return where, message[1] if message else " ".join(text.split())[:200]


class EmbeddedEngine:
    """See `scanner.engine.Engine`. Raises BartizanError where a module does not parse."""

    def __init__(self, rules: Sequence[Rule], modules: Mapping[str, str]) -> None:
        self._engine = self._new()
        self.watch: Callable[[str], None] = lambda _: None
        """Told the id of each rule before it runs, and nothing when all have."""
        for name, text in (*modules.items(), *((r.file, r.source) for r in rules)):
            try:
                self._engine.add_policy(name, text)
            except RuntimeError as error:
                where, message = said(error)
                raise BartizanError(f"{where or name}: the rule does not parse: {message}.") from error

    @staticmethod
    def _new() -> Any:
        import regorus  # noqa: PLC0415 - not needed for --help

        return regorus.Engine()

    @property
    def name(self) -> str:
        """See `Engine`."""
        return f"regorus {_version()}"

    def prove(self, rules: Sequence[Rule], document: JSON) -> Mapping[str, Proof]:
        """See `Engine`."""
        try:
            self._engine.set_input_json(json.dumps(document, allow_nan=False))
        except RuntimeError as error:
            raise UnfitError(said(error)[1]) from error
        except (ValueError, RecursionError) as error:
            raise UnfitError(str(error)) from error
        try:
            return {rule.id: self._prove(rule) for rule in rules}
        finally:
            self.watch("")

    def _prove(self, rule: Rule) -> Proof:
        found: dict[str, Any] = {}
        self.watch(rule.id)
        try:
            for name in sorted(rule.sets):
                answer = self._engine.eval_rule_as_json(f"data.policies.{rule.id}.{name}")
                found[name] = json.loads(answer)
            return proof_of(found)
        except RuntimeError as error:
            where, message = said(error)
            return Proof(error=f"{where}: {message}" if where else message)
        except ValueError as error:
            return Proof(error=str(error))

    def close(self) -> None:
        """See `Engine`."""


def _version() -> str:
    """Version of the package, from the name of its record: `importlib.metadata` would import a reader of mails for it."""
    import regorus  # noqa: PLC0415

    start = f"{PACKAGE.replace('-', '_')}-"
    found = next(Path(regorus.__file__).parents[1].glob(f"{start}*.dist-info"), None)
    if found is not None:
        return found.name.removeprefix(start).removesuffix(".dist-info")
    from importlib.metadata import version  # noqa: PLC0415

    return version(PACKAGE)


def run_tests(modules: Mapping[str, str], tests: Mapping[str, str]) -> list[tuple[str, str, bool, str]]:
    """Evaluate every `test_…` rule: (file, name, passed, what went wrong). No OPA needed."""
    results = []
    for file, text in sorted(tests.items()):
        engine = EmbeddedEngine._new()  # noqa: SLF001 - same module
        package = re.search(r"^package\s+([\w.]+)", text, re.MULTILINE)
        try:
            for name, module in (*modules.items(), (file, text)):
                engine.add_policy(name, module)
        except RuntimeError as error:
            results.append((file, "(parse)", False, ": ".join(said(error))))
            continue
        if package is None:
            results.append((file, "(parse)", False, "no package line"))
            continue
        for name in dict.fromkeys(re.findall(r"^(test_\w+)", text, re.MULTILINE)):
            try:
                passed = engine.eval_rule_as_json(f"data.{package[1]}.{name}").strip() == "true"
                results.append((file, name, passed, "" if passed else "is not true"))
            except RuntimeError as error:
                results.append((file, name, False, ": ".join(said(error))))
    return results
