# METADATA
# title: Workloads with accelerators wait in a queue where Kueue is installed
# description: >-
#   What skips the queue bypasses quotas and labels of tenants. Kueue leaves alone what names no queue, unless
#   `manageJobsWithoutQueueName` is true or the namespace has a LocalQueue called default. A queue of Volcano or KAI
#   counts as well. That the queue's integration for the type is switched on is not seen, nor whether its webhook fails
#   open: other rules judge webhooks. Where only Volcano or Slurm is installed nothing is judged.
# related_resources:
#   - https://kueue.sigs.k8s.io/docs/reference/kueue-config.v1beta2/
#   - https://kueue.sigs.k8s.io/docs/tasks/manage/enforce_job_management/
# custom:
#   severity: low
#   kind: workload
#   scope_on: [operator, in_platform, accelerator, queueing]
#   fail_on: [queueing]
#   controls:
#     nist_800_53_r5: [AC-3, SC-6]
#     mitre_attack_containers: [T1496]
#     soc2: [CC6.3]
#   tags: [kubernetes, tenancy]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-017]
#       fix:
#         manifest: "metadata.labels: {kueue.x-k8s.io/queue-name: NAME}, and manageJobsWithoutQueueName: true in Kueue's configuration"
#     argoproj.io/v1alpha1/Workflow: *same
#     argoproj.io/v1alpha1/WorkflowTemplate: *same
#     argoproj.io/v1alpha1/ClusterWorkflowTemplate: *same
#     ray.io/v1/RayCronJob: *same
#     ray.io/v1/RayJob: *same
#     ray.io/v1/RayService: *same
#     ray.io/v1/RayCluster: *same
#     trainer.kubeflow.org/v1alpha1/TrainJob: *same
#     jobset.x-k8s.io/v1alpha2/JobSet: *same
#     kubeflow.org/v1/PyTorchJob: *same
#     kubeflow.org/v1/TFJob: *same
#     kubeflow.org/v1/MPIJob: *same
#     kubeflow.org/v1/XGBoostJob: *same
#     kubeflow.org/v1/PaddleJob: *same
#     kubeflow.org/v1/JAXJob: *same
#     batch.volcano.sh/v1alpha1/Job: *same
#     leaderworkerset.x-k8s.io/v1/LeaderWorkerSet: *same
#     serving.kserve.io/v1beta1/InferenceService: *same
#     machinelearning.seldon.io/v1/SeldonDeployment: *same
#     kubeflow.org/v1/Notebook: *same
#     agents.x-k8s.io/v1alpha1/Sandbox: *same
#     sparkoperator.k8s.io/v1beta2/SparkApplication: *same
#     serving.knative.dev/v1/Service: *same
#     batch/v1/CronJob: *same
#     batch/v1/Job: *same
#     apps/v1/Deployment: *same
#     apps/v1/StatefulSet: *same
#     apps/v1/DaemonSet: *same
#     apps/v1/ReplicaSet: *same
#     v1/ReplicationController: *same
#     v1/PodTemplate: *same
#     v1/Pod: *same
package policies.ai.gpu_queue

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.in_platform == false
	w.accelerator == true
	w.queueing in {"queued", "bypassed"}
}

fail contains {"id": w.id, "fact": "queueing", "expected": "a queue", "message": "asks for accelerators past the queues of Kueue"} if {
	some w in input.resources.workload
	w.id in scope
	w.queueing == "bypassed"
}
