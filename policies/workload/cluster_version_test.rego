package policies.workload.cluster_version_test

import data.policies.workload.cluster_version
import rego.v1

base := {"id": "x", "support_ends": "2027-06-28T23:59:59Z", "support_as_of": "2026-11-30", "version": "v1.36.1"}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}, "now": "2026-11-30T00:00:00Z"}

test_ended_fails if {
	found := {{"id": "x", "fact": "support_ends", "expected": "a supported version", "message": "support of v1.34.2 ended 33 days ago (data of 2026-11-30)"}}
	cluster_version.fail == found with input as world({"support_ends": "2026-10-27T23:59:59Z", "version": "v1.34.2"})
	cluster_version.scope == {"x"} with input as world({"support_ends": "2026-10-27T23:59:59Z", "version": "v1.34.2"})
}

test_sound_passes if {
	cluster_version.fail == set() with input as world({})
	cluster_version.scope == {"x"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	cluster_version.scope == set() with input as {"resources": {"other": [base]}}
}

test_blind_proves_nothing if {
	bad := object.union(base, {"support_ends": "2026-10-27T23:59:59Z", "version": "v1.34.2"})
	blind := {"resources": {"cluster": [object.remove(bad, ["support_ends", "support_as_of", "version"])]}, "now": "2026-11-30T00:00:00Z"}
	cluster_version.fail == set() with input as blind
}
