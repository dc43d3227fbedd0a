"""How the facts of Ray clusters are read, whichever object makes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.commands import ELSEWHERE, environment
from collectors.kubernetes.marks import MARKS
from collectors.kubernetes.reads import internet_facing
from collectors.kubernetes.shapes import Pod, pods_at
from collectors.kubernetes.within import mapping, mappings
from collectors.table import MISSING

Item = Mapping[str, Any]


def ray_pods(prefix: str) -> str:
    """Where the pods of a Ray cluster spec stand."""
    return f"head={prefix}.headGroupSpec.template.spec + {prefix}.workerGroupSpecs[groupName].template.spec"


def ray_cluster(item: Item) -> tuple[Mapping[str, Any], str]:
    """The cluster spec of a Ray object, and its path."""
    spec = mapping(item.get("spec"))
    for key in ("rayClusterSpec", "rayClusterConfig"):
        if isinstance(spec.get(key), Mapping):
            return spec[key], f"spec.{key}"
    return spec, "spec"


def has_ray_cluster(item: Item) -> bool:
    """Whether a Ray object makes a cluster of its own (a RayJob may select another)."""
    return isinstance(ray_cluster(item)[0].get("headGroupSpec"), Mapping)


def ray_auth(item: Item) -> Any:
    """`token` or `none`.

    NOTE: the operator's documentation says that `authOptions.mode` defaults to `token`; its code turns authentication on only where the
    mode is written (`IsAuthEnabled`), so `authOptions: {}` is none. Ray's own default is `disabled`.
    https://docs.ray.io/en/latest/ray-security/token-auth.html
    """
    spec, path = ray_cluster(item)
    if mapping(spec.get("authOptions")).get("mode") == "token":
        return "token"
    modes = [_auth_env(c) for pod in pods_at(item, ray_pods(path)) for c in _ray_containers(pod)]
    if MISSING in modes:
        return MISSING
    return "token" if modes and all(m == "token" for m in modes) else "none"


def _ray_containers(pod: Pod) -> Iterator[Mapping[str, Any]]:
    """The container that runs Ray: the first one.

    https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html
    """
    yield from mappings(pod.spec.get("containers"))[:1]


def _auth_env(container: Mapping[str, Any]) -> Any:
    for entry in mappings(container.get("env")):
        if entry.get("name") == "RAY_AUTH_MODE":
            value = entry.get("value")
            return MISSING if value is None or value in MARKS else value
    return MISSING if container.get("envFrom") else ""


OFFICIAL = re.compile(r"(?:^|/)rayproject/ray(?:-\w+)?:(\d+\.\d+\.\d+)")
"""Ray's own images, mirrored or not: others have numbers of their own as their tag."""
MIRRORED = re.compile(r"(?:^|/)ray(?:-\w+)?:(2\.\d+\.\d+)")
"""Images that may be copies of them: Ray's releases are 2.x."""


def _head_image(item: Item, path: str) -> str:
    """The image that runs Ray on the head, empty where it is not written."""
    images = (str(first.get("image", "")) for pod in pods_at(item, ray_pods(path)) for first in _ray_containers(pod))
    return next(images, "")


def ray_version(item: Item) -> Any:
    """The Ray version: as written, else from the tag of the head's image; not known where the two are of different releases."""
    spec, path = ray_cluster(item)
    written = re.match(r"\d+\.\d+\S*", str(spec.get("rayVersion") or ""))
    image = _head_image(item, path)
    tagged = OFFICIAL.search(image)
    if written is None:
        return tagged.group(1) if tagged and not spec.get("rayVersion") else MISSING
    # NOTE: a mirror's tag tells no version by itself, but it may tell that the written one is of another time
    mirrored = tagged or MIRRORED.search(image)
    same = mirrored is None or mirrored.group(1).split(".")[:2] == written.group().split(".")[:2]
    return written.group() if same else MISSING


def image_version(item: Item) -> Any:
    """The Ray version that the head's image has, where it is one of Ray's own with its version as its tag."""
    _, path = ray_cluster(item)
    tagged = OFFICIAL.search(_head_image(item, path))
    return tagged.group(1) if tagged else MISSING


# ---- who reaches the head

DANGEROUS = {"dashboard": 8265, "client": 10001, "gcs-server": 6379}
"""What lets a caller run code: port name → default. https://docs.ray.io/en/latest/ray-core/configure.html#ports-configurations"""
START_PARAMETERS = {"dashboard": "dashboard-port", "client": "ray-client-server-port", "gcs-server": "port"}


def _head(item: Item) -> Mapping[str, Any]:
    return mapping(ray_cluster(item)[0].get("headGroupSpec"))


