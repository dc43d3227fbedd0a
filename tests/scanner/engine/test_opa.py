"""A real OPA server: over TLS with a token, of one's own or as a child, refusing, dying, and left as it was found."""

from __future__ import annotations

import datetime
import json
import os
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from scanner.engine import document
from scanner.engine.embedded import EmbeddedEngine
from scanner.engine.opa import OpaEngine
from scanner.model import BartizanError, Resource
from scanner.rules.metadata import read_rule
from tests.scanner.builders import FAIL, KEY, SCOPE, rule_text

TOKEN = "t0ken-of-the-test"
AUTHZ = 'package system.authz\nimport rego.v1\ndefault allow := false\nallow if input.identity == "TOKEN"\n'.replace("TOKEN", TOKEN)


@pytest.fixture
def rule(tmp_path):
    return read_rule(tmp_path / "mine" / "own.rego", rule_text())


@pytest.fixture
def chunk():
    keys = [
        Resource(f"k{n}", "key", "AWS::KMS::Key", "aws", "1", "r", f"k{n}", facts={**KEY, "rotation_enabled": n % 2 == 0})
        for n in range(50)
    ]
    return document(keys, {}, "2026-01-01T00:00:00Z")


@pytest.fixture(autouse=True)
def path(opa_binary, monkeypatch):
    monkeypatch.setenv("PATH", str(opa_binary.parent), prepend=":")


def certificate(folder):
    """A key and a certificate for 127.0.0.1, signed by itself."""
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "opa")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


@pytest.fixture
def server(opa_binary, tmp_path):
    """An OPA server over TLS that wants a token: its URL, and what asks it."""
    certificate(tmp_path)
    (tmp_path / "authz.rego").write_text(AUTHZ)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        opa_binary, "run", "--server", "--addr", f"127.0.0.1:{port}", "--tls-cert-file", tmp_path / "cert.pem", "--tls-private-key-file", tmp_path / "key.pem",
        "--authentication=token", "--authorization=basic", "--log-level", "error", "--skip-version-check", tmp_path / "authz.rego",
    ]  # fmt: skip
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"https://127.0.0.1:{port}"
    context = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))

    def policies():
        request = urllib.request.Request(f"{url}/v1/policies", headers={"Authorization": f"Bearer {TOKEN}"})  # noqa: S310 - loopback
        with urllib.request.urlopen(request, timeout=5, context=context) as answer:  # noqa: S310 - loopback
            return sorted(p["id"].rsplit("/", 1)[-1] for p in json.load(answer)["result"])

    end = time.monotonic() + 20
    while True:
        try:
            policies()
            break
        except (urllib.error.URLError, OSError):
            assert time.monotonic() < end
            time.sleep(0.05)
    yield url, policies
    child.terminate()
    child.wait()


def test_server_of_ones_own_with_tls_and_token(server, rule, chunk, tmp_path):
    url, policies = server
    before = policies()
    engine = OpaEngine([rule], {}, url=url, token=TOKEN, ca=str(tmp_path / "cert.pem"))
    assert engine.prove([rule], chunk) == EmbeddedEngine([rule], {}).prove([rule], chunk)
    assert engine.name == "opa 1.22.3"
    assert len(policies()) == len(before) + 2
    engine.close()
    assert policies() == before, "our policies are still there"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"token": "wrong"}, "refuses the token"),
        ({"token": None}, "refuses the token"),
        ({"ca": None}, "SSLError"),
    ],
)
def test_server_that_cannot_be_used(server, rule, tmp_path, options, words):
    with pytest.raises(BartizanError, match=words):
        OpaEngine([rule], {}, **{"url": server[0], "token": TOKEN, "ca": str(tmp_path / "cert.pem"), **options})


@pytest.mark.parametrize("url", ["127.0.0.1:8181", "ftp://127.0.0.1", "http://127.0.0.1:8181/v1"])
def test_strange_urls(rule, url):
    with pytest.raises(BartizanError, match="--opa-url"):
        OpaEngine([rule], {}, url=url)


def test_child_is_ours_alone_and_ends(rule, chunk):
    engine = OpaEngine([rule], {})
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"{engine.url}/v1/policies", timeout=5)  # noqa: S310 - loopback
    assert len(engine.prove([rule], chunk)[rule.id].fail) == 25
    child = engine._child
    engine.close()
    assert child.poll() is not None


def test_child_that_dies_in_mid_run(rule, chunk):
    engine = OpaEngine([rule], {})
    engine.prove([rule], chunk)
    os.kill(engine._child.pid, signal.SIGKILL)
    engine._child.wait()
    with pytest.raises(BartizanError, match=r"it has died.*The snapshot is kept"):
        engine.prove([rule], chunk)
    engine.close()


def test_no_binary(rule, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BartizanError, match="no `opa` on PATH"):
        OpaEngine([rule], {})


def test_rule_that_does_not_compile(tmp_path):
    bad = read_rule(tmp_path / "mine" / "own.rego", rule_text(body=f"{SCOPE}\n{FAIL}\nx := nothing_of_the_kind(1)"))
    with pytest.raises(BartizanError, match=r"own\.rego: OPA does not take it"):
        OpaEngine([bad], {})


def test_server_that_lost_our_rules_is_an_error_not_silence(server, rule, chunk, tmp_path):
    """Restarted, or tidied up by somebody: an undefined answer reads as "nothing is in scope"."""
    url, _ = server
    engine = OpaEngine([rule], {}, url=url, token=TOKEN, ca=str(tmp_path / "cert.pem"))
    engine.prove([rule], chunk)
    for identity in engine._uploaded:
        engine._client.delete_policy(identity)
    with pytest.raises(BartizanError, match="does not have the rules any more"):
        engine.prove([rule], chunk)
    engine.close()


def test_two_scans_on_one_server_do_not_mix(server, rule, chunk, tmp_path):
    url, _ = server
    other = read_rule(
        tmp_path / "mine" / "own.rego", rule_text(body=f"{SCOPE}\n{FAIL}\nsafe contains k.id if some k in input.resources.key")
    )
    engines = [OpaEngine([r], {}, url=url, token=TOKEN, ca=str(tmp_path / "cert.pem")) for r in (other, rule)]
    assert engines[1].prove([rule], chunk) == EmbeddedEngine([rule], {}).prove([rule], chunk)
    assert len(engines[0].prove([other], chunk)[other.id].safe) == 50
    for engine in engines:
        engine.close()
