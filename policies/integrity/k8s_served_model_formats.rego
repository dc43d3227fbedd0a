# METADATA
# title: Served models are not unpickled
# description: >-
#   A pickled checkpoint runs what is in it when it is loaded. Wrong are the load formats pt and npcache, servers of
#   sklearn, PyTorch and MLflow models, files that end like pickles, and TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD. Right are
#   safetensors, ONNX and GGUF. vLLM, SGLang, TGI and Triton take what the repository has unless told otherwise: then the
#   format is unknown. Judged is what the service itself says; a serving runtime may add to it.
# related_resources:
#   - https://docs.pytorch.org/docs/stable/notes/serialization.html
#   - https://huggingface.co/docs/hub/security-pickle
# custom:
#   severity: medium
#   kind: model_service
#   scope_on: [model_servers, unsafe_formats]
#   fail_on: [unsafe_formats, formats_settled]
#   controls:
#     nist_800_53_r5: [SI-7, SI-10]
#     mitre_attack_containers: [T1059, T1195.002]
#     soc2: [CC6.8]
#   tags: [kubernetes, supply-chain]
#   covers:
#     serving.kserve.io/v1beta1/InferenceService:
#       catalog: [K8S-SUP-003]
#       fix:
#         manifest: Convert the weights to safetensors (or ONNX, GGUF), and say so (--load-format safetensors).
package policies.integrity.k8s_served_model_formats

import rego.v1

scope contains r.id if {
	some r in input.resources.model_service
	count(r.model_servers) > 0
}

scope contains r.id if {
	some r in input.resources.model_service
	count(r.unsafe_formats) > 0
}

fail contains {
	"id": r.id, "fact": "unsafe_formats", "expected": "none", "actual": c, "tag": tag,
	"message": sprintf("%s unpickles what it loads (%s)", [c.container, c.how]),
} if {
	some r in input.resources.model_service
	r.id in scope
	some c in r.unsafe_formats
	tag := sprintf("%s %s", [c.container, c.how])
}
