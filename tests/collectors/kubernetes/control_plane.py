"""A real API server on the loopback address: etcd, kube-apiserver, and the controller that gathers aggregated roles.

There is no kubelet and no scheduler: pods stay pending, and nothing owns anything that was not made so.
"""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HINT = "Run: .ci/build-kubernetes (Go; some five minutes the first time)"
ADMIN = "admin-made-up-token"
START = 60.0
"""Seconds until it must answer."""
UNHELPFUL = (
    "ServiceAccount",
    "PodSecurity",
    "ResourceQuota",
    "LimitRanger",
    "Priority",
    "RuntimeClass",
    "MutatingAdmissionWebhook",
    "ValidatingAdmissionWebhook",
    "ValidatingAdmissionPolicy",
    "MutatingAdmissionPolicy",
)
"""Admission that refuses or changes what the examples ask for: they are examples of that too."""
FORGIVEN = (409,)
"""Conflict: the object is there already."""


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@dataclass
class Kubernetes:
    """A running API server. `users` are (token, name, groups)."""

    port: int
    etcd: int
    folder: Path
    plurals: dict[tuple[str, str], tuple[str, str, bool]] = field(default_factory=dict)
    """(group, kind) → (version, plural, namespaced)."""
    custom: set[tuple[str, str]] = field(default_factory=set)
    """Types that `define` made."""

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: Any = None, token: str = ADMIN, kind: str = "application/json") -> Any:
        """The answer to one request; raises urllib.error.HTTPError for an error of the server."""
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {token}", "Content-Type": kind}
        request = urllib.request.Request(self.url + path, data, headers, method=method)  # noqa: S310 - the loopback address
        with urllib.request.urlopen(request, timeout=30, context=self.trust()) as answer:  # noqa: S310 - as above
            return json.loads(answer.read() or b"{}")

    def trust(self) -> ssl.SSLContext:
        """Trust in the certificate that the server made for itself."""
        return ssl.create_default_context(cafile=self.folder / "certificates" / "apiserver.crt")

    def discover(self) -> None:
        """Learn what is served."""
        for version in ("v1", *self._versions()):
            path = f"/api/{version}" if version == "v1" else f"/apis/{version}"
            for resource in self.ask("GET", path)["resources"]:
                if "/" not in resource["name"]:
                    group = version.rpartition("/")[0]
                    key = (group, resource["kind"])
                    self.plurals.setdefault(key, (version, resource["name"], resource["namespaced"]))

    def _versions(self) -> Iterator[str]:
        for group in self.ask("GET", "/apis")["groups"]:
            for version in group["versions"]:
                yield version["groupVersion"]

    def path(self, item: Mapping[str, Any]) -> str:
        """Where objects like this one are listed."""
        group = item["apiVersion"].rpartition("/")[0]
        _, plural, namespaced = self.plurals[group, item["kind"]]
        root = f"/apis/{item['apiVersion']}" if group else f"/api/{item['apiVersion']}"
        return f"{root}/namespaces/{item['metadata'].get('namespace', 'default')}/{plural}" if namespaced else f"{root}/{plural}"

    def add(self, *items: Mapping[str, Any]) -> None:
        """Make objects, and their namespaces."""
        for item in items:
            namespace = item["metadata"].get("namespace")
            if namespace:
                self._make("/api/v1/namespaces", {"metadata": {"name": namespace}})
            path = self.path(item)
            self._make(path, item)
            if "status" in item and (item["apiVersion"].rpartition("/")[0], item["kind"]) not in self.custom:
                # nobody may write it with the object
                named = f"{path}/{item['metadata']['name']}/status"
                self._make(named, {"status": item["status"]}, method="PATCH", kind="application/merge-patch+json")

    def _make(self, path: str, item: Mapping[str, Any], method: str = "POST", kind: str = "application/json") -> None:
        try:
            self.ask(method, path, item, kind=kind)
        except urllib.error.HTTPError as error:
            if error.code not in FORGIVEN:
                raise AssertionError(f"{path}: {error.read().decode()}") from error

    def put(self, item: Mapping[str, Any]) -> None:
        """Make an object, in the place of one of the same name."""
        named = f"{self.path(item)}/{item['metadata']['name']}"
        try:
            self.ask("DELETE", named, {"gracePeriodSeconds": 0})
        except urllib.error.HTTPError as error:
            if error.code != 404:  # there was none
                raise
        self.add(item)

    def define(self, group: str, version: str, kind: str, plural: str, *, namespaced: bool = True) -> None:
        """Make a custom resource of any shape."""
        anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        name = f"{plural}.{group}"
        self.custom.add((group, kind))
        served = {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": anything}}
        note = {"api-approved.kubernetes.io": "unapproved, a test"} if group.endswith((".k8s.io", ".kubernetes.io")) else {}
        spec = {
            "group": group,
            "scope": "Namespaced" if namespaced else "Cluster",
            "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
            "versions": [served],
        }
        self._make(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            {"metadata": {"name": name, "annotations": note}, "spec": spec},
        )

    def wait(self, path: str, seconds: float = 20.0) -> None:
        """Until a path is served."""
        end = time.monotonic() + seconds
        while True:
            try:
                self.ask("GET", path)
            except urllib.error.HTTPError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
            else:
                return

    def compact(self) -> None:
        """Forget every revision but the last: continue tokens of before have expired."""
        base = f"http://127.0.0.1:{self.etcd}/v3/kv"
        last = _post(f"{base}/range", {"key": "AA=="})["header"]["revision"]
        _post(f"{base}/compaction", {"revision": last, "physical": True})

    def allowed(self, user: str, groups: list[str], attributes: Mapping[str, str]) -> bool:
        """What the server's own authorizer says."""
        body = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SubjectAccessReview",
            "spec": {"user": user, "groups": groups, "resourceAttributes": attributes},
        }
        answer = self.ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", body)
        return bool(answer["status"]["allowed"])

    def kubeconfig(self, token: str, name: str = "factory") -> str:
        """A kubeconfig for the bearer of a token."""
        path = self.folder / f"kubeconfig-{token}"
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "main",
            "clusters": [
                {
                    "name": name,
                    "cluster": {"server": self.url, "certificate-authority": str(self.folder / "certificates" / "apiserver.crt")},
                }
            ],
            "users": [{"name": "u", "user": {"token": token}}],
            "contexts": [{"name": "main", "context": {"cluster": name, "user": "u"}}],
        }
        path.write_text(json.dumps(document))
        return str(path)


