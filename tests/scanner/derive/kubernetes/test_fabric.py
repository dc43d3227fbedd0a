"""Whether policies are enforced, what keeps tenants and the front end apart on secondary networks, and what gateways serve in clear."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from scanner.derive.kubernetes import DERIVATIONS
from scanner.derive.kubernetes.gateways import overlap
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import container, deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "", "Allow it.")
NAD = "k8s.cni.cncf.io/v1/NetworkAttachmentDefinition"
POLICY = "k8s.cni.cncf.io/v1beta2/MultiNetworkPolicy"
NODE, DAEMON_SET, CONFIG_MAP = "v1/Node", "apps/v1/DaemonSet", "v1/ConfigMap"
ROUTE = "gateway.networking.k8s.io/v1/HTTPRoute"
VIRTUAL = "networking.istio.io/v1/VirtualService"
CLUSTER = Resource("k8s/c/Cluster.kubernetes//c", "cluster", "kubernetes/v1/Cluster", "kubernetes", "c", "", "c", facts={})


def world(
    *items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False, settings: Any = None, cluster: bool = False
) -> MemoryWorld:
    found = [r for i in items for r in projected(clean(i))]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld([*found, *([CLUSTER] if cluster else [])], gaps or {}, DERIVATIONS, settings or {})


def told(of: MemoryWorld, name: str, kind: str, called: str = "net") -> Any:
    (resource,) = [r for r in of.all(kind) if r.name.partition("/")[0] == called]
    found = of.fact(resource, name)
    return found.reason if isinstance(found, Gap) else found


def space(name: str, tenant: str | None = None, **labels: str) -> dict[str, Any]:
    return thing("v1", "Namespace", name, None, metadata={"labels": {**({"tenant": tenant} if tenant else {}), **labels}})


TENANTS = (space("red", "red"), space("blue", "blue"))
SYSTEM = space("kube-system")


def daemon(name: str, namespace: str, *containers: dict[str, Any], **more: Any) -> dict[str, Any]:
    item = deployment(name, {"containers": list(containers)}, namespace)
    return {**item, "kind": "DaemonSet", **more}


def agent(name: str, image: str, *args: str) -> dict[str, Any]:
    return {"name": name, "image": image, "args": list(args)}


def config(name: str, namespace: str = "kube-system", **data: str) -> dict[str, Any]:
    return thing("v1", "ConfigMap", name, namespace, data={k.replace("_", "-"): v for k, v in data.items()})


# ---- the engine of network policies

FLANNEL = daemon("f", "kube-flannel", agent("kube-flannel", "flannel/flannel:v0.27"))
CILIUM = daemon("c", "kube-system", agent("cilium-agent", "quay.io/cilium/cilium:v1.18"))
CALICO = daemon("c", "calico-system", agent("calico-node", "calico/node:v3"))
STRANGE = daemon("c", "team", agent("calico-node", "calico/node:v3"))
AWS_NODE = agent("aws-node", "1.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1")
AWS_AGENT = "1.dkr.ecr.us-east-1.amazonaws.com/amazon/aws-network-policy-agent:v1"
AWS = daemon("aws-node", "kube-system", AWS_NODE, agent("aws-eks-nodeagent", AWS_AGENT, "--enable-network-policy=true"))
AWS_OFF = daemon("aws-node", "kube-system", AWS_NODE, agent("aws-eks-nodeagent", AWS_AGENT, "--enable-network-policy=false"))
AWS_ON = config("amazon-vpc-cni", enable_network_policy_controller="true")
PLUGIN, POLICIES = "Amazon VPC CNI", "Amazon VPC CNI network policy agent"


def node(version: str) -> dict[str, Any]:
    return thing("v1", "Node", "n", None, status={"nodeInfo": {"kubeletVersion": version}})


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((FLANNEL,), ["Flannel"]),
        ((FLANNEL, CALICO), []),
        ((CILIUM,), []),
        ((CILIUM, config("cilium-config", enable_policy="default")), []),
        ((CILIUM, config("cilium-config", enable_policy="always")), []),
        ((CILIUM, config("cilium-config", enable_policy="never")), ["Cilium"]),
        ((CILIUM, config("cilium-config", enable_policy="sometimes")), Reason.UNPARSABLE),
        # that of another namespace is not its own
        ((CILIUM, config("cilium-config", "team", enable_policy="never")), []),
        # both are needed: https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html
        ((AWS, AWS_ON), []),
        ((AWS,), [PLUGIN, POLICIES]),
        ((AWS, config("amazon-vpc-cni", enable_network_policy_controller="false")), [PLUGIN, POLICIES]),
        ((AWS_OFF, AWS_ON), [PLUGIN, POLICIES]),
        ((daemon("aws-node", "kube-system", AWS_NODE), AWS_ON), [PLUGIN]),
        # nothing that is known
        ((), Reason.NOT_OFFERED),
        ((daemon("x", "kube-system", agent("x", "x/x:1")),), Reason.NOT_OFFERED),
        # anybody may call an image like a plugin
        ((FLANNEL, STRANGE), Reason.NOT_OFFERED),
        ((STRANGE,), Reason.NOT_OFFERED),
        # k3s has a controller of its own: https://docs.k3s.io/networking/networking-services
        ((FLANNEL, node("v1.34.2+k3s1")), Reason.NOT_OFFERED),
        ((FLANNEL, node("v1.34.2")), ["Flannel"]),
        # only for the networks of Multus
        ((FLANNEL, daemon("m", "kube-system", agent("m", "x/multi-networkpolicy-iptables:1"))), ["Flannel"]),
        # for no node
        ((FLANNEL, {**CALICO, "status": {"desiredNumberScheduled": 0, "numberReady": 0}}), ["Flannel"]),
        ((FLANNEL, {**CALICO, "status": {"desiredNumberScheduled": 3, "numberReady": 0}}), []),
        ((FLANNEL, {**deployment("d", CALICO["spec"]["template"]["spec"], "kube-system")}), ["Flannel"]),
    ],
)
def test_who_enforces_policies(items: tuple[dict[str, Any], ...], expected: Any) -> None:
    assert told(world(*items, SYSTEM, cluster=True), "ignores_policies", "cluster", "c") == expected


@pytest.mark.parametrize(
    ("items", "denied", "expected"),
    [
        ((FLANNEL,), DAEMON_SET, Reason.DENIED),
        ((CALICO,), DAEMON_SET, []),
        ((CILIUM,), CONFIG_MAP, Reason.DENIED),
        ((AWS,), CONFIG_MAP, Reason.DENIED),
        ((FLANNEL,), NODE, Reason.DENIED),
    ],
)
def test_what_was_not_seen_of_engines(items: tuple[dict[str, Any], ...], denied: str, expected: Any) -> None:
    assert told(world(*items, gaps={denied: DENIED}, cluster=True), "ignores_policies", "cluster", "c") == expected


def test_a_namespace_that_is_declared_the_platforms() -> None:
    of = world(FLANNEL, STRANGE, settings={"tenants": {"namespaces": {"team": ""}}}, cluster=True)
    assert told(of, "ignores_policies", "cluster", "c") == []


# ---- networks of the fabric


def net(
    plugin: str = "sriov", place: str = "red", name: str = "net", labels: Any = None, device: str = "", **raw: Any
) -> dict[str, Any]:
    notes = {"k8s.v1.cni.cncf.io/resourceName": device} if device else {}
    meta = {"labels": labels or {}, "annotations": notes}
    text = json.dumps({"type": plugin, **raw})
    return thing("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", name, place, metadata=meta, spec={"config": text})


def sriov(place: str = "default", name: str = "net", **spec: Any) -> dict[str, Any]:
    return thing(
        "sriovnetwork.openshift.io/v1",
        "SriovNetwork",
        name,
        "network-operator",
        spec={"resourceName": "vfs", "networkNamespace": place, **spec},
    )


def user(place: str, networks: str, *, rdma: bool = False, gpu: bool = False, name: str = "p") -> dict[str, Any]:
    limits = {**({"rdma/hca": "1"} if rdma else {}), **({"nvidia.com/gpu": "1"} if gpu else {})}
    spec = {"containers": [container(resources={"limits": limits})]}
    return pod(f"{name}-{place}", spec, place, annotations={"k8s.v1.cni.cncf.io/networks": networks})


@pytest.mark.parametrize(
    ("items", "fabric"),
    [
        ((net(),), True),
        ((net("ib-sriov"),), True),
        ((net("bridge"),), False),
        ((net("macvlan"),), Reason.NOT_OFFERED),
        ((net("macvlan", labels={"ai-role": "fabric"}),), True),
        ((net("sriov", labels={"ai-role": "management"}),), False),
        # used with RDMA, and nothing else is attached
        ((net("macvlan"), user("red", "net", rdma=True)), True),
        ((net("macvlan"), user("red", "net")), Reason.NOT_OFFERED),
        ((net("macvlan"), user("red", "net, other", rdma=True)), Reason.NOT_OFFERED),
        ((net("macvlan"), user("blue", "red/net", rdma=True)), True),
        # of devices that an operator makes with RDMA
        (
            (
                net("macvlan", device="openshift.io/vfs"),
                thing("sriovnetwork.openshift.io/v1", "SriovNetworkNodePolicy", "p", spec={"resourceName": "vfs", "isRdma": True}),
            ),
            True,
        ),
        ((thing("k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", "net", spec={}),), Reason.NOT_OFFERED),
    ],
)
def test_which_networks_are_the_fabric(items: tuple[dict[str, Any], ...], fabric: Any) -> None:
    assert told(world(*items, *TENANTS), "fabric", "fabric_network") == fabric


def test_a_declared_zone_is_the_fabric() -> None:
    zones = {"zones": [{"name": "backend", "namespaces": ["red"], "role": "fabric"}]}
    assert told(world(net("macvlan"), settings=zones), "fabric", "fabric_network") is True


def test_a_definition_is_judged_on_what_it_is_made_from() -> None:
    of = world(net(place="default"), sriov())
    (attachment,) = [r for r in of.all("fabric_network") if r.native_type == NAD]
    assert of.fact(attachment, "made_from") == "k8s/c/SriovNetwork.sriovnetwork.openshift.io/network-operator/net"
    assert told(world(net()), "made_from", "fabric_network") == ""
    assert told(world(sriov()), "made_from", "fabric_network") == ""
    denied = {"sriovnetwork.openshift.io/v1/SriovNetwork": DENIED}
    assert told(world(net(), gaps=denied), "made_from", "fabric_network") == Reason.DENIED
    assert told(world(net(), manifests=True), "made_from", "fabric_network") == ""


DEFAULT_ROUTE: dict[str, Any] = {"ipam": {"routes": [{"dst": "0.0.0.0/0"}]}}
ID = "k8s/c/NetworkAttachmentDefinition.k8s.cni.cncf.io/red/net"


def way(how: str, what: str) -> dict[str, str]:
    return {"how": how, "what": what}


def pool(name: str, **spec: Any) -> dict[str, Any]:
    return thing("nv-ipam.nvidia.com/v1alpha1", "IPPool", name, "operator", spec=spec)


POOLED: dict[str, Any] = {"vlan": 5, "ipam": {"type": "nv-ipam", "poolName": "rail"}}
BOTH = (user("red", "red/net"), user("blue", "red/net"))


@pytest.mark.parametrize(
    ("items", "expected", "settled"),
    [
        ((net(vlan=5),), [], True),
        # untagged, but nobody else is there
        ((net(),), [], True),
        ((net(), user("red", "net")), [], True),
        ((net(), *BOTH), [way("untagged", "blue, red")], True),
        ((net(vlan=5), *BOTH), [], True),
        ((net("ib-sriov", pkey="0x5"), *BOTH), [], True),
        ((net("ib-sriov"), *BOTH), [way("untagged", "blue, red")], True),
        ((net(**DEFAULT_ROUTE, vlan=5),), [way("default_route", ID)], True),
        ((net("macvlan"),), [way("interface", "macvlan")], True),
        ((net("macvlan", master="ens2f0.7"),), [], True),
        ((net(**POOLED), pool("rail")), [], True),
        (
            (net(**POOLED), pool("rail", defaultGateway=True)),
            [way("default_route", "k8s/c/IPPool.nv-ipam.nvidia.com/operator/rail")],
            True,
        ),
        ((net(**POOLED),), [], True),
        (
            (net(vlan=5), user("red", '[{"name": "net", "default-route": ["10.0.0.1"]}]')),
            [way("default_route", "k8s/c/Pod/red/p-red")],
            True,
        ),
        ((net(vlan="x"),), [], Reason.UNPARSABLE),
        ((net(vlan=5, ipam={"routes": [{"dst": "x"}]}),), [], Reason.UNPARSABLE),
        # tenants that nobody knows of
        ((net(), user("one", "red/net"), user("two", "red/net")), [], Reason.NOT_OFFERED),
        ((net(vlan=5), user("one", "red/net"), user("two", "red/net")), [], True),
    ],
)
def test_how_a_network_is_joined(items: tuple[dict[str, Any], ...], expected: list[Any], settled: Any) -> None:
    of = world(*items, *TENANTS, space("one"), space("two"))
    assert (told(of, "joined_by", "fabric_network"), told(of, "joined_by_settled", "fabric_network")) == (expected, settled)


@pytest.mark.parametrize("manifests", [False, True])
@pytest.mark.parametrize(
    ("items", "expected"),
    [
        # https://github.com/Mellanox/network-operator/blob/master/example/sriov-network/sriov-network.yaml
        ((sriov(vlan=0),), [way("open", "")]),
        ((sriov(vlan=5), user("red", "default/net")), [way("open", "red")]),
        ((sriov(vlan=5), user("default", "net")), []),
        ((sriov("red", vlan=5),), []),
    ],
)
def test_networks_of_the_default_namespace(items: tuple[dict[str, Any], ...], expected: list[Any], *, manifests: bool) -> None:
    of = world(*items, *TENANTS, manifests=manifests)
    assert told(of, "joined_by", "fabric_network") == expected
    blind = manifests and len(items) > 1 and not expected
    assert told(of, "joined_by_settled", "fabric_network") == (Reason.NOT_OFFERED if blind else True)


def test_what_was_not_seen_of_users() -> None:
    of = world(net(), gaps={"batch/v1/Job": DENIED})
    assert told(of, "joined_by_settled", "fabric_network") == Reason.DENIED
    odd = pod("odd", namespace="red", annotations={"k8s.v1.cni.cncf.io/networks": "[{"})
    assert told(world(net(), odd, *TENANTS), "joined_by_settled", "fabric_network") == Reason.UNPARSABLE
    pools = {"nv-ipam.nvidia.com/v1alpha1/IPPool": DENIED}
    assert told(world(net(**POOLED), gaps=pools), "joined_by_settled", "fabric_network") == Reason.DENIED
    assert told(world(net(), manifests=True), "joined_by_settled", "fabric_network") == Reason.NOT_OFFERED


def test_pods_that_have_ended_use_nothing() -> None:
    done = {**user("blue", "red/net"), "status": {"phase": "Succeeded"}}
    assert told(world(net(), user("red", "net"), done, *TENANTS), "joined_by", "fabric_network") == []


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (net(), True),
        (net("ipoib", master="ib0"), True),
        (net("macvlan"), True),
        (net("macvlan", master="eth0"), Reason.NOT_OFFERED),
        (net("vlan", master="eth0", vlanId=3), Reason.NOT_OFFERED),
        (net("ovs"), Reason.NOT_OFFERED),
    ],
)
def test_whether_the_interface_is_known(item: dict[str, Any], expected: Any) -> None:
    assert told(world(item), "interface_settled", "fabric_network") == expected


# ---- tenants on one network


def guard(place: str, network: str = "red/net") -> dict[str, Any]:
    notes = {"k8s.v1.cni.cncf.io/policy-for": network}
    return thing("k8s.cni.cncf.io/v1beta2", "MultiNetworkPolicy", "g", place, metadata={"annotations": notes}, spec={})


ENFORCER = daemon("m", "kube-system", agent("m", "x/multi-networkpolicy-iptables:1"))
GUARDS = (guard("red"), guard("blue"))
IB = thing("mellanox.com/v1alpha1", "NicClusterPolicy", "p", None, spec={"ibKubernetes": {}})
BESIDE = (
    net(place="red", device="x.io/vfs", vlan=5),
    net(place="blue", name="other", device="openshift.io/vfs", vlan=5),
    user("red", "net"),
    user("blue", "other"),
)


@pytest.mark.parametrize(
    ("items", "expected", "settled"),
    [
        ((net(),), [], True),
        ((net(), user("red", "net")), [], True),
        ((net(), *BOTH), ["blue", "red"], True),
        # one VLAN for both is none for each
        ((net(vlan=5), *BOTH), ["blue", "red"], True),
        ((net(), *BOTH, *GUARDS, ENFORCER), [], True),
        ((net(), *BOTH, guard("red"), ENFORCER), ["blue", "red"], True),
        ((net(), *BOTH, *GUARDS), ["blue", "red"], True),
        # the policy of a namespace without pods there
        ((net(), *BOTH, guard("red"), guard("blue", "red/other"), ENFORCER), ["blue", "red"], True),
        # RDMA goes past it: https://github.com/k8snetworkplumbingwg/sriov-network-device-plugin/issues/397
        ((net(), user("red", "net", rdma=True), user("blue", "red/net"), *GUARDS, ENFORCER), ["blue", "red"], True),
        # the same VLAN on the same devices
        (BESIDE, ["blue", "red"], True),
        ((net(place="red", device="x.io/vfs", vlan=6), *BESIDE[1:]), [], True),
        # untagged, the switches may keep them apart
        (
            (
                net(place="red", device="x.io/vfs"),
                net(place="blue", name="other", device="x.io/vfs"),
                user("red", "net"),
                user("blue", "other"),
            ),
            [],
            Reason.NOT_OFFERED,
        ),
        # a partition that nothing in the cluster sets
        ((net("ib-sriov", pkey="0x5"), user("red", "net")), [], Reason.NOT_OFFERED),
        ((net("ib-sriov", pkey="0x5"), user("red", "net"), IB), [], True),
        ((net(), user("one", "red/net"), user("two", "red/net")), [], Reason.NOT_OFFERED),
        ((net(vlan="x"),), [], Reason.UNPARSABLE),
    ],
)
def test_tenants_of_a_network(items: tuple[dict[str, Any], ...], expected: list[str], settled: Any) -> None:
    of = world(*items, *TENANTS, space("one"), space("two"))
    assert (told(of, "unseparated", "fabric_network"), told(of, "unseparated_settled", "fabric_network")) == (expected, settled)


def test_what_was_not_seen_of_policies() -> None:
    denied = world(net(), *BOTH, *TENANTS, gaps={POLICY: DENIED})
    assert (told(denied, "unseparated", "fabric_network"), told(denied, "unseparated_settled", "fabric_network")) == (
        [],
        Reason.DENIED,
    )
    blind = world(net(), *BOTH, *GUARDS, *TENANTS, gaps={DAEMON_SET: DENIED})
    assert told(blind, "unseparated_settled", "fabric_network") == Reason.DENIED
    files = world(net(), *BOTH, *TENANTS, manifests=True)
    assert told(files, "unseparated_settled", "fabric_network") == Reason.NOT_OFFERED
    # in manifests policies are taken at their word, and others may use it as well
    guarded = world(net(), *BOTH, *GUARDS, *TENANTS, manifests=True)
    assert (told(guarded, "unseparated", "fabric_network"), told(guarded, "unseparated_settled", "fabric_network")) == (
        [],
        Reason.NOT_OFFERED,
    )


@pytest.mark.parametrize(
    ("spaces", "expected"),
    [
        ((), False),
        ((space("red", "red"),), False),
        (TENANTS, True),
        # every cluster has it
        ((space("red", "red"), space("default"), SYSTEM), False),
        ((space("red", "red"), space("what")), Reason.NOT_OFFERED),
        ((*TENANTS, space("what")), True),
    ],
)
def test_several_tenants(spaces: tuple[dict[str, Any], ...], expected: Any) -> None:
    assert told(world(net(), *spaces), "several_tenants", "fabric_network") == expected


def test_tenants_that_were_not_seen() -> None:
    assert told(world(net(), gaps={"v1/Namespace": DENIED}), "several_tenants", "fabric_network") == Reason.DENIED
    assert told(world(net(), space("red", "red"), manifests=True), "several_tenants", "fabric_network") == Reason.NOT_OFFERED
    assert told(world(net(), *TENANTS, manifests=True), "several_tenants", "fabric_network") is True


# ---- pods on the fabric


@pytest.mark.parametrize(
    ("items", "networks", "settled"),
    [
        ((user("red", "net"), net()), ["red/net"], True),
        ((user("red", "net"), net("bridge")), [], True),
        ((user("red", "net"), net("macvlan")), [], Reason.NOT_OFFERED),
        ((user("red", "net, more"), net(), net("bridge", name="more")), ["red/net"], True),
        ((user("red", "default/net"), sriov()), ["default/net"], True),
        # what is not there is attached to nothing
        ((user("red", "gone"),), [], True),
    ],
)
def test_pods_on_the_fabric(items: tuple[dict[str, Any], ...], networks: list[str], settled: Any) -> None:
    of = world(*items)
    found = (told(of, "fabric_networks", "workload", "p-red"), told(of, "fabric_networks_settled", "workload", "p-red"))
    assert found == (networks, settled)


def test_networks_that_were_not_seen() -> None:
    assert told(world(user("red", "gone"), manifests=True), "fabric_networks_settled", "workload", "p-red") == Reason.NOT_OFFERED
    assert told(world(user("red", "gone"), gaps={NAD: DENIED}), "fabric_networks_settled", "workload", "p-red") == Reason.DENIED
    odd = pod("p-red", annotations={"k8s.v1.cni.cncf.io/networks": "[{"})
    assert told(world(odd), "fabric_networks", "workload", "p-red") == Reason.UNPARSABLE


def test_the_index_is_made_once() -> None:
    """Time is linear: no network or pod walks over all others."""
    few, many = (
        world(*(net(name=f"n{i}") for i in range(n)), *(user("red", f"n{i}", name=f"p{i}") for i in range(n)), *TENANTS)
        for n in (20, 200)
    )
    for of in (few, many):
        for kind, names in (("fabric_network", ("joined_by", "unseparated", "fabric")), ("workload", ("fabric_networks",))):
            for resource in [r for r in of.resources.values() if r.kind == kind]:
                for name in names:
                    of.fact(resource, name)
    assert many.reads < 12 * few.reads


# ---- Multus

THIN = agent("kube-multus", "k8snetworkplumbingwg/multus-cni:v4")
DAEMON = {"name": "kube-multus", "image": "k8snetworkplumbingwg/multus-cni:v4-thick", "command": ["multus-daemon"]}


def multus(*args: str, mounted: str = "", made_of: dict[str, Any] = THIN) -> dict[str, Any]:
    item = daemon("d", "kube-system", {**made_of, "args": list(args)})
    item["spec"]["template"]["spec"]["volumes"] = [{"name": "c", "configMap": {"name": mounted}}] if mounted else []
    return item


def daemon_config(text: str, key: str = "daemon-config.json", name: str = "multus-daemon-config") -> dict[str, Any]:
    return thing("v1", "ConfigMap", name, "kube-system", data={key: text})


THICK = multus(mounted="multus-daemon-config", made_of=DAEMON)
MOUNTED = multus("--multus-conf-file=/tmp/multus-conf/70-multus.conf", mounted="multus-cni-config")


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((multus("--multus-conf-file=auto"),), "off"),
        ((multus("--multus-conf-file=auto", "--namespace-isolation=true"),), "on"),
        ((multus("--multus-conf-file=/host/x.conf"),), Reason.NOT_OFFERED),
        # the ConfigMap of the thin plugin is there, but not mounted for it
        (
            (
                multus("--multus-conf-file=auto"),
                daemon_config('{"namespaceIsolation": true}', "cni-conf.json", "multus-cni-config"),
            ),
            "off",
        ),
        ((MOUNTED, daemon_config('{"namespaceIsolation": true}', "cni-conf.json", "multus-cni-config")), "on"),
        ((THICK, daemon_config('{"namespaceIsolation": true}')), "on"),
        ((THICK, daemon_config("{}")), "off"),
        ((THICK, daemon_config("{")), Reason.UNPARSABLE),
        ((THICK,), Reason.NOT_OFFERED),
        ((multus(made_of=DAEMON),), Reason.NOT_OFFERED),
        ((daemon("d", "kube-system", agent("x", "x/x:1")),), "none"),
    ],
)
def test_multus(items: tuple[dict[str, Any], ...], expected: Any) -> None:
    assert told(world(*items, *TENANTS), "multus_isolation", "workload", "d") == expected


def test_what_was_not_seen_of_multus() -> None:
    assert told(world(THICK, gaps={CONFIG_MAP: DENIED}), "multus_isolation", "workload", "d") == Reason.DENIED


# ---- ingress-nginx


def controller(tag: str, place: str = "ingress-nginx", name: str = "d") -> dict[str, Any]:
    return deployment(name, {"containers": [agent("c", f"registry.k8s.io/ingress-nginx/controller{tag}")]}, place)


IDS = ["CVE-2025-1097", "CVE-2025-1098", "CVE-2025-1974", "CVE-2025-24514"]


@pytest.mark.parametrize(
    ("tag", "fixed"),
    [
        (":v1.11.4", "1.11.5"),
        (":v1.11.5", ""),
        (":v1.12.0", "1.12.1"),
        (":v1.12.1", ""),
        (":v1.9.6", "1.11.5"),
        (":v1.15.1", ""),
        ("@sha256:" + "0" * 64, Reason.NOT_OFFERED),
    ],
)
def test_controllers_without_fixes(tag: str, fixed: Any) -> None:
    """https://kubernetes.io/blog/2025/03/24/ingress-nginx-cve-2025-1974/ ."""
    of = world(controller(tag))
    unknown = fixed is Reason.NOT_OFFERED
    expected = [{"container": "c", "version": tag.removeprefix(":v"), "fixed": fixed, "ids": IDS}] if fixed and not unknown else []
    assert told(of, "ingress_nginx_outdated", "workload", "d") == expected
    assert told(of, "ingress_nginx_outdated_settled", "workload", "d") == (fixed if unknown else True)


