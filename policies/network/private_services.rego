# METADATA
# title: Networks with accelerators reach the services they use privately
# description: >-
#   Nodes without an internet route must still pull images, take credentials, use keys and write logs. `services` lists
#   what your nodes use, by short name; a service counts where an endpoint for it is in the network, with private DNS
#   where it is an interface endpoint. Networks that use the endpoints of a shared network (by a transit gateway and
#   private hosted zones) fail here: waive them. Networks that train or serve by their tags, or by managed services
#   in them (SageMaker, HyperPod), are judged as those with nodes are.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/privatelink/privatelink-access-aws-services.html
# custom:
#   severity: medium
#   kind: network
#   scope_on: [has_accelerators, ai_role]
#   fail_on: [private_services]
#   params:
#     services: [ecr.api, ecr.dkr, kms, logs, sts]
#   controls:
#     nist_800_53_r5: [
#       AC-3, AC-3(7), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(11), SC-7(16), SC-7(20), SC-7(21)
#     ]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.1, 1.4.2, 1.4.4, 1.5.1]
#   covers:
#     AWS::EC2::VPC:
#       catalog: [AWS-NET-012]
#       controls:
#         aws_fsbp: [EC2.55, EC2.56]
#       fix:
#         cli: >-
#           aws ec2 create-vpc-endpoint --vpc-endpoint-type Interface --service-name com.amazonaws.REGION.SERVICE --vpc-id
#           VPC --subnet-ids SUBNETS --private-dns-enabled
#         terraform: "aws_vpc_endpoint with vpc_endpoint_type = \"Interface\" and private_dns_enabled = true"
package policies.network.private_services

import rego.v1

services := {service | some service in input.params["network.private_services"].services}

scope contains network.id if {
	some network in input.resources.network
	network.has_accelerators == true
}

scope contains network.id if {
	some network in input.resources.network
	network.ai_role in {"training", "inference"}
}

fail contains {
	"id": network.id, "fact": "private_services", "expected": sort(services),
	"message": sprintf("has no private endpoint for %s", [concat(", ", sort(missing))]),
} if {
	some network in input.resources.network
	network.id in scope
	found := network.private_services
	missing := services - {service | some service in found}
	count(missing) > 0
}
