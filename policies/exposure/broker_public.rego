# METADATA
# title: Kafka clusters have no public address and let nobody in unauthenticated
# description: >-
#   Ingestion topics are where poisoned records enter: whoever can write to one writes training data. A cluster whose
#   answer names no way to authenticate lets everyone in who reaches it. Serverless clusters ask for IAM always and are
#   not judged; what access-control lists allow to those who did authenticate is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/msk/latest/developerguide/public-access.html
#   - https://docs.aws.amazon.com/msk/latest/developerguide/kafka_apis_iam.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [serverless]
#   fail_on: [internet_facing, anonymous_access]
#   controls:
#     nist_800_53_r5: [AC-3, AC-4, SC-7]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0020]
#   covers:
#     AWS::MSK::Cluster:
#       catalog: [AWS-PUB-010]
#       controls:
#         aws_fsbp: [MSK.4, MSK.6]
#       fix:
#         cli: >-
#           aws kafka update-connectivity --cluster-arn CLUSTER --current-version VERSION --connectivity-info
#           '{"PublicAccess": {"Type": "DISABLED"}}', and aws kafka update-security … --client-authentication
#           '{"Sasl": {"Iam": {"Enabled": true}}, "Unauthenticated": {"Enabled": false}}'
#         terraform: >-
#           public_access { type = "DISABLED" } in connectivity_info, and client_authentication { sasl { iam = true } }
package policies.exposure.broker_public

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.serverless == false
}

fail contains {
	"id": store.id, "fact": "internet_facing", "expected": false, "tag": "public",
	"message": "its brokers have addresses that the internet can reach",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.internet_facing == true
}

fail contains {
	"id": store.id, "fact": "anonymous_access", "expected": false, "tag": "anonymous",
	"message": "clients may connect without proving who they are",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.anonymous_access == true
}
