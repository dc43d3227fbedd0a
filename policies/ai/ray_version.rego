# METADATA
# title: Ray is not of a version that runs what a browser sends it
# description: >-
#   Before 2.52.0 a web page that a developer opens may run code on his cluster (CVE-2025-62593). The tag of a Ray
#   image tells the version; rayVersion only says what somebody believed it to be, and is taken where the image does
#   not tell: then confidence is low, and the finding says so. Floors are dated data.
# related_resources:
#   - https://nvd.nist.gov/vuln/detail/CVE-2025-62593
#   - https://docs.ray.io/en/latest/ray-security/index.html
# custom:
#   severity: critical
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [advisories, advisories_settled]
#   controls:
#     nist_800_53_r5: [SI-2, RA-5]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, ray]
#   covers:
#     ray.io/v1/RayCluster: &same
#       catalog: [K8S-AI-002]
#       fix:
#         manifest: "An image of Ray 2.52.0 or later, and rayVersion to match."
#     ray.io/v1/RayJob: *same
#     ray.io/v1/RayService: *same
package policies.ai.ray_version

import rego.v1

scope contains m.id if {
	some m in input.resources.model_service
	m.service_type == "ray"
}

words := {"image": "by its image", "rayVersion": "by its rayVersion, which its image may belie"}

fail contains {
	"id": m.id, "fact": "advisories", "expected": sprintf("%s or later", [a.fixed]), "actual": a.version,
	"message": sprintf("Ray %s (%s) has %s", [a.version, words[a.told_by], concat(", ", a.ids)]),
} if {
	some m in input.resources.model_service
	m.id in scope
	some a in m.advisories
}
