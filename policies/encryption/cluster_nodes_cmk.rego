# METADATA
# title: HyperPod nodes keep their volumes under a customer-managed key
# description: >-
#   The volumes of training nodes hold shards of the corpus, checkpoints and credentials. Every instance group has a root
#   volume, and may have one more: both need a key of the customer's, which the root volume gets only from a
#   configuration of its own. Local NVMe disks are encrypted by their hardware and are not judged. Clusters that are
#   being deleted or have failed are not collected, and Terraform has no resource for clusters.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterEbsVolumeConfig.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [groups_without_cmk]
#   controls:
#     nist_800_53_r5: [SC-28, SC-28(1)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1]
#   covers:
#     AWS::SageMaker::Cluster:
#       catalog: [AWS-ENC-017]
#       fix:
#         cli: >-
#           aws sagemaker update-cluster … with InstanceStorageConfigs of each group: EbsVolumeConfig {RootVolume: true,
#           VolumeKmsKeyId: KEY_ARN}, and VolumeKmsKeyId for the second volume
#         console: Give each instance group a key for its root volume and for its second volume
package policies.encryption.cluster_nodes_cmk

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "cluster"
}

fail contains {
	"id": service.id, "fact": "groups_without_cmk", "expected": [], "tag": volume, "actual": [volume],
	"message": sprintf("no customer-managed key encrypts the volume %s", [volume]),
} if {
	some service in input.resources.model_service
	service.id in scope
	some volume in service.groups_without_cmk
}
