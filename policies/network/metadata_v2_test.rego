package policies.network.metadata_v2_test

import data.policies.network.metadata_v2
import rego.v1

node := {"id": "n", "metadata_enabled": true, "metadata_token_required": true}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

blind(facts) := {"resources": {"node": [object.remove(node, facts)]}}

test_fails if {
	metadata_v2.fail == {{
		"id": "n", "fact": "metadata_token_required", "expected": true,
		"message": "the metadata service answers without a session token (IMDSv1)",
	}} with input as world({"metadata_token_required": false})
}

test_passes if {
	metadata_v2.scope == {"n"} with input as world({})
	metadata_v2.fail == set() with input as world({})
}

test_out_of_scope if {
	metadata_v2.scope == set() with input as world({"metadata_enabled": false})
	metadata_v2.fail == set() with input as world({"metadata_enabled": false, "metadata_token_required": false})
}

test_blind_proves_nothing if {
	metadata_v2.scope == {"n"} with input as blind(["metadata_token_required"])
	metadata_v2.fail == set() with input as blind(["metadata_token_required"])
	metadata_v2.scope == set() with input as blind(["metadata_enabled"])
}

test_safe_where_a_template_asks_for_tokens if {
	template := object.union(object.remove(node, ["metadata_enabled"]), {"native_type": "AWS::EC2::LaunchTemplate"})
	metadata_v2.safe == {"n"} with input as {"resources": {"node": [template]}}
	metadata_v2.safe == set() with input as {"resources": {"node": [object.union(template, {"metadata_token_required": false})]}}
	metadata_v2.safe == set() with input as world({"native_type": "AWS::EC2::Instance"})
}
