# METADATA
# title: Roles of container nodes reach no data, models or secrets
# description: >-
#   Whatever a pod does that reaches the metadata service of its node, it does as the node. A node needs to join its
#   cluster, pull images and send logs; give pods roles of their own (Pod Identity, IRSA). A role is a node's where an EKS
#   node group or cluster names it, or where an instance that an orchestrator of containers tagged (EKS, Karpenter, ECS,
#   Batch) has it. The roles of other instances, such as nodes of Slurm that act for one tenant, are not judged. What counts is
#   what the policies allow, on any resource and under any condition, not what they are called; of AWS's own policies for
#   nodes what they read of Systems Manager does not. List actions that nodes may have in `allowed`. That the policy for
#   the network plug-in should move to a role of its own is not judged.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html
#   - https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html
# custom:
#   severity: high
#   kind: identity
#   scope_on: [node_role]
#   fail_on: [data_actions]
#   params:
#     allowed: []
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.5.15, A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#     mitre_atlas: [AML.T0055]
#   covers:
#     AWS::IAM::Role:
#       catalog: [AWS-IAM-011]
#       fix:
#         cli: >-
#           aws iam detach-role-policy --role-name ROLE --policy-arn ARN, and give the pods that need it a role with aws eks
#           create-pod-identity-association
#         terraform: aws_eks_pod_identity_association, and no aws_iam_role_policy_attachment beyond the node's own
package policies.iam.node_role_data_access

import rego.v1

allowed := input.params["iam.node_role_data_access"].allowed

scope contains identity.id if {
	some identity in input.resources.identity
	identity.node_role == true
}

fail contains {
	"id": identity.id, "fact": "data_actions", "expected": [], "actual": sort(found),
	"message": sprintf("every pod of its nodes may do %s", [concat(", ", sort(found))]),
} if {
	some identity in input.resources.identity
	identity.id in scope
	found := {action | some action in identity.data_actions} - {action | some action in allowed}
	count(found) > 0
}
