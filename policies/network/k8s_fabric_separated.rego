# METADATA
# title: Networks of the fabric are apart from the front end
# description: >-
#   NetworkPolicies never apply to interfaces that Multus adds. A network of the fabric must give pods no default route (its
#   addresses, a pool of nv-ipam, or what pods ask of it), must not be on the interface that has the default route of the node
#   (where macvlan and ipvlan are made unless a master is named), must have a VLAN or partition where several tenants use it, and
#   must not lie untagged in the namespace default, or be used from there by others: everybody may attach to what is there. A
#   definition that an operator makes is judged on the object that it is made from. Whether a named master carries the default route
#   is not in the cluster, so it is unknown unless fabric_interfaces names it. What is no network of the fabric by plugin, device,
#   use or the label ai-role is not judged, nor are gateways without a route, address blocks and the switches.
# related_resources:
#   - https://github.com/k8snetworkplumbingwg/multus-cni/blob/master/docs/configuration.md#namespace-isolation
#   - https://www.cni.dev/plugins/current/main/macvlan/
#   - https://github.com/Mellanox/network-operator/tree/master/example
# custom:
#   severity: high
#   kind: fabric_network
#   scope_on: [fabric, made_from]
#   fail_on: [joined_by, joined_by_settled, interface_settled, master]
#   params:
#     fabric_interfaces: []
#   controls:
#     nsa_cisa_1.2: [Network separation and hardening]
#     nist_800_53_r5: [SC-7, SC-7(21), AC-4]
#     mitre_attack_containers: [T1040, T1557]
#     pci_dss_4: ["1.2.1", "1.4.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, network, fabric]
#   covers:
#     k8s.cni.cncf.io/v1/NetworkAttachmentDefinition: &same
#       catalog: [K8S-NET-006]
#       fix:
#         manifest: A network for each tenant, in its own namespace, with its own VLAN or partition and without a default route.
#     mellanox.com/v1alpha1/MacvlanNetwork: *same
#     mellanox.com/v1alpha1/HostDeviceNetwork: *same
#     mellanox.com/v1alpha1/IPoIBNetwork: *same
#     sriovnetwork.openshift.io/v1/SriovNetwork: *same
#     sriovnetwork.openshift.io/v1/SriovIBNetwork: *same
package policies.network.k8s_fabric_separated

import rego.v1

params := input.params["network.k8s_fabric_separated"]

why := {
	"default_route": "it gives pods a default route",
	"interface": "it is on the interface of the node that has the default route, as no master is named",
	"open": "it lies in the namespace default, where everybody may attach to it",
	"untagged": "several tenants use it without a VLAN or partition",
}

scope contains n.id if {
	some n in input.resources.fabric_network
	n.fabric == true
	n.made_from == ""
}

fail contains {
	"id": n.id, "fact": "joined_by", "expected": [], "actual": [way],
	"message": why[way.how], "tag": concat(" ", [way.how, way.what]),
} if {
	some n in input.resources.fabric_network
	n.id in scope
	some way in n.joined_by
}

safe contains n.id if {
	some n in input.resources.fabric_network
	n.id in scope
	n.master in params.fabric_interfaces
	n.joined_by == []
	n.joined_by_settled == true
}
