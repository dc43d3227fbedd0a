# METADATA
# title: Distributions speak HTTPS only, with viewers and with origins, at TLS 1.2 or later
# description: >-
#   Prompts and completions of the products in front of a model pass through the edge. A behaviour that allows plain HTTP,
#   a security policy below `min_version` or with ciphers without forward secrecy or authenticated encryption, and an
#   origin asked over plain HTTP or an old version each fail. With the certificate of cloudfront.net the policy is TLSv1,
#   whatever is asked for. An origin that follows the viewer's protocol is clear only where viewers may be. How VPC origins
#   are asked is not seen, nor that a distribution with a certificate of its own still answers at its cloudfront.net name.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/secure-connections-supported-viewer-protocols-ciphers.html
#   - https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-https.html
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type, enabled]
#   fail_on: [clear_paths, tls_versions, tls_weak_ciphers, clear_origins, origin_tls_versions]
#   params:
#     min_version: "1.2"
#   controls:
#     nist_800_53_r5: [
#       AC-4, AC-17(2), IA-5(1), SC-7(4), SC-8, SC-8(1), SC-8(2), SC-12(3), SC-13, SC-23, SC-23(3), SI-7(6)
#     ]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [2.2.5, 2.2.7, 4.2.1, 4.2.1.1, 8.3.2]
#   covers:
#     AWS::CloudFront::Distribution:
#       catalog: [AWS-TLS-003]
#       controls:
#         aws_fsbp: [CloudFront.3, CloudFront.10, CloudFront.15]
#       fix:
#         cli: >-
#           aws cloudfront update-distribution with ViewerProtocolPolicy https-only, MinimumProtocolVersion TLSv1.2_2021 and,
#           for each origin, OriginProtocolPolicy https-only and OriginSslProtocols TLSv1.2
#         terraform: >-
#           viewer_protocol_policy = "https-only" in every behaviour, minimum_protocol_version = "TLSv1.2_2021" (or
#           "TLSv1.3_2025"), origin_protocol_policy = "https-only", origin_ssl_protocols = ["TLSv1.2"]
package policies.transit.distribution_tls

import rego.v1

min_version := input.params["transit.distribution_tls"].min_version

older := {"1.0", "1.1", "1.2", "1.3"}

weak(version) if version == "ssl3"

weak(version) if {
	version in older
	version < min_version
}

scope contains endpoint.id if {
	some endpoint in input.resources.endpoint
	endpoint.endpoint_type == "distribution"
	endpoint.enabled == true
}

fail contains {
	"id": endpoint.id, "fact": "clear_paths", "expected": [], "tag": "paths",
	"message": sprintf("answers over plain HTTP at %s", [concat(", ", sort(endpoint.clear_paths))]),
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	count(endpoint.clear_paths) > 0
}

fail contains {
	"id": endpoint.id, "fact": "tls_versions", "expected": sprintf("TLS %s or later", [min_version]), "tag": "versions",
	"message": sprintf("accepts TLS versions below %s: %s", [min_version, concat(", ", sort(below))]),
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	below := {version | some version in endpoint.tls_versions; weak(version)}
	count(below) > 0
}

fail contains {
	"id": endpoint.id, "fact": "tls_weak_ciphers", "expected": [], "tag": "ciphers",
	"message": sprintf("accepts %d weak ciphers", [count(endpoint.tls_weak_ciphers)]),
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	count(endpoint.tls_weak_ciphers) > 0
}

fail contains {
	"id": endpoint.id, "fact": "clear_origins", "expected": [], "tag": "origins",
	"message": sprintf("asks its origins over plain HTTP: %s", [concat(", ", sort(endpoint.clear_origins))]),
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	count(endpoint.clear_origins) > 0
}

fail contains {
	"id": endpoint.id, "fact": "origin_tls_versions", "expected": sprintf("TLS %s or later", [min_version]),
	"tag": "origin-versions",
	"message": sprintf("speaks TLS versions below %s with its origins: %s", [min_version, concat(", ", sort(below))]),
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	below := {version | some version in endpoint.origin_tls_versions; weak(version)}
	count(below) > 0
}
