# METADATA
# title: The API server runs a version that is still mended
# description: >-
#   What is known of an old control plane is known to everyone. Dates are data that is shipped, of the day that a
#   finding names, which also says where they are more than half a year old; what is newer than them is unknown. EKS
#   counts until extended support ends; for GKE and AKS the project's dates count until they have passed, then it is
#   unknown. Patch releases are not judged.
# related_resources:
#   - https://kubernetes.io/releases/
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: []
#   fail_on: [support_ends, support_as_of, version]
#   controls:
#     nist_800_53_r5: [SI-2]
#     mitre_attack_containers: [T1068]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, version]
#   covers:
#     kubernetes/v1/Cluster:
#       catalog: [K8S-NODE-007]
#       fix:
#         console: "Upgrade the control plane, one minor version at a time."
package policies.workload.cluster_version

import data.policies.lib.control_plane
import data.policies.lib.moment
import rego.v1

scope contains c.id if some c in input.resources.cluster

fail contains {
	"id": c.id, "fact": "support_ends", "expected": "a supported version",
	"message": sprintf("support of %s ended %d days ago (%s)", [version, days, as_of]),
} if {
	some c in input.resources.cluster
	c.id in scope
	version := c.version
	as_of := control_plane.data_of(c.support_as_of)
	days := moment.days_since(c.support_ends)
	days > 0
}
