"""What stands behind front doors."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import AFTER, arn, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

VPC = arn("network", "vpc-1")


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, fact)


def endpoint(kind: str, name: str, gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    native = kind if "::" in kind else f"AWS::ElasticLoadBalancingV2::{kind}"
    return thing("endpoint", name, native, gaps, id=name, **facts)


def listener(protocol: str = "https", **more: Any) -> Resource:
    return endpoint("Listener", "l", target_group_ids=["tg"], balancer_id="lb", protocol=protocol, port=443, **more)


def group(protocol: str = "http", port: int = 8000, *targets: tuple[str, int], kind: str = "instance") -> Resource:
    listed = [{"id": i, "port": p} for i, p in targets]
    return endpoint("TargetGroup", "tg", protocol=protocol, port=port, target_type=kind, network_id=VPC, targets=listed)


def node(*, accelerator: object = True) -> Resource:
    interface = {
        "id": "eni", "subnet_id": arn("subnet", "s"), "firewall_ids": [], "public_addresses": [], "ipv6_addresses": [],
        "private_addresses": ["10.0.0.4"],
    }  # fmt: skip
    gaps = {"accelerator": accelerator} if isinstance(accelerator, Gap) else {}
    facts = {} if gaps else {"accelerator": accelerator}
    return thing("node", "n", gaps=gaps, network_id=VPC, interfaces=[interface], **facts)


def test_ports() -> None:
    assert of(listener(), "target_ports", group()) == [8000]
    assert of(listener(), "target_ports", group("http", 8000, ("x", 9000), ("y", 0))) == [8000, 9000]
    assert of(listener(), "target_ports", gaps={"AWS::ElasticLoadBalancingV2::TargetGroup": DENIED}) is DENIED
    blind = endpoint("Listener", "l", {"target_group_ids": AFTER}, balancer_id="lb")
    assert (of(blind, "target_ports"), of(blind, "accelerator_targets")) == (AFTER, AFTER)


def test_a_port_that_is_not_known_may_be_any() -> None:
    late = endpoint("TargetGroup", "tg-2", {"port": AFTER}, protocol="http", target_type="instance", network_id=VPC, targets=[])
    both = endpoint("Listener", "l", target_group_ids=["tg", "tg-2"], balancer_id="lb", protocol="https", port=443)
    assert of(both, "target_ports", group("http", 443), late) is AFTER


def test_accelerators_that_hand_on_prefixes() -> None:
    inner = node()
    (card,) = inner.facts["interfaces"]
    prefixed = inner.replace(facts={**inner.facts, "interfaces": [{**card, "private_addresses": ["10.0.0.4", "10.0.0.16/28"]}]})
    assert of(listener(), "accelerator_targets", group("http", 8000, ("10.0.0.19", 8000), kind="ip"), prefixed) is True
    assert of(listener(), "accelerator_targets", group("http", 8000, ("10.0.0.35", 8000), kind="ip"), prefixed) is False


def old(*listeners: tuple[str, int, str, int], **more: Any) -> Resource:
    names = ("protocol", "port", "target_protocol", "target_port")
    listed = [dict(zip(names, each, strict=True)) for each in listeners]
    facts = {"listeners": listed, "targets": [{"id": arn("node", "n"), "port": 8000}]} | more
    return endpoint("AWS::ElasticLoadBalancing::LoadBalancer", "old", **facts)


@pytest.mark.parametrize(
    ("listeners", "clear"),
    [
        ([("https", 443, "https", 443), ("ssl", 444, "ssl", 444)], False),
        ([("https", 443, "http", 9000)], True),
        ([("ssl", 443, "tcp", 9000)], True),
        ([("tcp", 443, "tcp", 8000)], True),
        ([("tcp", 443, "ssl", 443)], False),
        ([], False),
    ],
)
def test_what_a_classic_load_balancer_hands_on(listeners: list[Any], clear: bool) -> None:  # noqa: FBT001
    assert of(old(*listeners), "forwards_in_clear") is clear


def test_a_classic_load_balancer() -> None:
    assert of(old(("tcp", 443, "tcp", 443)), "forwards_in_clear").reason is Reason.NOT_OFFERED
    assert of(old(("tcp", 443, "tcp", 443), ("http", 80, "http", 8000)), "target_ports") == [443, 8000]
    assert of(old(), "accelerator_targets", node()) is True
    assert of(old(), "accelerator_targets", node(accelerator=False)) is False
    assert of(old(), "accelerator_targets", gaps={"AWS::EC2::Instance": DENIED}) is DENIED
    blind = endpoint("AWS::ElasticLoadBalancing::LoadBalancer", "old", {"listeners": AFTER}, targets=[])
    assert [of(blind, f) for f in ("target_ports", "forwards_in_clear")] == [AFTER, AFTER]


@pytest.mark.parametrize("kind", ["instance", "ip"])
def test_accelerators_behind_a_listener(kind: str) -> None:
    name = arn("node", "n") if kind == "instance" else "10.0.0.4"
    found = group("http", 8000, (name, 8000), kind=kind)
    assert of(listener(), "accelerator_targets", found, node()) is True
    assert of(listener(), "accelerator_targets", found, node(accelerator=False)) is False
    assert of(listener(), "accelerator_targets", found, node(accelerator=AFTER)) is AFTER
    assert of(listener(), "accelerator_targets", found, gaps={"AWS::EC2::Instance": DENIED}) is DENIED
    assert of(listener(), "accelerator_targets", gaps={"AWS::ElasticLoadBalancingV2::TargetGroup": DENIED}) is DENIED


def test_a_load_balancer_is_all_its_listeners() -> None:
    front = endpoint("LoadBalancer", "lb", internet_facing=True, subnet_ids=[], dual_stack=False, firewall_ids=[])
    found = group("http", 8000, (arn("node", "n"), 8000))
    assert of(front, "target_ports", listener(), found, node()) == [8000]
    assert of(front, "accelerator_targets", listener(), found, node()) is True
    assert of(front, "target_ports") == []
    assert of(front, "accelerator_targets") is False
    assert of(front, "target_ports", gaps={"AWS::ElasticLoadBalancingV2::Listener": DENIED}) is DENIED
    assert of(front, "accelerator_targets", gaps={"AWS::ElasticLoadBalancingV2::Listener": DENIED}) is DENIED


@pytest.mark.parametrize(
    ("protocol", "port", "outer", "answer"),
    [
        ("http", 8000, "https", True),
        ("https", 8443, "https", False),
        ("tls", 8443, "tls", False),
        ("tcp", 8443, "tls", True),
        ("tcp", 8000, "tcp", True),
        ("tcp", 80, "tcp", True),
        ("udp", 9000, "udp", False),
    ],
)
def test_what_a_target_group_takes(protocol: str, port: int, outer: str, answer: object) -> None:
    assert of(group(protocol, port), "forwards_in_clear", listener(outer)) is answer


def test_tcp_may_carry_tls() -> None:
    answer = of(group("tcp", 8443), "forwards_in_clear", listener("tcp"))
    assert answer.detail == "TCP may carry TLS through to the target"


def test_a_group_that_nobody_forwards_to() -> None:
    assert of(group(), "forwards_in_clear") is False
    assert of(group(), "forwards_in_clear", gaps={"AWS::ElasticLoadBalancingV2::Listener": DENIED}) is DENIED
    assert of(group("https"), "forwards_in_clear", gaps={"AWS::ElasticLoadBalancingV2::Listener": DENIED}) is False


def statement(effect: str = "Allow", principal: str = "*", *conditions: dict[str, Any]) -> dict[str, Any]:
    return {
        "effect": effect, "actions": ["execute-api:Invoke"], "not_actions": [], "resources": ["*"], "not_resources": [],
        "principals": [principal], "not_principals": [], "conditions": list(conditions),
    }  # fmt: skip


def test_policies_of_apis() -> None:
    def limited(*statements: dict[str, Any]) -> Any:
        return of(endpoint("AWS::ApiGateway::RestApi", "a", policy_statements=list(statements)), "limited_by_policy")

    assert limited() is False
    assert limited(statement()) is False
    assert limited(statement("Allow", "AWS:arn:aws:iam::111111111111:root")) is True
    assert limited(statement("Allow", "*", {"operator": "StringEquals", "key": "aws:sourcevpce", "values": ["vpce-1"]})) is True
    blind = endpoint("AWS::ApiGateway::RestApi", "a", {"policy_statements": DENIED})
    assert of(blind, "limited_by_policy") is DENIED
    http = endpoint("AWS::ApiGatewayV2::Api", "a", policy_statements=[])
    assert (of(http, "limited_by_policy"), of(http, "target_ports"), of(http, "accelerator_targets")) == (False, [], False)
    assert of(listener(), "limited_by_policy") is False


def test_an_api_gap_says_why() -> None:
    unclear = statement("Deny", "*", {"operator": "StringNotEquals", "key": "aws:something", "values": ["x"]})
    api = endpoint("AWS::ApiGateway::RestApi", "a", policy_statements=[statement(), unclear])
    answer = of(api, "limited_by_policy")
    assert isinstance(answer, Gap)
    assert answer.reason in tuple(Reason)
