# METADATA
# title: Unprivileged containers do not choose GPUs by a variable
# description: >-
#   In legacy mode NVIDIA_VISIBLE_DEVICES=all in any image yields every GPU of the node, whatever was asked of the scheduler. Refused
#   by the variable of the toolkit, or by CDI unless the NVIDIA runtime is made the default one all the same. A pod that names the
#   runtime class of the operator's own containers is not judged, nor what the nodes' own config.toml says: unknown.
# related_resources:
#   - https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/controllers/object_controls.go
#   - https://bottlerocket.dev/en/os/1.54.x/api/settings/nvidia-container-runtime
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/cdi.html
# custom:
#   severity: high
#   kind: operator
#   scope_on: []
#   fail_on: [env_selection]
#   controls:
#     nist_800_53_r5: [AC-3, SC-4]
#     mitre_attack_containers: [T1611]
#     pci_dss_4: ["7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, gpu]
#   covers:
#     nvidia.com/v1/ClusterPolicy:
#       catalog: [K8S-GPU-007]
#       fix:
#         manifest: >-
#           spec.cdi.enabled: true; or in spec.toolkit.env ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED "false" and
#           ACCEPT_NVIDIA_VISIBLE_DEVICES_AS_VOLUME_MOUNTS "true", in spec.devicePlugin.env DEVICE_LIST_STRATEGY volume-mounts.
package policies.ai.gpu_env_selection

import rego.v1

scope contains o.id if {
	some o in input.resources.operator
}

fail contains {
	"id": o.id, "fact": "env_selection", "expected": false,
	"message": "any container gets every GPU of its node that it names in NVIDIA_VISIBLE_DEVICES",
} if {
	some o in input.resources.operator
	o.id in scope
	o.env_selection == true
}
