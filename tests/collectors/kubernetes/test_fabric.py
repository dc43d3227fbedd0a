"""What is read of networks beside the cluster's own, of network plugins, of gateways and of ingress-nginx."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.attachments import LONGEST, parsed
from collectors.kubernetes.redact import clean
from scanner.model import Gap, Reason, Resource
from tests.collectors.kubernetes.objects import container, deployment, one, pod, projected, thing

NAD = "k8s.cni.cncf.io/v1"
LINK = ("plugin", "master", "vlan", "pkey", "rdma", "default_route", "address_pools")


def facts(resource: Resource, *names: str) -> dict[str, Any]:
    """Facts, and of those that are not known the reason."""
    found: dict[str, Any] = {}
    for name in names:
        gap = resource.gaps.get(name)
        found[name] = gap.reason if isinstance(gap, Gap) else resource.facts[name]
    return found


def attachment(config: Any, **meta: Any) -> Resource:
    text = config if isinstance(config, str) else json.dumps(config)
    return one(clean(thing(NAD, "NetworkAttachmentDefinition", "net", metadata=meta, spec={"config": text})), "fabric_network")


def made(kind: str, namespace: str | None = None, **spec: Any) -> Resource:
    group = "sriovnetwork.openshift.io/v1" if kind.startswith("Sriov") else "mellanox.com/v1alpha1"
    return one(clean(thing(group, kind, "net", namespace, spec=spec)), "fabric_network")


# ---- networks

PLAIN = {"plugin": "macvlan", "master": "", "vlan": 0, "pkey": "", "rdma": "maybe", "default_route": False, "address_pools": []}
ROUTE = {"routes": [{"dst": "0.0.0.0/0", "gw": "10.0.0.1"}]}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"type": "macvlan"}, {}),
        ({"type": "macvlan", "master": "eth0"}, {"master": "eth0"}),
        ({"type": "macvlan", "master": "ens2f0.120"}, {"master": "ens2f0.120", "vlan": 120}),
        ({"type": "ipvlan", "master": "vlan77"}, {"plugin": "ipvlan", "master": "vlan77", "vlan": 77}),
        ({"type": "macvlan", "master": "bond0.abcd"}, {"master": "bond0.abcd"}),
        ({"type": "vlan", "master": "eth1", "vlanId": 5}, {"plugin": "vlan", "master": "eth1", "vlan": 5}),
        ({"type": "sriov", "vlan": 0}, {"plugin": "sriov", "rdma": "yes"}),
        ({"type": "sriov", "vlan": "12"}, {"plugin": "sriov", "rdma": "yes", "vlan": 12}),
        ({"type": "host-device"}, {"plugin": "host-device", "rdma": "yes"}),
        ({"type": "ib-sriov", "pkey": "0x8005"}, {"plugin": "ib-sriov", "rdma": "yes", "pkey": "0x8005"}),
        # the default partition is everybody's
        ({"type": "ib-sriov", "pkey": "0x7FFF"}, {"plugin": "ib-sriov", "rdma": "yes"}),
        ({"type": "ipoib", "master": "ib0"}, {"plugin": "ipoib", "rdma": "yes", "master": "ib0"}),
        ({"type": "ipoib", "master": "ib0.8001"}, {"plugin": "ipoib", "rdma": "yes", "master": "ib0.8001", "pkey": "0x8001"}),
        ({"type": "bridge"}, {"plugin": "bridge", "rdma": "no"}),
        ({"type": "bridge", "isDefaultGateway": True}, {"plugin": "bridge", "rdma": "no", "default_route": True}),
        ({"type": "ovn-k8s-cni-overlay"}, {"plugin": "ovn-k8s-cni-overlay", "rdma": "no"}),
        ({"plugins": [{"type": "macvlan"}, {"type": "rdma"}]}, {"rdma": "yes"}),
        ({"type": "macvlan", "ipam": ROUTE}, {"default_route": True}),
        ({"type": "macvlan", "ipam": {"routes": [{"dst": "::/0"}]}}, {"default_route": True}),
        # a gateway alone makes no route
        ({"type": "macvlan", "ipam": {"gateway": "10.0.0.1", "routes": [{"dst": "10.0.0.0/8"}]}}, {}),
        # source-based routing keeps it in a table of its own
        ({"plugins": [{"type": "macvlan", "ipam": ROUTE}, {"type": "sbr"}]}, {}),
        ({"type": "macvlan", "ipam": {"type": "nv-ipam", "poolName": "a, b"}}, {"address_pools": ["IPPool/a", "IPPool/b"]}),
        (
            {"type": "macvlan", "ipam": {"type": "nv-ipam", "poolName": "a", "poolType": "cidrpool"}},
            {"address_pools": ["CIDRPool/a"]},
        ),
    ],
)
def test_definitions(config: dict[str, Any], expected: dict[str, Any]) -> None:
    assert facts(attachment({"cniVersion": "0.3.1", **config}), *LINK) == {**PLAIN, **expected}


def test_a_configuration_with_commas_too_many() -> None:
    """As the examples write it.

    https://github.com/Mellanox/network-operator/tree/master/example
    """
    text = '{"type": "macvlan", "master": "a,}b", "ipam": {"exclude": ["10.0.0.1/32",],\n},}'
    assert facts(attachment(text), *LINK) == {**PLAIN, "master": "a,}b"}


@pytest.mark.parametrize("text", ["{", "[]", "nothing", '{"plugins": []}', '{"plugins": [{}]}', "[" * 60000, "7", '{"type": 7}'])
def test_what_is_no_configuration(text: str) -> None:
    assert facts(attachment(text), *LINK) == dict.fromkeys(LINK, Reason.UNPARSABLE)


@pytest.mark.parametrize(
    ("config", "fact"),
    [
        ({"type": "sriov", "vlan": "{{ vlan }}"}, "vlan"),
        ({"type": "macvlan", "ipam": {"routes": [{"dst": "everywhere"}]}}, "default_route"),
        ({"type": "macvlan", "ipam": {"type": "nv-ipam"}}, "address_pools"),
    ],
)
def test_what_cannot_be_read_of_one(config: dict[str, Any], fact: str) -> None:
    found = facts(attachment(config), *LINK)
    assert [name for name, value in found.items() if value is Reason.UNPARSABLE] == [fact]


@pytest.mark.parametrize("spec", [{}, {"config": ""}, None])
def test_a_configuration_on_the_nodes(spec: Any) -> None:
    """A definition without one is legal: the plugin looks for a file of its name."""
    found = one(thing(NAD, "NetworkAttachmentDefinition", "net", spec=spec), "fabric_network")
    assert facts(found, *LINK, "device", "namespace") == {
        **dict.fromkeys(LINK, Reason.NOT_OFFERED),
        "device": "",
        "namespace": "team",
    }


@pytest.mark.parametrize(
    ("resource", "rdma"),
    [
        ("nvidia.com/roce_gpu1", "yes"),
        ("rdma/hca_shared_devices_a", "yes"),
        ("mellanox.com/vfs", "yes"),
        ("corp.example/my_RoCE", "yes"),
        ("nvidia.com/gpu", "maybe"),
        ("intel.com/dpdk", "maybe"),
    ],
)
def test_devices_tell_of_the_fabric(resource: str, rdma: str) -> None:
    found = attachment({"type": "macvlan"}, annotations={"k8s.v1.cni.cncf.io/resourceName": resource})
    assert facts(found, "rdma", "device") == {"rdma": rdma, "device": resource.partition("/")[2]}


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("MacvlanNetwork", {}, {"namespace": "default", "plugin": "macvlan"}),
        (
            "MacvlanNetwork",
            {"networkNamespace": "a", "master": "ens2f0", "ipam": '{"gateway": "10.0.0.1",}'},
            {"namespace": "a", "plugin": "macvlan", "master": "ens2f0"},
        ),
        ("MacvlanNetwork", {"metaPlugins": '{"type": "sbr"}, {"type": "rdma"}', "ipam": json.dumps(ROUTE)}, {"plugin": "macvlan"}),
        ("MacvlanNetwork", {"ipam": json.dumps(ROUTE)}, {"plugin": "macvlan", "default_route": True}),
        ("MacvlanNetwork", {"ipam": "{{ ipam }}"}, {"default_route": Reason.UNPARSABLE, "address_pools": Reason.UNPARSABLE}),
        ("HostDeviceNetwork", {"resourceName": "hostdev"}, {"plugin": "host-device", "device": "hostdev"}),
        ("IPoIBNetwork", {"master": "ibs1"}, {"plugin": "ipoib", "master": "ibs1"}),
    ],
)
def test_networks_of_the_network_operator(kind: str, spec: dict[str, Any], expected: dict[str, Any]) -> None:
    found = facts(made(kind, **spec), *LINK, "device", "namespace")
    assert found == {**PLAIN, "rdma": "yes", "device": "", "namespace": "default", **expected}


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("SriovNetwork", {"resourceName": "x"}, {"namespace": "operator"}),
        ("SriovNetwork", {"resourceName": "x", "vlan": 7, "networkNamespace": "a"}, {"namespace": "a", "vlan": 7}),
        ("SriovIBNetwork", {"resourceName": "x", "pkey": "0x5"}, {"plugin": "ib-sriov", "pkey": "0x5", "namespace": "operator"}),
    ],
)
def test_networks_of_the_sriov_operator(kind: str, spec: dict[str, Any], expected: dict[str, Any]) -> None:
    found = facts(made(kind, "operator", **spec), *LINK, "device", "namespace")
    assert found == {**PLAIN, "plugin": "sriov", "rdma": "yes", "device": "x", **expected}


@pytest.mark.parametrize(
    ("spec", "rdma"),
    [({}, "no"), ({"isRdma": True}, "yes"), ({"linkType": "IB"}, "yes"), ({"linkType": "eth"}, "no"), ({"isRdma": "true"}, "no")],
)
def test_devices_that_an_operator_makes(spec: dict[str, Any], rdma: str) -> None:
    found = made("SriovNetworkNodePolicy", "operator", resourceName="vfs", **spec)
    assert facts(found, "rdma", "device") == {"rdma": rdma, "device": "vfs"}


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("IPPool", {}, False),
        ("IPPool", {"gateway": "10.0.0.1"}, False),
        ("IPPool", {"defaultGateway": True}, True),
        ("CIDRPool", {"routes": [{"dst": "0.0.0.0/0"}]}, True),
        ("CIDRPool", {"routes": [{"dst": "10.0.0.0/8"}]}, False),
    ],
)
def test_pools_of_addresses(kind: str, spec: dict[str, Any], *, expected: bool) -> None:
    assert one(thing("nv-ipam.nvidia.com/v1alpha1", kind, "pool", spec=spec)).facts["default_route"] is expected


@pytest.mark.parametrize(
    ("note", "expected"),
    [(None, []), ("net", ["team/net"]), ("a/x, net,, a/x", ["a/x", "team/net"])],
)
@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_policies_of_networks(version: str, note: str | None, expected: list[str]) -> None:
    notes = {"k8s.v1.cni.cncf.io/policy-for": note} if note else {}
    item = thing(f"k8s.cni.cncf.io/{version}", "MultiNetworkPolicy", "p", metadata={"annotations": notes})
    assert one(clean(item)).facts["policy_for"] == expected


@given(
    st.text(max_size=300)
    | st.recursive(st.none() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)).map(json.dumps)
)
def test_no_text_breaks_it(text: str) -> None:
    for name in LINK:
        assert (name in attachment(text).facts) or (name in attachment(text).gaps)


@given(st.recursive(st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_json_stays_what_it_is(value: Any) -> None:
    assert parsed(json.dumps(value)) == value


def test_a_configuration_is_bounded() -> None:
    with pytest.raises(ValueError, match="bounded"):
        parsed(" " * (LONGEST + 1))


# ---- what pods attach to


def attached(**notes: str) -> Any:
    meta = {k.replace("__", "/"): v for k, v in notes.items()}
    found = one(clean(pod(annotations=meta)), "workload")
    gap = found.gaps.get("attachments")
    return gap.reason if gap else found.facts["attachments"]


NETWORKS = "k8s.v1.cni.cncf.io/networks"
DEFAULT = "v1.multus-cni.io/default-network"


def net(name: str, *, default_route: bool = False) -> dict[str, Any]:
    return {"network": name, "default_route": default_route}


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ({}, []),
        ({NETWORKS: "roce"}, [net("team/roce")]),
        ({NETWORKS: "a/roce@net1, roce ,"}, [net("a/roce"), net("team/roce")]),
        (
            {NETWORKS: '[{"name": "roce", "interface": "net1", "ips": ["10.0.0.2"], "mac": "c2:00:00:00:00:01"}]'},
            [net("team/roce")],
        ),
        (
            {NETWORKS: '[{"name": "roce", "namespace": "a", "default-route": ["10.0.0.1"]}, {"name": "roce", "namespace": "a"}]'},
            [net("a/roce", default_route=True)],
        ),
        ({NETWORKS: '[{"namespace": "a"}]'}, Reason.UNPARSABLE),
        ({NETWORKS: '["roce"]'}, Reason.UNPARSABLE),
        ({NETWORKS: "[{"}, Reason.UNPARSABLE),
        # the network of the pod itself
        ({DEFAULT: "a/front", NETWORKS: "roce"}, [net("a/front", default_route=True), net("team/roce")]),
    ],
)
def test_attachments(notes: dict[str, str], expected: Any) -> None:
    assert attached(**notes) == expected


# ---- network plugins


def agents(*containers: dict[str, Any], namespace: str = "kube-system") -> Any:
    return one(clean(deployment(spec={"containers": list(containers)}, namespace=namespace)), "workload").facts["network_agents"]


def agent(name: str, image: str, *args: str) -> dict[str, Any]:
    return {"name": name, "image": image, "args": list(args)}


@pytest.mark.parametrize(
    ("made_of", "product", "policies"),
    [
        (agent("cilium-agent", "quay.io/cilium/cilium:v1.18.4@sha256:" + "0" * 64), "Cilium", "setting"),
        (agent("cilium-agent", "gke.gcr.io/cilium/cilium:v1.17"), "Cilium", "setting"),
        (agent("cilium-agent", "docker.io/rancher/mirrored-cilium-cilium:v1"), "Cilium", "setting"),
        (agent("calico-node", "docker.io/calico/node:v3.31.0"), "Calico", "yes"),
        (agent("calico-node", "rancher/hardened-calico:v3"), "Calico", "yes"),
        (agent("antrea-agent", "antrea/antrea-agent-ubuntu:v2.4.0"), "Antrea", "yes"),
        (agent("ovnkube-controller", "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + "0" * 64), "OVN-Kubernetes", "yes"),
        (agent("kube-router", "docker.io/cloudnativelabs/kube-router:v2.6.1"), "kube-router", "yes"),
        (agent("kube-router", "cloudnativelabs/kube-router:v2", "--run-firewall=false"), "kube-router", "no"),
        (agent("kube-router", "cloudnativelabs/kube-router:v2", "--run-firewall"), "kube-router", "yes"),
        (agent("kube-router", "cloudnativelabs/kube-router:v2", "--run-firewall=$(RUN)"), "kube-router", "unknown"),
        (agent("policies", "registry.k8s.io/networking/kube-network-policies:v1.0.0"), "kube-network-policies", "yes"),
        (agent("azure-npm", "mcr.microsoft.com/containernetworking/azure-npm:v1.6"), "Azure network policy manager", "yes"),
        (agent("cns-container", "mcr.microsoft.com/containernetworking/azure-cns:v1.6"), "Azure CNI", "no"),
        (agent("weave-npc", "weaveworks/weave-npc:latest"), "Weave Net", "yes"),
        (agent("cni-server", "docker.io/kubeovn/kube-ovn:v1.14"), "Kube-OVN", "yes"),
        (agent("kube-flannel", "ghcr.io/flannel-io/flannel:v0.27.4"), "Flannel", "no"),
        (agent("kindnet-cni", "docker.io/kindest/kindnetd:v20250512-df8de77b"), "kindnet", "yes"),
        (agent("kindnet-cni", "docker.io/kindest/kindnetd:v20240202-8f1494ea"), "kindnet", "no"),
        (agent("kindnet-cni", "docker.io/kindest/kindnetd:local"), "kindnet", "unknown"),
        (
            agent("iptables", "ghcr.io/k8snetworkplumbingwg/multi-networkpolicy-iptables:snapshot"),
            "multi-networkpolicy",
            "secondary",
        ),
    ],
)
def test_network_plugins(made_of: dict[str, Any], product: str, policies: str) -> None:
    assert agents(made_of) == [{"container": made_of["name"], "product": product, "policies": policies}]


AWS_IMAGE = "602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon/aws-network-policy-agent:v1.3.0"


@pytest.mark.parametrize(
    ("args", "policies"),
    [
        (["--enable-network-policy=true"], "yes"),
        (["--enable-network-policy", "true"], "yes"),
        (["--enable-network-policy=false"], "no"),
        ([], "no"),
        (["--enable-network-policy={{ x }}"], "unknown"),
    ],
)
def test_the_agent_of_the_vpc_cni(args: list[str], policies: str) -> None:
    found = agents(
        agent("aws-node", "602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon-k8s-cni:v1.23.0"),
        agent("aws-eks-nodeagent", AWS_IMAGE, *args),
    )
    assert found == [
        {"container": "aws-node", "product": "Amazon VPC CNI", "policies": "no"},
        {"container": "aws-eks-nodeagent", "product": "Amazon VPC CNI network policy agent", "policies": policies},
    ]


@pytest.mark.parametrize(
    "other",
    [
        agent("calico-node", "registry.example/app:1"),  # called like one
        agent("cilium-operator", "quay.io/cilium/operator-generic:v1.18"),
        agent("main", "quay.io/cilium/cilium:v1.18"),
        agent("calico-node", "{{ image }}"),
    ],
)
def test_no_network_plugins(other: dict[str, Any]) -> None:
    assert agents(other) == []


def test_init_containers_enforce_nothing() -> None:
    spec = {"initContainers": [agent("calico-node", "calico/node:v3")]}
    assert one(clean(deployment(spec=spec)), "workload").facts["network_agents"] == []


# ---- Multus

VOLUME = {"name": "c", "configMap": {"name": "multus-daemon-config"}}
THIN = "ghcr.io/k8snetworkplumbingwg/multus-cni:v4.3.0"


@pytest.mark.parametrize(
    ("image", "command", "volumes", "isolation", "config_map"),
    [
        (THIN, ["/thin_entrypoint", "--multus-conf-file=auto"], [], "off", ""),
        (THIN, ["/thin_entrypoint"], [], "off", ""),
        (THIN, ["/thin_entrypoint", "--namespace-isolation=true"], [], "on", ""),
        (THIN, ["/thin_entrypoint", "--namespace-isolation=false"], [], "off", ""),
        (THIN, ["/thin_entrypoint", "--namespace-isolation=$(X)"], [], "unknown", ""),
        (THIN, ["/thin_entrypoint", "--multus-conf-file=/host/own.conf"], [], "unknown", ""),
        (
            THIN,
            ["/entrypoint.sh", "--multus-conf-file=/tmp/multus-conf/00-multus.conf"],
            [{"name": "c", "configMap": {"name": "multus-cni-config"}}],
            "config_map",
            "multus-cni-config",
        ),
        (f"{THIN}-thick", ["/usr/src/multus-cni/bin/multus-daemon"], [VOLUME], "config_map", "multus-daemon-config"),
        (
            "quay.io/ocp@sha256:" + "0" * 64,
            ["/bin/bash", "-c", "exec /usr/src/multus-cni/bin/multus-daemon"],
            [VOLUME],
            "config_map",
            "multus-daemon-config",
        ),
        (f"{THIN}-thick", ["/usr/src/multus-cni/bin/multus-daemon"], [], "config_map", ""),
    ],
)
def test_multus(image: str, command: list[str], volumes: list[Any], isolation: str, config_map: str) -> None:
    spec = {"containers": [{"name": "kube-multus", "image": image, "command": command}], "volumes": volumes}
    found = one(clean(deployment(spec=spec)), "workload").facts["multus"]
    assert found == [{"container": "kube-multus", "isolation": isolation, "config_map": config_map}]


def settings(name: str, **data: str) -> Any:
    item = thing("v1", "ConfigMap", name, "kube-system", data={k.replace("_", "-"): v for k, v in data.items()})
    return one(clean(item)).facts["settings"]


@pytest.mark.parametrize(
    ("text", "isolation"),
    [
        ('{"namespaceIsolation": true, "globalNamespaces": "default"}', "on"),
        ('{"namespaceIsolation": false}', "off"),
        ("{}", "off"),
        ('{"namespaceIsolation": "yes"}', "unreadable"),
        ("{", "unreadable"),
        ("[]", "unreadable"),
        ("[" * 90000, "unreadable"),
    ],
)
def test_settings_of_multus(text: str, isolation: str) -> None:
    told = one(clean(thing("v1", "ConfigMap", "multus-daemon-config", data={"daemon-config.json": text}))).facts["settings"]
    assert told == {"component": "multus", "isolation": isolation}
    thin = one(clean(thing("v1", "ConfigMap", "multus-cni-config", data={"cni-conf.json": text}))).facts["settings"]
    assert thin == {"component": "multus", "isolation": isolation}


@pytest.mark.parametrize(
    ("data", "policy"),
    [
        ({}, "default"),
        ({"enable_network_policy_controller": "True"}, "on"),
        ({"enable_network_policy_controller": "x"}, "unreadable"),
    ],
)
def test_settings_of_the_vpc_cni(data: dict[str, str], policy: str) -> None:
    assert settings("amazon-vpc-cni", warm_ip_target="5", **data) == {"component": "amazon-vpc-cni", "network_policy": policy}


@pytest.mark.parametrize(
    ("data", "expected"),
    [({"enable_policy": "Never"}, {"policy": "never"}), ({"enable_policy": "odd"}, {"policy": "unreadable"}), ({}, {})],
)
def test_how_cilium_enforces(data: dict[str, str], expected: dict[str, str]) -> None:
    assert settings("cilium-config", **data) == {"component": "cilium", **expected}


@pytest.mark.parametrize(
    "name", ["ingress-nginx-controller", "nginx-configuration", "edge-ingress-nginx-controller", "rke2-ingress-nginx-controller"]
)
@pytest.mark.parametrize(
    ("data", "snippets", "risk"),
    [
        ({}, "default", "default"),
        ({"allow_snippet_annotations": "true"}, "on", "default"),
        ({"allow_snippet_annotations": "false", "annotations_risk_level": "High"}, "off", "High"),
        ({"allow_snippet_annotations": "perhaps", "annotations_risk_level": "Odd"}, "unreadable", "unreadable"),
    ],
)
def test_settings_of_ingress_nginx(name: str, data: dict[str, str], snippets: str, risk: str) -> None:
    assert settings(name, http_snippet="secret", **data) == {"component": "ingress-nginx", "snippets": snippets, "risk": risk}


# ---- ingress-nginx


@pytest.mark.parametrize(
    ("image", "version", "fork"),
    [
        ("registry.k8s.io/ingress-nginx/controller:v1.12.1", "1.12.1", False),
        ("registry.k8s.io/ingress-nginx/controller-chroot:v1.11.2@sha256:" + "0" * 64, "1.11.2", False),
        ("k8s.gcr.io/ingress-nginx/controller:v0.49.3", "0.49.3", False),
        ("mirror.example:5000/k8s/ingress-nginx/controller:v1.15.1", "1.15.1", False),
        ("quay.io/kubernetes-ingress-controller/nginx-ingress-controller:0.33.0", "0.33.0", False),
        ("registry.k8s.io/ingress-nginx/controller@sha256:" + "0" * 64, "", False),
        ("registry.k8s.io/ingress-nginx/controller:nightly", "", False),
        # forks keep the name: https://github.com/chainguard-forks/ingress-nginx
        ("cgr.dev/chainguard/ingress-nginx-controller:latest", "", True),
        ("rancher/nginx-ingress-controller:nginx-1.12.4-hardened2", "1.12.4", True),
        ("docker.io/bitnami/nginx-ingress-controller:1.13.3", "1.13.3", True),
    ],
)
def test_controllers(image: str, version: str, *, fork: bool) -> None:
    found = one(deployment(spec={"containers": [{"name": "c", "image": image}]}), "workload")
    assert facts(found, "ingress_nginx", "ingress_nginx_settled") == {
        "ingress_nginx": [{"container": "c", "version": version, "fork": fork}],
        "ingress_nginx_settled": Reason.NOT_OFFERED if fork else True,
    }


def test_a_controller_by_its_program() -> None:
    own = {"name": "c", "image": "registry.example/edge:7", "args": ["/nginx-ingress-controller", "--election-id=x"]}
    found = one(clean(deployment(spec={"containers": [own]})), "workload")
    assert found.facts["ingress_nginx"] == [{"container": "c", "version": "", "fork": True}]


@pytest.mark.parametrize(
    "image", ["nginx:1.27", "nginx/nginx-ingress:5.2.0", "docker.io/traefik:v3", "registry.example/controller:1"]
)
def test_other_controllers(image: str) -> None:
    """F5's is another one, however it is called: https://github.com/nginx/kubernetes-ingress ."""
    found = one(deployment(spec={"containers": [{"name": "c", "image": image}]}), "workload")
    assert facts(found, "ingress_nginx", "ingress_nginx_settled") == {"ingress_nginx": [], "ingress_nginx_settled": True}


