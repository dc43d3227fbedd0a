"""The wheel as a stranger gets it: complete, and a good neighbour of sarif-tools, which owns a package of the same name as ours."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT, STRICT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]
NEIGHBOUR = "sarif-tools==3.0.5"


def run(*command: str | Path) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, timeout=600, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", out, ROOT)
    (built,) = out.glob("bartizan-*.whl")
    return built


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """The Python of an empty virtual environment."""
    venv.create(tmp_path / "venv", with_pip=True, symlinks=True)
    return tmp_path / "venv" / "bin" / "python"


def install(python: Path, *what: str | Path) -> None:
    done = subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *map(str, what)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    if done.returncode and not STRICT and ("No matching distribution" in done.stderr or "Connection" in done.stderr):
        pytest.skip("no package index in reach")
    assert done.returncode == 0, done.stderr


def ours_works(python: Path) -> bool:
    return run(python, "-c", "import sarif.log, scanner.rules.library as l; print(len(l.load().rules) > 0)").strip() == "True"


def theirs_works(python: Path) -> bool:
    return run(python.parent / "sarif", "--version").startswith("SARIF tools")


def test_it_holds_everything(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        *(f"scanner/{p.relative_to(ROOT).as_posix()}" for p in ROOT.glob("policies/**/*.rego")),
        *(f"scanner/{p.relative_to(ROOT).as_posix()}" for p in ROOT.glob("policies/**/*.json")),
        *(p.relative_to(ROOT).as_posix() for top in ("scanner", "collectors", "sarif") for p in ROOT.glob(f"{top}/**/*.py")),
        *(p.relative_to(ROOT).as_posix() for top in ("scanner", "collectors", "sarif") for p in ROOT.glob(f"{top}/**/*.json")),
    }
    assert "scanner/policies/kinds/key.json" in wanted
    assert wanted - names == set()
    tops = {n.split("/")[0] for n in names}
    assert {t for t in tops if not t.endswith(".dist-info")} == {"scanner", "collectors", "sarif"}
    assert "sarif/__init__.py" not in names
    assert any(n.endswith("licenses/LICENSE") for n in names)


def test_ours_then_theirs_then_ours_goes(wheel: Path, fresh: Path) -> None:
    install(fresh, wheel)
    assert ours_works(fresh)
    assert run(fresh.parent / "bartizan", "--version").strip()
    install(fresh, NEIGHBOUR)
    assert ours_works(fresh)
    assert theirs_works(fresh)
    run(fresh, "-m", "pip", "uninstall", "--quiet", "--yes", "bartizan")
    assert theirs_works(fresh)
    left = {p.name for p in (fresh.parent.parent / "lib").glob("python*/site-packages/*")}
    assert left & {"scanner", "collectors"} == set()


def test_theirs_then_ours_then_theirs_goes(wheel: Path, fresh: Path) -> None:
    install(fresh, NEIGHBOUR, "msgspec")
    install(fresh, "--no-deps", wheel)  # all they need was installed once above; this is what loading rules needs
    assert ours_works(fresh)
    assert theirs_works(fresh)
    run(fresh, "-m", "pip", "uninstall", "--quiet", "--yes", "sarif-tools")
    assert ours_works(fresh)
