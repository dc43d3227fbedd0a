# METADATA
# title: No annotation of a Secret holds a copy of its values
# description: >-
#   kubectl apply and metacontroller keep the whole object that they applied in an annotation: whoever may read the
#   metadata of a Secret reads its values there. A live scan judges it with --secret-metadata, and never keeps the
#   annotation. Of a manifest it is not known how it is going to be applied.
# related_resources:
#   - https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/
#   - https://github.com/kubernetes/kubernetes/issues/23564
# custom:
#   severity: medium
#   kind: configuration
#   scope_on: [configuration_type]
#   fail_on: [applied_copies]
#   controls:
#     mitre_attack_containers: [T1552.007]
#     nist_800_53_r5: [SC-28, IA-5(7)]
#     pci_dss_4: ["3.5.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     v1/Secret:
#       catalog: [K8S-CRED-012]
#       fix:
#         cli: kubectl annotate secret NAME kubectl.kubernetes.io/last-applied-configuration- ; then apply with kubectl apply --server-side, and change the value.
package policies.credentials.k8s_secret_copies

import rego.v1

scope contains c.id if {
	some c in input.resources.configuration
	c.configuration_type == "secret"
}

fail contains {
	"id": c.id, "fact": "applied_copies", "expected": [],
	"message": sprintf("the annotation %s holds a copy of it", [name]),
} if {
	some c in input.resources.configuration
	c.id in scope
	some name in c.applied_copies
}
