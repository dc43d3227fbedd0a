# METADATA
# title: Served models run in a network of the customer, and their containers make no network calls
# description: >-
#   A poisoned pickle in a model's container must not call out. Models that an endpoint serves are judged; models for
#   batch transforms alone are not seen as served, and are not applicable, nor is what an endpoint outside a plan serves
#   known to the plan. An isolated model passes, served or not. An endpoint configuration of inference components names no
#   models: its own network and isolation count then. Some modes of
#   multi-model endpoints do not work with network isolation; waive those.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/host-vpc.html
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/mkt-algo-model-internet-free.html
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type, served, model_ids]
#   fail_on: [network_isolation, subnet_ids]
#   controls:
#     nist_800_53_r5: [AC-4, SC-7]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0011.000, AML.T0018.002]
#   covers:
#     AWS::SageMaker::Model:
#       catalog: [AWS-NET-020]
#       controls:
#         aws_fsbp: [SageMaker.5]
#       fix:
#         cli: "aws sagemaker create-model … --enable-network-isolation --vpc-config SecurityGroupIds=GROUP,Subnets=SUBNET"
#         terraform: enable_network_isolation = true, and vpc_config (the model is made anew)
#     AWS::SageMaker::EndpointConfig:
#       catalog: [AWS-NET-020]
#       fix:
#         cli: >-
#           aws sagemaker create-endpoint-config … --enable-network-isolation --vpc-config
#           SecurityGroupIds=GROUP,Subnets=SUBNET, then update-endpoint
package policies.network.model_isolated

import rego.v1

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "model"
	service.served == true
}

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "endpoint_config"
	service.served == true
	models := service.model_ids
	count(models) == 0
}

# Whatever serves it: it is isolated.
safe contains service.id if {
	some service in input.resources.model_service
	service.service_type == "model"
	service.network_isolation == true
	count(service.subnet_ids) > 0
}

exempt contains {"id": service.id, "reason": "its models are judged one by one"} if {
	some service in input.resources.model_service
	service.service_type == "endpoint_config"
	count(service.model_ids) > 0
}

fail contains {
	"id": service.id, "fact": "network_isolation", "expected": true,
	"message": "its containers may make network calls",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.network_isolation == false
}

fail contains {
	"id": service.id, "fact": "subnet_ids", "expected": "subnets of the customer",
	"message": "it is served from a network of the provider",
} if {
	some service in input.resources.model_service
	service.id in scope
	subnets := service.subnet_ids
	count(subnets) == 0
}