@pytest.mark.parametrize(
    ("data", "tags", "expected"),
    [
        ({"allow_snippet_annotations": "true"}, (), True),
        ({"allow_snippet_annotations": "true", "annotations_risk_level": "Critical"}, (), True),
        ({"allow_snippet_annotations": "true", "annotations_risk_level": "High"}, (), False),
        ({"allow_snippet_annotations": "false"}, (), False),
        ({"allow_snippet_annotations": "maybe"}, (), Reason.UNPARSABLE),
        ({"allow_snippet_annotations": "true", "annotations_risk_level": "odd"}, (), Reason.UNPARSABLE),
        # what a release does that is told nothing
        ({}, (), Reason.NOT_OFFERED),
        ({}, (":v1.8.4",), True),
        ({}, (":v1.9.0",), False),
        ({}, (":v1.9.0", "@sha256:" + "0" * 64), Reason.NOT_OFFERED),
        ({"annotations_risk_level": "Low"}, (":v1.8.4",), False),
    ],
)
def test_snippets(data: dict[str, str], tags: tuple[str, ...], expected: Any) -> None:
    running = [controller(tag, name=f"d{i}") for i, tag in enumerate(tags)]
    of = world(config("ingress-nginx-controller", "ingress-nginx", **data), *running, controller(":v1.0.0", "elsewhere"))
    assert told(of, "snippets_allowed", "configuration", "ingress-nginx-controller") == expected


