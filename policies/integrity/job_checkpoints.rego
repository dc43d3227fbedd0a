# METADATA
# title: Training that may be interrupted keeps checkpoints, and clusters replace faulty nodes
# description: >-
#   Spot capacity is taken back at any moment, and a job of many machines that runs for more than a day meets a fault
#   sooner or later: without checkpoints its state is lost. A job that uses a shared file system may keep them there, which
#   nobody can see, so it passes. `max_hours` is how long a job of several machines may run without them. A HyperPod
#   cluster must replace faulty nodes by itself. Jobs of the last 30 days are collected, running ones always. Whether the
#   training script writes and reads checkpoints is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/model-checkpoints.html
#   - https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-resiliency-slurm.html
# custom:
#   severity: medium
#   kind: model_service
#   scope_on: [service_type, spot, max_runtime_seconds, node_count]
#   fail_on: [checkpoint_uris, file_systems, auto_recovery]
#   params:
#     max_hours: 24
#   controls:
#     nist_800_53_r5: [CP-9, CP-10, SI-13(5)]
#     iso_27001_2022: [A.8.13, A.8.14]
#     soc2: [A1.2]
#   covers:
#     AWS::SageMaker::TrainingJob:
#       catalog: [AWS-RES-002]
#       fix:
#         cli: "aws sagemaker create-training-job … --checkpoint-config S3Uri=s3://BUCKET/PREFIX"
#     AWS::SageMaker::Cluster:
#       catalog: [AWS-RES-002]
#       fix:
#         cli: aws sagemaker update-cluster --cluster-name NAME --node-recovery Automatic …
package policies.integrity.job_checkpoints

import rego.v1

most := input.params["integrity.job_checkpoints"].max_hours * 3600

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "training_job"
	service.spot == true
}

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "training_job"
	service.max_runtime_seconds > most
	service.node_count > 1
}

scope contains service.id if {
	some service in input.resources.model_service
	service.service_type == "cluster"
}

fail contains {
	"id": service.id, "fact": "checkpoint_uris", "expected": "a place in a bucket", "actual": [],
	"message": "it may be interrupted, and keeps no checkpoints",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.service_type == "training_job"
	places := service.checkpoint_uris
	count(places) == 0
	shared := service.file_systems
	count(shared) == 0
}

fail contains {
	"id": service.id, "fact": "auto_recovery", "expected": true,
	"message": "it does not replace faulty nodes by itself",
} if {
	some service in input.resources.model_service
	service.id in scope
	service.service_type == "cluster"
	service.auto_recovery == false
}

safe contains service.id if {
	some service in input.resources.model_service
	service.id in scope
	count(service.checkpoint_uris) > 0
}

safe contains service.id if {
	some service in input.resources.model_service
	service.id in scope
	count(service.file_systems) > 0
}

safe contains service.id if {
	some service in input.resources.model_service
	service.id in scope
	service.service_type == "cluster"
	service.auto_recovery == true
}