def test_an_image_that_nobody_can_read() -> None:
    found = one(deployment(spec={"containers": [container(image="{{ image }}")]}), "workload")
    assert facts(found, "ingress_nginx_settled") == {"ingress_nginx_settled": Reason.NOT_OFFERED}


def test_snippets() -> None:
    notes = {
        "nginx.ingress.kubernetes.io/server-snippet": "return 200 hunter2;",
        "nginx.ingress.kubernetes.io/auth-snippet": "x",
        "nginx.ingress.kubernetes.io/rewrite-target": "/",
        "nginx.org/server-snippets": "of F5",
    }
    item = clean(thing("networking.k8s.io/v1", "Ingress", "i", metadata={"annotations": notes}, spec={}))
    assert "hunter2" not in json.dumps(item)
    assert one(item).facts["snippets"] == ["nginx.ingress.kubernetes.io/auth-snippet", "nginx.ingress.kubernetes.io/server-snippet"]


# ---- gateways

API = "gateway.networking.k8s.io/v1"


def listener(**raw: Any) -> dict[str, Any]:
    (found,) = one(thing(API, "Gateway", "g", spec={"listeners": [raw]})).facts["gateway_listeners"]
    assert isinstance(found, dict)
    return found


BARE = {"name": "", "port": 0, "protocol": "", "hostname": "", "tls": "", "from": "Same", "selector": {}, "kinds": []}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({}, {}),
        ({"name": "web", "port": 80, "protocol": "HTTP"}, {"name": "web", "port": 80, "protocol": "HTTP"}),
        ({"tls": {}}, {"tls": "Terminate"}),
        ({"tls": {"mode": "Passthrough"}}, {"tls": "Passthrough"}),
        ({"allowedRoutes": {"namespaces": {"from": "All"}}}, {"from": "All"}),
        ({"allowedRoutes": {"namespaces": {"from": "Selector", "selector": {}}}}, {"from": "All"}),
        ({"allowedRoutes": {"namespaces": {"from": "Selector"}}}, {"from": "Selector"}),
        (
            {
                "allowedRoutes": {
                    "namespaces": {"from": "Selector", "selector": {"matchLabels": {"a": "b"}}},
                    "kinds": [{"kind": "HTTPRoute"}],
                }
            },
            {"from": "Selector", "selector": {"matchLabels": {"a": "b"}}, "kinds": ["HTTPRoute"]},
        ),
    ],
)
def test_listeners(raw: dict[str, Any], expected: dict[str, Any]) -> None:
    assert listener(**raw) == {**BARE, **expected}