def test_other_config_maps_allow_nothing() -> None:
    assert told(world(config("cilium-config")), "snippets_allowed", "configuration", "cilium-config") is False


# ---- gateways

API = "gateway.networking.k8s.io/v1"


def gateway(*listeners: dict[str, Any]) -> dict[str, Any]:
    return thing(API, "Gateway", "g", "red", spec={"listeners": list(listeners)})


def listener(protocol: str = "HTTP", name: str = "web", port: int = 80, choose: Any = None, **more: Any) -> dict[str, Any]:
    allowed = {"allowedRoutes": {"namespaces": choose}} if choose else {}
    return {"name": name, "port": port, "protocol": protocol, **allowed, **more}


BACKEND = {"backendRefs": [{"name": "s"}]}
TO_HTTPS = {"filters": [{"type": "RequestRedirect", "requestRedirect": {"scheme": "https"}}]}


def route(place: str = "red", rule: Any = BACKEND, kind: str = "HTTPRoute", hosts: Any = (), **parent: Any) -> dict[str, Any]:
    version = f"{API}alpha2" if kind == "TCPRoute" else API
    spec = {"parentRefs": [{"name": "g", "namespace": "red", **parent}], "hostnames": list(hosts), "rules": [rule]}
    return thing(version, kind, "r", place, spec=spec)


