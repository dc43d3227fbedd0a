package policies.iam.k8s_dra_admin_claims_test

import data.policies.iam.k8s_dra_admin_claims
import rego.v1

claim := {"id": "c", "claim_type": "claim", "namespace": "team-a", "admin_requests": []}

world(changes) := {
	"resources": {"device_claim": [object.union(claim, changes)]},
	"params": {"iam.k8s_dra_admin_claims": {"namespaces": ["gpu-operator"]}},
}

test_admin_access_fails if {
	every type in ["claim", "template"] {
		k8s_dra_admin_claims.fail == {{
			"id": "c", "fact": "admin_requests", "expected": [], "actual": ["gpu"],
			"message": "its requests reach devices of others (adminAccess) in namespace team-a",
		}} with input as world({"admin_requests": ["gpu"], "claim_type": type})
	}
}

test_sound_passes if {
	every change in [{}, {"admin_requests": ["gpu"], "namespace": "gpu-operator"}] {
		k8s_dra_admin_claims.fail == set() with input as world(change)
		k8s_dra_admin_claims.scope == {"c"} with input as world(change)
	}
}

test_out_of_scope if {
	k8s_dra_admin_claims.scope == set() with input as world({"claim_type": "class", "admin_requests": ["gpu"]})
	k8s_dra_admin_claims.fail == set() with input as world({"claim_type": "class", "admin_requests": ["gpu"]})
}

test_blind_proves_nothing if {
	every fact in ["admin_requests", "namespace"] {
		seen := object.union(claim, {"admin_requests": ["gpu"]})
		blind := object.union(world({}), {"resources": {"device_claim": [object.remove(seen, [fact])]}})
		k8s_dra_admin_claims.fail == set() with input as blind
	}
}
