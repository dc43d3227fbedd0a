"""How single facts of Kubernetes objects other than pods are read."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Any

from collectors.kubernetes.names import Type, metadata, name_of, object_id, owner_of
from collectors.kubernetes.pods import ACCELERATOR
from collectors.kubernetes.within import PARAMETER, elements, mapping, mappings, sequence, texts
from collectors.table import MISSING

Item = Mapping[str, Any]


def notes(item: Item) -> Mapping[str, Any]:
    """The annotations of an object."""
    return mapping(metadata(item).get("annotations"))


def labels(item: Item) -> Mapping[str, Any]:
    """The labels of an object."""
    return mapping(metadata(item).get("labels"))


def text_map(value: Any) -> dict[str, str]:
    """A mapping with its values as text."""
    return {str(k): _text(v) for k, v in mapping(value).items()}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- owners


def controller(item: Item) -> str:
    """`Kind/name` of the controller, empty for none."""
    owner = owner_of(item)
    return f"{owner.type.kind}/{owner.name}" if owner else ""


def controller_uid(item: Item) -> str:
    """The uid that the owner reference names, empty for none."""
    owner = owner_of(item)
    return owner.uid if owner else ""


CLUSTER_SCOPED_OWNERS = frozenset(
    Type(group, kind)
    for group, kind in (
        ("nvidia.com", "ClusterPolicy"),
        ("nvidia.com", "NVIDIADriver"),
        ("nvidia.com", "GPUCluster"),
        ("mellanox.com", "NicClusterPolicy"),
        ("mellanox.com", "NicNodePolicy"),
    )
) | {Type("operator.tigera.io", "Installation"), Type("", "Node")}


def controller_id(item: Item, context: Mapping[str, str]) -> str:
    """Canonical id of the controller, empty for none. An owner lives in its dependent's namespace, or in none."""
    owner = owner_of(item)
    if owner is None:
        return ""
    namespace = "" if owner.type in CLUSTER_SCOPED_OWNERS else context["namespace"]
    return object_id(context["scope"], owner.type, namespace, owner.name)


# ---- services and ingresses

LB_SCHEMES: tuple[tuple[str, Mapping[str, bool]], ...] = (
    ("service.beta.kubernetes.io/aws-load-balancer-scheme", {"internal": False, "internet-facing": True}),
    ("service.beta.kubernetes.io/aws-load-balancer-internal", {"true": False, "false": True}),
    ("service.beta.kubernetes.io/azure-load-balancer-internal", {"true": False, "false": True}),
    ("networking.gke.io/load-balancer-type", {"internal": False, "external": True}),
    ("cloud.google.com/load-balancer-type", {"internal": False, "external": True}),
    ("service.beta.kubernetes.io/oci-load-balancer-internal", {"true": False, "false": True}),
    ("service.beta.kubernetes.io/openstack-internal-load-balancer", {"true": False, "false": True}),
    ("service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type", {"intranet": False, "internet": True}),
    ("service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type", {"private": False, "public": True}),
)
"""https://kubernetes.io/docs/concepts/services-networking/service/#internal-load-balancer"""
LEGACY_INTERNAL = "service.beta.kubernetes.io/aws-load-balancer-internal"
"""Takes a CIDR as well: any value but `false` means internal."""
AWS_TYPE = "service.beta.kubernetes.io/aws-load-balancer-type"


def internet_facing(item: Item) -> Any:
    """Whether the address of a Service is a public one.

    What the cluster has (`status`) beats annotations; a load balancer of a cloud is public unless it says otherwise, except where the
    AWS Load Balancer Controller makes it. Node ports: whether the nodes are public is not in the cluster.
    """
    spec = mapping(item.get("spec"))
    kind = spec.get("type", "ClusterIP")
    if kind != "LoadBalancer":
        return MISSING if kind == "NodePort" or spec.get("externalIPs") else False
    found = [public(i) for i in mappings(mapping(mapping(item.get("status")).get("loadBalancer")).get("ingress"))]
    if found and None not in found:
        return any(found)
    noted = notes(item)
    for name, means in LB_SCHEMES:
        value = _text(noted[name]).lower() if name in noted else None
        if value is not None and value in means:
            return means[value]
        if name == LEGACY_INTERNAL and value:
            return False
    chosen = spec.get("loadBalancerClass")
    if chosen == "service.k8s.aws/nlb" or noted.get(AWS_TYPE) in ("external", "nlb-ip"):
        return False  # https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/service/annotations/#lb-scheme
    return MISSING if chosen else True


CLASSIC_OR_ALB = re.compile(r"\.elb\.amazonaws\.com(?:\.cn)?$")
"""Names of AWS load balancers that begin with `internal-` where they are; those of Network Load Balancers
(`name.elb.region.amazonaws.com`) look the same inside and out.
https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/elb-internal-load-balancers.html"""


