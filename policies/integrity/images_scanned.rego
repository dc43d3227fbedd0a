# METADATA
# title: Images are scanned for known vulnerabilities
# description: >-
#   CUDA and PyTorch bring deep trees of dependencies with known holes. What counts is what the registry's rules and the
#   repository's own old setting come to together. Enhanced scanning also reads packages of languages; basic scanning
#   passes. Scanners outside the registry are not seen: where one is used, waive this. What a scan has found is not judged.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECR/latest/userguide/image-scanning.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [image_scanning]
#   controls:
#     nist_800_53_r5: [RA-5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC7.1]
#     pci_dss_4: [11.3.1, 11.3.1.2, 11.3.1.3]
#     mitre_atlas: [AML.T0010.001]
#   covers:
#     AWS::ECR::Repository:
#       catalog: [AWS-DATA-006]
#       controls:
#         aws_fsbp: [ECR.1]
#       fix:
#         cli: >-
#           aws ecr put-registry-scanning-configuration --scan-type ENHANCED --rules
#           '[{"scanFrequency": "CONTINUOUS_SCAN", "repositoryFilters": [{"filter": "*", "filterType": "WILDCARD"}]}]'
#         terraform: aws_ecr_registry_scanning_configuration with a rule whose filter matches the repository
package policies.integrity.images_scanned

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "registry"
}

fail contains {"id": store.id, "fact": "image_scanning", "expected": "on_push", "message": "its images are scanned only when somebody asks"} if {
	some store in input.resources.data_store
	store.id in scope
	store.image_scanning == "manual"
}
