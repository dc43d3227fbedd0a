package policies.transit.k8s_cilium_encryption_test

import data.policies.transit.k8s_cilium_encryption
import rego.v1

configuration := {"id": "c", "plugin": "cilium", "pod_encryption": "wireguard"}

world(changes) := {"resources": {"configuration": [object.union(configuration, changes)]}}

test_off_fails if {
	k8s_cilium_encryption.fail == {
		{"id": "c", "fact": "pod_encryption", "expected": "wireguard or ipsec", "message": "Cilium encrypts nothing between nodes"},
	} with input as world({"pod_encryption": "none"})
}

test_both_fail if {
	k8s_cilium_encryption.fail == {
		{"id": "c", "fact": "pod_encryption", "expected": "wireguard or ipsec", "message": "WireGuard and IPsec are both on, with which Cilium does not start"},
	} with input as world({"pod_encryption": "both"})
}

test_on_passes if {
	every mode in ["wireguard", "ipsec"] {
		k8s_cilium_encryption.fail == set() with input as world({"pod_encryption": mode})
		k8s_cilium_encryption.scope == {"c"} with input as world({"pod_encryption": mode})
	}
}

test_out_of_scope if {
	every plugin in ["", "calico"] {
		k8s_cilium_encryption.scope == set() with input as world({"plugin": plugin, "pod_encryption": "none"})
		k8s_cilium_encryption.fail == set() with input as world({"plugin": plugin, "pod_encryption": "none"})
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"configuration": [object.remove(configuration, ["pod_encryption"])]}}
	k8s_cilium_encryption.fail == set() with input as blind
}
