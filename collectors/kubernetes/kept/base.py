"""What the rules about pods and services read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

FLAGS: Mapping[str, str] = {}
_DEVICES = r"(?:all|none|void|(?:GPU|MIG)-[0-9a-fA-F/-]{8,80}|\d{1,2}(?::\d{1,2})?)"
ENV: Mapping[str, str] = {
    "NVIDIA_VISIBLE_DEVICES": rf"{_DEVICES}(?:,{_DEVICES})*|/var/run/nvidia-container-devices",
    "RAY_AUTH_MODE": r"token|disabled|k8s",
}
WORDS: frozenset[str] = frozenset()
ANNOTATIONS: frozenset[str] = frozenset(
    {
        "k8s.v1.cni.cncf.io/networks",
        "service.beta.kubernetes.io/aws-load-balancer-scheme",
        "service.beta.kubernetes.io/aws-load-balancer-internal",
        "service.beta.kubernetes.io/aws-load-balancer-type",
        "service.beta.kubernetes.io/azure-load-balancer-internal",
        "service.beta.kubernetes.io/oci-load-balancer-internal",
        "service.beta.kubernetes.io/openstack-internal-load-balancer",
        "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type",
        "service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type",
        "service.beta.kubernetes.io/load-balancer-source-ranges",
        "networking.gke.io/load-balancer-type",
        "cloud.google.com/load-balancer-type",
        "alb.ingress.kubernetes.io/certificate-arn",
        "alb.ingress.kubernetes.io/listen-ports",
        "networking.gke.io/managed-certificates",
        "ingress.gcp.kubernetes.io/pre-shared-cert",
        "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
        "traefik.ingress.kubernetes.io/router.tls",
        "eks.amazonaws.com/role-arn",
        "iam.gke.io/gcp-service-account",
        "azure.workload.identity/client-id",
        "kubernetes.io/service-account.name",
    }
)
SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {}
