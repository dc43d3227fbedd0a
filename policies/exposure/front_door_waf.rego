# METADATA
# title: Internet-facing inference load balancers and REST APIs are behind a web application firewall
# description: >-
#   A web application firewall limits how often one caller may ask and drops known attacks. Network load balancers and
#   HTTP APIs cannot have one: the first are unknown here, the others are not judged. Nor can classic load balancers, which
#   fail: an application load balancer does the same with one. Of a REST API every stage must have
#   one. Whether its rules do anything is not looked at. A load balancer serves inference where it forwards to
#   accelerators, to one of `ports`, or is part of inference by its tags; REST APIs are all judged.
# related_resources:
#   - https://docs.aws.amazon.com/waf/latest/developerguide/how-aws-waf-works-resources.html
# custom:
#   severity: high
#   kind: endpoint
#   scope_on: [endpoint_type, internet_facing, target_ports, accelerator_targets, ai_role]
#   fail_on: [web_acl]
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
#     AWS::ElasticLoadBalancingV2::LoadBalancer:
#       catalog: [AWS-PUB-011]
#       controls:
#         aws_fsbp: [ELB.16]
#       fix:
#         cli: aws wafv2 associate-web-acl --web-acl-arn ACL --resource-arn BALANCER
#         terraform: aws_wafv2_web_acl_association with resource_arn of the load balancer
#     AWS::ElasticLoadBalancing::LoadBalancer:
#       catalog: [AWS-PUB-011]
#       fix:
#         console: Move to an application load balancer (the console's migration wizard), and associate a web ACL with it
#         terraform: aws_lb in place of aws_elb, and aws_wafv2_web_acl_association
#     AWS::ApiGateway::RestApi:
#       catalog: [AWS-PUB-011]
#       controls:
#         aws_fsbp: [APIGateway.4]
#       fix:
#         cli: aws wafv2 associate-web-acl --web-acl-arn ACL --resource-arn STAGE
#         terraform: aws_wafv2_web_acl_association with resource_arn of the stage
package policies.exposure.front_door_waf

import rego.v1

ports := {port | some port in input.params["exposure.front_door_waf"].ports}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "load_balancer"
	door.internet_facing == true
	some port in door.target_ports
	port in ports
}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "load_balancer"
	door.internet_facing == true
	door.accelerator_targets == true
}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "load_balancer"
	door.internet_facing == true
	door.ai_role == "inference"
}

scope contains door.id if {
	some door in input.resources.endpoint
	door.endpoint_type == "api"
	door.internet_facing == true
}

fail contains {
	"id": door.id, "fact": "web_acl", "expected": "a web application firewall",
	"message": "is open to the internet without a web application firewall",
} if {
	some door in input.resources.endpoint
	door.id in scope
	door.web_acl == ""
}
