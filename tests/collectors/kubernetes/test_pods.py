"""Pod specs of every type, and what their containers say once everything is inherited and written out."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.pods import hazards
from collectors.kubernetes.shapes import pods_at
from collectors.kubernetes.tables import WORKLOADS
from scanner.model import Reason
from tests.collectors.kubernetes.objects import container, deployment, one, pod, projected, thing

SPEC = {"containers": [container()]}
TEMPLATE = {"metadata": {"labels": {"app": "x"}}, "spec": SPEC}

SHAPES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("v1/Pod", {"spec": SPEC}, [""]),
    ("v1/ReplicationController", {"spec": {"template": TEMPLATE}}, [""]),
    ("v1/PodTemplate", {"template": TEMPLATE}, [""]),
    ("apps/v1/Deployment", {"spec": {"template": TEMPLATE}}, [""]),
    ("apps/v1/StatefulSet", {"spec": {"template": TEMPLATE}}, [""]),
    ("apps/v1/DaemonSet", {"spec": {"template": TEMPLATE}}, [""]),
    ("apps/v1/ReplicaSet", {"spec": {"template": TEMPLATE}}, [""]),
    ("batch/v1/Job", {"spec": {"template": TEMPLATE}}, [""]),
    ("batch/v1/CronJob", {"spec": {"jobTemplate": {"spec": {"template": TEMPLATE}}}}, [""]),
    (
        "ray.io/v1/RayCluster",
        {
            "spec": {
                "headGroupSpec": {"template": TEMPLATE},
                "workerGroupSpecs": [{"groupName": "gpu", "template": TEMPLATE}, {"template": TEMPLATE}],
            }
        },
        ["head", "gpu", "1"],
    ),
    (
        "ray.io/v1/RayJob",
        {"spec": {"rayClusterSpec": {"headGroupSpec": {"template": TEMPLATE}}, "submitterPodTemplate": TEMPLATE}},
        ["head", "submitter"],
    ),
    ("ray.io/v1/RayCronJob", {"spec": {"jobTemplate": {"rayClusterSpec": {"headGroupSpec": {"template": TEMPLATE}}}}}, ["head"]),
    ("ray.io/v1/RayService", {"spec": {"rayClusterConfig": {"headGroupSpec": {"template": TEMPLATE}}}}, ["head"]),
    (
        "kubeflow.org/v1/PyTorchJob",
        {"spec": {"pytorchReplicaSpecs": {"Master": {"template": TEMPLATE}, "Worker": {"template": TEMPLATE}}}},
        ["Master", "Worker"],
    ),
    ("kubeflow.org/v1/TFJob", {"spec": {"tfReplicaSpecs": {"Chief": {"template": TEMPLATE}}}}, ["Chief"]),
    ("kubeflow.org/v2beta1/MPIJob", {"spec": {"mpiReplicaSpecs": {"Launcher": {"template": TEMPLATE}}}}, ["Launcher"]),
    ("kubeflow.org/v1/Notebook", {"spec": {"template": TEMPLATE}}, [""]),
    (
        "jobset.x-k8s.io/v1alpha2/JobSet",
        {"spec": {"replicatedJobs": [{"name": "workers", "template": {"spec": {"template": TEMPLATE}}}]}},
        ["workers"],
    ),
    ("batch.volcano.sh/v1alpha1/Job", {"spec": {"tasks": [{"name": "trainer", "template": TEMPLATE}]}}, ["trainer"]),
    (
        "leaderworkerset.x-k8s.io/v1/LeaderWorkerSet",
        {"spec": {"leaderWorkerTemplate": {"leaderTemplate": TEMPLATE, "workerTemplate": TEMPLATE}}},
        ["leader", "worker"],
    ),
    (
        "serving.kserve.io/v1beta1/InferenceService",
        {"spec": {"predictor": SPEC, "transformer": SPEC}},
        ["predictor", "transformer"],
    ),
    (
        "machinelearning.seldon.io/v1/SeldonDeployment",
        {"spec": {"predictors": [{"name": "main", "componentSpecs": [{"spec": SPEC}]}]}},
        ["main/0"],
    ),
    (
        "argoproj.io/v1alpha1/Workflow",
        {
            "spec": {
                "templates": [
                    {"name": "train", "container": container()},
                    {"name": "all", "dag": {"tasks": []}},
                    {"name": "py", "script": container()},
                ]
            }
        },
        ["train", "py"],
    ),
    (
        "argoproj.io/v1alpha1/CronWorkflow",
        {"spec": {"workflowSpec": {"templates": [{"name": "train", "container": container()}]}}},
        ["train"],
    ),
    ("serving.knative.dev/v1/Service", {"spec": {"template": TEMPLATE}}, [""]),
    ("agents.x-k8s.io/v1alpha1/Sandbox", {"spec": {"podTemplate": TEMPLATE}}, [""]),
    (
        "sparkoperator.k8s.io/v1beta2/SparkApplication",
        {"spec": {"driver": {"template": TEMPLATE}, "executor": {"cores": 1}, "image": "registry.example/train:1"}},
        ["driver", "executor"],
    ),
]


@pytest.mark.parametrize(("native_type", "body", "labels"), SHAPES, ids=lambda v: v if isinstance(v, str) else "")
def test_every_pod_like_type_gives_its_pods(native_type: str, body: dict[str, Any], labels: list[str]) -> None:
    version, _, kind = native_type.rpartition("/")
    found = projected(thing(version, kind, "x", **body), "workload")
    assert [r.name for r in found] == [f"x/{label}" if label else "x" for label in labels]
    assert [r.id.partition("#")[2] for r in found] == labels
    assert len({r.id for r in found}) == len(found)
    for resource in found:
        assert [c["image"] for c in resource.facts["containers"]] == ["registry.example/train:1"]
        assert set(resource.gaps) <= {"daemons", "external_host"}, "what only the status of a live object tells"
        assert resource.native_type in {t.native_type for t in WORKLOADS}


def test_no_type_is_left_out() -> None:
    tried = {n.replace("v2beta1/MPIJob", "v1/MPIJob") for n, _, _ in SHAPES}
    same = {"kubeflow.org/v1/XGBoostJob", "kubeflow.org/v1/PaddleJob", "kubeflow.org/v1/JAXJob"}
    same |= {"argoproj.io/v1alpha1/WorkflowTemplate", "argoproj.io/v1alpha1/ClusterWorkflowTemplate"}
    assert {t.native_type for t in WORKLOADS} - tried - same == {"trainer.kubeflow.org/v1alpha1/TrainJob"}


@pytest.mark.parametrize(
    ("version", "kind", "body"),
    [
        ("trainer.kubeflow.org/v1alpha1", "TrainJob", {"spec": {"runtimeRef": {"name": "torch"}}}),
        ("argoproj.io/v1alpha1", "Workflow", {"spec": {"workflowTemplateRef": {"name": "t"}}}),
        ("apps/v1", "Deployment", {"spec": {"replicas": 3}}),
        ("apps/v1", "Deployment", {}),
        ("sparkoperator.k8s.io/v1beta2", "SparkApplication", {"spec": {}}),
    ],
)
def test_a_pod_spec_that_stands_elsewhere_is_unknown(version: str, kind: str, body: dict[str, Any]) -> None:
    resource = one(thing(version, kind, "x", **body), "workload")
    assert resource.gaps["containers"].reason is Reason.NOT_OFFERED
    assert resource.gaps["host_pid"].reason is Reason.NOT_OFFERED
    assert resource.gaps["service_account"].reason is Reason.NOT_OFFERED
    assert "containers" not in resource.facts
    assert resource.facts["namespace"] == "team"


def test_a_serving_runtime_may_set_more() -> None:
    predictor = {
        "model": {"modelFormat": {"name": "huggingface"}, "resources": {"limits": {"nvidia.com/gpu": "1"}}},
        "hostIPC": True,
    }
    resource = one(thing("serving.kserve.io/v1beta1", "InferenceService", "x", spec={"predictor": predictor}), "workload")
    assert "serving runtime" in resource.gaps["containers"].detail
    assert resource.facts["host_ipc"] is True


def test_a_pod_spec_patch_may_set_more() -> None:
    spec = {"podSpecPatch": "{}", "hostNetwork": True, "templates": [{"name": "a", "container": container()}]}
    resource = one(thing("argoproj.io/v1alpha1", "Workflow", "x", spec=spec), "workload")
    assert "podSpecPatch" in resource.gaps["containers"].detail
    assert resource.facts["host_network"] is True


def test_argo_gives_templates_its_own_settings() -> None:
    spec = {
        "serviceAccountName": "argo",
        "securityContext": {"runAsNonRoot": True},
        "volumes": [{"name": "v", "hostPath": {"path": "/data/"}}],
        "templates": [
            {"name": "a", "container": {"image": "i"}, "sidecars": [container("side")], "initContainers": [container("setup")]}
        ],
    }
    resource = one(thing("argoproj.io/v1alpha1", "Workflow", "x", spec=spec), "workload")
    assert [(c["type"], c["name"], c["run_as_non_root"]) for c in resource.facts["containers"]] == [
        ("container", "main", True),
        ("container", "side", True),
        ("init", "setup", True),
    ]
    assert resource.facts["service_account"] == "argo"
    assert resource.facts["host_paths"] == [{"path": "/data", "read_only": False, "volume": "v"}]


def test_defaults_are_written_out() -> None:
    facts = one(pod()).facts
    assert facts["containers"] == [
        {
            "name": "main",
            "type": "container",
            "image": "registry.example/train:1",
            "privileged": False,
            "allow_privilege_escalation": True,
            "cap_add": [],
            "cap_drop": [],
            "run_as_non_root": False,
            "run_as_user": None,
            "seccomp": "",
            "apparmor": "",
            "selinux_type": "",
            "selinux_user": "",
            "selinux_role": "",
            "read_only_root": False,
            "proc_mount": "Default",
            "host_ports": [],
            "accelerator": False,
            "rdma": False,
            "claims": False,
            "cpu_limit": False,
            "memory_limit": False,
            "cpu_request": False,
            "secret_env": [],
            "cloud_keys": [],
            "hub_tokens": [],
            "visible_devices": "",
            "probe_hosts": [],
            "args": [],
        }
    ]
    flags = ("host_pid", "host_ipc", "host_network", "host_users", "automount_token", "projects_token", "accelerator", "rdma")
    assert {k: facts[k] for k in flags} == {
        "host_pid": False, "host_ipc": False, "host_network": False, "host_users": True, "automount_token": None, "projects_token": False,
        "accelerator": False, "rdma": False,
    }  # fmt: skip
    assert (facts["service_account"], facts["os"], facts["runtime_class"], facts["controller"]) == ("default", "linux", "", "")
    assert one(pod()).gaps == {}


PRIVILEGED = {"securityContext": {"privileged": True}}


@pytest.mark.parametrize("key", ["containers", "initContainers", "ephemeralContainers"])
def test_all_three_lists_count(key: str) -> None:
    spec = {"containers": [container()]} | {key: [container("bad", **PRIVILEGED)]}
    found = one(pod(spec=spec)).facts["containers"]
    assert [c["name"] for c in found if c["privileged"]] == ["bad"]


@pytest.mark.parametrize(
    ("of_pod", "own", "expected"),
    [
        # trivy#8210, #1187: what the pod sets is inherited
        ({"runAsNonRoot": True}, {}, {"run_as_non_root": True}),
        # defsec#1131: the container's false beats the pod's true
        ({"runAsNonRoot": True}, {"runAsNonRoot": False}, {"run_as_non_root": False}),
        ({"runAsUser": 0}, {}, {"run_as_user": 0}),
        ({"runAsUser": 0}, {"runAsUser": 1000}, {"run_as_user": 1000}),
        ({"runAsUser": 1000}, {"runAsUser": 0}, {"run_as_user": 0}),
        ({"seccompProfile": {"type": "RuntimeDefault"}}, {}, {"seccomp": "RuntimeDefault"}),
        ({"seccompProfile": {"type": "RuntimeDefault"}}, {"seccompProfile": {"type": "Unconfined"}}, {"seccomp": "Unconfined"}),
        ({"appArmorProfile": {"type": "Unconfined"}}, {}, {"apparmor": "Unconfined"}),
        ({"seLinuxOptions": {"type": "spc_t"}}, {}, {"selinux_type": "spc_t"}),
        ({"seLinuxOptions": {"type": "spc_t"}}, {"seLinuxOptions": {"user": "u"}}, {"selinux_type": "", "selinux_user": "u"}),
        # fields that do not exist on the pod are not inherited from it
        ({"allowPrivilegeEscalation": False}, {}, {"allow_privilege_escalation": True}),
        ({"readOnlyRootFilesystem": True}, {}, {"read_only_root": False}),
        ({"privileged": True}, {}, {"privileged": False}),
        ({}, {"allowPrivilegeEscalation": False}, {"allow_privilege_escalation": False}),
        (
            {},
            {"capabilities": {"add": ["CAP_SYS_ADMIN", "CHOWN"], "drop": ["ALL"]}},
            {"cap_add": ["SYS_ADMIN", "CHOWN"], "cap_drop": ["ALL"]},
        ),
        ({}, {"procMount": "Unmasked"}, {"proc_mount": "Unmasked"}),
        ({"windowsOptions": {"hostProcess": True}}, {}, {"privileged": True}),
        ({"windowsOptions": {"hostProcess": True}}, {"windowsOptions": {"hostProcess": False}}, {"privileged": False}),
        (None, None, {"run_as_non_root": False}),
    ],
)
def test_inheritance(of_pod: Any, own: Any, expected: dict[str, Any]) -> None:
    spec = {
        "securityContext": of_pod,
        "containers": [container(securityContext=own)],
        "initContainers": [container("i", securityContext=own)],
    }
    for found in one(pod(spec=spec)).facts["containers"]:
        assert {k: found[k] for k in expected} == expected


def test_old_apparmor_annotations_count() -> None:
    notes = {
        "container.apparmor.security.beta.kubernetes.io/main": "unconfined",
        "container.apparmor.security.beta.kubernetes.io/b": "localhost/x",
    }
    facts = one(pod(spec={"containers": [container(), container("b"), container("c")]}, annotations=notes)).facts
    assert [c["apparmor"] for c in facts["containers"]] == ["Unconfined", "Localhost", ""]


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({"limits": {"nvidia.com/gpu": 1}}, (True, False)),
        ({"limits": {"nvidia.com/mig-1g.10gb": "1"}}, (True, False)),
        ({"requests": {"aws.amazon.com/neuroncore": 4}}, (True, False)),
        ({"limits": {"amd.com/gpu": "1", "google.com/tpu": "4"}}, (True, False)),
        ({"limits": {"nvidia.com/gpu": "0"}}, (False, False)),
        ({"limits": {"rdma/hca_shared_devices_a": 1}}, (False, True)),
        ({"limits": {"nvidia.com/hostdev": 1, "nvidia.com/gpu": 8}}, (True, True)),
        ({"limits": {"vpc.amazonaws.com/efa": 4}}, (False, True)),
        ({"limits": {"openshift.io/mlx_vf": 1}}, (False, True)),
        ({"limits": {"memory": "1Gi", "cpu": 1}}, (False, False)),
    ],
)
def test_devices(resources: dict[str, Any], expected: tuple[bool, bool]) -> None:
    facts = one(pod(spec={"containers": [container(), container("b", resources=resources)]})).facts
    assert (facts["accelerator"], facts["rdma"]) == expected
    assert (facts["containers"][1]["accelerator"], facts["containers"][1]["rdma"]) == expected


def test_a_claim_says_not_what_it_claims() -> None:
    resource = one(
        pod(spec={"resourceClaims": [{"name": "gpu"}], "containers": [container(resources={"claims": [{"name": "gpu"}]})]})
    )
    assert resource.facts["containers"][0]["claims"] is True
    assert {f: g.reason for f, g in resource.gaps.items()} == dict.fromkeys(
        ("accelerator", "accelerators_settled", "rdma"), Reason.NOT_OFFERED
    )


@pytest.mark.parametrize(
    ("own", "of_pod", "expected"),
    [
        ({}, {}, (False, False)),
        ({"limits": {"memory": "1Gi"}}, {}, (True, False)),
        ({"requests": {"cpu": "1"}}, {}, (False, True)),
        ({"limits": {"cpu": "1"}}, {}, (False, True)),
        ({}, {"limits": {"memory": "1Gi"}, "requests": {"cpu": "4"}}, (True, True)),
    ],
)
def test_limits(own: dict[str, Any], of_pod: dict[str, Any], expected: tuple[bool, bool]) -> None:
    found = one(pod(spec={"resources": of_pod, "containers": [container(resources=own)]})).facts["containers"][0]
    assert (found["memory_limit"], found["cpu_request"]) == expected


def test_host_paths_are_resolved() -> None:
    volumes = [
        {"name": "a", "hostPath": {"path": "/var/lib/../run/"}},
        {"name": "b", "hostPath": {"path": "//etc"}},
        {"name": "c", "emptyDir": {}},
        {"name": "d", "hostPath": None},
    ]
    mounts = [{"name": "a", "mountPath": "/a", "readOnly": True}, {"name": "b", "mountPath": "/b", "readOnly": True}]
    spec = {
        "volumes": volumes,
        "containers": [container(volumeMounts=mounts), container("w", volumeMounts=[{"name": "b", "mountPath": "/b"}])],
    }
    assert one(pod(spec=spec)).facts["host_paths"] == [
        {"path": "/var/run", "read_only": True, "volume": "a"},
        {"path": "/etc", "read_only": False, "volume": "b"},
    ]


def test_secrets_tokens_and_networks() -> None:
    spec = {
        "imagePullSecrets": [{"name": "pull"}],
        "volumes": [
            {"name": "s", "secret": {"secretName": "weights"}},
            {"name": "p", "projected": {"sources": [{"secret": {"name": "tls"}}, {"serviceAccountToken": {"path": "t"}}]}},
        ],
        "containers": [
            container(
                env=[{"name": "A", "valueFrom": {"secretKeyRef": {"name": "hub", "key": "k"}}}],
                envFrom=[{"secretRef": {"name": "all"}}],
            ),
        ],
    }
    notes = {"k8s.v1.cni.cncf.io/networks": '[{"name": "ib", "namespace": "fabric"}, {"name": "x"}]'}
    facts = one(pod(spec=spec, annotations=notes)).facts
    assert facts["secret_refs"] == ["all", "hub", "tls", "weights"]
    assert facts["pull_secrets"] == ["pull"]
    assert facts["projects_token"] is True
    assert facts["networks"] == ["fabric/ib", "x"]
    assert one(pod(annotations={"k8s.v1.cni.cncf.io/networks": "fabric/ib@eth1, y"})).facts["networks"] == ["fabric/ib", "y"]


@pytest.mark.parametrize("value", ["[1", "[" * 100_000])
def test_networks_that_are_not_json_are_unknown(value: str) -> None:
    assert one(pod(annotations={"k8s.v1.cni.cncf.io/networks": value})).gaps["networks"].reason is Reason.UNPARSABLE


def test_a_token_of_another_audience_is_not_the_api_servers() -> None:
    source = {"serviceAccountToken": {"path": "t", "audience": "sts.amazonaws.com"}}
    assert one(pod(spec={"volumes": [{"name": "aws", "projected": {"sources": [source]}}]})).facts["projects_token"] is False


@pytest.mark.parametrize("spec", [{"containers": "many"}, {"containers": ["x"]}, {"initContainers": {"a": 1}}])
def test_containers_of_another_shape_are_unknown(spec: dict[str, Any]) -> None:
    resource = one(pod(spec=spec))
    assert resource.gaps["containers"].reason is Reason.UNPARSABLE
    assert "containers" not in resource.facts


def test_no_containers_is_not_no_problem() -> None:
    assert one(pod(spec={"containers": []})).gaps["containers"].reason is Reason.NOT_OFFERED


def test_probe_hosts_and_windows() -> None:
    probe = {"httpGet": {"host": "169.254.169.254", "port": 80}}
    spec = {
        "os": {"name": "windows"},
        "containers": [container(livenessProbe=probe, lifecycle={"preStop": {"tcpSocket": {"host": "h"}}})],
    }
    facts = one(pod(spec=spec)).facts
    assert facts["containers"][0]["probe_hosts"] == ["169.254.169.254", "h"]
    assert facts["os"] == "windows"


def test_a_named_part_of_a_path() -> None:
    item = {"spec": {"groups": [{"id": "a", "pod": {"x": 1}}, {"pod": {"x": 2}}, "no"], "other": {"pod": {"x": 3}}}}
    found = list(pods_at(item, "spec.groups[id].pod + side=spec.other.pod + spec.nothing.pod"))
    assert [(p.label, p.spec["x"]) for p in found] == [("a", 1), ("1", 2), ("side", 3)]


def test_hazards() -> None:
    spec = {
        "hostPID": True,
        "volumes": [{"name": "r", "hostPath": {"path": "/run"}}],
        "containers": [
            container(
                ports=[{"containerPort": 1, "hostPort": 80}], securityContext={"privileged": True, "capabilities": {"add": ["BPF"]}}
            )
        ],
    }
    assert hazards(spec) == {"hostPID", "hostPath /run", "privileged", "capability BPF", "hostPort 80"}
    assert hazards({"hostNetwork": True, "containers": [container(ports=[{"hostPort": 80}])]}) == {"hostNetwork"}
    assert hazards({"containers": 1}) == {"unreadable"}


def test_identity() -> None:
    resource = one(deployment("trainer"))
    assert resource.id == "k8s/c/Deployment.apps/team/trainer"
    assert one(pod("p", namespace="")).id == "k8s/c/Pod/default/p"
    assert resource.tags == {}
    assert resource.facts["pod_labels"] == {"app": "trainer"}


def test_only_the_literal_all_drops_all() -> None:
    dropped = [container(securityContext={"capabilities": {"drop": [name]}}) for name in ("ALL", "CAP_ALL", "all")]
    assert [c["cap_drop"] for c in one(pod(spec={"containers": dropped})).facts["containers"]] == [["ALL"], ["CAP_ALL"], ["all"]]


LOCK = {"capabilities": {"add": ["IPC_LOCK"]}}


@pytest.mark.parametrize(
    ("spec", "rdma", "settled"),
    [
        ({"containers": [container(securityContext=LOCK)]}, False, True),
        ({"containers": [container(securityContext=LOCK, resources={"limits": {"rdma/hca": 1}})]}, True, True),
        ({"containers": [container(securityContext=LOCK, resources={"claims": [{"name": "c"}]})]}, None, False),
        ({"containers": [container(securityContext=LOCK, resources={"limits": {"example.com/roce": 1}})]}, None, False),
        ({"containers": [container(securityContext=LOCK, resources={"limits": {"nvidia.com/gpu": 1}})]}, False, True),
        ({"containers": [container(securityContext=LOCK, resources={"limits": {"vpc.amazonaws.com/pod-eni": 1}})]}, False, True),
        ({"containers": [container(resources={"claims": [{"name": "c"}]})]}, None, True),
        (
            {
                "initContainers": [container("i", securityContext=LOCK)],
                "containers": [container(resources={"limits": {"rdma/hca": 1}})],
            },
            True,
            True,
        ),
        (
            {
                "containers": [
                    container(securityContext=LOCK, resources={"claims": [{"name": "c"}]}),
                    container("b", resources={"limits": {"rdma/hca": 1}}),
                ]
            },
            None,
            False,
        ),
    ],
)
def test_whether_what_locks_memory_has_rdma(spec: dict[str, Any], rdma: bool | None, settled: bool) -> None:  # noqa: FBT001 - columns
    resource = one(pod(spec=spec))
    locking = [c for c in resource.facts["containers"] if "IPC_LOCK" in c["cap_add"]] or resource.facts["containers"]
    assert locking[0]["rdma"] is rdma
    assert ("rdma_settled" in resource.facts) is settled


def test_pods_that_have_ended() -> None:
    assert one({**pod(), "status": {"phase": "Succeeded"}}).facts["finished"] is True
    assert [one({**pod(), "status": {"phase": p}}).facts["finished"] for p in ("Running", "Pending", "Unknown")] == [False] * 3
    assert one(pod()).facts["finished"] is False


ODD: list[dict[str, Any]] = [
    {"securityContext": "${CONTEXT}"},
    {"securityContext": {"privileged": "${PRIVILEGED}"}},
    {"securityContext": {"privileged": "true"}},
    {"securityContext": {"allowPrivilegeEscalation": "$(X)"}},
    {"securityContext": {"runAsNonRoot": True, "runAsUser": "0"}},
    {"securityContext": {"runAsNonRoot": "true"}},
    {"securityContext": {"readOnlyRootFilesystem": "true"}},
    {"securityContext": {"capabilities": {"add": "SYS_ADMIN"}}},
    {"securityContext": {"capabilities": {"add": ["${CAPABILITY}"]}}},
    {"securityContext": {"capabilities": ["SYS_ADMIN"]}},
    {"securityContext": {"seccompProfile": {"type": "unconfined"}}},
    {"securityContext": {"appArmorProfile": {"type": "none"}}},
    {"securityContext": {"windowsOptions": {"hostProcess": "true"}}},
    {"ports": [{"hostPort": "80"}]},
    {"ports": {"hostPort": 80}},
    {"env": {"AWS_SECRET_ACCESS_KEY": "x"}},
    {"resources": "${RESOURCES}"},
]


@pytest.mark.parametrize("settings", ODD)
def test_a_setting_that_is_of_no_use_is_no_good_one(settings: dict[str, Any]) -> None:
    """Substituted text (envsubst, Flux) and wrong types: the API server takes none of it, and nobody knows what will stand there."""
    found = one(pod(spec={"containers": [container(**settings)]}))
    assert "containers" not in found.facts
    assert found.gaps["containers"].reason is Reason.UNPARSABLE


@pytest.mark.parametrize("key", ["hostPID", "hostIPC", "hostNetwork", "hostUsers"])
def test_switches_of_pods_are_true_or_false(key: str) -> None:
    name = {"hostPID": "host_pid", "hostIPC": "host_ipc", "hostNetwork": "host_network", "hostUsers": "host_users"}[key]
    assert one(pod(spec={key: "${X}"})).gaps[name].reason is Reason.UNPARSABLE


def test_an_odd_pod_of_an_owner_is_looked_at() -> None:
    assert hazards({"containers": [container(securityContext={"privileged": "true"})]}) == {"unreadable"}


@pytest.mark.parametrize(
    ("token", "projects"),
    [
        ({"path": "t"}, True),
        ({"path": "t", "audience": "vault"}, False),
        # the audience that `--api-audiences` has where nobody sets it
        ({"path": "t", "audience": "https://kubernetes.default.svc.cluster.local"}, True),
        ({"path": "t", "audience": "https://kubernetes.default.svc"}, True),
    ],
)
def test_tokens_for_the_server(token: dict[str, Any], projects: bool) -> None:  # noqa: FBT001 - a column
    volumes = [{"name": "v", "projected": {"sources": [{"serviceAccountToken": token}]}}]
    assert one(pod(spec={"volumes": volumes})).facts["projects_token"] is projects
