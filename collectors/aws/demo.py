"""The demo cloud: an AWS account on this machine's loopback address, filled from an estate of `fixtures/estates/`.

`start` runs moto's server in a child process, which replays the estate's calls on itself and then refuses what the estate says
it must refuse, so that a scan meets things that are right, things that are wrong, and things that it may not see. No credentials
and no network are needed. The child ends when its standard input closes: it cannot outlive the scan, however that ends.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import subprocess
import sys
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from collectors.aws.client import plain_host
from scanner.model import BartizanError

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

CREDENTIALS = {"aws_access_key_id": "demo", "aws_secret_access_key": "demo"}
"""What a client must hold to speak with the demo cloud: any will do, these are nobody's."""

PATIENCE = 60
"""Seconds that the demo cloud may take to stand."""

QUERY_ROOT = {"ec2": ("<Response><Errors><Error>", "</Error></Errors></Response>"), "s3": ("<Error>", "</Error>")}
"""How errors look in XML where it is not the usual ErrorResponse."""


def start(estate: Path) -> tuple[str, Callable[[], None]]:
    """Run the demo cloud of an estate (the folder that holds `aws/`): its endpoint URL, and what stops it."""
    missing = [name for name in ("boto3", "flask", "moto") if importlib.util.find_spec(name) is None]
    if missing:
        raise BartizanError(
            f"The demo needs {', '.join(missing)}. Install: pip install 'bartizan[aws]' 'moto[server]' (`make env` does it in a checkout)."
        )
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)
    child = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-P", "-m", "collectors.aws.demo", str(estate / "aws")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # NOTE: Ctrl-C is the scan's to handle; this process ends with its standard input
        env={**_quiet_environment(os.environ), "PYTHONPATH": path},
    )

    def stop() -> None:
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    watch = threading.Timer(PATIENCE, child.kill)
    watch.start()
    line = child.stdout.readline() if child.stdout else b""
    watch.cancel()
    said: dict[str, str] = json.loads(line) if line.startswith(b"{") else {}
    if "endpoint" not in said:
        stop()
        raise BartizanError(f"{estate}: the demo cloud did not start: {said.get('error', f'it ended with {child.returncode}')}.")
    return said["endpoint"], stop


def _quiet_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without anything that could lead to a real account."""
    kept = {k: v for k, v in environ.items() if not k.startswith("AWS_")}
    empty = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "AWS_EC2_METADATA_DISABLED": "true"}
    # NOTE: moto would load 600 public images into every region
    return {**kept, **empty, "MOTO_EC2_LOAD_DEFAULT_AMIS": "false"}


class Cloud:
    """moto's application, with the refusals of an estate in front of it, and its answers to what moto does not know."""

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app
        self.deny: list[dict[str, str]] = []
        self.answer: list[dict[str, str]] = []

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request (https://peps.python.org/pep-3333/)."""
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = BytesIO(body)
        asked = Question(environ, body)
        for rule in self.deny:
            if asked.matches(rule):
                return asked.refuse(start_response, "AccessDenied", f"You are not authorized to perform: {rule['action']}")
        for rule in self.answer:
            if asked.matches(rule):
                return asked.reply(start_response, rule["text"])
        try:
            return self.app(environ, start_response)
        except NotImplementedError as error:
            return asked.refuse(start_response, "UnknownOperation", f"Not in the demo cloud: {error}")


class Question:
    """A request, as far as a refusal must know it."""

    def __init__(self, environ: WSGIEnvironment, body: bytes) -> None:
        scope = environ.get("HTTP_AUTHORIZATION", "").partition("Credential=")[2].split(",")[0].split("/")
        _, _, self.region, self.service = (*scope, "", "", "", "")[:4]  # key/date/region/service/…
        self.cbor = environ.get("HTTP_SMITHY_PROTOCOL", "") == "rpc-v2-cbor"
        self.json = "HTTP_X_AMZ_TARGET" in environ or "json" in environ.get("CONTENT_TYPE", "")
        self.line = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}?{environ.get('QUERY_STRING', '')}"
        self.operation = environ.get("HTTP_X_AMZ_TARGET", "").rpartition(".")[2]
        self.body = body.decode(errors="replace")

    def matches(self, rule: Mapping[str, str]) -> bool:
        """It is what `rule` names: `operation` or the start of the request `line`, in `region`, its body holding `holds`."""
        if self.service != rule["service"] or rule.get("region", self.region) != self.region:
            return False
        named = rule.get("operation", "")
        called = bool(named) and (self.operation == named or f"Action={named}&" in f"{self.body}&")
        line = rule.get("line", "")
        return (called or (bool(line) and self.line.startswith(line))) and rule.get("holds", "") in self.body

    def reply(self, start_response: StartResponse, text: str) -> Iterable[bytes]:
        """`text` as the service's answer."""
        kind = "application/x-amz-json-1.1" if self.json else "text/xml"
        start_response("200 OK", [("Content-Type", kind), ("Content-Length", str(len(text.encode())))])
        return [text.encode()]

    def refuse(self, start_response: StartResponse, code: str, message: str) -> Iterable[bytes]:
        """An error as the service would word it."""
        code = {"ec2": {"AccessDenied": "UnauthorizedOperation"}}.get(self.service, {}).get(code, code)
        typed = f"{code}Exception"
        if self.cbor:
            kind, text = "application/cbor", _cbor({"__type": typed, "message": message})
        elif self.json or self.service in ("eks", "lambda", "efs"):
            kind, text = "application/json", json.dumps({"__type": typed, "message": message}).encode()
        else:
            head, tail = QUERY_ROOT.get(self.service, ("<ErrorResponse><Error>", "</Error></ErrorResponse>"))
            kind, text = "text/xml", f"{head}<Code>{code}</Code><Message>{message}</Message>{tail}".encode()
        start_response("403 Forbidden", [("Content-Type", kind), ("Content-Length", str(len(text))), ("x-amzn-ErrorType", typed)])
        return [text]


