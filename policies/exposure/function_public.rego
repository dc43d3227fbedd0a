# METADATA
# title: No function answers callers that nobody knows
# description: >-
#   A function in front of a model that anyone may call is a free proxy to it. Every function is judged, since nothing
#   tells which ones stand before a model. A web address of its own without authentication opens a function only
#   together with a policy that lets everyone call it; a policy that lets everyone call it opens it alone. Conditions
#   that narrow callers to accounts, organisations or resources count. Policies of aliases and versions are read only
#   where their web address asks for no authentication; gateways and load balancers before a function are not seen.
# related_resources:
#   - https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
#   - https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html
# custom:
#   severity: high
#   kind: workload
#   scope_on: []
#   fail_on: [policy_public]
#   controls:
#     nist_800_53_r5: [
#       AC-3, AC-3(7), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(9), SC-7(11), SC-7(16), SC-7(20), SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.4.6, 3.13.1, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#     mitre_atlas: [AML.T0049, AML.T0040]
#   covers:
#     AWS::Lambda::Function:
#       catalog: [AWS-PUB-007]
#       controls:
#         aws_fsbp: [Lambda.1]
#         cis_aws_7.0.0: ["2.21"]
#       fix:
#         cli: >-
#           aws lambda update-function-url-config --function-name NAME --auth-type AWS_IAM, and aws lambda
#           remove-permission --function-name NAME --statement-id ID
#         terraform: authorization_type = "AWS_IAM", and no aws_lambda_permission with principal = "*"
package policies.exposure.function_public

import rego.v1

scope contains w.id if some w in input.resources.workload

fail contains {"id": w.id, "fact": "policy_public", "expected": "no", "message": "its policy lets anyone call it"} if {
	some w in input.resources.workload
	w.id in scope
	w.policy_public == "yes"
}
