"""An API server on the loopback address: discovery, pages with continue tokens, access reviews, and every way to refuse."""

from __future__ import annotations

import gzip
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from collectors.kubernetes.names import ANY, split
from collectors.kubernetes.tables import OTHERS, WORKLOADS

USER = "system:serviceaccount:audit:bartizan"
Reply = tuple[int, dict[str, str], Any]


class ApiServer(ThreadingHTTPServer):
    """Objects are added by `add`; `deny`, `faults` and `expire` make it refuse."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[tuple[str, str], list[dict[str, Any]]] = {}
        """(group, plural) → objects."""
        self.served = {
            (split(t.native_type)[0], t.plural): (split(t.native_type)[1], t.namespaced, split(t.native_type)[2])
            for t in (*OTHERS, *WORKLOADS)
            if t.plural != ANY
        }
        self.open_groups = {
            split(t.native_type)[0]: (split(t.native_type)[1], t.namespaced) for t in (*OTHERS, *WORKLOADS) if t.plural == ANY
        }
        """Groups in which a type is served as soon as there is an object of it, and one that is there all the time."""
        self.served |= {(g, "examples"): (version, namespaced, "Example") for g, (version, namespaced) in self.open_groups.items()}
        self.deny: set[tuple[str, str]] = set()
        self.faults: dict[str, list[Reply]] = {}
        """Path → replies given before the true one, each once."""
        self.expire: set[str] = set()
        """Paths of which the next continue token is refused with 410, once."""
        self.expired_token = True
        """The 410 carries a token that goes on."""
        self.aggregated = True
        self.version = "v1.34.2"
        self.metadata_only = True
        """It can answer with metadata alone."""
        self.broken_groups: set[str] = set()
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.calls: Counter[str] = Counter()
        self.lock = threading.Lock()

    def add(self, *items: dict[str, Any]) -> None:
        for item in items:
            group, _, _ = item["apiVersion"].rpartition("/")
            if group in self.open_groups:
                self.served[group, item["kind"].lower()] = (*self.open_groups[group], item["kind"])
            plural = next(p for (g, p), (_, _, kind) in self.served.items() if (g, kind) == (group, item["kind"]))
            self.objects.setdefault((group, plural), []).append(item)

    def knows(self, item: dict[str, Any]) -> bool:
        """Whether an object is of a type that it serves."""
        group, kind = item["apiVersion"].rpartition("/")[0], item["kind"]
        return group in self.open_groups or any((g, k) == (group, kind) for (g, _), (_, _, k) in self.served.items())

    def kubeconfig(self, folder: Path, name: str = "factory") -> str:
        """A kubeconfig for it."""
        path = folder / "kubeconfig"
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "main",
            "clusters": [{"name": name, "cluster": {"server": f"http://127.0.0.1:{self.server_address[1]}"}}],
            "users": [{"name": "auditor", "user": {"token": "made-up-token"}}],
            "contexts": [{"name": "main", "context": {"cluster": name, "user": "auditor"}}],
        }
        path.write_text(json.dumps(document))
        return str(path)


@contextmanager
def serving() -> Iterator[ApiServer]:
    server = ApiServer()
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def status(code: int, reason: str, message: str = "no", **meta: str) -> dict[str, Any]:
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": meta,
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": code,
    }


class Handler(BaseHTTPRequestHandler):
    server: ApiServer
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        self.answer("GET", None)

    def do_POST(self) -> None:
        self.answer("POST", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, method: str, body: Any) -> None:
        parts = urlsplit(self.path)
        query = {k: v[0] for k, v in parse_qs(parts.query).items()}
        with self.server.lock:
            self.server.requests.append((method, parts.path, query))
            self.server.calls[parts.path] += 1
            planned = self.server.faults.get(parts.path)
            reply = planned.pop(0) if planned else None
        if reply is None:
            reply = self.post(parts.path, body) if method == "POST" else self.get(parts.path, query)
        code, headers, document = reply
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        if code == 0:  # the connection breaks
            self.close_connection = True
            return
        if "gzip" in self.headers.get("Accept-Encoding", "") and len(data) > 1000:
            data, headers = gzip.compress(data), {**headers, "Content-Encoding": "gzip"}
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def post(self, path: str, body: Any) -> Reply:
        if path.endswith("/selfsubjectreviews"):
            return 201, {}, {**body, "status": {"userInfo": {"username": USER}}}
        asked = body["spec"]["resourceAttributes"]
        allowed = (asked["group"], asked["resource"]) not in self.server.deny
        return 201, {}, {**body, "status": {"allowed": allowed}}

    def get(self, path: str, query: dict[str, str]) -> Reply:
        if self.headers.get("authorization") != "Bearer made-up-token":
            return 401, {}, status(401, "Unauthorized")
        if path == "/version":
            return 200, {}, {"gitVersion": self.server.version}
        if path == "/apis":
            return 200, {}, self.groups()
        words = path.strip("/").split("/")
        group, version, rest = ("", words[1], words[2:]) if words[0] == "api" else (words[1], words[2], words[3:])
        if not rest:
            return self.resources(group, version)
        namespace = ""
        if rest[0] == "namespaces" and len(rest) > 2:
            namespace, rest = rest[1], rest[2:]
        return self.listing(path, group, version, namespace, rest, query)

    def groups(self) -> dict[str, Any]:
        names = sorted({g for g, _ in self.server.served if g})
        if self.server.aggregated and "APIGroupDiscoveryList" in self.headers["Accept"]:
            return {
                "kind": "APIGroupDiscoveryList",
                "apiVersion": "apidiscovery.k8s.io/v2",
                "items": [self.discovered(g) for g in names],
            }
        groups = [
            {
                "name": g,
                "versions": [{"version": v} for v in self.versions(g)],
                "preferredVersion": {"version": self.versions(g)[0]},
            }
            for g in names
        ]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}

    def versions(self, group: str) -> list[str]:
        return sorted({v for (g, _), (v, _, _) in self.server.served.items() if g == group})

    def discovered(self, group: str) -> dict[str, Any]:
        versions = [
            {
                "version": v,
                "resources": [{"resource": p} for (g, p), (w, _, _) in self.server.served.items() if (g, w) == (group, v)],
            }
            for v in self.versions(group)
        ]
        return {"metadata": {"name": group}, "versions": versions}

    def resources(self, group: str, version: str) -> Reply:
        if group in self.server.broken_groups:
            return 503, {}, status(503, "ServiceUnavailable")
        found = [{"name": p} for (g, p), (v, _, _) in self.server.served.items() if (g, v) == (group, version)]
        return 200, {}, {"kind": "APIResourceList", "groupVersion": f"{group}/{version}", "resources": found}

    def listing(self, path: str, group: str, version: str, namespace: str, rest: list[str], query: dict[str, str]) -> Reply:
        served = self.server.served.get((group, rest[0]))
        if served is None or served[0] != version:
            return 404, {}, status(404, "NotFound")
        if (group, rest[0]) in self.server.deny:
            return 403, {}, status(403, "Forbidden", f'{rest[0]} is forbidden: User "{USER}" cannot list resource "{rest[0]}"')
        found = [
            o for o in self.server.objects.get((group, rest[0]), []) if not namespace or o["metadata"].get("namespace") == namespace
        ]
        if "fieldSelector" in query:
            wanted, _, value = query["fieldSelector"].partition("=")
            found = [o for o in found if (o.get(wanted.rstrip("!"), "Opaque") == value) is not wanted.endswith("!")]
        if len(rest) > 1:
            one = next((o for o in found if o["metadata"]["name"] == rest[1]), None)
            return (200, {}, one) if one else (404, {}, status(404, "NotFound"))
        start = int(query.get("continue", "0").removeprefix("fresh-"))
        if "continue" in query and path in self.server.expire:
            self.server.expire.discard(path)
            meta = {"continue": f"fresh-{start}"} if self.server.expired_token else {}
            return 410, {}, status(410, "Expired", **meta)
        end = start + int(query.get("limit", "1000000"))
        meta = {"resourceVersion": "7"} | ({"continue": str(end)} if end < len(found) else {})
        # as the real one: items of a typed list do not say what they are
        items = [{k: v for k, v in o.items() if k not in ("kind", "apiVersion")} for o in found[start:end]]
        if "as=PartialObjectMetadataList" in self.headers["Accept"] and self.server.metadata_only:
            items = [{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": i["metadata"]} for i in items]
            return 200, {}, {"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": meta, "items": items}
        return (
            200,
            {},
            {"kind": f"{served[2]}List", "apiVersion": f"{group}/{version}".lstrip("/"), "metadata": meta, "items": items},
        )
