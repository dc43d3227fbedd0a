# METADATA
# title: The rendezvous ports of training jobs are closed to other namespaces
# description: >-
#   Behind these ports a job's processes find each other: torch.distributed's TCPStore, the parameter servers of
#   TensorFlow, Ray's GCS. Nobody is asked for a password, and what comes in is unpickled. The rule looks at the ports
#   that the operators open by default and at well-known ones that containers declare (29500, 23456; 2222, 6379, 10001
#   and 50000 to 50009 beside accelerators, since other software uses those as well), and at whether network policies let
#   pods of other namespaces, or everyone, connect: pods whose creators pick their labels, in namespaces that no policy
#   names. Ports that stand only in command lines are not seen, nor those of the runtimes of inference services. Pods on the host's network are unknown, since policies do
#   not bind them. In manifests a missing policy proves nothing. Pods that have ended are not judged.
# related_resources:
#   - https://docs.vllm.ai/en/stable/usage/security.html
#   - https://pytorch.org/docs/stable/distributed.html
#   - https://kubernetes.io/docs/concepts/services-networking/network-policies/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [finished, rendezvous_ports]
#   fail_on: [rendezvous_open]
#   controls:
#     nist_800_53_r5: [SC-7]
#     mitre_attack_containers: [T1210]
#     pci_dss_4: ["1.3.1"]
#     soc2: [CC6.6]
#   tags: [kubernetes, segmentation, ai]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-NET-016]
#       fix:
#         manifest: |-
#           apiVersion: networking.k8s.io/v1
#           kind: NetworkPolicy
#           metadata: {name: my-job}
#           spec:
#             podSelector: {matchLabels: {job: my-job}}
#             policyTypes: [Ingress]
#             ingress: [{from: [{podSelector: {matchLabels: {job: my-job}}}]}]
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
package policies.network.k8s_rendezvous_isolation

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	w.finished == false
	count(w.rendezvous_ports) > 0
}

fail contains {
	"id": w.id, "fact": "rendezvous_open", "expected": [], "actual": port, "tag": sprintf("%d", [port]),
	"message": sprintf("network policies let pods of other namespaces connect to its rendezvous port %d", [port]),
} if {
	some w in input.resources.workload
	w.id in scope
	some port in w.rendezvous_open
}
