package policies.integrity.service_image_sources_test

import data.policies.integrity.service_image_sources
import rego.v1

image(source, digest) := {"image": "host/train", "source": source, "digest": digest}

world(images, params) := {
	"resources": {"model_service": [{"id": "r", "image_sources": images}]},
	"params": {"integrity.service_image_sources": object.union({"trusted": [], "digests": true}, params)},
}

strange := {
	"id": "r", "fact": "image_sources", "expected": "a trusted registry", "tag": "source host/train",
	"message": "runs host/train, of a registry that is not trusted",
}

test_registry_fails if {
	every source in ["public", "foreign"] {
		service_image_sources.fail == {object.union(strange, {"actual": [image(source, true)]})} with input as world([image(source, true)], {})
	}
}

test_tag_fails if {
	service_image_sources.fail == {{
		"id": "r", "fact": "image_sources", "expected": "an image pinned by digest", "tag": "digest host/train",
		"actual": [image("own", false)], "message": "runs host/train by its tag, which can be moved",
	}} with input as world([image("own", false)], {})
	service_image_sources.fail == set() with input as world([image("own", false)], {"digests": false})
}

test_passes if {
	every images in [[], [image("own", true)], [image("provider", true)]] {
		service_image_sources.scope == {"r"} with input as world(images, {})
		service_image_sources.fail == set() with input as world(images, {})
	}
	service_image_sources.fail == set() with input as world([image("public", true)], {"trusted": ["host/"]})
}

test_out_of_scope if {
	service_image_sources.scope == set() with input as {"resources": {"model_service": []}}
}

test_blind_proves_nothing if {
	service_image_sources.fail == set() with input as {
		"resources": {"model_service": [{"id": "r"}]},
		"params": {"integrity.service_image_sources": {"trusted": [], "digests": true}},
	}
}
