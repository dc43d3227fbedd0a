"""Network plugins, Multus and ingress-nginx among the containers of a pod: by image and command line, never by what an object is called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.kubernetes.commands import flags, words
from collectors.kubernetes.images import parse
from collectors.kubernetes.pods import Spec, raw_containers
from collectors.kubernetes.within import mapping, mappings
from collectors.table import MISSING

Raw = Mapping[str, Any]
YES, NO, UNKNOWN = "yes", "no", "unknown"


def _image(raw: Raw) -> tuple[str, str]:
    """(repository, tag) of a container; empty where its image cannot be read."""
    image = parse(str(raw.get("image") or ""))
    return (image.repository, image.tag) if image else ("", "")


# ---- network plugins

ENGINES: tuple[tuple[str, str, str, str], ...] = (
    # name, container, image, whether it enforces NetworkPolicies
    ("Cilium", r"cilium-agent", r"(?:.*[/-])?cilium(?:-enterprise)?", "setting"),  # as cilium-config says
    ("Calico", r"calico-node|cnx-node", r".*(?:calico|tigera|cnx).*", YES),
    ("Antrea", r"antrea-agent", r".*antrea.*", YES),
    ("OVN-Kubernetes", r"ovnkube-(?:node|controller)|ovn-controller", r".*", YES),
    ("Kube-OVN", r"cni-server", r".*kube-ovn", YES),
    ("kube-router", r"kube-router", r".*kube-router", "flag"),
    ("kube-network-policies", r".*", r".*kube-network-policies", YES),
    ("Weave Net", r"weave-npc", r".*weave-npc", YES),
    ("Azure network policy manager", r"azure-npm", r".*azure-npm", YES),
    ("Amazon VPC CNI network policy agent", r".*", r".*aws-network-policy-agent", "flag"),
    ("kindnet", r"kindnet-cni|kindnet", r".*kindnetd?", "dated"),
    ("multi-networkpolicy", r".*", r".*multi-networkpolicy.*", "secondary"),  # of networks that Multus adds
    ("Flannel", r"kube-flannel", r".*flannel", NO),
    ("Amazon VPC CNI", r"aws-node", r".*amazon-k8s-cni", NO),
    ("Azure CNI", r"cns-container|azure-cns", r".*azure-cns", NO),
)
"""https://kubernetes.io/docs/concepts/services-networking/network-policies/#prerequisites ; of Flannel:
https://github.com/flannel-io/flannel/blob/master/Documentation/netpol.md"""
SWITCHES: Mapping[str, tuple[str, str]] = {
    # engine → flag, and its value where it is not given
    "kube-router": (
        "run-firewall",
        "true",
    ),  # https://github.com/cloudnativelabs/kube-router/blob/master/docs/user-guide.md
    "Amazon VPC CNI network policy agent": (
        "enable-network-policy",
        "false",
    ),  # https://github.com/aws/aws-network-policy-agent/blob/main/README.md
}
_DATED = re.compile(r"v(\d{8})-.*")
KINDNET = "20240813"
"""From this build on it enforces policies: https://github.com/kubernetes-sigs/kind/releases/tag/v0.24.0"""


def network_agents(spec: Spec) -> list[dict[str, str]]:
    """Agents of network plugins among the containers of a pod, and whether each enforces NetworkPolicies."""
    found = []
    for kind, raw in raw_containers(spec):
        repository, tag = _image(raw)
        name = str(raw.get("name") or "")
        for product, container, image, enforces in ENGINES if kind == "container" and repository else ():
            if re.fullmatch(container, name) and re.fullmatch(image, repository):
                found.append({"container": name, "product": product, "policies": _enforces(product, enforces, raw, tag)})
                break
    return found


def _enforces(product: str, how: str, raw: Raw, tag: str) -> str:
    if how == "flag":
        flag, otherwise = SWITCHES[product]
        value = flags(words(raw)).get(flag, otherwise)
        return {"true": YES, "": YES, "false": NO}.get(str(value), UNKNOWN)
    if how == "dated":
        built = _DATED.fullmatch(tag)
        return UNKNOWN if built is None else YES if built[1] >= KINDNET else NO
    return how


