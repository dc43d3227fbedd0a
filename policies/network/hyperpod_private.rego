# METADATA
# title: HyperPod clusters stand in private subnets of a network of the customer
# description: >-
#   The nodes of a HyperPod cluster train for months, and no listing of machines shows them. Without a network of the
#   customer they live in one of SageMaker's, out of reach of its flow logs, filters and private endpoints. Each instance
#   group is judged by the network in force for it: a group's own comes before the cluster's. A subnet without a route
#   table of its own has the main one of its network. The security groups are judged by the rules about security groups,
#   which know that accelerators stand behind them, and the API of an EKS cluster that orchestrates by the rules about
#   clusters. Clusters that are being deleted or have failed are not collected.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html
#   - https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterInstanceGroupSpecification.html
# custom:
#   severity: critical
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [instance_groups, groups_routed_out]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     nist_800_171_r2: [3.13.1]
#     iso_27001_2022: [A.8.20, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#   covers:
#     AWS::SageMaker::Cluster:
#       catalog: [AWS-NET-021]
#       fix:
#         cli: >-
#           aws sagemaker create-cluster … --vpc-config SecurityGroupIds=GROUP,Subnets=PRIVATE_SUBNET (the cluster is made
#           anew); for one group OverrideVpcConfig
#         console: Make the cluster anew in private subnets of the training network, and deny others by the condition sagemaker:VpcSubnets
package policies.network.hyperpod_private

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "cluster"
}

fail contains {
	"id": service.id, "fact": "instance_groups", "expected": "a network of the customer", "tag": group.name, "actual": [],
	"message": sprintf("the instance group %s stands in no network of the customer", [group.name]),
} if {
	some service in input.resources.model_service
	service.id in scope
	some group in service.instance_groups
	count(group.subnet_ids) == 0
}

fail contains {
	"id": service.id, "fact": "groups_routed_out", "expected": [], "tag": group, "actual": [group],
	"message": sprintf("a subnet of the instance group %s routes to an internet gateway", [group]),
} if {
	some service in input.resources.model_service
	service.id in scope
	some group in service.groups_routed_out
}
