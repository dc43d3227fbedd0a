"""regorus and OPA prove the same, of every rule on every estate, to the byte."""

from __future__ import annotations

import json

import pytest

from scanner.engine import document
from scanner.engine.embedded import EmbeddedEngine
from scanner.engine.opa import OpaEngine
from scanner.judge import Proof
from tests.house import corpus


def plain(proof: Proof) -> str:
    fail = {k: sorted(v, key=lambda f: json.dumps(f, sort_keys=True)) for k, v in proof.fail.items()}
    return json.dumps([fail, sorted(proof.scope), sorted(proof.safe), dict(proof.exempt), proof.error], sort_keys=True)


def test_engines_agree(opa_binary, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(opa_binary.parent), prepend=":")
    rules = corpus.rules()
    modules = corpus.library().modules
    everything = document([r for group in corpus.resources().values() for r in group], corpus.params(), corpus.NOW)
    regorus = EmbeddedEngine(rules, modules).prove(rules, everything)
    opa_engine = OpaEngine(rules, modules)
    try:
        opa = opa_engine.prove(rules, everything)
    finally:
        opa_engine.close()
    for rule in rules:
        assert plain(regorus[rule.id]) == plain(opa[rule.id]), rule.id
    assert not [rule for rule, proof in regorus.items() if proof.error]
    assert sum(len(proof.fail) for proof in regorus.values()) > len(rules)


@pytest.mark.parametrize("engine", ["regorus", "opa"])
def test_rego_tests_pass_on_both(engine, opa_binary) -> None:
    """Every `_test.rego`, with the embedded engine (as `bartizan rules test` does) and with OPA's own runner."""
    import subprocess

    from scanner.engine.embedded import run_tests
    from scanner.rules.library import policies

    library = corpus.library()
    if engine == "opa":
        done = subprocess.run(
            [opa_binary, "test", "--v1-compatible", "--ignore", "*.json", str(policies())],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return
    tests = {name: path.read_text() for name, path in library.tests.items()}
    results = run_tests({**library.modules, **{r.file: r.source for r in library.rules.values()}}, tests)
    assert [r for r in results if not r[2]] == []
    assert len(results) >= 4 * len(library.rules)
