"""Network policies: by hand, and against an evaluator that knows nothing but the words of the documentation."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

POLICY = "networking.k8s.io/v1/NetworkPolicy"
DENIED = Gap(Reason.DENIED, "networking.k8s.io/v1:networkpolicies", "Allow it.")
EVERYONE: dict[str, Any] = {}


def policy(name: str = "np", namespace: str = "team", **spec: Any) -> dict[str, Any]:
    return thing("networking.k8s.io/v1", "NetworkPolicy", name, namespace, spec={"podSelector": {}, **spec})


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def subject(of: MemoryWorld, kind: str = "workload") -> Resource:
    (resource,) = of.all(kind)
    return resource


def fact(name: str, *items: dict[str, Any], **options: Any) -> Any:
    of = world(*items, **options)
    found = of.fact(subject(of), name)
    return found.reason if isinstance(found, Gap) else found


APP = deployment("d", labels={"app": "chat", "tier": "front"})


@pytest.mark.parametrize(
    ("spec", "ingress", "egress"),
    [
        ({"policyTypes": ["Ingress"]}, True, False),
        ({"policyTypes": ["Egress"]}, False, True),
        ({"policyTypes": ["Ingress", "Egress"]}, True, True),
        ({}, True, False),
        ({"egress": [{}]}, True, True),
        ({"egress": []}, True, False),
        ({"podSelector": {"matchLabels": {"app": "chat"}}}, True, False),
        ({"podSelector": {"matchLabels": {"app": "other"}}}, False, False),
        ({"podSelector": {"matchLabels": {"app": "chat", "tier": "back"}}}, False, False),
        ({"podSelector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["chat", "x"]}]}}, True, False),
        ({"podSelector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["x"]}]}}, False, False),
        ({"podSelector": {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["chat"]}]}}, False, False),
        ({"podSelector": {"matchExpressions": [{"key": "zone", "operator": "NotIn", "values": ["a"]}]}}, True, False),
        ({"podSelector": {"matchExpressions": [{"key": "tier", "operator": "Exists"}]}}, True, False),
        ({"podSelector": {"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}}, False, False),
        # regolibrary drops the expressions of a mixed selector
        (
            {
                "podSelector": {
                    "matchLabels": {"app": "chat"},
                    "matchExpressions": [{"key": "tier", "operator": "In", "values": ["back"]}],
                }
            },
            False,
            False,
        ),
    ],
)
def test_isolation(spec: dict[str, Any], ingress: bool, egress: bool) -> None:  # noqa: FBT001 - columns of the table
    assert (fact("ingress_isolated", APP, policy(**spec)), fact("egress_isolated", APP, policy(**spec))) == (ingress, egress)


def test_only_the_own_namespace_counts() -> None:
    assert fact("ingress_isolated", APP, policy(namespace="other")) is False


def test_absence_counts_only_where_everything_was_seen() -> None:
    assert fact("ingress_isolated", APP) is False
    assert fact("ingress_isolated", APP, gaps={POLICY: DENIED}) is Reason.DENIED
    assert fact("ingress_isolated", APP, policy(), gaps={POLICY: DENIED}) is True
    assert fact("ingress_isolated", APP, manifests=True) is Reason.NOT_OFFERED
    assert fact("ingress_isolated", APP, policy(), manifests=True) is True
    assert fact("egress_isolated", APP, policy(), manifests=True) is Reason.NOT_OFFERED


def test_policies_do_not_bind_the_host() -> None:
    assert fact("ingress_isolated", deployment(spec={"hostNetwork": True}), policy()) is Reason.NOT_OFFERED
    assert fact("metadata_reachable", deployment(spec={"hostNetwork": True}), policy(policyTypes=["Egress"])) is True


@pytest.mark.parametrize(
    "other",
    [
        thing("cilium.io/v2", "CiliumNetworkPolicy", "c"),
        thing("cilium.io/v2", "CiliumClusterwideNetworkPolicy", "c", None),
        thing("crd.projectcalico.org/v1", "GlobalNetworkPolicy", "c", None),
        thing("policy.networking.k8s.io/v1alpha1", "AdminNetworkPolicy", "c", None),
    ],
    ids=lambda o: o["kind"],
)
def test_policies_of_other_engines_leave_it_open(other: dict[str, Any]) -> None:
    assert fact("ingress_isolated", APP, other) is Reason.NOT_OFFERED
    assert fact("metadata_reachable", APP, other) is Reason.NOT_OFFERED
    assert fact("ingress_isolated", APP, other, policy()) is True


def test_another_engine_in_another_namespace_or_unlistable() -> None:
    assert fact("ingress_isolated", APP, thing("cilium.io/v2", "CiliumNetworkPolicy", "c", "other")) is False
    native = "cilium.io/v2/CiliumNetworkPolicy"
    assert fact("ingress_isolated", APP, gaps={native: DENIED}) is Reason.DENIED
    assert fact("ingress_isolated", APP, gaps={native: Gap(Reason.SERVICE_OFF)}) is False


def test_labels_that_a_controller_adds() -> None:
    spec = {"headGroupSpec": {"template": {"spec": {"containers": [{"name": "h", "image": "i"}]}}}}
    cluster = thing("ray.io/v1", "RayCluster", "r", spec=spec)
    assert fact("ingress_isolated", cluster, policy(podSelector={"matchLabels": {"ray.io/cluster": "r"}})) is True
    assert fact("ingress_isolated", cluster, policy(podSelector={"matchLabels": {"ray.io/cluster": "other"}})) is False
    of = world(cluster, policy(podSelector={"matchLabels": {"ray.io/serve": "x"}}))
    (head,) = of.all("workload")
    gap = of.fact(head, "ingress_isolated")
    assert isinstance(gap, Gap)
    assert "ray.io/serve" in gap.detail
    # a pod has all its labels, and a label of the author's own is not added by anyone
    assert fact("ingress_isolated", pod(labels={"a": "b"}), policy(podSelector={"matchLabels": {"ray.io/cluster": "r"}})) is False
    assert fact("ingress_isolated", APP, policy(podSelector={"matchLabels": {"team": "x"}})) is False


SHAPES: tuple[dict[str, Any], ...] = (
    {"podSelector": {"matchLabels": ["app"]}},
    {"podSelector": {"matchExpressions": [{"key": "a", "operator": "Exists", "values": 1}]}},
    {"egress": "none"},
    {"egress": ["none"]},
    {"egress": [{"to": 1}]},
    {"egress": [{"to": ["all"]}]},
    {"egress": [{"to": [{"ipBlock": {"cidr": "${CIDR}"}}]}]},
    {"egress": [{"to": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["what"]}}]}]},
)


@pytest.mark.parametrize("spec", SHAPES)
def test_a_policy_of_another_shape_is_a_gap_for_its_own_namespace_only(spec: dict[str, Any]) -> None:
    odd = policy("odd", policyTypes=["Egress"], **spec)
    for name in ("egress_open_by", "metadata_reachable"):
        assert fact(name, APP, policy(policyTypes=["Egress"]), odd) is Reason.UNPARSABLE
        assert fact(name, APP, policy(policyTypes=["Egress"]), {**odd, "metadata": {"name": "odd", "namespace": "b"}}) in (
            [],
            False,
        )


@pytest.mark.parametrize(
    ("api", "kind", "spec"),
    [
        ("cilium.io/v2", "CiliumClusterwideNetworkPolicy", {"endpointSelector": {}, "ingress": "x"}),
        ("cilium.io/v2", "CiliumClusterwideNetworkPolicy", {"endpointSelector": {}, "ingress": [{"fromCIDR": ["{{ x }}"]}]}),
        # a text is no switch: it would be taken for the default, which closes the direction
        (
            "cilium.io/v2",
            "CiliumClusterwideNetworkPolicy",
            {"endpointSelector": {}, "ingress": [{"fromEntities": ["host"]}], "enableDefaultDeny": {"ingress": "false"}},
        ),
        ("projectcalico.org/v3", "GlobalNetworkPolicy", {"types": 1}),
        ("projectcalico.org/v3", "GlobalNetworkPolicy", {"ingress": [{"action": "Allow", "source": {"nets": ["x"]}}]}),
        ("policy.networking.k8s.io/v1alpha2", "ClusterNetworkPolicy", {"tier": "Admin", "priority": 1, "subject": [[]]}),
        (
            "policy.networking.k8s.io/v1alpha2",
            "ClusterNetworkPolicy",
            {"tier": "Admin", "priority": 1, "subject": {"namespaces": {}}, "ingress": [{"action": "Deny", "from": 1}]},
        ),
    ],
)
def test_a_policy_of_another_shape_is_a_gap_in_every_engine(api: str, kind: str, spec: dict[str, Any]) -> None:
    odd = thing(api, kind, "odd", None, spec=spec)
    assert fact("ingress_isolated", APP, odd) is Reason.UNPARSABLE


def test_many_policies_that_select_many_pods_take_no_time() -> None:
    pods = [pod(f"p{i}", namespace="team", labels={"app": f"a{i}"}) for i in range(200)]
    rules = [[{"from": [{"podSelector": {"matchLabels": {"app": f"a{i}"}}}], "ports": [{"port": 1000 + i}]}] for i in range(150)]
    of = world(*pods, *(policy(f"n{i}", ingress=rule) for i, rule in enumerate(rules)))
    began = time.monotonic()
    assert {str(of.fact(w, "reachable_from_other_namespaces")) for w in of.all("workload")} == {"False"}
    assert time.monotonic() - began < 10  # it took minutes


def test_rules_that_may_pass_on_take_no_time() -> None:
    def tier(number: int) -> dict[str, Any]:
        return thing("projectcalico.org/v3", "Tier", f"t{number}", None, spec={"order": number, "defaultAction": "Pass"})

    # not known: where a connection comes from
    rules = [{"action": "Pass", "source": {"ports": [1]}} for _ in range(20)]
    of = world(
        APP,
        *(tier(i) for i in range(8)),
        *(
            thing("projectcalico.org/v3", "GlobalNetworkPolicy", f"t{i}.p", None, spec={"tier": f"t{i}", "ingress": rules})
            for i in range(8)
        ),
    )
    began = time.monotonic()
    assert of.fact(subject(of), "reachable_from_other_namespaces") is True
    assert time.monotonic() - began < 10  # twenty to the power of eight


def test_a_policy_that_cannot_be_read_is_not_skipped() -> None:
    of = world(APP)
    broken = [r.replace(facts={"namespace": "team"}, gaps={"selector": Gap(Reason.UNPARSABLE)}) for r in projected(policy())]
    of = MemoryWorld([*of.all("workload"), *broken], {}, DERIVATIONS)
    for name in ("ingress_isolated", "ingress_open_by", "metadata_reachable"):
        found = of.fact(subject(of), name)
        assert isinstance(found, Gap), name
        assert found.reason is Reason.UNPARSABLE


METADATA_NAME = "kubernetes.io/metadata.name"


@pytest.mark.parametrize(
    ("rule", "admits"),
    [
        (EVERYONE, True),
        ({"from": []}, True),
        ({"from": [{"podSelector": {}}]}, False),
        ({"from": [{"namespaceSelector": {}}]}, True),
        ({"from": [{"namespaceSelector": {}, "podSelector": {}}]}, True),
        ({"from": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"a": "b"}}}]}, False),
        ({"from": [{"namespaceSelector": {"matchLabels": {"a": "b"}}}]}, False),
        ({"from": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}, True),
        ({"from": [{"ipBlock": {"cidr": "::/0"}}]}, True),
        ({"from": [{"ipBlock": {"cidr": "0.0.0.0/1"}}, {"ipBlock": {"cidr": "128.0.0.0/1"}}]}, True),
        ({"from": [{"ipBlock": {"cidr": "0.0.0.0/1"}}]}, False),
        ({"from": [{"namespaceSelector": {"matchExpressions": [{"key": METADATA_NAME, "operator": "Exists"}]}}]}, True),
        ({"from": [{"namespaceSelector": {"matchExpressions": [{"key": "team", "operator": "Exists"}]}}]}, False),
        ({"ports": [{"port": 80}]}, False),
        ({"ports": [{"protocol": "TCP"}]}, True),
        ({"ports": [{"port": 1, "endPort": 65535}]}, True),
        ({"ports": [{"port": "http"}]}, False),
    ],
)
def test_policies_that_admit_everyone(rule: dict[str, Any], admits: bool) -> None:  # noqa: FBT001 - a column of the table
    assert fact("ingress_open_by", APP, policy("open", ingress=[rule]), policy("deny")) == (["open"] if admits else [])
    mirrored = {"to" if k == "from" else k: v for k, v in rule.items()}
    assert fact("egress_open_by", APP, policy("open", egress=[mirrored])) == (["open"] if admits else [])


BLOCK = {"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8"]}
SPARING = {"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8", "169.254.0.0/16"]}


def test_exceptions() -> None:
    assert fact("ingress_open_by", APP, policy("open", ingress=[{"from": [{"ipBlock": BLOCK}]}])) == []
    assert fact("egress_open_by", APP, policy("open", egress=[{"to": [{"ipBlock": BLOCK}]}])) == ["open"]
    assert fact("egress_open_by", APP, policy("open", egress=[{"to": [{"ipBlock": SPARING}]}])) == []
    both = [{"ipBlock": SPARING}, {"ipBlock": {"cidr": "::/0"}}]
    assert fact("egress_open_by", APP, policy("open", egress=[{"to": both}])) == ["open"]


def test_policies_that_admit_everyone_together() -> None:
    halves = [{"to": [{"ipBlock": {"cidr": f"{start}.0.0.0/1"}}]} for start in (0, 128)]
    assert fact("egress_open_by", APP, policy("both", egress=halves)) == ["both"]
    two = (policy("low", egress=halves[:1]), policy("high", egress=halves[1:]), policy("deny", egress=[]))
    assert fact("egress_open_by", APP, *two) == ["high", "low"]
    assert fact("egress_open_by", APP, *two[1:]) == []


def test_a_policy_that_was_not_read_may_admit_everyone() -> None:
    deny = policy("deny", policyTypes=["Ingress"])
    assert fact("ingress_open_by", APP, deny) == []
    assert fact("ingress_open_by", APP, deny, gaps={POLICY: DENIED}) is Reason.DENIED
    assert fact("ingress_open_by", APP, deny, policy("open", ingress=[{}]), gaps={POLICY: DENIED}) == ["open"]
    assert fact("ingress_open_by", APP, deny, manifests=True) == []
    for version, kind in (("cilium.io/v2", "CiliumNetworkPolicy"), ("projectcalico.org/v3", "NetworkPolicy")):
        other = thing(version, kind, "np")
        assert fact("ingress_open_by", APP, deny, other) is Reason.NOT_OFFERED
        assert fact("ingress_isolated", APP, other) is Reason.NOT_OFFERED
        assert fact("ingress_open_by", APP, deny, thing(version, kind, "np", "elsewhere")) == []


@pytest.mark.parametrize(
    ("version", "kind", "label"),
    [
        ("serving.kserve.io/v1beta1", "InferenceService", "app"),
        ("serving.knative.dev/v1", "Service", "app"),
    ],
)
def test_labels_that_only_some_controllers_add(version: str, kind: str, label: str) -> None:
    spec = {"containers": [{"name": "main", "image": "x"}]}
    body = {"InferenceService": {"predictor": spec}}
    item = thing(version, kind, "x", spec=body.get(kind, {"template": {"spec": spec}}))
    chosen = policy(podSelector={"matchLabels": {label: "x"}})
    assert fact("ingress_isolated", item, chosen) is Reason.NOT_OFFERED
    assert fact("ingress_isolated", deployment("d"), chosen) is False


def test_an_open_rule_in_a_direction_that_is_not_isolated_opens_nothing() -> None:
    assert fact("egress_open_by", APP, policy(egress=[{}], policyTypes=["Ingress"])) == []
    assert fact("ingress_open_by", APP, policy(ingress=[{}], podSelector={"matchLabels": {"app": "x"}})) == []


@pytest.mark.parametrize(
    ("rules", "reachable"),
    [
        ([], False),
        ([{}], True),
        ([{"to": [{"podSelector": {}}]}], False),
        ([{"to": [{"namespaceSelector": {}}]}], False),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}], True),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["169.254.169.254/32"]}}]}], False),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["169.254.0.0/16"]}}]}], False),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0", "except": ["10.0.0.0/8"]}}]}], True),
        (
            [
                {
                    "to": [
                        {"ipBlock": {"cidr": "0.0.0.0/0", "except": ["169.254.169.254/32"]}},
                        {"ipBlock": {"cidr": "169.254.0.0/16"}},
                    ]
                }
            ],
            True,
        ),
        ([{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}], False),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}], "ports": [{"port": 443}]}], False),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}], "ports": [{"port": 53, "protocol": "UDP"}]}], False),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}], "ports": [{"port": 1, "endPort": 1000}]}], True),
        ([{"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}], "ports": [{"protocol": "UDP"}]}], False),
        ([{"ports": [{"port": "http"}]}], False),
    ],
)
def test_metadata(rules: list[dict[str, Any]], reachable: bool) -> None:  # noqa: FBT001 - a column of the table
    shut = policy(egress=rules, policyTypes=["Egress"])
    assert fact("metadata_reachable", APP, shut) is reachable
    # in manifests another policy may allow it, but none can forbid it
    assert fact("metadata_reachable", APP, shut, manifests=True) is (True if reachable else Reason.NOT_OFFERED)
    assert fact("metadata_reachable", APP, shut, gaps={POLICY: DENIED}) is (True if reachable else Reason.DENIED)


def test_metadata_without_any_policy() -> None:
    assert fact("metadata_reachable", APP) is True
    assert fact("metadata_reachable", APP, policy()) is True
    assert fact("metadata_reachable", APP, manifests=True) is Reason.NOT_OFFERED
    assert fact("metadata_reachable", APP, gaps={POLICY: DENIED}) is Reason.DENIED


def test_namespaces() -> None:
    namespace = thing("v1", "Namespace", "team", None)

    def of(*items: dict[str, Any], **options: Any) -> list[Any]:
        found = world(namespace, *items, **options)
        values = [found.fact(subject(found, "namespace"), f"default_deny_{d}") for d in ("ingress", "egress")]
        return [v.reason if isinstance(v, Gap) else v for v in values]

    assert of() == [False, False]
    assert of(policy()) == [True, False]
    assert of(policy(policyTypes=["Ingress", "Egress"])) == [True, True]
    assert of(policy(podSelector={"matchLabels": {"a": "b"}})) == [False, False]
    assert of(policy(namespace="other")) == [False, False]
    assert of(policy(), manifests=True) == [True, Reason.NOT_OFFERED]
    assert of(gaps={POLICY: DENIED}) == [Reason.DENIED, Reason.DENIED]
    assert of(thing("cilium.io/v2", "CiliumNetworkPolicy", "c")) == [Reason.NOT_OFFERED, Reason.NOT_OFFERED]


def test_policies_are_read_once_a_world() -> None:
    of = world(*(deployment(f"d{i}") for i in range(30)), *(policy(f"np{i}") for i in range(30)))
    pods = list(of.all("workload"))
    of.reads = 0
    assert {of.fact(p, "ingress_isolated") for p in pods} == {True}
    assert of.reads == 30


# ---- against an evaluator that knows nothing but the words of the documentation

KEYS, VALUES = ["a", "b"], ["1", "2"]
LABELS = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES))
EXPRESSIONS = st.one_of(
    st.fixed_dictionaries(
        {
            "key": st.sampled_from(KEYS),
            "operator": st.sampled_from(["In", "NotIn"]),
            "values": st.lists(st.sampled_from(VALUES), min_size=1),
        }
    ),
    st.fixed_dictionaries({"key": st.sampled_from(KEYS), "operator": st.sampled_from(["Exists", "DoesNotExist"])}),
)
SELECTORS = st.fixed_dictionaries({}, optional={"matchLabels": LABELS, "matchExpressions": st.lists(EXPRESSIONS, max_size=2)})
CIDRS = st.sampled_from(["0.0.0.0/0", "169.254.0.0/16", "169.254.169.254/32", "169.254.169.255/32", "10.0.0.0/8", "128.0.0.0/1"])
BLOCKS = st.fixed_dictionaries({"cidr": CIDRS}, optional={"except": st.lists(CIDRS, max_size=2)})
PEERS = st.one_of(
    st.fixed_dictionaries({"ipBlock": BLOCKS}),
    st.fixed_dictionaries({"podSelector": SELECTORS}),
    st.fixed_dictionaries({"namespaceSelector": SELECTORS}),
)
PORTS = st.one_of(
    st.fixed_dictionaries({}, optional={"protocol": st.sampled_from(["TCP", "UDP"]), "port": st.sampled_from([80, 443, "http"])}),
    st.fixed_dictionaries({"port": st.sampled_from([1, 79, 81]), "endPort": st.sampled_from([80, 100])}),
)
RULES = st.fixed_dictionaries({}, optional={"to": st.lists(PEERS, max_size=2), "ports": st.lists(PORTS, max_size=2)})
SPECS = st.fixed_dictionaries(
    {"podSelector": SELECTORS},
    optional={"policyTypes": st.lists(st.sampled_from(["Ingress", "Egress"]), unique=True), "egress": st.lists(RULES, max_size=2)},
)


def picks(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    for key, value in selector.get("matchLabels", {}).items():
        if labels.get(key, "absent") != value:
            return False
    for e in selector.get("matchExpressions", []):
        has = labels.get(e["key"], "absent")
        fits = {
            "In": has in e.get("values", []),
            "NotIn": has not in e.get("values", []),
            "Exists": has != "absent",
            "DoesNotExist": has == "absent",
        }
        if not fits[e["operator"]]:
            return False
    return True


def directions(spec: dict[str, Any]) -> set[str]:
    return set(spec.get("policyTypes") or (["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]))


def number(address: str) -> int:
    a, b, c, d = (int(n) for n in address.split("."))
    return ((a * 256 + b) * 256 + c) * 256 + d


def holds(cidr: str, address: str) -> bool:
    base, _, size = cidr.partition("/")
    shift = 32 - int(size)
    return number(base) >> shift == number(address) >> shift


def passes(rule: dict[str, Any], address: str, port: int) -> bool:
    def peer(p: dict[str, Any]) -> bool:
        block = p.get("ipBlock")
        return block is not None and holds(block["cidr"], address) and not any(holds(c, address) for c in block.get("except", []))

    def opened(p: dict[str, Any]) -> bool:
        if p.get("protocol", "TCP") != "TCP" or isinstance(p.get("port"), str):
            return False
        return "port" not in p or p["port"] <= port <= p.get("endPort", p["port"])

    to, ports = rule.get("to"), rule.get("ports")
    return (not to or any(map(peer, to))) and (not ports or any(map(opened, ports)))


@given(LABELS, st.lists(SPECS, max_size=3))
def test_agrees_with_the_documentation(labels: dict[str, str], specs: list[dict[str, Any]]) -> None:
    of = world(pod(labels=labels), *(policy(f"np{i}", **s) for i, s in enumerate(specs)))
    chosen = [s for s in specs if picks(s["podSelector"], labels)]
    egress = [s for s in chosen if "Egress" in directions(s)]
    target = subject(of)
    assert of.fact(target, "ingress_isolated") == any("Ingress" in directions(s) for s in chosen)
    assert of.fact(target, "egress_isolated") == bool(egress)
    reachable = not egress or any(passes(r, "169.254.169.254", 80) for s in egress for r in s.get("egress", []))
    assert of.fact(target, "metadata_reachable") == reachable


@given(LABELS, st.lists(SPECS, min_size=1, max_size=3), st.data())
def test_less_seen_proves_no_more(labels: dict[str, str], specs: list[dict[str, Any]], data: Any) -> None:
    """With some policies out of sight, what is still said is what the whole says."""
    kept = data.draw(st.lists(st.sampled_from(range(len(specs))), unique=True))
    whole = world(pod(labels=labels), *(policy(f"np{i}", **s) for i, s in enumerate(specs)))
    part = world(pod(labels=labels), *(policy(f"np{i}", **specs[i]) for i in kept), manifests=True)
    for name in ("ingress_isolated", "egress_isolated", "metadata_reachable"):
        said = part.fact(subject(part), name)
        assert isinstance(said, Gap) or said == whole.fact(subject(whole), name), name
