from __future__ import annotations

import importlib
import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click
import pytest

from scanner.model import BartizanError, Report, Where
from scanner.reports import formats
from scanner.reports.formats import FORMATS, Output, hush, parse_output, replacing, requested, write
from tests.conftest import ROOT


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_its_module(name: str) -> None:
    each = FORMATS[name]
    assert each.name == name
    module = importlib.import_module(f"scanner.reports.{each.module}")
    parameters = module.render.__annotations__
    assert {*each.options, *each.fixed} <= parameters.keys()
    assert not each.extension.startswith(".")
    assert each.description


def test_no_format_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, scanner.reports.formats as f; f.parse_output('sarif=x'); "
        "print([m for m in sys.modules if m.startswith(('rich', 'sarif', 'jsonschema', 'scanner.reports.'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "['scanner.reports.text', 'scanner.reports.formats']"


def test_help_and_documents_name_every_format() -> None:
    from scanner.cli.options import judge_options

    (option,) = [each for each in click.command()(judge_options(lambda **_: 0)).params if each.name == "outputs"]
    assert isinstance(option, click.Option)
    assert (option.help or "").startswith(f"{', '.join(FORMATS)}; ")
    for document in ("README.md", "scanner/reports/README.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        assert [name for name in FORMATS if f"`{name}`" not in text] == []


@pytest.mark.parametrize(
    ("text", "name", "path"),
    [
        ("json", "json", None),
        ("json=-", "json", None),
        ("sarif=out.sarif", "sarif", Path("out.sarif")),
        ("sarif-audit=a=b.sarif", "sarif-audit", Path("a=b.sarif")),
        ("terminal=report.txt", "terminal", Path("report.txt")),
    ],
)
def test_parse_output(text: str, name: str, path: Path | None) -> None:
    assert parse_output(text) == Output(FORMATS[name], path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "pdf",
            "there is no report format 'pdf'; the formats are terminal, json, sarif, sarif-audit, junit, gitlab, github, markdown, csv",
        ),
        ("out.sarif", "there is no report format 'out.sarif'"),
        ("", "there is no report format ''"),
        ("JSON", "there is no report format 'JSON'"),
        ("\x1b[2J", r"there is no report format '\x1b[2J'"),
        ("json=", "-o json= names no file"),
    ],
)
def test_parse_output_refuses(text: str, said: str) -> None:
    with pytest.raises(BartizanError) as caught:
        parse_output(text)
    assert said in str(caught.value)
    assert caught.value.code == 2


def test_the_terminal_gets_what_nothing_else_takes(tmp_path: Path) -> None:
    def names(*texts: str) -> list[str]:
        return [f"{o.format.name}{'=' if o.path else ''}" for o in requested(texts)]

    assert names() == ["terminal"]
    assert names("json") == ["json"]
    assert names(f"json={tmp_path}/a") == ["json=", "terminal"]
    assert names(f"json={tmp_path}/a", "sarif") == ["json=", "sarif"]
    assert names(f"terminal={tmp_path}/a", "json") == ["terminal=", "json"]


