# METADATA
# title: Profiles of Kubeflow admit only callers that a policy names
# description: >-
#   Without a policy that denies by default one tenant's pods call another's notebooks and models. Kubeflow's own
#   installation has one for the whole mesh (an empty spec in the root namespace); an ALLOW policy for the whole profile
#   does the same. A rule that names no caller, or everyone of the mesh (*), lets other tenants in (paths that tell how a
#   server is are not meant), and pods outside of the mesh obey no policy. A rule that knows callers by a header only
#   (kubeflow-userid) believes what anybody writes, unless it names the gateway as principal. Policies for single
#   workloads of a profile count only where they open something.
# related_resources:
#   - https://www.kubeflow.org/docs/components/central-dash/profiles/
#   - https://istio.io/latest/docs/reference/config/security/authorization-policy/
# custom:
#   severity: high
#   kind: namespace
#   scope_on: [profile]
#   fail_on: [mesh, denies_by_default, open_policies, header_policies]
#   controls:
#     nist_800_53_r5: [AC-3, SC-7]
#     mitre_attack_containers: [T1078]
#     pci_dss_4: ["7.2.1"]
#     soc2: [CC6.3]
#   tags: [kubernetes, kubeflow, mesh]
#   covers:
#     v1/Namespace:
#       catalog: [K8S-AI-013]
#       fix:
#         manifest: "Install the deny-all AuthorizationPolicy (spec: {}) in the root namespace, and keep istio-injection: enabled on the profile."
package policies.ai.kubeflow_profile_isolated

import rego.v1

scope contains n.id if {
	some n in input.resources.namespace
	n.profile == true
}

fail contains {
	"id": n.id, "fact": "mesh", "expected": "istio", "tag": "mesh",
	"message": "its pods are in no mesh, so that no policy binds them",
} if {
	some n in input.resources.namespace
	n.id in scope
	n.mesh in {"none", "linkerd"}
}

fail contains {
	"id": n.id, "fact": "denies_by_default", "expected": true, "tag": "default",
	"message": "no policy denies what it does not name: any pod of the cluster may call what runs in it",
} if {
	some n in input.resources.namespace
	n.id in scope
	n.denies_by_default == false
}

fail contains {
	"id": n.id, "fact": "open_policies", "expected": [], "tag": "open",
	"message": sprintf("policies let callers in that they do not name: %s", [concat(", ", n.open_policies)]),
} if {
	some n in input.resources.namespace
	n.id in scope
	count(n.open_policies) > 0
}

fail contains {
	"id": n.id, "fact": "header_policies", "expected": [], "tag": "header",
	"message": sprintf("policies believe a header that any caller may write: %s", [concat(", ", n.header_policies)]),
} if {
	some n in input.resources.namespace
	n.id in scope
	count(n.header_policies) > 0
}
