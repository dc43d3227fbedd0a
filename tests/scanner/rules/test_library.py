"""Finding and choosing rules."""

from __future__ import annotations

import pytest

from scanner.model import BartizanError, Severity
from scanner.rules.library import Selection, load, policies, select
from scanner.rules.scaffold import scaffold
from tests.scanner.builders import rule_text


@pytest.fixture(scope="module")
def shipped():
    return load()


def put(folder, name="own", **more):
    path = folder / "mine" / f"{name}.rego"
    path.parent.mkdir(exist_ok=True)
    path.write_text(rule_text(name, **more))
    return path


def test_custom_folder_adds_to_the_shipped(tmp_path, shipped):
    put(tmp_path)
    library = load([tmp_path])
    assert set(library.rules) - set(shipped.rules) == {"mine.own"} == library.custom


def test_taken_id_is_refused(tmp_path):
    (tmp_path / "encryption").mkdir()
    source = policies() / "encryption" / "cmk_rotation.rego"
    (tmp_path / "encryption" / "cmk_rotation.rego").write_text(source.read_text())
    with pytest.raises(BartizanError, match="is there already"):
        load([tmp_path])


def test_unknown_fact_is_named_with_a_hint(tmp_path):
    path = put(tmp_path)
    path.write_text(path.read_text().replace("[rotation_enabled]", "[rotation_enable]"))
    with pytest.raises(BartizanError, match=r"no fact 'rotation_enable'\. Did you mean 'rotation_enabled'"):
        load([tmp_path])


def test_unknown_kind_is_named(tmp_path):
    path = put(tmp_path)
    path.write_text(path.read_text().replace("kind: key", "kind: keys"))
    with pytest.raises(BartizanError, match="kind 'keys' is none of"):
        load([tmp_path])


def test_link_out_of_the_folder_is_refused(tmp_path):
    outside = tmp_path / "outside.rego"
    outside.write_text(rule_text())
    (tmp_path / "rules" / "mine").mkdir(parents=True)
    (tmp_path / "rules" / "mine" / "own.rego").symlink_to(outside)
    with pytest.raises(BartizanError, match="points out of"):
        load([tmp_path / "rules"])


@pytest.mark.parametrize(("content", "words"), [(b"\xff\xfe", "not UTF-8"), (b"#" * 1_000_001, "larger than")])
def test_unreadable_rule(tmp_path, content, words):
    path = put(tmp_path)
    path.write_bytes(content)
    with pytest.raises(BartizanError, match=words):
        load([tmp_path])


def test_missing_folder(tmp_path):
    with pytest.raises(BartizanError, match="is not a folder"):
        load([tmp_path / "none"])


def test_selection_narrows(shipped):
    every = list(shipped.rules.values())
    assert [r.id for r in select(every, Selection(rules=("encryption.cmk_rot*",)))] == ["encryption.cmk_rotation"]
    assert {r.domain for r in select(every, Selection(domains=("encryption",)))} == {"encryption"}
    assert "encryption.cmk_rotation" in {r.id for r in select(every, Selection(frameworks=("aws_fsbp:KMS.4",)))}
    assert all(r.severity is Severity.CRITICAL for r in select(every, Selection(severity=Severity.CRITICAL)))


@pytest.mark.parametrize(
    "wrong",
    [
        Selection(rules=("encryption.cmk_rotaton",)),
        Selection(domains=("x",)),
        Selection(tags=("zz",)),
        Selection(frameworks=("cis_aws",)),
    ],
)
def test_a_name_that_matches_nothing_is_an_error(shipped, wrong):
    """kubescape/kubescape#3084: a scan that ran another control than the one asked for."""
    with pytest.raises(BartizanError, match="matches nothing"):
        select(shipped.rules.values(), wrong)


def test_digest_follows_rules_and_parameters(shipped):
    rules = list(shipped.rules.values())
    assert shipped.digest(rules, {}) == shipped.digest(list(reversed(rules)), {})
    assert shipped.digest(rules, {}) != shipped.digest(rules, {"a": 1}) != shipped.digest(rules[1:], {"a": 1})


def test_scaffolded_rule_loads_and_its_test_passes(tmp_path):
    from scanner.engine.embedded import run_tests

    for kind in ("key", "workload", "network_policy"):
        scaffold(f"mine/{kind}s_new", kind, "AWS::KMS::Key", tmp_path)
    library = load([tmp_path])
    mine = {name: path.read_text() for name, path in library.tests.items() if "mine" in name}
    results = run_tests({r.file: r.source for r in library.rules.values() if r.id in library.custom}, mine)
    assert len(results) == 9
    assert all(passed for _, _, passed, _ in results), results


@pytest.mark.parametrize(
    ("name", "kind", "words"), [("x", "key", "DOMAIN/NAME"), ("A/b", "key", "lower-case"), ("a/b", "keys", "none of")]
)
def test_scaffold_refuses(tmp_path, name, kind, words):
    with pytest.raises(BartizanError, match=words):
        scaffold(name, kind, "X", tmp_path)