def _declared(item: Item) -> dict[str, int]:
    """The ports that the head's first container declares; the operator makes the Service of them, or of its defaults."""
    containers = mappings(mapping(mapping(_head(item).get("template")).get("spec")).get("containers"))
    ports = mappings(containers[0].get("ports")) if containers else []
    return {str(p.get("name") or n): p["containerPort"] for n, p in enumerate(ports) if isinstance(p.get("containerPort"), int)}


def head_ports(item: Item) -> list[int]:
    """The ports of the head that let a caller run code."""
    started = mapping(_head(item).get("rayStartParams"))
    declared = _declared(item)
    found = set()
    for name, default in DANGEROUS.items():
        told = str(started.get(START_PARAMETERS[name]) or "")
        found |= {int(told) if told.isdigit() else default} | ({declared[name]} if name in declared else set())
    return sorted(found)


def head_ways(item: Item) -> list[dict[str, Any]]:
    """The ways to those ports that the object itself asks the operator to make.

    https://github.com/ray-project/kuberay/blob/master/ray-operator/controllers/ray/common/service.go
    """
    cluster, head = ray_cluster(item)[0], _head(item)
    dangerous = set(head_ports(item))
    served = set(_declared(item).values()) or set(DANGEROUS.values())
    own = mapping(head.get("headService"))
    own_spec = mapping(own.get("spec"))
    notes = {**mapping(mapping(own.get("metadata")).get("annotations")), **mapping(cluster.get("headServiceAnnotations"))}
    served |= _service_ports(own_spec)
    kind = own_spec.get("type") or head.get("serviceType")
    ways = _service_ways(kind, own_spec, notes, sorted(served & dangerous))
    if head.get("enableIngress") is True:
        ways.append({"way": "ingress", "internet": "unknown", "ports": [_declared(item).get("dashboard", DANGEROUS["dashboard"])]})
    serve = mapping(mapping(item.get("spec")).get("serveService"))
    serve_spec = mapping(serve.get("spec"))
    ports = sorted(_service_ports(serve_spec) & dangerous)
    serve_notes = mapping(mapping(serve.get("metadata")).get("annotations"))
    return ways + _service_ways(serve_spec.get("type") or head.get("serviceType"), serve_spec, serve_notes, ports)


def _service_ports(spec: Mapping[str, Any]) -> set[int]:
    return {p[k] for p in mappings(spec.get("ports")) for k in ("port", "targetPort") if isinstance(p.get(k), int)}


def _service_ways(kind: Any, spec: Mapping[str, Any], notes: Mapping[str, Any], ports: list[int]) -> list[dict[str, Any]]:
    if kind not in ("LoadBalancer", "NodePort") or not ports:
        return []
    made = {"metadata": {"annotations": notes}, "spec": {**spec, "type": kind}}
    public = internet_facing(made)
    internet = "unknown" if public is MISSING else "yes" if public else "no"
    return [{"way": "load balancer" if kind == "LoadBalancer" else "node port", "internet": internet, "ports": ports}]


# ---- what protects its traffic


def tls_setting(item: Item) -> Any:
    """`operator` where the operator is asked for certificates, `variables` where every part has them by hand, else `none`.

    https://docs.ray.io/en/latest/ray-core/configure.html#tls-authentication
    """
    cluster, path = ray_cluster(item)
    if mapping(cluster.get("tlsOptions")).get("enabled") is True:
        return "operator"
    parts = [c for pod in pods_at(item, ray_pods(path)) for c in _ray_containers(pod)]
    if cluster.get("enableInTreeAutoscaling") is True:
        parts.append(mapping(cluster.get("autoscalerOptions")))
    found = [_tls(part) for part in parts]
    if False in found or not found:
        return "none"
    return MISSING if MISSING in found else "variables"


def _tls(part: Mapping[str, Any]) -> Any:
    env = environment(part)
    value = env.get("RAY_USE_TLS", MISSING if part.get("envFrom") else "")
    if value is MISSING or value is None or value == ELSEWHERE:
        return MISSING
    files = [
        env.get(f"RAY_TLS_{name}", MISSING if part.get("envFrom") else "") for name in ("SERVER_CERT", "SERVER_KEY", "CA_CERT")
    ]
    if value != "1" or "" in files:
        return False
    return MISSING if MISSING in files else True


def policy_mode(item: Item) -> str:
    """Mode of the network policies that the operator is asked for, `none` for no policies. `DenyAll` is the operator's default."""
    asked = ray_cluster(item)[0].get("networkPolicy")
    return str(asked.get("mode") or "DenyAll") if isinstance(asked, Mapping) else "none"


def worker_groups(item: Item) -> list[str]:
    """Names of the groups of workers."""
    return [str(g.get("groupName") or n) for n, g in enumerate(mappings(ray_cluster(item)[0].get("workerGroupSpecs")))]
