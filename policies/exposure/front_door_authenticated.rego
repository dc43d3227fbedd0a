# METADATA
# title: Internet-facing inference front doors ask callers who they are
# description: >-
#   Tokens for everybody are an open wallet. No platform authentication seen: rules of a listener that forward without an
#   action of OIDC, Cognito or JWT validation before (one that lets through whom it cannot identify does not ask) and
#   without client certificates that are verified; methods and routes of an API without authorisation, API key or
#   resource policy, but for OPTIONS. Keys that the server itself asks for are not seen. A rule that asks for a header
#   and nothing else may stand for a secret of a CDN or not, and TCP is passed on as it comes: unknown. A listener
#   serves inference where it forwards to accelerators, to one of `ports`, or is part of inference by its tags; APIs are
#   all judged.
# related_resources:
#   - https://docs.aws.amazon.com/elasticloadbalancing/latest/application/listener-authenticate-users.html
#   - https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-control-access-to-api.html
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [endpoint_type, internet_facing, target_ports, accelerator_targets, ai_role]
#   fail_on: [open_rules, limited_by_policy, authentication_known]
#   params:
#     ports: [3000, 5000, 7860, 8000, 8001, 8002, 8080, 8081, 8265, 8443, 8500, 8501, 8888, 9000, 11434, 30000]
#   controls:
#     nist_800_53_r5: [AC-3, AC-4(21), CM-2, CM-2(2)]
#     nist_800_171_r2: [3.13.1, 3.13.5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [6.4.1, 6.4.2]
#     mitre_atlas: [AML.T0040, AML.T0034, AML.T0029]
#   covers:
#     AWS::ElasticLoadBalancingV2::Listener:
#       catalog: [AWS-PUB-011]
#       fix:
#         cli: >-
#           aws elbv2 modify-listener --listener-arn LISTENER --default-actions with Type=authenticate-oidc or
#           Type=jwt-validation before Type=forward; or make the load balancer internal
#         terraform: default_action { type = "authenticate-oidc" } before the one that forwards, or mutual_authentication { mode = "verify" }
#     AWS::ApiGateway::RestApi:
#       catalog: [AWS-PUB-011]
#       controls:
#         aws_fsbp: [APIGateway.8]
#       fix:
#         cli: >-
#           aws apigateway update-method --rest-api-id API --resource-id RESOURCE --http-method METHOD --patch-operations
#           op=replace,path=/authorizationType,value=AWS_IAM
#         terraform: authorization = "AWS_IAM", "COGNITO_USER_POOLS" or "CUSTOM"
#     AWS::ApiGatewayV2::Api:
#       catalog: [AWS-PUB-011]
#       controls:
#         aws_fsbp: [APIGateway.8]
#       fix:
#         cli: aws apigatewayv2 update-route --api-id API --route-id ROUTE --authorization-type JWT --authorizer-id AUTHORIZER
#         terraform: authorization_type = "JWT" or "AWS_IAM"
package policies.exposure.front_door_authenticated

import rego.v1

ports := {port | some port in input.params["exposure.front_door_authenticated"].ports}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "listener"
	door.internet_facing == true
	some port in door.target_ports
	port in ports
}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "listener"
	door.internet_facing == true
	door.accelerator_targets == true
}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "listener"
	door.internet_facing == true
	door.ai_role == "inference"
}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "api"
	door.internet_facing == true
}

fail contains {
	"id": door.id, "fact": "open_rules", "expected": [], "actual": rules,
	"message": sprintf("no platform authentication seen: %s", [concat(", ", rules)]),
} if {
	some door in input.resources.endpoint
	door.id in scope
	rules := door.open_rules
	count(rules) > 0
	door.limited_by_policy == false
}

# Proves nothing: where a header may be a secret this fact is unknown, and so is a verdict that does not fail.
seen contains door.id if {
	some door in input.resources.endpoint
	door.authentication_known == true
}
