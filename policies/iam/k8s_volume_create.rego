# METADATA
# title: Only storage provisioners make PersistentVolumes
# description: >-
#   A PersistentVolume of one's own making is a folder of any node, or the volume of another tenant by its handle.
#   Service accounts of storage provisioners are named by the parameter. A rule that names its objects grants no create
#   at all.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
# custom:
#   severity: medium
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [rules, rules_settled, role]
#   params:
#     accounts:
#       [kube-system/ebs-csi-controller-sa, kube-system/efs-csi-controller-sa, kube-system/fsx-csi-controller-sa,
#        kube-system/csi-*, gce-pd-csi-driver/*, rook-ceph/rook-csi-*, longhorn-system/longhorn-service-account,
#        local-path-storage/local-path-provisioner-service-account]
#   controls:
#     cis_k8s_1.12: ["5.1.9"]
#     cis_eks_1.8: ["4.1.9"]
#     cis_aks_1.8: ["4.1.8"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1611]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding:
#       catalog: [K8S-RBAC-013]
#       fix:
#         manifest: Remove create on persistentvolumes; let a StorageClass provision them.
package policies.iam.k8s_volume_create

import data.policies.lib.rbac
import rego.v1

accounts := input.params["iam.k8s_volume_create"].accounts

offends(r) if {
	rbac.core(r, {"persistentvolumes"})
	rbac.may(r, {"create"})
	rbac.unnamed(r)
}

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

exempt contains reason if {
	some g in input.resources.grant
	some r in g.rules
	offends(r)
	reason := rbac.trust(g, accounts)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
	g.cluster_wide == true
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no create on persistentvolumes", "actual": rbac.path(g.role, r),
	"message": sprintf("%s may make volumes of any host path or handle", [rbac.who(strangers)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	offends(r)
	strangers := rbac.strangers(g.subjects, accounts)
	count(strangers) > 0
}
