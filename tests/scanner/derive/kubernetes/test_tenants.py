"""Whose a namespace is."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.derive.kubernetes.tenants import is_platform, tenant_of, tenants
from scanner.model import Gap, Reason
from tests.collectors.kubernetes.objects import projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "v1:namespaces", "Allow it.")
PROFILE = {"app.kubernetes.io/part-of": "kubeflow-profile"}


def space(name: str, labels: dict[str, str] | None = None, **notes: str) -> dict[str, Any]:
    return thing("v1", "Namespace", name, None, metadata={"labels": labels or {}, "annotations": notes})


def world(*items: dict[str, Any], tenants: dict[str, Any] | None = None, gaps: dict[str, Gap] | None = None) -> MemoryWorld:
    return MemoryWorld([r for i in items for r in projected(i)], gaps or {}, DERIVATIONS, {"tenants": tenants or {}})


@pytest.mark.parametrize(
    ("item", "tenant"),
    [
        (space("a", {"tenant": "red"}), "red"),
        (space("a", {"bartizan.io/tenant": "blue", "tenant": "red"}), "blue"),
        (space("a", {"capsule.clastix.io/tenant": "oil"}), "oil"),
        (space("a", PROFILE, owner="ada@example.com"), "ada@example.com"),
        (space("a", {"field.cattle.io/projectId": "p-1"}), "p-1"),
        (space("a", {"loft.sh/project": "vision"}), "vision"),
        (
            space("a", {"a.tree.hnc.x-k8s.io/depth": "0", "top.tree.hnc.x-k8s.io/depth": "2", "mid.tree.hnc.x-k8s.io/depth": "1"}),
            "top",
        ),
        (space("default"), "default"),
        (space("default", {"tenant": "red"}), "red"),
        (space("kube-system", {"field.cattle.io/projectId": "p-0"}), ""),
        (space("gpu-operator", {"field.cattle.io/projectId": "p-0"}), ""),
        # an empty label says nothing; a label beats a name that only sounds like the platform
        (space("nvidia-lab", {"tenant": "lab"}), "lab"),
        (space("kueue-system", {"tenant": ""}), ""),
    ],
)
def test_what_marks_tell(item: dict[str, Any], tenant: str) -> None:
    of = world(item)
    (resource,) = of.all("namespace")
    assert (tenant_of(resource.name, "c", of), of.fact(resource, "tenant")) == (tenant, tenant)


@pytest.mark.parametrize(
    "item",
    [
        space("a"),
        space("a", {"team": "red"}),
        space("a", {}, owner="ada@example.com"),
        space("a", PROFILE),
        space("a", {"x.tree.hnc.x-k8s.io/depth": "far"}),
    ],
)
def test_nothing_is_guessed(item: dict[str, Any]) -> None:
    found = tenant_of("a", "c", world(item))
    assert isinstance(found, Gap)
    assert (found.reason, found.remedy.startswith("Name tenants in bartizan.yaml")) == (Reason.NOT_OFFERED, True)


def test_the_configuration_comes_first() -> None:
    of = world(space("vision-a", {"team": "red", "tenant": "blue"}), tenants={"labels": ["squad", "team"]})
    assert tenant_of("vision-a", "c", of) == "red"
    declared = {"namespaces": {"vision-b": "two", "vision-*": "vision", "infra-*": ""}, "labels": ["team"]}
    of = world(space("vision-a", {"team": "red"}), tenants=declared)
    assert [tenant_of(n, "c", of) for n in ("vision-a", "vision-b", "infra-x", "kube-system")] == ["vision", "two", "", ""]
    assert tenant_of("kube-system", "c", world(tenants={"namespaces": {"*": "all"}})) == "all"


def test_a_namespace_that_was_not_seen() -> None:
    assert tenant_of("a", "c", world(gaps={"v1/Namespace": DENIED})) == DENIED
    assert isinstance(tenant_of("kueue-system", "c", world()), Gap)
    assert tenant_of("kube-system", "c", world(gaps={"v1/Namespace": DENIED})) == ""


def test_an_owner_that_was_not_read() -> None:
    for labels, found in (({"tenant": "red"}, "red"), (PROFILE, DENIED)):
        (resource,) = projected(space("a", labels))
        hidden = resource.replace(facts={"system": False}, gaps={"owner": DENIED})
        assert tenant_of("a", "c", MemoryWorld([hidden], {}, DERIVATIONS)) == found


@pytest.mark.parametrize(
    ("item", "tenants", "platform"),
    [
        (space("a"), {}, False),
        (space("a", {"tenant": "red"}), {}, False),
        (space("kube-system", {"tenant": "red"}), {}, True),
        (space("kueue-system"), {}, True),
        (space("kueue-system", {"tenant": "red"}), {}, False),
        (space("infra"), {"namespaces": {"infra": ""}}, True),
        (space("kueue-system"), {"namespaces": {"*": "all"}}, False),
        (space("default"), {}, False),
        # names that only begin like those of operators are a tenant's
        *(
            (space(name), {}, False)
            for name in ("nvidia-research", "gke-team", "amazon-ads", "linkerd-lab", "kuberay-jobs", "calico-x")
        ),
        *((space(name), {}, True) for name in ("nvidia-gpu-operator", "openshift-monitoring", "cattle-system", "gke-managed-cim")),
    ],
)
def test_what_is_the_platform(item: dict[str, Any], tenants: dict[str, Any], platform: bool) -> None:  # noqa: FBT001 - a column
    of = world(item, tenants=tenants)
    (resource,) = of.all("namespace")
    assert of.fact(resource, "platform") is platform
    assert is_platform(resource.name, "c", of) is platform


def test_a_platform_of_which_only_the_name_is_known() -> None:
    assert is_platform("kueue-system", "c", world(gaps={"v1/Namespace": DENIED})) == DENIED
    assert is_platform("team", "c", world(gaps={"v1/Namespace": DENIED})) is False


def test_all_tenants() -> None:
    red, blue = space("a", {"tenant": "red"}), space("b", {"tenant": "blue"})
    assert tenants("c", world(red, blue, space("kube-system"))) == frozenset({"red", "blue"})
    assert isinstance(tenants("c", world(red, space("x"))), Gap)
    assert tenants("c", world(red, gaps={"v1/Namespace": DENIED})) == DENIED
