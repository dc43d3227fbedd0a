"""What every test may lean on: no real cloud, real parts on the loopback address, and tools that are skipped only knowingly."""

from __future__ import annotations

import os
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
STRICT = os.environ.get("BARTIZAN_TEST_STRICT") == "1"
"""In CI a missing tool is a failure; elsewhere it is a skip that says how to get the tool."""

settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if STRICT else "home")

# NOTE: set before any SDK is imported. No test can reach a real account or cluster: the credentials are nobody's, every AWS client
# without an endpoint of its own meets a closed port, and there is no kubeconfig.
for _name in [n for n in os.environ if n.startswith(("AWS_", "KUBERNETES_SERVICE_", "BARTIZAN_")) and n != "BARTIZAN_TEST_STRICT"]:
    del os.environ[_name]
os.environ |= {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    "AWS_DEFAULT_REGION": "us-east-1",
    "KUBECONFIG": os.devnull,
    "MOTO_EC2_LOAD_DEFAULT_AMIS": "false",
}


def tool(name: str, hint: str) -> Path:
    """A program of `.cache/bin` or of PATH; without it the test is skipped, or fails in CI."""
    local = ROOT / ".cache" / "bin" / name
    found = str(local) if local.is_file() else shutil.which(name)
    if found:
        return Path(found)
    missing = f"{name} is missing. {hint}"
    if STRICT:
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def opa_binary() -> Path:
    """The `opa` program."""
    return tool("opa", "Run: GOBIN=$PWD/.cache/bin go install github.com/open-policy-agent/opa@v1.22.3")


@pytest.fixture(scope="session")
def _moto() -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def moto_server(_moto: str) -> str:
    """Endpoint URL of an AWS account with nothing in it but what AWS puts there."""
    urllib.request.urlopen(urllib.request.Request(f"{_moto}/moto-api/reset", method="POST"), timeout=30).close()  # noqa: S310
    return _moto
