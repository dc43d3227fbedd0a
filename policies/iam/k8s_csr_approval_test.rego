package policies.iam.k8s_csr_approval_test

import data.policies.iam.k8s_csr_approval
import rego.v1

approval := {"subject": "ServiceAccount build/ci", "signers": ["*"], "path": "update on certificatesigningrequests/approval (certificates.k8s.io), approve on signers (certificates.k8s.io), by ClusterRole r"}

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [], "csr_approvals": [], "csr_settled": true}

world(changes) := {
	"resources": {"grant": [object.union(grant, changes)]},
	"params": {"iam.k8s_csr_approval": {"accounts": ["platform/approver"], "signers": ["*", "kubernetes.io/kube-apiserver-client"]}},
}

test_approval_fails if {
	what := {{
		"id": "g", "fact": "csr_approvals", "expected": "no approval of client certificates",
		"actual": sprintf("%s (signers *)", [approval.path]), "message": "ServiceAccount build/ci may have a certificate of any user signed",
	}}
	k8s_csr_approval.fail == what with input as world({"csr_approvals": [approval]})
}

test_other_signers_pass if {
	every signers in [["kubernetes.io/kubelet-serving"], ["example.com/istio"]] {
		k8s_csr_approval.fail == set() with input as world({"csr_approvals": [object.union(approval, {"signers": signers})]})
	}
	k8s_csr_approval.scope == {"g"} with input as world({})
}

test_trusted_accounts_are_exempt if {
	trusted := object.union(approval, {"subject": "ServiceAccount platform/approver"})
	k8s_csr_approval.exempt == {{"id": "g", "reason": "trusted by name: ci"}} with input as world({"csr_approvals": [trusted]})
	k8s_csr_approval.fail == set() with input as world({"csr_approvals": [trusted]})
	count(k8s_csr_approval.fail) == 1 with input as world({"csr_approvals": [trusted, approval]})
	k8s_csr_approval.exempt == set() with input as world({"csr_approvals": [trusted, approval]})
}

test_everything_is_judged_elsewhere if {
	all := {"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}
	count(k8s_csr_approval.exempt) == 1 with input as world({"rules": [all]})
	k8s_csr_approval.fail == set() with input as world({"rules": [all], "csr_approvals": [approval]})
}

test_out_of_scope if {
	k8s_csr_approval.scope == set() with input as world({"cluster_wide": false, "csr_approvals": [approval]})
	k8s_csr_approval.fail == set() with input as world({"subjects": [], "csr_approvals": [approval]})
}

test_blind_proves_nothing if {
	blind := object.union(world({}), {"resources": {"grant": [object.remove(grant, ["csr_approvals"])]}})
	k8s_csr_approval.fail == set() with input as blind
	k8s_csr_approval.exempt == set() with input as blind

	# it may be everything
	whole := object.union(world({}), {"resources": {"grant": [object.remove(object.union(grant, {"csr_approvals": [approval]}), ["rules"])]}})
	k8s_csr_approval.fail == set() with input as whole
}
