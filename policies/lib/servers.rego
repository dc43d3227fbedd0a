# Ways to servers, as the kind `workload` describes them.
package policies.lib.servers

import rego.v1

# How somebody comes to a server.
reached(d) := "from other namespaces" if d.way == "other namespaces"

reached(d) := sprintf("from the internet, through %s", [d.through]) if {
	d.way != "other namespaces"
	d.internet == "yes"
}

reached(d) := sprintf("from outside the cluster, through %s (%s)", [d.through, d.way]) if {
	d.way != "other namespaces"
	d.internet != "yes"
}

# The one way that is wrong.
shown(d) := {"container": d.container, "way": d.way, "through": d.through, "paths": d.paths}
