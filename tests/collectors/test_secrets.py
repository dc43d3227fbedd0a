"""The detector of secrets in settings: what it finds, what it lets be, and that it never tells the secret."""

from __future__ import annotations

import base64
import gzip
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors import secrets
from collectors.redact import MARK, strip

# made up here, piece by piece, so that nobody who scans this repository finds one
MIXED = "a8Kx92LmQ7vT4pZ0cR5wN1yB6uE3sG8hJ2d"
LONG = (MIXED * 3)[:90]
PEM = "-----BEGIN " + "PRIVATE KEY-----\n" + LONG + "\n-----END " + "PRIVATE KEY-----"


def kinds(name, value):
    return [f.kind for f in secrets.find(name, value)]


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("X", "AKIA" + "Z3MSJ7QWERTYUIOP", "AWS access key id"),
        ("AWS_SECRET_ACCESS_KEY", "abcdEFGH1234ijklMNOP5678qrstUVWX9012yz/+", "AWS secret access key"),
        ("X", "hf" + "_" + MIXED[:34], "Hugging Face token"),
        ("X", "ghp" + "_" + (MIXED + "x")[:36], "GitHub token"),
        ("X", "github_pat" + "_" + MIXED[:22] + "_" + LONG[:59], "GitHub token"),
        ("X", "glpat" + "-" + MIXED[:20], "GitLab token"),
        ("X", "xoxb" + "-" + MIXED[:30], "Slack token"),
        ("X", "sk-ant" + "-api03-" + LONG, "Anthropic key"),
        ("X", "sk" + "-proj-" + LONG, "OpenAI key"),
        ("X", "sk" + "-" + LONG[:48], "OpenAI key"),
        ("X", "nvapi" + "-" + LONG[:64], "NVIDIA key"),
        ("X", "dckr_pat" + "_" + MIXED[:27], "Docker token"),
        ("X", "AIza" + MIXED[:35], "Google API key"),
        ("X", "ey" + "J" + MIXED[:20] + ".ey" + "J" + MIXED[:20] + "." + MIXED[:20], "JSON Web Token"),
        ("WANDB_API_KEY", "0123456789abcdef" * 2 + "01234567", "Weights & Biases key"),
        ("X", PEM, "private key"),
        ("X", PEM.replace("\n", "\\n"), "private key"),
        ("X", base64.b64encode(PEM.encode()).decode(), "private key"),
        ("X", json.dumps({"type": "service_account", "private_key": PEM}), "Google service account key"),
        ("DATABASE_URL", "postgresql://app:" + "s3cr3tpw9" + "@db.internal:5432/x", "password in an address"),
        ("DB_PASSWORD", "Tr1ton-2024!", "password"),
        ("dbPassword", "Winter2026x", "password"),
        ("MLFLOW_TRACKING_PASSWORD", "correct-horse-battery", "password"),
        ("POSTGRES_PASSWORD", "postgres", "password"),
        ("API_KEY", "plain-literal-value", "credential"),
        ("API_TOKEN", "8f14e45fceea167a5a36dedd4bea2543", "credential"),
        ("API_TOKEN", '"8f14e45fceea167a5a36dedd4bea2543"', "credential"),
        ("start", "--api-key abcd1234EFGH5678 --port 8000", "credential"),
        ("start", "export DB_PASSWORD='Sup3rS3cret9'", "password"),
        ("conf", "user: app\npassword: Sup3rS3cret9\n", "password"),
        ("conf", "Server=db;Password=Sup3rS3cret9;", "password"),
    ],
)
def test_secrets_are_found(name, value, kind):
    assert kinds(name, value) == [kind]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # the keys of AWS's own documentation
        ("AWS_ACCESS_KEY_ID", "AKIA" + "IOSFODNN7EXAMPLE"),
        ("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY"),
        ("HF_TOKEN", "hf" + "_" + "x" * 34),
        ("HF_TOKEN", "<your token>"),
        ("HF_TOKEN", "arn:aws:secretsmanager:us-east-1:123456789012:secret:hub"),
        ("DB_PASSWORD", "{{resolve:secretsmanager:db}}"),
        ("DB_PASSWORD", "${DB_PASSWORD}"),
        ("DB_PASSWORD", "$(cat /run/secrets/db)"),
        ("DB_PASSWORD", "/run/secrets/db"),
        ("DB_PASSWORD_FILE", "/run/secrets/db"),
        ("DB_SECRET", "prod/db-password"),
        ("DB_SECRET_NAME", "Prod9Database1"),
        ("HF_SECRET", "huggingface-token"),
        ("API_KEY", "changeme"),
        ("VLLM_API_KEY", "token-abc123"),
        ("OPENAI_API_KEY", "not-needed"),
        ("MAX_TOKENS", "4096"),
        ("STOP_TOKEN", "</s>"),
        ("TOKEN", "bearer"),
        ("MODEL_TOKEN", "meta-llama/Llama-3.1-8B"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("SSH_AUTH_SOCK", "/tmp/agent"),
        ("GIT_COMMIT", "0123456789abcdef" * 2 + "01234567"),
        ("DATABASE_URL", "postgresql://app:${PASSWORD}@db.internal/x"),
        ("CA", "-----BEGIN CERTIFICATE-----\n" + LONG),
        ("CA", base64.b64encode(b"-----BEGIN CERTIFICATE-----\n" + LONG.encode()).decode()),
        ("note", "paste it after -----BEGIN " + "PRIVATE KEY-----"),
        # the word "secret" in a question to the store of secrets: https://github.com/nccgroup/ScoutSuite/issues/1028
        ("start", "TOKEN=$(aws secretsmanager get-secret-value --secret-id prod/hub --query SecretString)"),
        ("start", "docker login --username AWS --password-stdin"),
        ("start", 'curl -H "X-aws-ec2-metadata-token: $TOKEN" -H "X-aws-ec2-metadata-token-ttl-seconds: 21600" x'),
        ("code", 'token = os.environ["HF_TOKEN"]\npassword = getpass()\nsecret = config.value\napi_key = load(name)'),
        ("stack", "password: !GetAtt Database.Password\nMasterUserPassword: !Ref Password"),
        ("empty", ""),
        # entropy alone proves nothing: https://github.com/Yelp/detect-secrets/issues/266
        ("REVISION", LONG),
        ("IMAGE", "sha256:" + "0123456789abcdef" * 4),
    ],
)
def test_what_is_no_secret_is_let_be(name, value):
    assert kinds(name, value) == []


