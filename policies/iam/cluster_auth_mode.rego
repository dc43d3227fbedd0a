# METADATA
# title: Clusters let people in through access entries
# description: >-
#   Where the mode is CONFIG_MAP, the `aws-auth` ConfigMap inside the cluster alone says which role is whom: no API of AWS
#   shows it, CloudTrail does not record its changes, and the identity that made the cluster stays an administrator that
#   nobody sees. Such a cluster has no access entries for `iam.cluster_admin_entries` to judge. A cluster that reads
#   both passes; what its ConfigMap says the collector of Kubernetes would have to see. Clusters on Outposts are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/setting-up-access-entries.html
#   - https://docs.aws.amazon.com/eks/latest/userguide/migrating-access-entries.html
# custom:
#   severity: high
#   kind: cluster
#   scope_on: [aws.outpost]
#   fail_on: [authentication_mode]
#   controls:
#     nist_800_53_r5: [AC-3, AC-6]
#     nist_800_171_r2: [3.1.5]
#     iso_27001_2022: [A.8.2]
#     soc2: [CC6.3]
#     pci_dss_4: [7.2.2]
#   covers:
#     AWS::EKS::Cluster:
#       catalog: [AWS-IAM-018]
#       fix:
#         cli: >-
#           aws eks update-cluster-config --name CLUSTER --access-config authenticationMode=API_AND_CONFIG_MAP, move what aws-auth
#           says to access entries, then authenticationMode=API
#         terraform: access_config { authentication_mode = "API" } in aws_eks_cluster
package policies.iam.cluster_auth_mode

import rego.v1

scope contains cluster.id if {
	some cluster in input.resources.cluster
	cluster.aws.outpost == false
}

fail contains {
	"id": cluster.id, "fact": "authentication_mode", "expected": "entries",
	"message": "who gets in stands in a ConfigMap of the cluster alone, out of sight of AWS",
} if {
	some cluster in input.resources.cluster
	cluster.id in scope
	cluster.authentication_mode == "config_map"
}
