# METADATA
# title: OpenSearch domains take HTTPS only, at TLS 1.2 or later, and encrypt between nodes
# description: >-
#   Queries and answers of vector search carry pieces of documents. The version is that of the policy's family, so that
#   newer policies of a family count as well; that a policy has no forward secrecy is not judged. Encryption between nodes
#   cannot be turned off once it is on. Serverless collections always have all three.
# related_resources:
#   - https://docs.aws.amazon.com/opensearch-service/latest/developerguide/infrastructure-security.html
#   - https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ntn.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type, deleting]
#   fail_on: [tls_required, tls_versions, internal_tls]
#   params:
#     min_version: "1.2"
#   controls:
#     nist_800_53_r5: [
#       AC-4, AC-4(22), AC-24(1), AU-9(3), CA-9, PM-17, SC-7(4), SC-8, SC-8(1), SC-8(2), SC-8(3), SC-8(4), SC-8(5), SC-13,
#       SC-23, SI-1
#     ]
#     nist_800_171_r2: [3.5.10, 3.13.5, 3.13.8]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [2.2.5, 2.2.7, 4.2.1, 4.2.1.1, 8.3.2]
#   covers:
#     AWS::OpenSearchService::Domain:
#       catalog: [AWS-TLS-005]
#       controls:
#         aws_fsbp: [OpenSearch.3, OpenSearch.8]
#       fix:
#         cli: >-
#           aws opensearch update-domain-config --domain-name DOMAIN --domain-endpoint-options
#           EnforceHTTPS=true,TLSSecurityPolicy=Policy-Min-TLS-1-2-PFS-2023-10 --node-to-node-encryption-options Enabled=true
#         terraform: >-
#           domain_endpoint_options with enforce_https = true and tls_security_policy = "Policy-Min-TLS-1-2-PFS-2023-10",
#           node_to_node_encryption with enabled = true
package policies.transit.search_tls

import rego.v1

min_version := input.params["transit.search_tls"].min_version

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "search"
	store.deleting == false
}

fail contains {
	"id": store.id, "fact": "tls_required", "expected": true, "tag": "https",
	"message": "it answers over plain HTTP",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_required == false
}

fail contains {
	"id": store.id, "fact": "tls_versions", "expected": sprintf("TLS %s or later", [min_version]), "tag": "versions",
	"message": sprintf("accepts TLS %s", [concat(", ", sort(below))]),
} if {
	some store in input.resources.data_store
	store.id in scope
	below := {version | some version in store.tls_versions; version < min_version}
	count(below) > 0
}

fail contains {
	"id": store.id, "fact": "internal_tls", "expected": true, "tag": "nodes",
	"message": "its nodes speak with each other in clear",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.internal_tls == false
}
