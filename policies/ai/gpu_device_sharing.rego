# METADATA
# title: Devices that several tenants may claim are not shared between processes
# description: >-
#   Time slicing and MPS share a GPU without walls between the memory of those who use it. A class of devices is of no namespace:
#   every tenant may name it. A claim or template is of one namespace, so of one tenant. Settings of drivers other than NVIDIA's are
#   unknown, and who the tenants are where nothing says it. Quotas on a class are not counted as a wall.
# related_resources:
#   - https://github.com/NVIDIA/k8s-dra-driver-gpu
#   - https://kubernetes.io/docs/concepts/policy/resource-quotas/
# custom:
#   severity: medium
#   kind: device_claim
#   scope_on: []
#   fail_on: [sharing, usable_by]
#   controls:
#     nist_800_53_r5: [SC-4]
#     soc2: [CC6.1]
#   tags: [kubernetes, gpu, dra]
#   covers:
#     resource.k8s.io/v1/DeviceClass: &same
#       catalog: [K8S-GPU-010]
#       fix:
#         manifest: A class a tenant, without sharing in its config, or partitions (MIG).
#     resource.k8s.io/v1/ResourceClaim: *same
#     resource.k8s.io/v1/ResourceClaimTemplate: *same
package policies.ai.gpu_device_sharing

import rego.v1

scope contains c.id if {
	some c in input.resources.device_claim
}

fail contains {
	"id": c.id, "fact": "sharing", "expected": [], "actual": c.sharing,
	"message": sprintf("its devices are shared by %s, and %d tenants may use it", [concat(" and ", c.sharing), count(c.usable_by)]),
} if {
	some c in input.resources.device_claim
	c.id in scope
	count(c.sharing) > 0
	count(c.usable_by) > 1
}

safe contains c.id if {
	some c in input.resources.device_claim
	c.sharing == []
}
