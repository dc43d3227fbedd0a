# METADATA
# title: No pod is on the host's network
# description: >-
#   A pod on the host's network passes every network policy by, reaches node-local services and the instance metadata
#   endpoint, and has the front end and the RDMA fabric in one namespace. Attach the fabric as a secondary network
#   instead.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: high
#   kind: workload
#   scope_on: [operator]
#   fail_on: [host_network]
#   controls:
#     cis_k8s_1.12: ["5.2.5"]
#     cis_eks_1.8: ["4.2.4"]
#     cis_gke_1.9: ["4.2.1"]
#     cis_aks_1.8: ["4.2.4"]
#     nist_800_53_r5: [SC-7, AC-4, AC-6]
#     mitre_attack_containers: [T1611, T1040]
#     pci_dss_4: ["1.3.1", "2.2.6"]
#     soc2: [CC6.1, CC6.6]
#     pss: [baseline]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-004]
#       fix:
#         manifest: Remove hostNetwork; attach the fabric with Multus (SR-IOV, host-device or macvlan) and request rdma/<pool>.
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
package policies.workload.host_network

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
}

fail contains {"id": w.id, "fact": "host_network", "expected": false, "message": "its pods are on the host's network"} if {
	some w in input.resources.workload
	w.id in scope
	w.host_network == true
}
