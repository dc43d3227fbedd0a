# METADATA
# title: Access entries make only the platform's own identities cluster administrators
# description: >-
#   A cluster administrator reads the secrets of every tenant and every training job. An access entry fails that has
#   AmazonEKSClusterAdminPolicy over the whole cluster, or over every namespace, and whose role or user is not in `admins`
#   (names or ARNs). The identity that made the cluster gets such an entry too, unless it is told not to. Other access
#   policies, Kubernetes groups of entries and their bindings, and what the `aws-auth` ConfigMap says are not judged; for
#   clusters that have no entries see `iam.cluster_auth_mode`.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html
#   - https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html
# custom:
#   severity: high
#   kind: grant
#   scope_on: []
#   fail_on: [principal, access_policies]
#   params:
#     admins: []
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::EKS::AccessEntry:
#       catalog: [AWS-IAM-018]
#       fix:
#         cli: >-
#           aws eks disassociate-access-policy --cluster-name CLUSTER --principal-arn ARN --policy-arn
#           arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy, then associate-access-policy with AmazonEKSAdminPolicy
#           or AmazonEKSEditPolicy and --access-scope type=namespace,namespaces=NAMESPACE
#         terraform: aws_eks_access_policy_association with AmazonEKSEditPolicy and access_scope { type = "namespace" }
package policies.iam.cluster_admin_entries

import rego.v1

admins := input.params["iam.cluster_admin_entries"].admins

scope contains grant.id if some grant in input.resources.grant

fail contains {
	"id": grant.id, "fact": "access_policies", "expected": "a policy of some namespaces", "actual": entry,
	"message": sprintf("%s is administrator of the whole cluster", [grant.principal]),
} if {
	some grant in input.resources.grant
	some entry in grant.access_policies
	entry.policy == "AmazonEKSClusterAdminPolicy"
	entry.cluster_wide == true
}

exempt contains {"id": grant.id, "reason": "one of the platform's own administrators (admins)"} if {
	some grant in input.resources.grant
	some name in admins
	name in {grant.principal, last(grant.principal)}
}

last(arn) := parts[count(parts) - 1] if parts := split(arn, "/")
