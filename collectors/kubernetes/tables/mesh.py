"""Service meshes, encryption by the CNI, how models are published; admission stands in `admission.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.kubernetes import commands
from collectors.kubernetes.kept.mesh import LINKERD_POLICIES
from collectors.kubernetes.pods import raw_containers
from collectors.kubernetes.reads import labels, notes, text_map
from collectors.kubernetes.tables import admission
from collectors.kubernetes.tables.supply import SERVED_FACTS
from collectors.kubernetes.within import elements, mapping, mappings, part, sequence
from collectors.table import MISSING, Const, Fact, Field, ObjectTable
from collectors.terraform.tables.accelerators import fabric_encrypted

Item = Mapping[str, Any]
ISTIO_LABELS = "https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/#controlling-the-injection-policy"
PEER = "https://istio.io/latest/docs/reference/config/security/peer_authentication/"
AUTHORIZATION = "https://istio.io/latest/docs/reference/config/security/authorization-policy/"
LINKERD = "https://linkerd.io/2/reference/authorization-policy/"


def _text(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


# ---- what namespaces and pods say of the mesh


def mesh_settings(labelled: Any, noted: Any) -> dict[str, Any]:
    """What labels and annotations of a namespace, or of pods, say of Istio and Linkerd. Raises ValueError for a policy that is none.

    For Istio's injection the label beats the annotation: https://istio.io/latest/docs/reference/config/annotations/#SidecarInject
    """
    own, said = text_map(labelled), text_map(noted)
    policy = said.get("config.linkerd.io/default-inbound-policy", "")
    if policy and policy not in LINKERD_POLICIES:
        msg = "not an inbound policy of Linkerd"
        raise ValueError(msg)
    inject = own.get("sidecar.istio.io/inject", said.get("sidecar.istio.io/inject", "")).lower()
    return {
        "istio": own.get("istio-injection", ""),
        "istio_pod": {"true": "enabled", "y": "enabled", "yes": "enabled", "on": "enabled", "": ""}.get(inject, "disabled"),
        "istio_revision": own.get("istio.io/rev", ""),
        "dataplane": own.get("istio.io/dataplane-mode", ""),
        "linkerd": said.get("linkerd.io/inject", ""),
        "linkerd_policy": policy,
        "linkerd_skipped": ports(said.get("config.linkerd.io/skip-inbound-ports", "")),
        "istio_excluded": ports(said.get("traffic.sidecar.istio.io/excludeInboundPorts", "")),
    }


def ports(text: str) -> list[list[int]]:
    """`22,8000-8010` as first and last ports. Raises ValueError where it is none."""
    found = []
    for piece in text.split(","):
        first, dash, last = piece.strip().partition("-")
        if first:
            found.append([int(first), int(last) if dash else int(first)])
    return found


def pod_mesh(meta: Any) -> dict[str, Any]:
    """What labels and annotations of pods say."""
    return mesh_settings(mapping(meta).get("labels"), mapping(meta).get("annotations"))


def namespace_mesh(item: Item) -> dict[str, Any]:
    """What labels and annotations of a namespace say."""
    return mesh_settings(labels(item), notes(item))


def sidecar(spec: Item) -> str:
    """The mesh whose proxy stands among the containers of a pod spec, as a container or a native sidecar; empty for none.

    A pod that is nothing but the proxy is a gateway.
    """
    names = {str(raw.get("name", "")) for _, raw in raw_containers(spec)}
    if {str(raw.get("name", "")) for kind, raw in raw_containers(spec) if kind == "container"} == {"istio-proxy"}:
        return "istio-gateway"
    return "istio" if "istio-proxy" in names else "linkerd" if "linkerd-proxy" in names else ""


def listens_on(spec: Item) -> list[dict[str, Any]]:
    """Ports that containers say they serve on."""
    return [
        {"container": str(raw.get("name", "")), "port": p["containerPort"], "name": str(p.get("name") or "")}
        for kind, raw in raw_containers(spec)
        if kind != "ephemeral" and str(raw.get("name", "")) not in ("istio-proxy", "linkerd-proxy")
        for p in mappings(raw.get("ports"))
        if isinstance(p.get("containerPort"), int) and str(p.get("protocol") or "TCP") == "TCP"
    ]


RAY_TLS: Mapping[str | None, bool] = {"1": True, "true": True, "0": False, "false": False, "": False}
KEYS = ("ssl-keyfile", "ssl-key-file")
"""vLLM and SGLang (https://docs.vllm.ai/en/latest/cli/serve/), llama.cpp."""


def speaks_tls(spec: Item) -> Any:
    """Whether some container is told to speak TLS itself: Ray, vLLM, Triton and their like. Not known where its flag cannot be read."""
    found: list[Any] = []
    for kind, raw in raw_containers(spec):
        if kind != "container":
            continue
        given = commands.flags(commands.words(raw))
        variables = commands.environment(raw)
        found += [given[key] != "" for key in KEYS if key in given]
        if "grpc-use-ssl" in given:  # https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/protocol/
            found.append({"true": True, "1": True, "": True, None: None}.get(given["grpc-use-ssl"], False))
        if "RAY_USE_TLS" in variables:  # https://docs.ray.io/en/latest/ray-core/configure.html#tls-authentication
            found.append(RAY_TLS.get(variables["RAY_USE_TLS"]))
    return True if True in found else MISSING if None in found else False


POD_FACTS: Mapping[str, Fact] = {
    "mesh_settings": Field("pod_meta", pod_mesh, source=ISTIO_LABELS),
    "mesh_sidecar": Field("pod", sidecar),
    "listens_on": Field("template", listens_on),
    "speaks_tls": Field("template", speaks_tls),
}
"""More facts of everything that makes pods."""


# ---- nodes

KEY = "projectcalico.org/WireguardPublicKey"


def wireguard_keys(item: Item) -> list[str]:
    """The addresses for which Calico has a WireGuard key on a node: `4`, `6`.

    https://docs.tigera.io/calico/latest/network-policy/encrypt-cluster-pod-traffic
    """
    noted = notes(item)
    return [family for family, key in (("4", KEY), ("6", f"{KEY}V6")) if noted.get(key)]


def provider(item: Item) -> str:
    """The cloud of a node: the beginning of its provider id, `aws`; empty where it has none."""
    return str(mapping(item.get("spec")).get("providerID") or "").partition("://")[0]


def link_encryption(item: Item) -> Any:
    """Whether the machine encrypts traffic to others of its kind in hardware: told of AWS instance types with accelerators.

    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/data-protection.html#encryption-transit
    """
    size = labels(item).get("node.kubernetes.io/instance-type")
    return fabric_encrypted(str(size)) if provider(item) == "aws" and size else MISSING


NODE_FACTS: Mapping[str, Fact] = {
    "cloud": Field("item", provider),
    "fabric_encrypted": Field("item", link_encryption),
    "wireguard_keys": Field("item", wireguard_keys),
    "dual_stack": Field("item", lambda item: bool(notes(item).get("projectcalico.org/IPv6Address"))),
    "flannel_backend": Field("item", lambda item: _text(notes(item).get("flannel.alpha.coreos.com/backend-type"))),
}
"""More facts of nodes."""
NAMESPACE_FACTS: Mapping[str, Fact] = {
    "mesh_settings": Field("item", namespace_mesh, source=ISTIO_LABELS),
    "kubeflow_profile": Field("item", lambda item: labels(item).get("app.kubernetes.io/part-of") == "kubeflow-profile"),
}
"""More facts of namespaces."""


# ---- policies of the meshes

MODES = {"STRICT": "STRICT", "PERMISSIVE": "PERMISSIVE", "DISABLE": "DISABLE", "UNSET": "UNSET"}


def port_modes(value: Any) -> dict[str, str]:
    """Port → mode of the mutual TLS that is asked on it."""
    return {str(port): MODES[str(mapping(mode).get("mode") or "UNSET")] for port, mode in part(value, "portLevelMtls").items()}


KNOWN = ("principals", "requestPrincipals", "namespaces", "serviceAccounts")
"""Fields of a source that name identities: mutual TLS or a token proves them."""
RELAYS = re.compile(r"^\*$|gateway|(?:^|/)(?:istio-system|istio-ingress|knative-serving)(?:/|$)")
"""Identities that pass on the requests of others: gateways, and where they live; and everyone of the mesh, gateways included."""
DENIED = ("notPrincipals", "notRequestPrincipals")


def authorization_rules(spec: Item) -> list[dict[str, Any]]:
    """The rules of an AuthorizationPolicy, as far as who calls goes; values of headers are not kept.

    `sources`: one entry each, with the fields that name identities, those that name everyone but some, and whether there are others.
    `paths`: the paths that it is limited to, empty where some operation has none. `everywhere`: no operation limits it; `not_paths`:
    nothing but these paths is left out. `relays`: a source lets gateways in, `anyone`: everyone of the mesh.
    """
    found = []
    written = spec.get("rules")
    # NOTE: null is an empty rule, which matches everything; what is no list of rules is not read as none, which denies everything
    for raw in elements([r or {} for r in written] if isinstance(written, list) else written, "rules"):
        operations = [mapping(o.get("operation")) for o in mappings(raw.get("to"))]
        paths = [sequence(o.get("paths")) for o in operations]
        conditions = mappings(raw.get("when"))
        found.append(
            {
                "sources": [_source(mapping(s.get("source"))) for s in mappings(raw.get("from"))],
                "everywhere": not operations or any(not o for o in operations),
                "not_paths": sorted({str(p) for o in operations for p in sequence(o.get("notPaths"))})
                if operations and all(set(o) == {"notPaths"} for o in operations)
                else [],
                "paths": [str(p) for part in paths for p in part] if paths and all(paths) else [],
                "when": [str(c.get("key", "")) for c in conditions if sequence(c.get("values"))],
                "when_not": [str(c.get("key", "")) for c in conditions if not sequence(c.get("values"))],
            }
        )
    return found


def _source(source: Item) -> dict[str, Any]:
    used = [str(k) for k, v in source.items() if sequence(v)]
    everyone = [k for k in DENIED if sequence(source.get(k)) == ["*"]]
    # NOTE: values are alternatives, fields all hold; a token says who sent the request first, whoever passes it on
    who = [[str(v) for v in sequence(source[k])] for k in ("principals", "namespaces", "serviceAccounts") if k in used]
    peers = bool(who) and "requestPrincipals" not in used
    return {
        "known": [k for k in KNOWN if k in used],
        "anyone": peers and all("*" in values for values in who),
        "relays": peers and all(any(map(RELAYS.search, values)) for values in who),
        "strangers": everyone,
        "other": sorted(k for k in used if k not in KNOWN and k not in everyone),
    }


def target_refs(spec: Item) -> list[dict[str, str]]:
    """What a policy is attached to by name."""
    refs = mappings(spec.get("targetRefs")) + ([mapping(spec["targetRef"])] if spec.get("targetRef") else [])
    return [{key: _text(ref.get(key)) for key in ("group", "kind", "name")} for ref in refs]


CLIENT_MODES = {**{mode: mode for mode in ("DISABLE", "SIMPLE", "MUTUAL", "ISTIO_MUTUAL")}, "None": "DISABLE"}
"""https://istio.io/latest/docs/reference/config/networking/destination-rule/#ClientTLSSettings-TLSmode"""


def client_modes(item: Item) -> list[dict[str, str]]:
    """How clients of a host are told to speak: everywhere that a DestinationRule names a mode of TLS."""
    spec = mapping(item.get("spec"))
    parts = [("", mapping(spec.get("trafficPolicy")))]
    parts += [(f"subset {_text(s.get('name'))}", mapping(s.get("trafficPolicy"))) for s in mappings(spec.get("subsets"))]
    found = []
    for where, policy in parts:
        levels = [(where, policy)]
        levels += [(f"{where} port {_port(level)}".strip(), level) for level in mappings(policy.get("portLevelSettings"))]
        found += [{"where": w, "mode": CLIENT_MODES[str(part(p["tls"], "tls").get("mode"))]} for w, p in levels if p.get("tls")]
    return found


def _port(level: Item) -> str:
    return _text(mapping(level.get("port")).get("number"))


def required_references(spec: Item) -> list[str]:
    """What a Linkerd AuthorizationPolicy asks callers to have, by kind."""
    return [_text(r.get("kind")) for r in mappings(spec.get("requiredAuthenticationRefs"))]


def unauthenticated(item: Item) -> bool:
    """Whether a ServerAuthorization lets callers in that prove nothing."""
    client = mapping(mapping(item.get("spec")).get("client"))
    return client.get("unauthenticated") is True or mapping(client.get("meshTLS")).get("unauthenticatedTLS") is True


def _policy(native: str, plural: str, policy_type: str, facts: Mapping[str, Fact]) -> ObjectTable:
    base: dict[str, Fact] = {"policy_type": Const(policy_type), "namespace": Field("context.namespace")}
    return ObjectTable("mesh_policy", native, plural, {**base, **facts})


SELECTOR = Field(
    "item.spec.selector",
    lambda s: {"matchLabels": text_map(part(part(s, "selector").get("matchLabels"), "matchLabels"))},
    absent={"matchLabels": {}},
)
POLICIES: tuple[ObjectTable, ...] = (
    _policy(
        "security.istio.io/v1/PeerAuthentication",
        "peerauthentications",
        "peer_authentication",
        {
            "selector": SELECTOR,
            "mtls_mode": Field("item.spec.mtls.mode", MODES, absent="UNSET", source=PEER),
            "port_modes": Field("item.spec.portLevelMtls", port_modes, absent={}, source=PEER),
            "created": Field("item.metadata.creationTimestamp", str, absent=""),
        },
    ),
    _policy(
        "security.istio.io/v1/AuthorizationPolicy",
        "authorizationpolicies",
        "authorization",
        {
            "selector": SELECTOR,
            "targets": Field("item.spec", target_refs, absent=[]),
            "action": Field("item.spec.action", str, absent="ALLOW", source=AUTHORIZATION),
            "authorization_rules": Field("item.spec", authorization_rules, absent=[], source=AUTHORIZATION),
        },
    ),
    _policy(
        "networking.istio.io/v1/DestinationRule",
        "destinationrules",
        "destination_rule",
        {"host": Field("item.spec.host", str), "client_tls": Field("item", client_modes)},
    ),
    _policy(
        "policy.linkerd.io/v1beta3/Server",
        "servers",
        "server",
        {
            "selector": Field("item.spec.podSelector", lambda s: dict(part(s, "podSelector")), absent={}),
            "port": Field("item.spec.port", str),
            "access_policy": Field("item.spec.accessPolicy", {p: p for p in LINKERD_POLICIES}, absent="deny", source=LINKERD),
        },
    ),
    _policy(
        "policy.linkerd.io/v1alpha1/AuthorizationPolicy",
        "authorizationpolicies",
        "server_authorization",
        {"targets": Field("item.spec", target_refs), "requires": Field("item.spec", required_references)},
    ),
    _policy(
        "policy.linkerd.io/v1beta1/ServerAuthorization",
        "serverauthorizations",
        "server_authorization_v1",
        {
            "server": Field("item.spec.server.name", str, absent=""),
            "selector": Field("item.spec.server.selector", lambda s: dict(mapping(s)), absent={}),
            "unauthenticated": Field("item", unauthenticated),
        },
    ),
)


# ---- configuration of the network


def felix(spec: Item) -> dict[str, Any]:
    """How Calico encrypts; off unless it says so.

    https://docs.tigera.io/calico/latest/reference/resources/felixconfig
    """
    names = {
        "wireguard": "wireguardEnabled",
        "wireguard_v6": "wireguardEnabledV6",
        "host_encryption": "wireguardHostEncryptionEnabled",
    }
    return (
        {"component": "calico"}
        | {name: spec.get(key) is True for name, key in names.items()}
        | {"written": [name for name, key in names.items() if isinstance(spec.get(key), bool)]}
    )


IPSEC_MODES = {"Disabled": "none", "External": "external", "Full": "ipsec"}


def openshift_network(spec: Item) -> dict[str, Any]:
    """How OVN-Kubernetes encrypts: without `ipsecConfig` not at all; an empty one is from before there were modes, and means all.

    https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/network_security/configuring-ipsec-ovn
    """
    default = part(spec.get("defaultNetwork"), "defaultNetwork")
    own = part(default.get("ovnKubernetesConfig"), "ovnKubernetesConfig")
    ipsec = part(own.get("ipsecConfig"), "ipsecConfig") if own.get("ipsecConfig") is not None else None
    mode = mapping(ipsec).get("mode")
    network = str(default.get("type") or ("OVNKubernetes" if own else ""))
    if not network:  # NOTE: what it is then depends on the version
        msg = "the type of the default network is not written"
        raise ValueError(msg)
    return {
        "component": "ovn" if network == "OVNKubernetes" else "",
        "network": network,
        "mode": "none" if ipsec is None else IPSEC_MODES[str(mode)] if mode else "ipsec",
    }


def _configuration(native: str, plural: str, kind: str, read: Any) -> ObjectTable:
    facts: dict[str, Fact] = {
        "configuration_type": Const(kind),
        "namespace": Const(""),
        "settings": Field("item.spec || `{}`", read),
        "credentials": Const([]),
    }
    return ObjectTable("configuration", native, plural, facts, namespaced=False)


# ---- how models are published


def kserve(item: Item) -> dict[str, Any]:
    """What an inference service says of who sees it: one label counts where KServe deploys it, the other where Knative does.

    https://github.com/kserve/kserve/tree/master/pkg/controller/v1beta1/inferenceservice/reconcilers/ingress
    """
    own, said = text_map(labels(item)), text_map(notes(item))
    return {
        "serves": "kserve",
        "visibility": own.get("networking.kserve.io/visibility", ""),
        "knative_visibility": own.get("networking.knative.dev/visibility", ""),
        "mode": said.get("serving.kserve.io/deploymentMode", ""),
        "asks_identity": said.get("security.opendatahub.io/enable-auth", "").lower() == "true",
    }


def llm(item: Item) -> dict[str, Any]:
    """As `kserve`; an LLMInferenceService is published where its router has a route or a gateway.

    https://kserve.github.io/website/docs/model-serving/generative-inference/llmisvc/llmisvc-overview
    """
    spec = mapping(item.get("spec"))
    router = mapping(spec.get("router"))
    routed: bool | None = "route" in router or "gateway" in router or "ingress" in router
    if not routed and spec.get("baseRefs"):
        routed = None  # a configuration that it is made from may give it one
    return {**kserve(item), "routed": routed}


def nim(item: Item) -> dict[str, Any]:
    """What a NIMService says of who sees it: by default a Service inside the cluster.

    https://docs.nvidia.com/nim-operator/latest/service.html
    """
    expose = mapping(mapping(item.get("spec")).get("expose"))
    router = mapping(expose.get("router"))
    service = str(mapping(expose.get("service")).get("type") or "ClusterIP")
    outside = service in ("LoadBalancer", "NodePort") or mapping(expose.get("ingress")).get("enabled") is True
    routed = "ingress" in router or "gateway" in router
    return {"serves": "nim", "visibility": "exposed" if outside or routed else "cluster-local", "mode": "", "asks_identity": False}


def seldon(item: Item) -> dict[str, Any]:
    """Seldon makes a VirtualService for each deployment unless the installation says otherwise; what it is bound to is not in it."""
    return {**kserve(item), "serves": "seldon"}


_MODEL: Mapping[str, Fact] = {"service_type": Const("inference_service"), "namespace": Field("context.namespace")}


def _served(native: str, plural: str, read: Any, **more: Fact) -> ObjectTable:
    return ObjectTable("model_service", native, plural, {**_MODEL, "publishing": Field("item", read), **more})


TABLES: tuple[ObjectTable, ...] = (
    *POLICIES,
    _configuration("crd.projectcalico.org/v1/FelixConfiguration", "felixconfigurations", "felix", felix),
    _configuration("projectcalico.org/v3/FelixConfiguration", "felixconfigurations", "felix", felix),
    _configuration("operator.openshift.io/v1/Network", "networks", "openshift_network", openshift_network),
    _served("serving.kserve.io/v1beta1/InferenceService", "inferenceservices", kserve, **SERVED_FACTS),
    _served("serving.kserve.io/v1alpha1/LLMInferenceService", "llminferenceservices", llm),
    _served("machinelearning.seldon.io/v1/SeldonDeployment", "seldondeployments", seldon),
    _served("apps.nvidia.com/v1alpha1/NIMService", "nimservices", nim),
    ObjectTable(
        "configuration",
        "kubeflow.org/v1/Profile",
        "profiles",
        {"configuration_type": Const("kubeflow_profile"), "namespace": Const(""), "settings": Const({}), "credentials": Const([])},
        namespaced=False,
    ),
    *admission.TABLES,
)
