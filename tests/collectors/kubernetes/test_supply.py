"""Images, Secrets by reference, tokens, clouds, packages and models: what pods say of where they get them."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.images import Image, parse, pull_policy
from collectors.kubernetes.kept.supply import credentials
from collectors.kubernetes.redact import clean
from scanner.model import Resource
from tests.collectors.kubernetes.objects import container, one, pod, projected, thing

HEX = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
COMMIT = "5f0b02c75b57c5855da9ae460ce51323ea669d8a"
PYPI = "pypi" + ".org"
UNKNOWN = object()


def read(item: dict[str, Any], kind: str = "workload") -> Resource:
    """The resource of an object, redacted as every object is."""
    return one(clean(copy.deepcopy(item)), kind)


def facts(spec: dict[str, Any]) -> dict[str, Any]:
    found = read(pod(spec=spec))
    return {**found.facts, **dict.fromkeys(found.gaps, UNKNOWN)}


def of(**main: Any) -> dict[str, Any]:
    return facts({"containers": [container(**main)]})


def shell(script: str, **main: Any) -> dict[str, Any]:
    return of(command=["bash", "-c", script], **main)


# ---- images


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nginx", Image("docker.io", "library/nginx", "", "")),
        ("nginx:1.29", Image("docker.io", "library/nginx", "1.29", "")),
        ("library/nginx", Image("docker.io", "library/nginx", "", "")),
        ("docker.io/nginx", Image("docker.io", "library/nginx", "", "")),
        ("index.docker.io/vllm/vllm-openai:v0.22.0", Image("docker.io", "vllm/vllm-openai", "v0.22.0", "")),
        ("vllm/vllm-openai", Image("docker.io", "vllm/vllm-openai", "", "")),
        # the colon of a port is no tag: trivy's split_image takes it for one
        ("host:5000/repo", Image("host:5000", "repo", "", "")),
        ("host:5000/repo:1", Image("host:5000", "repo", "1", "")),
        (f"host:5000/team/repo:1@sha256:{HEX}", Image("host:5000", "team/repo", "1", f"sha256:{HEX}")),
        ("localhost/repo", Image("localhost", "repo", "", "")),
        ("[2001:db8::1]:5000/repo:1", Image("[2001:db8::1]:5000", "repo", "1", "")),
        ("NVCR.io/nvidia/pytorch:26.05-py3", Image("nvcr.io", "nvidia/pytorch", "26.05-py3", "")),
        (f"quay.io/a/b@sha256:{HEX}", Image("quay.io", "a/b", "", f"sha256:{HEX}")),
        (" quay.io/a/b ", Image("quay.io", "a/b", "", "")),
        ("", None),
        ("Nginx", None),
        ("{{inputs.parameters.image}}", None),
        ("$(IMAGE)", None),
        ("registry.example/a:${TAG}", None),
        ("quay.io/a/b@sha256:short", None),
        ("quay.io/a//b", None),
        ("a:b:c", None),
    ],
)
def test_references(text: str, expected: Image | None) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "pinned", "floating"),
    [
        (f"a@sha256:{HEX}", True, False),
        (f"a:latest@sha256:{HEX}", True, False),
        (f"a@md5:{HEX[:32]}", False, False),
        ("a", False, True),
        ("a:latest", False, True),
        ("a:latest-gpu", False, True),
        ("a:nightly", False, True),
        ("a:26.11-nightly-cu130", False, True),
        ("a:1.2.3", False, False),
        ("a:latestish", False, False),
    ],
)
def test_how_an_image_is_pinned(text: str, pinned: bool, floating: bool) -> None:  # noqa: FBT001 - columns of the table
    image = parse(text)
    assert image is not None
    assert (image.pinned, image.floating) == (pinned, floating)


@pytest.mark.parametrize(
    ("written", "text", "expected"),
    [
        (None, "a", "Always"),
        (None, "a:latest", "Always"),
        (None, "host:5000/a", "Always"),
        (None, "a:1", "IfNotPresent"),
        (None, f"a@sha256:{HEX}", "IfNotPresent"),
        ("", "a:1", "IfNotPresent"),
        ("Never", "a", "Never"),
        ("IfNotPresent", "a:latest", "IfNotPresent"),
    ],
)
def test_the_default_of_the_pull_policy(written: Any, text: str, expected: str) -> None:
    image = parse(text)
    assert image is not None
    assert pull_policy(written, image) == expected


@given(st.text(alphabet="ab/.:@[]-_A0 sha256", max_size=40))
def test_any_text_is_a_reference_or_none(text: str) -> None:
    image = parse(text)
    if image is not None:
        again = (
            f"{image.registry}/{image.repository}{':' + image.tag if image.tag else ''}{'@' + image.digest if image.digest else ''}"
        )
        assert parse(again) == image


def test_images_of_every_kind_of_container_and_of_volumes() -> None:
    found = facts(
        {
            "initContainers": [{"name": "setup", "image": "busybox"}],
            "containers": [{"name": "main", "image": f"registry.example/a:1@sha256:{HEX}"}],
            "ephemeralContainers": [{"name": "debug", "image": "registry.example/d:2", "imagePullPolicy": "Always"}],
            "volumes": [{"name": "weights", "image": {"reference": "registry.example/w:7b"}}, {"name": "x", "emptyDir": {}}],
        }
    )
    assert found["image_refs"] == [
        {"container": "main", "type": "container", "image": f"registry.example/a:1@sha256:{HEX}", "registry": "registry.example",
         "repository": "a", "digest": True, "floating": False, "policy": "IfNotPresent"},
        {"container": "setup", "type": "init", "image": "busybox", "registry": "docker.io", "repository": "library/busybox",
         "digest": False, "floating": True, "policy": "Always"},
        {"container": "debug", "type": "ephemeral", "image": "registry.example/d:2", "registry": "registry.example", "repository": "d",
         "digest": False, "floating": False, "policy": "Always"},
        {"container": "weights", "type": "volume", "image": "registry.example/w:7b", "registry": "registry.example", "repository": "w",
         "digest": False, "floating": False, "policy": "IfNotPresent"},
    ]  # fmt: skip
    assert found["images_settled"] is True


@pytest.mark.parametrize("image", ["{{workflow.parameters.image}}", "", None])
def test_an_image_that_is_a_parameter_is_unknown(image: Any) -> None:
    found = facts({"containers": [container(), {"name": "b", "image": image}]})
    assert [i["container"] for i in found["image_refs"]] == ["main"]
    assert found["images_settled"] is UNKNOWN


# ---- Secrets by reference


def entry(container_: str = "", secret: str = "s", key: str = "", variable: str = "", how: str = "file") -> dict[str, str]:  # noqa: S107 - a name
    return {"container": container_, "secret": secret, "key": key, "variable": variable, "how": how}


def test_keys_of_secrets() -> None:
    found = facts(
        {
            "containers": [
                container(
                    env=[
                        {"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "a"}}},
                        {"name": "B", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "b"}}},
                        {"name": "C", "value": "x"},
                    ],
                    envFrom=[{"secretRef": {"name": "all"}}, {"configMapRef": {"name": "c"}}],
                )
            ],
            "volumes": [
                {"name": "v", "secret": {"secretName": "files", "items": [{"key": "k", "path": "p"}]}},
                {"name": "w", "secret": {"secretName": "whole"}},
                {"name": "p", "projected": {"sources": [{"secret": {"name": "part", "items": [{"key": "j", "path": "p"}]}}]}},
                {"name": "z", "azureFile": {"secretName": "share"}},
                {"name": "y", "csi": {"driver": "file.csi.azure.com", "volumeAttributes": {"secretName": "csi", "shareName": "x"}}},
                {"name": "n", "csi": {"driver": "other.example", "volumeAttributes": {"secretName": "no"}}},
            ],
        }
    )
    assert found["secret_keys"] == [
        entry("", "csi", "azurestorageaccountkey", how="azure-file"),
        entry("", "share", "azurestorageaccountkey", how="azure-file"),
        entry("", "whole"),
        entry("", "part", "j"),
        entry("", "files", "k"),
        entry("main", "s", "a", "A", "variable"),
        entry("main", "all", how="variables"),
    ]
    assert found["secret_keys_settled"] is UNKNOWN


@pytest.mark.parametrize(
    ("variable", "key", "expected"),
    [
        ("AWS_SECRET_ACCESS_KEY", "secret", True),
        ("SECRET", "AWS_SECRET_ACCESS_KEY", True),
        ("X", "key.json", True),
        ("X", "credentials.json", True),
        ("X", "azurestorageaccountkey", True),
        ("X", "aws-secret-access-key", True),
        ("AZURE_CLIENT_SECRET", "x", True),
        ("HF_TOKEN", "token", False),
        ("AWS_REGION", "region", False),
        ("AWS_SESSION_TOKEN", "token", False),
        ("X", "my-key.json", False),
    ],
)
def test_static_keys_of_clouds(variable: str, key: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table
    found = of(env=[{"name": variable, "valueFrom": {"secretKeyRef": {"name": "s", "key": key}}}])
    assert found["cloud_key_refs"] == ([entry("main", "s", key, variable, "variable")] if expected else [])
    assert found["secret_keys_settled"] is True


@pytest.mark.parametrize(
    ("path", "volume", "expected"),
    [
        ("/credentials/cloud", {"secret": {"secretName": "cloud-credentials"}}, [entry("main", "cloud-credentials", variable="V")]),
        ("/credentials", {"secret": {"secretName": "cloud-credentials"}}, [entry("main", "cloud-credentials", variable="V")]),
        ("/credentialsx/cloud", {"secret": {"secretName": "cloud-credentials"}}, []),
        # a configuration of workload identity federation is no key
        ("/credentials/config.json", {"configMap": {"name": "federation"}}, []),
        ("cloud", {"secret": {"secretName": "cloud-credentials"}}, []),
    ],
)
@pytest.mark.parametrize("variable", ["AWS_SHARED_CREDENTIALS_FILE", "GOOGLE_APPLICATION_CREDENTIALS"])
def test_a_variable_that_names_a_file_of_a_secret(variable: str, path: str, volume: dict[str, Any], expected: list[Any]) -> None:
    found = facts(
        {
            "containers": [
                container(
                    env=[{"name": variable, "value": path}],
                    volumeMounts=[{"name": "v", "mountPath": "/credentials"}, {"name": "o", "mountPath": "/"}],
                )
            ],
            "volumes": [{"name": "v", **volume}, {"name": "o", "emptyDir": {}}],
        }
    )
    assert found["cloud_key_refs"] == [{**e, "variable": variable} for e in expected]


# ---- tokens


def test_projected_tokens() -> None:
    token = {"path": "token", "audience": "vault", "expirationSeconds": 7200}
    found = facts(
        {
            "containers": [container(volumeMounts=[{"name": "v", "mountPath": "/a"}, {"name": "v", "mountPath": "/b/"}])],
            "volumes": [
                {"name": "v", "projected": {"sources": [{"serviceAccountToken": token}, {"configMap": {"name": "c"}}]}},
                {"name": "w", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}},
            ],
        }
    )
    assert found["projected_tokens"] == [
        {"volume": "v", "paths": ["/a/token", "/b/token"], "audience": "vault", "seconds": 7200},
        {"volume": "w", "paths": [], "audience": "", "seconds": 3600},
    ]


def test_a_lifetime_that_is_no_number_is_unknown() -> None:
    source = {"serviceAccountToken": {"path": "t", "expirationSeconds": "{{ .Values.ttl }}"}}
    assert facts({"volumes": [{"name": "v", "projected": {"sources": [source]}}]})["projected_tokens"] is UNKNOWN


# ---- clouds


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ({"args": ["--data", "s3://bucket/x"]}, [("aws", "s3://")]),
        ({"args": ["--data=s3a://bucket/x"]}, [("aws", "s3://")]),
        ({"command": ["sh", "-c", "aws s3 cp s3://a/b /c"]}, [("aws", "s3://")]),
        ({"env": [{"name": "DATA", "value": "gs://b"}]}, [("gcp", "gs://")]),
        ({"env": [{"name": "DATA", "value": "abfss://c@a.dfs.core.windows.net/x"}]}, [("azure", "abfs://")]),
        ({"args": ["https://models.blob.core.windows.net/w"]}, [("azure", "blob.core.windows.net")]),
        ({"args": ["https://blob.core.windows.net.evil.example/w"]}, []),
        ({"args": ["--store", "mys3://x"]}, []),
        # another object store
        ({"args": ["--data", "s3://b"], "env": [{"name": "AWS_ENDPOINT_URL", "value": "http://minio.store:9000"}]}, []),
        (
            {
                "args": ["--data", "s3://b"],
                "env": [{"name": "S3_ENDPOINT", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
            },
            [],
        ),
        ({"command": ["sh", "-c", "aws --endpoint-url http://minio:9000 s3 sync s3://b /c"]}, []),
        (
            {"args": ["--data", "s3://b"], "env": [{"name": "AWS_ENDPOINT_URL", "value": "https://s3.eu-west-1.amazonaws.com"}]},
            [("aws", "s3://")],
        ),
        ({}, []),
    ],
)
def test_cloud_uses(main: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert of(**main)["cloud_uses"] == [{"container": "main", "cloud": c, "how": h} for c, h in expected]


def test_cloud_uses_of_volumes_and_injected_identities() -> None:
    found = facts(
        {
            "containers": [container(env=[{"name": "AWS_WEB_IDENTITY_TOKEN_FILE", "value": "/t"}])],
            "volumes": [{"name": "v", "csi": {"driver": "gcsfuse.csi.storage.gke.io"}}, {"name": "w", "csi": {"driver": "x"}}],
        }
    )
    assert found["cloud_uses"] == [{"container": "", "cloud": "gcp", "how": "gcsfuse.csi.storage.gke.io"}]
    assert found["injected_identity"] == ["aws"]


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ({}, {}),
        ({"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/a"}, {"aws": True}),
        ({"eks.amazonaws.com/role-arn": "arn:aws-us-gov:iam::111122223333:role/path/a"}, {"aws": True}),
        ({"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:user/a"}, {"aws": False}),
        ({"eks.amazonaws.com/role-arn": "${ROLE}"}, {"aws": False}),
        ({"iam.gke.io/gcp-service-account": "train@lab.iam.gserviceaccount.com"}, {"gcp": True}),
        ({"azure.workload.identity/client-id": "00000000-1111-2222-3333-444455556666"}, {"azure": True}),
        ({"azure.workload.identity/client-id": "train"}, {"azure": False}),
    ],
)
def test_how_accounts_are_annotated(notes: dict[str, str], expected: dict[str, bool]) -> None:
    item = thing("v1", "ServiceAccount", "a", metadata={"annotations": notes}, imagePullSecrets=[{"name": "b"}, {"name": "a"}])
    found = read(item, "identity").facts
    assert found["cloud_identity_form"] == expected
    assert found["pull_secrets"] == ["a", "b"]


# ---- packages

PIP = "pip install "


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("pip install torch", [("pip", "unchecked", "medium")]),
        ("pip3 install -U torch && python train.py", [("pip", "unchecked", "medium")]),
        ("python -m pip install torch", [("pip", "unchecked", "medium")]),
        ("/opt/venv/bin/pip3.12 install torch", [("pip", "unchecked", "medium")]),
        ("PIP_NO_CACHE_DIR=1 exec pip install torch", [("pip", "unchecked", "medium")]),
        ("pip install \\\n  torch", [("pip", "unchecked", "medium")]),
        ("bash -c 'pip install torch'", [("pip", "unchecked", "medium")]),
        ("if true; then pip install torch; fi", [("pip", "unchecked", "medium")]),
        ("uv pip install torch", [("uv", "unchecked", "medium")]),
        ("uv sync", [("uv", "unchecked", "medium")]),
        ("uv sync --frozen", []),
        ("pip install --require-hashes -r requirements.txt", []),
        ("export PIP_REQUIRE_HASHES=1; pip install -r requirements.txt", []),
        ("pip install -r requirements.txt", [("pip", "unchecked", "medium")]),
        ("pip install --no-index --find-links /wheels torch", []),
        ("pip install -e .", [("pip", "unchecked", "medium")]),
        ("pip install --no-deps -e .", []),
        ("pip install --no-deps /wheels/a.whl", []),
        ("pip install --index-url https://packages.lab.example/simple torch", []),
        ("pip install -i https://packages.lab.example/simple torch", []),
        ("PIP_INDEX_URL=https://packages.lab.example/simple pip install torch", []),
        (f"pip install --index-url https://{PYPI}/simple torch", [("pip", "unchecked", "medium")]),
        (f"pip install --index-url https://{PYPI}.lab.example/simple torch", []),
        ("pip install --index-url https://download.pytorch.org/whl/cu130 torch", [("pip", "unchecked", "medium")]),
        # a public index beside one's own: whoever takes the name first
        ("pip install --extra-index-url https://packages.lab.example/simple torch", [("pip", "unchecked", "medium")]),
        ("pip install --index-url http://packages.lab.example/simple torch", [("pip", "clear_text", "high")]),
        ("pip install --trusted-host packages.lab.example torch", [("pip", "untrusted", "high")]),
        ("pip install git+https://github.com/a/b", [("pip", "repository", "high")]),
        ("pip install 'b @ git+https://github.com/a/b'", [("pip", "repository", "high")]),
        ("pip install -e git+ssh://git@example/a/b.git", [("pip", "repository", "high")]),
        (f"pip install git+https://github.com/a/b@{COMMIT}", [("pip", "unchecked", "medium")]),
        (f"pip install https://github.com/a/b.whl#sha256={HEX} --no-deps", []),
        ("pip install http://x.example/b.whl", [("pip", "clear_text", "high")]),
        ("pip list", []),
        ("echo pip install torch", []),
        ("# pip install torch\npython train.py", []),
        ("apt-get update && apt-get install -y git", [("apt-get", "packages", "medium")]),
        ("apt-get update", []),
        ("apt-get install --allow-unauthenticated x", [("apt-get", "untrusted", "high")]),
        ("apk add --no-cache git", [("apk", "packages", "medium")]),
        ("dnf -y install git", [("dnf", "packages", "medium")]),
        ("conda env create -f e.yaml", [("conda", "packages", "medium")]),
        ("curl -fsSL https://x.example/i.sh | sh", [("curl", "script", "medium")]),
        ("curl -fsSL https://x.example/i.sh | sudo -E bash -", [("curl", "script", "medium")]),
        ("wget -qO- http://x.example/i.sh | bash", [("wget", "clear_text", "high")]),
        ("curl -s https://x.example | tee log | bash", [("curl", "script", "medium")]),
        ("curl -s https://x.example | jq .", []),
        ("curl -s https://x.example || sh fallback", []),
        ("bash <(curl -s https://x.example/i.sh)", [("bash", "script", "medium")]),
        ('sh -c "$(curl -fsSL https://x.example/i.sh)"', [("curl", "script", "medium")]),
        ("TOKEN=$(curl -s https://x.example) python a.py", []),
        ("curl -o a.bin https://x.example/a.bin; python a.py", []),
    ],
)
def test_installs(script: str, expected: list[tuple[str, str, str]]) -> None:
    assert shell(script)["installs"] == [{"container": "main", "tool": t, "how": h, "grade": g} for t, h, g in expected]


def test_installs_as_words() -> None:
    found = of(command=["pip"], args=["install", "--index-url=http://x.example/simple", "torch"])
    assert found["installs"] == [{"container": "main", "tool": "pip", "how": "clear_text", "grade": "high"}]


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ({"command": ["/app/start.sh"]}, UNKNOWN),
        ({"command": ["bash", "/app/start"]}, UNKNOWN),
        ({"command": ["sh", "-c", "exec $START"]}, UNKNOWN),
        ({"command": ["sh", "-c", "pip install $PACKAGES"]}, UNKNOWN),
        ({"command": ["python", "train.py"]}, True),
        ({"command": ["sh", "-c", "python train.py $ARGS"]}, True),
        ({}, True),
    ],
)
def test_scripts_that_stand_elsewhere(main: dict[str, Any], expected: Any) -> None:
    assert of(**main)["installs_settled"] is expected


RAY = {"headGroupSpec": {"template": {"spec": {"containers": [{"name": "ray-head", "image": "rayproject/ray:2.55.0"}]}}}}


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ("pip: [torch]", [("runtime_env pip", "unchecked")]),
        ("pip: {packages: [torch], pip_check: false}", [("runtime_env pip", "unchecked")]),
        ("pip: requirements.txt", [("runtime_env pip", "unchecked")]),
        ("pip: ['--require-hashes', a]", []),
        ("pip: ['git+https://github.com/a/b']", [("runtime_env pip", "repository")]),
        ("pip: {packages: [a], pip_install_options: ['--index-url=https://packages.lab.example/simple']}", []),
        ("uv: [torch]", [("runtime_env uv", "unchecked")]),
        ("conda: {dependencies: [pytorch]}", [("runtime_env conda", "packages")]),
        ("working_dir: https://github.com/a/b/archive/main.zip", [("runtime_env working_dir", "unchecked")]),
        ("working_dir: s3://bucket/code.zip", []),
        ("env_vars: {A: b}", []),
        ("pip: [", UNKNOWN),
    ],
)
def test_runtime_environments(env: str, expected: Any) -> None:
    item = thing("ray.io/v1", "RayJob", "j", spec={"runtimeEnvYAML": env, "entrypoint": "python t.py", "rayClusterSpec": RAY})
    found = read(item)
    if expected is UNKNOWN:
        assert "installs_settled" in found.gaps
        return
    assert [(i["container"], i["tool"], i["how"]) for i in found.facts["installs"]] == [("ray-head", t, h) for t, h in expected]
    assert found.gaps.get("installs_settled") is None


# ---- models

VLLM = "vllm/vllm-openai:v0.22.0"


def model(*args: str, image: str = VLLM, env: dict[str, Any] | None = None, **more: Any) -> tuple[Any, Any]:
    """(models, whether that is all)."""
    variables = [{"name": k, "value": v} if isinstance(v, str) else {"name": k, "valueFrom": v} for k, v in (env or {}).items()]
    found = of(image=image, args=list(args), env=variables, **more)
    return [(m["model"], m["origin"], m["flaw"]) for m in found["models"]], found["models_settled"] is True


TGI = "ghcr.io/huggingface/text-generation-inference:3.3"
FROM = {"configMapKeyRef": {"name": "c", "key": "k"}}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (model("--model", "org/name"), [("org/name", "hub", "unpinned")]),
        (model("--model=org/name"), [("org/name", "hub", "unpinned")]),
        (model("--model", "org/name", "--revision", "main"), [("org/name", "hub", "branch")]),
        (model("--model", "org/name", "--revision", COMMIT[:7]), [("org/name", "hub", "branch")]),
        (model("--model", "org/name", "--revision", COMMIT), [("org/name", "hub", "")]),
        # https://nvd.nist.gov/vuln/detail/CVE-2026-47155
        (model("--model", "org/name", "--revision", COMMIT, image="vllm/vllm-openai:v0.21.3"), [("org/name", "hub", "artifacts")]),
        (model("--model", "org/name", image="vllm/vllm-openai:v0.8.4"), [("org/name", "hub", "unpinned")]),
        (model("--model", "org/name", env={"HF_HUB_OFFLINE": "1"}), [("org/name", "hub", "")]),
        (model("--model", "org/name", env={"HF_HUB_OFFLINE": "0"}), [("org/name", "hub", "unpinned")]),
        (model("--model", "org/name", env={"HF_ENDPOINT": "https://hub.models.svc"}), [("org/name", "mirror", "")]),
        (model("--model", "org/name", env={"HF_ENDPOINT": "https://huggingface.co"}), [("org/name", "hub", "unpinned")]),
        (model("--model", "$(MODEL)", env={"MODEL": "org/name"}), [("org/name", "hub", "unpinned")]),
        (model("--model", "/models/x"), [("", "local", "")]),
        (model("--model", "./x"), [("", "local", "")]),
        (model("--model", "s3://weights/x"), [("", "store", "")]),
        (model("--model", "https://x.example/w.gguf"), [("x.example", "web", "web")]),
        (model("--model", "http://10.0.0.1/w.gguf"), [("10.0.0.1", "mirror", "")]),
        (model("--model", "https://me:hunter2@x.example/w.gguf"), [("x.example", "web", "web")]),
        (model("--model", "/m", "--tokenizer", "org/tok"), [("org/tok", "hub", "unpinned"), ("", "local", "")]),
        (model(image=TGI, env={"MODEL_ID": "org/name"}), [("org/name", "hub", "unpinned")]),
        (model(image=TGI, env={"MODEL_ID": "org/name", "REVISION": COMMIT}), [("org/name", "hub", "")]),
        (model("--model-id", "org/name", "--revision", COMMIT, image=TGI), [("org/name", "hub", "")]),
        (model("--model-path", "org/name", image="lmsysorg/sglang:v0.5"), [("org/name", "hub", "unpinned")]),
        (model("-hf", "org/name:Q4_K_M", image="ghcr.io/ggml-org/llama.cpp:server"), [("org/name", "hub", "unpinned")]),
        (model("-m", "/models/x.gguf", image="ghcr.io/ggml-org/llama.cpp:server"), [("", "local", "")]),
        (model("tritonserver", "--model-repository=/models", image="nvcr.io/nvidia/tritonserver:26.05-py3"), [("", "local", "")]),
        (model(image="nvcr.io/nim/meta/llama-3.1-8b-instruct:1.8", env={"NIM_MODEL_NAME": "hf://org/name"}), [("org/name", "hub", "unpinned")]),
        (model(image="nvcr.io/nim/meta/llama-3.1-8b-instruct:1.8"), []),
        (model(image="registry.example/x:1", env={"HF_MODEL_ID": "org/name"}), [("org/name", "hub", "unpinned")]),
        (model("--model_name_or_path", "org/name", image="registry.example/x:1"), [("org/name", "hub", "unpinned")]),
        # the gateway's name of somebody else's model
        (model("--model", "openai/gpt-x", image="ghcr.io/berriai/litellm:1"), []),
        (model("--model", "openai/gpt-x", image="registry.example/x:1"), []),
    ],
)  # fmt: skip
def test_models(found: tuple[Any, bool], expected: list[tuple[str, str, str]]) -> None:
    assert (sorted(found[0]), found[1]) == (sorted(expected), True)


@pytest.mark.parametrize(
    "found",
    [
        model("--model", "$(MODEL)"),
        model("--model", "$(MODEL)", env={"MODEL": FROM}),
        model("--model", "{{inputs.parameters.model}}"),
        model("--model", "org/name", env={"HF_HUB_OFFLINE": FROM}),
        model("--model", "org/name", envFrom=[{"configMapRef": {"name": "c"}}]),
        model("--model", "org/name", "--revision", "$(REV)"),
        model("--model", "models/x"),
        model("--model", "gpt2"),
        model(),
        model("--port", "80"),
        # which release it is cannot be told: CVE-2026-47155
        model("--model", "org/name", "--revision", COMMIT, image=f"vllm/vllm-openai@sha256:{HEX}"),
    ],
)
def test_models_that_cannot_be_told(found: tuple[Any, bool]) -> None:
    assert found == ([], False)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("vllm serve org/name --port 80", [("org/name", "unpinned")]),
        (f"vllm serve org/name --revision {COMMIT}", [("org/name", "unknown")]),
        ("vllm serve --trust-remote-code org/name", [("org/name", "unpinned")]),
        ("python -m vllm.entrypoints.openai.api_server --model org/name", [("org/name", "unpinned")]),
        ("python3 -m sglang.launch_server --model-path org/name", [("org/name", "unpinned")]),
        ("hf download org/name --local-dir /m", [("org/name", "unpinned")]),
        (f"huggingface-cli download org/name --revision {COMMIT}", [("org/name", "")]),
        ("hf auth whoami", []),
        ("ollama pull llama3", [("llama3", "unpinned")]),
        ("ollama serve", []),
        ("export MODEL=org/name; text-generation-launcher --model-id $MODEL", [("org/name", "unpinned")]),
        ("python train.py --model org/name", []),
    ],
)
def test_models_of_scripts(script: str, expected: list[tuple[str, str]]) -> None:
    found = shell(script)
    shown = [e for e in expected if e[1] != "unknown"]
    assert [(m["model"], m["flaw"]) for m in found["models"]] == shown
    assert (found["models_settled"] is True) == (shown == expected)


def test_a_secret_does_not_make_a_model_unknown() -> None:
    found, settled = model("--model", "org/name", envFrom=[{"secretRef": {"name": "hub"}}])
    assert (found, settled) == ([("org/name", "hub", "unpinned")], True)


@pytest.mark.parametrize(
    ("main", "how", "settled"),
    [
        ({"args": ["--model", "/m", "--trust-remote-code"]}, ["trust_remote_code"], True),
        ({"args": ["--trust_remote_code", "--model", "/m"]}, ["trust_remote_code"], True),
        ({"args": ["--model", "/m", "--trust-remote-code=true"]}, ["trust_remote_code"], True),
        ({"args": ["--model", "/m", "--trust-remote-code=false"]}, [], True),
        ({"args": ["--model", "/m", "--trust-remote-code", "False"]}, [], True),
        ({"args": ["--model", "/m", "--no-trust-remote-code"]}, [], True),
        ({"args": ["--model", "/m"]}, [], True),
        ({"args": ["--model", "/m", "--trust-remote-code=$(TRUST)"]}, [], False),
        ({"args": ["--model", "/m", "$(EXTRA_ARGS)"]}, [], False),
        ({"args": ["--model", "/m", "--config", "/etc/vllm.yaml"]}, [], False),
        ({"command": ["/start.sh"]}, [], False),
        ({"args": ["--model", "/m"], "env": [{"name": "TRUST_REMOTE_CODE", "value": "true"}]}, ["trust_remote_code"], True),
        ({"args": ["--model", "/m"], "env": [{"name": "TRUST_REMOTE_CODE", "value": "false"}]}, [], True),
        ({"image": "registry.example/x:1", "command": ["python", "t.py", "--trust_remote_code"]}, ["trust_remote_code"], True),
        ({"image": "registry.example/x:1", "env": [{"name": "HF_MODEL_TRUST_REMOTE_CODE", "value": "1"}]}, ["trust_remote_code"], True),
        # https://nvd.nist.gov/vuln/detail/CVE-2026-27893
        ({"image": "vllm/vllm-openai:v0.17.1", "args": ["--model", "nvidia/Nemotron-Nano-VL-8B", "--trust-remote-code=false"]}, ["CVE-2026-27893"], True),
        ({"image": "vllm/vllm-openai:v0.18.0", "args": ["--model", "nvidia/Nemotron-Nano-VL-8B"]}, [], True),
        ({"image": "vllm/vllm-openai:v0.10.0", "args": ["--model", "nvidia/Nemotron-Nano-VL-8B"]}, [], True),
        ({"image": "vllm/vllm-openai:v0.17.1", "args": ["--model", "org/other"]}, [], True),
    ],
)  # fmt: skip
def test_remote_code(main: dict[str, Any], how: list[str], settled: bool) -> None:  # noqa: FBT001 - a column of the table
    found = of(**{"image": VLLM, **main})
    assert found["remote_code"] == [{"container": "main", "how": h} for h in how]
    assert (found["remote_code_settled"] is True) == settled


@pytest.mark.parametrize(
    ("main", "how", "settled"),
    [
        ({"args": ["--model", "/m", "--load-format", "pt"]}, ["--load-format pt"], True),
        ({"args": ["--model", "/m", "--load-format=safetensors"]}, [], True),
        ({"args": ["--model", "/m", "--load-format=auto"]}, [], False),
        ({"args": ["--model", "/m"]}, [], False),
        ({"args": ["--model", "/m/x.gguf"]}, [], True),
        ({"args": ["--model", "/m/x.pt"]}, ["a file *.pt"], True),
        ({"image": "ghcr.io/ggml-org/llama.cpp:server", "args": ["-m", "/m"]}, [], True),
        ({"image": "kserve/sklearnserver:v0.16", "args": ["--model_dir=/m"]}, ["sklearn server"], True),
        ({"image": "nvcr.io/nvidia/tritonserver:26.05-py3", "args": ["tritonserver", "--model-repository=/m"]}, [], False),
        ({"image": "registry.example/x:1", "env": [{"name": "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "value": "1"}]}, ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"], True),
        ({"image": "registry.example/x:1", "env": [{"name": "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "value": "0"}]}, [], True),
        ({"image": "registry.example/x:1"}, [], True),
    ],
)  # fmt: skip
def test_formats(main: dict[str, Any], how: list[str], settled: bool) -> None:  # noqa: FBT001 - a column of the table
    found = of(**{"image": VLLM, **main})
    assert found["unsafe_formats"] == [{"container": "main", "how": h} for h in how]
    assert (found["formats_settled"] is True) == settled


# ---- Ray Serve, KServe, NIM

LLM = """
applications:
  - name: chat
    import_path: ray.serve.llm:build_openai_app
    args:
      llm_configs:
        - model_loading_config: {model_id: chat, model_source: SOURCE}
          engine_kwargs: {ENGINE}