def test_an_environment_tells_the_variable():
    token = "hf" + "_" + MIXED[:34]
    found = secrets.findings({"HF_TOKEN": token, "LOG_LEVEL": "info", "SETUP": f"set -e\nexport TOKEN={token}"})
    (mark,) = {f["fingerprint"] for f in found}
    assert found == [
        {"kind": "Hugging Face token", "location": "HF_TOKEN", "fingerprint": mark},
        {"kind": "Hugging Face token", "location": "SETUP, line 2", "fingerprint": mark},
    ]
    assert secrets.pairs([{"name": "HF_TOKEN", "value": token}, {"name": "EMPTY"}]) == found[:1]
    assert secrets.findings(found) == secrets.pairs(found) == secrets.words(found) == secrets.user_data(found) == found


def test_the_words_of_a_command_line_are_one_text():
    assert [f["kind"] for f in secrets.words(["vllm", "serve", "--api-key", "abcd1234EFGH5678"])] == ["credential"]
    assert secrets.words(["sh", "-c", "echo $TOKEN"]) == []
    with pytest.raises(TypeError):
        secrets.words(7)


SCRIPT = "#!/bin/sh\nset -e\nexport DB_PASSWORD=Sup3rS3cret9\n"
LINE3 = [{"kind": "password", "location": "line 3", "fingerprint": secrets.find("", SCRIPT)[0].fingerprint}]


def packed(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    "data",
    [
        packed(SCRIPT.encode()),
        packed(gzip.compress(SCRIPT.encode(), mtime=0)),
        {"Value": packed(SCRIPT.encode())},
        "\n".join((packed(SCRIPT.encode())[:20], packed(SCRIPT.encode())[20:])),
    ],
)
def test_user_data_are_unwrapped(data):
    assert secrets.user_data(data) == LINE3


def mime(encoding: str, body: str) -> str:
    return (
        'Content-Type: multipart/mixed; boundary="=B="\nMIME-Version: 1.0\n\n'
        f"--=B=\nContent-Type: text/x-shellscript\nContent-Transfer-Encoding: {encoding}\n\n{body}\n--=B=--\n"
    )


def test_user_data_of_many_parts():
    (plain,) = secrets.user_data(packed(mime("7bit", SCRIPT).encode()))
    assert plain["location"] == "line 10"
    (inner,) = secrets.user_data(packed(mime("base64", packed(SCRIPT.encode())).encode()))
    assert inner["location"] == "part 1, line 3"
    (twice,) = secrets.user_data(packed(mime("base64", packed(gzip.compress(SCRIPT.encode()))).encode()))
    assert twice["location"] == "part 1, line 3"


@pytest.mark.parametrize(
    "data", ["no base64!", packed(b"\x1f\x8bgarbage"), packed(gzip.compress(b"x" * (secrets.MOST + 2), mtime=0))]
)
def test_user_data_that_cannot_be_read_are_no_pass(data):
    with pytest.raises(ValueError, match="user data"):
        secrets.user_data(data)
    kept = strip({"UserData": data}, (), secrets.REDUCE)
    assert kept == {"UserData": MARK}
    with pytest.raises(TypeError):
        secrets.listed(kept["UserData"])


def test_no_user_data_are_no_secret():
    assert secrets.user_data(None) == secrets.user_data({}) == secrets.listed(None, {}, []) == []


@given(st.text(max_size=60), st.text(max_size=400))
def test_it_never_raises(name, value):
    for found in secrets.find(name, value):
        assert found.line >= 1
        assert len(found.fingerprint) == 8


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/-_!?", min_size=9, max_size=40))
def test_it_never_tells_the_secret(value):
    told = secrets.findings({"DB_PASSWORD": value, "SETUP": f"a\npassword={value}", "U": f"https://u:{value}@h/"})
    words = ("DB_PASSWORD", "SETUP, line 2", "password in an address")  # our own, of which a secret may be a part
    assert value in " ".join(words) or not any(value in text for found in told for text in found.values())


@given(st.binary(max_size=300))
def test_user_data_of_any_bytes_raise_nothing_but_value_errors(data):
    try:
        secrets.user_data(packed(data))
    except ValueError as error:
        assert "user data" in str(error)  # noqa: PT017 - most data raise nothing


@pytest.mark.parametrize(
    "text",
    [
        "a" * secrets.MOST,
        "password=" * 100_000,
        "--token " * 100_000,
        ("-----BEGIN " + "PRIVATE KEY-----") * 30_000,
        "a://b:" * 100_000,
        "eyJ" * 300_000,
        "x_" * 500_000,
        'A="' * 300_000,
        "LS0tLS1CRUdJTi" * 70_000,
        "password: '" + "a" * 900_000,
        "token" * 200_000,
    ],
    ids=lambda text: text[:12],
)
def test_no_text_takes_long(text):
    began = time.monotonic()
    secrets.find("password", text)
    assert time.monotonic() - began < 5
