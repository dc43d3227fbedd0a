# METADATA
# title: SageMaker domains reach the internet through no door but the customer's network
# description: >-
#   By default the apps of a domain (Studio, notebooks, spaces) have SageMaker's own way to the internet, past every
#   filter and log of the customer. In the mode VpcOnly all traffic takes the domain's subnets, which must not route to an
#   internet gateway either; one without a route table of its own has the main one of its network. A domain that Unified
#   Studio manages has the settings of its owner and is not applicable. Domains that are being deleted or have failed are
#   not collected.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/studio-notebooks-and-internet-access.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type, managed_by]
#   fail_on: [direct_internet, internet_route]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     nist_800_171_r2: [3.13.1]
#     iso_27001_2022: [A.8.20, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0025]
#   covers:
#     AWS::SageMaker::Domain:
#       catalog: [AWS-NET-022]
#       fix:
#         cli: aws sagemaker update-domain --domain-id ID --app-network-access-type VpcOnly
#         terraform: app_network_access_type = "VpcOnly", and subnet_ids of private subnets
package policies.network.studio_vpc_only

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "domain"
	service.managed_by == ""
}

fail contains {
	"id": service.id, "fact": "direct_internet", "expected": false,
	"message": "its apps reach the internet past the customer's network",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.direct_internet == true
}

fail contains {
	"id": service.id, "fact": "internet_route", "expected": false,
	"message": "a subnet of its apps routes to an internet gateway",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.direct_internet == false
	service.internet_route == true
}
