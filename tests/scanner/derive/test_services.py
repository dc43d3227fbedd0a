"""Managed services of machine learning: their subnets, their keys, and who serves which model."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import AFTER, arn, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

VPC, PUBLIC, PRIVATE = arn("network", "vpc-1"), arn("subnet", "public"), arn("subnet", "private")
GROUP = arn("firewall", "sg")
JOB, MODEL, CONFIG = "AWS::SageMaker::TrainingJob", "AWS::SageMaker::Model", "AWS::SageMaker::EndpointConfig"
ENDPOINT, CLUSTER, DOMAIN = "AWS::SageMaker::Endpoint", "AWS::SageMaker::Cluster", "AWS::SageMaker::Domain"
CUSTOMER = thing("key", "mine", manager="customer", aliases=[])
PROVIDER = thing("key", "theirs", manager="provider", aliases=[])


def network() -> tuple[Resource, ...]:
    """A network with a subnet that leads to the internet, and one that does not."""
    route = {"destination": "0.0.0.0/0", "target_type": "internet_gateway", "target": "igw", "active": True}
    return (
        thing("network", "vpc-1"),
        thing("subnet", "public", network_id=VPC),
        thing("subnet", "private", network_id=VPC),
        thing("route_table", "out", network_id=VPC, main=False, subnet_ids=[PUBLIC], routes=[route]),
        thing("route_table", "in", network_id=VPC, main=True, subnet_ids=[], routes=[]),
    )


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others, *network(), CUSTOMER, PROVIDER], gaps, DERIVATIONS).fact(subject, fact)


def service(native: str = JOB, name: str = "s", gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    return thing("model_service", name, native, gaps, **facts)


@pytest.mark.parametrize(
    ("subnets", "answer"),
    [([PRIVATE], False), ([PRIVATE, PUBLIC], True), ([], False), ([arn("subnet", "gone"), PUBLIC], True)],
)
@pytest.mark.parametrize("native", [JOB, MODEL, DOMAIN])
def test_internet_route(native: str, subnets: list[str], answer: bool) -> None:  # noqa: FBT001
    assert of(service(native, subnet_ids=subnets), "internet_route") is answer


def test_internet_route_in_the_dark() -> None:
    assert of(service(gaps={"subnet_ids": DENIED}), "internet_route") is DENIED
    assert of(service(subnet_ids=[arn("subnet", "gone")]), "internet_route").reason is Reason.NOT_OFFERED
    assert of(service(subnet_ids=[arn("subnet", "gone")]), "internet_route", gaps={"AWS::EC2::Subnet": DENIED}) is DENIED


def group(name: str, *subnets: str, root: str = "", volumes: tuple[str, ...] = (), size: str = "ml.p5.48xlarge") -> dict[str, Any]:
    return {
        "name": name,
        "instance_types": [size],
        "subnet_ids": list(subnets),
        "firewall_ids": [GROUP],
        "root_key_id": root,
        "volume_key_ids": list(volumes),
    }


def cluster(*groups: dict[str, Any]) -> Resource:
    return service(
        CLUSTER, service_type="cluster", instance_groups=list(groups), subnet_ids=[s for g in groups for s in g["subnet_ids"]]
    )


def test_a_group_with_a_network_of_its_own_may_lead_out() -> None:
    assert of(cluster(group("a", PRIVATE), group("b", PUBLIC)), "groups_routed_out") == ["b"]
    assert of(cluster(group("a", PRIVATE)), "groups_routed_out") == []
    assert of(cluster(group("a", PRIVATE), group("b", arn("subnet", "x"))), "groups_routed_out").reason is Reason.NOT_OFFERED
    assert of(cluster(group("a", PUBLIC), group("b", arn("subnet", "x"))), "groups_routed_out") == ["a"], "certain, whatever b does"


def test_volumes_of_groups() -> None:
    mine, theirs = CUSTOMER.id, PROVIDER.id
    good = group("a", root=mine, volumes=(mine,))
    assert of(cluster(good), "groups_without_cmk") == []
    assert of(cluster(good, group("b", volumes=(mine,))), "groups_without_cmk") == ["b/root"]
    assert of(cluster(group("a", root=mine, volumes=("", theirs))), "groups_without_cmk") == ["a/volume", "a/volume2"]
    lost = group("c", root=arn("key", "gone"))
    assert isinstance(of(cluster(good, lost), "groups_without_cmk"), Gap)
    assert of(cluster(group("b"), lost), "groups_without_cmk") == ["b/root"]
    assert of(service(CLUSTER, gaps={"instance_groups": DENIED}), "groups_without_cmk") is DENIED
    assert of(CUSTOMER, "used_by", cluster(good)) == [cluster().id]
    assert of(CUSTOMER, "used_by", service(CLUSTER, gaps={"instance_groups": DENIED})) is DENIED


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        ({"output_written": False, "output_key_id": ""}, "none"),
        ({"output_written": True, "output_key_id": ""}, "provider"),
        ({"output_written": True, "output_key_id": CUSTOMER.id}, "customer"),
        ({"output_written": True, "output_key_id": "alias/aws/s3"}, "provider"),
    ],
)
@pytest.mark.parametrize("native", [JOB, DOMAIN])
def test_output_key_manager(native: str, facts: dict[str, Any], answer: str) -> None:
    assert of(service(native, **facts), "output_key_manager") == answer


def test_output_keys_in_the_dark_and_in_use() -> None:
    assert of(service(gaps={"output_written": DENIED}, output_key_id=""), "output_key_manager") is DENIED
    assert of(service(gaps={"output_key_id": DENIED}, output_written=True), "output_key_manager") is DENIED
    job = service(key_id="", output_key_id=CUSTOMER.id)
    assert of(CUSTOMER, "used_by", job) == [job.id]
    assert of(CUSTOMER, "used_by", service(key_id="", gaps={"output_key_id": DENIED})) is DENIED


def serving(**changes: Any) -> tuple[Resource, Resource, Resource]:
    model = service(MODEL, "m", service_type="model")
    config = service(CONFIG, "c", **{"model_ids": [model.id], **changes})
    return model, config, service(ENDPOINT, "e", config_id=config.id)


def test_a_model_is_served_where_a_live_endpoint_runs_it() -> None:
    model, config, endpoint = serving()
    assert of(model, "served", config, endpoint) is True
    assert of(config, "served", endpoint) is True
    assert of(model, "served", config) is False
    assert of(config, "served") is False
    assert of(model, "served", gaps={ENDPOINT: DENIED}) is DENIED
    assert of(model, "served", gaps={CONFIG: DENIED}) is DENIED
    assert of(config, "served", gaps={ENDPOINT: DENIED}) is DENIED
    assert of(model, "served", config, endpoint, gaps={ENDPOINT: DENIED}) is True


def test_what_an_endpoint_runs_may_be_unknown() -> None:
    model, config, endpoint = serving()
    other = service(CONFIG, "other", model_ids=[])
    assert of(model, "served", endpoint).reason is Reason.NOT_OFFERED, "its configuration was deleted"
    assert of(other, "served", endpoint) is False
    dark = service(ENDPOINT, "d", gaps={"config_id": DENIED})
    assert of(model, "served", dark) is DENIED
    assert of(other, "served", dark) is DENIED
    assert of(config, "served", dark, endpoint) is True


def test_a_plan_knows_its_own_endpoints_only() -> None:
    model = planned("model_service", "aws_sagemaker_model.m", MODEL)
    config = planned("model_service", "aws_sagemaker_endpoint_configuration.c", CONFIG, model_ids=[model.id])
    endpoint = planned("model_service", "aws_sagemaker_endpoint.e", ENDPOINT, config_id=config.id)
    assert of(model, "served", config, endpoint) is True
    assert of(config, "served", endpoint) is True
    assert of(model, "served", config).reason is Reason.NOT_OFFERED, "another plan may make the endpoint"
    assert of(config, "served").reason is Reason.NOT_OFFERED


def test_where_services_stand_is_part_of_the_factory() -> None:
    nets = network()
    vpc, public, private = nets[:3]
    job = service(service_type="training_job", subnet_ids=[PRIVATE], firewall_ids=[GROUP])
    firewall = thing("firewall", "sg", network_id=VPC)
    world = MemoryWorld([*nets, job, firewall], None, DERIVATIONS)
    assert [world.fact(r, "ai_role") for r in (vpc, private, public, firewall)] == ["training", "training", "none", "training"]
    notebook = service(service_type="notebook", subnet_id=PUBLIC)
    assert MemoryWorld([*nets, notebook], None, DERIVATIONS).fact(public, "ai_role") == "training"
    studio = service(DOMAIN, service_type="domain", network_id=VPC, subnet_ids=[])
    assert MemoryWorld([*nets, studio], None, DERIVATIONS).fact(vpc, "ai_role") == "training"


@pytest.mark.parametrize(("size", "accelerated"), [("ml.p5.48xlarge", True), ("ml.c6g.large", False), ("ml.trn2.48xlarge", True)])
def test_the_machines_of_clusters_are_nodes(size: str, accelerated: bool) -> None:  # noqa: FBT001
    nets = network()
    firewall = thing("firewall", "sg", network_id=VPC)
    world = MemoryWorld([*nets, firewall, cluster(group("a", PRIVATE, size=size))], None, DERIVATIONS)
    assert [world.fact(nets[0], f) for f in ("has_nodes", "has_accelerators")] == [True, accelerated]
    assert [world.fact(nets[n], "has_accelerators") for n in (1, 2)] == [False, accelerated]
    assert world.fact(firewall, "protects_accelerators") is accelerated


def test_clusters_that_were_not_seen_may_hide_machines() -> None:
    vpc = network()[0]
    asked = {DENIED: DENIED, Gap(Reason.SERVICE_OFF): False, Gap(Reason.NOT_OFFERED): False}
    for gap, answer in asked.items():
        assert of(vpc, "has_accelerators", gaps={CLUSTER: gap}) == answer
    assert of(vpc, "has_accelerators", service(CLUSTER, gaps={"instance_groups": DENIED})) is DENIED


def test_a_plan_knows_its_subnets() -> None:
    model = planned("model_service", "aws_sagemaker_model.m", MODEL, subnet_ids=["plan/aws_subnet.s"])
    assert of(model, "internet_route").reason is Reason.NOT_OFFERED
    later = planned("model_service", "aws_sagemaker_model.m", MODEL, {"subnet_ids": AFTER})
    assert of(later, "internet_route") is AFTER
