package policies.lib.rbac_test

import data.policies.lib.rbac
import rego.v1

subjects := [{"name": "b", "system": false}, {"name": "a", "system": false}, {"name": "system:masters", "system": true}]

everything := {"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": []}

pods := {"verbs": ["get"], "api_groups": [""], "resources": ["pods"], "resource_names": []}

test_outsiders if {
	rbac.outsiders(subjects) == {"a", "b"}
	rbac.named(subjects) == "a, b"
	rbac.outsiders([]) == set()
}

test_everything if {
	rbac.everything(everything)
	{c | some c in [{"resource_names": ["x"]}, {"verbs": ["get"]}, {"api_groups": [""]}, {"resources": ["pods"]}]; rbac.everything(object.union(everything, c))} == set()
}

test_exemption if {
	rbac.exemption({"id": "g", "subjects": subjects, "rules": [pods, everything]}) == {"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}
	{e | some g in [{"id": "g", "subjects": [], "rules": [everything]}, {"id": "g", "subjects": subjects, "rules": [pods]}, {"id": "g", "subjects": subjects}]; e := rbac.exemption(g)} == set()
}

test_core if {
	rbac.core(pods, {"pods"})
	rbac.core(everything, {"secrets"})
	{c | some c in [{"api_groups": ["apps"]}, {"resources": ["pods/exec"]}]; rbac.core(object.union(pods, c), {"pods"})} == set()
}

test_may if {
	rbac.may(pods, {"get", "list"})
	rbac.may(everything, {"bind"})
	{v | some v in ["list", "create"]; rbac.may(pods, {v})} == set()
}

test_unnamed if {
	rbac.unnamed(pods)
	rbac.unnamed(object.union(pods, {"resource_names": ["x", ""]}))
	{r | some r in [object.union(pods, {"resource_names": ["x"]}), object.remove(pods, ["resource_names"])]; rbac.unnamed(r)} == set()
}

test_shown if {
	rbac.shown(pods) == "get on pods (core)"
	rbac.shown({"verbs": ["get", "list"], "api_groups": ["", "apps"], "resources": ["pods", "*"], "resource_names": ["a", "b"]}) == "get, list on pods, * (core, apps) named a, b"
	{t | some r in [object.remove(pods, ["verbs"]), object.remove(pods, ["resources"])]; t := rbac.shown(r)} == set()
}

ci := {"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}

as_user := {"kind": "User", "name": "system:serviceaccount:build:ci", "namespace": "", "system": false}

people := {"kind": "Group", "name": "people", "namespace": "", "system": false}

test_on if {
	rbac.on({"api_groups": ["apps"], "resources": ["deployments"]}, {"apps"}, {"deployments"})
	rbac.on({"api_groups": ["*"], "resources": ["*"]}, {"apps"}, {"deployments"})
	{r | some r in [{"api_groups": [""], "resources": ["deployments"]}, {"api_groups": ["apps"], "resources": ["deployments/scale"]}]; rbac.on(r, {"apps"}, {"deployments"})} == set()
}

test_path if {
	rbac.path({"kind": "ClusterRole", "name": "edit"}, pods) == "ClusterRole edit: get on pods (core)"
}

test_accounts if {
	rbac.account(ci) == "build/ci"
	rbac.account(as_user) == "build/ci"
	{s.name | some s in [people, {"kind": "User", "name": "system:serviceaccount:build"}]; rbac.account(s)} == set()
}

test_strangers if {
	rbac.strangers([ci, as_user, people], ["build/ci"]) == {people}
	rbac.strangers([ci, as_user, people], ["build/*"]) == {people}
	rbac.strangers([ci, {"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], ["other/ci"]) == {ci}
	rbac.who({ci, people}) == "build/ci, people"
}

test_trust if {
	rbac.trust({"id": "g", "subjects": [ci]}, ["build/ci"]) == {"id": "g", "reason": "trusted by name: ci"}
	{e | some who in [[], [ci, people]]; e := rbac.trust({"id": "g", "subjects": who}, ["build/ci"])} == set()
}
