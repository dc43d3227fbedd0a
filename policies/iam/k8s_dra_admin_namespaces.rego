# METADATA
# title: No namespace of a tenant lets claims have admin access
# description: >-
#   Whoever may make claims in a namespace with the label resource.kubernetes.io/admin-access: "true" reaches devices of others.
#   `namespaces` lists where operators run. The old label, resource.k8s.io/admin-access, counts before Kubernetes 1.34 alone: of
#   manifests, which do not tell the version, it is unknown.
# related_resources:
#   - https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#admin-access
# custom:
#   severity: high
#   kind: namespace
#   scope_on: []
#   fail_on: [dra_admin]
#   params:
#     namespaces:
#       - gpu-operator
#       - nvidia-gpu-operator
#       - nvidia-dra-driver-gpu
#       - dra-driver-nvidia-gpu
#       - kube-system
#   controls:
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1611]
#     pci_dss_4: ["7.2.1"]
#     soc2: [CC6.3]
#   tags: [kubernetes, gpu, dra]
#   covers:
#     v1/Namespace:
#       catalog: [K8S-GPU-009]
#       fix:
#         cli: kubectl label namespace NAME resource.kubernetes.io/admin-access-
#         manifest: Remove the label.
package policies.iam.k8s_dra_admin_namespaces

import rego.v1

params := input.params["iam.k8s_dra_admin_namespaces"]

scope contains ns.id if {
	some ns in input.resources.namespace
}

fail contains {
	"id": ns.id, "fact": "dra_admin", "expected": false,
	"message": "claims in it may have admin access to devices of others",
} if {
	some ns in input.resources.namespace
	ns.id in scope
	ns.dra_admin == true
	own := ns.name
	count([1 | some allowed in params.namespaces; allowed == own]) == 0
}
