"""Whether the parameter groups of databases make clients speak TLS, and who on the internet gets to them."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import AFTER, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

INSTANCE, CLUSTER, GROUP = "AWS::RDS::DBInstance", "AWS::RDS::DBCluster", "AWS::RDS::DBParameterGroup"
OWN = "arn:aws:rds:us-east-1:111111111111:pg:own"


def of(store: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([store, *others], gaps, DERIVATIONS).fact(store, fact)


def database(gaps: dict[str, Gap] | None = None, native: str = INSTANCE, **more: Any) -> Resource:
    facts = {"parameter_group_id": OWN, "tls_default": False, "parameters_pending": False, **more}
    return thing("data_store", "db", native, gaps, **{k: v for k, v in facts.items() if k not in (gaps or {})})


def group(gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    return thing("data_store", "own", GROUP, gaps, id=OWN, **facts)


@pytest.mark.parametrize(
    ("required", "waits", "pending", "only"),
    [
        (True, False, False, True), (True, False, True, True), (True, True, False, True), (True, True, True, False),
        (False, False, False, False), (False, True, True, False), (DENIED, False, False, DENIED), (True, DENIED, False, True),
        (True, DENIED, True, DENIED), (True, True, DENIED, DENIED), (True, False, DENIED, True), (False, DENIED, DENIED, False),
    ],
)  # fmt: skip
def test_the_group_and_the_restart(required: Any, waits: Any, pending: Any, only: Any) -> None:
    def known(**facts: Any) -> dict[str, Any]:
        return {k: v for k, v in facts.items() if not isinstance(v, Gap)}

    def missing(**facts: Any) -> dict[str, Gap]:
        return {k: v for k, v in facts.items() if isinstance(v, Gap)}

    said = {"tls_required": required, "waits_for_restart": waits}
    own = group(missing(**said), **known(**said))
    assert of(database(missing(parameters_pending=pending), **known(parameters_pending=pending)), "tls_only", own) is only


def test_a_group_of_the_provider_s_is_as_the_engine_comes() -> None:
    unchanged = "arn:aws:rds:us-east-1:111111111111:pg:default.postgres16"
    assert of(database(parameter_group_id=unchanged, tls_default=True), "tls_only") is True
    assert of(database(parameter_group_id="default.postgres14", tls_default=False), "tls_only") is False
    assert of(database({"tls_default": AFTER}, parameter_group_id=unchanged), "tls_only") is AFTER


def test_a_group_that_was_not_seen() -> None:
    assert of(database(), "tls_only", gaps={GROUP: DENIED}) is DENIED
    assert of(database(), "tls_only").reason is Reason.NOT_OFFERED
    assert of(database({"parameter_group_id": AFTER}), "tls_only") is AFTER
    cluster = "AWS::RDS::DBClusterParameterGroup"
    assert of(database(native=CLUSTER), "tls_only", gaps={cluster: DENIED}) is DENIED


def test_a_plan() -> None:
    own = planned("data_store", "aws_db_parameter_group.own", GROUP, tls_required=True, waits_for_restart=True)
    facts = {"parameter_group_id": own.id, "parameters_pending": False}
    assert of(planned("data_store", "aws_db_instance.db", INSTANCE, **facts), "tls_only", own) is True


# who gets there


def placed(gaps: dict[str, Gap] | None = None, **more: Any) -> Resource:
    facts = {"internet_facing": True, "port": 5432, "firewall_ids": ["sg"], "subnet_ids": ["s1"], **more}
    return thing("data_store", "db", INSTANCE, gaps, **{k: v for k, v in facts.items() if k not in (gaps or {})})


def entry(source: str, first: int = 5432, last: int = 5432) -> dict[str, Any]:
    return {
        "protocol": "tcp", "from_port": first, "to_port": last, "source": source, "source_type": "cidr", "action": "allow",
        "priority": 0,
    }  # fmt: skip


def places(*entries: Any, gateway: bool = True) -> list[Resource]:
    every = {**entry("0.0.0.0/0"), "protocol": "all", "from_port": 0, "to_port": 65535, "priority": 100}
    routes = [{"destination": "0.0.0.0/0", "target": "igw", "target_type": "internet_gateway", "active": True}] if gateway else []
    return [
        thing("firewall", "sg", "AWS::EC2::SecurityGroup", id="sg", ingress=list(entries), egress=[]),
        thing("subnet", "s1", id="s1", network_id="n", cidrs=["10.0.0.0/24"]),
        thing("network", "n", id="n"),
        thing("route_table", "t", id="t", subnet_ids=["s1"], main=False, network_id="n", routes=routes),
        thing(
            "firewall", "acl", "AWS::EC2::NetworkAcl", id="acl", subnet_ids=["s1"], network_id="n", is_default=True, ingress=[every],
            egress=[every],
        ),
    ]  # fmt: skip


def test_sources_as_people_wrote_them() -> None:
    world = places(entry("0.0.0.0/0"), entry("203.0.113.0/24"))
    assert of(placed(), "internet_sources", *world) == ["0.0.0.0/0"]
    assert of(placed(), "internet_sources_known", *world) is True
    assert of(placed(), "internet_sources", *places(entry("203.0.113.0/24"))) == ["203.0.113.0/24"]


def test_what_keeps_everyone_out() -> None:
    for store, world in (
        (placed(internet_facing=False), places(entry("0.0.0.0/0"))),
        (placed(), places(entry("0.0.0.0/0", 22, 22))),
        (placed(), places(entry("0.0.0.0/0"), gateway=False)),
        (placed(), places(entry("10.0.0.0/8"))),
        (placed(), places()),
    ):
        assert of(store, "internet_sources", *world) == []
        assert of(store, "internet_sources_known", *world) is True


def test_what_was_not_seen_is_unknown() -> None:
    assert of(placed({"port": AFTER}), "internet_sources_known") is AFTER
    assert of(placed({"firewall_ids": DENIED}), "internet_sources_known") is DENIED
    assert of(placed(), "internet_sources_known", gaps={"AWS::EC2::Subnet": DENIED}) is DENIED
    assert of(placed({"internet_facing": DENIED}), "internet_sources_known") is DENIED