def server(port: dict[str, Any], tls: Any = None) -> Resource:
    raw = {"port": port, "hosts": ["*"], **({} if tls is None else {"tls": tls})}
    return one(thing("networking.istio.io/v1", "Gateway", "g", spec={"selector": {}, "servers": [raw]}))


@pytest.mark.parametrize(
    ("tls", "mode", "redirects", "versions"),
    [
        (None, "", False, []),
        ({"httpsRedirect": True}, "", True, []),
        # https://istio.io/latest/docs/reference/config/networking/gateway/#ServerTLSSettings : 1.2 by default
        ({"mode": "SIMPLE"}, "SIMPLE", False, ["1.2", "1.3"]),
        ({"mode": "MUTUAL", "minProtocolVersion": "TLSV1_3"}, "MUTUAL", False, ["1.3"]),
        (
            {"mode": "SIMPLE", "minProtocolVersion": "TLSV1_0", "maxProtocolVersion": "TLSV1_2"},
            "SIMPLE",
            False,
            ["1.0", "1.1", "1.2"],
        ),
        ({"mode": "SIMPLE", "minProtocolVersion": "TLS_AUTO"}, "SIMPLE", False, ["1.2", "1.3"]),
        ({"mode": "PASSTHROUGH"}, "PASSTHROUGH", False, []),
        ({"mode": "ISTIO_MUTUAL"}, "ISTIO_MUTUAL", False, []),
    ],
)
def test_servers_of_istio(tls: Any, mode: str, versions: list[str], *, redirects: bool) -> None:
    found = server({"number": 443, "name": "https", "protocol": "https"}, tls)
    assert found.facts["gateway_listeners"] == [
        {"name": "https", "port": 443, "protocol": "HTTPS", "tls": mode, "redirects": redirects}
    ]
    assert found.facts["tls_versions"] == versions


