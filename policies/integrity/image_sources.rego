# METADATA
# title: Tasks run images of trusted registries, pinned by digest
# description: >-
#   An image of a public registry is code of strangers, and a tag is a promise that its owner can break, also for the
#   provider's own Deep Learning Containers. Trusted are registries of the own account (with what they cache), those
#   from which AWS serves its machine learning images, and images that start with one of `trusted`: name the registries
#   of your other accounts there. Judged is the latest active revision of each family of task definitions. What an image loads when it runs is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache.html
#   - https://docs.aws.amazon.com/sagemaker/latest/dg-ecr-paths/sagemaker-algo-docker-registry-paths.html
# custom:
#   severity: medium
#   kind: workload
#   scope_on: []
#   fail_on: [image_sources]
#   params:
#     trusted: []
#     digests: true
#   controls:
#     nist_800_53_r5: [CM-7(5), SI-7, SR-3, SR-4]
#     iso_27001_2022: [A.5.21, A.8.19]
#     soc2: [CC7.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0010.001, AML.T0010.004, AML.T0010.003]
#   covers:
#     AWS::ECS::TaskDefinition:
#       catalog: [AWS-DATA-008]
#       fix:
#         cli: aws ecr create-pull-through-cache-rule for the upstream, then register the task with IMAGE@sha256:DIGEST
#         terraform: image = "${aws_ecr_repository.NAME.repository_url}@sha256:DIGEST" in the container
package policies.integrity.image_sources

import data.policies.lib.images
import rego.v1

params := input.params["integrity.image_sources"]

scope contains r.id if some r in input.resources.workload

fail contains {
	"id": r.id, "fact": "image_sources", "expected": "a trusted registry",
	"actual": [image], "tag": tag,
	"message": sprintf("runs %s, of a registry that is not trusted", [image.image]),
} if {
	some r in input.resources.workload
	r.id in scope
	some image in r.image_sources
	images.strange(image, params.trusted)
	tag := sprintf("source %s", [image.image])
}

fail contains {
	"id": r.id, "fact": "image_sources", "expected": "an image pinned by digest",
	"actual": [image], "tag": tag,
	"message": sprintf("runs %s by its tag, which can be moved", [image.image]),
} if {
	params.digests == true
	some r in input.resources.workload
	r.id in scope
	some image in r.image_sources
	image.digest == false
	tag := sprintf("digest %s", [image.image])
}
