# METADATA
# title: No debug shell is left in a pod
# description: >-
#   Ephemeral containers (kubectl debug) bypass the review of the template, and cannot be removed from a pod. Those that
#   have ended are let through, and so are pods of kube-system, kube-public and kube-node-lease. Of a pod that a controller
#   owns all else is judged on the controller; of such containers themselves privileges and capabilities are judged as well.
# related_resources:
#   - https://kubernetes.io/docs/concepts/workloads/pods/ephemeral-containers/
# custom:
#   severity: low
#   kind: workload
#   scope_on: [namespace, containers]
#   fail_on: [ephemeral_running]
#   controls:
#     nist_800_53_r5: [CM-7, AU-12]
#     mitre_attack_containers: [T1609]
#     soc2: [CC8.1]
#   tags: [kubernetes, pod]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-POD-021]
#       fix:
#         cli: kubectl delete pod NAME -n NAMESPACE
#     kubernetes/v1/DebuggedPod: *same
package policies.workload.debug_container

import rego.v1

platform := {"kube-system", "kube-public", "kube-node-lease"}

scope contains w.id if {
	some w in input.resources.workload
	count({w.namespace} - platform) > 0
	some c in w.containers
	c.type == "ephemeral"
}

fail contains {
	"id": w.id, "fact": "ephemeral_running", "expected": [], "actual": name,
	"message": sprintf("the ephemeral container %s runs in it", [name]),
} if {
	some w in input.resources.workload
	w.id in scope
	some name in w.ephemeral_running
}