def test_a_version_that_is_none() -> None:
    found = server({"number": 443, "protocol": "HTTPS"}, {"mode": "SIMPLE", "minProtocolVersion": "1.3"})
    assert facts(found, "tls_versions") == {"tls_versions": Reason.UNPARSABLE}


TO_HTTPS = {"filters": [{"type": "RequestRedirect", "requestRedirect": {"scheme": "https"}}]}
BACKEND = {"backendRefs": [{"name": "a"}]}
ACME = {"matches": [{"path": {"type": "Exact", "value": "/.well-known/acme-challenge/x"}}], **BACKEND}


@pytest.mark.parametrize(
    ("rules", "serves"),
    [
        ([], False),
        ([TO_HTTPS], False),
        ([BACKEND], True),
        ([TO_HTTPS, BACKEND], True),
        ([{"filters": [{"type": "RequestRedirect", "requestRedirect": {"hostname": "x"}}]}], True),
        ([{"filters": [{"type": "RequestRedirect", "requestRedirect": {"scheme": "http"}}]}], True),
        # https://cert-manager.io/docs/configuration/acme/http01/#configuring-the-http-01-gateway-api-solver
        ([ACME, TO_HTTPS], False),
        ([{**ACME, "matches": [*ACME["matches"], {"headers": []}]}], True),  # type: ignore[misc]
    ],
)
def test_what_routes_serve(rules: list[Any], *, serves: bool) -> None:
    assert one(thing(API, "HTTPRoute", "r", spec={"rules": rules})).facts["serves"] is serves


