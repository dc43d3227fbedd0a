# METADATA
# title: Kubernetes secrets are envelope-encrypted with a customer-managed key
# description: >-
#   Secrets of a cluster hold the registry, tracking and cloud tokens of training pods. From Kubernetes 1.28 EKS
#   envelope-encrypts all API data with a key that AWS owns, so they are never in clear; what is missing where this
#   fails is a key that the customer can watch and take away. Turning it on cannot be undone. Local clusters on
#   Outposts, which take no key, are not judged; clusters are judged in whatever state they are.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/envelope-encryption.html
# custom:
#   severity: high
#   kind: cluster
#   scope_on: [aws.outpost]
#   fail_on: [key_manager]
#   controls:
#     nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::EKS::Cluster:
#       catalog: [AWS-ENC-021]
#       controls:
#         aws_fsbp: [EKS.3]
#       fix:
#         cli: >-
#           aws eks associate-encryption-config --cluster-name CLUSTER --encryption-config '[{"resources": ["secrets"],
#           "provider": {"keyArn": "KEY_ARN"}}]'
#         terraform: "encryption_config { resources = [\"secrets\"], provider { key_arn = aws_kms_key.NAME.arn } }"
package policies.encryption.cluster_secrets_cmk

import rego.v1

scope contains cluster.id if {
	some cluster in input.resources.cluster
	cluster.aws.outpost == false
}

fail contains {"id": cluster.id, "fact": "key_manager", "expected": "customer", "message": "no customer-managed key encrypts its secrets"} if {
	some cluster in input.resources.cluster
	cluster.id in scope
	cluster.key_manager in {"none", "provider"}
}
