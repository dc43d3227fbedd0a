# Bindings and the rules of their roles, as the kind `grant` describes them.
package policies.lib.rbac

import rego.v1

# Names of the subjects that are no identities of the control plane.
outsiders(subjects) := {s.name | some s in subjects; s.system == false}

# The same in words.
named(subjects) := concat(", ", sort(outsiders(subjects)))

# The rule is every verb on everything: what cluster-admin holds.
everything(r) if {
	"*" in r.verbs
	"*" in r.resources
	"*" in r.api_groups
	r.resource_names == []
}

# Whoever holds everything is judged once, by iam.k8s_cluster_admin.
exemption(g) := {"id": g.id, "reason": "it grants everything, which iam.k8s_cluster_admin judges"} if {
	count(outsiders(g.subjects)) > 0
	some r in g.rules
	everything(r)
}

# The rule is about one of `resources` of the core group.
core(r, resources) if {
	some group in r.api_groups
	group in {"", "*"}
	some resource in r.resources
	resource in (resources | {"*"})
}

# The rule grants one of `verbs`.
may(r, verbs) if {
	some verb in r.verbs
	verb in (verbs | {"*"})
}

# A rule without its names: every object of the resource.
unnamed(r) if r.resource_names == []

# The rule in words: `get, list on secrets (core)`, with ` named a, b` where it names its objects.
shown(r) := sprintf("%s on %s (%s)%s", [
	concat(", ", r.verbs),
	concat(", ", r.resources),
	concat(", ", [{true: "core", false: group}[group == ""] | some group in r.api_groups]),
	concat("", [sprintf(" named %s", [concat(", ", names)]) | some names in [r.resource_names]; count(names) > 0]),
])
