package policies.ai.telemetry_scoped_test

import data.policies.ai.telemetry_scoped
import rego.v1

endpoint := {"id": "e", "telemetry": [{"port": 9400, "what": "dcgm-exporter"}], "telemetry_open": [], "telemetry_settled": true}

world(changes) := {"resources": {"endpoint": [object.union(endpoint, changes)]}}

bad := {"telemetry_open": [{"port": 9400, "way": "node port"}, {"port": 9400, "way": "other namespaces"}]}

test_open_fails if {
	telemetry_scoped.fail == {
		{
			"id": "e", "fact": "telemetry_open", "expected": "the namespace of the monitoring alone", "actual": {"port": 9400, "way": "node port"},
			"message": "metrics on port 9400 are reached through a port of every node",
		},
		{
			"id": "e", "fact": "telemetry_open", "expected": "the namespace of the monitoring alone", "actual": {"port": 9400, "way": "other namespaces"},
			"message": "metrics on port 9400 are reached from every namespace",
		},
	} with input as world(bad)
}

test_sound_passes if {
	telemetry_scoped.fail == set() with input as world({})
	telemetry_scoped.scope == {"e"} with input as world({})
}

test_services_without_metrics_are_out_of_scope if {
	telemetry_scoped.scope == set() with input as world({"telemetry": []})
	telemetry_scoped.fail == set() with input as world(object.union(bad, {"telemetry": []}))
}

test_blind_proves_nothing if {
	every fact in ["telemetry", "telemetry_open"] {
		blind := {"resources": {"endpoint": [object.remove(object.union(endpoint, bad), [fact])]}}
		telemetry_scoped.fail == set() with input as blind
	}
}
