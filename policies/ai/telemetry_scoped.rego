# METADATA
# title: Metrics of accelerators and models are for the monitoring alone
# description: >-
#   They tell which models run, how long prompts are and what a tenant uses. A Service gives them out on port 9400
#   (dcgm-exporter) or 8002 (Triton), or where Prometheus is told to scrape a port of a model server. It fails where a
#   node port or a load balancer that is not internal leads there, or pods of any namespace reach them. vLLM and
#   others have metrics on the port of their API: then it is judged as a whole. Ports of the host are not seen here.
# related_resources:
#   - https://docs.nvidia.com/datacenter/dcgm/latest/gpu-telemetry/dcgm-exporter.html
#   - https://kubernetes.io/docs/concepts/services-networking/network-policies/
# custom:
#   severity: low
#   kind: endpoint
#   scope_on: [telemetry]
#   fail_on: [telemetry_open, telemetry_settled]
#   controls:
#     nist_800_53_r5: [SC-7]
#     mitre_attack_containers: [T1613]
#     soc2: [CC6.6]
#   tags: [kubernetes, telemetry]
#   covers:
#     v1/Service:
#       catalog: [K8S-AI-016]
#       fix:
#         manifest: "A ClusterIP Service, and a network policy that admits the namespace of the monitoring alone."
package policies.ai.telemetry_scoped

import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	count(e.telemetry) > 0
}

fail contains {
	"id": e.id, "fact": "telemetry_open", "expected": "the namespace of the monitoring alone", "actual": o,
	"message": sprintf("metrics on port %d are reached %s", [o.port, how]),
} if {
	some e in input.resources.endpoint
	e.id in scope
	some o in e.telemetry_open
	how := words[o.way]
}

words := {
	"load balancer": "through a load balancer",
	"node port": "through a port of every node",
	"external address": "through an external address",
	"ingress": "through an ingress",
	"route": "through a route",
	"other namespaces": "from every namespace",
}
