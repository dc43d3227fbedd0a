# METADATA
# title: Pods cannot reach the instance metadata endpoint
# description: >-
#   169.254.169.254 hands the node's cloud role to whoever asks. The rule follows the network policies that select a
#   pod, of every engine (Kubernetes, Cilium, Calico, AdminNetworkPolicy). What the cloud does besides (IMDSv2 with a hop limit of 1, GKE's metadata server) is judged on the nodes. Pods
#   on the host's network always reach it. Pods that have ended are not judged.
# related_resources:
#   - https://kubernetes.io/docs/concepts/services-networking/network-policies/
#   - https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html
# custom:
#   severity: high
#   kind: workload
#   scope_on: [operator, finished]
#   fail_on: [metadata_reachable]
#   controls:
#     cis_gke_1.9: ["5.4.1"]
#     nist_800_53_r5: [SC-7, AC-3]
#     mitre_attack_containers: [T1552.005]
#     pci_dss_4: ["1.3.2"]
#     soc2: [CC6.6]
#   tags: [kubernetes, segmentation]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-NET-003]
#       fix:
#         manifest: "In egress rules to 0.0.0.0/0 write except: [169.254.169.254/32], under a policy with policyTypes: [Egress]."
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
package policies.network.k8s_metadata_blocked

import data.policies.lib.workload
import rego.v1

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.finished == false
}

fail contains {"id": w.id, "fact": "metadata_reachable", "expected": false, "message": "its pods may open connections to 169.254.169.254"} if {
	some w in input.resources.workload
	w.id in scope
	w.metadata_reachable == true
}
