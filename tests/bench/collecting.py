"""What collecting costs: calls made, and how well waiting overlaps. The demo account answers, with and without a delay."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from collectors.aws.demo import CREDENTIALS, Cloud, Question, read_estate, seed
from tests.bench.measure import Cost, once

ROOT = Path(__file__).resolve().parents[2]
ESTATE = ROOT / "fixtures" / "estates" / "ai_factory" / "aws"
DELAY = 0.2
"""Seconds: a slow answer from another continent."""


class Slow(Cloud):
    """The demo account, which counts what it is asked and takes its time."""

    delay = 0.0

    def __init__(self, app: Any) -> None:
        super().__init__(app)
        self.asked: Counter[str] = Counter()

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        self.asked[Question(environ, b"").service] += 1
        time.sleep(self.delay)
        return super().__call__(environ, start_response)


def collect(endpoint: str, folder: Path) -> Cost:
    path = folder / f"{time.monotonic_ns()}.snapshot"
    environment = {
        "PYTHONPATH": str(ROOT), "AWS_ENDPOINT_URL": endpoint, "AWS_EC2_METADATA_DISABLED": "true",
        **{name.upper(): value for name, value in CREDENTIALS.items()},
    }  # fmt: skip
    return once(
        [sys.executable, "-m", "scanner", "collect", "aws", "--regions", "us-east-1,eu-west-1", "--snapshot", str(path)],
        environment,
    )


def bench() -> Iterator[str]:
    os.environ["MOTO_EC2_LOAD_DEFAULT_AMIS"] = "false"  # before moto is imported: it would load 600 images into every region
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Silent(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

        def log(self, *_: Any, **__: Any) -> None:
            """Requests are counted, not told."""

    cloud = Slow(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, cloud, threaded=True, request_handler=Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    seed(read_estate(ESTATE), endpoint)
    with tempfile.TemporaryDirectory() as folder:
        costs = []
        for cloud.delay in (0.0, DELAY):
            cloud.asked.clear()
            costs.append(collect(endpoint, Path(folder)))
            calls = cloud.asked.total()
            yield f"{cloud.delay * 1000:3.0f} ms a call: {costs[-1].seconds:5.1f} s for {calls} calls, {costs[-1].mebibytes:.0f} MiB, status {costs[-1].status}"
        alone = calls * DELAY
        yield f"one by one the delay alone would be {alone:.0f} s: {alone / costs[1].seconds:.1f} times as long"
        yield "calls by service: " + ", ".join(f"{name} {n}" for name, n in cloud.asked.most_common())
    server.shutdown()
