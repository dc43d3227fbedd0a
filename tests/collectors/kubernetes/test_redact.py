"""No secret survives, and its class does."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes import reads
from collectors.kubernetes.commands import ELSEWHERE, bare_words, environment, flags, words
from collectors.kubernetes.kept import ANNOTATION_PREFIX, ANNOTATIONS
from collectors.kubernetes.marks import CLOUD, HUB, MARKS, PLAIN, SECRET, TEMPLATE, mask, mask_words, value_class
from collectors.kubernetes.pods import APPARMOR, NETWORKS
from collectors.kubernetes.redact import clean
from tests.collectors.kubernetes.objects import container, one, pod, thing

KEY_ID = "AKIA" + "IOSFODNN7EXAMPLE"
HF = "hf_" + "a" * 34


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("AWS_SECRET_ACCESS_KEY", "anything", CLOUD),
        ("GREETING", KEY_ID, CLOUD),
        ("CREDS", '{"type": "service_account", "project_id": "p"}', CLOUD),
        ("X", "-----BEGIN RSA PRIVATE" + " KEY-----\nabc", CLOUD),
        ("HF_TOKEN", "anything", HUB),
        ("OTHER", HF, HUB),
        ("OTHER", "nvapi-" + "b" * 40, HUB),
        ("MY_DB_PASSWORD", "hunter2", SECRET),
        ("OTHER", "ghp_" + "c" * 36, SECRET),
        ("HF_HOME_TOKENIZERS", "/cache", PLAIN),
        ("SECRET_NAME", "weights", PLAIN),
        ("AWS_ROLE_ARN", "arn:aws:iam::111122223333:role/r", PLAIN),
        ("AWS_WEB_IDENTITY_TOKEN_FILE", "/var/run/token", PLAIN),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/etc/key.json", PLAIN),
        ("HF_TOKEN", "$(FROM_SECRET)", PLAIN),
        ("HF_TOKEN", "${HF_TOKEN}", TEMPLATE),
        ("HF_TOKEN", "<your token>", PLAIN),
        ("AWS_SECRET_ACCESS_KEY", "changeme", PLAIN),
        ("AWS_SECRET_ACCESS_KEY", "", PLAIN),
        ("AWS_SECRET_ACCESS_KEY", "minioadmin", PLAIN),
    ],
)
def test_classes(name: str, value: str, expected: str) -> None:
    assert value_class(name, value) == expected
    assert value_class(name, value_class(name, value)) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--api-key", "abc123", "--port", "80"], ["--api-key", HUB, "--port", "80"]),
        (["--api-key=abc123"], [f"--api-key={HUB}"]),
        (["--hf-token", HF], ["--hf-token", HUB]),
        (["--api-key", "$(KEY)"], ["--api-key", "$(KEY)"]),
        (["--api-key", "--port"], ["--api-key", "--port"]),
        (["--tokenizer", "meta/llama"], ["--tokenizer", "meta/llama"]),
        (["--max-token", "4096", "--secret", "name-of-one"], ["--max-token", "4096", "--secret", "name-of-one"]),
        (["--max-tokens", "4096"], ["--max-tokens", "4096"]),
        (["sh", "-c", "export HF_TOKEN=abc && run --token xyz789"], ["sh", "-c", f"export HF_TOKEN={HUB} && run --token {HUB}"]),
        (["sh", "-c", f"aws configure set k {KEY_ID}"], ["sh", "-c", f"aws configure set k {CLOUD}"]),
        (["DB_PASSWORD: 'x y z'"], [f"DB_PASSWORD: {SECRET}"]),
        ([80, True], ["80", "True"]),
    ],
)
def test_command_lines(words: list[Any], expected: list[str]) -> None:
    assert mask_words(words) == expected
    assert mask_words(expected) == expected


def test_everything_secret_is_gone() -> None:
    secrets = ["s3cr3t-value", "pl41n-password", HF, "d4ta", "l4st", "m0re", "runt1me"]
    item = pod(
        spec={
            "containers": [
                container(
                    env=[
                        {"name": "HF_TOKEN", "value": HF},
                        {"name": "NOTHING_SPECIAL", "value": "pl41n-password"},
                        {"name": "A", "valueFrom": {}},
                    ],
                    args=["--password", "s3cr3t-value"],
                )
            ]
        },
        annotations={"kubectl.kubernetes.io/last-applied-configuration": '{"l4st": 1}', "eks.amazonaws.com/role-arn": "kept"},
        managedFields=[{"m0re": 1}],
    )
    job = thing("ray.io/v1", "RayJob", "j", spec={"runtimeEnvYAML": "env_vars:\n  OPENAI_API_KEY: runt1me\n  A: b\n"})
    secret = thing("v1", "Secret", "s", data={"a": "d4ta"}, stringData={"b": "d4ta"}, type="Opaque")
    text = json.dumps([clean(i) for i in (item, job, secret)])
    assert [s for s in secrets if s in text] == []
    assert '"eks.amazonaws.com/role-arn": "kept"' in text
    assert HUB in job["spec"]["runtimeEnvYAML"].split()
    assert secret["data"] == {"a": PLAIN}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["begin", "--api-key", "abc", "--seed=80", "-v"], [PLAIN, "--api-key", HUB, f"--seed={PLAIN}", "-v"]),
        (["serve", "--port", "80", "--port=abc"], ["serve", "--port", "80", f"--port={PLAIN}"]),
        (["mysql", "-phunter2", "-u", "root:pw"], [PLAIN, PLAIN, "-u", PLAIN]),
        (["sh", "-c", f"export HF_TOKEN={HF}; run"], [PLAIN, "-c", f"{PLAIN} {HUB} ; {PLAIN}"]),
        (["--env", '{"WANDB_API_KEY": "abc"}'], ["--env", f"{PLAIN} {HUB}"]),
        # a line that goes on is no new command
        (
            ["sh", "-c", "vllm serve m \\\n  --api-key abc\nsleep 1"],
            [PLAIN, "-c", f"vllm serve {PLAIN} --api-key {HUB} ; {PLAIN} {PLAIN}"],
        ),
        # what is restricted, not the header that opens it
        (["--http-restricted-api=model-repository,logging:admin=s3cr3t"], ["--http-restricted-api=model-repository,logging"]),
    ],
)
def test_of_a_command_line_no_value_is_kept(words: list[Any], expected: list[str]) -> None:
    assert bare_words(words) == expected
    assert bare_words(expected) == expected


def test_command_lines_are_read_from_what_is_kept() -> None:
    raw = container(
        command=["sh", "-c", "a && b --api-key abc --x_y=  --z"],
        args=["--port", "80", "--token=", "--host=$(HOST)", "--visible", "on"],
        env=[
            {"name": "RAY_AUTH_MODE", "value": "token"},
            {"name": "A", "value": "b"},
            {"name": "E", "value": ""},
            {"name": "F", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
        ],
    )
    clean(item := pod(spec={"containers": [raw]}))
    kept = item["spec"]["containers"][0]
    line = words(kept)
    assert line == [PLAIN, "-c", PLAIN, ";", PLAIN, "--api-key", HUB, "--x_y=", "--z", "--port", "80", "--token=", "--host=$(HOST)", "--visible", PLAIN]  # fmt: skip
    found = flags(line)
    assert {name: found[name] for name in ("x-y", "z", "token", "host")} == {"x-y": "", "z": "", "token": "", "host": None}
    assert environment(kept) == {"RAY_AUTH_MODE": "token", "A": None, "E": "", "F": ELSEWHERE}


SHAPES = [
    {"env": [{"value": "s3cr3t"}, "A=s3cr3t", {"name": "A", "value": "s3cr3t"}, {"name": "N", "value": 12}]},
    {"env": {"A": "s3cr3t"}},
    {"envVars": {"A": "s3cr3t", "B": {"deep": "s3cr3t"}}},
    {"runtimeEnvYAML": "env_vars: {A: s3cr3t}"},
    {"entrypoint": "python train.py s3cr3t"},
    {"podSpecPatch": '{"containers": [{"env": [{"name": "A", "value": "s3cr3t"}]}]}'},
    {"httpGet": {"httpHeaders": [{"name": "Authorization", "value": "Bearer s3cr3t"}], "path": "/ready?access_token=s3cr3t&b=c"}},
    {"lifecycle": {"preStop": {"exec": {"command": ["sh", "-c", "curl -u a:s3cr3t x"]}}}},
    {"sparkConf": {"spark.hadoop.fs.s3a.secret.key": "s3cr3t"}},
    {"volumeAttributes": {"clientSecret": "s3cr3t", "password": "s3cr3t"}},
    {"arguments": {"parameters": [{"name": "key", "value": "s3cr3t"}]}},
    {"metadata": {"annotations": {"helm.example/values": "password: s3cr3t", "note": "s3cr3t"}}},
    {"template": {"metadata": {"annotations": {"vault": "s3cr3t"}}}},
]


@pytest.mark.parametrize("spec", SHAPES, ids=lambda s: next(iter(s)))
def test_wherever_it_stands(spec: dict[str, Any]) -> None:
    item = clean(copy.deepcopy({"apiVersion": "example.com/v1", "kind": "Thing", "spec": spec, **spec}))
    assert "s3cr3t" not in json.dumps(item)
    assert clean(copy.deepcopy(item)) == item


def test_labels_are_kept() -> None:
    item = thing("v1", "Service", "s", spec={"selector": {"token": "x"}}, labels={"token": "y"})
    assert clean(copy.deepcopy(item)) == item


def test_annotations_that_tables_read_are_kept() -> None:
    read = {n for n, _ in reads.LB_SCHEMES} | {*reads.TLS_ANNOTATIONS, *reads.CLOUD_IDENTITIES, reads.AWS_TYPE, NETWORKS}
    assert read <= ANNOTATIONS
    assert APPARMOR == ANNOTATION_PREFIX


def test_settings_that_rules_read_are_kept() -> None:
    env = [
        {"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"},
        {"name": "RAY_AUTH_MODE", "value": "token"},
        {"name": "NVIDIA_VISIBLE_DEVICES", "value": HF},
    ]
    clean(item := pod(spec={"containers": [container(env=env)]}))
    assert [e["value"] for e in item["spec"]["containers"][0]["env"]] == ["all", "token", HUB]


def test_facts_of_credentials() -> None:
    env = [
        {"name": "AWS_ACCESS_KEY_ID", "value": "k1"},
        {"name": "WANDB_API_KEY", "value": "k2"},
        {"name": "DB_PASSWORD", "value": "k3"},
        {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
        {"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"},
        {"name": "PLAIN", "value": "v"},
    ]
    item = clean(pod(spec={"initContainers": [container(env=env, command=["begin", "--api-key", "abc"], args=["-v"])]}))
    found = one(item).facts["containers"][1]
    assert found["cloud_keys"] == ["AWS_ACCESS_KEY_ID"]
    assert found["hub_tokens"] == ["WANDB_API_KEY", "command[2]"]
    assert found["secret_env"] == ["AWS_ACCESS_KEY_ID", "DB_PASSWORD", "WANDB_API_KEY", "command[2]"]
    assert found["visible_devices"] == "all"
    assert found["args"] == [PLAIN, "--api-key", HUB, "-v"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["env", "args", "command", "name", "value", "metadata", "kind", "data"]), inner, max_size=4
        )
    ),
    max_leaves=25,
)


@given(JSON)
def test_any_shape_is_cleaned_once(item: Any) -> None:
    cleaned = clean(copy.deepcopy(item))
    again = clean(copy.deepcopy(cleaned))
    assert json.dumps(again) == json.dumps(cleaned)


@given(st.text(alphabet="-_=: \t\"'aB9$\n", max_size=300))
def test_masking_ends(text: str) -> None:
    assert isinstance(mask(text), str)


def test_masking_is_linear() -> None:
    for hostile in ("-a" * 50_000, "a" * 100_000, "eyJ" + "a-" * 50_000, "A=" * 50_000, " " * 100_000, "--token " * 10_000):
        assert len(mask(hostile)) <= len(hostile) + 40 * 10_000


def test_marks_are_no_credentials_themselves() -> None:
    assert {value_class("HF_TOKEN", m) for m in MARKS} == MARKS
