# METADATA
# title: Kubernetes API servers are not open to the internet
# description: >-
#   The API server schedules code on every GPU. A private endpoint beside the public one proves nothing. A public
#   endpoint passes where every CIDR is a narrow one: blocks wider than /`widest_v4` (IPv6: /`widest_v6`) count as the
#   internet, so two halves do not slip through. Give nodes the private endpoint before narrowing the public one.
#   Clusters are judged in whatever state they are.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html
# custom:
#   severity: critical
#   kind: cluster
#   scope_on: [api_public]
#   fail_on: [api_cidrs]
#   params:
#     widest_v4: 16
#     widest_v6: 32
#   controls:
#     nist_800_53_r5: [AC-3, AC-4, SC-7]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#     mitre_atlas: [AML.T0049]
#   covers:
#     AWS::EKS::Cluster:
#       catalog: [AWS-PUB-001]
#       controls:
#         aws_fsbp: [EKS.1]
#       fix:
#         cli: >-
#           aws eks update-cluster-config --name CLUSTER --resources-vpc-config
#           endpointPublicAccess=false,endpointPrivateAccess=true
#         terraform: "vpc_config { endpoint_public_access = false, endpoint_private_access = true }"
package policies.exposure.cluster_api_open

import data.policies.lib.cidr
import rego.v1

limits := {
	"widest_v4": input.params["exposure.cluster_api_open"].widest_v4,
	"widest_v6": input.params["exposure.cluster_api_open"].widest_v6,
}

scope contains cluster.id if {
	some cluster in input.resources.cluster
	cluster.api_public == true
}

fail contains {
	"id": cluster.id, "fact": "api_cidrs", "expected": "narrow CIDRs, or no public endpoint",
	"message": sprintf("the API server is open to %s", [concat(", ", sort(open))]),
} if {
	some cluster in input.resources.cluster
	cluster.id in scope
	open := {block | some block in cluster.api_cidrs; cidr.internet(block, limits.widest_v4, limits.widest_v6)}
	count(open) > 0
}

fail contains {
	"id": cluster.id, "fact": "api_cidrs", "expected": "narrow CIDRs, or no public endpoint",
	"message": "the API server is open to everyone: no CIDR narrows it",
} if {
	some cluster in input.resources.cluster
	cluster.id in scope
	count(cluster.api_cidrs) == 0
}
