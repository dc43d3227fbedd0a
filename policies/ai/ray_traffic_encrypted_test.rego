package policies.ai.ray_traffic_encrypted_test

import data.policies.ai.ray_traffic_encrypted
import rego.v1

model_service := {"id": "m", "service_type": "ray", "traffic_protection": "tls"}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

bad := {"traffic_protection": "none"}

test_clear_fails if {
	ray_traffic_encrypted.fail == {{
		"id": "m", "fact": "traffic_protection", "expected": "TLS or an encrypting network", "actual": "none",
		"message": "its parts send each other pickled data in clear",
	}} with input as world(bad)
}

test_an_encrypting_network_passes if {
	ray_traffic_encrypted.fail == set() with input as world({"traffic_protection": "mesh"})
	ray_traffic_encrypted.scope == {"m"} with input as world({"traffic_protection": "mesh"})
}

test_sound_passes if {
	ray_traffic_encrypted.fail == set() with input as world({})
	ray_traffic_encrypted.scope == {"m"} with input as world({})
}

test_other_services_are_out_of_scope if {
	ray_traffic_encrypted.scope == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
	ray_traffic_encrypted.fail == set() with input as world(object.union(bad, {"service_type": "endpoint"}))
}

test_blind_proves_nothing if {
	every fact in ["service_type", "traffic_protection"] {
		blind := {"resources": {"model_service": [object.remove(object.union(model_service, bad), [fact])]}}
		ray_traffic_encrypted.fail == set() with input as blind
	}
}
