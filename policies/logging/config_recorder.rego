# METADATA
# title: AWS Config records what the AI factory is made of, in every region in use
# description: >-
#   Without the recorder nobody can tell what changed before an incident. `types` must be recorded in every region in use;
#   users, roles and policies, which are global, in one of them. Regions without a network of the account's own,
#   an instance or a service for models are not judged. Recorders that services keep for themselves do not count.
# related_resources:
#   - https://docs.aws.amazon.com/config/latest/developerguide/select-resources.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: [in_use]
#   fail_on: [recorder, records, recorded_types, unrecorded_types, global_types_recorded]
#   params:
#     types:
#       - AWS::EC2::Instance
#       - AWS::EC2::SecurityGroup
#       - AWS::EKS::Cluster
#       - AWS::FSx::FileSystem
#       - AWS::KMS::Key
#       - AWS::S3::Bucket
#       - AWS::SageMaker::EndpointConfig
#       - AWS::SageMaker::Model
#       - AWS::SageMaker::NotebookInstance
#   controls:
#     nist_800_53_r5: [CM-3, CM-6(1), CM-8, CM-8(2)]
#     iso_27001_2022: [A.8.15]
#     soc2: [CC2.1, CC3.1, CC3.4, CC8.1, PI1.3]
#     pci_dss_4: [10.2.1]
#   covers:
#     AWS::Config::ConfigurationRecorder:
#       catalog: [AWS-LOG-003]
#       controls:
#         aws_fsbp: [Config.1]
#         cis_aws_3.0.0: ["3.3"]
#         cis_aws_5.0.0: ["3.3"]
#         cis_aws_7.0.0: ["4.3"]
#       fix:
#         cli: aws configservice start-configuration-recorder --configuration-recorder-name NAME
#         terraform: >-
#           aws_config_configuration_recorder { recording_group { all_supported = true, include_global_resource_types = true } },
#           and aws_config_configuration_recorder_status with is_enabled = true
package policies.logging.config_recorder

import rego.v1

types := input.params["logging.config_recorder"].types

states := {
	"none": "no recorder keeps what changes",
	"off": "the recorder is off",
	"failing": "the recorder is on, and its last delivery failed",
}

scope contains account.id if {
	some account in input.resources.account
	account.in_use == true
}

fail contains {"id": account.id, "fact": "recorder", "tag": "recorder", "expected": "on", "message": message} if {
	some account in input.resources.account
	account.id in scope
	some state, message in states
	account.recorder == state
}

left_out contains [account.id, missing] if {
	some account in input.resources.account
	account.records == "some"
	kept := account.recorded_types
	recorded := {type | some type in kept}
	some missing in types
	count({missing} & recorded) == 0
}

left_out contains [account.id, missing] if {
	some account in input.resources.account
	account.records == "all_but"
	some missing in account.unrecorded_types
	some type in types
	type == missing
}

listed := {"some": "recorded_types", "all_but": "unrecorded_types"}

fail contains {
	"id": account.id, "fact": fact, "tag": "types", "expected": "all types of the AI factory",
	"actual": missing, "message": "some types of the AI factory are not recorded",
} if {
	some account in input.resources.account
	account.id in scope
	fact := listed[account.records]
	missing := sort([pair[1] | some pair in left_out; pair[0] == account.id])
	count(missing) > 0
}

fail contains {
	"id": account.id, "fact": "global_types_recorded", "tag": "global", "expected": true,
	"message": "no region's recorder keeps changes of users, roles and policies",
} if {
	some account in input.resources.account
	account.id in scope
	account.recorder == "on"
	account.global_types_recorded == false
}
