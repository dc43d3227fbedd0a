# METADATA
# title: Kubernetes clusters keep their audit and authenticator logs
# description: >-
#   Without them nobody can say who opened a shell in a training pod. `types` lists the control-plane logs that must be
#   on. Clusters are judged in whatever state they are.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html
# custom:
#   severity: high
#   kind: cluster
#   scope_on: []
#   fail_on: [audit_logs]
#   params:
#     types: [audit, authenticator]
#   controls:
#     nist_800_53_r5: [AU-2, AU-12, SI-4]
#     iso_27001_2022: [A.8.15]
#     soc2: [CC7.2]
#     pci_dss_4: [10.2.1, 10.2.1.1, 10.2.1.2, 10.2.1.3, 10.2.1.4, 10.2.1.5, 10.2.1.6, 10.2.1.7, 10.2.2, 10.3.1, 10.6.3]
#   covers:
#     AWS::EKS::Cluster:
#       catalog: [AWS-LOG-006]
#       controls:
#         aws_fsbp: [EKS.8]
#       fix:
#         cli: >-
#           aws eks update-cluster-config --name CLUSTER --logging '{"clusterLogging": [{"types": ["audit",
#           "authenticator"], "enabled": true}]}'
#         terraform: "enabled_cluster_log_types = [\"audit\", \"authenticator\"]"
package policies.logging.cluster_audit_logs

import rego.v1

types := {type | some type in input.params["logging.cluster_audit_logs"].types}

scope contains cluster.id if some cluster in input.resources.cluster

fail contains {
	"id": cluster.id, "fact": "audit_logs", "expected": sort(types),
	"message": sprintf("keeps no %s log", [concat(", ", sort(missing))]),
} if {
	some cluster in input.resources.cluster
	cluster.id in scope
	found := cluster.audit_logs
	missing := types - {type | some type in found}
	count(missing) > 0
}
