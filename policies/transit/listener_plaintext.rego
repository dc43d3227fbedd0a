# METADATA
# title: Listeners serve nothing in clear text
# description: >-
#   Prompts and answers in clear text can be read on the way, inside the network as well. An HTTP listener that only
#   redirects to HTTPS passes; a classic load balancer cannot redirect. TCP listeners may carry TLS through to the pod and
#   are not judged; what they forward to is, by `transit.target_plaintext`.
# related_resources:
#   - https://docs.aws.amazon.com/elasticloadbalancing/latest/application/create-https-listener.html
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [endpoint_type, protocol]
#   fail_on: [redirects_to_tls]
#   controls:
#     nist_800_53_r5: [AC-4, AC-17(2), IA-5(1), SC-7(4), SC-8, SC-8(1), SC-8(2), SC-12(3), SC-13, SC-23, SC-23(3), SI-7(6)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::ElasticLoadBalancingV2::Listener:
#       catalog: [AWS-TLS-002]
#       controls:
#         aws_fsbp: [ELB.1, ELB.18]
#       fix:
#         cli: >-
#           aws elbv2 modify-listener --listener-arn ARN --default-actions
#           'Type=redirect,RedirectConfig={Protocol=HTTPS,Port=443,StatusCode=HTTP_301}'
#         terraform: >-
#           default_action { type = "redirect", redirect { protocol = "HTTPS", port = "443", status_code = "HTTP_301" } }
#     AWS::ElasticLoadBalancing::LoadBalancer:
#       catalog: [AWS-TLS-002]
#       controls:
#         aws_fsbp: [ELB.3]
#       fix:
#         cli: >-
#           aws elb delete-load-balancer-listeners --load-balancer-name NAME --load-balancer-ports PORT, and aws elb
#           create-load-balancer-listeners with Protocol=HTTPS
#         terraform: listener { lb_protocol = "https", instance_protocol = "https" }
package policies.transit.listener_plaintext

import rego.v1

scope contains endpoint.id if {
	some endpoint in input.resources.endpoint
	endpoint.endpoint_type in {"listener", "load_balancer"}
	endpoint.protocol == "http"
}

fail contains {
	"id": endpoint.id, "fact": "redirects_to_tls", "expected": true,
	"message": "answers in clear text (HTTP) and does not redirect to HTTPS",
} if {
	some endpoint in input.resources.endpoint
	endpoint.id in scope
	endpoint.redirects_to_tls == false
}
