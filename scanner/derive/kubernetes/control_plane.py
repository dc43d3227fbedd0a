"""How API server, etcd, controllers and scheduler are set up: by the flags of their static pods.

A rule about one of them speaks of its pods, and of the cluster itself: there it does not apply where the pods are judged or a provider
runs the control plane, and is unknown where neither was seen. Defaults:
https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/
https://kubernetes.io/docs/reference/command-line-tools-reference/kube-scheduler/ and https://etcd.io/docs/v3.6/op-guide/configuration/
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from scanner.derive.kubernetes import api_address, control_plane_files, kubelet, support
from scanner.derive.kubernetes.types import CLUSTER, NODE, POD
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

API_SERVER = "kube-apiserver"
ETCD = "etcd"
CONTROLLERS = "kube-controller-manager"
SCHEDULER = "kube-scheduler"
MORE = "..."
"""Among the flags of a component: there may be more than are seen."""
VERSIONS = ("-eks-", "-gke.")
"""In the version of a cluster that a provider built; static pods all the same mean that it does not run it (EKS Anywhere)."""
LABELS = ("eks.amazonaws.com/", "cloud.google.com/gke-", "kubernetes.azure.com/", "doks.digitalocean.com/")
HOSTS = (
    ".eks.amazonaws.com",
    ".eks.amazonaws.com.cn",
    ".gke.goog",
    ".azmk8s.io",
    ".azmk8s.us",
    ".azmk8s.cn",
    ".k8s.ondigitalocean.com",
)


@frozen
class Flags:
    """The flags of a component."""

    known: Mapping[str, JSON]

    def text(self, name: str) -> str | Gap:
        """The value of a flag; empty where it is not set."""
        if name not in self.known:
            return "" if MORE not in self.known else _unread(f"--{name} may stand in a variable or elsewhere")
        value = self.known[name]
        return value if isinstance(value, str) else _unread(f"--{name} has a value that is not kept, or that stands elsewhere")

    def switch(self, name: str, *, absent: bool) -> bool | Gap:
        """A flag that is true or false; alone it means true."""
        value = self.text(name)
        if isinstance(value, Gap):
            return value
        if name not in self.known:
            return absent
        return value.lower() in ("", "true", "t", "1")

    def missing(self, names: Sequence[str]) -> list[str] | Gap:
        """Those of the flags that are not set: the certain ones, where there are any."""
        values = {name: self.text(name) for name in names}
        found = [name for name, value in values.items() if value == ""]
        return found or next((v for v in values.values() if isinstance(v, Gap)), [])

    def names(self, name: str) -> list[str] | Gap:
        """A flag that is a list."""
        value = self.text(name)
        return value if isinstance(value, Gap) else [part for part in value.split(",") if part]


def _unread(what: str) -> Gap:
    return Gap(Reason.NOT_OFFERED, "", "Write the flag into the command line of the static pod.", what)


def flags_of(pod: Resource, world: World) -> Flags | Gap:
    """The flags of a component."""
    found = world.fact(pod, "flags")
    return found if isinstance(found, Gap) else Flags(found)


# ---- where a component is judged


def components(world: World, scope: str) -> Mapping[str, list[Resource]]:
    """Component → its static pods of a cluster."""

    def build() -> Mapping[str, list[Resource]]:
        found: dict[str, list[Resource]] = {}
        for part in world.all("cluster", scope):
            if part.native_type == POD:
                found.setdefault(str(part.facts.get("component")), []).append(part)
        return found

    return world.memo(f"kubernetes.components {scope}", build)


def provided(cluster: Resource, world: World) -> bool | Gap:
    """Whether a provider runs the control plane: what version or nodes tell."""
    version = world.fact(cluster, "version")
    if not isinstance(version, Gap) and any(mark in version for mark in VERSIONS):
        return True

    def build() -> bool:
        nodes = (n for n in world.all("node", cluster.scope) if n.native_type == NODE)
        return any(key.startswith(LABELS) for node in nodes for key in node.tags)

    if world.memo(f"kubernetes.provided {cluster.scope}", build):
        return True
    return world.listing(NODE, cluster.scope) or False


def place(subject: Resource, names: Sequence[str], world: World) -> JSON | Gap:
    """Where a component is judged, as seen from one part of the cluster or from the whole."""
    if subject.native_type != CLUSTER:
        component = world.fact(subject, "component")
        return component if isinstance(component, Gap) else "here" if component in names else "elsewhere"
    found = components(world, subject.scope)
    if any(name in found for name in names):
        return "pods"
    host = world.fact(subject, "api_host")
    if not isinstance(host, Gap) and host.endswith(HOSTS):
        return "provider"
    unlisted = world.listing(POD, subject.scope)
    by_provider = provided(subject, world)
    if by_provider is True and not unlisted:
        return "provider"
    remedy = f"Scan its manifests and configuration: `bartizan scan manifests /etc/kubernetes/manifests`, with {names[0]}.yaml."
    own = Gap(Reason.NOT_OFFERED, "", remedy, f"no pod of kube-system shows how {names[0]} is started")
    # NOTE: version and nodes of EKS Anywhere look like those of EKS: without the pods of kube-system it is not told apart
    return unlisted or (by_provider if isinstance(by_provider, Gap) else own)


def etcd_place(subject: Resource, world: World) -> JSON | Gap:
    """As `place`; etcd on other machines is nobody's pod."""
    found = place(subject, (ETCD,), world)
    if subject.native_type != CLUSTER or not isinstance(found, Gap):
        return found
    servers = [urls for pod in components(world, subject.scope).get(API_SERVER, ()) for urls in [_servers(pod, world)]]
    external = servers and all(urls and not any(_own(url) for url in urls) for urls in servers)
    return "external" if external else found


