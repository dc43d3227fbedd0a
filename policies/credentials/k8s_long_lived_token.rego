# METADATA
# title: No Secret holds a service account token
# description: >-
#   A Secret of type kubernetes.io/service-account-token never expires: it is Kubernetes' long-lived key. Read from
#   manifests; of a live cluster with --secret-metadata only, since who may list Secrets may read their values. Tokens that the cluster has
#   marked as invalid, and Secrets of kube-system, are let through.
# related_resources:
#   - https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets
# custom:
#   severity: high
#   kind: credential
#   scope_on: [credential_type, namespace]
#   fail_on: [expires, active]
#   controls:
#     cis_k8s_1.12: ["5.1.6"]
#     nist_800_53_r5: [IA-5, AC-2(3)]
#     mitre_attack_containers: [T1528, T1552.007]
#     pci_dss_4: ["8.3.9", "8.6.3"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     v1/Secret:
#       catalog: [K8S-CRED-001]
#       fix:
#         manifest: Delete the Secret; use `kubectl create token` or a projected serviceAccountToken volume.
package policies.credentials.k8s_long_lived_token

import rego.v1

scope contains c.id if {
	some c in input.resources.credential
	c.credential_type == "service_account_token"
	c.namespace != "kube-system"
}

fail contains {"id": c.id, "fact": "expires", "expected": "a bound token", "message": "its token never expires"} if {
	some c in input.resources.credential
	c.id in scope
	c.active == true
	c.expires == "never"
}
