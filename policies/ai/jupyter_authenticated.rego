# METADATA
# title: Jupyter servers ask for a token
# description: >-
#   An empty token and no password make a shell with the pod's cloud role of every notebook, for whoever reaches its
#   pods. It counts however the emptiness is quoted, and for the images of Kubeflow, which start so on purpose and
#   rely on the mesh: they pass only where its policies let no strangers in. A server on the loopback address passes.
#   Configuration files that are not named on the command line are not seen; a named one makes it unknown. An empty
#   JUPYTER_TOKEN is none: Jupyter then makes a token of its own.
# related_resources:
#   - https://jupyter-server.readthedocs.io/en/latest/operators/security.html
#   - https://github.com/kubeflow/kubeflow/blob/master/components/example-notebook-servers/jupyter/s6/services.d/jupyterlab/run
# custom:
#   severity: critical
#   kind: workload
#   scope_on: [servers]
#   fail_on: [servers_settled, mesh_guarded]
#   controls:
#     nist_800_53_r5: [IA-2]
#     mitre_attack_containers: [T1190, T1059]
#     pci_dss_4: ["8.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, notebook]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-012]
#       fix:
#         manifest: "Remove the empty token, or let a mesh policy admit the owner alone."
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
package policies.ai.jupyter_authenticated

import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product == "jupyter"
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	every s in w.servers {
		quiet(s)
	}
}

quiet(s) if s.product != "jupyter"

quiet(s) if s.listens == "loopback"

quiet(s) if s.auth == "key"

fail contains {
	"id": w.id, "fact": "servers", "expected": "a token, a password, or a mesh policy that names who may call",
	"actual": {"container": s.container, "auth": "none"},
	"message": sprintf("whoever reaches Jupyter in %s has a shell in it", [s.container]),
} if {
	some w in input.resources.workload
	w.id in scope
	some s in w.servers
	s.product == "jupyter"
	s.auth == "none"
	s.listens == "all"
	w.mesh_guarded == false
}
