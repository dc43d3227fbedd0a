package policies.logging.threat_protections_test

import data.policies.logging.threat_protections
import rego.v1

region := {
	"id": "r", "in_use": true, "threat_detection": true, "s3_protection": "on", "eks_protection": "on",
	"runtime_protection": "on", "ai_protection": "not_offered",
}

asked(resource) := {"resources": {"account": [resource]}}

world(changes) := asked(object.union(region, changes))

test_each_fails if {
	every way, message in {
		"s3": "nobody watches reads and writes of objects in S3",
		"eks": "nobody watches the audit logs of Kubernetes clusters",
		"runtime": "nobody watches what runs on nodes and in containers",
		"ai": "nobody watches the use of AI services",
	} {
		fact := sprintf("%s_protection", [way])
		threat_protections.fail == {{"id": "r", "fact": fact, "tag": way, "expected": "on", "message": message}} with input as world({fact: "off"})
	}
}

test_passes if {
	threat_protections.fail == set() with input as world({})
	threat_protections.scope == {"r"} with input as world({})
	threat_protections.fail == set() with input as world({"ai_protection": "on"})
}

test_out_of_scope if {
	every change in [{"in_use": false}, {"threat_detection": false}] {
		threat_protections.scope == set() with input as world(object.union(change, {"s3_protection": "off"}))
		threat_protections.fail == set() with input as world(object.union(change, {"s3_protection": "off"}))
	}
}

test_blind_proves_nothing if {
	every fact in ["s3_protection", "eks_protection", "runtime_protection", "ai_protection", "in_use", "threat_detection"] {
		threat_protections.fail == set() with input as asked(object.remove(region, [fact]))
	}
	threat_protections.fail == set() with input as asked(object.remove(object.union(region, {"s3_protection": "off"}), ["in_use"]))
}