def clear(protocol: str = "HTTP", kind: str = "HTTPRoute", place: str = "red", name: str = "web", port: int = 80) -> dict[str, Any]:
    return {"name": name, "port": port, "protocol": protocol, "through": f"k8s/c/{kind}.gateway.networking.k8s.io/{place}/r"}


ALL, PICKED = {"from": "All"}, {"from": "Selector", "selector": {"matchLabels": {"web": "yes"}}}


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((gateway(listener()), route()), [clear()]),
        ((gateway(listener()),), []),
        ((gateway(listener()), route(rule=TO_HTTPS)), []),
        ((gateway(listener("HTTPS"), listener("TLS", "p", 443)), route()), []),
        ((gateway(listener()), route(kind="GRPCRoute")), [clear(kind="GRPCRoute")]),
        ((gateway(listener("TCP", "db", 5432)), route(kind="TCPRoute")), [clear("TCP", "TCPRoute", name="db", port=5432)]),
        # a route that is bound to another listener, or to none of this kind
        ((gateway(listener()), route(sectionName="other")), []),
        ((gateway(listener()), route(port=8080)), []),
        ((gateway(listener()), route(sectionName="web", port=80)), [clear()]),
        ((gateway(listener()), route(kind="TCPRoute")), []),
        ((gateway(listener(allowedRoutes={"kinds": [{"kind": "GRPCRoute"}]})), route()), []),
        # routes of the own namespace alone may attach, unless it says otherwise
        ((gateway(listener()), route("blue")), []),
        ((gateway(listener(choose=ALL)), route("blue")), [clear(place="blue")]),
        ((gateway(listener(choose={"from": "None"})), route()), []),
        ((gateway(listener(choose=PICKED)), route("blue"), space("blue", web="yes")), [clear(place="blue")]),
        ((gateway(listener(choose=PICKED)), route("blue"), space("blue")), []),
        (
            (
                gateway(
                    listener(choose={"from": "Selector", "selector": {"matchLabels": {"kubernetes.io/metadata.name": "blue"}}})
                ),
                route("blue"),
                space("blue"),
            ),
            [clear(place="blue")],
        ),
        # hosts that do not meet
        ((gateway(listener(hostname="a.example")), route(hosts=["b.example"])), []),
        ((gateway(listener(hostname="*.example")), route(hosts=["b.example"])), [clear()]),
    ],
)
def test_listeners_in_clear(items: tuple[dict[str, Any], ...], expected: list[Any]) -> None:
    of = world(*items)
    assert told(of, "clear_listeners", "endpoint", "g") == expected
    assert told(of, "clear_listeners_settled", "endpoint", "g") is True


