# METADATA
# title: The GPU driver that runs on a node has the fixes of its branch
# description: >-
#   The driver runs in the kernel: whoever may use a GPU reaches its bugs. Judged by the labels that GPU feature discovery writes,
#   within the branch of the version alone. Where an operator was told to install another version, the finding says so: the node
#   still waits for it. Nodes with GPUs of NVIDIA that have no such label are unknown.
# related_resources:
#   - https://github.com/NVIDIA/product-security/tree/main/2026/5821
#   - https://github.com/NVIDIA/product-security/tree/main/2026/5861
#   - https://github.com/NVIDIA/k8s-device-plugin/blob/main/docs/gpu-feature-discovery/README.md
# custom:
#   severity: high
#   kind: node
#   scope_on: [nvidia_gpu]
#   fail_on: [driver_outdated, driver_asked]
#   controls:
#     nist_800_53_r5: [SI-2, RA-5]
#     mitre_attack_containers: [T1068]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, gpu]
#   covers:
#     v1/Node:
#       catalog: [K8S-GPU-002]
#       fix:
#         manifest: "spec.driver.version of the ClusterPolicy: a version with the fixes; then drain and restart the node."
package policies.ai.gpu_node_driver_patched

import rego.v1

scope contains node.id if {
	some node in input.resources.node
	node.nvidia_gpu == true
}

wanted(old) := sprintf("%s or later", [old.fixed]) if old.fixed != ""

wanted(old) := "a branch that is maintained" if old.fixed == ""

waiting(asked, version) := "" if asked in {"", version}

waiting(asked, version) := sprintf("; its operator was told to install %s", [asked]) if {
	asked != ""
	asked != version
}

fail contains {
	"id": node.id, "fact": "driver_outdated", "expected": expected, "actual": old.version,
	"message": sprintf("it runs driver %s, which lacks security fixes%s", [old.version, rest]),
} if {
	some node in input.resources.node
	node.id in scope
	some old in node.driver_outdated
	expected := wanted(old)
	rest := waiting(node.driver_asked, old.version)
}
