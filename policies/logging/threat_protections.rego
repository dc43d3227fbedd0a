# METADATA
# title: The threat detector watches objects, Kubernetes, what runs on nodes, and the use of AI services
# description: >-
#   Theft from a bucket, a hijacked cluster, a miner on a GPU and stolen access to models are found by the protection that
#   watches for them. Runtime monitoring of EKS alone counts as runtime monitoring. Protection that a region does not
#   offer is not asked for. Whether agents run on the nodes is not seen: where GuardDuty does not put them there itself,
#   and on HyperPod, ask for its coverage.
# related_resources:
#   - https://docs.aws.amazon.com/guardduty/latest/ug/guardduty-features-activation-model.html
# custom:
#   severity: medium
#   kind: account
#   scope_on: [in_use, threat_detection]
#   fail_on: [s3_protection, eks_protection, runtime_protection, ai_protection]
#   controls:
#     nist_800_53_r5: [CA-7, SI-3(8), SI-4, SI-4(1), SI-4(2), SI-4(4), SI-4(5), SI-4(13)]
#     nist_800_171_r2: [3.14.6, 3.14.7]
#     iso_27001_2022: [A.5.28, A.8.15]
#     soc2: [CC7.1, CC7.2, CC7.3]
#     pci_dss_4: [11.5.1, 11.5.1.1]
#   covers:
#     AWS::GuardDuty::Detector:
#       catalog: [AWS-LOG-004]
#       controls:
#         aws_fsbp: [GuardDuty.5, GuardDuty.7, GuardDuty.10, GuardDuty.11]
#       fix:
#         cli: aws guardduty update-detector --detector-id ID --features Name=RUNTIME_MONITORING,Status=ENABLED
#         terraform: aws_guardduty_detector_feature with name = "RUNTIME_MONITORING" and status = "ENABLED"
package policies.logging.threat_protections

import rego.v1

scope contains account.id if {
	some account in input.resources.account
	account.in_use == true
	account.threat_detection == true
}

fail contains {
	"id": account.id, "fact": "s3_protection", "tag": "s3", "expected": "on",
	"message": "nobody watches reads and writes of objects in S3",
} if {
	some account in input.resources.account
	account.id in scope
	account.s3_protection == "off"
}

fail contains {
	"id": account.id, "fact": "eks_protection", "tag": "eks", "expected": "on",
	"message": "nobody watches the audit logs of Kubernetes clusters",
} if {
	some account in input.resources.account
	account.id in scope
	account.eks_protection == "off"
}

fail contains {
	"id": account.id, "fact": "runtime_protection", "tag": "runtime", "expected": "on",
	"message": "nobody watches what runs on nodes and in containers",
} if {
	some account in input.resources.account
	account.id in scope
	account.runtime_protection == "off"
}

fail contains {
	"id": account.id, "fact": "ai_protection", "tag": "ai", "expected": "on",
	"message": "nobody watches the use of AI services",
} if {
	some account in input.resources.account
	account.id in scope
	account.ai_protection == "off"
}
