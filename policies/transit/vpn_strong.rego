# METADATA
# title: VPN tunnels accept strong algorithms only
# description: >-
#   What is not limited for a tunnel is everything that is offered: IKEv1, SHA-1 and Diffie-Hellman group 2 among it.
#   Both tunnels and both phases are judged, whether or not they are up. The parameters are what may be accepted.
# related_resources:
#   - https://docs.aws.amazon.com/vpn/latest/s2svpn/VPNTunnels.html
# custom:
#   severity: medium
#   kind: link
#   scope_on: [link_type]
#   fail_on: [tunnels]
#   params:
#     ike_versions: [ikev2]
#     encryption: [AES256, AES256-GCM-16]
#     integrity: [SHA2-256, SHA2-384, SHA2-512]
#     least_group: 14
#   controls:
#     nist_800_53_r5: [AC-17(2), SC-8(1), SC-13]
#     nist_800_171_r2: [3.13.8]
#     iso_27001_2022: [A.8.20, A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::EC2::VPNConnection:
#       catalog: [AWS-TLS-012]
#       fix:
#         cli: >-
#           aws ec2 modify-vpn-tunnel-options --vpn-connection-id VPN --vpn-tunnel-outside-ip-address ADDRESS
#           --tunnel-options with IKEVersions ikev2, and AES256, SHA2 and groups from 14 up in both phases
#         terraform: >-
#           tunnel1_ike_versions = ["ikev2"] and the lists tunnel1_phase1_* and tunnel1_phase2_*, for tunnel2 as well
package policies.transit.vpn_strong

import rego.v1

limits := input.params["transit.vpn_strong"]

allowed := {"ike_versions": limits.ike_versions, "encryption": limits.encryption, "integrity": limits.integrity}

scope contains link.id if {
	some link in input.resources.link
	link.link_type == "vpn"
}

fail contains {
	"id": link.id, "fact": "tunnels", "expected": good, "actual": sort(weak),
	"message": sprintf("tunnel %s accepts %s", [tunnel.name, concat(", ", sort(weak))]),
} if {
	some link in input.resources.link
	link.id in scope
	some tunnel in link.tunnels
	some list, good in allowed
	accepted := tunnel[list]
	weak := {value | some value in accepted} - {value | some value in good}
	count(weak) > 0
}

fail contains {
	"id": link.id, "fact": "tunnels", "expected": limits.least_group, "actual": weak,
	"message": message,
} if {
	some link in input.resources.link
	link.id in scope
	some tunnel in link.tunnels
	groups := tunnel.dh_groups
	weak := [g | some g in groups; g < limits.least_group]
	count(weak) > 0
	shown := [sprintf("%d", [g]) | some g in weak]
	message := sprintf("tunnel %s accepts Diffie-Hellman group %s", [tunnel.name, concat(", ", shown)])
}
