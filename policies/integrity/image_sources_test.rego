package policies.integrity.image_sources_test

import data.policies.integrity.image_sources
import rego.v1

image(source, digest) := {"image": "host/train", "source": source, "digest": digest}

world(images, params) := {
	"resources": {"workload": [{"id": "r", "image_sources": images}]},
	"params": {"integrity.image_sources": object.union({"trusted": [], "digests": true}, params)},
}

strange := {
	"id": "r", "fact": "image_sources", "expected": "a trusted registry", "tag": "source host/train",
	"message": "runs host/train, of a registry that is not trusted",
}

test_registry_fails if {
	every source in ["public", "foreign"] {
		image_sources.fail == {object.union(strange, {"actual": [image(source, true)]})} with input as world([image(source, true)], {})
	}
}

test_tag_fails if {
	image_sources.fail == {{
		"id": "r", "fact": "image_sources", "expected": "an image pinned by digest", "tag": "digest host/train",
		"actual": [image("own", false)], "message": "runs host/train by its tag, which can be moved",
	}} with input as world([image("own", false)], {})
	image_sources.fail == set() with input as world([image("own", false)], {"digests": false})
}

test_passes if {
	every images in [[], [image("own", true)], [image("provider", true)]] {
		image_sources.scope == {"r"} with input as world(images, {})
		image_sources.fail == set() with input as world(images, {})
	}
	image_sources.fail == set() with input as world([image("public", true)], {"trusted": ["host/"]})
}

test_out_of_scope if {
	image_sources.scope == set() with input as {"resources": {"workload": []}}
}

test_blind_proves_nothing if {
	image_sources.fail == set() with input as {
		"resources": {"workload": [{"id": "r"}]},
		"params": {"integrity.image_sources": {"trusted": [], "digests": true}},
	}
}