@pytest.mark.parametrize(
    ("listening", "hosts", "meet"),
    [
        ("", ["a"], True),
        ("a.b", [], True),
        ("a.b", ["c.d", "a.b"], True),
        ("*.b", ["a.b"], True),
        ("a.b", ["*.b"], True),
        ("*.b", ["*.a.b"], True),
        ("*.b", ["b"], False),
        ("*.b", ["ab"], False),
        ("a.b", ["a.c"], False),
    ],
)
def test_hosts(listening: str, hosts: list[str], *, meet: bool) -> None:
    assert overlap(listening, hosts) is meet


def test_what_was_not_seen_of_routes() -> None:
    def settled(of: MemoryWorld) -> Any:
        return told(of, "clear_listeners_settled", "endpoint", "g")

    assert settled(world(gateway(listener()), gaps={ROUTE: DENIED})) == Reason.DENIED
    assert settled(world(gateway(listener()), manifests=True)) == Reason.NOT_OFFERED
    assert settled(world(gateway(listener("HTTPS")), manifests=True)) is True
    # one listener in clear is enough, whatever else there is
    files = world(gateway(listener()), route(), manifests=True)
    assert (told(files, "clear_listeners", "endpoint", "g"), settled(files)) == ([clear()], True)
    unseen = world(gateway(listener(choose=PICKED)), route("blue"), manifests=True)
    assert (told(unseen, "clear_listeners", "endpoint", "g"), settled(unseen)) == ([], Reason.NOT_OFFERED)


