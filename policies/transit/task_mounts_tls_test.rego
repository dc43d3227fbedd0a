package policies.transit.task_mounts_tls_test

import data.policies.transit.task_mounts_tls
import rego.v1

mount(tls) := {"volume": "data", "store_id": "fs", "tls": tls}

world(facts) := {"resources": {"workload": [object.union({"id": "t"}, facts)]}}

test_fails if {
	task_mounts_tls.fail == {{
		"id": "t", "fact": "mounts", "expected": true, "actual": [mount(false)], "tag": "data",
		"message": "mounts the volume data without TLS",
	}} with input as world({"mounts": [mount(false)]})
}

test_passes if {
	task_mounts_tls.scope == {"t"} with input as world({"mounts": [mount(true)]})
	task_mounts_tls.fail == set() with input as world({"mounts": [mount(true)]})
}

test_out_of_scope if {
	task_mounts_tls.scope == set() with input as world({"mounts": []})
}

test_blind_proves_nothing if {
	task_mounts_tls.scope == set() with input as world({})
	task_mounts_tls.fail == set() with input as world({})
}
