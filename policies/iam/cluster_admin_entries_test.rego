package policies.iam.cluster_admin_entries_test

import data.policies.iam.cluster_admin_entries
import rego.v1

principal := "arn:aws:iam::111111111111:role/ml/researchers"

whole := {"policy": "AmazonEKSClusterAdminPolicy", "cluster_wide": true, "namespaces": []}

part := {"policy": "AmazonEKSClusterAdminPolicy", "cluster_wide": false, "namespaces": ["research"]}

view := {"policy": "AmazonEKSViewPolicy", "cluster_wide": true, "namespaces": []}

grant := {"id": "g", "principal": principal, "access_policies": [part, view]}

world(changes) := {"params": {"iam.cluster_admin_entries": {"admins": ["platform"]}}, "resources": {"grant": [object.union(grant, changes)]}}

blind(changes, facts) := {
	"params": {"iam.cluster_admin_entries": {"admins": ["platform"]}},
	"resources": {"grant": [object.remove(object.union(grant, changes), facts)]},
}

test_fails if {
	found := whole
	who := principal
	cluster_admin_entries.fail == {{
		"id": "g", "fact": "access_policies", "expected": "a policy of some namespaces", "actual": found,
		"message": sprintf("%s is administrator of the whole cluster", [who]),
	}} with input as world({"access_policies": [view, found]})
}

test_passes if {
	every found in [[], [part], [view], [part, view]] {
		cluster_admin_entries.scope == {"g"} with input as world({"access_policies": found})
		cluster_admin_entries.fail == set() with input as world({"access_policies": found})
	}
}

test_out_of_scope_the_platform if {
	cluster_admin_entries.exempt == {{
		"id": "g",
		"reason": "one of the platform's own administrators (admins)",
	}} with input as world({"principal": "arn:aws:iam::111111111111:role/platform", "access_policies": [whole]})
	cluster_admin_entries.exempt == set() with input as world({})
	cluster_admin_entries.exempt == set() with input as world({"principal": "arn:aws:iam::111111111111:role/not-platform"})
}

test_blind_proves_nothing if {
	cluster_admin_entries.fail == set() with input as blind({}, ["access_policies"])
	cluster_admin_entries.fail == set() with input as blind({"access_policies": [whole]}, ["principal"])
	cluster_admin_entries.exempt == set() with input as blind({}, ["principal"])
}
