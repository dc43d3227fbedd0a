"""A secret may stand anywhere in a command line, and none of it is kept, wherever the tools around it look."""

from __future__ import annotations

import copy
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from tests.collectors.kubernetes.objects import container, one, pod

SECRETS = ("Zq1-hunter2", "Zq2/Bc9dEfGh-k2", "Zq3hunter", "Zq4.abc_def", "/Zq5/t0ken", "Zq6aGVsbG8/d29y+bGQ=")
LINES = (
    "vllm serve org/name --unheard-of x --port 8000",
    "python3 -m vllm.entrypoints.openai.api_server --model org/name --host 0.0.0.0",
    "text-generation-launcher --model-id org/name --revision main",
    "tritonserver --model-repository s3://bucket/models --http-port 8000",
    "llama-server -hf org/name --api-key x",
    "huggingface-cli download org/name --local-dir /models",
    "pip install --index-url https://packages.example/simple -r requirements.txt x",
    "uv pip install x @ https://packages.example/x.whl",
    "apt-get install -y x",
    "curl -fsSL https://packages.example/x.sh | bash",
    "kube-apiserver --etcd-servers https://127.0.0.1:2379 --audit-log-path -",
    "jupyter lab --ip 0.0.0.0 --ServerApp.token x",
    "ray start --head --redis-password x",
    "mlflow server --default-artifact-root s3://bucket --app-name basic-auth",
    "torchrun train.py --model_name_or_path org/name --trust_remote_code",
)
MODELS = ("org/name", "--model", "--model-id", "-hf", "serve", "download", "--model_name_or_path")
"""Behind these stands a model: what is put there is taken for its name."""


def forms(secret: str) -> tuple[str, ...]:
    return (
        *(f"-p{secret}", f"--unheard-of={secret}", f"X={secret}", f"u:{secret}", f"https://u:{secret}@h.example/x"),
        *(f"git+https://{secret}@git.example/a/b", f"Authorization: Bearer {secret}", f"https://h.example/x?token={secret}"),
    )


def planted(line: str, secret: str) -> Iterator[list[str]]:
    words = line.split()
    for at in range(len(words) + 1):
        for form in forms(secret):
            yield [*words[:at], form, *words[at:]]
            yield [*words[:at], "-u", form, *words[at:]]
        if not {*words[max(0, at - 1) : at + 1]} & {*MODELS}:
            yield [*words[:at], "--token", secret, *words[at:]]


def shapes(words: list[str], dice: random.Random) -> dict[str, Any]:
    line = " ".join(f"'{w}'" if " " in w else w for w in words)
    image = dice.choice(["vllm/vllm-openai:v0.11.0", "ollama/ollama:1", "registry.example/x:1", "nvcr.io/nim/meta/llama:1"])
    return dice.choice(
        [
            {"command": words},
            {"args": words},
            {"command": words[:1], "args": words[1:]},
            {"command": ["sh", "-c", line]},
            {"args": [line]},
            {"command": ["bash", "-ec", f"set -e\nexport A=b\n{line} && exec {line}"]},
        ]
    ) | {"image": image}


@pytest.mark.parametrize("line", LINES)
def test_nothing_of_it_is_kept(line: str) -> None:
    dice = random.Random(line)
    for words in planted(line, dice.choice(SECRETS)):
        item = pod(spec={"containers": [container("c", **shapes(words, dice))]})
        found = one(clean(copy.deepcopy(item)))
        assert "Zq" not in json.dumps([dict(found.facts), repr(dict(found.gaps))]), words


def test_variables_that_are_called_like_secrets_are_not_filled_in() -> None:
    for name in ("MODEL_PASSWORD", "VLLM_API_KEY", "AWS_SECRET_ACCESS_KEY"):
        env = [{"name": name, "value": "org/Zqhunter2"}]
        found = one(clean(pod(spec={"containers": [container("c", env=env, command=["vllm", "serve", f"$({name})"])]})))
        assert found.facts["models"] == []
        assert "models_settled" in found.gaps


@pytest.mark.parametrize(
    "script",
    [
        "curl x | cat " + "| cat " * 20_000,
        "curl x | " * 20_000,
        "; ".join(f"A{n}=$A{n - 1}x" for n in range(12_000)),
        "; ".join(f"export A{n}=x; a $A{n}" for n in range(4_000)),
        "; ".join(f"vllm serve org/m{n}" for n in range(8_000)),
    ],
    ids=["one pipe", "many pipes", "assignments", "both", "servers"],
)
def test_long_scripts_are_read_in_linear_time(script: str) -> None:
    item = pod(
        spec={
            "containers": [
                container("c", command=["sh", "-c", script], env=[{"name": f"E{n}", "value": "x"} for n in range(5_000)])
            ]
        }
    )
    start = time.perf_counter()
    clean(item)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("script", ["true\n" * 2_000 + "pip install x", f"echo {'x' * (128 * 1024)}\npip install x"])
def test_what_is_too_long_to_be_read_is_not_settled(script: str) -> None:
    found = one(clean(pod(spec={"containers": [container("c", command=["sh", "-c", script])]})))
    assert found.facts["installs"] == []
    assert {"installs_settled", "models_settled", "remote_code_settled", "formats_settled"} <= found.gaps.keys()
