"""Which inference services are seen from outside the cluster, and whether somebody asks who calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.derive.kubernetes.authorisation import AUTHORISED, WORKLOAD_FACTS, authorised, gateway_asks
from scanner.derive.kubernetes.membership import CONFIG_MAP, component
from scanner.derive.kubernetes.types import NAMESPACE, POD_LIKE, from_manifests, namespace_of, object_id, unseen
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

TYPES = (
    "serving.kserve.io/v1beta1/InferenceService",
    "serving.kserve.io/v1alpha1/LLMInferenceService",
    "machinelearning.seldon.io/v1/SeldonDeployment",
    "apps.nvidia.com/v1alpha1/NIMService",
)
INGRESS = "networking.k8s.io/v1/Ingress"
RAW = frozenset({"RawDeployment", "Standard"})
INHERITED = Gap(
    Reason.NOT_OFFERED,
    "",
    "Look at the configurations that it names.",
    "whether it has a route may stand in the configurations that it is made from (baseRefs)",
)
SELDON = Gap(
    Reason.NOT_OFFERED,
    "",
    "Look at how Seldon was installed.",
    "whether Seldon publishes its deployments is a setting of its installation",
)


def settings(service: Resource, world: World) -> Mapping[str, Any] | Gap:
    """The configuration of KServe."""
    found = [said for _, said in component(service, "kserve", world)]
    if found and all(said == found[0] for said in found):
        return found[0]
    if found:
        return Gap(
            Reason.UNPARSABLE,
            "",
            "Leave one ConfigMap inferenceservice-config.",
            "several ConfigMaps configure KServe, and they disagree",
        )
    return unseen(world, service, CONFIG_MAP, "inferenceservice-config") or Gap(
        Reason.NOT_OFFERED, "", "Look at the installation of KServe.", "the configuration of KServe was not found"
    )


def public(service: Resource, said: Mapping[str, Any], world: World) -> Truth:
    """Whether a service is seen from outside the cluster: as KServe does it, unless it is cluster-local.

    https://kserve.github.io/website/docs/admin-guide/overview
    """
    if said["serves"] == "seldon":
        return SELDON
    if said["serves"] == "nim":
        return bool(said["visibility"] == "exposed")
    if "routed" in said:
        return INHERITED if said["routed"] is None else said["routed"] is True
    return _deployed(service, said, world)


def _deployed(service: Resource, said: Mapping[str, Any], world: World) -> Truth:
    """Whether KServe gives a service an address outside, by the way in which it deploys it: each has a label of its own.

    https://github.com/kserve/kserve/tree/master/pkg/controller/v1beta1/inferenceservice/reconcilers/ingress
    """
    common = settings(service, world)
    mode = said["mode"] or ("" if isinstance(common, Gap) else common.get("mode", ""))
    local, local_by_knative = (said[key] == "cluster-local" for key in ("visibility", "knative_visibility"))
    if mode == "ModelMesh" or (local and local_by_knative):
        return False
    if mode in ("Serverless", "Knative"):
        return not local_by_knative
    if mode in RAW and (local or said["visibility"] == "exposed"):
        return not local
    if isinstance(common, Gap):
        return common
    if mode not in RAW or "makes_ingress" not in common:
        return Gap(
            Reason.UNPARSABLE,
            "",
            "Correct inferenceservice-config.",
            "how KServe deploys models is not clear from its configuration",
        )
    return bool(common["makes_ingress"] and not common["local_domain"])


def _front(world: World, scope: str) -> list[Resource]:
    """Ingresses that ask who calls before anything behind them is reached."""
    return [r for r in world.all("endpoint", scope) if r.native_type == INGRESS and world.fact(r, "authenticates") != "no"]


def _outside(service: Resource, world: World) -> Gap | None:
    """Why callers may be asked before they reach the mesh: an Ingress of the gateways, or of the service's own namespace, does so."""
    scope = service.scope
    for ingress in world.memo(f"mesh.fronts {scope}", lambda: _front(world, scope)):
        place = namespace_of(ingress)
        if place == namespace_of(service) or any(word in place for word in ("istio", "knative", "gateway", "ingress")):
            return Gap(
                Reason.NOT_OFFERED,
                "",
                "Make sure that nothing leads past it.",
                f"the Ingress {ingress.name} in {place} may ask who calls before the service is reached",
            )
    return None


def callers_known(service: Resource, said: Mapping[str, Any], world: World) -> Truth:
    """Whether only known callers get through: by a proxy of the platform, by policies of the mesh, or at its gateway."""
    if said["asks_identity"]:
        return True
    parts = [p for label in ("predictor", "transformer") if (p := world.get("workload", f"{service.id}#{label}")) is not None]
    namespace = world.get("namespace", object_id(service.scope, "Namespace", "", namespace_of(service)))
    first = next((p for p in reversed(parts)), None) or namespace
    inside: Truth = (
        authorised(first, world, outside=True)
        if first is not None
        else unseen(world, service, NAMESPACE, f"the namespace {namespace_of(service)}") or False
    )
    found = any_of((inside, gateway_asks(service, world)))
    if found is False and from_manifests(service):
        return unseen(world, service, INGRESS, "what stands in front of it") or False
    return found if found is not False else _outside(service, world) or world.listing(INGRESS, service.scope) or False


def url_scheme(service: Resource, said: Mapping[str, Any], world: World) -> str | Gap:
    """The scheme of the address that KServe gives a service; empty for services of others."""
    if said["serves"] != "kserve":
        return ""
    common = settings(service, world)
    if isinstance(common, Gap):
        return common
    return str(common.get("url_scheme") or "") or Gap(
        Reason.UNPARSABLE, "", "Correct inferenceservice-config.", "the ingress settings of KServe are not JSON"
    )


def of_service(service: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who reaches an inference service."""
    said: Any = world.fact(service, "publishing")
    if isinstance(said, Gap):
        return dict.fromkeys(("public", "callers_known", "url_scheme"), said)
    seen = public(service, said, world)
    if seen is False:
        return {"public": False, "callers_known": True, "url_scheme": ""}
    return {"public": seen, "callers_known": callers_known(service, said, world), "url_scheme": url_scheme(service, said, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "model_service",
        ("public", "callers_known", "url_scheme"),
        of_service,
        needs=("namespace", "publishing"),
        reads={**AUTHORISED, INGRESS: ("namespace", "authenticates"), **dict.fromkeys(POD_LIKE, WORKLOAD_FACTS)},
        native_types=TYPES,
    ),
)
