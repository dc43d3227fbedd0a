"""Parts of the factory, and zones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scanner.config import parse
from scanner.derive import roles
from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Resource
from scanner.rules.library import kinds
from tests.scanner.derive.things import arn, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

VPC, SUBNET = arn("network", "vpc-1"), arn("subnet", "s-1")


def role(subject: Resource, *others: Resource, settings: dict[str, Any] | None = None) -> object:
    return MemoryWorld([subject, *others], None, DERIVATIONS, settings).fact(subject, "ai_role")


def zone(subject: Resource, *zones: dict[str, Any], others: tuple[Resource, ...] = ()) -> object:
    return MemoryWorld([subject, *others], None, DERIVATIONS, {"zones": list(zones)}).fact(subject, "zone")


def gpu(size: str = "p5.48xlarge", **facts: Any) -> Resource:
    return thing(
        "node",
        size,
        instance_type=size,
        accelerator=True,
        network_id=VPC,
        subnet_ids=[SUBNET],
        firewall_ids=[arn("firewall", "sg")],
        **facts,
    )


def test_every_kind_has_a_role() -> None:
    assert set(roles.KINDS) >= {kind for kind, schema in kinds().items() if "ai_role" in schema["properties"]}


@pytest.mark.parametrize(
    ("size", "answer"),
    [
        ("p5.48xlarge", "training"),
        ("trn2.48xlarge", "training"),
        ("dl1.24xlarge", "training"),
        ("g6.xlarge", "inference"),
        ("inf2.xlarge", "inference"),
        ("gr6.4xlarge", "training"),
    ],
)
def test_nodes_by_their_size(size: str, answer: str) -> None:
    assert role(gpu(size)) == answer


def test_nodes_without_accelerators_are_nothing() -> None:
    assert role(thing("node", "n", instance_type="m7i.large", accelerator=False)) == "none"
    assert role(thing("node", "n", gaps={"accelerator": DENIED})) == "none"


@pytest.mark.parametrize(
    ("kind", "tags", "answer"),
    [
        ("data_store", {"ai-role": "Training"}, "training"),
        ("data_store", {"example.com/ai_role": "fabric"}, "fabric"),
        ("data_store", {"Purpose": "training-data"}, "data"),
        ("data_store", {"data-classification": "checkpoints"}, "data"),
        ("data_store", {"Purpose": "inference"}, "data"),
        ("data_store", {"Purpose": "website"}, "none"),
        ("data_store", {"Name": "training"}, "none"),
        ("cluster", {"app.kubernetes.io/component": "model-serving"}, "inference"),
        ("cluster", {"workload": "LLM inference"}, "inference"),
        ("cluster", {"purpose": "Fine-Tuning"}, "training"),
        ("node", {"role": "bastion"}, "management"),
    ],
    ids=str,
)
def test_tags(kind: str, tags: dict[str, str], answer: str) -> None:
    native = {"cluster": "AWS::EKS::Cluster"}.get(kind, "")
    assert role(thing(kind, "x", native, tags=tags)) == answer


def test_services() -> None:
    assert role(thing("model_service", "n", "AWS::SageMaker::NotebookInstance", service_type="notebook")) == "training"
    assert role(thing("model_service", "e", "AWS::SageMaker::EndpointConfig", service_type="endpoint_config")) == "inference"


def test_what_is_around_accelerators() -> None:
    volume = thing("data_store", "v", "AWS::EC2::Volume", attached_to=[arn("node", "p5.48xlarge")])
    assert role(volume, gpu()) == "training"
    assert role(thing("network", "vpc-1"), gpu("g6.xlarge")) == "inference"
    assert role(thing("network", "vpc-1"), gpu("g6.xlarge"), gpu()) == "training"
    assert role(thing("subnet", "s-1", network_id=VPC), gpu()) == "training"
    assert role(thing("firewall", "sg"), gpu()) == "training"
    assert role(thing("firewall", "other", network_id=VPC), gpu()) == "none", "a group of the network is not yet on a GPU node"
    assert role(thing("route_table", "m", network_id=VPC), gpu()) == "training"


def test_a_key_has_the_role_of_what_it_encrypts() -> None:
    key = thing("key", "k", manager="customer", aliases=[])
    corpus = thing("data_store", "b", encrypted=True, key_id=key.id, tags={"purpose": "dataset"})
    assert role(key, corpus) == "data"
    assert role(key) == "none"


def test_zones_by_tag_network_and_namespace() -> None:
    backend = {"name": "backend", "networks": ["vpc-1"], "tags": {"zone": "back*", "env": "prod"}, "namespaces": ["train-*"]}
    assert zone(thing("network", "vpc-1"), backend) == "backend"
    assert zone(thing("subnet", "s", network_id=VPC), backend) == "backend"
    assert zone(thing("node", "n", subnet_ids=[SUBNET]), backend, others=(thing("subnet", "s-1", network_id=VPC),)) == "backend"
    assert zone(thing("key", "k", tags={"zone": "backend", "env": "prod"}), backend) == "backend"
    assert zone(thing("key", "k", tags={"zone": "backend"}), backend) == ""
    assert zone(thing("workload", "w", "v1/Pod", namespace="train-llm"), backend) == "backend"
    assert zone(thing("namespace", "train-llm", "v1/Namespace"), backend) == "backend"
    assert zone(thing("network", "vpc-2"), backend) == ""


def test_zones_by_address() -> None:
    training = {"name": "training", "networks": ["10.1.0.0/16"]}
    inside, outside = (
        thing("network", "vpc-1", cidrs=["10.1.4.0/22"]),
        thing("network", "vpc-1", cidrs=["10.2.0.0/22", "fd00::/64"]),
    )
    assert zone(inside, training) == "training"
    assert zone(outside, training) == ""
    assert zone(thing("subnet", "s", network_id=VPC), training, others=(inside,)) == "training"


def test_the_first_zone_wins_and_may_say_the_role() -> None:
    zones = [{"name": "a", "tags": {"x": "*"}, "role": "management"}, {"name": "b", "tags": {"x": "1"}}]
    subject = thing("key", "k", tags={"x": "1"})
    assert zone(subject, *zones) == "a"
    assert role(subject, settings={"zones": zones}) == "management"
    assert role(thing("key", "k", tags={"x": "1", "ai-role": "data"}), settings={"zones": zones}) == "data"


def test_a_zone_as_the_configuration_writes_it() -> None:
    told = parse(Path("bartizan.yaml"), "zones: [{name: lab, role: training, tags: {x: '*'}}]").settings()
    assert role(thing("key", "k", tags={"x": "1"}), settings=dict(told)) == "training"


def test_without_zones_there_is_none() -> None:
    assert zone(thing("key", "k")) == ""


def test_tags_that_could_not_be_read_are_not_the_same_as_none() -> None:
    bucket = thing("data_store", "b", store_type="bucket").replace(gaps={"tags": DENIED})
    assert role(bucket) == DENIED
    assert role(bucket.replace(tags={"ai-role": "data"})) == "data"
