# METADATA
# title: Service accounts of different tenants do not share a cloud identity
# description: >-
#   What one tenant may do in the cloud the other may do, and the cloud's log cannot tell them apart. The account
#   `default` should have none: every pod that names no account is it. Several accounts of one tenant may share one.
#   Associations that EKS keeps outside the cluster (Pod Identity) are not seen. Tenants are told by `tenants` in
#   `bartizan.yaml` or by labels of their namespaces.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/iam-roles-for-service-accounts.html
#   - https://docs.cloud.google.com/kubernetes-engine/docs/how-to/workload-identity
# custom:
#   severity: medium
#   kind: identity
#   scope_on: [cloud_identity]
#   fail_on: [identity_shared_with, identity_shared_with_settled]
#   controls:
#     cis_eks_1.8: ["5.2.1"]
#     cis_gke_1.9: ["5.2.2"]
#     cis_aks_1.8: ["5.2.1"]
#     nist_800_53_r5: [AC-6, IA-4]
#     mitre_attack_containers: [T1078.004]
#     pci_dss_4: ["8.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, tenancy]
#   covers:
#     v1/ServiceAccount:
#       catalog: [K8S-CRED-008]
#       fix:
#         manifest: Give each service account a role of its own, and none to the account default.
package policies.credentials.k8s_cloud_identity_shared

import rego.v1

scope contains a.id if {
	some a in input.resources.identity
	a.cloud_identity != ""
}

fail contains {
	"id": a.id, "fact": "identity_shared_with", "expected": "an identity of its own", "actual": tenant, "tag": tenant,
	"message": sprintf("service accounts of %s may become the same cloud identity", [tenant]),
} if {
	some a in input.resources.identity
	a.id in scope
	some tenant in a.identity_shared_with
}

fail contains {
	"id": a.id, "fact": "cloud_identity", "expected": "none on the account default", "tag": "default",
	"message": "every pod of the namespace that names no account may become this cloud identity",
} if {
	some a in input.resources.identity
	a.id in scope
	a.name == "default"
}
