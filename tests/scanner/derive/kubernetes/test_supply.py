"""Identities, pull secrets and pull policies, where they take more than one object."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from scanner.derive.kubernetes.supply import DERIVATIONS
from scanner.derive.kubernetes.types import CLUSTER
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import container, deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

EKS = "arn:aws:eks:eu-west-1:111122223333:cluster/lab"
ASSOCIATION = "AWS::EKS::PodIdentityAssociation"
DENIED = Gap(Reason.DENIED, "test:List", "Allow it.")
ROLE = {"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/a"}
GOOGLE = {"iam.gke.io/gcp-service-account": "a@lab.iam.gserviceaccount.com"}
AZURE = {"azure.workload.identity/client-id": "00000000-1111-2222-3333-444455556666"}
USE = {"azure.workload.identity/use": "true"}


def account(name: str = "default", notes: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return thing("v1", "ServiceAccount", name, metadata={"annotations": notes or {}}, **more)


def association(cluster: str = EKS, namespace: str = "team", name: str = "default") -> Resource:
    subjects = [{"kind": "ServiceAccount", "name": name, "namespace": namespace, "system": False}]
    facts = {"cluster_id": cluster, "subjects": subjects, "namespace": namespace}
    return Resource(f"{cluster}/{namespace}/{name}", "grant", ASSOCIATION, "aws", "111122223333", "eu-west-1", name, facts=facts)


def world(
    *items: dict[str, Any],
    scope: str = "c",
    more: tuple[Resource, ...] = (),
    gaps: dict[str, Gap] | None = None,
    files: bool = False,
) -> MemoryWorld:
    found = [r for item in items for r in projected(clean(item))]
    moved = [
        r.replace(scope=scope, id=r.id.replace("k8s/c/", f"k8s/{scope}/"), where=Where("a.yaml", 1, 1) if files else r.where)
        for r in found
    ]
    return MemoryWorld([*moved, *more], gaps or {}, DERIVATIONS)


def fact(name: str, of: MemoryWorld) -> Any:
    (subject,) = [r for r in of.all("workload") if r.facts.get("namespace") == "team"]
    found = of.fact(subject, name)
    return found.reason if isinstance(found, Gap) else found


def using(*uris: str, **meta: Any) -> dict[str, Any]:
    return deployment("d", {"containers": [container(args=list(uris))]}, **meta)


S3, GS, ABFS = using("s3://b"), "gs://b", "abfs://c@a"


# ---- identities


@pytest.mark.parametrize(
    ("options", "seen", "why"),
    [
        ({"items": [account(notes=ROLE)]}, True, []),
        ({"items": [account(notes={"eks.amazonaws.com/role-arn": "role/a"})]}, False, ["the annotation of its service account names no identity"]),
        # associations of EKS stand in the account alone: without it a missing annotation is unknown
        ({"items": [account()]}, False, Reason.NOT_OFFERED),
        ({"items": [account()], "files": True}, False, Reason.NOT_OFFERED),
        ({"items": []}, Reason.NOT_OFFERED, Reason.NOT_OFFERED),
        ({"items": [account()], "scope": EKS, "more": (association(),)}, True, []),
        ({"items": [account()], "scope": "lab.eu-west-1.eksctl.io", "more": (association(),)}, True, []),
        ({"items": [account()], "scope": EKS}, False, ["its service account has neither an annotation nor an association of EKS"]),
        ({"items": [account()], "scope": EKS, "more": (association(name="other"), association(namespace="x"))}, False,
         ["its service account has neither an annotation nor an association of EKS"]),
        ({"items": [account()], "scope": EKS, "more": (association(EKS.replace("lab", "other")),)}, False,
         ["its service account has neither an annotation nor an association of EKS"]),
        ({"items": [account()], "scope": EKS, "gaps": {ASSOCIATION: DENIED}}, False, Reason.DENIED),
        ({"items": [account()], "scope": EKS, "files": True}, False, Reason.NOT_OFFERED),
    ],
)  # fmt: skip
def test_identities_of_aws(options: dict[str, Any], seen: Any, why: Any) -> None:
    of = world(using("s3://b"), *options.pop("items"), **options)
    assert fact("identity_seen", of) == seen
    if isinstance(why, list):
        assert fact("without_identity", of) == [{"cloud": "aws", "why": w} for w in why]
        assert fact("identity_settled", of) is True
    else:
        assert fact("without_identity", of) == []
        assert fact("identity_settled", of) == why


@pytest.mark.parametrize(
    ("env", "seen", "why"),
    [
        ([{"name": "AWS_CONTAINER_CREDENTIALS_FULL_URI", "value": "http://169.254.170.23/v1/credentials"}], True, []),
        ([{"name": "AWS_WEB_IDENTITY_TOKEN_FILE", "value": "/t"}], True, []),
        ([], False, ["the webhook of EKS has put no identity into the pod"]),
    ],
)
def test_a_running_pod_shows_what_was_put_into_it(env: list[Any], seen: bool, why: list[str]) -> None:  # noqa: FBT001 - a column
    of = world(pod("p", {"containers": [container(args=["s3://b"], env=env)]}), account())
    assert fact("identity_seen", of) is seen
    assert fact("without_identity", of) == [{"cloud": "aws", "why": w} for w in why]


@pytest.mark.parametrize(
    ("uri", "notes", "labels", "why", "settled"),
    [
        (GS, GOOGLE, {}, [], True),
        (GS, {"iam.gke.io/gcp-service-account": "a"}, {}, ["the annotation of its service account names no identity"], True),
        # principals of the pool have no annotation
        (GS, {}, {}, [], Reason.NOT_OFFERED),
        (ABFS, AZURE, USE, [], True),
        # the label stands on the pod, and is the text "true"
        (ABFS, AZURE, {"a": "b"}, ['its pods lack the label azure.workload.identity/use: "true"'], True),
        (
            ABFS,
            AZURE,
            {"azure.workload.identity/use": "yes"},
            ['its pods lack the label azure.workload.identity/use: "true"'],
            True,
        ),
        (ABFS, {}, USE, [], Reason.NOT_OFFERED),
        (ABFS, {"azure.workload.identity/client-id": "x"}, USE, ["the annotation of its service account names no identity"], True),
        ("/data", {}, {}, [], True),
    ],
)
def test_identities_of_other_clouds(uri: str, notes: dict[str, str], labels: dict[str, str], why: list[str], settled: Any) -> None:
    of = world(using(uri, labels=labels), account(notes=notes))
    assert [w["why"] for w in fact("without_identity", of)] == why
    assert fact("identity_settled", of) == settled


def test_an_identity_of_azure_needs_the_label_to_be_seen() -> None:
    assert fact("identity_seen", world(using(ABFS, labels=USE), account(notes=AZURE))) is True
    assert fact("identity_seen", world(using(ABFS), account(notes=AZURE))) is False


def test_what_is_proven_stands_beside_what_is_not() -> None:
    of = world(using("gs://b", ABFS), account())
    assert [w["cloud"] for w in fact("without_identity", of)] == ["azure"]
    assert fact("identity_settled", of) == Reason.NOT_OFFERED


# ---- pull secrets


@pytest.mark.parametrize(
    ("spec", "items", "expected"),
    [
        ({"imagePullSecrets": [{"name": "own"}]}, [account(imagePullSecrets=[{"name": "shared"}])], ["own"]),
        ({}, [account(imagePullSecrets=[{"name": "shared"}])], ["shared"]),
        ({}, [account()], []),
        ({"serviceAccountName": "x"}, [account(imagePullSecrets=[{"name": "shared"}]), account("x")], []),
        ({"imagePullSecrets": [{"name": "own"}]}, [], ["own"]),
        ({}, [], Reason.NOT_OFFERED),
    ],
)
def test_pull_secrets(spec: dict[str, Any], items: list[Any], expected: Any) -> None:
    assert fact("pull_secrets_used", world(deployment("d", spec), *items)) == expected


def test_a_running_pod_has_its_pull_secrets() -> None:
    assert fact("pull_secrets_used", world(pod(), account(imagePullSecrets=[{"name": "later"}]))) == []


# ---- pull policies


def server(*flags: str) -> dict[str, Any]:
    spec = {
        "containers": [
            {"name": "kube-apiserver", "image": "registry.k8s.io/kube-apiserver:v1.34.2", "command": ["kube-apiserver", *flags]}
        ]
    }
    return pod("kube-apiserver-a", spec, "kube-system", labels={"component": "kube-apiserver"})


def node(version: str, name: str = "n") -> dict[str, Any]:
    return thing("v1", "Node", name, None, status={"nodeInfo": {"kubeletVersion": version}})


ON, OFF = (
    server("--enable-admission-plugins=NodeRestriction,AlwaysPullImages"),
    server("--enable-admission-plugins=NodeRestriction"),
)
OLD, NEW = node("v1.32.9"), node("v1.35.0", "m")


@pytest.mark.parametrize(
    ("items", "gaps", "expected"),
    [
        ([ON, OLD], {}, True),
        ([OFF, OLD], {}, False),
        ([server(), OLD], {}, False),
        ([OFF, OLD, NEW], {}, False),
        # a kubelet whose configuration was not seen may ask, and may not
        ([OFF, NEW], {}, Reason.NOT_OFFERED),
        ([OFF, node("v1.33.1")], {}, Reason.NOT_OFFERED),
        ([OFF, node("now")], {}, Reason.UNPARSABLE),
        ([OFF], {}, False),
        ([OFF], {"v1/Node": DENIED}, Reason.DENIED),
        ([OFF, OLD], {"v1/Node": DENIED}, False),
        # of a provider's control plane nothing is seen
        ([OLD], {}, Reason.NOT_OFFERED),
        ([server("--enable-admission-plugins=$(PLUGINS)"), OLD], {}, Reason.NOT_OFFERED),
    ],
)
def test_whether_pulls_are_verified(items: list[Any], gaps: dict[str, Gap], expected: Any) -> None:
    assert fact("pull_verified", world(deployment("d"), *items, gaps=gaps)) == expected


@pytest.mark.parametrize(
    ("version", "settings", "expected"),
    [
        ("v1.35.0", {}, True),
        ("v1.35.0", {"imagePullCredentialsVerificationPolicy": "AlwaysVerify"}, True),
        ("v1.35.0", {"imagePullCredentialsVerificationPolicy": "NeverVerify"}, False),
        ("v1.35.0", {"featureGates": {"KubeletEnsureSecretPulledImages": False}}, False),
        ("v1.34.0", {}, False),
        ("v1.34.0", {"featureGates": {"KubeletEnsureSecretPulledImages": True}}, True),
    ],
)
def test_kubelets_that_ask(version: str, settings: dict[str, Any], expected: bool) -> None:  # noqa: FBT001 - a column of the table
    config = thing("kubelet.config.k8s.io/v1beta1", "KubeletConfiguration", "k", None, **settings)
    (file,) = projected(config, "node")
    found = [r for item in (deployment("d"), OFF, node(version)) for r in projected(clean(item))]
    cluster = Resource("k8s/c", "cluster", CLUSTER, "kubernetes", "c", "", "c", facts={})
    of = MemoryWorld([*found, cluster, file.replace(where=Where("nodes/n.yaml", 1, 1))], {}, DERIVATIONS)
    assert fact("pull_verified", of) is expected


def test_manifests_do_not_show_the_api_server() -> None:
    assert fact("pull_verified", world(deployment("d"), ON, files=True)) == Reason.NOT_OFFERED


def test_time_is_linear() -> None:
    """Whatever the number of pods, nodes and associations: each is looked at a few times."""
    items = [deployment(f"d{n}", {"containers": [container(args=["s3://b"])]}) for n in range(50)]
    of = world(
        *items,
        OFF,
        *(node("v1.32.0", f"n{n}") for n in range(50)),
        account(),
        scope=EKS,
        more=tuple(association(name=f"a{n}") for n in range(50)),
    )
    for subject in list(of.all("workload")):
        for derivation in DERIVATIONS:
            derivation.apply(subject, of)
    assert of.reads < 1000
