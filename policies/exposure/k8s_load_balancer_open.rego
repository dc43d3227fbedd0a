# METADATA
# title: Load balancers are internal or name who may connect
# description: >-
#   A Service of type LoadBalancer puts a model endpoint, a dashboard or a notebook on the internet. Internal by
#   annotation, by the controller's default or by the address it has, it passes; so does one whose source ranges are
#   narrower than the internet and its halves, though not every controller pays heed to them. Where the load
#   balancer's class is not known, it is unknown.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [service_type]
#   fail_on: [internet_facing, source_ranges]
#   controls:
#     cis_eks_1.8: ["5.4.5"]
#     cis_gke_1.9: ["5.6.7"]
#     cis_aks_1.8: ["5.4.5"]
#     nist_800_53_r5: [SC-7, AC-17]
#     mitre_attack_containers: [T1190, T1133]
#     pci_dss_4: ["1.4.1", "1.4.2"]
#     soc2: [CC6.6]
#   tags: [kubernetes, exposure]
#   covers:
#     v1/Service:
#       catalog: [K8S-NET-010]
#       fix:
#         manifest: Add the provider's internal annotation, or spec.loadBalancerSourceRanges.
package policies.exposure.k8s_load_balancer_open

import data.policies.lib.cidr
import rego.v1

scope contains e.id if {
	some e in input.resources.endpoint
	e.service_type == "LoadBalancer"
}

safe contains e.id if {
	some e in input.resources.endpoint
	e.id in scope
	e.internet_facing == false
}

everyone(ranges) if ranges == []

everyone(ranges) if {
	some range in ranges
	cidr.internet(range, 2, 4)
}

fail contains {"id": e.id, "fact": "source_ranges", "expected": "an internal address, or named ranges", "message": "its load balancer is open to the internet"} if {
	some e in input.resources.endpoint
	e.id in scope
	e.internet_facing == true
	everyone(e.source_ranges)
}
