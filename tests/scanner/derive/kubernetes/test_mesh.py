"""Meshes, encryption between nodes, and whom the policies of a mesh let in."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from scanner.derive.kubernetes import DERIVATIONS
from scanner.derive.kubernetes.mesh import authorised
from scanner.model import Gap, Reason, Where
from tests.collectors.kubernetes.objects import container, deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "", "Allow it.")
SECURITY = "security.istio.io/v1"
PEER = f"{SECURITY}/PeerAuthentication"
POLICY = f"{SECURITY}/AuthorizationPolicy"
MUTATING = "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration"


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(clean(i))]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def told(of: MemoryWorld, name: str, kind: str = "workload", called: str = "d") -> Any:
    (resource,) = [r for r in of.all(kind) if r.name.partition("/")[0] == called]
    found = of.fact(resource, name)
    return found.reason if isinstance(found, Gap) else found


def namespace(name: str = "team", *, notes: Any = None, **labels: str) -> dict[str, Any]:
    own = {k.replace("__", "/").replace("_", "-"): v for k, v in labels.items()}
    return thing("v1", "Namespace", name, None, metadata={"labels": own, "annotations": notes or {}})


MESHED = {"istio_injection": "enabled"}


def injector(name: str = "namespace.sidecar-injector.istio.io") -> dict[str, Any]:
    return thing(
        "admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", name, None, webhooks=[{"name": name, "rules": []}]
    )


LINKERD = injector("linkerd-proxy-injector.linkerd.io")


def mesh_config(root: str = "istio-system") -> dict[str, Any]:
    return thing("v1", "ConfigMap", "istio", "istio-system", data={"mesh": f"rootNamespace: {root}\n"})


ISTIO = (namespace(**MESHED), injector(), mesh_config())


def peer(mode: str | None = None, place: str = "team", name: str = "p", created: str = "", **spec: Any) -> dict[str, Any]:
    mtls = {"mtls": {"mode": mode}} if mode else {}
    return thing(SECURITY, "PeerAuthentication", name, place, metadata={"creationTimestamp": created}, spec={**mtls, **spec})


def picked(**labels: str) -> dict[str, Any]:
    return {"selector": {"matchLabels": labels or {"app": "d"}}}


# ---- who is in a mesh


@pytest.mark.parametrize(
    ("labels", "own", "mesh"),
    [
        ({}, {}, "none"),
        (MESHED, {}, "istio"),
        ({"istio.io__rev": "canary"}, {}, "istio"),
        ({"istio_injection": "disabled"}, {}, "none"),
        (MESHED, {"sidecar.istio.io/inject": "false"}, "none"),
        ({}, {"sidecar.istio.io/inject": "true"}, "istio"),
        ({}, {"istio.io/rev": "canary"}, "istio"),
        ({"istio_injection": "disabled"}, {"sidecar.istio.io/inject": "true"}, "none"),  # a word against it wins
        ({"istio.io__dataplane_mode": "ambient"}, {}, "istio-ambient"),
        ({"istio.io__dataplane_mode": "ambient"}, {"istio.io/dataplane-mode": "none"}, "none"),
        ({}, {"istio.io/dataplane-mode": "ambient"}, "istio-ambient"),
    ],
)
def test_membership(labels: dict[str, str], own: dict[str, str], mesh: str) -> None:
    item = deployment(labels={"app": "d", **own})
    assert told(world(item, namespace(**labels), injector(), mesh_config()), "mesh") == mesh
    assert told(world(item, namespace(**labels), mesh_config(), manifests=True), "mesh") == mesh


def test_labels_without_an_injector_do_nothing() -> None:
    assert told(world(deployment(), namespace(**MESHED)), "mesh") == "none"
    assert told(world(deployment(), namespace(**MESHED), gaps={MUTATING: DENIED}), "mesh") is Reason.DENIED
    assert told(world(deployment(), namespace(), injector("auto.sidecar-injector.istio.io")), "mesh") == "istio"
    assert told(world(deployment(), namespace(**MESHED), LINKERD), "mesh") == "none"


def revision(name: str, number: str, **selectors: Any) -> dict[str, Any]:
    """A webhook as Istio installs it: manifests/charts/istio-control/istio-discovery/templates/mutatingwebhook.yaml."""
    return thing(
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        f"istio-sidecar-injector-{number}",
        None,
        webhooks=[{"name": f"{name}.sidecar-injector.istio.io", "rules": [], **selectors}],
    )


def expression(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


def test_revisions() -> None:
    """A label counts where an injector of that revision is there."""
    ours = revision(
        "rev.namespace",
        "1-28",
        namespaceSelector={
            "matchExpressions": [expression("istio.io/rev", "In", "1-28"), expression("istio-injection", "DoesNotExist")]
        },
        objectSelector={"matchExpressions": [expression("sidecar.istio.io/inject", "NotIn", "false")]},
    )
    by_pod = revision("rev.object", "1-28b", objectSelector={"matchExpressions": [expression("istio.io/rev", "In", "1-28")]})

    def mesh(labels: dict[str, str], own: dict[str, str], *items: dict[str, Any]) -> Any:
        return told(world(deployment(labels={"app": "d", **own}), namespace(**labels), mesh_config(), *items), "mesh")

    assert mesh({"istio.io__rev": "1-28"}, {}, ours, by_pod) == "istio"
    assert mesh({"istio.io__rev": "1-20"}, {}, ours, by_pod) == "none"  # a revision that is gone
    assert mesh(MESHED, {}, ours, by_pod) == "none"  # only revisions are installed
    assert mesh({}, {"istio.io/rev": "1-28"}, ours, by_pod) == "istio"
    assert mesh({}, {"istio.io/rev": "1-28"}, ours) == "none"
    gone = revision("namespace", "old", namespaceSelector={"matchLabels": {"istio.io/deactivated": "never-match"}})
    assert mesh(MESHED, {}, gone) == "none"


def test_namespaces_that_were_not_seen() -> None:
    assert told(world(deployment(), injector(), gaps={"v1/Namespace": DENIED}), "mesh") is Reason.DENIED
    assert told(world(deployment(), manifests=True), "mesh") is Reason.NOT_OFFERED
    assert (
        told(world(deployment(labels={"sidecar.istio.io/inject": "false"}), LINKERD, manifests=True), "mesh") is Reason.NOT_OFFERED
    )


def test_pods_that_are_left_alone() -> None:
    assert told(world(deployment(spec={"hostNetwork": True}), *ISTIO), "mesh") == "none"
    assert told(world(deployment(namespace="kube-system"), namespace("kube-system", **MESHED), *ISTIO[1:]), "mesh") == "none"
    # a pod that is there shows its proxy
    assert told(world(pod("d"), *ISTIO), "mesh") == "none"
    assert told(world(pod("d", {"containers": [container(), container("istio-proxy")]}), namespace()), "mesh") == "istio"
    assert told(world(pod("d"), namespace(istio_io="x"), namespace("x"), injector()), "mesh") == "none"


def test_linkerd_membership() -> None:
    enabled = namespace(notes={"linkerd.io/inject": "enabled"})
    assert told(world(deployment(), enabled, LINKERD), "mesh") == "linkerd"
    assert told(world(deployment(), enabled), "mesh") == "none"
    item = deployment()
    item["spec"]["template"]["metadata"]["annotations"] = {"linkerd.io/inject": "disabled"}
    assert told(world(item, enabled, LINKERD), "mesh") == "none"


# ---- mutual TLS


@pytest.mark.parametrize(
    ("policies", "mode"),
    [
        ([], "PERMISSIVE"),  # Kubeflow's manifests have no policy at all
        ([peer("STRICT", "istio-system")], "STRICT"),
        ([peer("STRICT", "istio-system"), peer("PERMISSIVE")], "PERMISSIVE"),
        ([peer("STRICT", "istio-system"), peer("PERMISSIVE"), peer("STRICT", name="w", **picked())], "STRICT"),
        ([peer("STRICT"), peer("DISABLE", name="w", **picked())], "DISABLE"),
        ([peer("STRICT"), peer("DISABLE", name="w", **picked(app="other"))], "STRICT"),
        ([peer("STRICT", "istio-system"), peer(None), peer("UNSET", name="w", **picked())], "STRICT"),  # UNSET takes the wider one
        ([peer("STRICT", "istio-system", selector={})], "STRICT"),
        # policies of the root namespace that pick by labels are ignored: https://github.com/istio/api/pull/3604
        ([peer("STRICT", "istio-system", **picked())], "PERMISSIVE"),
        ([peer("STRICT", "elsewhere")], "PERMISSIVE"),
    ],
)
def test_the_mode_in_force(policies: list[dict[str, Any]], mode: str) -> None:
    assert told(world(deployment(), *ISTIO, *policies), "mtls_mode") == mode


def test_the_oldest_of_several_wins() -> None:
    old, new = (
        peer("PERMISSIVE", name="z", created="2025-01-01T00:00:00Z"),
        peer("STRICT", name="a", created="2026-01-01T00:00:00Z"),
    )
    assert told(world(deployment(), *ISTIO, new, old), "mtls_mode") == "PERMISSIVE"
    own = [
        peer("STRICT", name="z", created="2025-01-01T00:00:00Z", **picked()),
        peer("DISABLE", name="a", created="2026", **picked()),
    ]
    assert told(world(deployment(), *ISTIO, *own), "mtls_mode") == "STRICT"
    # files do not tell which is the oldest
    files = [{**p, "metadata": {"name": p["metadata"]["name"], "namespace": "team"}} for p in (old, new)]
    assert told(world(deployment(), *ISTIO, *files, manifests=True), "mtls_mode") is Reason.NOT_OFFERED
    assert told(world(deployment(), *ISTIO, files[0], manifests=True), "mtls_mode") == "PERMISSIVE"
    picky = [{**p, "metadata": {"name": p["metadata"]["name"], "namespace": "team"}} for p in own]
    assert told(world(deployment(), *ISTIO, *picky, manifests=True), "mtls_mode") is Reason.NOT_OFFERED
    assert told(world(deployment(), *ISTIO, *picky, manifests=True), "mtls_weak_ports") is Reason.NOT_OFFERED


def test_another_root_namespace() -> None:
    items = (deployment(), namespace(**MESHED), injector(), mesh_config("mesh-config"))
    assert told(world(*items, peer("STRICT", "mesh-config")), "mtls_mode") == "STRICT"
    assert told(world(*items, peer("STRICT", "istio-system")), "mtls_mode") == "PERMISSIVE"


def test_a_root_namespace_that_is_not_known() -> None:
    items = (deployment(), namespace(**MESHED), injector())
    assert told(world(*items), "mtls_mode") is Reason.NOT_OFFERED
    assert told(world(*items, gaps={"v1/ConfigMap": DENIED}), "mtls_mode") is Reason.DENIED
    assert told(world(*items, peer("STRICT")), "mtls_mode") == "STRICT"  # it does not matter where the namespace says it
    other = thing("v1", "ConfigMap", "istio-canary", "istio-system", data={"mesh": "rootNamespace: other\n"})
    assert told(world(*items, mesh_config(), other), "mtls_mode") is Reason.UNPARSABLE


def test_policies_that_were_not_seen() -> None:
    assert told(world(deployment(), *ISTIO, peer("STRICT"), gaps={PEER: DENIED}), "mtls_mode") is Reason.DENIED
    assert told(world(deployment(), *ISTIO, manifests=True), "mtls_mode") is Reason.NOT_OFFERED
    assert told(world(deployment(), *ISTIO, peer("PERMISSIVE"), manifests=True), "mtls_mode") == "PERMISSIVE"


def test_the_ambient_mesh_knows_no_disable() -> None:
    ambient = namespace(istio__io="x") | {}
    ambient["metadata"]["labels"] = {"istio.io/dataplane-mode": "ambient"}
    assert told(world(deployment(), ambient, mesh_config(), peer("DISABLE")), "mtls_mode") == "PERMISSIVE"
    assert told(world(deployment(), ambient, mesh_config(), peer("STRICT")), "mtls_mode") == "STRICT"


def test_outside_of_istio() -> None:
    of = world(deployment(), namespace())
    assert (told(of, "mtls_mode"), told(of, "mtls_weak_ports")) == ("none", [])


def serving(*ports: int, notes: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    item = deployment(spec={"containers": [container(ports=[{"containerPort": p, "name": f"p{p}"} for p in ports])], **spec})
    item["spec"]["template"]["metadata"]["annotations"] = notes or {}
    return item


def test_weak_ports() -> None:
    modes = {8000: {"mode": "PERMISSIVE"}, 9000: {"mode": "STRICT"}, 9090: {"mode": "DISABLE"}, 7000: {}}
    own = peer("STRICT", name="w", **picked(), portLevelMtls=modes)
    assert told(world(serving(8000, 9000, 7000), *ISTIO, own), "mtls_weak_ports") == ["8000"]
    assert told(world(serving(), *ISTIO, own), "mtls_weak_ports") == ["8000", "9090"]
    # without labels that pick, ports say nothing: https://istio.io/latest/docs/reference/config/security/peer_authentication/
    assert told(world(serving(8000), *ISTIO, peer("STRICT", portLevelMtls=modes)), "mtls_weak_ports") == []
    past = {"traffic.sidecar.istio.io/excludeInboundPorts": "9000-9100"}
    assert told(world(serving(8000, 9090, notes=past), *ISTIO, peer("STRICT")), "mtls_weak_ports") == ["9090"]


# ---- Linkerd

LINKED = (namespace(notes={"linkerd.io/inject": "enabled"}), LINKERD)
DEFAULTS = {"all-unauthenticated": True, "all-authenticated": False, "cluster-unauthenticated": True, "deny": False, "audit": True}


def linkerd_config(policy: str) -> dict[str, Any]:
    return thing("v1", "ConfigMap", "linkerd-config", "linkerd", data={"values": f"proxy:\n  defaultInboundPolicy: {policy}\n"})


@pytest.mark.parametrize(("policy", "open_"), DEFAULTS.items())
def test_default_policies(policy: str, open_: bool) -> None:  # noqa: FBT001 - a column of the table
    word = {"config.linkerd.io/default-inbound-policy": policy}
    other = linkerd_config("deny" if open_ else "all-unauthenticated")
    assert told(world(serving(8000), *LINKED, linkerd_config(policy)), "linkerd_open") is open_
    noted = namespace(notes={"linkerd.io/inject": "enabled", **word})
    assert told(world(serving(8000), noted, LINKERD, other), "linkerd_open") is open_
    # the pod's word goes before its namespace's
    against = namespace(
        notes={
            "linkerd.io/inject": "enabled",
            "config.linkerd.io/default-inbound-policy": "deny" if open_ else "all-unauthenticated",
        }
    )
    assert told(world(serving(8000, notes=word), against, LINKERD), "linkerd_open") is open_


def test_a_default_that_is_not_known() -> None:
    assert told(world(serving(8000), *LINKED), "linkerd_open") is Reason.NOT_OFFERED
    assert told(world(serving(8000), *LINKED, gaps={"v1/ConfigMap": DENIED}), "linkerd_open") is Reason.DENIED


def server(port: Any = 8000, policy: str | None = None, **labels: str) -> dict[str, Any]:
    spec = {"podSelector": {"matchLabels": labels or {"app": "d"}}, "port": port} | ({"accessPolicy": policy} if policy else {})
    return thing("policy.linkerd.io/v1beta3", "Server", f"s{port}", spec=spec)


def admits(*kinds: str, target: str = "s8000", kind: str = "Server") -> dict[str, Any]:
    spec = {"targetRef": {"kind": kind, "name": target}, "requiredAuthenticationRefs": [{"kind": k, "name": "x"} for k in kinds]}
    return thing("policy.linkerd.io/v1alpha1", "AuthorizationPolicy", "a", spec=spec)


OPEN = linkerd_config("all-unauthenticated")


@pytest.mark.parametrize(
    ("items", "open_"),
    [
        ([server()], False),
        ([server("p8000")], False),
        ([server(9999)], True),
        ([server(app="other")], True),
        ([server(policy="all-unauthenticated")], True),
        ([server(), admits("MeshTLSAuthentication")], False),
        ([server(), admits("NetworkAuthentication")], True),
        ([server(), admits("NetworkAuthentication", "ServiceAccount")], False),
        ([server(), admits()], True),
        ([server(), admits(target="other")], False),
        ([server(), admits("NetworkAuthentication", target="team", kind="Namespace")], True),
        ([server(), admits("NetworkAuthentication", target="r", kind="HTTPRoute")], False),
        ([server(), thing("policy.linkerd.io/v1beta1", "ServerAuthorization", "o", spec={"server": {"name": "s8000"}, "client": {"unauthenticated": True}})], True),
        ([server(), thing("policy.linkerd.io/v1beta1", "ServerAuthorization", "o", spec={"server": {"selector": {}}, "client": {"unauthenticated": True}})], True),
    ],
)  # fmt: skip
def test_servers(items: list[dict[str, Any]], open_: bool) -> None:  # noqa: FBT001 - a column of the table
    assert told(world(serving(8000), *LINKED, OPEN, *items), "linkerd_open") is open_


def test_every_port_needs_its_server() -> None:
    assert told(world(serving(8000, 9000), *LINKED, OPEN, server()), "linkerd_open") is True
    assert told(world(serving(8000, 9000), *LINKED, OPEN, server(), server(9000)), "linkerd_open") is False


def test_servers_that_were_not_seen() -> None:
    native = "policy.linkerd.io/v1beta3/Server"
    assert told(world(serving(8000), *LINKED, OPEN, gaps={native: DENIED}), "linkerd_open") is Reason.DENIED
    assert told(world(serving(8000), *LINKED, OPEN, manifests=True), "linkerd_open") is Reason.NOT_OFFERED
    assert told(world(serving(8000), *LINKED, linkerd_config("deny"), manifests=True), "linkerd_open") is False


def test_ports_past_the_proxy() -> None:
    skip = {"config.linkerd.io/skip-inbound-ports": "8000-8010,22"}
    assert told(world(serving(8000, 9000, notes=skip), *LINKED), "linkerd_bypassed") == ["8000"]
    assert told(world(serving(notes=skip), *LINKED), "linkerd_bypassed") == ["8000-8010", "22"]
    noted = namespace(notes={"linkerd.io/inject": "enabled", **skip})
    assert told(world(serving(8000), noted, LINKERD), "linkerd_bypassed") == ["8000"]
    assert told(world(serving(8000), *LINKED), "linkerd_bypassed") == []


# ---- authorisation


def allow(*rules: Any, action: str = "ALLOW", place: str = "team", name: str = "a", **spec: Any) -> dict[str, Any]:
    body = {"action": action, **({"rules": list(rules)} if rules else {}), **spec}
    return thing(SECURITY, "AuthorizationPolicy", name, place, spec=body)


def source(**fields: Any) -> dict[str, Any]:
    return {"from": [{"source": fields}]}


GATEWAY = source(principals=["cluster.local/ns/istio-system/sa/istio-ingressgateway"])
CLIENT = source(principals=["cluster.local/ns/web/sa/front"])
DENY_ALL = thing(SECURITY, "AuthorizationPolicy", "deny-all", "istio-system", spec={})
HEADER = {"when": [{"key": "request.headers[kubeflow-userid]", "values": ["ada"]}]}


@pytest.mark.parametrize(
    ("policies", "known"),
    [
        ([], False),
        ([allow()], True),  # without rules nothing matches: everything is denied
        ([allow({})], False),  # an empty rule matches everything
        ([DENY_ALL], True),
        ([DENY_ALL, allow({})], False),
        ([DENY_ALL, allow(GATEWAY)], True),
        ([allow(GATEWAY)], True),
        ([allow(source(requestPrincipals=["*"]))], True),
        ([allow(source(namespaces=["web"]))], True),
        ([allow(source(serviceAccounts=["web/front"]))], True),
        ([allow(source(ipBlocks=["10.0.0.0/8"]))], False),
        ([allow(source(notPrincipals=["cluster.local/ns/x/sa/y"]))], False),
        ([allow({"from": [{"source": {"principals": ["x"]}}, {"source": {"ipBlocks": ["10.0.0.0/8"]}}]})], False),
        ([allow(HEADER)], False),
        ([allow({**GATEWAY, **HEADER})], True),
        ([allow({"when": [{"key": "source.namespace", "values": ["web"]}]})], True),
        ([allow({"when": [{"key": "source.namespace", "notValues": ["web"]}]})], False),
        ([allow({"when": [{"key": "request.auth.claims[iss]", "values": ["https://sso"]}]})], True),
        ([allow(GATEWAY, {"to": [{"operation": {"paths": ["/healthz", "/metrics"]}}]})], True),
        ([allow(GATEWAY, {"to": [{"operation": {"paths": ["/v1/*"]}}]})], False),
        ([allow({"to": [{"operation": {"ports": ["8000"]}}]})], False),
        # one that only denies something is no authentication
        ([allow(source(namespaces=["bad"]), action="DENY")], False),
        ([allow({}, action="DENY")], False),
        # but one that denies everyone without an identity is
        ([allow(source(notRequestPrincipals=["*"]), action="DENY")], True),
        ([allow({**source(notRequestPrincipals=["*"]), "to": [{"operation": {"paths": ["/admin"]}}]}, action="DENY")], False),
        ([allow(source(notRequestPrincipals=["*"], ipBlocks=["1.0.0.0/8"]), action="DENY")], False),
        ([allow({}, action="CUSTOM", provider={"name": "oauth2-proxy"})], True),
        ([allow({"to": [{"operation": {"paths": ["/x"]}}]}, action="CUSTOM")], False),
        ([allow(GATEWAY, action="AUDIT")], False),
        ([allow(GATEWAY, **picked())], True),
        ([allow(GATEWAY, **picked(app="other"))], False),
        ([allow(GATEWAY, place="elsewhere")], False),
        ([allow(GATEWAY, place="istio-system", **picked())], True),  # unlike PeerAuthentication
        ([allow(GATEWAY), allow({}, name="b", **picked())], False),
        ([allow(GATEWAY, targetRefs=[{"kind": "Gateway", "name": "waypoint"}])], False),
    ],
)
def test_authorised(policies: list[dict[str, Any]], known: bool) -> None:  # noqa: FBT001 - a column of the table
    of = world(deployment(), *ISTIO, *policies)
    (subject,) = of.all("workload")
    assert authorised(subject, of) is known


def who(of: MemoryWorld) -> Any:
    (subject,) = of.all("workload")
    found = authorised(subject, of)
    return found.reason if isinstance(found, Gap) else found


def test_policies_bind_members_of_the_mesh_only() -> None:
    assert who(world(deployment(), namespace(), injector(), mesh_config(), allow(GATEWAY))) is False
    assert who(world(deployment(spec={"hostNetwork": True}), *ISTIO, allow(GATEWAY))) is False


def test_authorisation_that_was_not_seen() -> None:
    assert who(world(deployment(), *ISTIO, allow(GATEWAY), gaps={POLICY: DENIED})) is Reason.DENIED
    assert who(world(deployment(), *ISTIO, gaps={POLICY: DENIED})) is Reason.DENIED
    assert who(world(deployment(), *ISTIO, allow({}), gaps={POLICY: DENIED})) is Reason.DENIED  # a DENY may stand before it
    assert who(world(deployment(), *ISTIO, manifests=True)) is Reason.NOT_OFFERED
    assert who(world(deployment(), *ISTIO, allow(GATEWAY), manifests=True)) is True
    assert who(world(deployment(), namespace(**MESHED), injector(), allow(GATEWAY))) is Reason.NOT_OFFERED


def test_waypoints_of_the_ambient_mesh() -> None:
    ambient = namespace()
    ambient["metadata"]["labels"] = {"istio.io/dataplane-mode": "ambient"}
    attached = allow(GATEWAY, targetRefs=[{"kind": "Service", "name": "s"}])
    assert who(world(deployment(), ambient, mesh_config(), attached)) is Reason.NOT_OFFERED
    assert who(world(deployment(), ambient, mesh_config(), allow(GATEWAY))) is True


def test_linkerd_authorises() -> None:
    assert who(world(serving(8000), *LINKED, linkerd_config("all-authenticated"))) is True
    assert who(world(serving(8000), *LINKED, OPEN)) is False
    skip = {"config.linkerd.io/skip-inbound-ports": "8000"}
    assert who(world(serving(8000, notes=skip), *LINKED, linkerd_config("deny"))) is False
    assert who(world(serving(8000), *LINKED)) is Reason.NOT_OFFERED


# ---- profiles


PROFILE = {"app.kubernetes.io__part_of": "kubeflow-profile", **MESHED}


def profile(*items: dict[str, Any], labels: dict[str, str] | None = None, **options: Any) -> list[Any]:
    of = world(namespace(**(PROFILE if labels is None else labels)), injector(), *items, **options)
    names = ("profile", "mesh", "denies_by_default", "open_policies", "header_policies")
    return [told(of, name, "namespace", "team") for name in names]


def test_profiles() -> None:
    # https://github.com/kubeflow/manifests: common/istio/istio-install/base/deny_all_authorizationpolicy.yaml is `spec: {}`
    assert profile(mesh_config(), DENY_ALL) == [True, "istio", True, [], []]
    assert profile(mesh_config()) == [True, "istio", False, [], []]
    assert profile(mesh_config(), allow(GATEWAY)) == [True, "istio", True, [], []]
    assert profile(mesh_config(), allow(GATEWAY, **picked())) == [True, "istio", False, [], []]
    assert profile(mesh_config(), DENY_ALL, allow({})) == [True, "istio", True, ["a"], []]
    assert profile(mesh_config(), DENY_ALL, allow({}, **picked())) == [True, "istio", True, ["a"], []]
    assert profile(mesh_config(), DENY_ALL, allow(HEADER)) == [True, "istio", True, [], ["a"]]
    assert profile(mesh_config(), DENY_ALL, allow({**GATEWAY, **HEADER})) == [True, "istio", True, [], []]
    # what names no caller is open, though it is not empty
    ports = {"to": [{"operation": {"ports": ["8888"]}}]}
    assert profile(mesh_config(), DENY_ALL, allow(ports))[3] == ["a"]
    assert profile(mesh_config(), DENY_ALL, allow(source(principals=["*"])))[3] == ["a"]
    assert profile(mesh_config(), DENY_ALL, allow({"to": [{"operation": {"paths": ["/healthz"]}}]}))[3] == []


def test_profiles_by_object_and_outside_of_the_mesh() -> None:
    made = thing("kubeflow.org/v1", "Profile", "team", None)
    assert profile(mesh_config(), made, labels={})[:2] == [True, "none"]
    assert profile(mesh_config(), labels={})[0] is False
    assert profile(mesh_config(), labels={}, gaps={"kubeflow.org/v1/Profile": DENIED})[0] is Reason.DENIED
    assert profile(mesh_config(), gaps={"kubeflow.org/v1/Profile": DENIED})[0] is True
    assert profile(mesh_config(), labels={**PROFILE, "istio_injection": "disabled"})[1] == "none"


def test_profiles_that_were_not_wholly_seen() -> None:
    assert profile() == [True, "istio", *[Reason.NOT_OFFERED] * 3]
    assert profile(mesh_config(), gaps={POLICY: DENIED}) == [True, "istio", *[Reason.DENIED] * 3]
    assert profile(mesh_config(), allow({}), gaps={POLICY: DENIED}) == [True, "istio", True, ["a"], Reason.DENIED]
    assert profile(mesh_config(), manifests=True) == [True, "istio", Reason.NOT_OFFERED, [], []]


# ---- encryption by the network plugin


def cilium(**data: str) -> dict[str, Any]:
    return thing("v1", "ConfigMap", "cilium-config", "kube-system", data={k.replace("_", "-"): v for k, v in data.items()})


def node(name: str = "n", provider: str = "", status: Any = None, notes: Any = None, **labels: str) -> dict[str, Any]:
    own = {k.replace("__", "/").replace("_", "-"): v for k, v in labels.items()}
    return thing(
        "v1",
        "Node",
        name,
        None,
        metadata={"labels": own, "annotations": notes or {}},
        spec={"providerID": provider} if provider else {},
        status=status or {"capacity": {"cpu": "8"}},
    )


def plugin(*items: dict[str, Any], called: str = "cilium-config", **options: Any) -> list[Any]:
    of = world(*items, **options)
    return [told(of, name, "configuration", called) for name in ("plugin", "pod_encryption", "drops_clear", "nodes_in_clear")]


@pytest.mark.parametrize(
    ("data", "mode", "strict"),
    [
        ({}, "none", False),
        ({"enable_wireguard": "true"}, "wireguard", False),
        ({"enable_ipsec": "true", "enable_wireguard": "false"}, "ipsec", False),
        ({"enable_ipsec": "true", "enable_wireguard": "true"}, "both", False),
        ({"enable_wireguard": "maybe"}, Reason.UNPARSABLE, False),
        ({"enable_ztunnel": "true"}, Reason.NOT_OFFERED, False),
        ({"enable_wireguard": "true", "enable_encryption_strict_mode": "true"}, "wireguard", True),
        ({"enable_wireguard": "true", "enable_encryption_strict_mode_egress": "true"}, "wireguard", True),
        ({"enable_wireguard": "true", "enable_encryption_strict_mode": "odd"}, "wireguard", Reason.UNPARSABLE),
    ],
)
def test_cilium(data: dict[str, str], mode: Any, strict: Any) -> None:
    assert plugin(cilium(**data)) == ["cilium", mode, strict, []]


AKS = node(provider="azure:///x", **{"kubernetes.azure.com__cluster": "c"})


def test_a_cilium_that_a_cloud_manages() -> None:
    assert plugin(cilium(), AKS)[1] is Reason.NOT_OFFERED
    assert plugin(cilium(enable_wireguard="true"), AKS)[1] == "wireguard"
    helm = cilium()
    helm["metadata"]["labels"] = {"app.kubernetes.io/managed-by": "Helm"}
    assert plugin(helm, AKS)[1] == "none"
    assert plugin(cilium(), node(provider="azure:///x"))[1] == "none"
    assert plugin(cilium(), gaps={"v1/Node": DENIED})[1] is Reason.DENIED
    assert plugin(cilium(), manifests=True)[1] == "none"


def felix(name: str = "default", **spec: Any) -> dict[str, Any]:
    return thing("crd.projectcalico.org/v1", "FelixConfiguration", name, None, spec=spec)


KEYED = {"projectcalico.org/WireguardPublicKey": "k"}


def calico(*items: dict[str, Any], **options: Any) -> Any:
    found = plugin(felix(wireguardEnabled=True), *items, called="default", **options)
    assert found[:2] == ["calico", "wireguard"]
    return found[3]


def test_calico() -> None:
    assert plugin(felix(), called="default") == ["calico", "none", False, []]
    assert plugin(felix(wireguardEnabled="true"), called="default")[1] == "none"  # only a truth turns it on
    assert plugin(felix("node.n", wireguardEnabled=False), called="node.n")[0] == ""
    assert calico() == []
    assert calico(node(notes=KEYED), node("b", notes=KEYED)) == []
    assert calico(node(notes=KEYED), node("b"), node("a")) == ["a", "b"]
    assert calico(node(notes=KEYED), felix("node.n", wireguardEnabled=False)) == ["n"]
    assert calico(node(notes=KEYED), felix("node.n", logSeverityScreen="Info")) == []
    dual = {**KEYED, "projectcalico.org/IPv6Address": "fd00::1/64"}
    assert calico(node(notes=dual)) == ["n"]
    both = felix("node.n", wireguardEnabledV6=True)
    assert calico(node(notes=dual), both) == ["n"]
    assert calico(node(notes={**dual, "projectcalico.org/WireguardPublicKeyV6": "k"}), both) == []
    assert calico(gaps={"v1/Node": DENIED}) is Reason.DENIED
    assert calico(manifests=True) is Reason.NOT_OFFERED


def test_calico_in_both_of_its_groups() -> None:
    """Where its own API server is there, the same object is seen twice, and judged once."""
    stored = felix()
    shown = {**stored, "apiVersion": "projectcalico.org/v3"}
    of = world(stored, shown)
    found = {r.native_type: of.fact(r, "plugin") for r in of.all("configuration")}
    assert found == {
        "crd.projectcalico.org/v1/FelixConfiguration": "",
        "projectcalico.org/v3/FelixConfiguration": "calico",
    }
    assert plugin(stored, called="default")[0] == "calico"
    other = {**shown, "metadata": {"name": "node.n"}}
    of = world(stored, other)
    assert {of.fact(r, "plugin") for r in of.all("configuration")} == {"", "calico"}


def antrea(mode: str) -> dict[str, Any]:
    text = f"trafficEncryptionMode: {mode}\n" if mode else ""
    return thing("v1", "ConfigMap", "antrea-config", "kube-system", data={"antrea-agent.conf": text})


def ovn(**config: Any) -> dict[str, Any]:
    spec = {"defaultNetwork": {"type": "OVNKubernetes", "ovnKubernetesConfig": config}}
    return thing("operator.openshift.io/v1", "Network", "cluster", None, spec=spec)


def test_other_plugins() -> None:
    found = [plugin(antrea(m), called="antrea-config")[1] for m in ("", "none", "ipsec", "wireGuard", "x")]
    assert found == ["none", "none", "ipsec", "wireguard", Reason.UNPARSABLE]
    assert plugin(ovn(ipsecConfig={"mode": "External"}), called="cluster")[:2] == ["ovn", "external"]
    other = thing("operator.openshift.io/v1", "Network", "cluster", None, spec={"defaultNetwork": {"type": "OpenShiftSDN"}})
    assert plugin(other, called="cluster")[0] == ""
    unnamed = thing(
        "operator.openshift.io/v1", "Network", "cluster", None, spec={"defaultNetwork": {"ovnKubernetesConfig": {"mtu": 1}}}
    )
    assert plugin(unnamed, called="cluster")[:2] == ["ovn", "none"]
    nothing = thing("operator.openshift.io/v1", "Network", "cluster", None, spec={"defaultNetwork": {}})
    assert plugin(nothing, called="cluster") == [Reason.UNPARSABLE] * 4
    assert plugin(thing("v1", "ConfigMap", "app", data={"a": "b"}), called="app") == ["", "", False, []]


# ---- what accelerator pods send


GPU = {"resources": {"limits": {"nvidia.com/gpu": 8}}}
RDMA = {"resources": {"limits": {"nvidia.com/gpu": 8, "rdma/hca": 1}}}


def gpu(limits: dict[str, Any] = GPU, **spec: Any) -> dict[str, Any]:
    return deployment(spec={"containers": [container(**limits)], **spec})


def machine(size: str, name: str = "gpu-1", provider: str = "aws:///z/i-1") -> dict[str, Any]:
    return node(name, provider, {"capacity": {"nvidia.com/gpu": "8"}}, **{"node.kubernetes.io__instance_type": size})


AWS_CNI = thing("apps/v1", "DaemonSet", "aws-node", "kube-system", spec={"template": {"spec": {"containers": [container()]}}})
OLD, NEW = machine("p3.16xlarge"), machine("p5.48xlarge")
ON = cilium(enable_wireguard="true")


def clear(*items: dict[str, Any], around: dict[str, Any] | None = None, **options: Any) -> Any:
    of = world(around or namespace(), *items, **options)
    return told(of, "accelerators_in_clear", "namespace", "team")


def test_only_what_was_wholly_seen_is_in_clear() -> None:
    assert clear(gpu(), AWS_CNI, OLD) == ["d"]
    assert clear(gpu(), cilium(), OLD) == ["d"]
    assert clear(gpu(), AWS_CNI) is Reason.NOT_OFFERED  # the links
    assert clear(gpu(), AWS_CNI, machine("h100x8", provider="")) is Reason.NOT_OFFERED
    assert clear(gpu(), OLD) is Reason.NOT_OFFERED  # which plugin is it?
    assert clear(gpu(), AWS_CNI, OLD, gaps={"v1/ConfigMap": DENIED}) is Reason.DENIED
    assert clear(gpu(), AWS_CNI, OLD, manifests=True) is Reason.NOT_OFFERED


def test_what_encrypts() -> None:
    assert clear(gpu(), ON, OLD) == []
    assert clear(gpu(), AWS_CNI, NEW) == []
    assert clear(gpu(), AWS_CNI, NEW, machine("p3.16xlarge", "gpu-2")) == ["d"]
    assert clear(gpu({**GPU, "args": ["--ssl-keyfile=/k"]}), AWS_CNI, OLD) == []
    strict = (*ISTIO[1:], peer("STRICT"))
    assert clear(gpu(), AWS_CNI, OLD, *strict, around=ISTIO[0]) == []
    assert clear(gpu(), AWS_CNI, OLD, *ISTIO[1:], around=ISTIO[0]) == ["d"]
    # a port past the proxy is in clear
    own: dict[str, Any] = {**GPU, "ports": [{"containerPort": 8000}]}
    ports = deployment(spec={"containers": [container(**own)]})
    past = {**ports, "spec": {**ports["spec"], "template": {**ports["spec"]["template"]}}}
    past["spec"]["template"]["metadata"] = {"annotations": {"traffic.sidecar.istio.io/excludeInboundPorts": "8000"}}
    assert clear(ports, AWS_CNI, OLD, *strict, around=ISTIO[0]) == []
    assert clear(past, AWS_CNI, OLD, *strict, around=ISTIO[0]) == ["d"]
    assert clear(gpu(), AWS_CNI, OLD, LINKERD, linkerd_config("all-authenticated"), around=LINKED[0]) == []
    assert clear(gpu(), antrea("ipsec"), OLD) == []
    assert clear(gpu(), ovn(ipsecConfig={}), OLD) == []
    assert clear(gpu(), felix(wireguardEnabled=True), machine("p3.2xlarge") | {}) == ["d"]  # its node has no key


def test_flannel() -> None:
    old = machine("p3.16xlarge")
    for backend, found in (("wireguard", []), ("vxlan", ["d"])):
        old["metadata"]["annotations"] = {"flannel.alpha.coreos.com/backend-type": backend}
        assert clear(gpu(), dict(old)) == found
        old = machine("p3.16xlarge")


def test_rdma_passes_by_everything_but_the_link() -> None:
    assert clear(gpu(RDMA), ON, OLD) == ["d"]
    assert clear(gpu(RDMA), ON, NEW) == []
    of = world(namespace(), gpu(RDMA), ON)
    (subject,) = of.all("namespace")
    gap = of.fact(subject, "accelerators_in_clear")
    assert isinstance(gap, Gap)
    assert "links between the machines" in gap.detail


def test_the_network_of_the_host() -> None:
    assert clear(gpu(hostNetwork=True), ON, OLD) == ["d"]
    assert clear(gpu(hostNetwork=True), cilium(enable_wireguard="true", encrypt_node="true"), OLD) == []


def test_namespaces_without_accelerators() -> None:
    of = world(namespace(), deployment())
    assert (told(of, "accelerated", "namespace", "team"), told(of, "accelerators_in_clear", "namespace", "team")) == (False, [])
    assert told(world(namespace(), deployment(), gaps={"v1/Pod": DENIED}), "accelerated", "namespace", "team") is Reason.DENIED
    assert told(world(namespace(), gpu(), gaps={"v1/Pod": DENIED}), "accelerated", "namespace", "team") is True
    assert clear(gpu(), ON, gaps={"v1/Pod": DENIED}) is Reason.DENIED
    assert clear(gpu(), AWS_CNI, OLD, gaps={"v1/Pod": DENIED}) == ["d"]


def test_missing_evidence_is_listed() -> None:
    of = world(namespace(), gpu())
    (subject,) = of.all("namespace")
    gap = of.fact(subject, "accelerators_in_clear")
    assert isinstance(gap, Gap)
    assert "network plugin" in gap.detail
    assert "links between the machines" in gap.detail


# ---- how models are published


def isvc(labels: dict[str, str] | None = None, notes: dict[str, str] | None = None) -> dict[str, Any]:
    return thing(
        "serving.kserve.io/v1beta1",
        "InferenceService",
        "d",
        metadata={"labels": labels or {}, "annotations": notes or {}},
        spec={"predictor": {"containers": [container("kserve-container")]}},
    )


SERVERLESS = '{"defaultDeploymentMode": "Serverless"}'


def kserve(ingress: str = "{}", deploy: str = SERVERLESS) -> dict[str, Any]:
    return thing("v1", "ConfigMap", "inferenceservice-config", "kserve", data={"ingress": ingress, "deploy": deploy})


LOCAL = {"networking.kserve.io/visibility": "cluster-local"}
KNATIVE_LOCAL = {"networking.knative.dev/visibility": "cluster-local"}
RAW = '{"defaultDeploymentMode": "RawDeployment"}'


def published(*items: dict[str, Any], **options: Any) -> list[Any]:
    of = world(namespace(), *items, **options)
    return [told(of, name, "model_service") for name in ("public", "callers_known", "url_scheme")]


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ([isvc(), kserve()], [True, False, "http"]),
        ([isvc(), kserve('{"urlScheme": "https"}')], [True, False, "https"]),
        # each way of deploying has a label of its own, and minds that one only
        # https://github.com/kserve/kserve/blob/master/pkg/controller/v1beta1/inferenceservice/reconcilers/ingress
        ([isvc(LOCAL), kserve(deploy=RAW)], [False, True, ""]),
        ([isvc(LOCAL), kserve()], [True, False, "http"]),
        ([isvc(KNATIVE_LOCAL), kserve()], [False, True, ""]),
        ([isvc(KNATIVE_LOCAL), kserve(deploy=RAW)], [True, False, "http"]),
        ([isvc({**LOCAL, **KNATIVE_LOCAL})], [False, True, ""]),
        ([isvc(KNATIVE_LOCAL)], [Reason.NOT_OFFERED, False, Reason.NOT_OFFERED]),
        ([isvc(notes={"networking.kserve.io/visibility": "cluster-local"}), kserve()], [True, False, "http"]),
        ([isvc(), kserve(deploy="{}")], [Reason.UNPARSABLE, False, "http"]),
        ([isvc(notes={"security.opendatahub.io/enable-auth": "true"}), kserve()], [True, True, "http"]),
        ([isvc(), kserve(deploy=RAW)], [True, False, "http"]),
        ([isvc(), kserve('{"disableIngressCreation": true}', RAW)], [False, True, ""]),
        ([isvc(), kserve('{"ingressDomain": "svc.cluster.local"}', RAW)], [False, True, ""]),
        (
            [isvc({"networking.kserve.io/visibility": "exposed"}), kserve('{"disableIngressCreation": true}', RAW)],
            [True, False, "http"],
        ),
        ([isvc(notes={"serving.kserve.io/deploymentMode": "ModelMesh"}), kserve()], [False, True, ""]),
        ([isvc(notes={"serving.kserve.io/deploymentMode": "Odd"}), kserve()], [Reason.UNPARSABLE, False, "http"]),
        ([isvc(), kserve("{")], [Reason.UNPARSABLE, False, Reason.UNPARSABLE]),
        ([isvc()], [Reason.NOT_OFFERED, False, Reason.NOT_OFFERED]),
    ],
)
def test_published(items: list[dict[str, Any]], found: list[Any]) -> None:
    assert published(*items) == found


def test_callers_of_published_models() -> None:
    of = [*ISTIO[1:], isvc(), kserve()]

    def known(*items: dict[str, Any], **options: Any) -> Any:
        return told(world(ISTIO[0], *of, *items, **options), "callers_known", "model_service")

    assert known() is False
    assert known(allow(CLIENT)) is True
    assert known(allow({})) is False
    # whoever comes through the gateway comes with its identity
    assert known(allow(GATEWAY)) is False
    assert known(allow(CLIENT, GATEWAY)) is False
    assert known(allow(source(namespaces=["istio-system"]))) is False
    assert known(allow(source(principals=["*"]))) is False
    assert known(allow({"when": [{"key": "source.namespace", "values": ["web"]}]})) is False
    token = {"when": [{"key": "request.auth.claims[iss]", "values": ["https://sso"]}]}
    assert known(allow({**GATEWAY, **token})) is True
    both = source(principals=["cluster.local/ns/istio-system/sa/istio-ingressgateway"], requestPrincipals=["*"])
    assert known(allow(both)) is True
    assert known(DENY_ALL, allow(source(requestPrincipals=["*"]))) is True
    assert known(gaps={POLICY: DENIED}) is Reason.DENIED
    gateway = deployment("gw", {"containers": [container("istio-proxy")]}, "istio-system", {"istio": "ingressgateway"})
    asks = allow(
        source(notRequestPrincipals=["*"]),
        action="DENY",
        place="istio-system",
        selector={"matchLabels": {"istio": "ingressgateway"}},
    )
    assert known(gateway) is False
    assert known(gateway, asks) is True
    # https://github.com/kubeflow/manifests: common/oauth2-proxy asks for a token on every path but those of the login
    login = {**source(notRequestPrincipals=["*"]), "to": [{"operation": {"notPaths": ["/dex/*", "/oauth2/*"]}}]}
    assert known(gateway, allow(login, action="DENY", place="istio-system")) is True
    models = {**source(notRequestPrincipals=["*"]), "to": [{"operation": {"notPaths": ["/dex/*", "/v1/*"]}}]}
    assert known(gateway, allow(models, action="DENY", place="istio-system")) is False
    # one gateway that asks is not enough where another may publish the service
    other = deployment("egress", {"containers": [container("istio-proxy")]}, "istio-system", {"istio": "egressgateway"})
    assert known(gateway, other, asks) is Reason.NOT_OFFERED
    attached = allow(source(requestPrincipals=["*"]), place="istio-system", targetRefs=[{"kind": "Gateway", "name": "g"}])
    assert known(gateway, attached) is Reason.NOT_OFFERED
    # gateways in namespaces that were not looked at
    assert known(gaps={POLICY: Gap(Reason.NOT_OFFERED, "", "Scan without --namespaces.")}) is Reason.NOT_OFFERED


def test_policies_for_some_workloads_of_a_namespace() -> None:
    nim = thing("apps.nvidia.com/v1alpha1", "NIMService", "d", spec={"expose": {"service": {"type": "LoadBalancer"}}})

    def known(*items: dict[str, Any]) -> Any:
        return told(world(*ISTIO, nim, *items), "callers_known", "model_service")

    own: dict[str, Any] = {"selector": {"matchLabels": {"app": "nim"}}}
    assert known() is False
    assert known(allow(CLIENT, **own)) is Reason.NOT_OFFERED
    assert known(allow(CLIENT), allow(CLIENT, name="b", **own)) is True
    assert known(allow(CLIENT), allow({}, name="b", **own)) is Reason.NOT_OFFERED


def test_an_ingress_in_front_may_ask() -> None:
    note = {"alb.ingress.kubernetes.io/auth-type": "cognito"}
    front = thing("networking.k8s.io/v1", "Ingress", "front", "istio-system", metadata={"annotations": note}, spec={})
    assert published(isvc(), kserve(), front)[1] is Reason.NOT_OFFERED
    far = thing("networking.k8s.io/v1", "Ingress", "front", "shop", metadata={"annotations": note}, spec={})
    assert published(isvc(), kserve(), far)[1] is False
    assert published(isvc(), kserve(), gaps={"networking.k8s.io/v1/Ingress": DENIED})[1] is Reason.DENIED


def test_models_of_manifests() -> None:
    assert published(isvc({**LOCAL, **KNATIVE_LOCAL}), manifests=True) == [False, True, ""]
    assert published(isvc(LOCAL), manifests=True) == [Reason.NOT_OFFERED] * 3
    assert published(isvc(), kserve(), manifests=True) == [True, Reason.NOT_OFFERED, "http"]
    assert published(isvc(), manifests=True) == [Reason.NOT_OFFERED] * 3


def test_models_of_others() -> None:
    nim = thing("apps.nvidia.com/v1alpha1", "NIMService", "d", spec={"expose": {"router": {"ingress": {"ingressClass": "x"}}}})
    assert published(nim) == [True, False, ""]
    assert published(thing("apps.nvidia.com/v1alpha1", "NIMService", "d")) == [False, True, ""]
    seldon = thing("machinelearning.seldon.io/v1", "SeldonDeployment", "d", spec={})
    assert published(seldon) == [Reason.NOT_OFFERED, False, ""]
    llm = thing("serving.kserve.io/v1alpha1", "LLMInferenceService", "d", spec={"router": {"gateway": {}}})
    assert published(llm, kserve()) == [True, False, "http"]
    assert published(thing("serving.kserve.io/v1alpha1", "LLMInferenceService", "d"), kserve()) == [False, True, ""]
    made = thing("serving.kserve.io/v1alpha1", "LLMInferenceService", "d", spec={"baseRefs": [{"name": "with-a-router"}]})
    assert published(made, kserve())[0] is Reason.NOT_OFFERED


def test_two_configurations_of_kserve() -> None:
    second = kserve('{"urlScheme": "https"}')
    second["metadata"]["namespace"] = "team"
    assert published(isvc(), kserve(), second)[2] is Reason.UNPARSABLE
    same = kserve()
    same["metadata"]["namespace"] = "team"
    assert published(isvc(), kserve(), same) == [True, False, "http"]


# ---- time


def test_policies_are_read_once_a_world() -> None:
    many = [deployment(f"d{i}") for i in range(30)]
    of = world(
        *ISTIO, *many, *(peer("STRICT", name=f"p{i}") for i in range(30)), *(allow(GATEWAY, name=f"a{i}") for i in range(30))
    )
    pods = list(of.all("workload"))
    of.reads = 0
    assert {of.fact(p, "mtls_mode") for p in pods} == {"STRICT"}
    assert {authorised(p, of) for p in pods} == {True}
    # each index walks its kind once: peers and authorizations (60 policies each), configurations, injectors
    assert of.reads <= 2 * 60 + 4
