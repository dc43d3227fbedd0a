package policies.ai.ray_isolated_test

import data.policies.ai.ray_isolated
import rego.v1

model_service := {"id": "m", "service_type": "ray", "isolation": "policies"}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

bad := {"isolation": "none"}

test_open_fails if {
	every case in [["none", "nothing isolates it"], ["partial", "it asks for isolation in one direction only"], ["missing", "the policies that it asks for are not there"], ["open", "its policies admit everyone"]] {
		ray_isolated.fail == {{
			"id": "m", "fact": "isolation", "expected": "policies", "actual": case[0], "message": case[1],
		}} with input as world({"isolation": case[0]})
	}
}

test_isolated_by_others_is_exempt if {
	ray_isolated.exempt == {{"id": "m", "reason": "other network policies isolate all its pods both ways"}} with input as world({"isolation": "equivalent"})
	ray_isolated.fail == set() with input as world({"isolation": "equivalent"})
}

test_sound_passes if {
	ray_isolated.fail == set() with input as world({})
	ray_isolated.scope == {"m"} with input as world({})
}

test_other_services_are_out_of_scope if {
	ray_isolated.scope == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
	ray_isolated.fail == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
}

test_blind_proves_nothing if {
	every fact in ["service_type", "isolation"] {
		blind := {"resources": {"model_service": [object.remove(object.union(model_service, bad), [fact])]}}
		ray_isolated.fail == set() with input as blind
	}
}
