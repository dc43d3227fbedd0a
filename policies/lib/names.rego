# Names as parameters write them: whole, by their start (`admin-*`), or by a path in the id (`/admins/`).
package policies.lib.names

import rego.v1

matches(pattern, name, _) if name == pattern

matches(pattern, name, _) if {
	endswith(pattern, "*")
	startswith(name, trim_suffix(pattern, "*"))
}

matches(pattern, _, id) if {
	startswith(pattern, "/")
	endswith(pattern, "/")
	contains(id, pattern)
}
