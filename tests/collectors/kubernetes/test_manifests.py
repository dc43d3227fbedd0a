"""The reader of manifests: what it finds, and that nothing that is wrong with the input is silent or stops the rest."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.kubernetes.manifests import ManifestEstate, read_manifests
from collectors.repository import Repository
from scanner.model import BartizanError, Extent, Where
from tests.collectors.kubernetes.objects import container, deployment, pod, thing

GOOD = yaml.safe_dump(deployment("sound"))
NOW = "2026-11-30T00:00:00Z"


def write(folder: Path, **files: Any) -> Path:
    """Files by name (`__` for a slash, `_` for a dot)."""
    for name, content in files.items():
        path = folder / (name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(
                content if isinstance(content, str) else yaml.safe_dump_all(content if isinstance(content, list) else [content]),
                encoding="utf-8",
            )
    return folder


def names(estate: ManifestEstate) -> list[str]:
    return sorted(r.id.removeprefix("k8s/manifests/") for r in estate.resources)


def test_a_folder(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_yaml=[deployment("a"), pod("b")],
        sub__deep__c_yml=[thing("v1", "Service", "c"), None],
        sub__d_json=json.dumps(thing("v1", "Namespace", "team", None)),
        notes_txt="a: [",
        _hidden__e_yaml=deployment("hidden"),
    )
    estate = read_manifests([tmp_path], now=NOW)
    assert names(estate) == ["Deployment.apps/team/a", "Namespace//team", "Pod/team/b", "Service/team/c"]
    assert estate.problems == ()
    assert (estate.files, estate.ignored) == (3, {})
    assert (estate.source.id, estate.source.mode, estate.source.scope, estate.source.collected_at) == (
        "manifests",
        "manifest",
        "manifests",
        NOW,
    )
    assert {(c.native_type, c.kind): (c.extent, c.count) for c in estate.coverage} == {
        ("apps/v1/Deployment", "workload"): (Extent.COMPLETE, 1),
        ("v1/Namespace", "namespace"): (Extent.COMPLETE, 1),
        ("v1/Pod", "workload"): (Extent.COMPLETE, 1),
        ("v1/Service", "endpoint"): (Extent.COMPLETE, 1),
    }


def test_places(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_yaml="# first\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  hostPID: true\n  containers:\n  - name: x\n    image: y\n",
    )
    (resource,) = read_manifests([tmp_path]).resources
    assert resource.where == Where("a.yaml", 3, 1)
    assert resource.places["host_pid"] == Where("a.yaml", 7, 3)
    assert resource.places["containers"] == Where("a.yaml", 8, 3)
    assert "host_network" not in resource.places


def test_lists(tmp_path: Path) -> None:
    items = [deployment("a"), {"apiVersion": "v1", "kind": "List", "items": [pod("b")]}]
    typed = {
        "apiVersion": "v1",
        "kind": "PodList",
        "items": [{k: v for k, v in pod("c").items() if k not in ("kind", "apiVersion")}],
    }
    write(tmp_path, a_yaml={"apiVersion": "v1", "kind": "List", "items": items}, b_yaml=typed)
    estate = read_manifests([tmp_path])
    assert names(estate) == ["Deployment.apps/team/a", "Pod/team/b", "Pod/team/c"]
    lines = (tmp_path / "a.yaml").read_text().splitlines()
    found = next(r for r in estate.resources if r.name == "a").where
    assert lines[found.line - 1][found.column - 1 :].startswith("apiVersion: apps/v1")


def test_standard_input(tmp_path: Path) -> None:
    estate = read_manifests(["-"], stdin=io.BytesIO(GOOD.encode()))
    assert names(estate) == ["Deployment.apps/team/sound"]
    assert estate.resources[0].where == Where("stdin", 1, 1)
    both = read_manifests(["-", write(tmp_path, a_yaml=pod())], stdin=io.BytesIO(GOOD.encode()))
    assert names(both) == ["Deployment.apps/team/sound", "Pod/team/p"]


def test_ids_do_not_depend_on_how_the_path_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, k8s__a_yaml=[deployment("a"), thing("v1", "ServiceAccount", "s")], k8s__b__a_yaml=deployment("a"))
    monkeypatch.chdir(tmp_path)
    given_as = ["k8s", "./k8s", "k8s/", str(tmp_path / "k8s"), Path("k8s"), "../" + tmp_path.name + "/k8s"]
    found = [[(r.id, r.where) for r in read_manifests([p]).resources] for p in given_as]
    assert found == [found[0]] * len(given_as)
    assert [i.removeprefix("k8s/manifests/") for i, _ in found[0]] == [
        "Deployment.apps/team/a",
        "ServiceAccount/team/s",
        "Deployment.apps/team/a@b/a.yaml",
    ]


def test_the_same_object_again_does_not_disappear(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=[pod(), pod()], b_yaml=[pod(), pod()])
    assert names(read_manifests([tmp_path])) == ["Pod/team/p", "Pod/team/p@a.yaml", "Pod/team/p@b.yaml", "Pod/team/p@b.yaml#2"]


def test_a_path_named_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=pod())
    assert names(read_manifests([tmp_path, tmp_path / "a.yaml", tmp_path])) == ["Pod/team/p"]


def test_what_is_owned_is_judged_on_its_owner(tmp_path: Path) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "d-1", "uid": "u2", "controller": True}
    replica_set = {**deployment("d-1"), "kind": "ReplicaSet"}
    replica_set["metadata"] |= {
        "uid": "u2",
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "u1", "controller": True}],
    }
    bad = {"hostPID": True}
    write(
        tmp_path,
        a_yaml=[
            pod("owned", ownerReferences=[owner]),
            pod("drifted", bad, ownerReferences=[owner]),
            pod("drifted-too", bad, ownerReferences=[owner]),
            pod("of-another", ownerReferences=[{**owner, "uid": "other"}]),
            pod("of-nobody", ownerReferences=[{**owner, "name": "gone", "uid": ""}]),
            pod("not-controlled", ownerReferences=[{**owner, "controller": False}]),
            pod(
                "of-a-stranger",
                ownerReferences=[{"apiVersion": "example.com/v1", "kind": "Thing", "name": "t", "uid": "x", "controller": True}],
            ),
            replica_set,
            deployment("d", uid="u1"),
        ],
    )
    estate = read_manifests([tmp_path])
    assert names(estate) == [
        "Deployment.apps/team/d", "Pod/team/drifted", "Pod/team/not-controlled", "Pod/team/of-a-stranger", "Pod/team/of-another", "Pod/team/of-nobody",
    ]  # fmt: skip
    stranger = next(r for r in estate.resources if r.name == "of-a-stranger").facts
    assert (stranger["controller"], stranger["controller_id"], stranger["controller_uid"]) == (
        "Thing/t",
        "k8s/manifests/Thing.example.com/team/t",
        "x",
    )


def test_a_service_account_token_secret_without_its_values(tmp_path: Path) -> None:
    token = thing(
        "v1",
        "Secret",
        "ci",
        metadata={"annotations": {"kubernetes.io/service-account.name": "robot"}},
        type="kubernetes.io/service-account-token",
        stringData={"token": "t0ken"},
    )
    write(tmp_path, a_yaml=[token, thing("v1", "Secret", "other", type="Opaque", data={"a": "dmFsdWU="}), pod()])
    estate = read_manifests([tmp_path])
    (credential,) = [r for r in estate.resources if r.kind == "credential"]
    assert credential.id == "k8s/manifests/Secret/team/ci"
    assert credential.facts["owner"] == "k8s/manifests/ServiceAccount/team/robot"
    assert credential.facts["expires"] == "never"
    assert "t0ken" not in repr(estate)


# ---- bad input


def broken(name: str, content: Any, what: str, line: int = 0, **options: Any) -> Any:
    return pytest.param(content, what, line, options, id=name)


@pytest.mark.parametrize(
    ("content", "what", "line", "options"),
    [
        broken("no YAML", "a: [1, 2\n", "not YAML", 1),
        broken("tab", "a: 1\n\tb: 2\n", "not YAML", 2),
        broken("binary", b"\x00\x01\x02\xff\xfe", "not utf-8 text", 1),
        broken("control characters", "a: \x01\n", "not YAML", 1),
        broken("latin-1", "a: 1\nb: é\n".encode("latin-1"), "not utf-8 text", 2),
        broken("half of UTF-16", b"\xff\xfea\x00b", "not utf-16 text", 1),
        broken("too large", "a: " + "x" * 5000, "larger than 2000 bytes", 0, max_bytes=2000),
        broken("too deep", "a: " + "[" * 60 + "]" * 60, "nested deeper than 50 levels", 1, max_depth=50),
        broken(
            "alias bomb",
            "a: &a ["
            + "x," * 9
            + "]\n"
            + "".join(f"b{i}: &b{i} [{', '.join(['*' + ('a' if i == 0 else f'b{i - 1}')] * 9)}]\n" for i in range(12)),
            "aliases",
        ),
        broken("alias to itself", "a: &a\n  b: *a\n", "contains itself", 2),
        broken("alias to nothing", "a: *b\n", "is not defined", 1),
        broken("duplicate keys", "apiVersion: v1\nkind: ConfigMap\nkind: Pod\nmetadata: {name: dup}\n", "stands twice", 3),
        broken("unknown tag", "a: !Ref b\n", "tag !Ref", 1),
        broken("python tag", "a: !!python/object/apply:os.system [ls]\n", "is not known", 1),
        broken("key that is a mapping", "? {a: b}\n: c\n", "a key that is a mapping", 1),
        broken("Helm", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n", "render it first", 4),
        broken(
            "quoted Helm", 'apiVersion: v1\nkind: Pod\nmetadata: {name: "{{ .Release.Name }}"}\nspec: {}\n', "render it first", 1
        ),
        broken("Helm control", "{{- range .Values.pods }}\napiVersion: v1\n{{- end }}\n", "render it first", 1),
        broken("no name", "apiVersion: v1\nkind: Pod\nmetadata: {}\n", "without metadata.name", 1),
        broken("no metadata", "x: 1\n---\napiVersion: v1\nkind: Pod\n", "without metadata.name", 3),
        broken(
            "odd namespace", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: [b]}\n", "metadata.namespace is not text", 1
        ),
    ],
)
def test_bad_input(tmp_path: Path, content: Any, what: str, line: int, options: dict[str, Any]) -> None:
    write(tmp_path, bad_yaml=content, good_yaml=GOOD)
    estate = read_manifests([tmp_path], **options)
    assert "Deployment.apps/team/sound" in names(estate)
    (problem,) = estate.problems
    assert problem.startswith(f"bad.yaml:{line}: " if line else "bad.yaml:")
    assert what in problem


def test_a_broken_document_hides_no_other_of_its_file(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=f"a: [\n---\n{GOOD}---\nkind: {{\n")
    estate = read_manifests([tmp_path])
    assert names(estate) == ["Deployment.apps/team/sound"]
    assert [p.split(": ")[0] for p in estate.problems] == ["a.yaml:1", f"a.yaml:{GOOD.count(chr(10)) + 4}"]


def test_one_word_about_a_chart(tmp_path: Path) -> None:
    write(tmp_path, a_yaml="---\n".join(["a: {{ .Values.a }}\n"] * 30), b_yaml="---\n".join(["a: [\n"] * 50), good_yaml=GOOD)
    problems = read_manifests([tmp_path]).problems
    assert sum(p.startswith("a.yaml") for p in problems) == 1
    assert sum(p.startswith("b.yaml") for p in problems) == 21
    assert "b.yaml: 30 more problems" in problems


def test_too_many_documents(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=[pod(f"p{i}") for i in range(8)], b_yaml=pod("late"))
    estate = read_manifests([tmp_path], max_documents=5)
    assert len(estate.resources) == 5
    assert estate.problems == (
        "a.yaml: more than 5 documents; the rest is not read",
        "b.yaml: more than 5 documents; the rest is not read",
    )


def test_templates_of_other_tools_are_not_helm(tmp_path: Path) -> None:
    workflow = thing(
        "argoproj.io/v1alpha1",
        "Workflow",
        "w",
        spec={"templates": [{"name": "a", "container": container(args=["{{inputs.parameters.x}}"])}]},
    )
    config = thing("v1", "ConfigMap", "c", data={"t": "{{ .Values.x }} {{ .Labels.alertname }}"})
    write(tmp_path, a_yaml=[workflow, config])
    estate = read_manifests([tmp_path])
    assert estate.problems == ()
    assert names(estate) == ["ConfigMap/team/c", "Workflow.argoproj.io/team/w#a"]


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    write(tmp_path, outside__secret_yaml=pod("outside"), inside__real_yaml=pod("inside"))
    inside = tmp_path / "inside"
    (inside / "out.yaml").symlink_to(tmp_path / "outside" / "secret.yaml")
    (inside / "folder").symlink_to(tmp_path / "outside")
    (inside / "again.yaml").symlink_to(inside / "real.yaml")
    (inside / "loop").symlink_to(inside)
    (inside / "nowhere.yaml").symlink_to(inside / "missing.yaml")
    estate = read_manifests([inside])
    assert names(estate) == ["Pod/team/inside"]
    assert sorted(estate.problems) == [
        "folder: a link that leaves the folder; not followed",
        "nowhere.yaml: cannot be read: No such file or directory",
        "out.yaml: a link that leaves the folder; not read",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_pipe_in_a_folder_does_not_block(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=pod())
    os.mkfifo(tmp_path / "pipe.yaml")
    assert read_manifests([tmp_path]).problems == ("pipe.yaml: not a regular file; not read",)


def test_an_unreadable_file(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=pod(), b_yaml=pod("b"))
    (tmp_path / "b.yaml").chmod(0)
    if os.access(tmp_path / "b.yaml", os.R_OK):
        pytest.skip("running as root")
    assert read_manifests([tmp_path]).problems == ("b.yaml: cannot be read: Permission denied",)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-le" else ""
    write(tmp_path, a_yaml=(mark + GOOD).encode(encoding))
    assert names(read_manifests([tmp_path])) == ["Deployment.apps/team/sound"]


@pytest.mark.parametrize("line_ends", ["\r\n", "\r"])
def test_other_line_ends(tmp_path: Path, line_ends: str) -> None:
    write(tmp_path, a_yaml=f"{GOOD}---\n{yaml.safe_dump(pod())}".replace("\n", line_ends).encode())
    assert names(read_manifests([tmp_path])) == ["Deployment.apps/team/sound", "Pod/team/p"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "in 1 file(s)"),
        ("a: 1\nb: 2\n", "no Kubernetes object (1)"),
        ("apiVersion: v1\nkind: Event\nmetadata: {name: c}\n", "v1/Event (1)"),
        ("a: [", "bad.yaml:1: not YAML"),
        ("- 1\n- 2\n", "no Kubernetes object (1)"),
    ],
)
def test_nothing_recognised_is_an_error(tmp_path: Path, content: str, said: str) -> None:
    write(tmp_path, bad_yaml=content)
    with pytest.raises(BartizanError) as error:
        read_manifests([tmp_path])
    assert error.value.code == (2 if "not YAML" in said else 3)  # NOTE: what cannot be read may have been an object
    assert said in str(error.value)


def test_other_documents_are_counted(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_yaml=[
            pod(),
            thing("v1", "Event", "c"),
            thing("v1", "Event", "d"),
            {"values": 1},
            "text",
            thing("example.com/v1", "Pod", "not-ours"),
        ],
    )
    estate = read_manifests([tmp_path])
    assert names(estate) == ["Pod/team/p"]
    assert estate.ignored == {"v1/Event": 2, "": 2, "example.com/v1/Pod": 1}


@pytest.mark.parametrize("path", ["missing", "missing/a.yaml", "a\0b"])
def test_a_path_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BartizanError) as error:
        read_manifests([path])
    assert error.value.code == 2


def test_only_what_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, a_yaml=[pod(), deployment(), thing("v1", "Service", "s")])
    estate = read_manifests([tmp_path], demand={"v1/Pod": frozenset({"host_pid"}), "v1/Namespace": frozenset()})
    assert [(r.native_type, set(r.facts)) for r in estate.resources] == [("v1/Pod", {"host_pid"})]


def test_nothing_that_is_asked_for_is_no_error(tmp_path: Path) -> None:
    assert read_manifests([write(tmp_path, a_yaml=pod())], demand={}).resources == ()


def test_facts_of_an_aliased_spec(tmp_path: Path) -> None:
    text = f"{GOOD}---\napiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers: &c\n  - name: x\n    image: y\n    env: [{{name: HF_TOKEN, value: secret}}]\n  initContainers: *c\n"
    write(tmp_path, a_yaml=text)
    facts = next(r for r in read_manifests([tmp_path]).resources if r.name == "a").facts
    assert [(c["type"], c["hub_tokens"]) for c in facts["containers"]] == [("container", ["HF_TOKEN"]), ("init", ["HF_TOKEN"])]


# ---- anything


WORDS = st.sampled_from(
    [
        "apiVersion: v1\n",
        "kind: Pod\n",
        "kind: List\n",
        "metadata: {name: x}\n",
        "spec:\n",
        "  containers:\n",
        "  - name: y\n",
        "---\n",
        "items:\n",
        "- &a *a\n",
        "{{ .Values.x }}\n",
        "\t",
        "'",
        "[",
        "}",
        "\x00",
        "é",
    ]
)
SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "metadata",
                    "spec",
                    "template",
                    "containers",
                    "env",
                    "securityContext",
                    "labels",
                    "name",
                    "rules",
                    "subjects",
                    "items",
                    "volumes",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
KINDS = st.sampled_from(
    [("v1", "Pod"), ("apps/v1", "Deployment"), ("ray.io/v1", "RayCluster"), ("v1", "Service"), ("networking.k8s.io/v1", "Ingress"), ("networking.k8s.io/v1", "NetworkPolicy"),
     ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"), ("rbac.authorization.k8s.io/v1", "ClusterRole"), ("v1", "Namespace"), ("v1", "Secret"),
     ("storage.k8s.io/v1", "StorageClass"), ("argoproj.io/v1alpha1", "Workflow"), ("serving.kserve.io/v1beta1", "InferenceService"), ("v1", "List")]
)  # fmt: skip


def tried(data: bytes, **options: Any) -> ManifestEstate | None:
    """The estate, None where nothing is recognised; any other exception is the test's failure."""
    try:
        return read_manifests(["-"], stdin=io.BytesIO(data), **options)
    except BartizanError as error:
        if error.code not in (2, 3):
            raise
        return None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=30).map("".join) | st.text(max_size=200))
