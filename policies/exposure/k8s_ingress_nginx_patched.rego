# METADATA
# title: ingress-nginx has the fixes of CVE-2025-1974
# description: >-
#   Before 1.11.5 and 1.12.1 whoever reaches the admission webhook from the pod network runs code in the controller, which reads all
#   Secrets of the cluster. The version is that of the tag: where the image is named by a digest alone it is unknown. Forks that
#   carry the fixes in older versions are told by their version as well.
# related_resources:
#   - https://kubernetes.io/blog/2025/03/24/ingress-nginx-cve-2025-1974/
# custom:
#   severity: critical
#   kind: workload
#   scope_on: [ingress_nginx]
#   fail_on: [ingress_nginx_outdated, ingress_nginx_outdated_settled]
#   controls:
#     nsa_cisa_1.2: [Upgrading and application security]
#     nist_800_53_r5: [SI-2, SA-22]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["6.3.3"]
#     soc2: [CC7.1]
#   tags: [kubernetes, ingress, vulnerability]
#   covers:
#     apps/v1/Deployment: &same
#       catalog: [K8S-NET-014]
#       fix:
#         manifest: Move to the Gateway API; until then run 1.12.1 or later.
#     apps/v1/DaemonSet: *same
#     apps/v1/StatefulSet: *same
#     apps/v1/ReplicaSet: *same
#     v1/Pod: *same
package policies.exposure.k8s_ingress_nginx_patched

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	count(w.ingress_nginx) > 0
}

fail contains {
	"id": w.id, "fact": "ingress_nginx_outdated", "expected": c.fixed, "actual": c.version,
	"message": sprintf("container %s runs ingress-nginx %s, without the fix of CVE-2025-1974", [c.container, c.version]), "tag": c.container,
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.ingress_nginx_outdated
}
