# METADATA
# title: Targets of load balancers take traffic encrypted
# description: >-
#   What a load balancer decrypts and hands on in clear text can be read inside the network. Groups of HTTP that some
#   listener forwards to fail, and groups of TCP behind a TLS listener, or on one of the usual ports of clear text (80, 8000,
#   8080); other TCP may carry TLS through to the pod, which is not seen. A classic load balancer is judged by its
#   listeners in the same way. Judged whether or not targets are registered.
# related_resources:
#   - https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-target-groups.html
# custom:
#   severity: medium
#   kind: endpoint
#   scope_on: [endpoint_type, protocol]
#   fail_on: [forwards_in_clear]
#   controls:
#     nist_800_53_r5: [AC-4, AC-17(2), IA-5(1), SC-7(4), SC-8, SC-8(1), SC-8(2), SC-12(3), SC-13, SC-23, SC-23(3), SI-7(6)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::ElasticLoadBalancingV2::TargetGroup:
#       catalog: [AWS-TLS-002]
#       controls:
#         aws_fsbp: [ELB.18]
#       fix:
#         console: Create a target group with protocol HTTPS (or TLS), register the targets, and forward to it
#         terraform: protocol = "HTTPS"
#     AWS::ElasticLoadBalancing::LoadBalancer:
#       catalog: [AWS-TLS-002]
#       fix:
#         cli: aws elb create-load-balancer-listeners with Protocol=HTTPS,InstanceProtocol=HTTPS in place of the listener
#         terraform: listener { lb_protocol = "https", instance_protocol = "https" }
package policies.transit.target_plaintext

import rego.v1

scope contains group.id if {
	some group in input.resources.endpoint
	group.endpoint_type == "target_group"
	group.protocol in {"http", "https", "tcp", "tcp_udp", "tls"}
}

# Others of this type have no targets of their own, and are not covered.
scope contains balancer.id if {
	some balancer in input.resources.endpoint
	balancer.endpoint_type == "load_balancer"
}

fail contains {
	"id": group.id, "fact": "forwards_in_clear", "expected": false,
	"message": "takes what clients send in clear text",
} if {
	some group in input.resources.endpoint
	group.id in scope
	group.forwards_in_clear == true
}
