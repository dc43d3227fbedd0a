"""OPA as the engine, through opa-python-client: an existing server, or a child process that the scan starts and stops.

One query a chunk, the chunk as `input`; never one a resource, never the estate as `data`.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scanner.engine import proof_of
from scanner.judge import Proof
from scanner.model import JSON, BartizanError, Rule

SECONDS = 300.0
"""For one chunk."""
START_SECONDS = 20.0
# OPA leaves a failing built-in undefined unless told to be strict; regorus is always strict.
STRICT = {"strict-builtin-errors": "true"}
AUTHZ = """package system.authz
import rego.v1
default allow := false
allow if input.identity == "TOKEN"
"""
MARK = "$bartizan"
PACKAGE = re.compile(r"^package policies\b", re.MULTILINE)
DATA = re.compile(r"\bdata\.policies\b")
HINT = "Install opa and put it on PATH, give a server with --opa-url, or leave --engine out for the embedded engine."


class OpaEngine:
    """See `scanner.engine.Engine`."""

    def __init__(
        self,
        rules: Sequence[Rule],
        modules: Mapping[str, str],
        *,
        url: str | None = None,
        token: str | None = None,
        ca: str | None = None,
        cert: str | None = None,
    ) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._prefix = f"bartizan_{secrets.token_hex(4)}"
        self._mark = secrets.token_hex(16)
        """Stands in every answer of our own rules. One without it comes of something else: a server that lost them, or took a child's port."""
        self._uploaded: list[str] = []
        self._files: dict[str, str] = {}
        """File of a child's module → the module's own name."""
        self._client: Any = None
        texts = {**modules, **{r.file: r.source for r in rules}, "batch": self._batch(rules)}
        with ExitStack() as undo:
            undo.callback(self.close)
            child = url is None
            if url is None:
                url, token = self._start(texts)
            self.url = url
            self._client = self._connect(url, token, ca, cert)
            self._check()
            if not child:
                for name, text in texts.items():
                    self._upload(name, text)
            self._version = self._read_version()
            undo.pop_all()  # all went well: the engine lives until `close`

    @property
    def name(self) -> str:
        """See `Engine`."""
        return f"opa {self._version}"

    def _start(self, texts: Mapping[str, str]) -> tuple[str, str]:
        """A child server on a loopback port that only this process may ask. It reads all modules at once: one compilation, not one each."""
        binary = shutil.which("opa")
        if binary is None:
            raise BartizanError(f"--engine opa: no `opa` on PATH. {HINT}")
        token = secrets.token_hex(16)
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="bartizan-opa-")
        except OSError as error:
            raise BartizanError(f"--engine opa: no folder for its rules: {error.strerror or error}. Set TMPDIR.") from error
        self._files = {f"{number:04}.rego": name for number, name in enumerate(texts)}
        for file, text in zip(self._files, texts.values(), strict=True):
            Path(self._folder.name, file).write_text(text, encoding="utf-8")
        Path(self._folder.name, "authz.rego").write_text(AUTHZ.replace("TOKEN", token), encoding="utf-8")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [
            binary, "run", "--server", "--addr", f"127.0.0.1:{port}", "--log-level", "error", "--skip-version-check",
            "--authentication=token", "--authorization=basic", self._folder.name,
        ]  # fmt: skip
        with Path(self._folder.name, "said").open("wb") as said:
            self._child = subprocess.Popen(  # noqa: S603 - found on the user's PATH
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                env={"PATH": os.environ.get("PATH", ""), "HOME": self._folder.name},
            )
        return f"http://127.0.0.1:{port}", token

    def _connect(self, url: str, token: str | None, ca: str | None, cert: str | None) -> Any:
        from opa_client.opa import OpaClient  # noqa: PLC0415 - pulls in requests and aiohttp

        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
            raise BartizanError(f"--opa-url {url}: should be http://HOST:PORT or https://HOST:PORT.")
        if parts.scheme == "http" and token and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
            raise BartizanError(f"--opa-url {url}: a token is never sent without TLS. Use https://.")
        secure = parts.scheme == "https"
        client = OpaClient(
            host=f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname,
            port=parts.port or (443 if secure else 8181),
            ssl=secure,
            cert=cert,
            token=token,
            timeout=SECONDS,
            retries=0,
        )
        if secure:
            client._session.verify = ca or True  # noqa: SLF001 - the client takes no CA file of its own
        client._session.trust_env = False  # noqa: SLF001 - no proxy between the scan and its engine
        return client

    def _check(self) -> None:
        """Wait for a child, or fail at once where the server does not answer."""
        end = time.monotonic() + (START_SECONDS if self._child else 0)
        while True:
            fault = self._probe()
            if fault is None:
                return
            if self._child is not None and self._child.poll() is not None:
                raise BartizanError(self._why())
            if time.monotonic() >= end:
                raise BartizanError(f"OPA at {self.url}: {fault}. {HINT}")
            time.sleep(0.05)

    def _why(self) -> str:
        """Why the child stopped at its start: mostly a rule that it cannot compile, which it names by its file."""
        folder = self._folder.name if self._folder else ""
        said = Path(folder, "said").read_text(encoding="utf-8", errors="replace")
        for file, name in self._files.items():
            if file in said:
                return (
                    f"{name}: OPA does not take it: {' '.join(said.replace(folder + '/', '').replace(file, name).split())[:300]}."
                )
        return f"opa stopped at its start: {' '.join(said.split())[:300] or 'it said nothing'}. Try `opa run --server` by hand."

    def _probe(self) -> str | None:
        from requests.exceptions import RequestException  # noqa: PLC0415

        try:
            response = self._client._session.get(f"{self._client.root_url}/policies", timeout=10)  # noqa: SLF001 - tells 401 from no answer
        except RequestException as error:
            return f"does not answer ({type(error).__name__})"
        if response.status_code in (401, 403):
            return f"refuses the token (HTTP {response.status_code}); give --opa-token or BARTIZAN_OPA_TOKEN"
        return None if response.ok else f"answers HTTP {response.status_code}"

    def _read_version(self) -> str:
        try:
            found = self._client.ad_hoc_query("x = opa.runtime().version")
            return str(found["result"][0]["x"])
        except (KeyError, IndexError, TypeError):
            return "(version unknown)"
        except _faults():
            return "(version unknown)"

    def _upload(self, name: str, text: str) -> None:
        identity = f"{self._prefix}/{name}"
        # NOTE: packages of one name are one: the rules of another scan, or of whoever else is there, must not prove anything in ours
        own = PACKAGE.sub(f"package {self._prefix}.policies", DATA.sub(f"data.{self._prefix}.policies", text))
        try:
            self._client.update_policy_from_string(own, identity, rego_compat=False)
        except _faults() as error:
            raise BartizanError(f"{name}: OPA does not take it: {_said(error)}.") from error
        self._uploaded.append(identity)

    def _batch(self, rules: Sequence[Rule]) -> str:
        """A module that gathers what the rules of one kind prove, so that a chunk is one query."""
        lines = [f"package {self._prefix}", "import rego.v1"]
        for rule in rules:
            sets = ", ".join(f'"{name}": data.policies.{rule.id}.{name}' for name in sorted(rule.sets))
            lines.append(f'{self._key(rule.kind)}["{rule.id}"] := {{{sets}}}')
            lines.append(f'{self._key(rule.id)} := {{"{MARK}": "{self._mark}", {sets}}}')
        lines += [f'{self._key(kind)}["{MARK}"] := "{self._mark}"' for kind in sorted({rule.kind for rule in rules})]
        return "\n".join(lines) + "\n"

    @staticmethod
    def _key(name: str) -> str:
        return "of_" + name.replace(".", "__")

    def prove(self, rules: Sequence[Rule], document: JSON) -> Mapping[str, Proof]:
        """See `Engine`."""
        kinds = sorted({rule.kind for rule in rules})
        found: dict[str, Proof] = {}
        for kind in kinds:
            mine = [rule for rule in rules if rule.kind == kind]
            try:
                answers = self._query(self._key(kind), document)
                found |= {rule.id: _proof(answers.get(rule.id)) for rule in mine}
            except _RuleError:
                found |= {rule.id: self._alone(rule, document) for rule in mine}
        return found

    def _alone(self, rule: Rule, document: JSON) -> Proof:
        """One rule by itself, to lay an error at the right door."""
        try:
            return _proof(self._query(self._key(rule.id), document))
        except _RuleError as error:
            return Proof(error=str(error))

    def _query(self, name: str, document: JSON) -> dict[str, Any]:
        from requests.exceptions import HTTPError, RequestException  # noqa: PLC0415

        refused: tuple[type[Exception], ...] = (HTTPError, *_client_faults())
        try:
            answer = self._client.query_rule(document, self._prefix, name, query_params=STRICT)
        except refused as error:
            raise _RuleError(_said(error)) from error
        except RequestException as error:
            state = " (it has died)" if self._child is not None and self._child.poll() is not None else ""
            raise BartizanError(
                f"OPA at {self.url} stopped answering{state}: {type(error).__name__}. The snapshot is kept: evaluate it again."
            ) from error
        result = answer.get("result") if isinstance(answer, dict) else None
        if not isinstance(result, dict) or result.get(MARK) != self._mark:
            raise BartizanError(
                f"OPA at {self.url} does not have the rules any more: it was restarted, or changed. Evaluate again."
            )
        return result

    def close(self) -> None:
        """Take our policies off the server; stop the child."""
        if self._child is None:
            for identity in self._uploaded:
                try:
                    self._client.delete_policy(identity)
                except _faults():
                    break  # the server is gone, and its policies with it
        if self._client is not None:
            self._client.close_connection()
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        if self._folder is not None:
            self._folder.cleanup()


class _RuleError(Exception):
    """OPA took the query and the evaluation failed."""


def _client_faults() -> tuple[type[Exception], ...]:
    from opa_client import errors  # noqa: PLC0415

    return tuple(e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception))


def _faults() -> tuple[type[Exception], ...]:
    from requests.exceptions import RequestException  # noqa: PLC0415

    return (RequestException, *_client_faults())


def _said(error: Exception) -> str:
    response = getattr(error, "response", None)
    text = str(error)
    if response is not None:
        try:
            body = response.json()
            errors = body.get("errors") or [body]
            text = "; ".join(str(e.get("message", "")) for e in errors) or text
        except (json.JSONDecodeError, AttributeError):
            text = response.text[:200] or text
    return " ".join(text.split())[:300]


def _proof(sets: Any) -> Proof:
    try:
        return proof_of(sets if isinstance(sets, dict) else {})
    except ValueError as error:
        return Proof(error=str(error))
