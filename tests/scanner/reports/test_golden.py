from __future__ import annotations

import io
import os
from typing import Any

import pytest

from scanner.model import Report
from scanner.reports.formats import FORMATS
from tests.conftest import ROOT

FOLDER = ROOT / "fixtures" / "reports"
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"{name}.{each.extension}": (name, {}) for name, each in FORMATS.items() if name != "terminal"},
    "terminal-80.txt": ("terminal", {"width": 80}),
    "terminal-140-verbose.txt": ("terminal", {"width": 140, "verbose": 1}),
    "terminal-quiet.txt": ("terminal", {"width": 80, "quiet": True}),
    "terminal-color.txt": ("terminal", {"width": 80, "color": True}),
    "sarif-in-a-repository.sarif": (
        "sarif",
        {
            "root": "deploy/prod",
            "repository": "https://example.org/ai-factory",
            "revision": "5b1f0c7",
            "branch": "main",
            "category": "nightly",
        },
    ),
    "markdown-cut.md": ("markdown", {"limit": 4096}),
}


def rendered(report: Report, name: str, options: dict[str, Any]) -> str:
    out = io.StringIO()
    FORMATS[name].render(report, out, options)
    return out.getvalue()


@pytest.mark.parametrize("file", CASES)
def test_golden(golden: Report, file: str) -> None:
    name, options = CASES[file]
    text = rendered(golden, name, options)
    path = FOLDER / file
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_bytes(text.encode())
    assert path.is_file(), "UPDATE_GOLDEN=1 writes it"
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("file", CASES)
def test_equal_reports_give_equal_bytes(golden: Report, file: str) -> None:
    name, options = CASES[file]
    backwards = golden.replace(
        params=dict(reversed(golden.params.items())),
        rules=tuple(
            r if not r.controls else type(r)(**{**fields(r), "controls": dict(reversed(r.controls.items()))}) for r in golden.rules
        ),
    )
    assert rendered(backwards, name, options) == rendered(golden, name, options)


def fields(value: object) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}  # type: ignore[attr-defined]


def test_no_stale_golden_files() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*CASES, "README.md", "junit-10.xsd"}


@pytest.mark.parametrize("file", [file for file in CASES if file != "terminal-color.txt"])
def test_nothing_hostile_gets_through(golden: Report, file: str) -> None:
    text = rendered(golden, *CASES[file])
    if file == "csv.csv":  # its own, in their places
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    for char in "\x1b\x07\x08\x0b\x0c\r\x7f\x9b\u200b\u202e\u2066\ufeff":
        assert char not in text
    text.encode()  # half a surrogate pair would raise


def test_no_line_is_an_order_to_a_build_service(golden: Report) -> None:
    for width in (40, 60, 80, 140):
        text = rendered(golden, "terminal", {"width": width, "verbose": 1})
        assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
        assert "##vso[" not in text
        assert "##[" not in text


@pytest.mark.parametrize("name", ["junit", "github", "markdown", "csv"])
def test_logs_may_hold_the_formats_that_are_read_in_them(golden: Report, name: str) -> None:
    text = rendered(golden, name, {})
    assert "##vso[" not in text
    assert "##[" not in text
    ours = ("::error ", "::warning ", "::notice ") if name == "github" else ()
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::") and not line.startswith(ours)]
