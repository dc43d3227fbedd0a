"""The rules' own tests, and that both engines can read them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.house.tree import ROOT, files, text

MODULES = [n for n in files() if n.startswith("policies/") and n.endswith(".rego") and not n.endswith("_test.rego")]
LIBRARIES = [n for n in MODULES if "/lib/" in n]


def opa(binary: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(binary), *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)


def test_rego_tests_pass(opa_binary: Path) -> None:
    ran = opa(opa_binary, "test", "policies", "--ignore=*.json", "--format=json")
    results = json.loads(ran.stdout or "[]")
    assert [r for r in results if r.get("fail") or r.get("error")] == [], ran.stderr
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert len(results) >= 4 * len(set(MODULES) - set(LIBRARIES))


def test_opa_is_strict_about_them(opa_binary: Path) -> None:
    ran = opa(opa_binary, "check", "--strict", "--ignore=*.json", "policies")
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", [n for n in MODULES if n not in LIBRARIES])
def test_regorus_reads_it(name: str) -> None:
    import regorus

    engine = regorus.Engine()
    for library in LIBRARIES:
        engine.add_policy(library, text(library))
    package = engine.add_policy(name, text(name))
    engine.set_input_json(json.dumps({"now": "2026-01-01T00:00:00Z", "params": {}, "resources": {}}))
    # a built-in that regorus lacks is an error as soon as the package is evaluated
    assert isinstance(json.loads(engine.eval_rule_as_json(f"{package}.fail")), list)


def test_regorus_refuses_what_it_lacks() -> None:
    import regorus

    with pytest.raises(RuntimeError):  # noqa: PT012 - at which step it says so is its own affair
        engine = regorus.Engine()
        engine.add_policy("x", 'package x\nimport rego.v1\nfail contains "a" if net.cidr_intersects(input.a, input.b)')
        engine.set_input_json("{}")
        engine.eval_rule("data.x.fail")
