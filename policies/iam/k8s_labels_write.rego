# METADATA
# title: Tenants cannot relabel namespaces or nodes
# description: >-
#   Labels of a namespace are its Pod Security level and the gate of administrative device access; labels of a node are
#   what the GPU Operator partitions and configures GPUs by (nvidia.com/mig.config, nvidia.com/cc.mode), and taints keep
#   tenants apart. In one namespace the rule speaks of that Namespace object, which a RoleBinding covers. A cluster-wide
#   rule that names its objects is let through, and so are service accounts of the parameter. Admission policies that
#   guard single labels are not seen.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/
#   - https://kubernetes.io/docs/concepts/security/pod-security-admission/
# custom:
#   severity: high
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [rules, rules_settled, role, cluster_wide]
#   params:
#     accounts:
#       [kubeflow/profiles-controller-service-account, gpu-operator/gpu-operator, gpu-operator/node-feature-discovery*, gpu-operator/nvidia-mig-manager, kube-system/cilium*, kube-system/aws-node, kube-system/cluster-autoscaler*, karpenter/karpenter, kube-system/karpenter]
#   controls:
#     nist_800_53_r5: [AC-6, CM-5]
#     mitre_attack_containers: [T1562.001]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3, CC8.1]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-015]
#       fix:
#         manifest: Remove update and patch, or guard the labels with a ValidatingAdmissionPolicy.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_labels_write

import data.policies.lib.rbac
import rego.v1

accounts := input.params["iam.k8s_labels_write"].accounts

# NOTE: a request for a Namespace object is a request in that namespace
offends(g, r) if {
	g.cluster_wide == false
	rbac.core(r, {"namespaces"})
	rbac.may(r, {"update", "patch"})
}

offends(g, r) if {
	g.cluster_wide == true
	rbac.core(r, {"namespaces", "nodes"})
	rbac.may(r, {"update", "patch"})
	rbac.unnamed(r)
}

exempt contains reason if {
	some g in input.resources.grant
	reason := rbac.exemption(g)
}

exempt contains reason if {
	some g in input.resources.grant
	some r in g.rules
	offends(g, r)
	reason := rbac.trust(g, accounts)
}

scope contains g.id if {
	some g in input.resources.grant
	count(rbac.outsiders(g.subjects)) > 0
}

fail contains {
	"id": g.id, "fact": "rules", "expected": "no update or patch on namespaces or nodes", "actual": rbac.path(g.role, r),
	"message": sprintf("%s may relabel namespaces or nodes", [rbac.who(strangers)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	offends(g, r)
	strangers := rbac.strangers(g.subjects, accounts)
	count(strangers) > 0
}
