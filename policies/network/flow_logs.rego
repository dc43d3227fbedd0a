# METADATA
# title: Networks of the AI factory record all their traffic in flow logs
# description: >-
#   Flow logs are the only record of who spoke with whom on the back end. Rejected traffic alone is not enough: a copy
#   that leaves is accepted traffic. A log that fails to deliver does not count, and logs of single subnets or
#   interfaces are not added up. Networks are judged that have nodes, or are a part of the factory by their tags or by
#   managed services in them; others are taken to be empty.
# related_resources:
#   - https://docs.aws.amazon.com/vpc/latest/userguide/flow-logs.html
# custom:
#   severity: medium
#   kind: network
#   scope_on: [has_nodes, ai_role]
#   fail_on: [flow_logs]
#   controls:
#     nist_800_53_r5: [AC-4(26), AU-2, AU-3, AU-6(3), AU-6(4), AU-12, CA-7, SI-7(8)]
#     nist_800_171_r2: [3.3.1, 3.3.3, 3.6.1, 3.6.2, 3.13.1, 3.14.6, 3.14.7]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22, A.8.23]
#     soc2: [CC7.2, CC7.3]
#     pci_dss_4: [5.3.4, 10.2.1, 10.2.1.1, 10.2.1.2, 10.2.1.3, 10.2.1.4]
#   covers:
#     AWS::EC2::VPC:
#       catalog: [AWS-NET-014]
#       controls:
#         aws_fsbp: [EC2.6]
#         cis_aws_3.0.0: ["3.7"]
#         cis_aws_5.0.0: ["3.7"]
#         cis_aws_7.0.0: ["4.7"]
#       fix:
#         cli: >-
#           aws ec2 create-flow-logs --resource-type VPC --resource-ids VPC --traffic-type ALL --log-destination-type s3
#           --log-destination BUCKET_ARN
#         terraform: "aws_flow_log with vpc_id and traffic_type = \"ALL\""
package policies.network.flow_logs

import rego.v1

scope contains network.id if {
	some network in input.resources.network
	network.has_nodes == true
}

scope contains network.id if {
	some network in input.resources.network
	network.ai_role in {"training", "inference", "data", "management", "fabric"}
}

fail contains {
	"id": network.id, "fact": "flow_logs", "expected": "an active flow log of all traffic",
	"message": "no active flow log records all traffic",
} if {
	some network in input.resources.network
	network.id in scope
	logs := network.flow_logs
	count([log | some log in logs; log.active == true; log.traffic == "all"]) == 0
}
