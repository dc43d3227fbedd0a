# METADATA
# title: Listeners accept no TLS version below the minimum
# description: >-
#   A model endpoint that still speaks TLS 1.0 or 1.1 lets an attacker on the path choose the weakest cipher. Versions
#   come from what the service says its policy accepts, never from the policy's name; a listener without a policy has the
#   service's default, which accepts TLS 1.0. A classic load balancer is judged by all its listeners together. Set `min_version` to 1.3 where every client is yours. Listeners that pass
#   TCP through are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [endpoint_type, tls]
#   fail_on: [tls_versions]
#   params:
#     min_version: "1.2"
#   controls:
#     nist_800_53_r5: [SC-8(1), SC-23(5)]
#     nist_800_171_r2: [3.5.10]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::ElasticLoadBalancingV2::Listener:
#       catalog: [AWS-TLS-001]
#       controls:
#         aws_fsbp: [ELB.17]
#       fix:
#         cli: aws elbv2 modify-listener --listener-arn ARN --ssl-policy ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09
#         terraform: "ssl_policy = \"ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09\""
#     AWS::ElasticLoadBalancing::LoadBalancer:
#       catalog: [AWS-TLS-001]
#       controls:
#         aws_fsbp: [ELB.8]
#       fix:
#         cli: >-
#           aws elb create-load-balancer-policy --load-balancer-name NAME --policy-name tls --policy-type-name
#           SSLNegotiationPolicyType --policy-attributes
#           AttributeName=Reference-Security-Policy,AttributeValue=ELBSecurityPolicy-TLS-1-2-2017-01, then aws elb
#           set-load-balancer-policies-of-listener
#         terraform: aws_lb_ssl_negotiation_policy with Reference-Security-Policy = ELBSecurityPolicy-TLS-1-2-2017-01
package policies.transit.listener_tls_version

import rego.v1

min_version := input.params["transit.listener_tls_version"].min_version

# Oldest first; a version that is not here is newer than all of them.
older := {"ssl3", "1.0", "1.1", "1.2", "1.3"}

weak(version) if version == "ssl3"

weak(version) if {
	version in older
	version < min_version
}

scope contains endpoint.id if {
	some endpoint in input.resources.endpoint
	endpoint.endpoint_type in {"listener", "load_balancer"}
	endpoint.tls == true
}

fail contains {
	"id": endpoint.id, "fact": "tls_versions", "expected": sprintf("TLS %s or later", [min_version]),
	"message": sprintf("accepts %s", [concat(", ", [shown(version) | some version in sort(below)])]),
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	below := {version | some version in endpoint.tls_versions; weak(version)}
	count(below) > 0
}

shown(version) := "SSL 3.0" if version == "ssl3"

shown(version) := sprintf("TLS %s", [version]) if version in {"1.0", "1.1", "1.2", "1.3"}
