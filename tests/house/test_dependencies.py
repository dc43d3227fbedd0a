"""What is imported is declared, and what is declared is pinned."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.house.tree import imports, sources, text

PROJECT = tomllib.loads(text("pyproject.toml"))["project"]
OURS = {"scanner", "collectors", "sarif", "tests"}
PIN = re.compile(r"^([A-Za-z0-9._-]+)==\S+", re.MULTILINE)
EXTRAS = {"collectors/aws": "aws", "collectors/kubernetes": "kubernetes", "collectors/terraform": "terraform"}


def plain(requirement: str) -> str:
    """A requirement's normalised name (https://packaging.python.org/en/latest/specifications/name-normalization/)."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name.group()).lower()


BASE = {plain(r) for r in PROJECT["dependencies"]}
EXTRA = {name: {plain(r) for r in wanted} for name, wanted in PROJECT["optional-dependencies"].items()}
WHO = {module: {plain(d) for d in owners} for module, owners in packages_distributions().items()}


@pytest.mark.parametrize("name", [*sources("scanner", "collectors", "sarif")])
def test_imports_are_declared(name: str) -> None:
    allowed = BASE | next((EXTRA[extra] for folder, extra in EXTRAS.items() if name.startswith(folder)), set())
    if "botocore" in WHO and "boto3" in allowed:
        allowed |= {"botocore", "s3transfer"}  # boto3's own parts
    if "kubernetes" in allowed:
        allowed |= {"urllib3"}  # its transport, whose errors must be told apart
    if name == "collectors/aws/demo.py":
        allowed |= {"moto", "werkzeug"}
    for module in {m.partition(".")[0] for m in imports(name)} - set(sys.stdlib_module_names) - OURS:
        assert WHO.get(module, {module}) & allowed, f"{module} is no declared dependency"


def test_every_requirement_is_pinned() -> None:
    pinned = {plain(n) for n in PIN.findall(text("requirements.lock"))}
    wanted = BASE.union(*EXTRA.values()) - {"bartizan"}
    assert wanted <= pinned, "run: make lock"


def test_the_lock_is_bound_to_no_index() -> None:
    lock = text("requirements.lock")
    assert not re.search(r"https?://|^-", lock, re.MULTILINE)
    blocks = re.split(r"\n(?=[a-z0-9])", lock)
    assert all("--hash=sha256:" in b for b in blocks if PIN.match(b))


def test_the_version_stands_once() -> None:
    import scanner

    assert "version" in PROJECT["dynamic"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", scanner.__version__)
