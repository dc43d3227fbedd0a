"""Networks beside the cluster's own: what their CNI configurations say, and which pods attach to them.

A configuration is JSON in a string, written by hand more often than not: trailing commas are let pass, anything else that is no JSON is
a gap. Where a NetworkAttachmentDefinition has none, the configuration lies in a file of the nodes.
https://github.com/k8snetworkplumbingwg/multi-net-spec
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Mapping
from typing import Any

from collectors.kubernetes.reads import notes
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING

Item = Mapping[str, Any]
LONGEST = 64 * 1024
"""Characters of a configuration that are read."""
_PART = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])')
INFINIBAND = frozenset({"ib-sriov", "ipoib"})
POOLED = frozenset({"sriov", "ib-sriov", "host-device"})
"""Plugins that hand a device of its own to each pod."""
RESOURCE = "k8s.v1.cni.cncf.io/resourceName"
POLICY_FOR = "k8s.v1.cni.cncf.io/policy-for"
DEFAULT_NETWORK = "v1.multus-cni.io/default-network"
NETWORKS = "k8s.v1.cni.cncf.io/networks"
RDMA_RESOURCE = re.compile(r"rdma/.+|mellanox\.com/.+|nvidia\.com/(?!gpu|mig-).+|[^/]*/.*(?:rdma|roce|infiniband).*", re.IGNORECASE)
_SUBINTERFACE = re.compile(r".+\.(?P<tag>\d{1,4}|[0-9a-f]{4})")
_VLAN_NAME = re.compile(r"vlan(?P<tag>\d{1,4})")
NO_PKEYS = frozenset({"", "0x0", "0x7fff", "0xffff"})
"""No partition of its own: none, or the default one."""
EVERYWHERE = frozenset({"0.0.0.0/0", "::/0"})


def parsed(text: Any) -> Any:
    """JSON as people write it. Raises ValueError where it is none."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError("no configuration of a bounded length")
    try:
        return json.loads(_PART.sub(lambda m: "" if m.group() == "," else m.group(), text), strict=False)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _object(text: Any) -> Mapping[str, Any]:
    found = parsed(text)
    if not isinstance(found, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - of the object, not of the program
    return found


# ---- one network, whatever type of object says it


def plugins(item: Item) -> list[Mapping[str, Any]] | None:
    """The CNI plugins of a network, the one that makes the interface first; None where they are only known on the nodes.

    Raises ValueError where a configuration cannot be read.
    """
    spec, kind = mapping(item.get("spec")), item.get("kind")
    made = MAKERS.get(str(kind))
    if made is None:
        text = spec.get("config")
        if text is None or text == "":
            return None
        config = _object(text)
        chain = mappings(config.get("plugins")) if "plugins" in config else [config]
        if not chain or not all(isinstance(p.get("type"), str) for p in chain):
            raise ValueError("a plugin without a type")
        return chain
    meta = spec.get("metaPlugins")
    chained = mappings(parsed(f"[{meta}]")) if meta else []
    return [{"type": made, **{k: spec[k] for k in ("master", "vlan", "pkey") if spec.get(k) is not None}}, *chained]


MAKERS: Mapping[str, str] = {
    "MacvlanNetwork": "macvlan",
    "HostDeviceNetwork": "host-device",
    "IPoIBNetwork": "ipoib",
    "SriovNetwork": "sriov",
    "SriovIBNetwork": "ib-sriov",
}
"""Objects of which an operator makes a NetworkAttachmentDefinition of the same name → the plugin in it.

https://github.com/Mellanox/network-operator/tree/master/manifests
https://github.com/k8snetworkplumbingwg/sriov-network-operator/tree/master/bindata/manifests/cni-config
"""


def home(item: Item, context: Mapping[str, str]) -> str:
    """The namespace of the NetworkAttachmentDefinition: as written, else that of the object, and `default` for those that have none.

    https://github.com/Mellanox/network-operator/blob/master/pkg/state/state_macvlan_network.go
    https://github.com/k8snetworkplumbingwg/sriov-network-operator/blob/master/api/v1/helper.go
    """
    written = mapping(item.get("spec")).get("networkNamespace")
    return str(written or context["namespace"] or "default")


def plugin(item: Item) -> Any:
    """The type of the plugin that makes the interface."""
    chain = plugins(item)
    return MISSING if chain is None else str(chain[0]["type"])


def master(item: Item) -> Any:
    """The interface of the node that it is made on, empty where none is named."""
    chain = plugins(item)
    return MISSING if chain is None else str(chain[0].get("master") or "")


def vlan(item: Item) -> Any:
    """The VLAN that its traffic is tagged with, 0 for none: of the plugin, else of the interface that it is made on."""
    chain = plugins(item)
    if chain is None:
        return MISSING
    first = chain[0]
    written = first.get("vlanId") if first["type"] == "vlan" else first.get("vlan")
    if written not in (None, ""):
        return int(str(written))
    named = str(first.get("master") or "")
    found = _SUBINTERFACE.fullmatch(named) or _VLAN_NAME.fullmatch(named)
    return int(found["tag"]) if found and found["tag"].isdecimal() and first["type"] not in INFINIBAND else 0


def pkey(item: Item) -> Any:
    """The InfiniBand partition, empty for none or the default one: of the plugin, else of the interface that it is made on."""
    chain = plugins(item)
    if chain is None:
        return MISSING
    first = chain[0]
    written = str(first.get("pkey") or "").lower()
    if not written and first["type"] in INFINIBAND:
        found = _SUBINTERFACE.fullmatch(str(first.get("master") or "").lower())
        written = f"0x{found['tag']}" if found else ""
    return "" if written in NO_PKEYS else written


def device(item: Item) -> str:
    """The pool of devices that it takes one of for each pod, without the prefix of its vendor; empty for none."""
    written = mapping(item.get("spec")).get("resourceName") or notes(item).get(RESOURCE) or ""
    return str(written).rpartition("/")[2]


def carries_rdma(item: Item) -> Any:
    """Whether it is of the fabric, as far as it says itself: `yes`, `no` for what stays within a node or is tunnelled, or `maybe`."""
    chain = plugins(item)
    if item.get("kind") in MAKERS:
        return "yes"
    if chain is None:
        return MISSING
    kinds = {str(p["type"]) for p in chain}
    if kinds & (INFINIBAND | POOLED | {"rdma"}) or RDMA_RESOURCE.fullmatch(str(notes(item).get(RESOURCE) or "")):
        return "yes"
    return "no" if chain[0]["type"] in WITHIN else "maybe"


WITHIN = frozenset(
    {"bridge", "ptp", "dummy", "tap", "loopback", "ovn-k8s-cni-overlay", "flannel", "calico", "cilium-cni", "kube-ovn", "antrea"}
)
"""Plugins whose networks are no interface of the node's: https://www.cni.dev/plugins/current/main/"""


# ---- addresses and routes


def _ipam(item: Item) -> Mapping[str, Any]:
    spec = mapping(item.get("spec"))
    if item.get("kind") in MAKERS:
        return _object(spec["ipam"]) if spec.get("ipam") else {}
    chain = plugins(item)
    return mapping(chain[0].get("ipam")) if chain else {}


def default_route(item: Item) -> Any:
    """Whether it gives pods a default route. One that source-based routing keeps in a table of its own does not count.

    https://www.cni.dev/plugins/current/meta/sbr/ . A gateway alone makes no route: https://www.cni.dev/plugins/current/ipam/host-local/
    """
    chain = plugins(item)
    if chain is None:
        return MISSING
    if any(p["type"] == "sbr" for p in chain[1:] if isinstance(p.get("type"), str)):
        return False
    if chain[0].get("isDefaultGateway") is True:  # https://www.cni.dev/plugins/current/main/bridge/
        return True
    return _everywhere(_ipam(item).get("routes"))


def _everywhere(routes: Any) -> bool:
    """Whether one of some routes leads everywhere. Raises ValueError where a destination is none."""
    for route in mappings(routes):
        written = str(route.get("dst") or "")
        if written and str(ipaddress.ip_network(written, strict=False)) in EVERYWHERE:
            return True
    return False


def address_pools(item: Item) -> Any:
    """Pools of addresses of NVIDIA's plugin that it takes addresses from, as `Kind/name`: they hold routes as well.

    https://github.com/Mellanox/nvidia-k8s-ipam/blob/main/README.md
    """
    if item.get("kind") not in MAKERS and plugins(item) is None:
        return MISSING
    found = _ipam(item)
    if found.get("type") != "nv-ipam":
        return []
    kind = {"cidrpool": "CIDRPool"}.get(str(found.get("poolType") or "").lower(), "IPPool")
    names = [n.strip() for n in str(found.get("poolName") or "").split(",") if n.strip()]
    if not names:
        raise ValueError("no pool is named")
    return [f"{kind}/{name}" for name in names]


def pool_default_route(item: Item) -> bool:
    """Whether a pool of addresses gives pods a default route."""
    spec = mapping(item.get("spec"))
    return spec.get("defaultGateway") is True or _everywhere(spec.get("routes"))


# ---- policies, and pods


def policy_for(item: Item, context: Mapping[str, str]) -> list[str]:
    """The networks that a MultiNetworkPolicy is for, as `namespace/name`; it selects pods of its own namespace.

    https://github.com/k8snetworkplumbingwg/multi-networkpolicy/blob/master/README.md
    """
    names = [n.strip() for n in str(notes(item).get(POLICY_FOR) or "").split(",") if n.strip()]
    return sorted({n if "/" in n else f"{context['namespace']}/{n}" for n in names})


def attachments(meta: Any, context: Mapping[str, str]) -> list[dict[str, Any]]:
    """Networks that pods are attached to by Multus, and whether each is to carry their default route.

    Elements are `namespace/name@interface`, or objects of a JSON array. Raises ValueError where the array is none.
    """
    noted = mapping(mapping(meta).get("annotations"))
    found: dict[str, bool] = {}
    for key in (NETWORKS, DEFAULT_NETWORK):
        for name, routed in _selected(noted.get(key)):
            full = name if "/" in name else f"{context['namespace']}/{name}"
            found[full] = found.get(full, False) or routed or key == DEFAULT_NETWORK
    return [{"network": name, "default_route": found[name]} for name in sorted(found)]


def _selected(value: Any) -> list[tuple[str, bool]]:
    if not isinstance(value, str) or not value.strip():
        return []
    if not value.lstrip().startswith("["):
        return [(n.strip().partition("@")[0], False) for n in value.split(",") if n.strip()]
    entries = sequence(parsed(value))
    if not all(isinstance(e, dict) and isinstance(e.get("name"), str) for e in entries):
        raise ValueError("a network without a name")
    return [
        (f"{e['namespace']}/{e['name']}" if e.get("namespace") else e["name"], bool(sequence(e.get("default-route"))))
        for e in entries
    ]


def node_policy_rdma(item: Item) -> bool:
    """Whether a SriovNetworkNodePolicy makes devices with RDMA, which it does only if told.

    https://github.com/k8snetworkplumbingwg/sriov-network-operator/blob/master/api/v1/sriovnetworknodepolicy_types.go
    """
    spec = mapping(item.get("spec"))
    return spec.get("isRdma") is True or str(spec.get("linkType") or "").lower() == "ib"
