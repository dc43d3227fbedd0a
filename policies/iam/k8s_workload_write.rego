# METADATA
# title: Nobody but its operators makes pods in the whole cluster
# description: >-
#   Who may create or change pods, or anything that makes them (Jobs, RayClusters, Notebooks, Workflows), reads every
#   Secret and holds every service account of the namespaces it may do so in. Bindings in one namespace are not judged,
#   and a rule that names its objects is let through. Resource types of other operators that template pods are not
#   known. Service accounts of operators are named by the parameter.
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
#       [kuberay-system/kuberay-operator, kubeflow/training-operator,
#        kubeflow-system/kubeflow-trainer-controller-manager, kubeflow/notebook-controller-service-account,
#        jobset-system/jobset-controller-manager, lws-system/lws-controller-manager,
#        kueue-system/kueue-controller-manager, volcano-system/volcano-controllers,
#        kserve/kserve-controller-manager, knative-serving/controller, argo/argo,
#        argocd/argocd-application-controller, spark-operator/spark-operator-controller, gpu-operator/gpu-operator]
#   controls:
#     cis_k8s_1.12: ["5.1.4"]
#     cis_eks_1.8: ["4.1.4"]
#     cis_aks_1.8: ["4.1.4"]
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1610]
#     pci_dss_4: ["7.2.2"]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding:
#       catalog: [K8S-RBAC-011]
#       fix:
#         manifest: Bind the role in the namespaces that need it, by RoleBindings.
package policies.iam.k8s_workload_write

import data.policies.lib.rbac
import rego.v1

accounts := input.params["iam.k8s_workload_write"].accounts

# What makes pods: the API group and its resources. A test compares it with the types that are read.
makers := {
	"": {"pods", "replicationcontrollers"},
	"apps": {"deployments", "daemonsets", "statefulsets", "replicasets"},
	"batch": {"jobs", "cronjobs"},
	"ray.io": {"rayclusters", "rayjobs", "rayservices", "raycronjobs"},
	"kubeflow.org": {"pytorchjobs", "tfjobs", "mpijobs", "xgboostjobs", "paddlejobs", "jaxjobs", "notebooks"},
	"trainer.kubeflow.org": {"trainjobs"},
	"jobset.x-k8s.io": {"jobsets"},
	"leaderworkerset.x-k8s.io": {"leaderworkersets"},
	"batch.volcano.sh": {"jobs"},
	"serving.kserve.io": {"inferenceservices"},
	"serving.knative.dev": {"services"},
	"machinelearning.seldon.io": {"seldondeployments"},
	"argoproj.io": {"workflows", "cronworkflows"},
	"agents.x-k8s.io": {"sandboxes"},
	"sparkoperator.k8s.io": {"sparkapplications"},
}

offends(r) if {
	some group, resources in makers
	rbac.on(r, {group}, resources)
	rbac.may(r, {"create", "update", "patch"})
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
	"id": g.id, "fact": "rules", "expected": "a binding in the namespaces that need it", "actual": rbac.path(g.role, r),
	"message": sprintf("%s may make or change pods of the whole cluster", [rbac.who(strangers)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	offends(r)
	strangers := rbac.strangers(g.subjects, accounts)
	count(strangers) > 0
}
