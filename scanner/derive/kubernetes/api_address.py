"""Whence the API server is reached, as far as the address tells that the scan asked, and the provider's own account where it was scanned.

No name is looked up: what a name leads to may differ from place to place.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from scanner.derive.kubernetes.types import CLUSTER, object_id
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

EKS = "AWS::EKS::Cluster"
CONFIG_MAP = "v1/ConfigMap"
PRIVATE = tuple(
    map(
        ipaddress.ip_network,
        ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7", "fe80::/10"),
    )
)
"""RFC 1918, 6598, 3927, 4193 and 4291."""
INTERNAL = (".internal", ".privatelink.")
"""In names that lead to private addresses only: https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en
and private clusters of AKS, https://learn.microsoft.com/en-us/azure/aks/private-clusters"""
WIDEST = {4: 16, 6: 32}
"""Prefixes of blocks that are narrow, as `exposure.cluster_api_open` has them."""


def reach(cluster: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whence the API server is reached."""
    by_account = _account(cluster, world)
    if by_account is not None:
        return {"api_reach": by_account}
    host = world.fact(cluster, "api_host")
    seen = [host, _published(cluster, world)]
    found = [_class(h) for h in seen if isinstance(h, str) and h]
    if "public" in found:
        return {"api_reach": "public"}
    if "private" in found:
        return {"api_reach": "private"}
    return {"api_reach": host if isinstance(host, Gap) else _unknown(host)}


def _unknown(host: str) -> Gap:
    remedy = "Scan the provider's account in the same run: it says whether the endpoint is public, and to whom."
    what = f"{host} does not tell whence it is reached" if host else "it was asked from within the cluster or through a proxy"
    return Gap(Reason.NOT_OFFERED, "", remedy, what)


def _class(host: str) -> str:
    """`public`, `private`, or empty where a name or a tunnel does not tell."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "private" if any(mark in f"{host}." for mark in (f"{INTERNAL[0]}.", INTERNAL[1])) else ""
    if address.is_loopback or address.is_unspecified:
        return ""
    return "private" if any(address in network for network in PRIVATE) else "public"


def _published(cluster: Resource, world: World) -> str:
    """The host that `kube-public/cluster-info` tells everyone; empty where it was not seen."""
    found = world.get("configuration", object_id(cluster.scope, "ConfigMap", "kube-public", "cluster-info"))
    settings = found.facts.get("settings") if found is not None else None
    server = settings.get("server") if isinstance(settings, dict) else None
    return urlsplit(str(server)).hostname or "" if server else ""


def _account(cluster: Resource, world: World) -> JSON | Gap | None:
    """What EKS says of the cluster: `aws eks update-kubeconfig` calls it by its ARN, eksctl by name and region."""
    found = world.get("cluster", cluster.scope) or _eksctl(cluster, world)
    if found is None or found.native_type != EKS:
        return None
    public, cidrs = world.fact(found, "api_public"), world.fact(found, "api_cidrs")
    if public is False:
        return "private"
    if isinstance(public, Gap) or isinstance(cidrs, Gap):
        return public if isinstance(public, Gap) else cidrs
    return "narrowed" if cidrs and all(map(_narrow, cidrs)) else "public"


def _eksctl(cluster: Resource, world: World) -> Resource | None:
    """The account's cluster of a context that eksctl has written."""
    name, _, rest = cluster.scope.partition(".")
    region = rest.removesuffix(".eksctl.io")
    if region == rest:
        return None
    every = [c for c in world.all("cluster") if c.native_type == EKS and (c.name, c.region) == (name, region)]
    return every[0] if len(every) == 1 else None


def _narrow(cidr: object) -> bool:
    try:
        block = ipaddress.ip_network(str(cidr), strict=False)
    except ValueError:
        return False
    return block.prefixlen >= WIDEST[block.version] or _class(str(block.network_address)) == "private"


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "cluster",
        ("api_reach",),
        reach,
        needs=("api_host",),
        reads={CONFIG_MAP: ("settings", "namespace"), EKS: ("api_public", "api_cidrs")},
        native_types=(CLUSTER,),
    ),
)
