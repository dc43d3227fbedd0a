"""No secret value that manifests or a cluster hold reaches a snapshot or a report: planted in every shape, looked for in every byte."""

from __future__ import annotations

import base64
import json
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from scanner.cli import run
from scanner.snapshot import Snapshot
from tests.collectors.kubernetes.apiserver import ApiServer, serving

SHAPES = {
    "plain": "Zq1plain-hunter2-value",
    "aws": "Zq2wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
    "hub": "hf_" + "Zq3" * 12,
    "openai": "sk-proj-" + "Zq4" * 12,
    "github": "ghp_" + "Zq5" * 12,
    "ngc": "nvapi-" + "Zq6" * 16,
    "url": "postgres://admin:Zq7pass@db.example/x",
    "pem": "-----BEGIN PRIVATE" + " KEY-----\nZq8MIIEvQIBADANBg\n-----END PRIVATE KEY-----",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJacTkifQ.Zq9SflKxwRJSMeKKF2QT4",
    "number": "9081726354",
    "json": '{"type": "service_account", "private_key": "Zq10key"}',
}
TRACES = [*(f"Zq{n}" for n in range(1, 11)), "9081726354"]


def coded(value: str) -> str:
    return base64.b64encode(value.encode()).decode()


def whole(value: str) -> dict[str, Any]:
    """An object as kubectl repeats it in an annotation."""
    return {"kind": "Secret", "stringData": {"a": value}}


def container(name: str, value: str) -> dict[str, Any]:
    return {
        "name": name,
        "image": "registry.example/train:1",
        "env": [
            {"name": "HF_TOKEN", "value": value},
            {"name": "SOME_SETTING", "value": value},
            {"name": "NVIDIA_VISIBLE_DEVICES", "value": value},
            {"name": "WITH_DEFAULT", "value": f"${{OTHER:-{value}}}"},
            {"value": value},
        ],
        "command": ["sh", "-c", f"export DB_PASSWORD={value}; serve --api-key {value} -p{value} | curl -u me:{value} x"],
        "args": [
            "--password",
            value,
            f"--token={value}",
            value,
            f"-H=Authorization: Bearer {value}",
            f'{{"WANDB_API_KEY": "{value}"}}',
        ],
        "livenessProbe": {
            "httpGet": {
                "path": f"/ready?token={value}",
                "port": 80,
                "httpHeaders": [{"name": "Authorization", "value": f"Bearer {value}"}],
            }
        },
        "lifecycle": {"preStop": {"exec": {"command": ["curl", "-u", f"a:{value}", "x"]}}},
    }


def model_server(name: str, value: str) -> dict[str, Any]:
    """What loads models and installs packages: its command line is read before it is redacted."""
    lines = [
        f"export TOKEN={value} OTHER='{value}'",
        f"pip install -q --index-url https://me:{value}@packages.example/simple 'git+https://{value}@git.example/a/b' x",
        f"curl -fsSL -u me:{value} -H 'X-Key: {value}' https://packages.example/install.sh | sh -s -- {value}",
        f"huggingface-cli login --token {value}; hf download --token={value} org/name -p{value} --local-dir /models",
        f"HF_TOKEN={value} vllm serve org/name --api-key {value} --hf-token={value} -k{value} --unheard-of {value} $TOKEN",
        f"ollama pull -p{value} llama3 && echo {value} | docker login -p {value} --password-stdin",
        f"aws configure set aws_secret_access_key {value}; mc alias set s3 https://s3.example {value} {value}",
    ]
    return {
        "name": name,
        "image": "registry.example/vllm/vllm-openai:v0.11.0",
        "env": [
            {"name": "HF_ENDPOINT", "value": f"https://me:{value}@hub.example"},
            {"name": "PIP_INDEX_URL", "value": f"https://{value}:{value}@packages.example"},
            {"name": "S3_ENDPOINT", "value": f"https://s3.example/?key={value}"},
            {"name": "MODEL_PASSWORD", "value": value},
            {"name": "VLLM_API_KEY", "value": value},
        ],
        "command": ["bash", "-ec", "\n".join(lines)],
        "args": ["--model", "$(MODEL_PASSWORD)", "--served-model-name", value, f"--chat-template={value}", f"-p{value}", value],
    }