def test_parents_of_routes() -> None:
    parents = [{"name": "g"}, {"name": "g", "namespace": "a", "sectionName": "s", "port": 80}, {"kind": "Service", "name": "mesh"}]
    found = one(thing(API, "HTTPRoute", "r", spec={"parentRefs": parents, "hostnames": ["A.example"]})).facts
    assert found["parents"] == [
        {"namespace": "team", "name": "g", "section": "", "port": 0},
        {"namespace": "a", "name": "g", "section": "s", "port": 80},
    ]
    assert found["hostnames"] == ["a.example"]


@pytest.mark.parametrize(
    ("spec", "serves", "names"),
    [
        ({"gateways": ["mesh", "a/g", "own"], "http": [{"redirect": {"scheme": "https"}}]}, False, ["a/g", "team/own"]),
        ({"gateways": ["g"], "http": [{"redirect": {"uri": "/x"}}]}, True, ["team/g"]),
        ({"http": [{"match": [{"gateways": ["g"]}], "route": []}]}, True, ["team/g"]),
        ({"gateways": ["g"], "tls": [{"route": []}]}, True, ["team/g"]),
        ({}, False, []),
    ],
)
def test_virtual_services(spec: dict[str, Any], names: list[str], *, serves: bool) -> None:
    found = one(thing("networking.istio.io/v1", "VirtualService", "v", spec=spec)).facts
    assert (found["serves"], [f"{p['namespace']}/{p['name']}" for p in found["parents"]]) == (serves, names)


def test_grants() -> None:
    spec = {
        "from": [{"group": "gateway.networking.k8s.io", "kind": "Gateway", "namespace": "a"}],
        "to": [{"group": "", "kind": "Secret"}, {"group": "", "kind": "Service", "name": "s"}],
    }
    found = one(thing("gateway.networking.k8s.io/v1beta1", "ReferenceGrant", "r", spec=spec)).facts
    assert found["grants_from"] == [{"kind": "Gateway", "namespace": "a"}]
    assert found["grants_to"] == [{"kind": "Secret", "name": ""}, {"kind": "Service", "name": "s"}]


def test_partitions_of_the_network_operator() -> None:
    plain, managed = (
        projected(thing("mellanox.com/v1alpha1", "NicClusterPolicy", "p", None, spec=spec), "operator")[0].facts[
            "manages_partitions"
        ]
        for spec in ({}, {"ibKubernetes": {"pKeyGUIDPoolRangeStart": "02:00:00:00:00:00:00:00"}})
    )
    assert (plain, managed) == (False, True)
