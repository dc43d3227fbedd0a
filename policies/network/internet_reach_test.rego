package policies.network.internet_reach_test

import data.policies.network.internet_reach
import rego.v1

params := {"network.internet_reach": {"widest_v4": 16, "widest_v6": 32}}

way := {"path": ["igw", "rtb", "acl", "sg", "eni", "n"], "sources": ["0.0.0.0/0"], "protocol": "tcp", "ports": ["22", "8000-8010"]}

node := {"id": "n", "accelerator": true, "runs": true, "internet_ways": [], "internet_ways_known": true}

world(changes) := {"params": params, "resources": {"node": [object.union(node, changes)]}}

blind(facts) := {"params": params, "resources": {"node": [object.remove(object.union(node, {"internet_ways": [way]}), facts)]}}

test_way_fails if {
	found := way
	internet_reach.fail == {{
		"id": "n", "fact": "internet_ways", "expected": "no way from the internet", "actual": found,
		"tag": "tcp igw rtb acl sg eni n",
		"message": "reached from 0.0.0.0/0 on tcp 22, 8000-8010: igw > rtb > acl > sg > eni > n",
	}} with input as world({"internet_ways": [found]})
}

test_six_and_other_protocols_fail if {
	six := object.union(way, {"sources": ["203.0.113.0/24", "::/0"], "protocol": "47", "ports": []})
	some failure in internet_reach.fail with input as world({"internet_ways": [six]})
	failure.message == "reached from ::/0 on 47: igw > rtb > acl > sg > eni > n"
}

test_passes if {
	narrow := object.union(way, {"sources": ["203.0.113.0/24", "10.0.0.0/8", "2001:db8::/48"]})
	every ways in [[], [narrow]] {
		internet_reach.scope == {"n"} with input as world({"internet_ways": ways})
		internet_reach.fail == set() with input as world({"internet_ways": ways})
	}
}

test_out_of_scope if {
	every change in [{"accelerator": false}, {"runs": false}] {
		internet_reach.scope == set() with input as world(object.union(change, {"internet_ways": [way]}))
		internet_reach.fail == set() with input as world(object.union(change, {"internet_ways": [way]}))
	}
}

test_blind_proves_nothing if {
	internet_reach.fail == set() with input as blind(["internet_ways"])
	internet_reach.fail == set() with input as blind(["accelerator"])
	internet_reach.fail == set() with input as blind(["runs"])
	internet_reach.seen == set() with input as blind(["internet_ways_known"])
	internet_reach.seen == {"n"} with input as blind(["internet_ways"])
}
