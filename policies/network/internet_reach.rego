# METADATA
# title: No way from the internet leads to an accelerator node
# description: >-
#   A node that strangers reach is one weak password away from the weights and the data on it.
#   Every link is followed: internet gateway, route table (a longer prefix and a black hole take their part), VPC Block
#   Public Access, network ACL both ways, security group with prefix lists, IPv4 and IPv6 address of any interface; and
#   by a load balancer: who gets to its listener, and whether the load balancer gets to the target. A way that is proven
#   fails, with its path; a link that was not seen is unknown, unless another one is closed. Interfaces are judged at
#   their node. A public block wider than /`widest_v4` (IPv6: /`widest_v6`) counts as the internet: narrower ones are
#   allow lists. Clients are taken to use ports from 1024 up. Stopped nodes are not judged. Load balancers are those of
#   both generations. What CloudFront VPC origins, Global Accelerator and VPC links of API Gateway lead to, node or load
#   balancer, is unknown, since what they let through is not followed; so is a plan's node that is attached to a group
#   outside of the plan. A CDN before a load balancer that lets in nobody else, Verified Access and services of AWS
#   PrivateLink are not looked at, and VPC Block Public Access is taken to be off in a plan that does not set it.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/VPC_Internet_Gateway.html
#   - https://docs.aws.amazon.com/vpc/latest/userguide/nacl-rules.html
# custom:
#   severity: critical
#   kind: node
#   scope_on: [accelerator, runs]
#   fail_on: [internet_ways, internet_ways_known]
#   params:
#     widest_v4: 16
#     widest_v6: 32
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0049]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-NET-006]
#       fix:
#         console: Break the cheapest link of the path, which is mostly the rule of the security group or the public address
#         terraform: associate_public_ip_address = false, or an ingress rule that names a group in place of the CIDR
package policies.network.internet_reach

import data.policies.lib.cidr
import rego.v1

widest := input.params["network.internet_reach"]

scope contains node.id if {
	some node in input.resources.node
	node.accelerator == true
	node.runs == true
}

fail contains {
	"id": node.id, "fact": "internet_ways", "expected": "no way from the internet",
	"tag": tag,
	"actual": way,
	"message": message,
} if {
	some node in input.resources.node
	node.id in scope
	some way in node.internet_ways
	wide := [source | some source in way.sources; cidr.internet(source, widest.widest_v4, widest.widest_v6)]
	count(wide) > 0
	tag := concat(" ", array.concat([way.protocol], way.path))
	message := sprintf("reached from %s on %s: %s", [concat(", ", wide), shown(way), concat(" > ", way.path)])
}

# Proves nothing: where some link was not seen this fact is unknown, and so is a verdict that does not fail.
seen contains node.id if {
	some node in input.resources.node
	node.internet_ways_known == true
}

shown(way) := way.protocol if count(way.ports) == 0

shown(way) := sprintf("%s %s", [way.protocol, concat(", ", way.ports)]) if count(way.ports) > 0