def istio(protocol: str, tls: Any = None, port: int = 80) -> dict[str, Any]:
    server = {"port": {"number": port, "name": "s", "protocol": protocol}, "hosts": ["*"], **({} if tls is None else {"tls": tls})}
    return thing("networking.istio.io/v1", "Gateway", "g", "red", spec={"selector": {}, "servers": [server]})


def virtual(place: str = "red", rule: Any = None, gateways: Any = ("red/g",)) -> dict[str, Any]:
    http = [rule or {"route": [{"destination": {"host": "s"}}]}]
    return thing("networking.istio.io/v1", "VirtualService", "v", place, spec={"gateways": list(gateways), "http": http})


REDIRECT = {"redirect": {"scheme": "https"}}


@pytest.mark.parametrize(
    ("items", "through"),
    [
        ((istio("HTTP"),), ""),
        ((istio("HTTP", {"httpsRedirect": True}),), None),
        ((istio("HTTPS", {"mode": "SIMPLE"}),), None),
        ((istio("TLS", {"mode": "PASSTHROUGH"}),), None),
        ((istio("GRPC"),), ""),
        # TLS of a server that speaks HTTP means nothing
        ((istio("HTTP2", {"mode": "SIMPLE"}),), ""),
        ((istio("TCP"),), ""),
        ((istio("TCP", {"mode": "SIMPLE"}),), None),
        ((istio("HTTP"), virtual()), "k8s/c/VirtualService.networking.istio.io/red/v"),
        ((istio("HTTP"), virtual(rule=REDIRECT)), None),
        ((istio("HTTP"), virtual(rule=REDIRECT, gateways=("g",))), None),
        ((istio("HTTP"), virtual("blue", rule=REDIRECT, gateways=("g",))), ""),
    ],
)
def test_servers_of_istio(items: tuple[dict[str, Any], ...], through: str | None) -> None:
    of = world(*items)
    protocol = items[0]["spec"]["servers"][0]["port"]["protocol"]
    expected = [] if through is None else [{"name": "s", "port": 80, "protocol": protocol, "through": through}]
    assert told(of, "clear_listeners", "endpoint", "g") == expected
    assert told(of, "clear_listeners_settled", "endpoint", "g") is True


