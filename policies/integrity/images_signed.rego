# METADATA
# title: Images are signed
# description: >-
#   A signature says who built the training code. A repository passes where a rule of the registry signs what is pushed,
#   or where its newest image carries a signature (Notation or cosign, as a referrer or a tag of its own). Older images
#   and the signer's identity are not checked, and a signature that nobody verifies before running proves little: pair
#   this with an admission policy. Where images are verified by other means, waive it. Empty repositories are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECR/latest/userguide/managed-signing.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type, image_signing]
#   fail_on: [image_signing]
#   controls:
#     nist_800_53_r5: [CM-14, SI-7, SR-4]
#     iso_27001_2022: [A.5.21, A.8.19]
#     soc2: [CC7.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0010.004]
#   covers:
#     AWS::ECR::Repository:
#       catalog: [AWS-DATA-007]
#       fix:
#         cli: aws ecr put-signing-configuration with a rule that matches the repository and names an AWS Signer Notation profile
#         console: Add a signing rule to the private registry's settings
package policies.integrity.images_signed

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "registry"
	store.image_signing in {"rule", "image", "none"}
}

fail contains {"id": store.id, "fact": "image_signing", "expected": "rule", "message": "no rule signs its images, and the newest one carries no signature"} if {
	some store in input.resources.data_store
	store.id in scope
	store.image_signing == "none"
}