def test_any_text_gives_problems_or_an_error(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    estate = tried(data, max_depth=20)
    assert estate is None or estate.resources


@given(st.lists(st.tuples(KINDS, SHAPES, SHAPES), min_size=1, max_size=3))
def test_any_object_gives_facts_or_gaps(parts: list[tuple[tuple[str, str], Any, Any]]) -> None:
    items = [
        {
            "apiVersion": v,
            "kind": k,
            "metadata": {"name": f"n{i}", "annotations": body},
            "spec": body,
            "rules": more,
            "subjects": more,
            "items": [more],
        }
        for i, ((v, k), body, more) in enumerate(parts)
    ]
    data = "---\n".join(json.dumps(i) + "\n" for i in items).encode()
    estate = tried(data)
    if estate is None:
        return
    assert len(json.dumps([dict(r.facts) for r in estate.resources])) > 0
    for resource in estate.resources:
        if resource.kind == "workload" and "containers" not in resource.gaps:
            assert resource.facts["containers"]


def test_files_are_called_as_the_repository_calls_them(tmp_path: Path) -> None:
    """Two folders may both have a p.yaml; and what stands at `p.yaml` stands at no line of a pull request."""
    top = tmp_path.resolve()
    write(top, a__p_yaml=pod("one"), b__p_yaml=pod("two"), b__broken_yaml="a: [", c_yaml=pod("three"))
    around = Repository(top, top)
    estate = read_manifests([top / "a", f"{top}/a/../b/", top / "c.yaml"], repository=around)
    assert {r.name: r.where.file for r in estate.resources} == {"one": "a/p.yaml", "two": "b/p.yaml", "three": "c.yaml"}
    assert [problem.partition(":")[0] for problem in estate.problems] == ["b/broken.yaml"]
    beside = read_manifests([top / "a"], repository=Repository(top / "b", top))
    assert [r.where.file for r in beside.resources] == ["../a/p.yaml"]
    outside = read_manifests([top / "a"], repository=Repository(top / "b", top / "b"))
    assert [r.where.file for r in outside.resources] == ["p.yaml"]


def test_a_comment_is_for_its_own_file(tmp_path: Path) -> None:
    """A waiver in a/p.yaml, and a finding at the same line of b/p.yaml."""
    top = tmp_path.resolve()
    text = f"# bartizan:waive * until=2027-01-31 reason=x owner=y\n{GOOD}"
    write(top, a__p_yaml=text, b__p_yaml="\n" + GOOD)
    estate = read_manifests([top / "a", top / "b"], repository=Repository(top, top))
    assert [waiver.where.file for waiver in estate.waivers] == ["a/p.yaml"]


def test_what_has_the_name_of_its_file_keeps_it_wherever_it_is_seen_from(tmp_path: Path) -> None:
    top = tmp_path.resolve()
    write(top, nodes__gpu__kubelet_yaml={"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"})
    around = (None, Repository(top, top), Repository(top / "nodes", top), Repository(top / "nodes" / "gpu", top))
    found = [read_manifests([top / "nodes"], repository=each) for each in around]
    assert len({r.id for estate in found for r in estate.resources}) == 1
    assert [r.where.file for estate in found for r in estate.resources] == [
        "gpu/kubelet.yaml",
        "nodes/gpu/kubelet.yaml",
        "gpu/kubelet.yaml",
        "../gpu/kubelet.yaml",
    ]
