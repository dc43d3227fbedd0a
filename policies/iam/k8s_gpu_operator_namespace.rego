# METADATA
# title: Only administrators make pods in the namespaces of the GPU and Network Operators
# description: >-
#   Their namespaces admit privileged pods, so whoever may make a pod there owns the nodes. Counted are bindings in the namespace and of the
#   whole cluster that let users, groups, or service accounts of tenants make pods, Deployments, DaemonSets, Jobs and the like. Not
#   counted are the operator's own accounts, those of the platform, administrators of everything, and `administrators`.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/rbac-good-practices/#workload-creation
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html
# custom:
#   severity: medium
#   kind: operator
#   scope_on: []
#   fail_on: [pod_creators]
#   params:
#     administrators: []
#   controls:
#     nist_800_53_r5: [AC-6, CM-7]
#     mitre_attack_containers: [T1611]
#     soc2: [CC6.3]
#   tags: [kubernetes, gpu, rbac]
#   covers:
#     nvidia.com/v1/ClusterPolicy: &same
#       catalog: [K8S-GPU-012]
#       fix:
#         cli: kubectl delete rolebinding NAME -n NAMESPACE
#         manifest: Bind the role in the namespaces of the tenants, not here and not in the whole cluster.
#     nvidia.com/v1alpha1/GPUCluster: *same
#     mellanox.com/v1alpha1/NicClusterPolicy: *same
package policies.iam.k8s_gpu_operator_namespace

import rego.v1

params := input.params["iam.k8s_gpu_operator_namespace"]

scope contains o.id if {
	some o in input.resources.operator
}

fail contains {
	"id": o.id, "fact": "pod_creators", "expected": "administrators alone", "tag": tag,
	"message": sprintf("%s %s may make pods in namespace %s (binding %s)", [lower(c.kind), c.name, c.namespace, c.binding]),
} if {
	some o in input.resources.operator
	o.id in scope
	some c in o.pod_creators
	count([1 | some admin in params.administrators; admin == c.name]) == 0
	tag := sprintf("%s %s %s", [c.kind, c.name, c.binding])
}
