"""Of CNI plugins, Multus, and gateways."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

FLAGS: Mapping[str, str] = {
    "enable-network-policy": r"true|false",
    "run-firewall": r"true|false",
    "namespace-isolation": r"true|false",
    "multus-conf-file": r"auto|/[\w./-]{1,200}",
}
ENV: Mapping[str, str] = {}
WORDS: frozenset[str] = frozenset({"multus-daemon", "nginx-ingress-controller"})
ANNOTATIONS: frozenset[str] = frozenset(
    {
        "k8s.v1.cni.cncf.io/policy-for",
        "k8s.v1.cni.cncf.io/resourceName",
        "v1.multus-cni.io/default-network",
    }
)
"""Of snippets of nginx it is enough that they stand there: names of annotations are kept anyway."""
_SWITCH = {"true": "on", "false": "off"}


def switch(data: Mapping[str, str], key: str) -> str:
    """`on`, `off`, `default` where it is not written, else `unreadable`."""
    return _SWITCH.get(data[key].strip().lower(), "unreadable") if key in data else "default"


def vpc_cni(data: Mapping[str, str]) -> dict[str, Any]:
    """Whether the controller of network policies in the control plane of EKS is told to work.

    https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html
    """
    return {"component": "amazon-vpc-cni", "network_policy": switch(data, "enable-network-policy-controller")}


def multus(key: str) -> Callable[[Mapping[str, str]], dict[str, Any]]:
    """Whether Multus keeps namespaces apart, and the namespaces whose networks everyone may use; off unless it is written.

    https://github.com/k8snetworkplumbingwg/multus-cni/blob/master/docs/configuration.md#namespace-isolation
    """

    def read(data: Mapping[str, str]) -> dict[str, Any]:
        try:
            found = json.loads(data.get(key) or "")
        except (ValueError, RecursionError):
            return {"component": "multus", "isolation": "unreadable"}
        if not isinstance(found, dict):
            return {"component": "multus", "isolation": "unreadable"}
        value = found.get("namespaceIsolation", False)
        isolation = ("on" if value else "off") if isinstance(value, bool) else "unreadable"
        return {"component": "multus", "isolation": isolation}

    return read


RISKS = ("Low", "Medium", "High", "Critical")


def ingress_nginx(data: Mapping[str, str]) -> dict[str, Any]:
    """Whether ingress-nginx takes snippets, and up to which risk it takes annotations (`default` where it is not written).

    https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/configmap/#allow-snippet-annotations
    """
    risk = data.get("annotations-risk-level", "default").strip()
    return {
        "component": "ingress-nginx",
        "snippets": switch(data, "allow-snippet-annotations"),
        "risk": risk if risk in (*RISKS, "default") else "unreadable",
    }


SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {
    "amazon-vpc-cni": vpc_cni,
    "multus-daemon-config": multus("daemon-config.json"),
    "multus-cni-config": multus("cni-conf.json"),
    "ingress-nginx-controller": ingress_nginx,
    "nginx-configuration": ingress_nginx,
    "nginx-ingress-controller": ingress_nginx,
    "nginx-load-balancer-microk8s-conf": ingress_nginx,
}
SUFFIXES: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {
    "-ingress-nginx-controller": ingress_nginx,
}
"""Ends of names: the release of a Helm chart stands before them."""