def _servers(pod: Resource, world: World) -> list[str]:
    flags = flags_of(pod, world)
    urls = flags if isinstance(flags, Gap) else flags.names("etcd-servers")
    return [] if isinstance(urls, Gap) else urls


def _own(url: str) -> bool:
    """Whether a URL is of the machine itself."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def places(subject: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Where each component is judged. Files of the API server are judged as it is."""
    if subject.native_type in control_plane_files.TYPES:
        return {"api_server": "here", "etcd": "elsewhere", "controllers": "elsewhere"}
    return {
        "api_server": place(subject, (API_SERVER,), world),
        "etcd": etcd_place(subject, world),
        "controllers": place(subject, (CONTROLLERS, SCHEDULER), world),
    }


# ---- what the flags say

PEER_FLAGS = (
    "kubelet-certificate-authority",
    "kubelet-client-certificate",
    "kubelet-client-key",
    "etcd-cafile",
    "etcd-certfile",
    "etcd-keyfile",
)
ETCD_FILES = ("cert-file", "key-file", "trusted-ca-file", "peer-cert-file", "peer-key-file", "peer-trusted-ca-file")
LISTEN = {"listen-client-urls": "http://localhost:2379", "listen-peer-urls": "http://localhost:2380"}


def _read(pod: Resource, world: World, read: Callable[[Flags], Mapping[str, JSON | Gap]]) -> Mapping[str, JSON | Gap]:
    flags = flags_of(pod, world)
    if not isinstance(flags, Gap):
        return read(flags)
    return dict.fromkeys(read(Flags({})), flags)


