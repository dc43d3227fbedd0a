# METADATA
# title: Ray clusters ask for a token
# description: >-
#   Ray runs what its job API is given (CVE-2023-48022): without a token, whoever reaches the head runs code on every GPU.
#   The operator turns tokens on only where authOptions.mode says token: an empty authOptions is no authentication,
#   whatever its documentation says of a default. Ray takes the setting from 2.52.0 on. Suspended clusters are not judged.
# related_resources:
#   - https://docs.ray.io/en/latest/ray-security/token-auth.html
#   - https://docs.ray.io/en/latest/ray-security/index.html
# custom:
#   severity: critical
#   kind: model_service
#   scope_on: [service_type, suspended]
#   fail_on: [auth_mode, version]
#   controls:
#     nist_800_53_r5: [IA-2, AC-3, AC-17]
#     mitre_attack_containers: [T1190, T1609]
#     pci_dss_4: ["8.2.1", "8.6.1"]
#     soc2: [CC6.1, CC6.6]
#   tags: [kubernetes, ray]
#   covers:
#     ray.io/v1/RayCluster: &same
#       catalog: [K8S-AI-001]
#       fix:
#         manifest: "spec.authOptions: {mode: token}, with rayVersion 2.52.0 or later."
#     ray.io/v1/RayJob: *same
#     ray.io/v1/RayService: *same
package policies.ai.ray_token_auth

import rego.v1

scope contains m.id if {
	some m in input.resources.model_service
	m.service_type == "ray"
	m.suspended == false
}

before_tokens(version) if {
	parts := [to_number(p) | some p in split(regex.find_n(`^\d+\.\d+`, version, 1)[0], ".")]
	parts[0] * 1000 + parts[1] < 2052
}

fail contains {"id": m.id, "fact": "auth_mode", "expected": "token", "message": "anyone who reaches it may run code on it"} if {
	some m in input.resources.model_service
	m.id in scope
	m.auth_mode == "none"
}

fail contains {
	"id": m.id, "fact": "version", "expected": "2.52.0 or later",
	"message": sprintf("Ray %s does not know tokens", [m.version]),
} if {
	some m in input.resources.model_service
	m.id in scope
	m.auth_mode == "token"
	before_tokens(m.version)
}
