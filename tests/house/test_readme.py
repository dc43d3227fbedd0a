"""The commands of the documents do what they say: every `$ ` line of a ```console block is run, in a copy of the checkout.

A line that needs a cloud, a cluster or a package index is left out by the comment `# not here` at its end, or by a block
marked ```console not-here; then it must at least parse: its `bartizan` command and options exist.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, files, text

BLOCK = re.compile(r"^```console([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [n for n in files() if n.endswith("README.md")]
ANSWERS = {0, 1, 3, 4}
"""Statuses of a scan that are answers, not faults."""


def commands(document: str) -> list[tuple[str, bool]]:
    """(command, whether it can be run here) of a document, continuation lines joined."""
    found = []
    for mark, block in BLOCK.findall(document):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            if line.startswith("$ "):
                command, _, note = line[2:].partition("  #")
                found.append((command.strip(), "not-here" not in mark and "not here" not in note))
    return found


ALL = [(n, *c) for n in DOCUMENTS for c in commands(text(n))]


def test_commands_are_found() -> None:
    document = "text\n```console\n$ bartizan a \\\n    -b\noutput\n$ make x  # not here\n```\n```console not-here\n$ y\n```\n```python\n$ z\n```\n"
    assert commands(document) == [("bartizan a -b", True), ("make x", False), ("y", False)]


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize(("document", "command"), [(d, c) for d, c, here in ALL if here])
def test_it_runs(document: str, command: str, environment: dict[str, str], tmp_path: Path) -> None:
    for name in (n for n in files() if n.split("/")[0] in {"fixtures", "policies"}):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    if command.startswith("make "):
        pytest.skip("make targets are what CI runs")
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode in ANSWERS, f"{document}: {command}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("document", "command"), [(d, c) for d, c, here in ALL if not here and c.startswith("bartizan ")])
def test_it_parses(document: str, command: str, environment: dict[str, str]) -> None:
    words = shlex.split(command, comments=True)
    verbs = [w for w in words[1:] if re.fullmatch(r"[a-z][a-z0-9-]*", w)]
    depth = next(
        (
            d
            for d in (2, 1)
            if len(verbs) >= d
            and subprocess.run(["bartizan", *verbs[:d], "--help"], env=environment, capture_output=True, check=False).returncode
            == 0
        ),
        0,
    )
    assert depth, f"{document}: {command}"
    help_text = subprocess.run(
        ["bartizan", *verbs[:depth], "--help"], env=environment, capture_output=True, text=True, check=True
    ).stdout
    for option in (w.partition("=")[0] for w in words if w.startswith("--")):
        assert option in help_text, f"{document}: {command}: no {option}"


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    named = {w for _, c, _ in ALL if c.startswith("make ") for w in shlex.split(c)[1:] if re.fullmatch(r"[a-z]+", w)}
    assert named <= targets
