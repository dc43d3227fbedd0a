# METADATA
# title: The GPU driver that is asked for has the fixes of its branch
# description: >-
#   The driver runs in the kernel: whoever may use a GPU reaches its bugs. A version is compared with others of its branch alone,
#   and a branch without a row in the newest bulletins gets no fixes any more (550, 570, 575, 590); R535 was last named in May 2026.
#   A branch newer than the data, a precompiled driver that names a branch alone, and a digest are unknown. What runs on the nodes
#   is judged on them.
# related_resources:
#   - https://github.com/NVIDIA/product-security/tree/main/2026/5821
#   - https://github.com/NVIDIA/product-security/tree/main/2026/5861
# custom:
#   severity: high
#   kind: operator
#   scope_on: [driver_enabled, driver_by_object]
#   fail_on: [driver_outdated]
#   controls:
#     nist_800_53_r5: [SI-2, RA-5]
#     mitre_attack_containers: [T1068]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, gpu]
#   covers:
#     nvidia.com/v1/ClusterPolicy: &same
#       catalog: [K8S-GPU-002]
#       fix:
#         manifest: "spec.driver.version (of an NVIDIADriver spec.version): 595.91.07, 580.178.04, 610.57.04 or later."
#     nvidia.com/v1alpha1/NVIDIADriver: *same
package policies.ai.gpu_driver_patched

import rego.v1

scope contains o.id if {
	some o in input.resources.operator
	o.driver_enabled == true
	o.driver_by_object == false
}

fail contains {
	"id": o.id, "fact": "driver_outdated", "expected": sprintf("%s or later", [old.fixed]), "actual": old.version, "tag": old.version,
	"message": sprintf("driver %s lacks fixes of its branch (%s)", [old.version, concat(", ", old.ids)]),
} if {
	some o in input.resources.operator
	o.id in scope
	some old in o.driver_outdated
	old.fixed != ""
}

fail contains {
	"id": o.id, "fact": "driver_outdated", "expected": "a branch that is maintained", "actual": old.version, "tag": old.version,
	"message": sprintf("driver %s is of a branch that gets no fixes any more", [old.version]),
} if {
	some o in input.resources.operator
	o.id in scope
	some old in o.driver_outdated
	old.fixed == ""
}