# ---- Multus

CONFIGS: Mapping[str, str] = {"thick": "multus-daemon-config", "thin": "multus-cni-config"}
"""ConfigMaps of Multus, by the way in which it runs.
https://github.com/k8snetworkplumbingwg/multus-cni/tree/master/deployments"""
MOUNTED = "/tmp/multus-conf"  # noqa: S108 - where its manifests mount it


def multus(spec: Spec) -> list[dict[str, str]]:
    """How Multus runs among the containers of a pod, and where it reads whether namespaces are kept apart.

    `isolation`: `on`, `off` by its flags; else a `config_map`, or `unknown` for a file of the nodes.
    """
    found = []
    for kind, raw in raw_containers(spec):
        repository, tag = _image(raw)
        line = words(raw)
        if kind != "container" or not (repository.rpartition("/")[2].endswith("multus-cni") or "multus-daemon" in line):
            continue
        thick = "multus-daemon" in line or tag.endswith("-thick")
        given = flags(line)
        config = given.get("multus-conf-file", "auto")
        if thick or (config or "").startswith(MOUNTED):
            how, named = "config_map", _config_map(spec, CONFIGS["thick" if thick else "thin"])
        elif config == "auto":
            # https://github.com/k8snetworkplumbingwg/multus-cni/blob/master/docs/how-to-use.md#entrypoint-parameters
            value = given.get("namespace-isolation", "false")
            how, named = {"true": "on", "": "on", "false": "off"}.get(str(value), UNKNOWN), ""
        else:
            how, named = UNKNOWN, ""
        found.append({"container": str(raw.get("name") or ""), "isolation": how, "config_map": named})
    return found


def _config_map(spec: Spec, usual: str) -> str:
    """The ConfigMap that the configuration is mounted from: the usual one, where a volume names it."""
    names = [str(mapping(v.get("configMap")).get("name") or "") for v in mappings(spec.get("volumes"))]
    return usual if usual in names else ""


# ---- ingress-nginx

UPSTREAM = re.compile(
    r"(?:.*/)?ingress-nginx/controller(?:-chroot)?|(?:.*/)?kubernetes-ingress-controller/nginx-ingress-controller"
)
FORKS = re.compile(r"(?:.*/)?(?:mirrored-|hardened-)?(?:ingress-nginx-controller|nginx-ingress-controller)(?:-fips)?")
PROGRAM = "nginx-ingress-controller"
"""What its image starts; F5's own controller is another program: https://github.com/nginx/kubernetes-ingress"""
_VERSION = re.compile(r"(?:nginx-|controller-)?v?(\d+\.\d+\.\d+)(?:[-+.].*)?")


def ingress_nginx(spec: Spec) -> list[dict[str, Any]]:
    """Controllers of ingress-nginx among the containers of a pod.

    Their version by the tag (empty where it does not tell), and whether the image is not the project's own.
    https://kubernetes.github.io/ingress-nginx/
    """
    found = []
    for kind, raw in raw_containers(spec):
        repository, tag = _image(raw)
        upstream, fork = UPSTREAM.fullmatch(repository) is not None, FORKS.fullmatch(repository) is not None
        if kind != "container" or not (upstream or fork or PROGRAM in words(raw)):
            continue
        version = _VERSION.fullmatch(tag)
        found.append({"container": str(raw.get("name") or ""), "version": version[1] if version else "", "fork": not upstream})
    return found


def ingress_nginx_settled(spec: Spec) -> Any:
    """True where it is known of every container whether it is the retired controller: a fork may be mended by whoever made it."""
    readable = all(_image(raw)[0] for _, raw in raw_containers(spec))
    return MISSING if not readable or any(c["fork"] for c in ingress_nginx(spec)) else True