def _post(url: str, body: Any) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310 - loopback
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - as above
        return json.loads(answer.read())


@contextmanager
def running(programs: Mapping[str, Path], folder: Path, users: Mapping[str, tuple[str, list[str]]]) -> Iterator[Kubernetes]:
    """A control plane with the users (token → name, groups) beside the administrator; stopped at the end.

    Raises AssertionError with the tail of its log where it does not start.
    """
    etcd, peer, port, manager = free_ports(4)
    tokens = [f'{ADMIN},admin,admin,"system:masters"']
    tokens += [f'{token},{name},{name},"{",".join(groups)}"' for token, (name, groups) in users.items()]
    (folder / "tokens.csv").write_text("\n".join(tokens) + "\n")
    _key(folder / "account.key")
    cluster = Kubernetes(port, etcd, folder)
    commands = {
        "etcd": [
            f"--data-dir={folder}/etcd", f"--listen-client-urls=http://127.0.0.1:{etcd}", f"--advertise-client-urls=http://127.0.0.1:{etcd}",
            f"--listen-peer-urls=http://127.0.0.1:{peer}", f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
            f"--initial-cluster=default=http://127.0.0.1:{peer}", "--unsafe-no-fsync",
        ],
        "kube-apiserver": [
            f"--etcd-servers=http://127.0.0.1:{etcd}", "--bind-address=127.0.0.1", f"--secure-port={port}", f"--cert-dir={folder}/certificates",
            "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={folder}/account.key",
            f"--service-account-signing-key-file={folder}/account.key", "--service-cluster-ip-range=10.0.0.0/24",
            "--authorization-mode=RBAC", f"--token-auth-file={folder}/tokens.csv", "--allow-privileged=true",
            f"--disable-admission-plugins={','.join(UNHELPFUL)}", "--etcd-compaction-interval=0",
        ],
        "kube-controller-manager": [
            f"--kubeconfig={cluster.kubeconfig(ADMIN)}", f"--secure-port={manager}", "--controllers=clusterrole-aggregation-controller", "--leader-elect=false",
            f"--cert-dir={folder}/manager",
        ],
    }  # fmt: skip
    with ExitStack() as stack:
        for name, flags in commands.items():
            log = stack.enter_context((folder / f"{name}.log").open("wb"))
            process = subprocess.Popen([programs[name], *flags], stdout=log, stderr=log, cwd=folder)
            stack.callback(_stop, process)
            if name == "kube-apiserver":
                _ready(cluster, process)
        cluster.discover()
        yield cluster


def _ready(cluster: Kubernetes, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START
    while time.monotonic() < end and process.poll() is None:
        try:
            if cluster.ask("GET", "/version"):
                cluster.ask("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin")
                return
        except (OSError, urllib.error.HTTPError):
            time.sleep(0.1)
    raise AssertionError(f"kube-apiserver does not answer:\n{(cluster.folder / 'kube-apiserver.log').read_text()[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _key(path: Path) -> None:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
    )
