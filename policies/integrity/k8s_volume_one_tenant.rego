# METADATA
# title: No volume leads to files that another tenant's volume leads to
# description: >-
#   Two volumes of the same file system, bucket or NFS export, one in the directory of the other, are the same files: what
#   one tenant writes another reads, or the other way round. Access points of EFS are apart, though whoever has the whole
#   file system has what they lead to. Sharing where nobody can write is not judged, nor are volumes bound to claims of
#   the platform. The same file system under two names (an alias in DNS, an address) is not recognised, nor a root that
#   several exports share. Tenants are told by `tenants` in `bartizan.yaml` or by labels of their namespaces. Access modes
#   are not asked: file systems do not enforce them.
# related_resources:
#   - https://kubernetes.io/docs/concepts/storage/persistent-volumes/
#   - https://kubernetes.io/docs/concepts/security/multi-tenancy/#storage-isolation
#   - https://docs.aws.amazon.com/efs/latest/ug/efs-access-points.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [backend_type]
#   fail_on: [shared_with, shared_with_settled]
#   controls:
#     nist_800_53_r5: [AC-4, SC-4]
#     mitre_attack_containers: [T1565]
#     pci_dss_4: ["7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, tenancy, data]
#   covers:
#     v1/PersistentVolume:
#       catalog: [K8S-SUP-005]
#       fix:
#         manifest: Give each tenant an access point, a bucket or a file system of its own.
package policies.integrity.k8s_volume_one_tenant

import rego.v1

scope contains v.id if {
	some v in input.resources.data_store
	v.backend_type in {"file", "bucket", "other"}
}

fail contains {
	"id": v.id, "fact": "shared_with", "expected": "one tenant", "actual": other, "tag": other.tenant,
	"message": sprintf("tenant %s has the same files by %s", [other.tenant, other.volume]),
} if {
	some v in input.resources.data_store
	v.id in scope
	some other in v.shared_with
}