def _cbor(pairs: Mapping[str, str]) -> bytes:
    """A map of short strings in CBOR (https://www.rfc-editor.org/rfc/rfc8949)."""
    words = [part.encode()[:255] for pair in pairs.items() for part in pair]
    return bytes([0xA0 + len(pairs)]) + b"".join(b"\x78" + bytes([len(w)]) + w for w in words)


def read_estate(folder: Path) -> dict[str, Any]:
    """An estate from its files, in the order of their names: lists are joined, so that a topic has a file of its own."""
    found: dict[str, Any] = {}
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise FileNotFoundError(f"No such file: {folder}/*.json")
    for path in paths:
        for part, value in json.loads(path.read_text(encoding="utf-8")).items():
            found[part] = [*found.get(part, []), *value] if isinstance(value, list) else value
    return found


def fill(value: Any, names: Mapping[str, str]) -> Any:
    """`value` with every `${name}` replaced by what was saved under that name."""
    if isinstance(value, str):
        return Template(value).substitute(names)
    if isinstance(value, list):
        return [fill(v, names) for v in value]
    return {fill(k, names): fill(v, names) for k, v in value.items()} if isinstance(value, dict) else value


def seed(estate: Mapping[str, Any], endpoint: str) -> dict[str, str]:
    """Replay an estate's calls: the names it saved. Ids come out the same every time, for moto's chance is seeded by what is asked.

    A call added to the estate so leaves the ids of all others as they are.
    """
    import boto3  # noqa: PLC0415 - only the demo needs it
    import jmespath  # noqa: PLC0415 - only the demo needs it
    from botocore.config import Config  # noqa: PLC0415 - only the demo needs it
    from moto.moto_api._internal import mock_random  # noqa: PLC0415 - only the demo needs it

    clients: dict[tuple[str, str], Any] = {}
    names = {"account": str(estate["account"]), **{f"region{n}": str(r) for n, r in enumerate(estate["regions"], 1)}}
    seen: Counter[str] = Counter()
    for step in estate["calls"]:
        text = json.dumps(step, sort_keys=True)
        mock_random.seed(zlib.crc32(f"{seen[text]} {text}".encode()))
        seen[text] += 1
        region = fill(step.get("region", estate["regions"][0]), names)
        if "set" in step:
            _set(fill(step, names), names["account"], region)
            continue
        key = (step["service"], region)
        if key not in clients:
            config = Config(retries={"total_max_attempts": 1})
            clients[key] = boto3.client(step["service"], region, endpoint_url=endpoint, config=config, **CREDENTIALS)
            clients[key].meta.events.register("before-sign.s3-control", plain_host)
        params = fill(step.get("params", {}), names)
        for name in step.get("json", ()):  # policies are written as JSON in the estate and go as text
            params[name] = json.dumps(params[name])
        answer = getattr(clients[key], step["operation"])(**params)
        names |= {name: str(jmespath.search(path, answer)) for name, path in step.get("save", {}).items()}
    return names


def _set(step: Mapping[str, Any], account: str, region: str) -> None:
    """Set a property that no call of moto can (the age of a key, an interface with EFA): `set` is moto's backend, `path` leads to it."""
    from moto.backends import get_backend  # noqa: PLC0415 - only the demo needs it

    at: Any = get_backend(step["set"])[account]["aws" if step["set"] in ("iam", "s3") else region]
    *way, last = step["path"]
    for name in way:
        at = at[int(name)] if isinstance(at, list) else at[name] if isinstance(at, dict) else getattr(at, name)
    days = step.get("days_ago")
    value = step.get("value") if days is None else datetime.now(UTC).replace(tzinfo=None) - timedelta(days=days)
    if isinstance(at, dict):
        at[last] = value
    else:
        setattr(at, last, value)


def serve(path: Path) -> None:
    """Stand as the demo cloud until standard input closes; the first line of output is `{"endpoint": URL}` or `{"error": …}`."""
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - only the demo needs it
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app  # noqa: PLC0415 - only the demo needs it
    from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: PLC0415 - only the demo needs it

    class Silent(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

        def log(self, *_: Any, **__: Any) -> None:
            """Requests are not news."""

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL + 1)  # what fails is told in the first line, or to the scan
    cloud = Cloud(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, cloud, threaded=True, request_handler=Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    try:
        estate = read_estate(path)
        os.environ["MOTO_ACCOUNT_ID"] = str(estate["account"])  # moto answers every caller as this account
        names = seed(estate, endpoint)
        cloud.deny, cloud.answer = (fill(estate.get(part, []), names) for part in ("deny", "answer"))
    except (OSError, ValueError, KeyError, AttributeError, BotoCoreError, ClientError) as error:
        print(json.dumps({"error": f"{path}: {type(error).__name__}: {error}"}), flush=True)  # noqa: T201 - the parent reads it
        return
    print(json.dumps({"endpoint": endpoint}), flush=True)  # noqa: T201 - the parent reads it
    sys.stdin.read()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
