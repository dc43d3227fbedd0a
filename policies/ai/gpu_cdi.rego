# METADATA
# title: Containers get GPUs by CDI
# description: >-
#   The Container Device Interface names devices in the runtime's own configuration, where the legacy mode lets a variable of the image
#   choose them. On by default from GPU Operator 25.10 on, off before: where neither the object nor the release tells, it is unknown.
#   cdi.default is not read: it has no effect any more.
# related_resources:
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/cdi.html
# custom:
#   severity: medium
#   kind: operator
#   scope_on: []
#   fail_on: [cdi]
#   controls:
#     nist_800_53_r5: [CM-6, CM-7]
#     mitre_attack_containers: [T1611]
#     soc2: [CC6.8]
#   tags: [kubernetes, gpu]
#   covers:
#     nvidia.com/v1/ClusterPolicy:
#       catalog: [K8S-GPU-006]
#       fix:
#         manifest: "spec.cdi.enabled: true"
package policies.ai.gpu_cdi

import rego.v1

scope contains o.id if {
	some o in input.resources.operator
}

fail contains {"id": o.id, "fact": "cdi", "expected": "on", "message": "containers get GPUs by the legacy mode, not by CDI"} if {
	some o in input.resources.operator
	o.id in scope
	o.cdi == "off"
}
