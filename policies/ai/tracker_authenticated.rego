# METADATA
# title: MLflow servers that others reach ask who calls
# description: >-
#   Without --app-name MLflow knows no users: whoever reaches it reads and replaces models and artefacts. Its security
#   middleware, which looks at Host headers since 3.5.0, is no authentication, but with any host allowed or without it
#   every web page may call. What counts is a way from outside the cluster or from other namespaces on which nobody
#   asks who calls. basic-auth starts with admin and password1234: whether somebody changed it is not seen. With
#   gunicorn or a wrapper the settings are unknown. Servers are recognised by image and command line; one in an image
#   of another name that its own entrypoint starts is not seen.
# related_resources:
#   - https://mlflow.org/docs/latest/self-hosting/security/network
#   - https://mlflow.org/docs/latest/self-hosting/security/basic-http-auth
# custom:
#   severity: high
#   kind: workload
#   scope_on: [servers]
#   fail_on: [server_doors, server_doors_settled]
#   controls:
#     nist_800_53_r5: [IA-2]
#     mitre_attack_containers: [T1190]
#     pci_dss_4: ["2.2.2", "8.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, server]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-AI-014]
#       fix:
#         manifest: "--app-name basic-auth, with a password of its own, or a proxy that asks who calls; --allowed-hosts with its name."
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
package policies.ai.tracker_authenticated

import data.policies.lib.servers
import rego.v1

scope contains w.id if {
	some w in input.resources.workload
	some s in w.servers
	s.product == "mlflow"
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	every s in w.servers {
		quiet(s)
	}
}

quiet(s) if s.product != "mlflow"

quiet(s) if s.listens == "loopback"

quiet(s) if {
	s.auth == "key"
	s.unguarded == []
}

fail contains {
	"id": w.id, "fact": "server_doors", "expected": "callers who prove who they are", "actual": servers.shown(d),
	"message": sprintf("MLflow in %s asks nobody who he is and is reached %s", [d.container, reached]),
} if {
	some w in input.resources.workload
	w.id in scope
	some d in w.server_doors
	d.product == "mlflow"
	d.auth == "none"
	reached := servers.reached(d)
}

fail contains {
	"id": w.id, "fact": "server_doors", "expected": "checks of Host headers", "actual": servers.shown(d),
	"message": sprintf("MLflow in %s accepts %s and is reached %s", [d.container, concat(" and ", s.unguarded), reached]),
} if {
	some w in input.resources.workload
	w.id in scope
	some s in w.servers
	s.product == "mlflow"
	count(s.unguarded) > 0
	some d in w.server_doors
	d.product == "mlflow"
	d.container == s.container
	reached := servers.reached(d)
}
