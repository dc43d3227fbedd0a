# METADATA
# title: Kafka brokers speak TLS only, with clients and with each other
# description: >-
#   What flows through the brokers becomes training data: whoever can read or change it on the way changes the model. A
#   cluster that takes both TLS and clear text takes clear text. Serverless clusters speak TLS always and are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [serverless]
#   fail_on: [tls_required, internal_tls]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-13]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [2.2.7, 4.2.1, 4.2.1.1, 8.3.2]
#   covers:
#     AWS::MSK::Cluster:
#       catalog: [AWS-TLS-015]
#       controls:
#         aws_fsbp: [MSK.1]
#       fix:
#         cli: >-
#           aws kafka update-security --cluster-arn CLUSTER --current-version VERSION --encryption-info
#           '{"EncryptionInTransit": {"ClientBroker": "TLS"}}' (traffic between brokers: make the cluster anew)
#         terraform: 'encryption_info { encryption_in_transit { client_broker = "TLS", in_cluster = true } }'
package policies.transit.broker_tls

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.serverless == false
}

fail contains {"id": store.id, "fact": "tls_required", "expected": true, "message": "clients may speak clear text"} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_required == false
}

fail contains {
	"id": store.id, "fact": "internal_tls", "expected": true,
	"message": "brokers speak clear text with each other",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.internal_tls == false
}
