# METADATA
# title: Domain names of APIs accept no TLS version below the minimum
# description: >-
#   A model behind an API of one's own domain name is asked by whatever client there is. The security policy says which
#   versions it accepts: `TLS_1_0` takes 1.0. Names of REST, HTTP and WebSocket APIs are judged; HTTP APIs cannot go
#   higher than `TLS_1_2`, so set `min_version` to 1.3 only where none is mapped. The default address of an API
#   (execute-api) has no policy of its own to choose and is not judged.
# related_resources:
#   - https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-custom-domain-tls-version.html
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type]
#   fail_on: [tls_versions]
#   params:
#     min_version: "1.2"
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-13, SC-23]
#     nist_800_171_r2: [3.13.8]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::ApiGateway::DomainName:
#       catalog: [AWS-TLS-004]
#       fix:
#         cli: >-
#           aws apigateway update-domain-name --domain-name NAME --patch-operations
#           op=replace,path=/securityPolicy,value=TLS_1_2
#         terraform: security_policy = "TLS_1_2", or a SecurityPolicy_TLS13_… policy
package policies.transit.domain_tls

import rego.v1

min_version := input.params["transit.domain_tls"].min_version

scope contains endpoint.id if {
	some endpoint in input.resources.endpoint
	endpoint.endpoint_type == "domain"
}

fail contains {
	"id": endpoint.id, "fact": "tls_versions", "expected": sprintf("TLS %s or later", [min_version]),
	"message": sprintf("accepts TLS %s", [concat(", ", sort(below))]),
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	below := {version | some version in endpoint.tls_versions; version < min_version}
	count(below) > 0
}
