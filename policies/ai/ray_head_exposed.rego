# METADATA
# title: The head of a Ray cluster is not reached from outside the cluster
# description: >-
#   Dashboard, client and GCS run the code that they are given. What counts is every way to their ports: the type of
#   the Service that the operator makes, the ingress that it makes, and whatever else selects the head. A load
#   balancer that is known to be internal is spared, and an ingress or route that asks who calls; one that may ask is
#   unknown. With a token (ai.ray_token_auth) it is less grave. Who reaches a
#   ClusterIP within the cluster is judged by network.k8s_ingress_isolation. The dashboard-host says nothing: the
#   operator sets 0.0.0.0. Filters on the way are not looked at.
# related_resources:
#   - https://docs.ray.io/en/latest/ray-security/index.html
#   - https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html
# custom:
#   severity: critical
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [exposed_by, exposure_settled]
#   controls:
#     nist_800_53_r5: [SC-7, AC-17]
#     mitre_attack_containers: [T1190, T1133]
#     pci_dss_4: ["1.4.2"]
#     soc2: [CC6.6]
#   tags: [kubernetes, ray]
#   covers:
#     ray.io/v1/RayCluster: &same
#       catalog: [K8S-AI-003]
#       fix:
#         manifest: "serviceType: ClusterIP and no ingress; publish a proxy that asks who calls."
#     ray.io/v1/RayJob: *same
#     ray.io/v1/RayService: *same
package policies.ai.ray_head_exposed

import rego.v1

scope contains m.id if {
	some m in input.resources.model_service
	m.service_type == "ray"
}

fail contains {
	"id": m.id, "fact": "exposed_by", "expected": "no way from outside the cluster",
	"actual": {"way": w.way, "through": w.through, "ports": w.ports},
	"message": sprintf("%s (%s) leads to ports of the head that run code: %s", [w.through, w.way, concat(", ", ports)]),
} if {
	some m in input.resources.model_service
	m.id in scope
	some w in m.exposed_by
	ports := [sprintf("%d", [p]) | some p in w.ports]
}
