# METADATA
# title: The GPU Operator and the container toolkit that run have the fixes for container escapes
# description: >-
#   A malicious image takes the host through an old NVIDIA Container Toolkit or GPU Operator. Judged by the tags of images below a
#   path that names NVIDIA, or by the version label where an image has a digest alone; a mirror that does not name it is not seen.
#   What a ClusterPolicy owns is judged on it.
# related_resources:
#   - https://github.com/NVIDIA/product-security/tree/main/2026/5850
# custom:
#   severity: critical
#   kind: workload
#   scope_on: [gpu_stack, operator]
#   fail_on: [gpu_stack_outdated]
#   controls:
#     nist_800_53_r5: [SI-2, RA-5]
#     mitre_attack_containers: [T1611, T1068]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, gpu]
#   covers:
#     apps/v1/Deployment: &same
#       catalog: [K8S-GPU-001]
#       fix:
#         cli: helm upgrade gpu-operator nvidia/gpu-operator --version v26.3.2 (or later)
#         manifest: GPU Operator 26.3.2, container toolkit 1.19.1, or later.
#     apps/v1/DaemonSet: *same
package policies.workload.gpu_stack_patched

import rego.v1

exempt contains {"id": w.id, "reason": sprintf("%s owns it, and its object is judged", [w.operator])} if {
	some w in input.resources.workload
	count(w.gpu_stack) > 0
	w.operator != ""
}

scope contains w.id if {
	some w in input.resources.workload
	count(w.gpu_stack) > 0
	w.operator == ""
}

fail contains {
	"id": w.id, "fact": "gpu_stack_outdated", "expected": sprintf("%s or later", [old.fixed]), "actual": old.version, "tag": old.container,
	"message": sprintf("%s %s lets an image take the host", [old.product, old.version]),
} if {
	some w in input.resources.workload
	w.id in scope
	some old in w.gpu_stack_outdated
}
