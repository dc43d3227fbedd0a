# METADATA
# title: Tags of images cannot be moved
# description: >-
#   Who can move `:latest` swaps the code that the next training job runs. Tags that may move are let through where every
#   pattern starts as one of `movable` does: build caches and development. A repository that fills itself from another
#   registry has to follow its tags and is not judged, and neither are public repositories. Images that are pulled by
#   digest do not care: that is another rule's business.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECR/latest/userguide/image-tag-mutability.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type, upstream]
#   fail_on: [tag_mutability, tag_exceptions]
#   params:
#     movable: [cache, buildcache, dev, test, tmp, pr-, ci-, feature]
#   controls:
#     nist_800_53_r5: [CA-9(1), CM-2, CM-8(1)]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC7.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0010.004]
#   covers:
#     AWS::ECR::Repository:
#       catalog: [AWS-DATA-005]
#       controls:
#         aws_fsbp: [ECR.2]
#       fix:
#         cli: aws ecr put-image-tag-mutability --repository-name NAME --image-tag-mutability IMMUTABLE
#         terraform: image_tag_mutability = "IMMUTABLE"
package policies.integrity.image_tags_immutable

import rego.v1

movable := input.params["integrity.image_tags_immutable"].movable

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "registry"
	store.upstream == ""
}

fail contains {"id": store.id, "fact": "tag_mutability", "expected": "immutable", "message": "its tags can be moved to another image"} if {
	some store in input.resources.data_store
	store.id in scope
	store.tag_mutability in {"mutable", "mutable_except"}
}

fail contains {
	"id": store.id, "fact": "tag_exceptions", "expected": movable,
	"actual": wide,
	"message": sprintf("tags like %s can be moved to another image", [concat(", ", wide)]),
} if {
	some store in input.resources.data_store
	store.id in scope
	store.tag_mutability == "immutable_except"
	allowed := {pattern | some pattern in store.tag_exceptions; some start in movable; startswith(pattern, start)}
	wide := [pattern | some pattern in store.tag_exceptions; count({pattern} & allowed) == 0]
	count(wide) > 0
}

safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	store.tag_mutability == "immutable"
}
