# Bindings and the rules of their roles, as the kind `grant` describes them.
package policies.lib.rbac

import data.policies.lib.names
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

# The rule is about one of `resources` of one of `groups`.
on(r, groups, resources) if {
	some group in r.api_groups
	group in (groups | {"*"})
	some resource in r.resources
	resource in (resources | {"*"})
}

# The rule is about one of `resources` of the core group.
core(r, resources) if on(r, {""}, resources)

# The rule grants one of `verbs`.
may(r, verbs) if {
	some verb in r.verbs
	verb in (verbs | {"*"})
}

# A rule without its names: every object of the resource. So is one with an empty name where the request has none: a listing, a creation.
unnamed(r) if r.resource_names == []

unnamed(r) if "" in r.resource_names

# The rule in words: `get, list on secrets (core)`, with ` named a, b` where it names its objects.
shown(r) := sprintf("%s on %s (%s)%s", [
	concat(", ", r.verbs),
	concat(", ", r.resources),
	concat(", ", [{true: "core", false: group}[group == ""] | some group in r.api_groups]),
	concat("", [sprintf(" named %s", [concat(", ", listed)]) | some listed in [r.resource_names]; count(listed) > 0]),
])

# How the rule came to be granted: `ClusterRole edit: create on pods (core)`.
path(role, r) := sprintf("%s %s: %s", [role.kind, role.name, shown(r)])

# `namespace/name` of a service account, be it named as such or as the user that stands for it.
account(s) := sprintf("%s/%s", [s.namespace, s.name]) if s.kind == "ServiceAccount"

account(s) := concat("/", array.slice(parts, 2, 4)) if {
	s.kind == "User"
	startswith(s.name, "system:serviceaccount:")
	parts := split(s.name, ":")
	count(parts) == 4
}

trusted(s, accounts) if {
	some pattern in accounts
	names.matches(pattern, account(s), "")
}

# Subjects that are no identities of the control plane, and no service accounts that a parameter names (`namespace/name`, `namespace/*`).
strangers(subjects, accounts) := {s | some s in subjects; s.system == false} - {s | some s in subjects; trusted(s, accounts)}

# A subject in words: service accounts with their namespace.
spelled(s) := sprintf("%s/%s", [s.namespace, s.name]) if s.kind == "ServiceAccount"

spelled(s) := s.name if s.kind in {"User", "Group"}

# The same for several.
who(subjects) := concat(", ", sort([spelled(s) | some s in subjects]))

# Where a parameter names all of its subjects, what they need is theirs to have.
trust(g, accounts) := {"id": g.id, "reason": sprintf("trusted by name: %s", [named(g.subjects)])} if {
	count(outsiders(g.subjects)) > 0
	count(strangers(g.subjects, accounts)) == 0
}