"""


def ray_service(config: str) -> Resource:
    return read(thing("ray.io/v1", "RayService", "s", spec={"serveConfigV2": config, "rayClusterConfig": RAY}))


def test_ray_serve() -> None:
    found = ray_service(LLM.replace("SOURCE", "org/name").replace("ENGINE", "trust_remote_code: true, load_format: pt")).facts
    assert {k: found[k] for k in ("model_servers", "models", "remote_code", "unsafe_formats")} == {
        "model_servers": [{"container": "ray-head", "server": "vLLM"}],
        "models": [{"container": "ray-head", "model": "org/name", "origin": "hub", "flaw": "unpinned"}],
        "remote_code": [{"container": "ray-head", "how": "trust_remote_code"}],
        "unsafe_formats": [{"container": "ray-head", "how": "--load-format pt"}],
    }


def test_ray_serve_from_a_store() -> None:
    found = ray_service(
        LLM.replace("SOURCE", "{bucket_uri: 's3://weights/x'}").replace(
            "ENGINE", "trust_remote_code: false, load_format: safetensors"
        )
    )
    assert [m["origin"] for m in found.facts["models"]] == ["store"]
    assert (found.facts["remote_code"], found.facts["unsafe_formats"], found.facts["formats_settled"]) == ([], [], True)


@pytest.mark.parametrize("config", ["applications: [", "applications:\n- args: {llm_configs: [/etc/llm.yaml]}\n", "a: " * 90_000])
def test_ray_serve_that_cannot_be_read(config: str) -> None:
    found = ray_service(config)
    assert {"models_settled", "remote_code_settled"} <= set(found.gaps)


def kserve(**predictor: Any) -> Resource:
    item = thing("serving.kserve.io/v1beta1", "InferenceService", "s", spec={"predictor": predictor})
    (found,) = [r for r in projected(clean(item), "model_service") if r.native_type.endswith("InferenceService")]
    return found


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("hf://org/name", ("org/name", "hub", "unpinned")),
        ("hf://org/name:main", ("org/name", "hub", "branch")),
        (f"hf://org/name:{COMMIT}", ("org/name", "hub", "")),
        ("https://x.example/m.onnx", ("x.example", "web", "web")),
        ("https://models.blob.core.windows.net/m", ("", "store", "")),
        ("pvc://claim/m", ("", "local", "")),
        ("s3://b/m", ("", "store", "")),
        (f"oci://registry.example/m@sha256:{HEX}", ("", "image", "")),
        ("oci://registry.example/m:1", ("", "image", "tag")),
    ],
)
def test_kserve_models(uri: str, expected: tuple[str, str, str]) -> None:
    for key, value in (("storageUri", uri), ("storageUris", [{"uri": uri}])):
        found = kserve(model={"modelFormat": {"name": "onnx"}, key: value})
        assert [(m["model"], m["origin"], m["flaw"]) for m in found.facts["models"]] == [expected]
        assert found.facts["models_settled"] is True


def test_kserve_arguments() -> None:
    found = kserve(model={"modelFormat": {"name": "huggingface"}, "args": ["--model_id=org/name", "--trust_remote_code"]})
    assert {k: v for k, v in found.facts.items() if k in ("models", "model_servers", "remote_code")} == {
        "model_servers": [{"container": "predictor", "server": "huggingface"}],
        "models": [{"container": "predictor", "model": "org/name", "origin": "hub", "flaw": "unpinned"}],
        "remote_code": [{"container": "predictor", "how": "trust_remote_code"}],
    }


@pytest.mark.parametrize("node", [{}, {"storageUri": "{{ .Values.uri }}"}, {"storageUri": "model-registry://x"}])
def test_kserve_models_that_cannot_be_told(node: dict[str, Any]) -> None:
    found = kserve(model={"modelFormat": {"name": "onnx"}, **node})
    assert found.facts["models"] == []
    assert "models_settled" in found.gaps


@pytest.mark.parametrize(
    ("predictor", "how", "settled"),
    [
        ({"model": {"modelFormat": {"name": "sklearn"}, "storageUri": "s3://b/m"}}, ["model format sklearn"], True),
        ({"sklearn": {"storageUri": "pvc://c/m"}}, ["model format sklearn"], True),
        ({"pytorch": {"storageUri": "gs://b/m"}}, ["model format pytorch"], True),
        ({"model": {"modelFormat": {"name": "sklearn"}}}, [], False),
        ({"model": {"modelFormat": {"name": "xgboost"}, "storageUri": "s3://b/m.bst"}}, [], False),
        ({"model": {"modelFormat": {"name": "xgboost"}, "storageUri": "s3://b/m.pkl"}}, ["a file *.pkl"], True),
        ({"model": {"modelFormat": {"name": "onnx"}, "storageUri": "s3://b/m"}}, [], True),
        ({"model": {"modelFormat": {"name": "huggingface"}, "storageUri": "s3://b/m"}}, [], False),
        ({"containers": [container()]}, [], True),
    ],
)
def test_kserve_formats(predictor: dict[str, Any], how: list[str], settled: bool) -> None:  # noqa: FBT001 - a column of the table
    found = kserve(**predictor)
    assert found.facts["unsafe_formats"] == [{"container": "predictor", "how": h} for h in how]
    assert ("formats_settled" not in found.gaps) == settled


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"hf": {"endpoint": "https://huggingface.co", "namespace": "org", "modelName": "name"}}, [("org/name", "hub", "unpinned")]),
        ({"hf": {"endpoint": "https://huggingface.co", "namespace": "org", "modelName": "name", "revision": COMMIT}}, [("org/name", "hub", "")]),
        ({"dataStore": {"endpoint": "http://store.nemo.svc:3000/v1/hf", "namespace": "org", "modelName": "name"}}, [("org/name", "mirror", "")]),
        ({"ngc": {"modelPuller": "nvcr.io/nim/a:1", "authSecret": "ngc"}}, [("", "store", "")]),
        ({"hf": {"endpoint": "https://huggingface.co", "namespace": "org"}}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_caches(source: dict[str, Any], expected: Any) -> None:
    found = read(thing("apps.nvidia.com/v1alpha1", "NIMCache", "c", spec={"source": source}), "model_service")
    assert [(m["model"], m["origin"], m["flaw"]) for m in found.facts["models"]] == (expected or [])
    assert ("models_settled" in found.gaps) == (expected is None)


# ---- ConfigMaps

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"token": TOKEN}, [("token", "GitHub token")]),
        ({"config.yaml": f"a: b\nkey: {TOKEN}\n"}, [("config.yaml, line 2", "GitHub token")]),
        ({"app.ini": "[db]\npassword = tK3v-9Qz7-Lw2x\n"}, [("app.ini, line 2", "password")]),
        ({"url": "postgres://app:9bT4kQ7zLx@db/x"}, [("url", "password in an address")]),
        ({"password": "labels1"}, [("password", "called like a secret")]),
        ({"password": "changeme", "token": "", "secretKey": "$(KEY)", "apiKey": "true", "x_token": "4096"}, []),
        ({"passwordFile": "/etc/password", "token": "/var/run/token"}, []),
        ({"ca.crt": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"}, []),
        ({"max_tokens": "4096", "tokenizer": "org/name"}, []),
    ],
)
def test_credentials_in_config_maps(data: dict[str, str], expected: list[tuple[str, str]]) -> None:
    found = read(thing("v1", "ConfigMap", "c", data=data), "configuration").facts["credentials"]
    assert found == [{"key": k, "kind": kind} for k, kind in expected]


def test_binary_entries() -> None:
    packed = base64.b64encode(f"token={TOKEN}".encode()).decode()
    item = thing("v1", "ConfigMap", "c", binaryData={"a": packed, "b": "AAECAw==", "c": "no base64!"})
    assert read(item, "configuration").facts["credentials"] == [{"key": "a", "kind": "GitHub token"}]


def test_config_maps_of_the_platform_are_skipped() -> None:
    assert credentials("kube-root-ca.crt", {"token": TOKEN}) == []
    assert credentials("settings", {"token": TOKEN}) == [{"key": "token", "kind": "GitHub token"}]


def test_findings_of_a_config_map_are_bounded() -> None:
    assert len(credentials("c", {f"k{n}": f"ghp_{n:036d}"[:40].replace("0", "aB3xY9"[n % 6], 30) for n in range(200)})) <= 50


# ---- nothing secret is kept

VALUE = "Zq7hunter2Zq7-value"


@given(
    st.sampled_from(
        ["--model", "--revision", "--api-key", "--index-url", "-i", "--load-format", "", "vllm serve", "pip install", "curl"]
    )
)
def test_no_value_gets_through(before: str) -> None:
    words = [*before.split(), VALUE]
    config = f"runtime_env: {{pip: ['{VALUE}'], env_vars: {{A: {VALUE}}}}}\nx: {{model_loading_config: {{model_id: {VALUE}}}}}"
    main = container(image=VLLM, command=words, args=["sh", "-c", " ".join(words)], env=[{"name": "MODEL_ID", "value": VALUE}])
    ray = {"serveConfigV2": config, "runtimeEnvYAML": config, "entrypoint": " ".join(words)}
    for item in (
        pod(spec={"containers": [main]}),
        thing("ray.io/v1", "RayService", "s", spec={**ray, "rayClusterConfig": RAY}),
        thing("v1", "ConfigMap", "c", data={"password": VALUE, "a.yaml": f"x:\n  password: {VALUE}"}),
    ):
        cleaned = clean(copy.deepcopy(item))
        assert VALUE not in json.dumps(cleaned)
        assert clean(copy.deepcopy(cleaned)) == cleaned
        assert VALUE not in str([r.facts for r in projected(cleaned)])


@given(st.text(alphabet="pip install$(){}<>\"'\\|&;\n #=-@:/ab.", max_size=80), st.text(max_size=30))
def test_no_command_line_breaks_it(script: str, value: str) -> None:
    item = pod(spec={"containers": [container(command=["sh", "-c", script], args=[value], env=[{"name": "A", "value": value}])]})
    found = one(clean(item), "workload").facts
    assert {"installs", "models", "remote_code", "unsafe_formats", "cloud_uses"} <= set(found)


def test_long_scripts_and_growing_variables_are_bounded() -> None:
    script = "A=x\n" + "A=$A$A$A$A\n" * 500 + "pip install $A\n" + "a" * 300_000
    assert shell(script)["installs"] == [{"container": "main", "tool": "pip", "how": "unchecked", "grade": "medium"}]


def test_what_others_write_as_kept_is_not_believed() -> None:
    fake = {"installs": [{"tool": "x", "how": "y", "grade": "high"}], "clouds": [["aws", "s3://"]]}
    found = facts({"containers": [container(kept=fake, ran=fake)]})
    assert (found["installs"], found["cloud_uses"]) == ([], [])


@pytest.mark.parametrize(
    "words",
    [
        ["timeout", "60", "vllm", "serve", "org/name"],
        ["uv", "run", "--no-sync", "vllm", "serve", "org/name"],
        ["conda", "run", "-n", "serving", "python3", "-u", "-m", "vllm.entrypoints.openai.api_server", "--model", "org/name"],
        ["numactl", "--cpunodebind=0", "/opt/venv/bin/vllm", "serve", "org/name"],
        ["/docker-entrypoint.sh", "vllm", "serve", "org/name"],
        ["sh", "-c", "exec gosu app vllm serve org/name 2>&1 | tee /log"],
    ],
)
def test_a_server_behind_another_program(words: list[str]) -> None:
    found = of(image="registry.example/x:1", command=words)
    assert found["model_servers"] == [{"container": "main", "server": "vLLM"}]
    assert [m["flaw"] for m in found["models"]] == ["unpinned"]


@pytest.mark.parametrize(
    ("script", "tool"),
    [
        ("pip --cache-dir /tmp/pip install x", "pip"),
        ("timeout 600 pip install x", "pip"),
        ("timeout 600 apt-get -o Acquire::Retries=3 install -y x", "apt-get"),
        ("conda -n env install x", "conda"),
        ("poetry run pip install x", "pip"),
    ],
)
def test_an_installation_behind_options_and_other_programs(script: str, tool: str) -> None:
    found = of(image="registry.example/x:1", command=["sh", "-c", script])
    assert [i["tool"] for i in found["installs"]] == [tool]


@pytest.mark.parametrize(
    ("code", "trusts"),
    [
        ("LLM('org/name', trust_remote_code=True)", True),
        ('--config={"trust_remote_code": true}', True),
        ("LLM('org/name', trust_remote_code=False)", False),
        ("LLM('org/name', trust_remote_code=Truest)", False),
    ],
)
def test_remote_code_in_a_program_on_the_command_line(code: str, trusts: bool) -> None:  # noqa: FBT001 - a column
    found = of(image="registry.example/x:1", command=["python", "-c", code])
    assert bool(found["remote_code"]) is trusts


@pytest.mark.parametrize(
    ("name", "value", "settled"),
    [
        ("HF_TOKEN", "${HF_TOKEN}", UNKNOWN),
        ("AWS_SECRET_ACCESS_KEY", "$AWS_SECRET_ACCESS_KEY", UNKNOWN),
        ("OPENAI_API_KEY", "{{ .Values.key }}", UNKNOWN),
        # Kubernetes fills in a variable of the same container, which is judged itself
        ("HF_TOKEN", "$(TOKEN)", True),
        ("HF_TOKEN", "changeme", True),
        ("HF_HOME", "${HOME}/hf", True),
        ("SOME_DIR", "${DIR}", True),
    ],
)
def test_a_credential_that_a_template_fills_in(name: str, value: str, settled: Any) -> None:
    found = of(env=[{"name": name, "value": value}])
    assert found["literals_settled"] == settled
    assert found["containers"][0]["secret_env"] == []
