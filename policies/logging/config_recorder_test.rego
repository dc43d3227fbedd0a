package policies.logging.config_recorder_test

import data.policies.logging.config_recorder
import rego.v1

region := {
	"id": "r", "in_use": true, "recorder": "on", "records": "all", "recorded_types": [], "unrecorded_types": [],
	"global_types_recorded": true,
}

asked(resource) := {
	"resources": {"account": [resource]},
	"params": {"logging.config_recorder": {"types": ["AWS::EKS::Cluster", "AWS::KMS::Key"]}},
}

world(changes) := asked(object.union(region, changes))

test_no_recorder_fails if {
	every state, message in {
		"none": "no recorder keeps what changes",
		"off": "the recorder is off",
		"failing": "the recorder is on, and its last delivery failed",
	} {
		config_recorder.fail == {{"id": "r", "fact": "recorder", "tag": "recorder", "expected": "on", "message": message}} with input as world({"recorder": state})
	}
}

test_types_left_out_fail if {
	config_recorder.fail == {{
		"id": "r", "fact": "recorded_types", "tag": "types", "expected": "all types of the AI factory",
		"actual": ["AWS::KMS::Key"], "message": "some types of the AI factory are not recorded",
	}} with input as world({"records": "some", "recorded_types": ["AWS::EKS::Cluster"]})
	config_recorder.fail == {{
		"id": "r", "fact": "unrecorded_types", "tag": "types", "expected": "all types of the AI factory",
		"actual": ["AWS::EKS::Cluster"], "message": "some types of the AI factory are not recorded",
	}} with input as world({"records": "all_but", "unrecorded_types": ["AWS::EKS::Cluster", "AWS::SNS::Topic"]})
}

test_global_types_fail if {
	config_recorder.fail == {{
		"id": "r", "fact": "global_types_recorded", "tag": "global", "expected": true,
		"message": "no region's recorder keeps changes of users, roles and policies",
	}} with input as world({"global_types_recorded": false})
}

test_passes if {
	every change in [
		{}, {"records": "some", "recorded_types": ["AWS::EKS::Cluster", "AWS::KMS::Key", "AWS::SNS::Topic"]},
		{"records": "all_but", "unrecorded_types": ["AWS::SNS::Topic"]},
	] {
		config_recorder.fail == set() with input as world(change)
		config_recorder.scope == {"r"} with input as world(change)
	}
}

test_out_of_scope if {
	config_recorder.scope == set() with input as world({"in_use": false})
	config_recorder.fail == set() with input as world({"in_use": false, "recorder": "none"})
}

test_blind_proves_nothing if {
	some_types := object.union(region, {"records": "some"})
	config_recorder.fail == set() with input as asked(object.remove(some_types, ["recorded_types"]))
	config_recorder.fail == set() with input as asked(object.remove(some_types, ["records"]))
	config_recorder.fail == set() with input as asked(object.remove(object.union(region, {"recorder": "off"}), ["recorder"]))
	config_recorder.fail == set() with input as asked(object.remove(object.union(region, {"recorder": "off"}), ["in_use"]))
	config_recorder.fail == set() with input as asked(object.remove(object.union(region, {"records": "all_but"}), ["unrecorded_types"]))
}
