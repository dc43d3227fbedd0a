"""InferenceServices that leave their container to a serving runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.client import Cluster, connect
from collectors.kubernetes.kept import Kept
from collectors.kubernetes.live import collect_cluster
from collectors.kubernetes.objects import Placed, Projector
from collectors.kubernetes.redact import clean
from collectors.kubernetes.serving import CLUSTER_RUNTIME, RUNTIME, RUNTIMES, Runtimes, completed
from collectors.kubernetes.shapes import pods_of
from scanner.model import Resource, Source
from tests.collectors.kubernetes.apiserver import serving
from tests.collectors.kubernetes.objects import thing
from tests.collectors.kubernetes.sinks import MemorySink

SERVICE = "serving.kserve.io/v1beta1/InferenceService"
VLLM: dict[str, Any] = {
    "name": "kserve-container",
    "image": "vllm/vllm-openai:v0.32.0",
    "args": ["--model=/mnt/models"],
    "env": [{"name": "VLLM_SERVER_DEV_MODE", "value": "1"}, {"name": "A", "value": "1"}],
    "securityContext": {"privileged": True, "runAsNonRoot": True},
}


def runtime(name: str = "vllm", namespace: str | None = None, **spec: Any) -> dict[str, Any]:
    formats = [{"name": "huggingface", "version": "1", "autoSelect": True}]
    kind = "ServingRuntime" if namespace else "ClusterServingRuntime"
    body = {"supportedModelFormats": formats, "containers": [dict(VLLM)], **spec}
    return thing("serving.kserve.io/v1alpha1", kind, name, namespace, spec=body)


def service(model: dict[str, Any] | None = None, status: dict[str, Any] | None = None, **predictor: Any) -> dict[str, Any]:
    told = {"modelFormat": {"name": "huggingface"}, **(model or {})}
    return thing(
        "serving.kserve.io/v1beta1", "InferenceService", "x", spec={"predictor": {"model": told, **predictor}}, status=status
    )


def seen(*items: dict[str, Any], mode: str = "live", whole: tuple[str, ...] = RUNTIMES) -> Resource:
    """The workload of the last item."""
    projector = Projector(Source("k8s:c", mode, "kubernetes", "c"))
    for item in items:
        projector.runtimes.add(item)
    for native in whole:
        projector.runtimes.whole(native, "")
    (found,) = [r for r in projector.resources(Placed(items[-1])) if r.kind == "workload"]
    return found


def image(*items: dict[str, Any], **options: Any) -> str:
    """The image of the first container, empty where it is not known."""
    found = seen(*items, **options).facts.get("containers")
    return found[0]["image"] if found else ""


OURS, OWN = "vllm/vllm-openai:v0.32.0", "own:1"
HERE = runtime(namespace="team", containers=[{"name": "kserve-container", "image": OWN}])


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([runtime(), service({"runtime": "vllm"})], OURS),
        ([runtime(), HERE, service({"runtime": "vllm"})], OWN),
        ([HERE, service({"runtime": "vllm"})], OWN),
        ([runtime(namespace="other"), service({"runtime": "vllm"})], ""),
        ([runtime("another"), service({"runtime": "vllm"})], ""),
        # the one that chooses itself
        ([runtime(), service()], OURS),
        ([runtime(), service({"modelFormat": {"name": "huggingface", "version": "1"}})], OURS),
        ([runtime(), service({"modelFormat": {"name": "huggingface", "version": "2"}})], ""),
        ([runtime(), service({"modelFormat": {"name": "onnx"}})], ""),
        ([runtime(disabled=True), service()], ""),
        ([runtime(multiModel=True), service()], ""),
        ([runtime(supportedModelFormats=[{"name": "huggingface"}]), service()], ""),
        # two do: only the status tells which
        ([runtime(), HERE, service()], ""),
        ([runtime(), HERE, service(status={"clusterServingRuntimeName": "vllm"})], OURS),
        ([runtime(), HERE, service(status={"servingRuntimeName": "vllm"})], OWN),
        ([runtime(), service(status={"servingRuntimeName": "vllm"})], ""),
        # several machines, and what a runtime cannot run
        ([runtime(), service(workerSpec={})], ""),
        ([runtime(workerSpec={}), service({"runtime": "vllm"})], ""),
        ([runtime(multiModel=True), service({"runtime": "vllm"})], ""),
        ([runtime(containers=[{"name": "c", "image": OWN}]), service({"runtime": "vllm"})], ""),
        ([runtime(), service({"runtime": "vllm", "runtimeVersion": "v0.9"})], "vllm/vllm-openai:v0.9"),
        ([runtime(), service({"runtime": "vllm", "image": OWN})], OWN),
    ],
)
def test_which_runtime(items: list[dict[str, Any]], expected: str) -> None:
    assert image(*items) == expected


def test_runtimes_that_were_not_seen_are_not_excluded() -> None:
    named, free = service({"runtime": "vllm"}), service()
    assert image(runtime(), named, whole=()) == "", "one of the namespace may hide it"
    assert image(runtime(), named, whole=(CLUSTER_RUNTIME,)) == ""
    assert image(runtime(), named, whole=(RUNTIME,)) == OURS
    assert image(HERE, named, whole=()) == OWN
    for whole in ((), (RUNTIME,), (CLUSTER_RUNTIME,)):
        assert image(runtime(), free, whole=whole) == "", "another may choose itself as well"
    # files: what is named is meant, and nothing is concluded from what is not there
    assert image(runtime(), named, mode="manifest", whole=()) == OURS
    assert image(runtime(), free, mode="manifest", whole=()) == ""


def test_what_becomes_of_both() -> None:
    model = {
        "runtime": "vllm",
        "args": ["--api-key=k"],
        "env": [{"name": "A", "value": "2"}, {"name": "B", "value": "3"}],
        "securityContext": {"privileged": False},
    }
    spec = {"hostIPC": True, "volumes": [{"name": "shm", "emptyDir": {}}], "labels": {"a": "b"}, "serviceAccountName": "s"}
    more = [VLLM, {"name": "sidecar", "image": "side:1"}]
    item = service(model, containers=[{"name": "mine", "image": "mine:1"}])
    found = seen(runtime(**spec, containers=more), item)
    told = {c["name"]: (c["image"], c["privileged"], c["run_as_non_root"]) for c in found.facts["containers"]}
    assert told == {"kserve-container": (OURS, False, True), "sidecar": ("side:1", False, False), "mine": ("mine:1", False, False)}
    (server,) = found.facts["servers"]
    assert (server["product"], server["auth"], server["dev_mode"]) == ("vllm", "key", True)
    assert found.facts["host_ipc"] is False, "KServe drops it"
    assert found.facts["service_account"] == "default", "a runtime has none"
    assert found.facts["pod_labels"] == {"a": "b"}


def test_what_was_noted_in_two_halves_is_not_whole() -> None:
    item = service({"runtime": "vllm", "args": ["--trust-remote-code"]})
    items = [clean(runtime()), clean(item)]
    projector = Projector(Source("k8s:c", "live", "kubernetes", "c"))
    for one in items:
        projector.runtimes.add(one)
        projector.runtimes.whole(RUNTIME, "")
    (pod,) = projector.runtimes.resolved(items[1], pods_of(items[1], SERVICE, "spec"))
    kept = pod.spec["containers"][0]["kept"]
    assert isinstance(kept, Kept)
    assert (kept["remote_code"], kept["remote_unseen"], kept["models_unseen"]) == (["trust_remote_code"], True, True)


def test_a_scan_asks_for_runtimes_where_it_asks_for_services() -> None:
    assert completed(None) is None
    assert completed({"v1/Pod": frozenset()}) == {"v1/Pod": frozenset()}
    assert completed({SERVICE: frozenset({"servers"})}) == {
        RUNTIME: frozenset(),
        CLUSTER_RUNTIME: frozenset(),
        SERVICE: frozenset({"servers"}),
    }


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "containers", "env", "args", "model"]), inner)
    ),
    max_leaves=8,
)


@given(JUNK, JUNK, JUNK)
def test_whatever_stands_there(spec: Any, model: Any, status: Any) -> None:
    runtimes = Runtimes(files=True)
    runtimes.add(thing("serving.kserve.io/v1alpha1", "ServingRuntime", "vllm", spec=spec))
    predictor = {"model": {**(model if isinstance(model, dict) else {"x": model}), "runtime": "vllm"}}
    item = thing("serving.kserve.io/v1beta1", "InferenceService", "x", spec={"predictor": predictor}, status=status)
    runtimes.resolved(item, pods_of(item, SERVICE, "spec"))


@pytest.mark.parametrize(
    ("deny", "namespaces", "expected"),
    [
        (set(), (), OURS),
        (set(), ("team",), OURS),
        ({("serving.kserve.io", "servingruntimes")}, (), ""),
        ({("serving.kserve.io", "clusterservingruntimes")}, (), ""),
    ],
)
def test_a_live_cluster(deny: set[tuple[str, str]], namespaces: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    sink = MemorySink()
    with serving() as server:
        server.add(thing("v1", "Namespace", "team", None), service(), runtime(), runtime("b", namespace="other"))
        server.deny = deny
        cluster = Cluster(connect(server.kubeconfig(tmp_path), None), sleep=lambda _: None)
        wanted = {SERVICE: frozenset({"containers"})}
        collect_cluster(sink, cluster=cluster, now="", demand=wanted, namespaces=namespaces)
    (found,) = [r for (kind, _), r in sink.resources.items() if kind == "workload"]
    assert (found.facts.get("containers") or [{"image": ""}])[0]["image"] == expected


def owned(kind: str, owner: dict[str, Any], **spec: Any) -> dict[str, Any]:
    by = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": "x", "uid": "u", "controller": True}
    version = {"Deployment": "apps/v1", "JobSet": "jobset.x-k8s.io/v1alpha2"}[kind]
    return thing(version, kind, f"made-{kind.lower()}", metadata={"ownerReferences": [by]}, spec=spec)


@pytest.mark.parametrize(("more", "names"), [((), ["made-deployment", "x/predictor"]), ((runtime(),), ["x/predictor"])])
def test_what_was_made_is_judged_where_its_owner_does_not_tell(
    more: tuple[dict[str, Any], ...], names: list[str], tmp_path: Path
) -> None:
    """Otherwise nobody would look at the containers: neither at those of a model, nor at those of a TrainJob's JobSet."""
    template = {"template": {"spec": {"containers": [{"name": "kserve-container", "image": OURS}]}}}
    pods = {"replicatedJobs": [{"name": "node", "template": {"spec": template}}]}
    train = thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "x", metadata={"uid": "u"}, spec={"runtimeRef": {"name": "torch"}})
    model = service({"runtime": "vllm"})
    model["metadata"]["uid"] = "u"
    for owner, made, expected in (
        (train, owned("JobSet", train, **pods), ["made-jobset/node", "x"]),
        (model, owned("Deployment", model, **template), names),
    ):
        sink = MemorySink()
        with serving() as server:
            server.add(owner, made, *more)
            cluster = Cluster(connect(server.kubeconfig(tmp_path), None), sleep=lambda _: None)
            collect_cluster(sink, cluster=cluster, now="")
        assert sorted(r.name for (kind, _), r in sink.resources.items() if kind == "workload") == expected
