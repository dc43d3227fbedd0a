# METADATA
# title: Training and inference pods mount datasets read-only
# description: >-
#   Whoever takes over a trainer that can write to its data can poison it. A mount is one of a dataset where its path or
#   the name of its claim or volume says so (`paths`, `names`), and nothing in them speaks of what pods write (`written`).
#   Read-only is what the mount, the volume of the pod or the PersistentVolume says; the access mode ReadOnlyMany does not
#   make it so on every driver. Pods that bring data in (`ingest`, by name) are not judged, nor labels of claims, nor
#   mounts below a mount (recursiveReadOnly), nor the templates of claims of a StatefulSet. Where the claim or its volume
#   was not seen, a mount that the pod may write to is unknown.
# related_resources:
#   - https://kubernetes.io/docs/concepts/storage/volumes/#read-only-mounts
#   - https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator, ai_role, volume_mounts]
#   fail_on: [writable_mounts, writable_mounts_settled]
#   params:
#     paths: [/data, /dataset, /datasets, /mnt/data, /mnt/datasets]
#     names: [dataset, training-data, corpus]
#     written: [checkpoint, ckpt, output, result, scratch, cache, logs, tmp, workdir, workspace, home, model]
#     ingest: [ingest, download, import, prepare, preprocess, etl]
#   controls:
#     nist_800_53_r5: [AC-6, SI-7]
#     mitre_attack_containers: [T1565]
#     pci_dss_4: ["7.2.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, data]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-SUP-004]
#       fix:
#         manifest: "volumeMounts: [{name: data, mountPath: /data, readOnly: true}]"
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
package policies.integrity.k8s_dataset_read_only

import data.policies.lib.workload
import rego.v1

params := input.params["integrity.k8s_dataset_read_only"]

under(path, folder) if path == folder

under(path, folder) if startswith(path, sprintf("%s/", [folder]))

words(mount) := lower(sprintf("%s %s %s", [mount.claim, mount.volume, mount.path]))

named(mount) if {
	some folder in params.paths
	under(mount.path, folder)
}

named(mount) if {
	some word in params.names
	contains(lower(sprintf("%s %s", [mount.claim, mount.volume])), word)
}

dataset(mount) if {
	named(mount)
	count([word | some word in params.written; contains(words(mount), word)]) == 0
}

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
	w.ai_role in {"training", "inference"}
	count([word | some word in params.ingest; contains(lower(w.name), word)]) == 0
	some mount in w.volume_mounts
	dataset(mount)
}

safe contains w.id if {
	some w in input.resources.workload
	w.id in scope
	mounts := w.volume_mounts
	count([mount | some mount in mounts; dataset(mount); mount.read_only == false]) == 0
}

fail contains {
	"id": w.id, "fact": "writable_mounts", "expected": "readOnly: true",
	"actual": found, "tag": sprintf("%s %s", [found.container, found.path]),
	"message": sprintf("container %s can write to the dataset at %s", [found.container, found.path]),
} if {
	some w in input.resources.workload
	w.id in scope
	some mount in w.writable_mounts
	dataset(mount)
	found := {"container": mount.container, "path": mount.path, "claim": mount.claim}
}
