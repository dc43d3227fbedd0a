from __future__ import annotations

from pathlib import Path

import pytest

from collectors.repository import Repository, joined, repository


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for folder in ("repo/.git", "repo/ci", "repo/deploy/a b", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path.resolve() / "repo"


def test_a_folder_is_called_as_seen_from_the_working_folder(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for here, named, called in (
        (top, ".", ""),
        (top, "deploy", "deploy"),
        (top, "./deploy/", "deploy"),
        (top, str(top / "deploy" / "a b"), "deploy/a b"),
        (top, "../repo/deploy", "deploy"),
        (top, "../elsewhere", ""),
        (top / "deploy", ".", ""),
        (top / "ci", "../deploy", "../deploy"),
        (top / "ci", "..", ".."),
    ):
        monkeypatch.chdir(here)
        around = repository()
        assert around == Repository(here, top)
        assert around.called(Path(named)) == called, (here, named)


def test_where_the_working_folder_is(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for here, root in ((top, ""), (top / "ci", "ci"), (top / "deploy" / "a b", "deploy/a b")):
        monkeypatch.chdir(here)
        around = repository()
        assert around
        assert around.root == root


def test_without_a_repository_the_working_folder_is_all(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(top.parent / "elsewhere")
    assert repository() == Repository(top.parent / "elsewhere", top.parent / "elsewhere")


def test_a_worktree_has_a_file_of_that_name(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (top / "ci" / ".git").write_text("gitdir: ../.git/worktrees/ci\n")
    monkeypatch.chdir(top / "ci")
    assert repository() == Repository(top / "ci", top / "ci")


def test_a_working_folder_that_is_gone(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(top / "ci")
    (top / "ci").rmdir()
    assert repository() is None


def test_joined() -> None:
    assert [joined(*each) for each in (("", "a"), ("b", "a"), ("b", ""), ("..", "c/a"))] == ["a", "b/a", "b/", "../c/a"]
