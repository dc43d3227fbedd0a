# METADATA
# title: Nobody approves requests for client certificates
# description: >-
#   Whoever may update certificatesigningrequests/approval, and holds approve on a signer of client certificates, makes
#   a certificate for any user or node, which cannot be revoked. The two rights count together from all bindings of a
#   subject. A grant that names only other signers (serving certificates of kubelets) is let through, and so are service
#   accounts of the parameter.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [csr_approvals, csr_settled, rules]
#   params:
#     accounts: []
#     signers:
#       ["*", "kubernetes.io/*", kubernetes.io/kube-apiserver-client, kubernetes.io/kube-apiserver-client-kubelet]
#   controls:
#     cis_k8s_1.12: ["5.1.11"]
#     cis_aks_1.8: ["4.1.10"]
#     nist_800_53_r5: [AC-6, IA-5]
#     mitre_attack_containers: [T1078]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding:
#       catalog: [K8S-RBAC-014]
#       fix:
#         manifest: Remove update on certificatesigningrequests/approval, or limit approve on signers with resourceNames.
package policies.iam.k8s_csr_approval

import data.policies.lib.names
import data.policies.lib.rbac
import rego.v1

params := input.params["iam.k8s_csr_approval"]

trusted(a) if {
	some pattern in params.accounts
	names.matches(sprintf("ServiceAccount %s", [pattern]), a.subject, "")
}

mints(a) if {
	some signer in a.signers
	signer in {s | some s in params.signers}
}

exempt contains reason if {
	some g in input.resources.grant
	some r in g.rules
	rbac.everything(r)
	reason := rbac.exemption(g)
}

exempt contains {"id": g.id, "reason": sprintf("trusted by name: %s", [rbac.named(g.subjects)])} if {
	some g in input.resources.grant
	minting := {a | some a in g.csr_approvals; mints(a)}
	count(minting) > 0
	count(minting - {a | some a in minting; trusted(a)}) == 0
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
	g.cluster_wide == true
}

fail contains {
	"id": g.id, "fact": "csr_approvals", "expected": "no approval of client certificates",
	"actual": sprintf("%s (signers %s)", [a.path, concat(", ", a.signers)]),
	"message": sprintf("%s may have a certificate of any user signed", [a.subject]),
} if {
	some g in input.resources.grant
	g.id in scope
	rules := g.rules
	count([r | some r in rules; rbac.everything(r)]) == 0
	minting := {a | some a in g.csr_approvals; mints(a)}
	some a in (minting - {b | some b in minting; trusted(b)})
}
