package policies.network.k8s_policy_peers_test

import data.policies.network.k8s_policy_peers
import rego.v1

policy := {"id": "p", "ambiguous_peers": []}

world(changes) := {"resources": {"network_policy": [object.union(policy, changes)]}}

test_two_items_fail if {
	k8s_policy_peers.fail == {{
		"id": "p", "fact": "ambiguous_peers", "expected": [], "tag": "ingress 1 split",
		"message": "ingress rule 1 has a namespaceSelector and a podSelector as two items: either is enough",
	}} with input as world({"ambiguous_peers": [{"direction": "ingress", "rule": 1, "problem": "split"}]})
}

test_all_namespaces_fail if {
	k8s_policy_peers.fail == {{
		"id": "p", "fact": "ambiguous_peers", "expected": [], "tag": "egress 0 all",
		"message": "egress rule 0 has an empty namespaceSelector: every pod of every namespace is a peer",
	}} with input as world({"ambiguous_peers": [{"direction": "egress", "rule": 0, "problem": "all_namespaces"}]})
}

test_sound_passes if {
	k8s_policy_peers.scope == {"p"} with input as world({})
	k8s_policy_peers.fail == set() with input as world({})
}

test_other_kinds_are_out_of_scope if {
	k8s_policy_peers.scope == set() with input as {"resources": {"other": [policy]}}
	k8s_policy_peers.fail == set() with input as {"resources": {"other": [policy]}}
}

test_blind_proves_nothing if {
	k8s_policy_peers.fail == set() with input as {"resources": {"network_policy": [{"id": "p"}]}}
}
