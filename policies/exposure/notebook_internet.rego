# METADATA
# title: Notebooks are in a private network, without root, and with IMDSv2
# description: >-
#   Jupyter with root and open egress is the classic box to carry data out of. Without a subnet of its own, or without
#   saying otherwise, a notebook instance has SageMaker's own way to the internet and gives its users root. Lifecycle
#   scripts always run as root.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/appendix-notebook-and-internet-access.html
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/nbi-root-access.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [direct_internet, root_access, metadata_token_required]
#   controls:
#     nist_800_53_r5: [
#       AC-2(1), AC-3, AC-3(7), AC-3(15), AC-4, AC-4(21), AC-6, AC-6(2), AC-6(10), AC-21, SC-7, SC-7(3), SC-7(4), SC-7(9),
#       SC-7(11), SC-7(16), SC-7(20), SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.20, A.8.21]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.1, 1.4.2, 1.4.4, 1.5.1, 7.2.1, 7.2.2, 7.2.3]
#     mitre_atlas: [AML.T0025]
#   covers:
#     AWS::SageMaker::NotebookInstance:
#       catalog: [AWS-PUB-004]
#       controls:
#         aws_fsbp: [SageMaker.1, SageMaker.2, SageMaker.3]
#       fix:
#         terraform: >-
#           subnet_id, direct_internet_access = "Disabled", root_access = "Disabled",
#           instance_metadata_service_configuration { minimum_instance_metadata_service_version = "2" } (the first two make
#           it anew)
#         console: Make a new notebook instance in a subnet, without internet and root access
package policies.exposure.notebook_internet

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "notebook"
}

fail contains {
	"id": service.id, "fact": "direct_internet", "expected": false,
	"message": "reaches the internet outside the customer's network",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.direct_internet == true
}

fail contains {"id": service.id, "fact": "root_access", "expected": false, "message": "its users are root"} if {
	some service in input.resources.model_service
	service.id in scope
	service.root_access == true
}

fail contains {
	"id": service.id, "fact": "metadata_token_required", "expected": true,
	"message": "its metadata service answers without a session token (IMDSv1)",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.metadata_token_required == false
}
