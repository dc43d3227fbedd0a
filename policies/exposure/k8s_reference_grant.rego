# METADATA
# title: No grant lets another tenant use all Secrets of a namespace
# description: >-
#   A ReferenceGrant for Secrets without a name lets gateways of another namespace present every certificate that lies there. Fails
#   where that namespace is of another tenant; the platform, whose gateways serve everybody, may. A Secret that is named is shared
#   on purpose.
# related_resources:
#   - https://gateway-api.sigs.k8s.io/api-types/referencegrant/
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type]
#   fail_on: [foreign_readers, foreign_readers_settled]
#   controls:
#     nist_800_53_r5: [AC-4]
#     mitre_attack_containers: [T1557]
#     soc2: [CC6.6]
#   tags: [kubernetes, tenancy]
#   covers:
#     gateway.networking.k8s.io/v1beta1/ReferenceGrant:
#       catalog: [K8S-MT-005]
#       fix:
#         manifest: Name the Secret in spec.to, or keep it where its gateway is.
package policies.exposure.k8s_reference_grant

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.endpoint_type == "reference_grant"
}

fail contains {
	"id": e.id, "fact": "foreign_readers", "expected": [], "actual": [reader],
	"message": sprintf("it lets %s of tenant %s use every Secret here", [reader.namespace, reader.tenant]), "tag": reader.namespace,
} if {
	some e in input.resources.endpoint
	e.id in scope
	some reader in e.foreign_readers
}
