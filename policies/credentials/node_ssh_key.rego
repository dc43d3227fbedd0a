# METADATA
# title: Accelerator nodes have no SSH key pair
# description: >-
#   One private key file on five hundred GPU nodes never rotates and knows no person. Use Session Manager or EC2 Instance
#   Connect. The name of the pair stays on the node when the pair is deleted, and keys that are baked into an image are
#   not seen. Of node groups it is the pair of their remote access; without security groups of its own (`ssh_open`) that
#   opens SSH to the internet, which does not weigh more here.
# related_resources:
#   - https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-key-pairs.html
#   - https://docs.aws.amazon.com/systems-manager/latest/userguide/session-manager.html
# custom:
#   severity: medium
#   kind: node
#   scope_on: [accelerator]
#   fail_on: [ssh_key]
#   controls:
#     nist_800_53_r5: [AC-17, IA-5]
#     nist_800_171_r2: [3.5.2]
#     iso_27001_2022: [A.5.17]
#     soc2: [CC6.1]
#     pci_dss_4: [8.6.2]
#   covers:
#     AWS::EC2::Instance:
#       catalog: [AWS-CRED-007]
#       fix:
#         terraform: remove key_name (the instance is made anew) and give it the AmazonSSMManagedInstanceCore policy
#         console: Launch the nodes without a key pair
#     AWS::EC2::LaunchTemplate:
#       catalog: [AWS-CRED-007]
#       fix:
#         terraform: remove key_name, and give the nodes the AmazonSSMManagedInstanceCore policy
#         console: Make a version without a key pair, make it the default, and renew the nodes
#     AWS::EKS::Nodegroup:
#       catalog: [AWS-CRED-007]
#       fix:
#         cli: aws eks create-nodegroup without --remote-access, then aws eks delete-nodegroup of the old one
#         terraform: remove remote_access from aws_eks_node_group (the group is made anew)
package policies.credentials.node_ssh_key

import rego.v1

scope contains node.id if {
	some node in input.resources.node
	node.accelerator == true
}

fail contains {
	"id": node.id, "fact": "ssh_key", "expected": "",
	"message": sprintf("was launched with the SSH key pair %s", [node.ssh_key]),
} if {
	some node in input.resources.node
	node.id in scope
	count(node.ssh_key) > 0
}
