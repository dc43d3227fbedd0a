"""What CI systems read of us is valid, and its scripts do what they say: run here as the systems run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: team}\nspec:\n  hostPID: true\n  containers:\n    - {name: c, image: a}\n"
HIDDEN = re.compile(r"\$\{\{ *inputs\.([a-z-]+) *\}\}")


@pytest.mark.parametrize(
    ("schema", "file"), [("github-actions", "action.yml"), ("azure-pipelines", ".ci/templates/azure-pipelines.yml")]
)
def test_schemas(root: Path, schema: str, file: str) -> None:
    check(schema, root / file)


def test_the_schema_of_gitlab(root: Path, tmp_path: Path) -> None:
    """A template of GitLab is two documents: its inputs, and what they are put into."""
    head, _, filled = (root / ".ci" / "templates" / "gitlab.yml").read_text().partition("\n---\n")
    for name, one in yaml.safe_load(head)["spec"]["inputs"].items():
        filled = filled.replace(f"$[[ inputs.{name} ]]", one["default"])
    assert "[[" not in filled
    (tmp_path / "gitlab.yml").write_text(filled)
    check("gitlab-ci", tmp_path / "gitlab.yml")
    job = yaml.safe_load(filled)["bartizan"]
    assert all(name in " ".join(job["script"]) for name in job["artifacts"]["reports"].values())


def check(schema: str, file: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pre_commit_reads_the_hooks(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", str(root / ".pre-commit-hooks.yaml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_hook_stops_a_commit(root: Path, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(POD)
    [hook, *_] = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())
    command = [str(Path(sys.executable).parent / "bartizan"), *hook["entry"].split()[1:], *hook["args"]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "p.yaml:5:3" in done.stdout) == (1, True), done.stdout + done.stderr


# ---- the GitHub Action


def action(root: Path) -> Mapping[str, Any]:
    found = yaml.safe_load((root / "action.yml").read_text())
    assert isinstance(found, dict)
    return found


def test_it_uses_nothing_that_is_not_pinned(root: Path) -> None:
    steps = action(root)["runs"]["steps"]
    assert [s for s in steps if "uses" in s] == []
    assert "--require-hashes" in steps[0]["run"]


def test_no_input_is_written_into_a_script(root: Path) -> None:
    """https://docs.github.com/en/actions/reference/security/secure-use#good-practices-for-mitigating-script-injection-attacks"""
    for step in action(root)["runs"]["steps"]:
        assert "${{" not in step["run"]
    for file in ("azure-pipelines.yml",):
        for step in yaml.safe_load((root / ".ci" / "templates" / file).read_text())["steps"]:
            assert "${{" not in step.get("bash", "")


def run(root: Path, folder: Path, **inputs: str) -> tuple[int, str, Mapping[str, str], str]:
    """(exit status, standard output, outputs, summary) of the action's scan, in a folder with a manifest."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    spec = action(root)
    given = {name: str(one.get("default", "")) for name, one in spec["inputs"].items()} | {
        k.replace("_", "-"): v for k, v in inputs.items()
    }
    step = next(s for s in spec["runs"]["steps"] if s.get("id") == "scan")
    temp = folder / "temp"
    (temp / "bartizan" / "bin").mkdir(parents=True, exist_ok=True)
    for name in ("python", "bartizan"):
        link = temp / "bartizan" / "bin" / name
        if not link.exists():
            link.symlink_to(Path(sys.executable).parent / name)
    env = {name: HIDDEN.sub(lambda m: given[m.group(1)], value) for name, value in step["env"].items()}
    files = {"GITHUB_OUTPUT": temp / "output", "GITHUB_STEP_SUMMARY": temp / "summary"}
    for path in files.values():
        path.write_text("")
    work = folder / "work"
    work.mkdir(exist_ok=True)
    (work / "p.yaml").write_text(POD)
    done = subprocess.run(  # as GitHub runs `shell: bash`
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=work,
        env={"PATH": os.environ["PATH"], "RUNNER_TEMP": str(temp), **env, **{k: str(p) for k, p in files.items()}},
        capture_output=True,
        text=True,
        check=False,
    )
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    return done.returncode, done.stdout + done.stderr, outputs, files["GITHUB_STEP_SUMMARY"].read_text()


def test_findings_stand_at_their_lines_and_fail_the_step(root: Path, tmp_path: Path) -> None:
    status, out, outputs, summary = run(root, tmp_path, scan="manifests .")
    assert status == 1
    assert outputs == {"exit-status": "1", "sarif": "bartizan.sarif", "json": "bartizan.json"}
    assert re.search(r"^::error file=p\.yaml,line=5", out, re.MULTILINE)
    assert "hostPID" in summary
    assert (tmp_path / "work" / "bartizan.sarif").is_file()


def test_without_annotations_and_summary(root: Path, tmp_path: Path) -> None:
    status, out, _, summary = run(
        root, tmp_path, scan="manifests .", annotations="false", summary="false", fail_on="none", options="--allow-unknown all"
    )
    assert (status, "::error" in out, summary) == (0, False, "")


def test_words_are_words(root: Path, tmp_path: Path) -> None:
    (tmp_path / "work" / "two words").mkdir(parents=True)
    (tmp_path / "work" / "two words" / "q.yaml").write_text(POD.replace("name: p,", "name: q,"))
    status, out, _, _ = run(root, tmp_path, scan="manifests 'two words'; touch planted", options="--rule $(touch${IFS}planted)")
    assert not (tmp_path / "work" / "planted").exists()
    assert status == 2, out


def test_an_error_leaves_no_report_of_before(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, scan="manifests .")
    status, _, outputs, _ = run(root, tmp_path, scan="manifests missing/")
    assert status == 2
    assert outputs == {"exit-status": "2", "sarif": "", "json": ""}


def test_the_next_run_knows_the_last(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, scan="manifests .", json="before.json")
    status, out, _, _ = run(
        root, tmp_path, scan="manifests .", baseline="before.json", new_only="true", options="--allow-unknown all"
    )
    assert status == 0, out
