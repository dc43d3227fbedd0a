# METADATA
# title: The container toolkit has the fixes for container escapes
# description: >-
#   A malicious image takes the host through an old NVIDIA Container Toolkit (CVE-2024-0132, CVE-2025-23266, CVE-2026-24260). The
#   floor is of the newest bulletin, which spares CDI no more. What a ClusterPolicy asks for and what its DaemonSets run are both
#   judged: a rollout may not be complete. A toolkit that the nodes bring themselves (DGX OS, provider images) does not show in
#   the cluster: unknown.
# related_resources:
#   - https://github.com/NVIDIA/product-security/tree/main/2026/5850
#   - https://github.com/NVIDIA/product-security/tree/main/2025/5659
# custom:
#   severity: critical
#   kind: operator
#   scope_on: []
#   fail_on: [toolkit_outdated]
#   controls:
#     nist_800_53_r5: [SI-2, RA-5]
#     mitre_attack_containers: [T1611, T1068]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, gpu]
#   covers:
#     nvidia.com/v1/ClusterPolicy:
#       catalog: [K8S-GPU-001]
#       fix:
#         cli: helm upgrade gpu-operator nvidia/gpu-operator --version v26.3.2 (or later)
#         manifest: "spec.toolkit.version: v1.19.1 or later, with GPU Operator 26.3.2 or later."
package policies.ai.gpu_toolkit_patched

import rego.v1

scope contains o.id if {
	some o in input.resources.operator
}

fail contains {
	"id": o.id, "fact": "toolkit_outdated", "expected": sprintf("%s or later", [old.fixed]), "actual": old.version, "tag": old.version,
	"message": sprintf("container toolkit %s lets an image take the host (%s)", [old.version, concat(", ", old.ids)]),
} if {
	some o in input.resources.operator
	o.id in scope
	some old in o.toolkit_outdated
}
