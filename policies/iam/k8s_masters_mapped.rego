# METADATA
# title: No identity of AWS is mapped to system:masters
# description: >-
#   By the ConfigMap aws-auth in kube-system roles and users of AWS enter an EKS cluster; in system:masters they pass
#   every authorizer by. A cluster that takes access entries alone ignores the ConfigMap: whether it does is not seen
#   here.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html
#   - https://docs.aws.amazon.com/eks/latest/userguide/migrating-access-entries.html
# custom:
#   severity: medium
#   kind: configuration
#   scope_on: [namespace]
#   fail_on: [masters_mapped]
#   controls:
#     nist_800_53_r5: [AC-2, AC-6]
#     mitre_attack_containers: [T1078]
#     pci_dss_4: ["7.2.2", "8.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     v1/ConfigMap:
#       catalog: [K8S-RBAC-017]
#       fix:
#         manifest: Map the identity to a group of your own, or use access entries.
package policies.iam.k8s_masters_mapped

import rego.v1

scope contains c.id if {
	some c in input.resources.configuration
	c.name == "aws-auth"
	c.namespace == "kube-system"
}

fail contains {
	"id": c.id, "fact": "masters_mapped", "expected": "a group of your own", "actual": arn,
	"message": sprintf("%s is in system:masters", [arn]),
} if {
	some c in input.resources.configuration
	c.id in scope
	some arn in c.masters_mapped
}
