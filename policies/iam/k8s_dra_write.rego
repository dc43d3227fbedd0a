# METADATA
# title: Only drivers and schedulers write what devices are and who has them
# description: >-
#   With writes on ResourceSlices, DeviceClasses, taint rules or the status of claims a tenant invents devices, or takes
#   those of others. From v1.36 the status is written by the subresources resourceclaims/binding and
#   resourceclaims/driver, the latter with verbs such as associated-node:update. In one namespace only its claims count.
#   A rule that names its objects (the driver) is let through, and so are service accounts of the parameter.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/hardening-guide/dynamic-resource-allocation/
#   - https://kubernetes.io/docs/reference/access-authn-authz/rbac/
# custom:
#   severity: medium
#   kind: grant
#   scope_on: [subjects, cluster_wide]
#   fail_on: [rules, rules_settled, role, cluster_wide]
#   params:
#     accounts:
#       [nvidia-dra-driver-gpu/*, gpu-operator/*, volcano-system/volcano-scheduler, kai-scheduler/*,
#        yunikorn/yunikorn-admin]
#   controls:
#     nist_800_53_r5: [AC-6]
#     mitre_attack_containers: [T1611]
#     soc2: [CC6.3]
#   tags: [kubernetes, rbac]
#   covers:
#     rbac.authorization.k8s.io/v1/RoleBinding: &same
#       catalog: [K8S-RBAC-016]
#       fix:
#         manifest: Grant them to the service account of the driver or the scheduler alone.
#     rbac.authorization.k8s.io/v1/ClusterRoleBinding: *same
package policies.iam.k8s_dra_write

import data.policies.lib.rbac
import rego.v1

accounts := input.params["iam.k8s_dra_write"].accounts

writes(r) if rbac.may(r, {"create", "update", "patch"})

# verbs of a driver: `associated-node:update`, `arbitrary-node:patch`
writes(r) if {
	some verb in r.verbs
	regex.match(`^(associated|arbitrary)-node:(\*|create|update|patch)$`, verb)
}

offends(_, r) if {
	rbac.on(r, {"resource.k8s.io"}, {"resourceclaims/status", "resourceclaims/binding", "resourceclaims/driver", "*/status", "*/binding", "*/driver"})
	writes(r)
	rbac.unnamed(r)
}

offends(g, r) if {
	g.cluster_wide == true
	rbac.on(r, {"resource.k8s.io"}, {"resourceslices", "deviceclasses", "devicetaintrules"})
	writes(r)
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
	"id": g.id, "fact": "rules", "expected": "no writes on devices and their allocation", "actual": rbac.path(g.role, r),
	"message": sprintf("%s may write what devices are, or who has them", [rbac.who(strangers)]),
} if {
	some g in input.resources.grant
	g.id in scope
	some r in g.rules
	offends(g, r)
	strangers := rbac.strangers(g.subjects, accounts)
	count(strangers) > 0
}
