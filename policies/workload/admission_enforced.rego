# METADATA
# title: Some admission policy about pods is enforced
# description: >-
#   Pod Security Admission knows no registries, no RDMA and nothing of models: that takes an admission policy, and one
#   that only warns or reports stops nobody. Enforced is: an admission policy of the API server with a binding that
#   denies, a constraint of Gatekeeper whose action is deny (or scoped so at the webhook), a rule of Kyverno that is set
#   to Enforce, an image policy of Sigstore; each about pods or what makes them, and with the webhook of its engine in
#   place. What the policy asks is not judged. Behind a webhook whose policies are not read (Kubewarden, an own one) the
#   verdict is unknown.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
#   - https://open-policy-agent.github.io/gatekeeper/website/docs/enforcement-points/
#   - https://kyverno.io/docs/policy-types/cluster-policy/policy-settings/
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: []
#   fail_on: [policies_enforced]
#   controls:
#     cis_k8s_1.12: ["5.2.1"]
#     nist_800_53_r5: [CM-6]
#     mitre_attack_containers: [T1562.001]
#     soc2: [CC8.1]
#   tags: [kubernetes, admission]
#   covers:
#     kubernetes/v1/Cluster:
#       catalog: [K8S-ADM-002]
#       fix:
#         manifest: "A ValidatingAdmissionPolicy with a binding whose validationActions are [Deny], or an engine in enforce mode."
package policies.workload.admission_enforced

import rego.v1

scope contains c.id if {
	some c in input.resources.cluster
	c.native_type == "kubernetes/v1/Cluster"
}

fail contains {"id": c.id, "fact": "policies_enforced", "expected": true, "message": "no admission policy about pods is enforced"} if {
	some c in input.resources.cluster
	c.id in scope
	c.policies_enforced == false
}
