# METADATA
# title: No pod loosens procMount, sysctls, SELinux, AppArmor or ulimits
# description: >-
#   The rest of the Pod Security baseline: an unmasked /proc (allowed to pods with a user namespace of their own), kernel
#   settings outside the namespaced safe list, SELinux users, roles and types of the host, AppArmor switched off, and
#   ulimits (from v1.37). What the pod sets is judged as it takes effect on each container.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/pod-security-standards/
# custom:
#   severity: medium
#   kind: workload
#   scope_on: [operator]
#   fail_on: [containers, sysctls, host_users, pod_settings]
#   params:
#     sysctls:
#       [kernel.shm_rmid_forced, net.ipv4.ip_local_port_range, net.ipv4.ip_unprivileged_port_start,
#        net.ipv4.tcp_syncookies, net.ipv4.ping_group_range, net.ipv4.ip_local_reserved_ports,
#        net.ipv4.tcp_keepalive_time, net.ipv4.tcp_fin_timeout, net.ipv4.tcp_keepalive_intvl,
#        net.ipv4.tcp_keepalive_probes, net.ipv4.tcp_rmem, net.ipv4.tcp_wmem, net.ipv4.tcp_slow_start_after_idle,
#        net.ipv4.tcp_notsent_lowat]
#     selinux_types:
#       [container_t, container_init_t, container_kvm_t, container_engine_t]
#   controls:
#     cis_k8s_1.12: ["5.6.3"]
#     cis_gke_1.9: ["4.2.1"]
#     nist_800_53_r5: [CM-7]
#     mitre_attack_containers: [T1611]
#     pci_dss_4: ["2.2.6"]
#     soc2: [CC6.8]
#     pss: [baseline]
#   tags: [kubernetes, pod]
#   covers:
#     argoproj.io/v1alpha1/CronWorkflow: &same
#       catalog: [K8S-POD-015]
#       fix:
#         manifest: Remove the override.
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
package policies.workload.unsafe_settings

import data.policies.lib.workload
import rego.v1

params := input.params["workload.unsafe_settings"]

exempt contains reason if {
	some w in input.resources.workload
	reason := workload.exemption(w)
}

scope contains w.id if {
	some w in input.resources.workload
	w.operator == ""
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "Default",
	"actual": workload.found(c, "proc_mount", c.proc_mount),
	"message": sprintf("%s mounts /proc as %s", [workload.title(c), c.proc_mount]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.proc_mount != "Default"
	w.host_users == true
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "an AppArmor profile",
	"actual": workload.found(c, "apparmor", c.apparmor),
	"message": sprintf("%s runs without AppArmor (Unconfined)", [workload.title(c)]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.apparmor == "Unconfined"
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "a type for containers",
	"actual": workload.found(c, "selinux_type", type),
	"message": sprintf("%s has the SELinux type %s", [workload.title(c), type]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	some type in ({c.selinux_type} - ({t | some t in params.selinux_types} | {""}))
}

fail contains {
	"id": w.id, "fact": "containers", "expected": "no SELinux user or role",
	"actual": workload.found(c, "selinux_user_or_role", part),
	"message": sprintf("%s sets the SELinux user or role %s", [workload.title(c), part]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	some part in [c.selinux_user, c.selinux_role]
	part != ""
}

fail contains {
	"id": w.id, "fact": "sysctls", "expected": "settings of the safe list", "actual": name,
	"message": sprintf("sets the kernel's %s", [name]),
} if {
	some w in input.resources.workload
	w.id in scope
	some name in ({s | some s in w.sysctls} - {s | some s in params.sysctls})
}

fail contains {
	"id": w.id, "fact": "pod_settings", "expected": "no ulimits", "actual": workload.found({"name": name}, "ulimits", true),
	"message": sprintf("container %s sets ulimits", [name]),
} if {
	some w in input.resources.workload
	w.id in scope
	some name in w.pod_settings.ulimits
}