def public(entry: Mapping[str, Any]) -> bool | None:
    """Whether an address of a load balancer is public; None where it does not tell."""
    if isinstance(entry.get("ip"), str):
        return ipaddress.ip_address(entry["ip"]).is_global
    host = str(entry.get("hostname") or "")
    if CLASSIC_OR_ALB.search(host):
        return not host.startswith("internal-")
    return None


def source_ranges(item: Item) -> list[str]:
    """CIDRs that a Service's load balancer admits; empty for everyone."""
    spec = mapping(item.get("spec"))
    if spec.get("loadBalancerSourceRanges"):
        return [str(r).strip() for r in sequence(spec["loadBalancerSourceRanges"])]
    old = notes(item).get("service.beta.kubernetes.io/load-balancer-source-ranges", "")
    return [r.strip() for r in str(old).split(",") if r.strip()]


def node_port(spec: Item) -> bool:
    """Whether a Service opens a port on every node."""
    kind = spec.get("type", "ClusterIP")
    return kind == "NodePort" or (kind == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is not False)


def ports(spec: Item) -> list[int]:
    """Ports of a Service."""
    return [p["port"] for p in mappings(spec.get("ports")) if isinstance(p.get("port"), int)]


TLS_ANNOTATIONS = (
    "alb.ingress.kubernetes.io/certificate-arn",
    "networking.gke.io/managed-certificates",
    "ingress.gcp.kubernetes.io/pre-shared-cert",
    "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
)
TRAEFIK_TLS = "traefik.ingress.kubernetes.io/router.tls"
"""Annotations by which a controller gets a certificate without `spec.tls`."""


def controller_tls(item: Item) -> bool:
    """Whether annotations give the whole Ingress a certificate."""
    noted = notes(item)
    if _text(noted.get(TRAEFIK_TLS, "")) == "true":
        return True
    return any(noted.get(name) for name in TLS_ANNOTATIONS) or '"HTTPS"' in str(
        noted.get("alb.ingress.kubernetes.io/listen-ports", "")
    )


def hosts_without_tls(item: Item) -> list[str]:
    """Hosts of an Ingress that no certificate of it covers; `*` for requests to any host.

    https://kubernetes.io/docs/concepts/services-networking/ingress/#tls
    """
    spec = mapping(item.get("spec"))
    if controller_tls(item):
        return []
    hosts = {str(r.get("host") or "*") for r in mappings(spec.get("rules"))} | ({"*"} if spec.get("defaultBackend") else set())
    covered = mappings(spec.get("tls"))
    if any(not t.get("hosts") for t in covered):
        return []  # an entry without hosts takes the controller's wildcard
    names = {str(h) for t in covered for h in sequence(t.get("hosts"))}
    wide = {n[1:] for n in names if n.startswith("*.")}
    return sorted(h for h in hosts if h not in names and h[h.find(".") :] not in wide)


def ingress_tls(item: Item) -> bool:
    """Whether an Ingress speaks TLS for some host."""
    return controller_tls(item) or bool(sequence(mapping(item.get("spec")).get("tls")))


# ---- network policies and access


def policy_types(spec: Item) -> list[str]:
    """Directions that a NetworkPolicy isolates: as written, else Ingress, and Egress where it has egress rules.

    https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/network-policy-v1/
    """
    written = sequence(spec.get("policyTypes"))
    if written:
        return [str(t) for t in written]
    return ["Ingress", "Egress"] if sequence(spec.get("egress")) else ["Ingress"]


def policy_rules(value: Any) -> list[dict[str, Any]]:
    """Rules of a NetworkPolicy as written; an empty one (or null) matches everything. Raises ValueError where it is no list of rules."""
    written = [{} if v is None else v for v in value] if isinstance(value, list) else value
    return [dict(v) for v in elements(written, "rules")]


def rules(item: Item) -> list[dict[str, list[str]]]:
    """The rules of a role in one shape. Raises ValueError for what the API server would not take: it may mean more than is read."""
    return [rule(r) for r in elements(item.get("rules"), "rules")]


def rule(raw: Mapping[str, Any]) -> dict[str, list[str]]:
    """One rule of a role."""
    keys = (
        ("verbs", "verbs"),
        ("api_groups", "apiGroups"),
        ("resources", "resources"),
        ("resource_names", "resourceNames"),
        ("non_resource_urls", "nonResourceURLs"),
    )
    return {name: texts(raw.get(key), key) for name, key in keys}


def bootstrapped(item: Item) -> bool:
    """Whether the API server itself made this role or binding."""
    return labels(item).get("kubernetes.io/bootstrapping") == "rbac-defaults"


SYSTEM_USERS = re.compile(r"system:(?:kube-(?:scheduler|controller-manager|proxy)|node:.+|apiserver)")
SYSTEM_GROUPS = frozenset({"system:masters", "system:nodes"})


