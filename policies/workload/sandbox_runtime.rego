# METADATA
# title: Untrusted code runs in a sandboxed runtime
# description: >-
#   Notebooks, agents and their tools run code that nobody reviewed; only a runtime with a kernel of its own (Kata,
#   gVisor) keeps it from the node. The handler of the runtime class decides, not its name: nvidia and nvidia-cdi are no
#   sandboxes. Judged are notebooks, sandboxes of agents, and pods with a label of the parameter. A runtime class that
#   admission adds is seen on pods only.
# related_resources:
#   - https://kubernetes.io/docs/concepts/containers/runtime-class/
#   - https://cloud.google.com/kubernetes-engine/docs/concepts/sandbox-pods
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [pod_labels]
#   fail_on: [runtime_handler, runtime_class]
#   params:
#     handlers: [runsc, gvisor, "kata*"]
#     labels: [trust=untrusted, workload-trust=untrusted, "untrusted=true"]
#   controls:
#     cis_gke_1.9: ["5.10.3"]
#     nist_800_53_r5: [SC-39, SC-3]
#     mitre_attack_containers: [T1611]
#     soc2: [CC6.8]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-022]
#       fix:
#         manifest: Set runtimeClassName to a class of Kata or gVisor.
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
package policies.workload.sandbox_runtime

import data.policies.lib.names
import rego.v1

params := input.params["workload.sandbox_runtime"]

labelled(labels) if {
	some wanted in params.labels
	some key, value in labels
	sprintf("%s=%s", [key, value]) == wanted
}

scope contains w.id if {
	some w in input.resources.workload
	w.native_type in {"kubeflow.org/v1/Notebook", "agents.x-k8s.io/v1alpha1/Sandbox"}
}

scope contains w.id if {
	some w in input.resources.workload
	labelled(w.pod_labels)
}

said(class, _) := "runs untrusted code in the ordinary runtime" if class == ""

said(class, handler) := sprintf("names the runtime class %s, which does not exist", [class]) if {
	class != ""
	handler == ""
}

said(class, handler) := sprintf("runs untrusted code by the handler %s of the runtime class %s, which is no sandbox", [handler, class]) if {
	class != ""
	handler != ""
}

fail contains {"id": w.id, "fact": "runtime_handler", "expected": "a sandbox", "actual": handler, "message": message} if {
	some w in input.resources.workload
	w.id in scope
	handler := w.runtime_handler
	count([p | some p in params.handlers; names.matches(p, handler, "")]) == 0
	message := said(w.runtime_class, handler)
}
