"""How kubelets are set up: by a configuration file or an answer to `/configz` that was given as evidence.

Nothing here asks a kubelet: the way through the API server takes nodes/proxy, which is the right to run commands in every pod. The defaults
are those of the file; a kubelet that has only flags has others (anonymous requests, AlwaysAllow, port 10255):
https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/v1beta1/defaults.go
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes.evidence import beside, clusters, given, parts
from scanner.derive.kubernetes.types import NODE, from_manifests
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

KUBELET = "kubelet.config.k8s.io/v1beta1/KubeletConfiguration"
SERVERLESS: Mapping[str, frozenset[str]] = {
    "eks.amazonaws.com/compute-type": frozenset({"fargate"}),
    "type": frozenset({"virtual-kubelet"}),
    "kubernetes.io/role": frozenset({"agent-virtual"}),
}
"""Labels of nodes that a provider runs alone."""
AUTOPILOT = "gk3-"
"""How names of Autopilot's nodes begin: https://cloud.google.com/kubernetes-engine/docs/concepts/autopilot-overview"""
EKS = "eks.amazonaws.com/"
TLS = {"": "1.2", "VersionTLS10": "1.0", "VersionTLS11": "1.1", "VersionTLS12": "1.2", "VersionTLS13": "1.3"}


def serverless(node: Resource, _world: World) -> Mapping[str, JSON | Gap]:
    """Whether a provider runs the node alone."""
    labelled = any(node.tags.get(name) in values for name, values in SERVERLESS.items())
    return {"serverless": node.native_type == NODE and (labelled or node.name.startswith(AUTOPILOT))}


class Settings:
    """The written settings of a kubelet, and what holds where one is not written."""

    def __init__(self, written: Mapping[str, Any], unwritten: Gap | None) -> None:
        self.written = written
        self.unwritten = unwritten

    def value(self, name: str, of: type, absent: Any) -> Any:
        """A setting, or its gap."""
        if name not in self.written:
            return self.unwritten or absent
        found = self.written[name]
        if isinstance(found, of) and not (of is int and isinstance(found, bool)):
            return found
        return Gap(Reason.UNPARSABLE, f"kubelet.{name}", "Correct the file.", f"{name} is of another type than documented")


def _facts(settings: Settings) -> dict[str, JSON | Gap]:
    minimum, client_ca = settings.value("min_version", str, ""), settings.value("client_ca", str, "")
    return {
        "kubelet_anonymous": settings.value("anonymous", bool, absent=False),
        "kubelet_authorization": _authorization(settings),
        "kubelet_read_only_port": settings.value("read_only_port", int, 0),
        "kubelet_client_rotation": settings.value("rotate", bool, absent=False),
        "kubelet_serving": _serving(settings),
        "kubelet_client_ca": client_ca if isinstance(client_ca, Gap) else client_ca != "",
        "kubelet_tls_min_version": minimum if isinstance(minimum, Gap) else TLS.get(minimum, _odd(minimum)),
        "kubelet_cipher_suites": _ciphers(settings),
        "kubelet_seccomp_default": settings.value("seccomp", bool, absent=False),
        "kubelet_pids_limit": settings.value("pids", int, -1),
    }


def _authorization(settings: Settings) -> JSON | Gap:
    mode = settings.value("authorization", str, "") or settings.unwritten or "Webhook"
    known = isinstance(mode, Gap) or mode in ("Webhook", "AlwaysAllow")
    return mode if known else Gap(Reason.UNPARSABLE, "kubelet.authorization", "Correct the file.", f"{mode!r} is no mode")


def _ciphers(settings: Settings) -> JSON | Gap:
    suites = settings.value("ciphers", list, [])
    if isinstance(suites, Gap) or all(isinstance(suite, str) for suite in suites):
        return suites
    return Gap(Reason.UNPARSABLE, "kubelet.ciphers", "Correct the file.", "tlsCipherSuites is no list of texts")


def _odd(value: str) -> Gap:
    return Gap(Reason.UNPARSABLE, "kubelet.min_version", "Correct the file.", f"{value!r} is no TLS version")


def _serving(settings: Settings) -> JSON | Gap:
    """The gate is on unless it is turned off; a file is used only where none is asked for."""
    asked = settings.value("bootstrap", bool, absent=False)
    if isinstance(asked, Gap):
        return asked
    gate = settings.value("server_rotation", bool, absent=True) if asked else False
    file = settings.value("certificate", str, "")
    gap = next((g for g in (gate, file) if isinstance(g, Gap)), None)
    return gap or ("given" if file else "issued" if gate else "self_signed")


def of_kubelet(subject: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The settings of a kubelet, or of the node that a file belongs to."""
    found = subject if subject.native_type == KUBELET else of_node(subject, world)
    if isinstance(found, Gap):
        return dict.fromkeys(FACTS, found)
    written = world.fact(found, "kubelet")
    if isinstance(written, Gap):
        return dict.fromkeys(FACTS, written)
    facts = _facts(Settings(written, _fragment(found)))
    if any(label.startswith(EKS) for label in subject.tags):
        facts["kubelet_client_rotation"] = True  # it shows an IAM identity, no certificate
    return facts


def _fragment(file: Resource) -> Gap | None:
    """Why nothing follows from what a file does not say.

    Drop-ins: https://kubernetes.io/docs/tasks/administer-cluster/kubelet-config-file/#kubelet-configuration-merging-order
    """
    if not any(part.endswith(".d") for part in parts(file.where.file)[:-1]):
        return None
    return Gap(Reason.NOT_OFFERED, "", REMEDY, f"{file.where.file} is a part of the configuration")


# NOTE: the same text for every node, so that reports fold a thousand of them into one
REMEDY = (
    "For each node NAME let someone who may save `kubectl get --raw /api/v1/nodes/NAME/proxy/configz` as NAME.json, or copy the node's "
    "/var/lib/kubelet/config.yaml as NAME.yaml, and name the folder of these files under `manifests` in bartizan.yaml."
)


def of_node(node: Resource, world: World) -> Resource | Gap:
    """The configuration of a node: of several files what the kubelet answered, else the only one."""
    named = world.memo("kubernetes.kubelets", lambda: _by_part(world))
    files = beside(node, [f for f in named.get(node.name, ()) if f.id != node.id], world)
    if len(clusters(world)) > 1 and not from_manifests(node):
        files = [f for f in files if node.scope in parts(f.where.file)]
    effective = [f for f in files if f.facts.get("kubelet_effective") is True]
    chosen = effective or files
    if len(chosen) == 1 and (effective or _fragment(chosen[0]) is None):
        return chosen[0]
    what = "several files say how it is set up" if chosen else "no file says how its kubelet is set up"
    return Gap(Reason.NOT_OFFERED, "", REMEDY, what)


def _by_part(world: World) -> Mapping[str, Sequence[Resource]]:
    """Folder or name → the configurations under it: a node's lies in a folder, or has a name, that is called like the node."""
    found: dict[str, list[Resource]] = {}
    for file in given(world, "node", KUBELET):
        for part in dict.fromkeys(p.removeprefix("kubelet-") for p in parts(file.where.file)):
            found.setdefault(part, []).append(file)
    return found


FACTS = tuple(_facts(Settings({}, None)))
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("node", ("serverless",), serverless, native_types=(NODE, KUBELET)),
    Derivation(
        "node",
        FACTS,
        of_kubelet,
        needs=("kubelet", "kubelet_effective"),
        reads={KUBELET: ("kubelet", "kubelet_effective")},
        native_types=(NODE, KUBELET),
    ),
)
