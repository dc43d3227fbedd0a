# METADATA
# title: No workload runs ingress-nginx, which is not mended any more
# description: >-
#   The project was retired in March 2026: weaknesses found since stay open, at the door of the cluster. It is recognised by its
#   image, whatever registry it is mirrored to, and by the program that it starts. Images of forks, which whoever made them may
#   mend, are unknown. The controller of F5, which is called alike, is not meant. Looked for in what controllers are deployed by.
# related_resources:
#   - https://kubernetes.io/blog/2025/11/11/ingress-nginx-retirement/
# custom:
#   severity: high
#   kind: workload
#   scope_on: []
#   fail_on: [ingress_nginx, ingress_nginx_settled]
#   controls:
#     nsa_cisa_1.2: [Upgrading and application security]
#     nist_800_53_r5: [SI-2, SA-22]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, ingress]
#   covers:
#     apps/v1/Deployment: &same
#       catalog: [K8S-NET-014]
#       fix:
#         manifest: Move to the Gateway API, or to an ingress controller that is mended.
#     apps/v1/DaemonSet: *same
#     apps/v1/StatefulSet: *same
#     apps/v1/ReplicaSet: *same
#     v1/Pod: *same
package policies.exposure.k8s_ingress_nginx

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
}

fail contains {
	"id": w.id, "fact": "ingress_nginx", "expected": [], "actual": [c],
	"message": sprintf("container %s is ingress-nginx, which was retired in March 2026", [c.container]), "tag": c.container,
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.ingress_nginx
	c.fork == false
}
