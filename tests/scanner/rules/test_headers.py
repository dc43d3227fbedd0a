"""Headers that were parsed when the package was built: the same as fresh ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from scanner import yamltext
from scanner.model import BartizanError
from scanner.rules import library, metadata
from scanner.rules.headers import NAME, Headers, write

TEXT = "# METADATA\n# title: a\n# mistake: b\npackage policies.a.b\n"


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped rules, without what a build made of them."""
    folder = tmp_path / "policies"
    shutil.copytree(library.policies(), folder, ignore=shutil.ignore_patterns(NAME))
    monkeypatch.setattr(library, "policies", lambda: folder)
    return folder


def test_every_shipped_rule_is_the_same(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = library.load().rules
    assert write(copied) == len(fresh)
    monkeypatch.setattr(yamltext, "parse", None)  # it would be a TypeError
    assert library.load().rules == fresh


def test_a_rule_that_was_edited_since_is_read_anew(copied: Path) -> None:
    write(copied)
    path = copied / "encryption" / "cmk_rotation.rego"
    path.write_text(path.read_text().replace("# title: ", "# title: Not ", 1))
    rule = library.load().rules["encryption.cmk_rotation"]
    assert rule.title.startswith("Not ")


def test_no_file_is_no_headers(tmp_path: Path) -> None:
    assert Headers(tmp_path).get("title: a\n") is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff", b'{"0": 1}', b"[" * 100_000])
def test_a_damaged_file_is_named(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / NAME).write_bytes(damage)
    with pytest.raises(BartizanError, match=r"headers\.json: cannot be read: .*remove the file"):
        Headers(tmp_path)


def test_a_fault_has_its_line(tmp_path: Path) -> None:
    """What was parsed is checked like fresh text."""
    (tmp_path / "b.rego").write_text(TEXT)
    assert write(tmp_path) == 1
    with pytest.raises(BartizanError, match=r"x\.rego:3: unknown key 'mistake'"):
        metadata.read_rule(Path("a/b.rego"), TEXT, shown="x.rego", headers=Headers(tmp_path))


def test_what_json_cannot_say_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "b.rego").write_text("# METADATA\n# 1: a\npackage x\n")
    (tmp_path / "c.rego").write_text("package x\n")
    assert write(tmp_path) == 0
    assert json.loads((tmp_path / NAME).read_text()) == {}


def test_the_headers_of_users_rules_are_not_believed(tmp_path: Path) -> None:
    """Only those beside the shipped rules are: another folder may come with what is scanned."""
    rules = tmp_path / "mine"
    (rules / "mine").mkdir(parents=True)
    source = (library.policies() / "encryption" / "cmk_rotation.rego").read_text().replace("policies.encryption.", "policies.mine.")
    (rules / "mine" / "cmk_rotation.rego").write_text(source)
    found = metadata.header(source)
    assert found is not None
    write(rules)
    kept = json.loads((rules / NAME).read_text())
    (digest,) = kept
    kept[digest]["custom"]["severity"] = "info"
    (rules / NAME).write_text(json.dumps(kept))
    assert library.load([rules]).rules["mine.cmk_rotation"].severity.value != "info"
