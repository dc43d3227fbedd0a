# METADATA
# title: Nodes that must have hardware of their own have it
# description: >-
#   Regulated training may not share a machine with strangers, but only a declared policy makes that binding: a tag such as
#   `Isolation: dedicated` on the node, or `all_accelerators` for every node with accelerators. Dedicated tenancy and bare
#   metal pass, and so do the sizes that fill a whole server, where asking for dedicated tenancy would change nothing;
#   AWS says nowhere which those are, so `sizes` lists them. Without a demand nothing is asked. No operator can log in to
#   machines of the Nitro system; partitions of a GPU within a node are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/dedicated-instance.html
# custom:
#   severity: low
#   kind: node
#   scope_on: [isolation_required, accelerator]
#   fail_on: [tenancy, bare_metal, instance_type]
#   params:
#     all_accelerators: false
#     sizes:
#       - dl1.24xlarge
#       - p3dn.24xlarge
#       - p4d.24xlarge
#       - p4de.24xlarge
#       - p5.48xlarge
#       - p5e.48xlarge
#       - p5en.48xlarge
#       - p6-b200.48xlarge
#       - p6-b300.48xlarge
#       - trn1.32xlarge
#       - trn1n.32xlarge
#       - trn2.48xlarge
#   controls:
#     nist_800_53_r5: [SC-2, SC-39]
#     iso_27001_2022: [A.8.22]
#     soc2: [CC6.1]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-ISO-001]
#       fix:
#         cli: aws ec2 modify-instance-placement --instance-id ID --tenancy dedicated (of an instance that was launched so), or a full size
#         terraform: tenancy = "dedicated", or a .metal or full size
package policies.ai.dedicated_capacity

import rego.v1

params := input.params["ai.dedicated_capacity"]

scope contains node.id if {
	some node in input.resources.node
	node.isolation_required == true
}

scope contains node.id if {
	some node in input.resources.node
	params.all_accelerators == true
	node.accelerator == true
}

exempt contains {"id": node.id, "reason": "no policy demands hardware of its own for it"} if {
	some node in input.resources.node
	params.all_accelerators == false
	node.isolation_required == false
}

fail contains {
	"id": node.id, "fact": "tenancy", "expected": "dedicated",
	"message": "it must have hardware of its own, and shares it with other accounts",
} if {
	some node in input.resources.node
	node.id in scope
	node.tenancy == "default"
	node.bare_metal == false
	size := node.instance_type
	count([full | some full in params.sizes; full == size]) == 0
}

safe contains node.id if {
	some node in input.resources.node
	node.id in scope
	node.tenancy in {"dedicated", "host"}
}

safe contains node.id if {
	some node in input.resources.node
	node.id in scope
	node.bare_metal == true
}

safe contains node.id if {
	some node in input.resources.node
	node.id in scope
	some full in params.sizes
	node.instance_type == full
}
