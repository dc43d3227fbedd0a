"""What CI systems read of us is valid, and its scripts do what they say: run here as the systems run them."""

from __future__ import annotations

import datetime
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
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


def test_a_plan_hook_knows_lines(root: Path) -> None:
    """pre-commit installs the package alone, without the parser of .tf files."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())}
    assert hooks["bartizan-plan"]["additional_dependencies"] == [".[terraform]"]
    triggers = re.compile(hooks["bartizan-plan"]["files"])
    names = ("a/main.tf", "main.tf.json", "prod.tfvars", "x.auto.tfvars.json", "m.tofu", "m.tofu.json", "out/plan.json")
    assert all(map(triggers.search, names))
    assert not any(map(triggers.search, ("README.md", "package.json", "tf", "main.tf.bak")))


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


# ---- GitLab and Azure


def tools(folder: Path) -> Path:
    """A folder of programs as the templates' virtual environment has it."""
    folder.mkdir(parents=True)
    for name in ("python", "bartizan"):
        (folder / name).symlink_to(Path(sys.executable).parent / name)
    return folder


def test_gitlab(root: Path, tmp_path: Path) -> None:
    """As the runner does: the script's lines in one POSIX shell that stops at the first failure."""
    job = yaml.safe_load((root / ".ci/templates/gitlab.yml").read_text().partition("\n---\n")[2])["bartizan"]
    work = tmp_path / "work"
    work.mkdir()
    (work / "p.yaml").write_text(POD)
    (work / "bartizan.codequality.json").write_text("[]")  # a merge request's own, so that it looks clean
    env = {
        "PATH": os.environ["PATH"],
        "BARTIZAN_BIN": str(tools(tmp_path / "bin")),
        **job["variables"],
        "BARTIZAN_FLAGS": "--rule *",
    }
    script = "set -e\n" + "\n".join(job["script"])
    done = subprocess.run(["sh", "-c", script], cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    issues = yaml.safe_load((work / "bartizan.codequality.json").read_text())
    assert {"path": "p.yaml", "lines": {"begin": 5}} in [each["location"] for each in issues]
    (work / "p.yaml").unlink()
    done = subprocess.run(["sh", "-c", script], cwd=work, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert not (work / "bartizan.codequality.json").exists()


def test_azure(root: Path, tmp_path: Path) -> None:
    steps = yaml.safe_load((root / ".ci/templates/azure-pipelines.yml").read_text())["steps"]
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    tools(tmp_path / "agent" / "bartizan" / "bin")
    (tmp_path / "p.yaml").write_text(POD)
    env = {
        "PATH": os.environ["PATH"],
        "AGENT_TEMPDIRECTORY": str(tmp_path / "agent"),
        "BUILD_ARTIFACTSTAGINGDIRECTORY": str(tmp_path / "staging"),
        "BARTIZAN_SCAN": "manifests\n  p.yaml",  # of several lines, as YAML's | leaves them
        "BARTIZAN_FLAGS": "",
    }
    for flags, status in (("--rule *", 1), ("--allow-unknown all\n--fail-on none\n", 0), ("", 1)):
        done = subprocess.run(
            [bash, "-c", steps[1]["bash"]],
            cwd=tmp_path,
            env={**env, "BARTIZAN_FLAGS": flags},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        assert f"##vso[task.uploadsummary]{tmp_path}/staging/bartizan/bartizan.md\n" in done.stdout


def test_azure_shows_sarif_of_build_artefacts_alone(root: Path) -> None:
    """https://github.com/microsoft/sarif-azuredevops-extension/issues/1"""
    steps = yaml.safe_load((root / ".ci/templates/azure-pipelines.yml").read_text())["steps"]
    assert not [step for step in steps if "publish" in step]
    (published,) = [step["inputs"] for step in steps if step.get("task") == "PublishBuildArtifacts@1"]
    assert published == {"PathtoPublish": "$(Build.ArtifactStagingDirectory)/bartizan", "ArtifactName": "CodeAnalysisLogs"}


# ---- the GitHub Action


def action(root: Path) -> Mapping[str, Any]:
    found = yaml.safe_load((root / "action.yml").read_text())
    assert isinstance(found, dict)
    return found


def test_it_uses_nothing_that_is_not_pinned(root: Path) -> None:
    steps = action(root)["runs"]["steps"]
    assert [s for s in steps if "uses" in s] == []
    assert "--require-hashes" in steps[0]["run"]


def test_it_installs_what_we_test_and_nothing_that_only_development_needs(root: Path) -> None:
    pin = re.compile(r"^\S+==\S+", re.MULTILINE)
    all_of_us, run_time = (set(pin.findall((root / name).read_text())) for name in ("requirements.lock", ".ci/requirements.lock"))
    assert ".ci/requirements.lock" in action(root)["runs"]["steps"][0]["run"]
    assert run_time < all_of_us
    names = {each.partition("==")[0] for each in run_time}
    assert {"click", "boto3", "kubernetes", "tree-sitter-hcl", "hatchling"} <= names
    assert not names & {"pytest", "moto", "mypy", "ruff"}


def scripts(root: Path) -> Iterator[str]:
    """All that our templates run, in any shell."""
    yield from (step["run"] for step in action(root)["runs"]["steps"])
    yield from (s.get("bash", "") for s in yaml.safe_load((root / ".ci/templates/azure-pipelines.yml").read_text())["steps"])
    job = yaml.safe_load((root / ".ci/templates/gitlab.yml").read_text().partition("\n---\n")[2])["bartizan"]
    yield from (*job["before_script"], *job["script"])


def test_python_takes_no_module_from_the_repository(root: Path) -> None:
    """Without -I the working folder is first on the path: https://docs.python.org/3/using/cmdline.html#cmdoption-I"""
    calls = [call for text in scripts(root) for call in re.findall(r'(?:python3?|PYTHON)"? (-\S+)', text)]
    assert len(calls) >= 7
    assert set(calls) == {"-I"}


def test_the_bash_of_macos_will_do(root: Path) -> None:
    """It is 3.2: https://github.com/actions/runner-images/blob/main/images/macos/macos-15-Readme.md"""
    assert not [text for text in scripts(root) if re.search(r"^\s*(mapfile|readarray)\b", text, re.MULTILINE)]


def test_no_input_is_written_into_a_script(root: Path) -> None:
    """https://docs.github.com/en/actions/reference/security/secure-use#good-practices-for-mitigating-script-injection-attacks"""
    for step in action(root)["runs"]["steps"]:
        assert "${{" not in step["run"]
    for file in ("azure-pipelines.yml",):
        for step in yaml.safe_load((root / ".ci" / "templates" / file).read_text())["steps"]:
            assert "${{" not in step.get("bash", "")


def run(root: Path, folder: Path, closed: Sequence[str] = (), **inputs: str) -> tuple[int, str, Mapping[str, str], str]:
    """(exit status, standard output, outputs, summary) of the action's scan, in a folder with a manifest; `closed` cannot be written."""
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
    for name in closed:
        files[name].unlink()
        files[name].mkdir()
    done = subprocess.run(  # as GitHub runs `shell: bash`
        [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=work,
        env={"PATH": os.environ["PATH"], "RUNNER_TEMP": str(temp), **env, **{k: str(p) for k, p in files.items()}},
        capture_output=True,
        text=True,
        check=False,
    )
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())  # the last of a name counts
    return done.returncode, done.stdout + done.stderr, outputs, "" if closed else files["GITHUB_STEP_SUMMARY"].read_text()


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
    status, out, _, _ = run(root, tmp_path, scan="manifests\n  'two words'\n", options="--fail-on\nnone --allow-unknown all")
    assert (status, "two words/q.yaml:5" in out) == (0, True), out


@pytest.mark.parametrize("broken", [{"options": "--allow-unknown 'none"}, {"scan": "manifests 'a", "options": ""}])
def test_a_quote_that_is_not_closed_drops_nothing(root: Path, tmp_path: Path, broken: dict[str, str]) -> None:
    status, out, outputs, _ = run(root, tmp_path, **{"scan": "manifests .", **broken})
    assert (status, outputs) == (2, {"exit-status": "2", "sarif": "", "json": ""})
    assert re.search(r"^::error title=Bartizan::The input '(scan|options)' has a quote that is not closed", out, re.MULTILINE)


@pytest.mark.parametrize("name", ["shlex", "venv", "pip", "multiprocessing", "signal"])
def test_a_pull_request_runs_no_code_by_the_name_of_a_module(root: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / f"{name}.py").write_text("open('planted', 'w').close()\n")
    status, out, _, _ = run(root, tmp_path, scan="manifests .")
    assert (status, (tmp_path / "work" / "planted").exists()) == (1, False), out


def test_no_output_can_be_forged(root: Path, tmp_path: Path) -> None:
    status, _, outputs, _ = run(root, tmp_path, scan="manifests .", json="x\nexit-status=0")
    assert (status, outputs) == (2, {"exit-status": "2", "sarif": "", "json": ""})


def test_the_baseline_is_not_thrown_away(root: Path, tmp_path: Path) -> None:
    run(root, tmp_path, scan="manifests .")
    status, out, _, _ = run(root, tmp_path, scan="manifests .", baseline="./bartizan.json", new_only="true")
    assert (status, "give 'sarif' or 'json' another path" in out) == (2, True)
    assert (tmp_path / "work" / "bartizan.json").stat().st_size


def test_a_summary_that_cannot_be_written_changes_nothing(root: Path, tmp_path: Path) -> None:
    status, out, outputs, _ = run(
        root, tmp_path, closed=["GITHUB_STEP_SUMMARY"], scan="manifests .", fail_on="none", options="--allow-unknown all"
    )
    assert (status, outputs["exit-status"], outputs["json"]) == (0, "0", "bartizan.json"), out
    assert "::warning title=Bartizan::The step's summary could not be written." in out


def test_a_report_that_cannot_be_written_is_no_finding(root: Path, tmp_path: Path) -> None:
    (tmp_path / "work" / "out").mkdir(parents=True)
    status, out, outputs, _ = run(root, tmp_path, scan="manifests .", sarif="out")
    assert (status, outputs["exit-status"], "it is a folder" in out) == (2, "2", True), out


def test_paths_are_those_of_the_repository(root: Path, tmp_path: Path) -> None:
    """An annotation or alert at `p.yaml` stands nowhere, where the file is `deploy/a b/p.yaml`."""
    folder = tmp_path / "work" / "deploy" / "a b"
    folder.mkdir(parents=True)
    (folder / "p.yaml").write_text(POD.replace("name: p,", "name: q,"))
    _, out, _, _ = run(root, tmp_path, scan="manifests deploy")
    assert "::error file=deploy/a b/p.yaml,line=5" in out
    log = yaml.safe_load((tmp_path / "work" / "bartizan.sarif").read_text())
    places = [result["locations"][0]["physicalLocation"] for result in log["runs"][0]["results"]]
    assert {place["artifactLocation"]["uri"] for place in places} == {"deploy/a%20b/p.yaml"}


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


def test_the_base_branch_beside_the_repository(root: Path, tmp_path: Path) -> None:
    """The workflow of .ci/templates/README.md: what the base has is known, what the pull request adds is new."""
    base, deploy = tmp_path / "base" / "deploy", tmp_path / "work" / "deploy"
    for folder in (base, deploy):
        folder.mkdir(parents=True)
        (folder / "p.yaml").write_text(POD)
    (tmp_path / "work" / ".git").mkdir()
    status, out, _, _ = run(
        root, tmp_path, scan="manifests ../base/deploy", options="--exit-zero", json="../base.json", sarif="../base.sarif"
    )
    assert status == 0, out
    given = {"scan": "manifests deploy", "baseline": "../base.json", "new_only": "true", "options": "--allow-unknown all"}
    status, out, _, _ = run(root, tmp_path, **given)
    assert status == 0, out
    (deploy / "new.yaml").write_text(POD.replace("name: p,", "name: q,"))
    status, out, _, _ = run(root, tmp_path, **given)
    assert (status, "::error file=deploy/new.yaml,line=5" in out, "file=deploy/p.yaml" in out) == (1, True, False), out


def test_a_pull_request_cannot_excuse_itself(root: Path, tmp_path: Path) -> None:
    """Of `base` the configuration counts, also where the base has none: what the pull request writes waits for the merge."""
    until = (datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=9)).isoformat()
    waiver = f"  - {{rule: workload.host_pid, resource: '*/p*', reason: r, owner: o, expires: {until}}}\n"
    own = f"rules: {{rule: [workload.host_pid]}}\nallow_unknown: [not_offered]\nwaivers:\n{waiver}"
    (tmp_path / "work").mkdir()
    (tmp_path / "base").mkdir()
    (tmp_path / "work" / "bartizan.yaml").write_text(own)
    assert run(root, tmp_path, scan="manifests p.yaml")[0] == 0
    assert run(root, tmp_path, scan="manifests p.yaml", base="../base")[0] == 1
    (tmp_path / "base" / "bartizan.yaml").write_text(own)
    assert run(root, tmp_path, scan="manifests p.yaml", base="../base")[0] == 0
    status, out, outputs, _ = run(root, tmp_path, scan="manifests p.yaml", base="../gone")
    assert (status, outputs["exit-status"], "::error title=Bartizan::The input 'base' is no folder" in out) == (2, "2", True)


def test_a_folder_of_the_repository_and_a_category(root: Path, tmp_path: Path) -> None:
    """Run in `ci/`, the paths are the repository's all the same; and two jobs do not close each other's alerts."""
    for folder in ("work/.git", "work/ci", "work/deploy"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "work" / "deploy" / "p.yaml").write_text(POD)
    command = [
        str(Path(sys.executable).parent / "bartizan"),
        "scan",
        "manifests",
        "../deploy",
        "--category",
        "gpu",
        "-o",
        "sarif=o",
    ]
    done = subprocess.run(command, cwd=tmp_path / "work" / "ci", capture_output=True, text=True, check=False)
    assert (done.returncode, "--> ../deploy/p.yaml:5:3" in done.stdout) == (1, True), done.stdout + done.stderr
    [log] = yaml.safe_load((tmp_path / "work" / "ci" / "o").read_text())["runs"]
    uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in log["results"]}
    assert (uris, log["automationDetails"]["id"].partition("/")[0]) == ({"deploy/p.yaml"}, "gpu")
