package policies.ai.ray_version_test

import data.policies.ai.ray_version
import rego.v1

model_service := {"id": "m", "service_type": "ray", "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

bad := {"advisories": [{"container": "", "product": "ray", "version": "2.44.1", "told_by": "image", "fixed": "2.52.0", "ids": ["CVE-2025-62593"], "source": "s"}]}

test_old_fails if {
	ray_version.fail == {{
		"id": "m", "fact": "advisories", "expected": "2.52.0 or later", "actual": "2.44.1",
		"message": "Ray 2.44.1 (by its image) has CVE-2025-62593",
	}} with input as world(bad)
}

test_what_only_the_object_says_is_less_sure if {
	said := {"advisories": [object.union(bad.advisories[0], {"told_by": "rayVersion"})]}
	found := ray_version.fail with input as world(said)
	[f.message | some f in found] == ["Ray 2.44.1 (by its rayVersion, which its image may belie) has CVE-2025-62593"]
}

test_sound_passes if {
	ray_version.fail == set() with input as world({})
	ray_version.scope == {"m"} with input as world({})
}

test_other_services_are_out_of_scope if {
	ray_version.scope == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
	ray_version.fail == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
}

test_blind_proves_nothing if {
	every fact in ["service_type", "advisories"] {
		blind := {"resources": {"model_service": [object.remove(object.union(model_service, bad), [fact])]}}
		ray_version.fail == set() with input as blind
	}
}