def objects(value: str, number: int) -> list[dict[str, Any]]:
    name = f"x{number}"
    notes = {
        "kubectl.kubernetes.io/last-applied-configuration": json.dumps(whole(value)),
        "meta.helm.sh/values": f"database:\n  password: {value}\n",
        "example.com/anything": value,
    }
    meta = {"name": name, "namespace": "team", "annotations": notes, "managedFields": [{"fieldsV1": {"f:data": value}}]}
    spec = {
        "containers": [container("main", value), model_server("server", value)],
        "initContainers": [container("setup", value)],
        "ephemeralContainers": [container("debug", value)],
        "volumes": [{"name": "v", "csi": {"driver": "d", "volumeAttributes": {"password": value, "clientSecret": value}}}],
    }
    ray = {
        "runtimeEnvYAML": f"env_vars:\n  OPENAI_API_KEY: {json.dumps(value)}\n  OTHER: {json.dumps(value)}\n",
        "serveConfigV2": f"applications:\n- runtime_env:\n    pip: [{json.dumps(value)}]\n    env_vars: {{A: {json.dumps(value)}}}\n"
        f"  args: {{llm_configs: [{{model_loading_config: {{model_id: {json.dumps(value)}}}}}]}}\n",
        "entrypoint": f"python train.py --secret-key {value} {value}",
        "rayClusterSpec": {
            "headGroupSpec": {
                "rayStartParams": {"redis-password": value},
                "template": {"metadata": {"annotations": notes}, "spec": spec},
            }
        },
    }
    argo = {
        "arguments": {"parameters": [{"name": "key", "value": value}]},
        "podSpecPatch": json.dumps({"containers": [container("main", value)]}),
        "templates": [{"name": "t", "script": {"image": "i", "source": f"login({value!r})\nTOKEN = '{value}'"}}],
    }
    spark = {"sparkConf": {"spark.hadoop.fs.s3a.secret.key": value}, "driver": {"envVars": {"A": value}}, "executor": {}}
    data = {
        "tls.key": value,
        "config.yaml": f"password: {value}",
    }
    return [
        {"apiVersion": "v1", "kind": "Secret", "metadata": meta, "type": "kubernetes.io/service-account-token", "data": {k: coded(v) for k, v in data.items()}},
        {"apiVersion": "v1", "kind": "Secret", "metadata": {**meta, "name": f"{name}-opaque"}, "stringData": data},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data},
        {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": {"template": {"metadata": {"annotations": notes}, "spec": spec}}},
        {"apiVersion": "ray.io/v1", "kind": "RayJob", "metadata": meta, "spec": ray},
        {"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "metadata": meta, "spec": argo},
        {"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "metadata": meta, "spec": spark},
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": meta},
        {"apiVersion": "v1", "kind": "Service", "metadata": meta, "spec": {"type": "LoadBalancer"}},
        {"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": meta, "spec": {"rules": [{"host": "a.example"}]}},
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {k: v for k, v in meta.items() if k != "namespace"}},
    ]  # fmt: skip


PLANTED = [item for number, value in enumerate(SHAPES.values()) for item in objects(value, number)]


def traces(data: bytes) -> list[str]:
    """The planted values that some bytes hold, as they are and as Secrets write them."""
    text = data.decode("utf-8", "replace")
    # base64 depends on where in the text a value begins
    shifted = {t: {coded(" " * n + t)[3 if n else 0 : -4].strip("=") for n in range(3)} for t in TRACES if len(t) > 8}
    return [t for t in TRACES if t in text or any(s and s in text for s in shifted.get(t, ()))]


def in_snapshot(path: Path) -> list[str]:
    """What the file and its log hold, and what is compressed in it."""
    found = [t for part in path.parent.glob(f"{path.name}*") for t in traces(part.read_bytes())]
    with sqlite3.connect(path) as db:
        for (body,) in db.execute("SELECT body FROM answer"):
            found += traces(zlib.decompress(body))
    return found


def in_reports(path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    formats = [f"{f}={folder / f}.out" for f in ("json", "sarif", "sarif-audit")]
    run(
        [
            "evaluate",
            str(path),
            "--fail-on",
            "none",
            "--allow-unknown",
            "all",
            "-o",
            "terminal",
            *(a for f in formats for a in ("-o", f)),
        ]
    )
    said = capsys.readouterr()
    assert "workload.privilege_escalation" in said.out
    run(["explain", "x0", "--snapshot", str(path)])
    run(["snapshot", "export", str(path), "--to", str(folder / "all.jsonl")])
    more = capsys.readouterr()
    files = [folder / f"{f}.out" for f in ("json", "sarif", "sarif-audit")] + [folder / "all.jsonl"]
    assert all(f.stat().st_size > 1000 for f in files)
    return [
        t
        for data in (*(f.read_bytes() for f in files), said.out.encode(), said.err.encode(), more.out.encode())
        for t in traces(data)
    ]


def test_the_traces_are_found() -> None:
    text = yaml.safe_dump_all(PLANTED).encode()
    assert set(traces(text)) == set(TRACES)


def test_manifests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "manifests"
    folder.mkdir()
    for number, item in enumerate(PLANTED):
        (folder / f"{number}.yaml").write_text(yaml.safe_dump(item))
    secret = SHAPES["plain"]
    # broken files are told of, and their text is not
    (folder / "broken.yaml").write_text(f"apiVersion: v1\nkind: Secret\nstringData:\n  a: {secret}\n\tb: '{secret}\n")
    (folder / "twice.yaml").write_text(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata: {{a: {secret}, a: {secret}}}\n")
    (folder / "unnamed.yaml").write_text(
        f"apiVersion: v1\nkind: Pod\nspec: {{containers: [{{env: [{{name: A, value: {secret}}}]}}]}}\n"
    )
    (folder / "broken.json").write_text(f'{{"kind": "Secret", "data": {{"a": "{secret}", }}')
    path = tmp_path / "s.snapshot"
    code = run(["collect", "manifests", str(folder), "--snapshot", str(path)])
    said = capsys.readouterr()
    assert code == 4, "the broken files are a problem"
    assert traces(said.out.encode() + said.err.encode()) == []
    assert in_snapshot(path) == []
    with Snapshot.open(path) as snapshot:
        assert snapshot.size()[0] > 8 * len(SHAPES)
        heads = [r for r in snapshot.resources("workload") if r.native_type == "ray.io/v1/RayJob"]
    # the values are gone, and what they were is known all the same
    assert all("HF_TOKEN" in h.facts["containers"][0]["hub_tokens"] + h.facts["containers"][0]["cloud_keys"] for h in heads)
    assert all("runtimeEnvYAML[0]" in h.facts["containers"][0]["secret_env"] for h in heads)
    assert in_reports(path, tmp_path, capsys) == []


def test_a_snapshot_under_way(tmp_path: Path) -> None:
    """The write-ahead log is there while a snapshot is written: it holds none either."""
    from collectors.kubernetes.manifests import read_manifests

    file = tmp_path / "all.yaml"
    file.write_text(yaml.safe_dump_all(PLANTED))
    estate = read_manifests([file])
    path = tmp_path / "s.snapshot"
    with Snapshot.create(path) as snapshot:
        snapshot.page(estate.resources)
        assert path.with_name("s.snapshot-wal").stat().st_size > 100_000
        assert [t for part in tmp_path.glob("s.snapshot*") for t in traces(part.read_bytes())] == []


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving() as found:
        found.add(*(i for i in PLANTED if i["kind"] != "ConfigMap"))
        yield found


def test_a_cluster(server: ApiServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.snapshot"
    run(["collect", "k8s", "--kubeconfig", server.kubeconfig(tmp_path), "--snapshot", str(path)])
    said = capsys.readouterr()
    assert traces(said.out.encode() + said.err.encode()) == []
    with Snapshot.open(path) as snapshot:
        assert snapshot.size()[0] > 6 * len(SHAPES)
        assert [c.operation for c in snapshot.failed_calls()] == []
    assert in_snapshot(path) == []
    assert in_reports(path, tmp_path, capsys) == []
