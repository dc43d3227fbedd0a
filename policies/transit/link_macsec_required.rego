# METADATA
# title: Dedicated links carry nothing that is not encrypted (MACsec)
# description: >-
#   A private line is not an encrypted line, and the bulk of a training corpus runs over it. `should_encrypt` falls back
#   to clear text without a word, so it fails as well. A connection in an aggregation group follows the group's mode,
#   and the group is judged in its place. MACsec ends at the Direct Connect location. Connections whose only transport
#   is a VPN are not told apart: waive them with the VPN as evidence. Terraform cannot ask for MACsec on an aggregation
#   group, so that of a plan is unknown.
# related_resources:
#   - https://docs.aws.amazon.com/directconnect/latest/UserGuide/MACsec.html
# custom:
#   severity: high
#   kind: link
#   scope_on: [state, link_type, bundle_id]
#   fail_on: [macsec_capable, encryption_mode]
#   covers:
#     AWS::DirectConnect::Connection:
#       catalog: [AWS-TLS-009]
#       controls:
#         nist_800_53_r5: [AC-17(2), SC-8, SC-8(1), SC-13]
#         nist_800_171_r2: [3.13.8]
#         iso_27001_2022: [A.8.20, A.8.24]
#         soc2: [CC6.7]
#         pci_dss_4: [4.2.1]
#       fix:
#         cli: >-
#           aws directconnect associate-mac-sec-key --connection-id ID --secret-arn ARN && aws directconnect
#           update-connection --connection-id ID --encryption-mode must_encrypt
#         terraform: >-
#           aws_dx_connection with request_macsec = true and encryption_mode = "must_encrypt", and
#           aws_dx_macsec_key_association
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
#           aws directconnect associate-mac-sec-key --connection-id LAG --secret-arn ARN && aws directconnect update-lag
#           --lag-id LAG --encryption-mode must_encrypt
package policies.transit.link_macsec_required

import rego.v1

said := {
	"should_encrypt": "falls back to clear text where MACsec is down (should_encrypt)",
	"no_encrypt": "does not encrypt (no_encrypt)",
	"unknown": "has no MACsec mode",
}

scope contains link.id if {
	some link in input.resources.link
	link.state == "available"
	link.link_type == "bundle"
}

scope contains link.id if {
	some link in input.resources.link
	link.state == "available"
	link.link_type == "circuit"
	link.bundle_id == ""
}

fail contains {
	"id": link.id, "fact": "macsec_capable", "expected": true,
	"message": "the port cannot encrypt: it is not MACsec-capable",
} if {
	some link in input.resources.link
	link.id in scope
	link.macsec_capable == false
}

fail contains {"id": link.id, "fact": "encryption_mode", "expected": "must_encrypt", "message": said[link.encryption_mode]} if {
	some link in input.resources.link
	link.id in scope
	link.macsec_capable == true
	link.encryption_mode in object.keys(said)
}
