# METADATA
# title: Served models come from within, or by a pinned revision
# description: >-
#   Who can change a repository on a public hub changes the weights, and the code, that start next. Right are paths,
#   volumes, stores of one's own, OCI images by digest, a revision of 40 hex digits, a hub within the own network, and
#   HF_HUB_OFFLINE. A branch or tag is no pin. vLLM before 0.22.0 does not load all files of a repository by the revision
#   (CVE-2026-47155); where its version is not known, a pinned model is unknown. Read are the flags and variables of vLLM,
#   SGLang, TGI, TEI, llama.cpp, Ollama, Triton, NIM, the command line of Hugging Face, KServe and Ray Serve LLM.
#   Adapters, draft models, and what programs load by themselves are not seen; variables that a Secret brings are taken
#   for credentials. Judged is what the service itself says; a serving runtime may add to it.
# related_resources:
#   - https://huggingface.co/docs/huggingface_hub/guides/download
#   - https://nvd.nist.gov/vuln/detail/CVE-2026-47155
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [models, model_servers]
#   fail_on: [models, models_settled]
#   controls:
#     nist_800_53_r5: [SR-3, SR-4, SI-7]
#     mitre_attack_containers: [T1195.002]
#     pci_dss_4: ["6.3.2"]
#     soc2: [CC8.1]
#   tags: [kubernetes, supply-chain]
#   covers:
#     serving.kserve.io/v1beta1/InferenceService: &same
#       catalog: [K8S-SUP-001]
#       fix:
#         manifest: Mirror the model into a store of your own, or pin --revision to a commit.
#     apps.nvidia.com/v1alpha1/NIMCache: *same
package policies.integrity.k8s_served_model_pinned

import rego.v1

scope contains r.id if {
	some r in input.resources.model_service
	count(r.model_servers) > 0
}

scope contains r.id if {
	some r in input.resources.model_service
	count(r.models) > 0
}

named(m) := "a model" if m.model == ""

named(m) := sprintf("the model %s", [m.model]) if m.model != ""

how := {
	"unpinned": "from a public hub, at whatever revision it has then",
	"branch": "from a public hub by a branch or tag, which can be moved",
	"tag": "from an OCI image by its tag, which can be moved",
	"web": "from a web server that is not one's own",
	"artifacts": "by a version of vLLM that does not load all files by the revision (CVE-2026-47155)",
}

fail contains {
	"id": r.id, "fact": "models", "expected": "a model from within, or a pinned revision", "actual": m, "tag": tag,
	"message": sprintf("loads %s %s", [named(m), how[m.flaw]]),
} if {
	some r in input.resources.model_service
	r.id in scope
	some m in r.models
	m.flaw in object.keys(how)
	tag := sprintf("%s %s", [m.container, m.model])
}
