"""The checkout as the house tests see it: what git has, or would have."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def files() -> tuple[str, ...]:
    """Paths of all files of the checkout that git does not ignore."""
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode == 0:
        names = found.stdout.split("\0")
    else:  # an unpacked source archive
        names = [
            p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*") if not set(p.parts) & {".venv", ".cache", "__pycache__", "out"}
        ]
    return tuple(sorted({n for n in names if n and (ROOT / n).is_file()}))


@functools.cache
def text(name: str) -> str:
    """A file's text; empty for one that is not text."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@functools.cache
def tree(name: str) -> ast.Module:
    return ast.parse(text(name), name)


def sources(*tops: str) -> Iterator[str]:
    """Python files of top-level folders."""
    return (n for n in files() if n.endswith(".py") and n.split("/")[0] in tops)


def imports(name: str) -> Iterator[str]:
    """Dotted names of all modules that a file imports, at the top or inside functions."""
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}:{node.lineno}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
