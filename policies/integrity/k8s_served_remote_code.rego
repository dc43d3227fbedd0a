# METADATA
# title: Served models bring no code that is run
# description: >-
#   trust_remote_code runs Python of the model's repository, with the pod's network, tokens and GPUs. Told by the flag
#   (alone it means yes, =false is no), by variables, and by the settings of Ray Serve LLM. vLLM from 0.10.1 to 0.17 runs
#   the code of two families of models whatever it is told (CVE-2026-27893). With a model that is not pinned it is worse;
#   that is a finding of its own. Configuration files in images are unknown. Judged is what the service itself says; a
#   serving runtime may add to it.
# related_resources:
#   - https://huggingface.co/docs/transformers/models#custom-models
#   - https://nvd.nist.gov/vuln/detail/CVE-2026-27893
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [model_servers, remote_code]
#   fail_on: [remote_code, remote_code_settled]
#   controls:
#     nist_800_53_r5: [CM-7, SI-7]
#     mitre_attack_containers: [T1059, T1195.002]
#     soc2: [CC6.8]
#   tags: [kubernetes, supply-chain]
#   covers:
#     serving.kserve.io/v1beta1/InferenceService:
#       catalog: [K8S-SUP-002]
#       fix:
#         manifest: Remove the flag; take a model that its library supports, or review the code and bake it into the image.
package policies.integrity.k8s_served_remote_code

import rego.v1

scope contains r.id if {
	some r in input.resources.model_service
	count(r.model_servers) > 0
}

scope contains r.id if {
	some r in input.resources.model_service
	count(r.remote_code) > 0
}

fail contains {
	"id": r.id, "fact": "remote_code", "expected": "none", "actual": c, "tag": c.container,
	"message": sprintf("%s runs code that comes with the model (%s)", [c.container, c.how]),
} if {
	some r in input.resources.model_service
	r.id in scope
	some c in r.remote_code
}
