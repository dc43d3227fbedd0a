package policies.integrity.image_tags_immutable_test

import data.policies.integrity.image_tags_immutable
import rego.v1

store := {"id": "r", "store_type": "registry", "upstream": "", "tag_mutability": "immutable", "tag_exceptions": []}

params := {"integrity.image_tags_immutable": {"movable": ["cache", "dev"]}}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}, "params": params}

blind(changes, facts) := {"resources": {"data_store": [object.remove(object.union(store, changes), facts)]}, "params": params}

moved := {{"id": "r", "fact": "tag_mutability", "expected": "immutable", "message": "its tags can be moved to another image"}}

test_fails if {
	image_tags_immutable.fail == moved with input as world({"tag_mutability": "mutable"})
	image_tags_immutable.fail == moved with input as world({"tag_mutability": "mutable_except", "tag_exceptions": ["v*"]})
}

test_wide_exceptions_fail if {
	image_tags_immutable.fail == {{
		"id": "r", "fact": "tag_exceptions", "expected": ["cache", "dev"], "actual": ["*", "v*"],
		"message": "tags like *, v* can be moved to another image",
	}} with input as world({"tag_mutability": "immutable_except", "tag_exceptions": ["*", "dev-*", "v*"]})
}

test_passes if {
	every change in [{}, {"tag_mutability": "immutable_except", "tag_exceptions": ["cache*", "dev-*"]}] {
		image_tags_immutable.scope == {"r"} with input as world(change)
		image_tags_immutable.fail == set() with input as world(change)
	}
}

test_out_of_scope if {
	every change in [{"store_type": "bucket"}, {"upstream": "quay.io"}] {
		image_tags_immutable.scope == set() with input as world(object.union(change, {"tag_mutability": "mutable"}))
		image_tags_immutable.fail == set() with input as world(object.union(change, {"tag_mutability": "mutable"}))
	}
}

test_blind_proves_nothing if {
	image_tags_immutable.safe == {"r"} with input as blind({}, ["tag_exceptions"])
	image_tags_immutable.safe == set() with input as blind({"tag_mutability": "immutable_except"}, ["tag_exceptions"])
	image_tags_immutable.fail == set() with input as blind({"tag_mutability": "immutable_except"}, ["tag_exceptions"])
	image_tags_immutable.scope == set() with input as blind({"tag_mutability": "mutable"}, ["upstream"])
	image_tags_immutable.fail == set() with input as blind({"tag_exceptions": ["v*"]}, ["tag_mutability"])
}
