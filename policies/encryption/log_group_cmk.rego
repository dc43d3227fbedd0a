# METADATA
# title: Log groups of training, inference and model invocations use a customer-managed key
# description: >-
#   Invocation logs hold whole prompts and completions, job logs hold samples of the data. Judged are the group that
#   Bedrock's invocation logging names, whatever it is called, and groups whose names match `names` (`*` is any text
#   without a slash, `**` any text). Only a customer's key can be set on a log group; where none is set the service's own
#   encrypts it. The bucket of invocation logs is judged as a bucket, the trail's log group like any other.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
#   - https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type, log_group_name, invocation_log]
#   fail_on: [key_manager]
#   params:
#     names: ["/aws/sagemaker/**", "/aws/eks/**", "/aws/bedrock*", "/aws/bedrock*/**", "/aws/containerinsights/**"]
#   controls:
#     nist_800_53_r5: [AU-9(3), CP-9, SC-8(3), SC-8(4), SC-13, SC-28(1), SI-19(4)]
#     nist_800_171_r2: [3.3.8, 3.13.11, 3.13.16]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC7.3, PI1.4]
#     pci_dss_4: [3.5.1]
#     mitre_atlas: [AML.T0057]
#   covers:
#     AWS::Logs::LogGroup:
#       catalog: [AWS-ENC-030]
#       fix:
#         cli: aws logs associate-kms-key --log-group-name GROUP --kms-key-id KEY_ARN
#         terraform: kms_key_id = aws_kms_key.NAME.arn
package policies.encryption.log_group_cmk

import rego.v1

names := input.params["encryption.log_group_cmk"].names

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "log_group"
	store.invocation_log == true
}

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "log_group"
	some pattern in names
	glob.match(pattern, ["/"], store.log_group_name)
}

fail contains {
	"id": store.id, "fact": "key_manager", "expected": "customer",
	"message": "no customer-managed key encrypts its records",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager == "provider"
}
