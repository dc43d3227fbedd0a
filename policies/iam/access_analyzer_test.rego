package policies.iam.access_analyzer_test

import data.policies.iam.access_analyzer
import rego.v1

region := {"id": "r", "in_use": true, "external_access_analyzed": true, "unused_access_analyzed": true}

asked(resource, unused) := {"resources": {"account": [resource]}, "params": {"iam.access_analyzer": {"unused": unused}}}

world(changes) := asked(object.union(region, changes), true)

test_external_fails if {
	access_analyzer.fail == {{
		"id": "r", "fact": "external_access_analyzed", "tag": "external", "expected": true,
		"message": "no analyser looks for access from outside in the region",
	}} with input as world({"external_access_analyzed": false})
}

test_unused_fails_where_asked if {
	access_analyzer.fail == {{
		"id": "r", "fact": "unused_access_analyzed", "tag": "unused", "expected": true,
		"message": "no analyser of any region looks for unused access",
	}} with input as world({"unused_access_analyzed": false})
	access_analyzer.fail == set() with input as asked(object.union(region, {"unused_access_analyzed": false}), false)
	access_analyzer.safe == {"r"} with input as asked(object.union(region, {"unused_access_analyzed": false}), false)
}

test_passes if {
	access_analyzer.fail == set() with input as world({})
	access_analyzer.scope == {"r"} with input as world({})
	access_analyzer.safe == set() with input as world({})
}

test_out_of_scope if {
	access_analyzer.scope == set() with input as world({"in_use": false})
	access_analyzer.fail == set() with input as world({"in_use": false, "external_access_analyzed": false})
}

test_blind_proves_nothing if {
	every fact in ["external_access_analyzed", "unused_access_analyzed"] {
		access_analyzer.fail == set() with input as asked(object.remove(region, [fact]), true)
	}
	access_analyzer.safe == set() with input as asked(object.remove(region, ["external_access_analyzed"]), false)
	access_analyzer.fail == set() with input as asked(object.remove(object.union(region, {"external_access_analyzed": false}), ["in_use"]), true)
}
