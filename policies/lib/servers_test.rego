package policies.lib.servers_test

import data.policies.lib.servers
import rego.v1

door := {"container": "c", "product": "vllm", "auth": "none", "way": "node port", "through": "s", "internet": "unknown", "paths": ["/"], "dev_mode": false}

test_how_somebody_comes if {
	servers.reached(door) == "from outside the cluster, through s (node port)"
	servers.reached(object.union(door, {"way": "load balancer", "internet": "yes"})) == "from the internet, through s"
	servers.reached(object.union(door, {"way": "other namespaces", "internet": "no"})) == "from other namespaces"
}

test_what_is_wrong if {
	servers.shown(door) == {"container": "c", "way": "node port", "through": "s", "paths": ["/"]}
}
