# METADATA
# title: Tenants do not share a network of the fabric
# description: >-
#   What Multus adds is filtered by MultiNetworkPolicies alone, and those only see traffic that passes the kernel: RDMA goes past
#   it, and past every policy of the cluster. So tenants are kept apart by a VLAN or a partition each. Fails where several tenants
#   attach to one network, or to networks with the same tag on the same device, unless each of their namespaces has a
#   MultiNetworkPolicy for it, an agent enforces them, and none of their pods asks for RDMA devices. Untagged networks of several
#   tenants on the same device are unknown, as are partitions that nothing in the cluster sets: the switches and the fabric manager
#   may keep them apart. What a policy allows is not looked at.
# related_resources:
#   - https://github.com/k8snetworkplumbingwg/multi-networkpolicy/blob/master/README.md
#   - https://github.com/k8snetworkplumbingwg/sriov-network-device-plugin/issues/397
#   - https://github.com/Mellanox/ib-kubernetes/blob/master/README.md
# custom:
#   severity: medium
#   kind: fabric_network
#   scope_on: [fabric, made_from, several_tenants]
#   fail_on: [unseparated, unseparated_settled]
#   controls:
#     nist_800_53_r5: [SC-7, AC-4]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["1.2.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, network, fabric, tenancy]
#   covers:
#     k8s.cni.cncf.io/v1/NetworkAttachmentDefinition: &same
#       catalog: [K8S-NET-007]
#       fix:
#         manifest: Make a network for each tenant, with spec.vlan of a SriovNetwork, or with a pkey and ib-kubernetes.
#     mellanox.com/v1alpha1/MacvlanNetwork: *same
#     mellanox.com/v1alpha1/HostDeviceNetwork: *same
#     mellanox.com/v1alpha1/IPoIBNetwork: *same
#     sriovnetwork.openshift.io/v1/SriovNetwork: *same
#     sriovnetwork.openshift.io/v1/SriovIBNetwork: *same
package policies.network.k8s_fabric_tenants

import rego.v1

scope contains n.id if {
	some n in input.resources.fabric_network
	n.fabric == true
	n.made_from == ""
	n.several_tenants == true
}

fail contains {
	"id": n.id, "fact": "unseparated", "expected": [], "actual": tenants,
	"message": sprintf("nothing keeps its tenants apart: %s", [concat(", ", tenants)]),
} if {
	some n in input.resources.fabric_network
	n.id in scope
	tenants := n.unseparated
	count(tenants) > 0
}
