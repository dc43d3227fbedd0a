# METADATA
# title: Inference services that the outside sees ask who calls
# description: >-
#   KServe gives each service an address outside of the cluster unless it is cluster-local (by the label of its way of
#   deploying: KServe's own, or Knative's), asks nobody who calls, and speaks http unless its configuration says https.
#   Enough is: policies of the mesh that admit known callers only, at the service or at the gateways, or the proxy of the
#   platform (enable-auth). A policy that lets gateways in (by the usual names of their accounts and namespaces), or
#   everyone of the mesh, says nothing of who calls from outside. A policy with an empty spec denies everything, one with
#   an empty rule allows everything, and one that only denies something is no authentication; rules for any token
#   (requestPrincipals *) count, whoever issued it. Where an Ingress in front may ask who calls, or one of several gateways
#   does, the verdict is unknown; IAP and the like, which the cluster does not show, are not seen. So is whether a Seldon
#   installation publishes what it deploys, and the domain that Knative gives.
# related_resources:
#   - https://kserve.github.io/website/docs/admin-guide/overview
#   - https://istio.io/latest/docs/reference/config/security/authorization-policy/
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type, public]
#   fail_on: [callers_known, url_scheme]
#   controls:
#     nist_800_53_r5: [AC-3, IA-2]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["8.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, inference]
#   covers:
#     serving.kserve.io/v1beta1/InferenceService: &same
#       catalog: [K8S-AI-011]
#       fix:
#         manifest: "Label networking.kserve.io/visibility (deployed by Knative: networking.knative.dev/visibility): cluster-local, or an AuthorizationPolicy that names principals; urlScheme: https."
#     serving.kserve.io/v1alpha1/LLMInferenceService: *same
#     machinelearning.seldon.io/v1/SeldonDeployment: *same
#     apps.nvidia.com/v1alpha1/NIMService: *same
package policies.ai.inference_authorised

import rego.v1

scope contains m.id if {
	some m in input.resources.model_service
	m.service_type == "inference_service"
	m.public == true
}

fail contains {
	"id": m.id, "fact": "callers_known", "expected": true, "tag": "callers",
	"message": "it is seen from outside the cluster, and nobody asks who calls",
} if {
	some m in input.resources.model_service
	m.id in scope
	m.callers_known == false
}

fail contains {
	"id": m.id, "fact": "url_scheme", "expected": "https", "tag": "scheme",
	"message": "its address outside the cluster is http",
} if {
	some m in input.resources.model_service
	m.id in scope
	m.url_scheme == "http"
}
