# METADATA
# title: Certificates in use are renewed before they expire
# description: >-
#   A certificate that runs out on an inference endpoint ends in clients that no longer check it. One of ACM that
#   something uses fails where it expires within `min_days` and nobody renews it by itself: it was imported or may not be
#   renewed, or its renewal failed or waits for somebody to prove the name. One that has expired fails whoever renews it.
#   Certificates kept in IAM fail once they have expired: what uses them is not seen. Those of CloudFront are in
#   us-east-1, which must be among the regions that are looked at. Certificates that nothing uses are not judged, nor are those that ACM lists
#   only where they are asked for by name: of Amazon's N2 roots, and of ACME clients, whose keys ACM does not hold.
# related_resources:
#   - https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html
#   - https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_server-certs.html
# custom:
#   severity: medium
#   kind: credential
#   scope_on: [credential_type, in_use]
#   fail_on: [expires, renewal]
#   params:
#     min_days: 30
#   controls:
#     nist_800_53_r5: [SC-7(16), SC-28(3)]
#     nist_800_171_r2: [3.13.1, 3.13.2, 3.13.8, 3.13.11]
#     iso_27001_2022: [A.8.5]
#     soc2: [CC6.7]
#     pci_dss_4: [
#       3.5.1.1, 3.5.1.3, 3.6.1, 3.6.1.2, 3.6.1.3, 3.6.1.4, 3.7.1, 3.7.2, 3.7.4, 3.7.5, 3.7.6, 3.7.7
#     ]
#   covers:
#     AWS::CertificateManager::Certificate:
#       catalog: [AWS-CRED-011]
#       controls:
#         aws_fsbp: [ACM.1]
#       fix:
#         cli: >-
#           aws acm import-certificate --certificate-arn ARN … with a new one, or put the CNAME records of its DNS validation
#           back
#         terraform: validation_method = "DNS" and aws_acm_certificate_validation, so that ACM renews it
#     AWS::IAM::ServerCertificate:
#       catalog: [AWS-CRED-011]
#       controls:
#         aws_fsbp: [IAM.26]
#         cis_aws_3.0.0: ["1.19"]
#         cis_aws_5.0.0: ["1.18"]
#         cis_aws_7.0.0: ["2.17"]
#       fix:
#         cli: aws iam delete-server-certificate --server-certificate-name NAME, and serve the name with one of ACM
#         terraform: aws_acm_certificate in place of aws_iam_server_certificate
package policies.credentials.certificate_expiry

import data.policies.lib.moment
import rego.v1

min_days := input.params["credentials.certificate_expiry"].min_days

why := {
	"manual": "nobody renews it but by hand",
	"waiting": "its renewal waits for the name to be proven",
	"failed": "its renewal has failed",
}

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "certificate"
	credential.in_use == true
}

scope contains credential.id if {
	some credential in input.resources.credential
	credential.credential_type == "certificate"
	credential.native_type == "AWS::IAM::ServerCertificate"
}

fail contains {
	"id": credential.id, "fact": "expires", "expected": sprintf("in %d days or later", [min_days]),
	"message": sprintf("it expires in %d days, and %s", [left, why[credential.renewal]]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	credential.in_use == true
	left := 0 - moment.days_since(credential.expires)
	left >= 0
	left < min_days
	why[credential.renewal]
}

fail contains {
	"id": credential.id, "fact": "expires", "expected": "still to come",
	"message": sprintf("it expired %d days ago", [days]),
} if {
	some credential in input.resources.credential
	credential.id in scope
	days := moment.days_since(credential.expires)
	days > 0
}

# Who renews one that lasts longer does not matter yet.
safe contains credential.id if {
	some credential in input.resources.credential
	credential.id in scope
	0 - moment.days_since(credential.expires) >= min_days
}
