# METADATA
# title: Multus lets pods attach only to networks of their own namespace
# description: >-
#   Without namespaceIsolation any tenant attaches to the network of another by its name. The daemon (thick) reads it from its
#   ConfigMap, the thin plugin from its flags or from the ConfigMap that is mounted for it; it is off unless it is written, and
#   unknown where the configuration is a file of the nodes. Asked where several tenants share the cluster. Namespaces that
#   globalNamespaces opens all the same are not judged.
# related_resources:
#   - https://github.com/k8snetworkplumbingwg/multus-cni/blob/master/docs/configuration.md#namespace-isolation
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [multus_isolation, several_tenants]
#   fail_on: [multus_isolation]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     mitre_attack_containers: [T1557]
#     pci_dss_4: ["1.2.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, network, tenancy]
#   covers:
#     apps/v1/DaemonSet:
#       catalog: [K8S-NET-008]
#       fix:
#         manifest: "\"namespaceIsolation\": true in the configuration of Multus, or --namespace-isolation=true."
package policies.network.k8s_multus_isolation

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	w.multus_isolation in {"on", "off"}
	w.several_tenants == true
}

fail contains {
	"id": w.id, "fact": "multus_isolation", "expected": "on", "actual": "off",
	"message": "its Multus lets pods attach to networks of every namespace",
} if {
	some w in input.resources.workload
	w.id in scope
	w.multus_isolation == "off"
}