def test_requests_that_cannot_be_met(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for texts, said in (
        (["json", "sarif"], "json and sarif cannot share standard output"),
        ([f"json={tmp_path}/a", f"sarif={tmp_path}/a"], "two reports would be written to"),
        ([f"json={tmp_path}/a", f"sarif={tmp_path}/link"], "two reports would be written to"),
        ([f"json={tmp_path}"], f"{tmp_path} cannot be written: it is a folder"),
        ([f"json={tmp_path}/no/a"], f"{tmp_path}/no/a cannot be written: there is no folder {tmp_path}/no"),
        ([f"json={tmp_path}/{'x' * 300}"], "cannot be written: File name too long"),
        ([f"json={tmp_path}/loop"], "cannot be written: "),
    ):
        with pytest.raises(BartizanError) as caught:
            requested(texts)
        assert said in str(caught.value)
        assert caught.value.code == 2


def test_files_are_whole_or_untouched(golden: Report, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as out:
        print("half", 1 // int(not out.write("half")), file=out)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]
    write(golden, requested([f"json={path}"]), io.StringIO(), quiet=True)
    assert json.loads(path.read_bytes())["schema_version"] == "1.0"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    with pytest.raises(BartizanError, match=r"r\.json cannot be written: No space left on device") as caught, replacing(path):
        raise OSError(28, "No space left on device")
    assert caught.value.code == 2
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_went_away_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with (
        pytest.raises(BartizanError, match=r"gone/r\.json cannot be written: No such file or directory"),
        replacing(gone / "r.json"),
    ):
        pass


def test_the_mode_is_the_umasks_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "r.json", tmp_path / "latest.json"
    link.symlink_to(path)
    before = os.umask(0o027)
    try:
        with replacing(link) as out:
            out.write("new")
    finally:
        os.umask(before)
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_pipes_and_devices_are_not_replaced(golden: Report, tmp_path: Path) -> None:
    write(golden, requested(["json=/dev/null", "sarif=/dev/null"]), io.StringIO(), quiet=True)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
    write(golden, requested([f"sarif={fifo}"]), io.StringIO(), quiet=True)
    assert json.loads(reader.communicate(timeout=30)[0])["version"] == "2.1.0"
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_standard_output_comes_last(golden: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    @contextmanager
    def noting(path: Path) -> Iterator[TextIO]:
        order.append(path.name)
        yield io.StringIO()

    monkeypatch.setattr(formats, "replacing", noting)
    out = io.StringIO()
    write(golden, [Output(FORMATS["terminal"]), Output(FORMATS["json"], tmp_path / "r.json")], out, quiet=True)
    assert order == ["r.json"]
    assert out.getvalue().startswith("gate failed")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_machine_formats_are_utf_8_wherever_they_go(golden: Report, encoding: str) -> None:
    named = golden.replace(verdicts=(golden.verdicts[0].replace(name="Schlüssel-鍵"),))
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding, newline="\r\n")
    write(named, requested(["json"]), out)
    assert json.loads(raw.getvalue())["verdicts"][0]["resource"]["name"] == "Schlüssel-鍵"
    assert "鍵".encode() in raw.getvalue()
    assert b"\r" not in raw.getvalue()


def test_options_go_where_they_are_known(golden: Report, tmp_path: Path) -> None:
    path = tmp_path / "r.sarif"
    out = io.StringIO()
    write(golden, requested([f"sarif={path}"]), out, quiet=True, category="nightly", unheard_of=1)
    assert json.loads(path.read_bytes())["runs"][0]["automationDetails"]["id"].startswith("nightly/")
    assert out.getvalue().count("\n") == 1


def test_a_reader_that_goes_away_is_the_callers_business() -> None:
    code = (
        "import sys\n"
        "from tests.scanner.reports.golden import report\n"
        "from scanner.reports.formats import hush, requested, write\n"
        "golden = report()\n"
        "golden = golden.replace(verdicts=golden.verdicts * 200)\n"
        "try:\n"
        "    write(golden, requested(['json']))\n"
        "except BrokenPipeError:\n"
        "    hush()\n"
        "    sys.exit(golden.exit_code)\n"
        "sys.exit(99)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    assert writer.stdout
    assert writer.stdout.readline() == b"{\n"
    writer.stdout.close()
    assert writer.stderr
    assert writer.stderr.read() == b""
    assert writer.wait(timeout=60) == 1


def test_a_full_standard_output_is_told(golden: Report) -> None:
    out = Path("/dev/full").open("w")  # noqa: SIM115 - closing it fails too
    with pytest.raises(BartizanError, match="standard output cannot be written: No space left on device"):
        write(golden, requested(["json"]), out)
    hush(out)
    out.close()


@pytest.mark.parametrize("name", ["json", "sarif", "sarif-audit", "gitlab"])
def test_json_in_a_log_gives_no_order(golden: Report, name: str) -> None:
    """An Azure agent obeys `##vso[` anywhere in a line: https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands"""
    order = "a ##vso[task.setvariable variable=x]y ###[error]z"
    one = golden.verdicts[0].replace(subject=order, name=order, where=Where(order, 1), details=())
    out = io.StringIO()
    FORMATS[name].render(golden.replace(verdicts=(one,), waivers=()), out, {})
    assert "##vso[" not in out.getvalue()
    assert "##[" not in out.getvalue()
    json.loads(out.getvalue())
