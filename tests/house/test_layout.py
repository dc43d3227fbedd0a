"""What lives where, and who may import whom."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator

import pytest

from tests.house.tree import ROOT, files, imports, sources, text, tree

TOPS = {"scanner", "collectors", "policies", "sarif", "fixtures", "tests"}
BESIDE = {
    "pyproject.toml", "requirements.lock", "Makefile", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md",
    "action.yml", "bartizan.yaml",
}  # fmt: skip
SDKS = {"boto3", "botocore", "kubernetes", "google", "azure", "moto"}
FACE = re.compile(r"^scanner/(cli\b|__main__\.py)")
TABLES = re.compile(r"^collectors/(aws|gcp|azure|kubernetes|terraform|hosts)/")
THEIRS = {"charts", "cmdline", "filter", "issues_report", "loader", "operations", "sarif_file", "sarif_file_utils"}
"""Modules of sarif-tools, which may be installed beside us under the same top name."""
# First half of the SHA-256 of the host names of package registries: a lock or a document that names one is bound to it.
REGISTRIES = {
    "00a7dc5a0cc38858", "0dc11026ac75c015", "317d2d52829b7812", "3d01f3609be82d98", "43c04ed1dabe979b", "789e46d79514e280",
    "8b5bb5eb9d758455", "9da5f32d96412512", "a4aa2ac280bb8d1a", "c899567ee9068517", "e680c440a2e92079", "eb7e11c7f9ecbcf4",
}  # fmt: skip


def top(module: str) -> str:
    return module.partition(".")[0]


def test_top_level_is_the_agreed_one() -> None:
    tops = {n.split("/")[0] for n in files() if not n.startswith(".")}
    assert tops <= TOPS | BESIDE
    assert tops >= TOPS | {"pyproject.toml", "requirements.lock", "Makefile", "LICENSE", "CHANGELOG.md"}


@pytest.mark.parametrize("name", [*sources("scanner")])
def test_the_core_knows_no_cloud(name: str) -> None:
    assert {m for m in imports(name) if top(m) in SDKS} == set()
    # NOTE: only the composition root names collectors, engine and reports together
    assert FACE.match(name) or {m for m in imports(name) if top(m) == "collectors"} == set()
    assert name.startswith("scanner/reports/") or FACE.match(name) or {m for m in imports(name) if top(m) == "sarif"} == set()


@pytest.mark.parametrize("name", [*sources("collectors")])
def test_a_collector_knows_only_the_model(name: str) -> None:
    ours = {m for m in imports(name) if top(m) in {"scanner", "sarif", "tests"}}
    assert {m for m in ours if not m.startswith("scanner.model")} <= {"scanner"}
    assert name.startswith("collectors/aws/demo") or {m for m in imports(name) if top(m) == "moto"} == set()


@pytest.mark.parametrize("name", [*sources("sarif")])
def test_sarif_knows_nothing_of_ours(name: str) -> None:
    assert {m for m in imports(name) if top(m) in {"scanner", "collectors", "tests"}} == set()


def test_sarif_shares_its_name() -> None:
    modules = {n.split("/")[1].removesuffix(".py") for n in files() if n.startswith("sarif/")}
    assert "__init__" not in modules
    assert modules & THEIRS == set()


@pytest.mark.parametrize("name", [*sources("scanner", "collectors")])
def test_packages_are_packages(name: str) -> None:
    folder = name.rpartition("/")[0]
    assert f"{folder}/__init__.py" in files()


@pytest.mark.parametrize("name", [*sources("scanner", "collectors", "sarif")])
def test_sdks_are_imported_where_they_are_used(name: str) -> None:
    at_top = {
        top(m)
        for node in tree(name).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for m in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    }
    assert at_top & (SDKS | {"regorus", "opa_client", "yaml", "jmespath", "jsonschema"}) == set()


@pytest.mark.parametrize("name", [*sources("scanner", "collectors", "sarif")])
def test_sizes(name: str) -> None:
    lines = text(name).count("\n")
    assert lines <= (700 if TABLES.match(name) else 400), "one idea a module"
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno <= 80, f"{node.name}: one thought a function"


@pytest.mark.parametrize("name", [*sources("scanner", "collectors", "sarif")])
def test_only_one_broad_except(name: str) -> None:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ExceptHandler):
            caught = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {"BaseException"}
            assert not caught & {"Exception", "BaseException"} or name == "collectors/run.py", f"line {node.lineno}"
    broad = [
        n
        for n in ast.walk(tree("collectors/run.py"))
        if isinstance(n, ast.ExceptHandler) and ast.unparse(n.type or n) == "Exception"
    ]
    assert len(broad) == 1


@pytest.mark.parametrize("name", [*sources("scanner", "collectors", "sarif")])
def test_no_work_at_import(name: str) -> None:
    for node in tree(name).body:
        working = isinstance(node, ast.For | ast.While | ast.With | ast.Try) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        )
        assert not working, f"line {node.lineno}"
        assert not isinstance(node, ast.Global)


def hosts(content: str) -> Iterator[str]:
    return (h.lower() for h in re.findall(r"\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:org|io)\b", content, re.IGNORECASE))


def is_registry(host: str) -> bool:
    return hashlib.sha256(host.encode()).hexdigest()[:16] in REGISTRIES


@pytest.mark.parametrize("name", files())
def test_nothing_of_the_place_it_was_written(name: str) -> None:
    assert not [h for h in hosts(text(name)) if is_registry(h)], "names a package registry's host"
    paths = re.compile(rf"(?<![\w/.-])/(?:{'w'}ork|home/[a-z]+|Users/[A-Za-z]+|{'t'}mp/(?:bash_|b/))/?[a-z.]")
    found = paths.search(text(name))
    assert found is None or name.startswith(("tests/", "fixtures/")), "a path of somebody's machine"
    assert (ROOT / name).stat().st_size <= 2_000_000, "generate it, or keep it smaller"
    key = re.compile("-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE" + " KEY-----")
    assert name.startswith(("tests/", "fixtures/")) or not key.search(text(name)), "a private key"


def test_registry_hosts_are_recognised() -> None:
    # the check above must be able to fail; the name is put together here so that this file holds none
    assert is_registry(".".join(("py" + "pi", "org")))
    assert list(hosts("see https://Py" + "PI.org/simple")) == ["pypi" + ".org"]
    assert not is_registry("example.org")


FOLDERS = sorted(
    {"/".join(n.split("/")[:depth]) for n in files() for depth in (1, 2, 3) if n.count("/") >= depth and n.split("/")[0] in TOPS}
)
QUIET = re.compile(
    r"^(policies/kinds|policies/[a-z_]+|tests/[a-z_]+(/.*)?|scanner/[a-z]+/.+|fixtures/(api|twins|estates|plans)/.+|collectors/[a-z]+/.+|sarif/.+)$"
)
"""Folders that the README of the folder above speaks for."""


@pytest.mark.parametrize("folder", [f for f in FOLDERS if not QUIET.match(f)])
def test_every_folder_says_what_lives_there(folder: str) -> None:
    assert f"{folder}/README.md" in files()


def test_readme_is_short() -> None:
    assert text("README.md").count("\n") <= 130
