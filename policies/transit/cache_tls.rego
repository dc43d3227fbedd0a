# METADATA
# title: Caches make their clients speak TLS
# description: >-
#   A semantic cache carries prompts and answers. Where TLS is only preferred, clear text is still taken. Memcached is not
#   judged, nor are serverless caches, which speak TLS always, nor single nodes that are in no replication group.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/in-transit-encryption.html
#   - https://docs.aws.amazon.com/memorydb/latest/devguide/in-transit-encryption.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [engine]
#   fail_on: [tls_required]
#   controls:
#     nist_800_53_r5: [AC-4, AC-17(2), IA-5(1), SC-7(4), SC-8, SC-8(1), SC-8(2), SC-12(3), SC-13, SC-23, SC-23(3), SI-7(6)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [2.2.7, 4.2.1, 4.2.1.1, 8.3.2]
#   covers:
#     AWS::ElastiCache::ReplicationGroup:
#       catalog: [AWS-TLS-016]
#       controls:
#         aws_fsbp: [ElastiCache.5]
#       fix:
#         cli: >-
#           aws elasticache modify-replication-group --replication-group-id GROUP --transit-encryption-enabled
#           --transit-encryption-mode preferred --apply-immediately; then, when all clients speak TLS, the mode required
#         terraform: 'transit_encryption_enabled = true and transit_encryption_mode = "required"'
#     AWS::MemoryDB::Cluster:
#       catalog: [AWS-TLS-016]
#       fix:
#         cli: aws memorydb create-cluster --snapshot-name SNAPSHOT --tls-enabled …, then move the clients
#         terraform: tls_enabled = true (the cluster is made anew)
package policies.transit.cache_tls

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.engine != "memcached"
}

fail contains {"id": store.id, "fact": "tls_required", "expected": true, "message": "clients may speak clear text"} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_required == false
}