def test_virtual_services_that_were_not_seen() -> None:
    for of in (
        world(istio("HTTP"), virtual(rule=REDIRECT), manifests=True),
        world(istio("HTTP"), virtual(rule=REDIRECT), gaps={VIRTUAL: DENIED}),
    ):
        assert told(of, "clear_listeners", "endpoint", "g") == []
        assert told(of, "clear_listeners_settled", "endpoint", "g") in (Reason.NOT_OFFERED, Reason.DENIED)
    assert told(world(istio("HTTP"), manifests=True), "clear_listeners", "endpoint", "g") != []


# ---- grants


def grant(*sources: str, place: str = "red", kind: str = "Secret", name: str = "") -> dict[str, Any]:
    to = {"group": "", "kind": kind, **({"name": name} if name else {})}
    origin = [{"group": "gateway.networking.k8s.io", "kind": "Gateway", "namespace": s} for s in sources]
    return thing("gateway.networking.k8s.io/v1beta1", "ReferenceGrant", "r", place, spec={"from": origin, "to": [to]})


@pytest.mark.parametrize(
    ("item", "expected", "settled"),
    [
        (grant("blue"), [{"namespace": "blue", "tenant": "blue"}], True),
        (grant("blue", name="cert"), [], True),
        (grant("blue", kind="Service"), [], True),
        (grant("red"), [], True),
        (grant("red-too"), [], True),
        # the gateway of the platform serves everybody
        (grant("istio-system"), [], True),
        (grant("blue", place="istio-system"), [{"namespace": "blue", "tenant": "blue"}], True),
        (grant("what"), [], Reason.NOT_OFFERED),
        (grant("blue", place="what"), [], Reason.NOT_OFFERED),
        (grant("istio-system", place="what"), [], True),
        (grant("blue", "what"), [{"namespace": "blue", "tenant": "blue"}], Reason.NOT_OFFERED),
    ],
)
def test_grants(item: dict[str, Any], expected: list[Any], settled: Any) -> None:
    of = world(item, *TENANTS, space("red-too", "red"), space("istio-system"), space("what"))
    assert told(of, "foreign_readers", "endpoint", "r") == expected
    assert told(of, "foreign_readers_settled", "endpoint", "r") == settled
