# METADATA
# title: MACsec is up with a live key on every dedicated link that can encrypt
# description: >-
#   Configured is not the same as encrypting: a wrong key on the customer's router leaves the session down. Links that
#   cannot encrypt are judged by `transit.link_macsec_required`. A bundle is up where every member is, and has
#   the keys of its members, which are not asked for theirs.
# related_resources:
#   - https://docs.aws.amazon.com/directconnect/latest/UserGuide/MACsec.html
# custom:
#   severity: high
#   kind: link
#   scope_on: [state, macsec_capable]
#   fail_on: [encryption_up, macsec_keys, bundle_id]
#   covers:
#     AWS::DirectConnect::Connection:
#       catalog: [AWS-TLS-010]
#       controls:
#         nist_800_53_r5: [SC-8, SC-8(1), SC-12]
#         nist_800_171_r2: [3.13.8]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.7]
#         pci_dss_4: [4.2.1]
#       fix:
#         cli: >-
#           aws directconnect associate-mac-sec-key --connection-id ID --secret-arn ARN, with the CKN and CAK of the
#           customer router
#     AWS::DirectConnect::Lag:
#       catalog: [AWS-TLS-011]
#       controls:
#         nist_800_53_r5: [SC-8, SC-8(1)]
#         nist_800_171_r2: [3.13.8]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.7]
#         pci_dss_4: [4.2.1]
#       fix:
#         cli: >-
#           aws directconnect associate-mac-sec-key --connection-id LAG --secret-arn ARN, with the CKN and CAK of the
#           customer router
package policies.transit.link_macsec_up

import rego.v1

scope contains link.id if {
	some link in input.resources.link
	link.state == "available"
	link.macsec_capable == true
}

fail contains {"id": link.id, "fact": "encryption_up", "expected": true, "message": "MACsec is down"} if {
	some link in input.resources.link
	link.id in scope
	link.encryption_up == false
}

fail contains {"id": link.id, "fact": "macsec_keys", "expected": "at least 1", "message": "no MACsec key is associated"} if {
	some link in input.resources.link
	link.id in scope
	link.macsec_keys == 0
	link.bundle_id == ""
}
