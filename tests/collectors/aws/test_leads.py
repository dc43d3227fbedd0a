from __future__ import annotations

import pytest

from collectors.aws import leads
from scanner.model import Reason
from tests.collectors.aws.answers import given
from tests.collectors.aws.conftest import ACCOUNT

ACCELERATOR = f"arn:aws:globalaccelerator::{ACCOUNT}:accelerator/a"
LISTENER = f"{ACCELERATOR}/listener/l"
BALANCER = f"arn:aws:elasticloadbalancing:eu-west-1:{ACCOUNT}:loadbalancer/app/inner/1"
EC2 = f"arn:aws:ec2:eu-west-1:{ACCOUNT}"


def accelerated(*ends, enabled=True, stem=""):
    group = {"EndpointGroupRegion": "eu-west-1", "EndpointDescriptions": [{"EndpointId": e} for e in ends]}
    name = f"globalaccelerator:list_{stem}"
    return {
        f"{name}accelerators": {"Accelerators": [{"AcceleratorArn": ACCELERATOR, "Name": "front", "Enabled": enabled}]},
        f"{name}listeners": {"Listeners": [{"ListenerArn": LISTENER}]},
        f"{name}endpoint_groups": {"EndpointGroups": [group]},
    }


def test_an_accelerator():
    seen = given(leads.ACCELERATED, answers=accelerated(BALANCER, "i-1", "eipalloc-1"))
    (found,) = seen.resources
    assert (found.id, found.name, found.region) == (LISTENER, "front", "global")
    assert found.facts == {
        "endpoint_type": "lead",
        "enabled": True,
        "leads_to": [f"{EC2}:elastic-ip/eipalloc-1", f"{EC2}:instance/i-1", BALANCER],
    }


def test_an_accelerator_that_is_off_and_one_of_custom_routing():
    (found,) = given(leads.ACCELERATED, answers=accelerated("i-1", enabled=False)).resources
    assert found.facts["enabled"] is False
    (found,) = given(leads.CUSTOM_ROUTED, answers=accelerated("subnet-1", stem="custom_routing_")).resources
    assert found.facts["leads_to"] == [f"{EC2}:subnet/subnet-1"]


def test_an_end_of_an_unknown_kind_is_no_empty_list():
    (found,) = given(leads.ACCELERATED, answers=accelerated("eks-1")).resources
    assert found.gaps["leads_to"].reason is Reason.UNPARSABLE


def test_accelerators_that_may_not_be_listed():
    seen = given(leads.ACCELERATED, answers={"globalaccelerator:list_accelerators": "AccessDeniedException"})
    assert seen.coverages[0].gap is not None
    assert seen.coverages[0].gap.reason is Reason.DENIED


@pytest.mark.parametrize("partition", ["aws-cn", "aws-us-gov"])
def test_no_accelerators_outside_of_the_public_cloud(partition):
    assert leads.public_cloud({"context": {"partition": partition}}) is False


def test_origins():
    item = {"Id": "vo_1", "Name": "inner", "Arn": f"arn:aws:cloudfront::{ACCOUNT}:vpcorigin/vo_1", "OriginEndpointArn": BALANCER}
    pages = [
        {"VpcOriginList": {"Items": [item], "IsTruncated": True, "NextMarker": "2"}},
        {"VpcOriginList": {"IsTruncated": False}},
    ]
    (found,) = given(leads.ORIGINS, answers={"cloudfront:list_vpc_origins": pages}).resources
    assert (found.id, found.facts) == (item["Arn"], {"endpoint_type": "lead", "enabled": True, "leads_to": [BALANCER]})


def test_links(boto, look):
    answers = {"apigateway:get_vpc_links": {"items": [
        {"id": "a", "name": "to-nlb", "targetArns": [BALANCER], "status": "AVAILABLE"},
        {"id": "b", "name": "broken", "targetArns": [BALANCER], "status": "FAILED"},
    ]}}  # fmt: skip
    good, bad = given(leads.LINKS, answers=answers).resources
    assert (good.id, good.facts) == (
        "arn:aws:apigateway:us-east-1::/vpclinks/a", {"endpoint_type": "lead", "enabled": True, "leads_to": [BALANCER]},
    )  # fmt: skip
    assert bad.facts["enabled"] is False
    boto("apigatewayv2").create_vpc_link(Name="new", SubnetIds=["subnet-1"], SecurityGroupIds=["sg-1"])
    found = look(leads.LINKS_2).named("new")
    here = f"arn:aws:ec2:us-east-1:{ACCOUNT}"
    assert found.gaps == {}
    assert found.facts == {
        "endpoint_type": "lead",
        "enabled": True,
        "leads_to": [],
        "subnet_ids": [f"{here}:subnet/subnet-1"],
        "firewall_ids": [f"{here}:security-group/sg-1"],
    }
