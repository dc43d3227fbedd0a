"""Facts of who gets in, and of what Pod Security admission asks."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.kept.access import identity_mappings, signing_request
from collectors.kubernetes.redact import clean
from collectors.kubernetes.tables import WORKLOADS
from scanner.model import Reason
from tests.collectors.kubernetes.objects import container, deployment, one, pod, read_manifests, thing
from tests.conftest import ROOT

NODES = {
    "rolearn": "arn:aws:iam::111122223333:role/nodes",
    "username": "system:node:{{EC2PrivateDNSName}}",
    "groups": ["system:nodes"],
}


def mapped(arn: str, *groups: str, key: str = "mapRoles") -> dict[str, Any]:
    return {"arn": arn, "map": key, "groups": list(groups)}


@pytest.mark.parametrize(
    ("data", "expected", "unreadable"),
    [
        ({}, [], []),
        ({"mapRoles": "", "mapUsers": "[]\n"}, [], []),
        ({"mapRoles": json.dumps([NODES])}, [mapped(NODES["rolearn"], "system:nodes")], []),  # type: ignore[arg-type]
        (
            {"mapRoles": '- rolearn: arn:aws:iam::1:role/a\n  groups:\n    - system:masters\n    - "ops:night"\n'},
            [mapped("arn:aws:iam::1:role/a", "system:masters", "ops:night")],
            [],
        ),
        (
            {"mapUsers": "- {userarn: 'arn:aws:iam::1:user/u', username: u, groups: [system:masters]}"},
            [mapped("arn:aws:iam::1:user/u", "system:masters", key="mapUsers")],
            [],
        ),
        ({"mapRoles": "- rolearn: arn:aws:iam::1:role/a\n"}, [mapped("arn:aws:iam::1:role/a")], []),
        # what is no ARN and no group is not kept: it may be anything
        ({"mapRoles": "- {rolearn: 'a secret', groups: ['with blanks', ok]}"}, [mapped("", "ok")], []),
        ({"mapRoles": "rolearn: x"}, [], ["mapRoles"]),
        ({"mapRoles": "- just text"}, [], ["mapRoles"]),
        ({"mapRoles": "- {rolearn: [}"}, [], ["mapRoles"]),
        ({"mapRoles": "- a: 1\n---\n- b: 2\n"}, [], ["mapRoles"]),
        (
            {"mapRoles": "- {rolearn: 'arn:aws:iam::1:role/a', groups: system:masters}"},
            [mapped("arn:aws:iam::1:role/a")],
            ["mapRoles"],
        ),
        ({"mapRoles": "[" * 50 + "]" * 50}, [], ["mapRoles"]),
    ],
)
def test_identity_mappings(data: dict[str, str], expected: list[Any], unreadable: list[str]) -> None:
    assert identity_mappings(data) == {"identity_mappings": expected, "unreadable": unreadable}


@given(st.text(max_size=200))
def test_no_text_breaks_the_mappings(text: str) -> None:
    found = identity_mappings({"mapRoles": text, "mapUsers": text})
    assert set(found) == {"identity_mappings", "unreadable"}


def test_a_config_map_keeps_its_mappings_and_nothing_else() -> None:
    item = thing("v1", "ConfigMap", "aws-auth", "kube-system", data={"mapRoles": json.dumps([NODES]), "other": "hunter2"})
    found = one(clean(item))
    assert found.facts["settings"] == {"identity_mappings": [mapped(str(NODES["rolearn"]), "system:nodes")], "unreadable": []}
    assert "hunter2" not in json.dumps(item)
    assert one(clean(thing("v1", "ConfigMap", "other", data={"mapRoles": "x"}))).facts["settings"] == {}


# ---- signing requests

ADA = read_manifests([ROOT / "fixtures" / "manifests" / "access.yaml"])


def request(subject: bytes, pem: bytes = b"CERTIFICATE REQUEST") -> str:
    """A request as the API has it, around a subject in DER (the rest of it is not looked at)."""
    info = b"\x02\x01\x00" + subject
    body = bytes([0x30, len(info)]) + info
    der = bytes([0x30, len(body)]) + body
    text = b"-----BEGIN " + pem + b"-----\n" + base64.encodebytes(der) + b"-----END " + pem + b"-----\n"
    return base64.b64encode(text).decode()


def name(*parts: tuple[str, str, int]) -> bytes:
    found = b""
    for oid, text, tag in parts:
        raw = text.encode("utf-16-be" if tag == 0x1E else "utf-8")
        pair = bytes([0x06, 3]) + bytes.fromhex(oid) + bytes([tag, len(raw)]) + raw
        pair = bytes([0x30, len(pair)]) + pair
        found += bytes([0x31, len(pair)]) + pair
    return bytes([0x30, len(found)]) + found


CN, ORG, OU = "550403", "55040a", "55040b"


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (name((CN, "ada", 0x0C)), {"user": "ada", "groups": []}),
        (name((ORG, "system:masters", 0x13), (CN, "root", 0x0C)), {"user": "root", "groups": ["system:masters"]}),
        (name((ORG, "b", 0x0C), (ORG, "a", 0x16), (OU, "x", 0x0C)), {"user": "", "groups": ["a", "b"]}),
        (name((ORG, "system:masters", 0x1E)), {"user": "", "groups": ["system:masters"]}),
        (name(), {"user": "", "groups": []}),
    ],
)
def test_subjects_of_requests(subject: bytes, expected: dict[str, Any]) -> None:
    assert signing_request({"spec": {"request": request(subject)}}) == expected
    assert signing_request({"spec": {"request": request(subject, b"NEW CERTIFICATE REQUEST")}}) == expected


@pytest.mark.parametrize(
    "text",
    [None, "", "not base64!", base64.b64encode(b"text").decode(), request(b"\x30\x7f"), request(b""), request(b"\x30\x02\x30\x00")],
)
def test_what_is_no_request_is_unknown(text: Any) -> None:
    found = one(
        clean(thing("certificates.k8s.io/v1", "CertificateSigningRequest", "c", None, spec={"signerName": "s", "request": text}))
    )
    assert found.gaps["requested_groups"].reason is Reason.NOT_OFFERED
    assert found.facts["signer"] == "s"


@given(st.binary(max_size=300))
def test_no_bytes_break_a_request(data: bytes) -> None:
    found = signing_request({"spec": {"request": request(data[:100])}})
    assert set(found) in (set(), {"user", "groups"})
    assert signing_request({"spec": {"request": base64.b64encode(data).decode()}}) == {}


@pytest.mark.parametrize(
    ("conditions", "active"),
    [
        ([], False),
        ([{"type": "Approved", "status": "True"}], True),
        ([{"type": "Approved"}], True),
        ([{"type": "Approved"}, {"type": "Failed", "status": "True"}], False),
        ([{"type": "Denied", "status": "True"}], False),
    ],
)
def test_signing_requests(conditions: list[Any], active: bool) -> None:  # noqa: FBT001 - a column of the table
    item = thing(
        "certificates.k8s.io/v1",
        "CertificateSigningRequest",
        "c",
        None,
        spec={"signerName": "kubernetes.io/kube-apiserver-client", "request": request(name((ORG, "g", 0x0C), (CN, "u", 0x0C)))},
        status={"conditions": [{**c, "message": "hunter2"} for c in conditions]},
    )
    found = one(clean(item))
    assert dict(found.facts) == {
        "credential_type": "signing_request",
        "signer": "kubernetes.io/kube-apiserver-client",
        "requested_user": "u",
        "requested_groups": ["g"],
        "active": active,
    }
    assert found.id == "k8s/c/CertificateSigningRequest.certificates.k8s.io//c"
    assert "hunter2" not in json.dumps(item)
    assert "request" not in item["spec"]


def test_a_real_request() -> None:
    (found,) = [r for r in ADA.resources if r.kind == "credential"]
    assert (found.facts["requested_user"], found.facts["requested_groups"], found.facts["active"]) == (
        "ada",
        ["ml-engineers", "readers"],
        True,
    )


# ---- pods


def test_pod_settings() -> None:
    assert one(pod()).facts["pod_settings"] == {
        "run_as_non_root": None, "run_as_user": None, "seccomp": "", "apparmor": "", "selinux_type": "", "selinux_user": "",
        "selinux_role": "", "host_process": False, "ulimits": [], "misspelt_capabilities": [],
    }  # fmt: skip
    own = {
        "runAsNonRoot": False,
        "runAsUser": 0,
        "seccompProfile": {"type": "Unconfined"},
        "appArmorProfile": {"type": "Localhost"},
        "seLinuxOptions": {"type": "spc_t", "user": "u", "role": "r"},
        "windowsOptions": {"hostProcess": True},
    }
    odd = container("odd", securityContext={"ulimits": [{"name": "nofile"}], "capabilities": {"add": ["CAP_CHOWN", "KILL"]}})
    assert one(pod(spec={"securityContext": own, "initContainers": [odd]})).facts["pod_settings"] == {
        "run_as_non_root": False, "run_as_user": 0, "seccomp": "Unconfined", "apparmor": "Localhost", "selinux_type": "spc_t",
        "selinux_user": "u", "selinux_role": "r", "host_process": True, "ulimits": ["odd"], "misspelt_capabilities": ["CAP_CHOWN"],
    }  # fmt: skip


def test_volume_types() -> None:
    volumes = [{"name": "a"}, {"name": "b", "nfs": {"server": "s"}}, {"name": "c", "secret": {}}, {"name": "d", "newKind": {}}]
    volumes += [{"name": "e", "hostPath": None, "emptyDir": {}}, {"name": "f", "image": {"reference": "r"}}]
    found = one(pod(spec={"volumes": volumes})).facts["volume_types"]
    assert [(v["volume"], v["type"]) for v in found] == [
        ("a", "emptyDir"), ("b", "nfs"), ("c", "secret"), ("d", "unknown"), ("e", "emptyDir"), ("f", "image"),
    ]  # fmt: skip
    assert one(pod()).facts["volume_types"] == []


DEBUG = {"ephemeralContainers": [container("debugger-1"), container("debugger-2")]}


def states(*each: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return {"ephemeralContainerStatuses": [{"name": n, "state": s, "imageID": "x"} for n, s in each]}


def test_ephemeral_containers() -> None:
    ended = {"terminated": {"exitCode": 0, "message": "hunter2"}}
    item = {**pod(spec=DEBUG), "status": states(("debugger-1", ended), ("debugger-2", {"running": {"startedAt": "x"}}))}
    found = one(clean(item))
    assert found.facts["ephemeral_running"] == ["debugger-2"]
    assert "hunter2" not in json.dumps(item)
    half = {**pod(spec=DEBUG), "status": states(("debugger-1", ended))}
    assert one(half).gaps["ephemeral_running"].reason is Reason.NOT_OFFERED
    assert one(pod()).facts["ephemeral_running"] == []
    assert one(deployment(spec=DEBUG)).facts["ephemeral_running"] == []


def test_a_pod_with_a_shell_is_looked_at_beside_its_owner(tmp_path: Any) -> None:
    owner: dict[str, Any] = {"ownerReferences": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "controller": True}]}
    (tmp_path / "a.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [
        deployment(), pod("plain", **owner), pod("entered", DEBUG, **owner), pod("entered-too", DEBUG, **owner),
        pod("changed", {**DEBUG, "hostPID": True}, **owner),
    ]}))  # fmt: skip
    found = {r.name: r for r in read_manifests([tmp_path]).resources}
    assert {name: r.native_type for name, r in found.items()} == {
        "d": "apps/v1/Deployment",
        "entered": "kubernetes/v1/DebuggedPod",
        "entered-too": "kubernetes/v1/DebuggedPod",
        "changed": "v1/Pod",
    }
    # what its owner tells of it is not told again
    entered = found["entered"]
    assert entered.id == "k8s/manifests/Pod/team/entered"
    assert entered.facts.keys() | entered.gaps.keys() == {"namespace", "containers", "ephemeral_running"}
    assert [c["name"] for c in entered.facts["containers"]] == ["debugger-1", "debugger-2"]


def test_a_manifest_without_a_namespace_goes_anywhere() -> None:
    item = pod()
    assert one(item).facts["namespace_settled"] is True
    del item["metadata"]["namespace"]
    found = one(item)
    assert found.facts["namespace"] == "default"
    assert found.gaps["namespace_settled"].reason is Reason.NOT_OFFERED
    wide = thing(
        "argoproj.io/v1alpha1", "ClusterWorkflowTemplate", "w", None, spec={"templates": [{"name": "t", "container": container()}]}
    )
    assert one(wide).facts["namespace_settled"] is True


ENFORCE = "pod-security.kubernetes.io/enforce-version"


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({}, "latest"),
        ({ENFORCE: "latest"}, "latest"),
        ({ENFORCE: "v1.34"}, "v1.34"),
        ({ENFORCE: "1.34"}, None),
        ({ENFORCE: "v2.0"}, None),
    ],
)
def test_versions_of_the_standards(labels: dict[str, str], expected: str | None) -> None:
    found = one(thing("v1", "Namespace", "n", None, metadata={"labels": labels}))
    assert found.facts.get("pod_security_version") == expected
    assert ("pod_security_version" in found.gaps) is (expected is None)


def test_runtime_classes() -> None:
    found = one(thing("node.k8s.io/v1", "RuntimeClass", "gvisor", None, handler="runsc"))
    assert (dict(found.facts), found.id) == ({"handler": "runsc"}, "k8s/c/RuntimeClass.node.k8s.io//gvisor")


def test_the_rule_about_workloads_knows_all_that_makes_pods() -> None:
    text = (ROOT / "policies" / "iam" / "k8s_workload_write.rego").read_text()
    body = text[text.index("makers := {") :].partition("\n}\n")[0]
    makers = {
        group: re.findall(r'"([a-z]+)"', plurals)
        for group, plurals in re.findall(r'^\t"([^"]*)": \{([^}]*)\},$', body, re.MULTILINE)
    }
    named = {(group, plural) for group, plurals in makers.items() for plural in plurals}
    inert = {("", "podtemplates"), ("argoproj.io", "workflowtemplates"), ("argoproj.io", "clusterworkflowtemplates")}
    made = {(t.native_type.split("/")[0] if t.native_type.count("/") == 2 else "", t.plural) for t in WORKLOADS}
    assert named == made - inert
