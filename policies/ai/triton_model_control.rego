# METADATA
# title: Nobody loads models into Triton while it runs
# description: >-
#   A model may be Python code, so whoever may load one, or write to the repository that Triton polls, runs code
#   (CVE-2023-31036). The mode explicit passes where model-repository is restricted on HTTP and gRPC both, or a
#   protocol is off; poll where the repository is mounted read-only. A repository in object storage counts as one that
#   others write to. The default mode is none. In a wrapper the arguments are unknown. Whether others reach it is not
#   asked.
# related_resources:
#   - https://github.com/triton-inference-server/server/blob/main/docs/customization_guide/deploy.md
#   - https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/user_guide/model_management.html
# custom:
#   severity: high
#   kind: workload
#   scope_on: [servers]
#   fail_on: [servers_settled]
#   controls:
#     nist_800_53_r5: [CM-7, AC-3]
#     mitre_attack_containers: [T1190, T1059]
#     pci_dss_4: ["2.2.4"]
#     soc2: [CC6.1]
#   tags: [kubernetes, server]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-008]
#       fix:
#         manifest: "--model-control-mode=none; or --http-restricted-api and --grpc-restricted-protocol with model-repository."
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
package policies.ai.triton_model_control

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product == "triton"
}

fail contains {
	"id": w.id, "fact": "servers", "expected": "--model-control-mode=none",
	"actual": {"container": s.container, "model_control": "explicit", "open_protocols": s.open_protocols},
	"message": sprintf("whoever reaches %s loads models into it by %s", [s.container, concat(" and ", s.open_protocols)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some s in w.servers
	s.product == "triton"
	s.model_control == "explicit"
	count(s.open_protocols) > 0
}

fail contains {
	"id": w.id, "fact": "servers", "expected": "--model-control-mode=none",
	"actual": {"container": s.container, "model_control": "poll", "repository": s.repository},
	"message": sprintf("%s loads whatever appears in its repository, which is %s", [s.container, s.repository]),
} if {
	some w in input.resources.workload
	w.id in scope
	some s in w.servers
	s.product == "triton"
	s.model_control == "poll"
	s.repository in {"remote", "writable"}
}
