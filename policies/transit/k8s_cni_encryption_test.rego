package policies.transit.k8s_cni_encryption_test

import data.policies.transit.k8s_cni_encryption
import rego.v1

configuration := {"id": "c", "plugin": "ovn", "pod_encryption": "wireguard"}

world(changes) := {"resources": {"configuration": [object.union(configuration, changes)]}}

test_off_fails if {
	every mode in ["none", "external"] {
		k8s_cni_encryption.fail == {
			{"id": "c", "fact": "pod_encryption", "expected": "wireguard or ipsec", "message": "the network plugin encrypts nothing between pods"},
		} with input as world({"pod_encryption": mode})
	}
}

test_on_passes if {
	every mode in ["wireguard", "ipsec"] {
		k8s_cni_encryption.fail == set() with input as world({"plugin": "antrea", "pod_encryption": mode})
		k8s_cni_encryption.scope == {"c"} with input as world({"plugin": "antrea", "pod_encryption": mode})
	}
}

test_out_of_scope if {
	every plugin in ["", "cilium", "calico"] {
		k8s_cni_encryption.scope == set() with input as world({"plugin": plugin, "pod_encryption": "none"})
		k8s_cni_encryption.fail == set() with input as world({"plugin": plugin, "pod_encryption": "none"})
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"configuration": [object.remove(configuration, ["pod_encryption"])]}}
	k8s_cni_encryption.fail == set() with input as blind
}
