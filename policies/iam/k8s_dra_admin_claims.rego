# METADATA
# title: Claims of devices with admin access are of the operators alone
# description: >-
#   adminAccess opens devices that are allocated to others already: their memory, their metrics, their reset. What monitors GPUs
#   needs it; `namespaces` lists where it runs. Read below exactly from v1beta2 on and flat before, and off what has been allocated.
# related_resources:
#   - https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#admin-access
# custom:
#   severity: high
#   kind: device_claim
#   scope_on: [claim_type]
#   fail_on: [admin_requests, namespace]
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
#     resource.k8s.io/v1/ResourceClaim: &same
#       catalog: [K8S-GPU-009]
#       fix:
#         manifest: Remove adminAccess from the request, or make it in the namespace of the operator.
#     resource.k8s.io/v1/ResourceClaimTemplate: *same
package policies.iam.k8s_dra_admin_claims

import rego.v1

params := input.params["iam.k8s_dra_admin_claims"]

scope contains c.id if {
	some c in input.resources.device_claim
	c.claim_type in {"claim", "template"}
}

fail contains {
	"id": c.id, "fact": "admin_requests", "expected": [], "actual": c.admin_requests,
	"message": sprintf("its requests reach devices of others (adminAccess) in namespace %s", [c.namespace]),
} if {
	some c in input.resources.device_claim
	c.id in scope
	count(c.admin_requests) > 0
	own := c.namespace
	count([1 | some allowed in params.namespaces; allowed == own]) == 0
}
