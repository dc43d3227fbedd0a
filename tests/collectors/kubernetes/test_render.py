"""Charts and overlays are rendered by the tools themselves; without a tool, or where it fails, that is a problem and never silence."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from collectors.kubernetes import render
from collectors.kubernetes.manifests import ManifestEstate, read_manifests
from tests.collectors.kubernetes.control_plane import HINT
from tests.conftest import tool

CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: server\nversion: 0.1.0\n",
    "chart/values.yaml": "hostPID: true\nname: c\n",
    "chart/templates/_helpers.tpl": '{{- define "x" }}vllm{{ end }}',
    "chart/templates/d.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: '{{ include \"x\" . }}'}\n"
    "spec: {template: {spec: {hostPID: {{ .Values.hostPID }}, containers: [{name: '{{ .Values.name }}', image: a}]}}}\n",
    "chart/templates/list.yaml": "{{ range list 1 2 }}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p{{ . }}}\nspec: {containers: [{name: c, image: a}]}\n{{ end }}",
    "chart/charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
    "chart/charts/sub/templates/s.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: sub}\nspec: {ports: [{port: 80}]}\n",
}
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {%scontainers: [{name: c}]}}}\n"
OVERLAY = {
    "base/kustomization.yaml": "resources: [d.yaml]\n",
    "base/d.yaml": DEPLOYMENT % "",
    "overlays/prod/kustomization.yml": "namespace: prod\nresources: [../../base]\npatches: [{path: p.yaml}]\ncomponents: [../../extra]\n",
    "overlays/prod/p.yaml": DEPLOYMENT % "hostIPC: true, ",
    "overlays/prod/unrelated.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: aside}\nspec: {containers: [{name: c}]}\n",
    "extra/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels: [{pairs: {tier: front}}]\n",
}


@pytest.fixture(params=["kubectl"])
def tools(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A PATH with helm and kubectl, and nothing else of this machine's."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("helm", request.param):
        (folder / name).symlink_to(tool(name, HINT))
    monkeypatch.setenv("PATH", str(folder))
    return folder


def read(folder: Path, files: Mapping[str, str], **more: object) -> ManifestEstate:
    for name, text in files.items():
        path = folder / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return read_manifests([folder / "tree"], **more)  # type: ignore[arg-type]


def shown(estate: ManifestEstate) -> set[tuple[str, str, int]]:
    return {(r.id.removeprefix("k8s/manifests/"), r.where.file, r.where.line) for r in estate.resources}


def test_a_chart(tools: Path, tmp_path: Path) -> None:
    estate = read(tmp_path, CHART)
    assert estate.problems == ()
    assert shown(estate) == {
        ("Deployment.apps/default/vllm", "chart/templates/d.yaml", 0),
        ("Pod/default/p1", "chart/templates/list.yaml", 0),
        ("Pod/default/p2", "chart/templates/list.yaml", 0),
        ("Service/default/sub", "chart/charts/sub/templates/s.yaml", 0),
    }
    [vllm] = [r for r in estate.resources if r.name == "vllm"]
    assert vllm.facts["host_pid"] is True


def test_values(tools: Path, tmp_path: Path) -> None:
    (tmp_path / "prod.yaml").write_text("hostPID: false\n")
    estate = read(tmp_path, CHART, values=[str(tmp_path / "prod.yaml")])
    assert {r.facts["host_pid"] for r in estate.resources if r.name == "vllm"} == {False}


def test_a_chart_that_is_named_itself(tools: Path, tmp_path: Path) -> None:
    read(tmp_path, CHART)
    estate = read_manifests([tmp_path / "tree" / "chart"])
    assert {r.where.file for r in estate.resources if r.name == "vllm"} == {"templates/d.yaml"}


def test_an_overlay_stands_for_what_it_is_built_on(tools: Path, tmp_path: Path) -> None:
    estate = read(tmp_path, OVERLAY)
    assert estate.problems == ()
    assert shown(estate) == {
        ("Deployment.apps/prod/web", "overlays/prod/kustomization.yml", 0),
        ("Pod/default/aside", "overlays/prod/unrelated.yaml", 1),
    }
    [web] = [r for r in estate.resources if r.name == "web"]
    assert web.facts["host_ipc"] is True
    assert web.tags == {"tier": "front"}


def test_a_path_in_another_key_hides_nothing(tools: Path, tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": "resources: [d.yaml]\ncommonAnnotations: {note: pod.yaml}\nconfigMapGenerator: [{name: c, files: [pod.yaml]}]\n",
        "d.yaml": DEPLOYMENT % "",
        "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\n",
    }
    assert ("Pod/default/p", "pod.yaml", 1) in shown(read(tmp_path, files))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (CHART, "chart: a Helm chart, and helm is not on PATH"),
        (OVERLAY, "overlays/prod: a Kustomize overlay, and neither kustomize nor kubectl is on PATH"),
    ],
    ids=["chart", "overlay"],
)
def test_without_the_tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: Mapping[str, str], said: str) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    estate = read(
        tmp_path, {**files, "other.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\n"}
    )
    [problem] = estate.problems
    assert problem.startswith(said)
    assert "| bartizan scan manifests -" in problem
    assert "Deployment" not in str(shown(estate))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({**CHART, "chart/templates/d.yaml": '{{ fail "no name" }}'}, "helm could not render it"),
        (
            {"kustomization.yaml": "resources: [missing.yaml]\n", "p/pod.yaml": OVERLAY["overlays/prod/unrelated.yaml"]},
            "kubectl could not render it",
        ),
    ],
    ids=["chart", "overlay"],
)
def test_what_cannot_be_rendered_is_a_problem(tools: Path, tmp_path: Path, files: Mapping[str, str], said: str) -> None:
    estate = read(tmp_path, {**files, "pod.yaml": OVERLAY["overlays/prod/unrelated.yaml"]})
    assert [said in p for p in estate.problems] == [True]


@pytest.mark.parametrize(
    "remote", ["https://raw.example.com/x/d.yaml", "github.com/example/base?ref=main", "git@github.com:example/base.git"]
)
def test_no_network_is_used(tools: Path, tmp_path: Path, remote: str) -> None:
    estate = read(
        tmp_path, {"k/kustomization.yaml": f"resources: ['{remote}']\n", "pod.yaml": OVERLAY["overlays/prod/unrelated.yaml"]}
    )
    assert ["kubectl could not render it" in p for p in estate.problems] == [True]


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helm = tmp_path / "helm"
    helm.write_text("#!/bin/sh\nwhile :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done\n")
    helm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    files = {**CHART, "pod.yaml": OVERLAY["overlays/prod/unrelated.yaml"]}
    assert read(tmp_path, files, max_bytes=10_000).problems == ("chart: helm prints more than 10000 bytes; not read",)
    helm.write_text("#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(render, "SECONDS", 0.2)
    assert read(tmp_path, files).problems == ("chart: helm was stopped after 0.2 seconds; not read",)


def test_as_they_stand(tools: Path, tmp_path: Path) -> None:
    estate = read(tmp_path, {**CHART, **OVERLAY}, rendered=False)
    assert any("Helm template" in p for p in estate.problems)
    assert ("Deployment.apps/default/web", "base/d.yaml", 1) in shown(estate)