def api_server(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the command line of an API server says."""
    return _read(pod, world, _api_server) if pod.facts.get("component") == API_SERVER else {}


def _api_server(flags: Flags) -> Mapping[str, JSON | Gap]:
    minimum = flags.text("tls-min-version")
    tokens = flags.text("token-auth-file")
    policy = flags.text("audit-policy-file")
    return {
        "tls_min_version": minimum if isinstance(minimum, Gap) else kubelet.TLS[minimum],
        "tls_cipher_suites": flags.names("tls-cipher-suites"),
        "extends_tokens": flags.switch("service-account-extend-token-expiration", absent=True),
        "peer_flags_missing": flags.missing(PEER_FLAGS),
        "static_tokens": tokens if isinstance(tokens, Gap) else tokens != "",
        "token_lookup": flags.switch("service-account-lookup", absent=True),
        "admission_enabled": flags.names("enable-admission-plugins"),
        "admission_disabled": flags.names("disable-admission-plugins"),
        "audit_policy": policy if isinstance(policy, Gap) else policy != "",
        **_audit(flags),
    }


def _audit(flags: Flags) -> Mapping[str, JSON | Gap]:
    """Files are kept for as long as there is room where no age is set."""
    path, webhook, days = (flags.text(f"audit-{name}") for name in ("log-path", "webhook-config-file", "log-maxage"))
    sinks: list[JSON] = [name for name, value in (("file", path), ("webhook", webhook)) if value and not isinstance(value, Gap)]
    gap = next((value for value in (path, webhook) if isinstance(value, Gap)), None)
    age: JSON | Gap = days if isinstance(days, Gap) else int(days or 0)
    return {"audit_sinks": sinks or gap or [], "audit_days": 0 if path == "" else age}


def etcd(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the command line and the variables of etcd say; with a file of its own it reads neither."""
    return _read(pod, world, _etcd) if pod.facts.get("component") == ETCD else {}


def _etcd(flags: Flags) -> Mapping[str, JSON | Gap]:
    own_file = flags.text("config-file")
    if own_file != "":
        gap = own_file if isinstance(own_file, Gap) else _file(own_file)
        return dict.fromkeys(_etcd(Flags({})), gap)
    made = [flags.switch(name, absent=False) for name in ("auto-tls", "peer-auto-tls")]
    return {
        "etcd_clear": _clear(flags),
        "etcd_client_certificates": flags.switch("client-cert-auth", absent=False),
        "etcd_peer_certificates": flags.switch("peer-client-cert-auth", absent=False),
        "etcd_self_signed": True if True in made else next((m for m in made if isinstance(m, Gap)), False),
        "etcd_files_missing": flags.missing(ETCD_FILES),
    }


def _file(path: str) -> Gap:
    return Gap(Reason.NOT_OFFERED, "", "Set its flags instead, or look into the file.", f"{path} says it, which was not read")


def _clear(flags: Flags) -> list[JSON] | Gap:
    found: list[JSON] = []
    gap: Gap | None = None
    for name, absent in LISTEN.items():
        urls = flags.names(name)
        if isinstance(urls, Gap):
            gap = urls
            continue
        found += [url for url in urls or [absent] if url.startswith("http://") and not _own(url)]
    return found or gap or []


def controllers(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the command lines of the controller manager and the scheduler say."""
    component = pod.facts.get("component")
    if component == CONTROLLERS:
        return _read(pod, world, _controller_manager)
    return _read(pod, world, _scheduler) if component == SCHEDULER else {}


def _bound(flags: Flags) -> str | Gap:
    value = flags.text("bind-address")
    return value if isinstance(value, Gap) else value.strip("[]") or "0.0.0.0"  # noqa: S104 - the default of both


def _controller_manager(flags: Flags) -> Mapping[str, JSON | Gap]:
    return {
        "bind_address": _bound(flags),
        "profiling": flags.switch("profiling", absent=True),
        "account_credentials": flags.switch("use-service-account-credentials", absent=False),
        "controller_files_missing": flags.missing(("root-ca-file", "service-account-private-key-file")),
    }


def _scheduler(flags: Flags) -> Mapping[str, JSON | Gap]:
    """With a file of its own the scheduler ignores --profiling. It has no controllers: what is asked of them is as it should be."""
    own_file = flags.text("config")
    by_file = own_file if isinstance(own_file, Gap) else _file(own_file) if own_file else None
    return {
        "bind_address": _bound(flags),
        "profiling": by_file or flags.switch("profiling", absent=True),
        "account_credentials": True,
        "controller_files_missing": [],
    }


PARTS = (POD, CLUSTER, *control_plane_files.TYPES)
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "cluster",
        ("api_server", "etcd", "controllers"),
        places,
        needs=("component", "flags", "version", "api_host"),
        reads={POD: ("component", "flags"), NODE: ("container_host",)},
        native_types=PARTS,
    ),
    Derivation("cluster", tuple(_api_server(Flags({}))), api_server, needs=("component", "flags"), native_types=(POD,)),
    Derivation("cluster", tuple(_etcd(Flags({}))), etcd, needs=("component", "flags"), native_types=(POD,)),
    Derivation("cluster", tuple(_scheduler(Flags({}))), controllers, needs=("component", "flags"), native_types=(POD,)),
    *control_plane_files.DERIVATIONS,
    *api_address.DERIVATIONS,
    *support.DERIVATIONS,
    *kubelet.DERIVATIONS,
)
