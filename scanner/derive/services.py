"""Managed services of machine learning: whether their subnets lead to the internet, and which models are served."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scanner.derive.names import SCAN_ACCOUNT, planned, unseen
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

SUBNET = "AWS::EC2::Subnet"
CLUSTER, MODEL = "AWS::SageMaker::Cluster", "AWS::SageMaker::Model"
ENDPOINT, CONFIG = "AWS::SageMaker::Endpoint", "AWS::SageMaker::EndpointConfig"
PLACED = (
    "AWS::SageMaker::TrainingJob",
    "AWS::SageMaker::ProcessingJob",
    "AWS::SageMaker::DataQualityJobDefinition",
    MODEL,
    CONFIG,
    "AWS::SageMaker::Domain",
)
"""Native types that stand in subnets of the customer."""


def routed(service: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether some subnet of a service leads to the internet."""
    subnets = world.fact(service, "subnet_ids")
    return {"internet_route": subnets if isinstance(subnets, Gap) else _routes(service, subnets, world)}


def groups_routed(cluster: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Instance groups of which a subnet leads to the internet; those that are certain, where there are any."""
    groups = world.fact(cluster, "instance_groups")
    if isinstance(groups, Gap):
        return {"groups_routed_out": groups}
    truths = {str(group["name"]): _routes(cluster, group["subnet_ids"], world) for group in groups}
    out = sorted(name for name, truth in truths.items() if truth is True)
    gap = next((truth for _, truth in sorted(truths.items()) if isinstance(truth, Gap)), None)
    return {"groups_routed_out": out or gap or []}


def _routes(service: Resource, subnets: Iterable[JSON], world: World) -> Truth:
    return any_of(_routes_out(service, str(subnet), world) for subnet in subnets)


def _routes_out(service: Resource, subnet_id: str, world: World) -> Truth:
    subnet = world.get("subnet", subnet_id)
    if subnet is None:
        return unseen(world, SUBNET, service, subnet_id)
    truth = world.fact(subnet, "internet_route")
    return truth if isinstance(truth, Gap) else truth is True


@dataclass(slots=True)
class Served:
    """What endpoints run."""

    configs: set[str] = field(default_factory=set)
    models: set[str] = field(default_factory=set)
    missed: dict[tuple[str, str], Gap] = field(default_factory=dict)
    """(scope, native type) → why what some endpoint runs, or serves, is unknown."""


def served(service: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether an endpoint runs a configuration, or serves a model. In a plan that has none, an endpoint elsewhere may."""
    found = world.memo("services.served", lambda: _served(world))
    if service.id in found.configs or service.id in found.models:
        return {"served": True}
    if planned(service):
        return {"served": Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "the plan has no endpoint that serves it")}
    natives = (ENDPOINT, CONFIG) if service.native_type == MODEL else (ENDPOINT,)
    gaps = [found.missed.get((service.scope, service.native_type))]
    gaps += [world.listing(native, service.scope, service.region) for native in natives]
    return {"served": next((g for g in gaps if g is not None), None) or False}


def _served(world: World) -> Served:
    found = Served()
    for endpoint in world.all("model_service"):
        if endpoint.native_type != ENDPOINT:
            continue
        config_id = world.fact(endpoint, "config_id")
        if isinstance(config_id, Gap):
            for native in (CONFIG, MODEL):
                found.missed.setdefault((endpoint.scope, native), config_id)
            continue
        found.configs.add(str(config_id))
        config = world.get("model_service", str(config_id))
        # NOTE: a configuration may be deleted while its endpoint lives on; which models that serves nobody can tell
        models = unseen(world, CONFIG, endpoint, str(config_id)) if config is None else world.fact(config, "model_ids")
        if isinstance(models, Gap):
            found.missed.setdefault((endpoint.scope, MODEL), models)
        else:
            found.models |= {str(m) for m in models}
    return found


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "model_service",
        ("internet_route",),
        routed,
        needs=("subnet_ids",),
        reads={SUBNET: ("internet_route",)},
        native_types=PLACED,
    ),
    Derivation(
        "model_service",
        ("groups_routed_out",),
        groups_routed,
        needs=("instance_groups",),
        reads={SUBNET: ("internet_route",)},
        native_types=(CLUSTER,),
    ),
    Derivation(
        "model_service",
        ("served",),
        served,
        reads={ENDPOINT: ("config_id",), CONFIG: ("model_ids",)},
        native_types=(MODEL, CONFIG),
    ),
)
