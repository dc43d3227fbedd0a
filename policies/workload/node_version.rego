# METADATA
# title: Nodes run versions that are still mended
# description: >-
#   What is known of an old kubelet or container runtime is known to everyone. A kubelet may be at most three minor
#   versions older than the API server, and never newer. containerd is measured by the lowest release of its branch
#   without known holes; other runtimes, kernels and patch releases of Kubernetes are not judged. Dates are data
#   that is shipped, of the day that a finding names, which also says where they are more than half a year old; what
#   is newer than them is unknown. EKS counts until extended support ends; for GKE and AKS the project's dates count
#   until they have passed, then it is unknown.
# related_resources:
#   - https://kubernetes.io/releases/
#   - https://kubernetes.io/releases/version-skew-policy/
#   - https://github.com/containerd/containerd/security/advisories
# custom:
#   severity: medium
#   kind: node
#   scope_on: [serverless]
#   fail_on: [support_ends, support_as_of, kubelet_behind, kubelet_version, runtime_below_floor, runtime_version, runtime_floor]
#   controls:
#     nist_800_53_r5: [SI-2]
#     mitre_attack_containers: [T1068]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, version]
#   covers:
#     v1/Node:
#       catalog: [K8S-NODE-007]
#       fix:
#         console: "Replace the nodes by ones of a supported version."
package policies.workload.node_version

import data.policies.lib.control_plane
import data.policies.lib.moment
import rego.v1

exempt contains {"id": n.id, "reason": "the provider runs the node alone"} if {
	some n in input.resources.node
	n.serverless == true
}

scope contains n.id if {
	some n in input.resources.node
	n.serverless == false
}

fail contains {
	"id": n.id, "fact": "support_ends", "expected": "a supported version",
	"message": sprintf("support of %s ended %d days ago (%s)", [version, days, as_of]),
} if {
	some n in input.resources.node
	n.id in scope
	version := n.kubelet_version
	as_of := control_plane.data_of(n.support_as_of)
	days := moment.days_since(n.support_ends)
	days > 0
}

fail contains {
	"id": n.id, "fact": "kubelet_behind", "expected": "at most 3",
	"message": sprintf("its kubelet is %d minor versions older than the API server", [n.kubelet_behind]),
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_behind > 3
}

fail contains {
	"id": n.id, "fact": "kubelet_behind", "expected": "at least 0",
	"message": "its kubelet is newer than the API server",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_behind < 0
}

fail contains {
	"id": n.id, "fact": "runtime_below_floor", "expected": floor, "actual": version,
	"message": sprintf("%s has known holes (%s)", [version, as_of]),
} if {
	some n in input.resources.node
	n.id in scope
	version := n.runtime_version
	floor := n.runtime_floor
	as_of := control_plane.data_of(n.support_as_of)
	n.runtime_below_floor == true
}
