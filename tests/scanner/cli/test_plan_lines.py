"""`scan plan` with the plan's configuration: the folder, the binary plan, what bartizan.yaml lists, and what is found by itself."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from scanner.cli import run
from tests.conftest import ROOT

ESTATE = ROOT / "fixtures/estates/ai_factory"
RULE = ("--rule", "network.metadata_v2")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ESTATE / "terraform", tmp_path / "infra")
    (tmp_path / "out").mkdir()
    shutil.copy(ESTATE / "plan.json", tmp_path / "out/plan.json")
    with zipfile.ZipFile(tmp_path / "out/plan.bin", "w") as archive:
        archive.writestr("tfconfig/modules.json", json.dumps([{"Key": "", "Dir": "."}]))
        for file in (ESTATE / "terraform").glob("*.tf"):
            archive.writestr(f"tfconfig/m-/{file.name}", file.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def line() -> int:
    text = (ESTATE / "terraform/main.tf").read_text().split("\n")
    bad = text.index('resource "aws_instance" "bad" {')
    return 1 + next(n for n, said in enumerate(text) if n > bad and "http_tokens" in said)


def places(*arguments: str) -> set[str]:
    assert run(["scan", *arguments, *RULE, "-o", "json=report.json"]) == 1
    report = json.loads(Path("report.json").read_text())
    assert report["problems"] == []
    found = [d["where"] or v["where"] for v in report["verdicts"] if v["status"] == "fail" for d in v["details"]]
    return {f"{w['file']}:{w['line']}" for w in found}


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (("out/plan.json",), "out/plan.json:0"),
        (("out/plan.json", "--source", "infra"), "infra/main.tf:{line}"),
        (("out/plan.json", "--source", "out/plan.bin"), "main.tf:{line}"),
        (("out/plan.bin", "--json", "out/plan.json"), "main.tf:{line}"),
    ],
)
def test_scan_plan(folder: Path, arguments: tuple[str, ...], place: str) -> None:
    assert folder.is_dir()
    assert places("plan", *arguments) == {place.format(line=line())}


def test_the_plans_own_folder_is_taken(folder: Path) -> None:
    shutil.move(folder / "out/plan.json", folder / "infra/plan.json")
    assert places("plan", "infra/plan.json") == {f"infra/main.tf:{line()}"}


def test_a_plan_from_standard_input_takes_the_working_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "infra")
    with (folder / "out/plan.json").open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": stream}))
        assert places("plan", "-") == {f"main.tf:{line()}"}


def test_what_bartizan_yaml_lists(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bartizan.yaml").write_text("version: 1\nscopes:\n  - plan: {file: out/plan.json, source: infra}\n")
    assert places() == {f"infra/main.tf:{line()}"}
    (folder / "bartizan.yaml").write_text("version: 1\nscopes:\n  - plan: {file: out/plan.bin, json: out/plan.json}\n")
    monkeypatch.chdir(folder / "infra")
    assert places("--config", "../bartizan.yaml") == {f"main.tf:{line()}"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("out/plan.json", "--source", "none"), "--source none: no such file or folder"),
        (("out/plan.json", "--source", "out"), "--source out: declares nothing of what the plan has"),
        (
            ("out/plan.json", "--source", "infra/main.tf"),
            "--source infra/main.tf: give the folder of the .tf files, or a binary plan",
        ),
        (("out/plan.json", "--json", "out/plan.json"), "give the folder of the .tf files, or a binary plan"),
        (("out/plan.bin", "--json", "out/plan.json", "--source", "infra"), "--source and --json do not go together"),
        (("out/plan.bin",), "this is a binary plan"),
    ],
)
def test_bad_input(folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert folder.is_dir()
    assert run(["scan", "plan", *arguments]) == 2
    assert said in capsys.readouterr().err
