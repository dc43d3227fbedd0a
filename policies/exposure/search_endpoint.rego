# METADATA
# title: OpenSearch domains stand in a network of their own account
# description: >-
#   A domain outside every network answers the whole internet; its policy and its users are then all that keeps documents
#   in. Where these keep nobody out, a graver finding says so. A domain cannot move into a network: it is made anew.
# related_resources:
#   - https://docs.aws.amazon.com/opensearch-service/latest/developerguide/vpc.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [deleting]
#   fail_on: [internet_parts]
#   controls:
#     nist_800_53_r5: [AC-3, AC-4, SC-7]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#     mitre_atlas: [AML.T0085.000]
#   covers:
#     AWS::OpenSearchService::Domain:
#       catalog: [AWS-PUB-008]
#       controls:
#         aws_fsbp: [OpenSearch.2]
#       fix:
#         cli: aws opensearch create-domain … --vpc-options SubnetIds=…,SecurityGroupIds=…, then move the data there
#         terraform: vpc_options with subnet_ids and security_group_ids (the domain is made anew)
package policies.exposure.search_endpoint

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.deleting == false
}

fail contains {
	"id": store.id, "fact": "internet_parts", "expected": [],
	"message": "it stands in no network and answers on the internet",
} if {
	some store in input.resources.data_store
	store.id in scope
	"domain" in store.internet_parts
}
