# METADATA
# title: Tasks mount network file systems by TLS
# description: >-
#   NFS is clear text unless the mount helper wraps it in TLS, and a task that says nothing mounts without. Datasets and
#   checkpoints then cross the network readable. Judged is the latest active revision of each family; a service that
#   still runs an older one, and file systems other than EFS, are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECS/latest/developerguide/efs-volumes.html
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [mounts]
#   fail_on: [mounts]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1)]
#     nist_800_171_r2: [3.13.8]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::ECS::TaskDefinition:
#       catalog: [AWS-TLS-013]
#       fix:
#         cli: aws ecs register-task-definition … with efsVolumeConfiguration.transitEncryption=ENABLED
#         terraform: "efs_volume_configuration { transit_encryption = \"ENABLED\" }"
package policies.transit.task_mounts_tls

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	count(w.mounts) > 0
}

fail contains {
	"id": w.id, "fact": "mounts", "expected": true,
	"actual": [mount], "tag": mount.volume,
	"message": sprintf("mounts the volume %s without TLS", [mount.volume]),
} if {
	some w in input.resources.workload
	w.id in scope
	some mount in w.mounts
	mount.tls == false
}