def subjects(item: Item) -> list[dict[str, Any]]:
    """The subjects of a binding. `system`: an identity of the control plane, by its reserved name.

    https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings
    """
    found = []
    for raw in elements(item.get("subjects"), "subjects"):
        if any(PARAMETER.search(str(raw.get(key) or "")) for key in ("kind", "name", "namespace")):
            raise ValueError("a subject holds a template's parameter")
        kind, name, namespace = str(raw.get("kind", "")), str(raw.get("name", "")), str(raw.get("namespace") or "")
        system = (
            (kind == "Group" and name in SYSTEM_GROUPS)
            or (kind == "User" and SYSTEM_USERS.fullmatch(name) is not None)
            # NOTE: anyone may call an object `system:…` and label it; the subject must live in kube-system too
            or (
                kind == "ServiceAccount"
                and namespace == "kube-system"
                and bootstrapped(item)
                and name_of(item).startswith("system:")
            )
        )
        found.append({"kind": kind, "name": name, "namespace": namespace, "system": system})
    return found


# ---- identities, namespaces, nodes, credentials


CLOUD_IDENTITIES = ("eks.amazonaws.com/role-arn", "iam.gke.io/gcp-service-account", "azure.workload.identity/client-id")


def cloud_identity(item: Item) -> str:
    """The cloud identity that annotations give a service account, empty for none."""
    noted = notes(item)
    return next((str(noted[name]) for name in CLOUD_IDENTITIES if noted.get(name)), "")


LEVELS = ("privileged", "baseline", "restricted")


def pod_security(item: Item) -> Any:
    """The enforced Pod Security level. A label with another value is not one: the server then enforces `restricted`.

    https://kubernetes.io/docs/concepts/security/pod-security-admission/
    """
    level = labels(item).get("pod-security.kubernetes.io/enforce")
    if level is None:
        return "none"
    return level if level in LEVELS else MISSING


SYSTEM_NAMESPACES = frozenset({"kube-system", "kube-public", "kube-node-lease"})


def token_secret(item: Item) -> bool:
    """Whether a Secret holds a service account token."""
    return item.get("type") == "kubernetes.io/service-account-token"


APPLIED = ("kubectl.kubernetes.io/last-applied-configuration", "metacontroller.k8s.io/last-applied-configuration")


def applied_copies(item: Item) -> Any:
    """Annotations in which a tool keeps the whole object that it applied.

    Of a manifest, which has the data too, it is not known how it is going to be applied.
    https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/
    """
    found = [name for name in APPLIED if name in notes(item)]
    return found or (MISSING if "data" in item or "stringData" in item else [])


def token_owner(item: Item, context: Mapping[str, str]) -> Any:
    """Canonical id of the service account that a token Secret is for."""
    name = notes(item).get("kubernetes.io/service-account.name")
    return object_id(context["scope"], Type("", "ServiceAccount"), context["namespace"], str(name)) if name else MISSING


def stated(value: Any) -> Any:
    """A text that says something: before a node has reported, its versions are empty."""
    return str(value) or MISSING


def node_accelerator(item: Item) -> Any:
    """Whether a node has accelerators, from its capacity."""
    capacity = mapping(item.get("status")).get("capacity")
    if not isinstance(capacity, Mapping):
        return MISSING
    return any(ACCELERATOR.match(str(k)) and str(v) != "0" for k, v in capacity.items())


# ---- storage classes

PROVISIONERS: Mapping[str, tuple[str, str]] = {
    # driver → (parameter that turns encryption on, empty where it is always on; parameter that names the key)
    "ebs.csi.aws.com": (
        "encrypted",
        "kmskeyid",
    ),  # https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/parameters.md
    "kubernetes.io/aws-ebs": ("encrypted", "kmskeyid"),
    "fsx.csi.aws.com": ("", "kmskeyid"),  # https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-at-rest.html
    "pd.csi.storage.gke.io": ("", "disk-encryption-kms-key"),  # https://cloud.google.com/kubernetes-engine/docs/how-to/using-cmek
    "kubernetes.io/gce-pd": ("", "disk-encryption-kms-key"),
    "filestore.csi.storage.gke.io": ("", "instance-encryption-kms-key"),
    "disk.csi.azure.com": ("", "diskencryptionsetid"),  # https://learn.microsoft.com/azure/aks/azure-disk-customer-managed-keys
    "kubernetes.io/azure-disk": ("", "diskencryptionsetid"),
}


def _parameters(item: Item) -> dict[str, str]:
    """The parameters of a storage class; the drivers do not mind the case of a name."""
    return {str(k).lower(): _text(v) for k, v in mapping(item.get("parameters")).items()}


def volume_encrypted(item: Item) -> Any:
    """Whether volumes of a class are encrypted by it."""
    known = PROVISIONERS.get(str(item.get("provisioner")))
    if known is None:
        return MISSING
    return not known[0] or _parameters(item).get(known[0]) == "true"


def volume_key(item: Item) -> Any:
    """The key that a class names, empty for none."""
    known = PROVISIONERS.get(str(item.get("provisioner")))
    return MISSING if known is None else _parameters(item).get(known[1], "")
