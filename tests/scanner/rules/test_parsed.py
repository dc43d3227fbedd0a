"""Rules' headers that were parsed before: the same as fresh ones, and never anybody else's."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from scanner import yamltext
from scanner.model import BartizanError
from scanner.rules import library, metadata
from scanner.rules.parsed import Parsed, folder

TEXT = "title: a\nnumber: 7\n"
DATA = {"title": "a", "number": 7}


@pytest.fixture(autouse=True)
def _writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def kept(place: Path) -> Path:
    parsed = Parsed(place)
    parsed.put(TEXT, DATA)
    parsed.save()
    return place / "rules.json"


def test_what_was_put_is_got(tmp_path: Path) -> None:
    file = kept(tmp_path / "c")
    assert Parsed(tmp_path / "c").get(TEXT) == DATA
    assert Parsed(tmp_path / "c").get(TEXT + " ") is None
    assert [p.name for p in file.parent.iterdir()] == ["rules.json"]
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff", b'{"0": {}}', b"[" * 100_000])
def test_a_damaged_file_is_nothing(tmp_path: Path, damage: bytes) -> None:
    kept(tmp_path / "c").write_bytes(damage)
    assert Parsed(tmp_path / "c").get(TEXT) is None


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions")
@pytest.mark.parametrize("whose", ["file", "folder", "link"])
def test_what_others_may_write_is_not_believed(tmp_path: Path, whose: str) -> None:
    file = kept(tmp_path / "c")
    if whose == "link":
        other = kept(tmp_path / "d")
        file.unlink()
        file.symlink_to(other)
    else:
        (file if whose == "file" else file.parent).chmod(0o666 if whose == "file" else 0o777)
    assert Parsed(tmp_path / "c").get(TEXT) is None


def test_nothing_is_written_where_python_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert not kept(tmp_path / "c").exists()


def test_nowhere_to_write_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("a file")
    assert not (kept(tmp_path / "c")).exists()


def test_what_json_cannot_say_is_not_kept(tmp_path: Path) -> None:
    parsed = Parsed(tmp_path)
    for data in ({1: 2}, (1,), float("nan"), b"x"):
        parsed.put(TEXT, data)
        assert parsed.get(TEXT) is None


def test_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder() == tmp_path / "bartizan"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert folder() is None


def test_every_shipped_rule_is_the_same_from_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    fresh = library.load().rules
    assert (tmp_path / "bartizan" / "rules.json").exists()
    monkeypatch.setattr(yamltext, "parse", None)  # it would be a TypeError
    assert library.load().rules == fresh


def test_a_fault_of_what_was_kept_has_its_line(tmp_path: Path) -> None:
    """What is kept is checked like fresh text: a release may know other keys."""
    text = "# METADATA\n# title: a\n# mistake: b\npackage policies.a.b\n"
    parsed = Parsed(tmp_path)
    parsed.put("title: a\nmistake: b\n", {"title": "a", "mistake": "b"})
    with pytest.raises(BartizanError, match=r"x\.rego:3: unknown key 'mistake'"):
        metadata.read_rule(Path("a/b.rego"), text, shown="x.rego", parsed=parsed)


def test_the_file_holds_no_more_than_was_used(tmp_path: Path) -> None:
    kept(tmp_path)
    later = Parsed(tmp_path)
    later.put("title: b\n", {"title": "b"})
    later.save()
    (texts,) = json.loads((tmp_path / "rules.json").read_text()).values()
    assert list(texts.values()) == [{"title": "b"}]
    assert os.listdir(tmp_path) == ["rules.json"]  # noqa: PTH208
