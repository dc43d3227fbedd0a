# METADATA
# title: No pod takes a long-lived cloud key from a Secret
# description: >-
#   A Secret only hides a key that never rotates, from fewer readers. Told by the names of keys and variables that the pod
#   refers to, and by variables of a cloud that name a file of a mounted Secret; the Secret itself is never read. Reported
#   where the snapshot shows no workload identity for the service account (annotation, what webhooks put into pods,
#   associations of EKS); a key beside an identity is not judged. Where all keys of a Secret are taken, it is unknown
#   whether a cloud's is among them. Azure Files over SMB takes the account's key by design: there take NFS, or a CSI
#   driver with a workload identity; it is of medium severity, reported here as all others.
# related_resources:
#   - https://docs.aws.amazon.com/eks/latest/userguide/service-accounts.html
#   - https://kubernetes.io/docs/concepts/configuration/secret/
# custom:
#   severity: high
#   kind: workload
#   scope_on: [cloud_key_refs, secret_keys_settled, cloud_uses]
#   fail_on: [cloud_key_refs, secret_keys_settled, identity_seen]
#   controls:
#     cis_k8s_1.12: ["5.4.2"]
#     cis_eks_1.8: ["4.4.2"]
#     cis_gke_1.9: ["4.4.2"]
#     cis_aks_1.8: ["4.5.2"]
#     nist_800_53_r5: [IA-5, AC-2(3)]
#     mitre_attack_containers: [T1552.007]
#     pci_dss_4: ["8.6.3"]
#     soc2: [CC6.1]
#   tags: [kubernetes, secrets]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-CRED-004]
#       fix:
#         manifest: Federate the service account's identity (IRSA, EKS Pod Identity, GKE or AKS workload identity), drop the reference, and revoke the key.
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
package policies.credentials.k8s_cloud_key_secrets

import rego.v1

exempt contains {"id": w.id, "reason": "its service account has a workload identity: what the key is for is not seen"} if {
	some w in input.resources.workload
	count(w.cloud_key_refs) > 0
	w.identity_seen == true
}

scope contains w.id if {
	some w in input.resources.workload
	count(w.cloud_key_refs) > 0
}

scope contains w.id if {
	some w in input.resources.workload
	count(w.cloud_uses) > 0
}

named(r) := sprintf("%s (key %s of the Secret %s)", [r.variable, r.key, r.secret]) if {
	r.variable != ""
	r.key != ""
}

named(r) := sprintf("%s (a file of the Secret %s)", [r.variable, r.secret]) if {
	r.variable != ""
	r.key == ""
}

named(r) := sprintf("key %s of the Secret %s", [r.key, r.secret]) if r.variable == ""

fail contains {
	"id": w.id, "fact": "cloud_key_refs", "expected": "none", "actual": r,
	"message": sprintf("takes a static cloud key: %s", [shown]),
} if {
	some w in input.resources.workload
	w.id in scope
	w.identity_seen == false
	some r in w.cloud_key_refs
	shown := named(r)
}
