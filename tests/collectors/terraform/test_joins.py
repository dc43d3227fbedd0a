"""Resources that Terraform splits, put together again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scanner.model import Reason

POLICY = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}]}
)
RULE = {"type": "ingress", "from_port": 22, "to_port": 22, "protocol": "tcp"}


def bucket(make: Any, name: str = "b", **sets: Any) -> None:
    make.add(f"aws_s3_bucket.{name}", sets={"bucket": f"{name}-name", **sets}, late=("id", "arn", "versioning", "policy", "acl"))


def versioning(make: Any, on: Any, name: str = "v", status: str = "Enabled", **more: Any) -> None:
    make.add(f"aws_s3_bucket_versioning.{name}", sets={"bucket": on, "versioning_configuration": [{"status": status}]},
             after={"versioning_configuration": [{"status": status}]}, **more)  # fmt: skip


@pytest.mark.parametrize("on", [["aws_s3_bucket.b.id"], ["aws_s3_bucket.b.bucket"], "b-name"])
def test_by_reference_or_by_value(make: Any, on: Any) -> None:
    bucket(make)
    bucket(make, "other")
    versioning(make, on)
    assert make.one("aws_s3_bucket.b").facts["versioning"] == "enabled"
    assert make.one("aws_s3_bucket.other").facts["versioning"] == "off"


def test_a_part_of_nobody_known_makes_the_fact_unknown_everywhere_it_might_belong(make: Any) -> None:
    bucket(make, "a")
    bucket(make, "b")
    versioning(make, ["aws_s3_bucket.a.id"], "va")
    versioning(make, ["local.which"], "vx", status="Suspended")
    a, b = make.one("aws_s3_bucket.a"), make.one("aws_s3_bucket.b")
    assert a.facts["versioning"] == "enabled"  # it has its own, so the other is not its
    assert b.gaps["versioning"].reason is Reason.KNOWN_AFTER_APPLY
    assert "aws_s3_bucket_versioning.vx" in b.gaps["versioning"].call
    assert "versioning" not in b.facts
    assert b.facts["object_lock"] == "none"


def test_a_part_of_something_outside_the_plan_is_not_ours(make: Any) -> None:
    bucket(make)
    versioning(make, "somebody-elses")
    assert make.one("aws_s3_bucket.b").facts["versioning"] == "off"


def test_two_parts_that_contradict_are_no_answer(make: Any) -> None:
    bucket(make)
    versioning(make, ["aws_s3_bucket.b.id"], "one")
    versioning(make, ["aws_s3_bucket.b.id"], "two", status="Suspended")
    assert make.one("aws_s3_bucket.b").gaps["versioning"].reason is Reason.UNPARSABLE


def test_a_part_that_is_taken_away_leaves_the_unknown(make: Any) -> None:
    state = {"bucket": "b-name", "id": "b-name", "versioning": [{"enabled": True}]}
    make.add("aws_s3_bucket.b", after=state, before=state, actions=("no-op",))
    make.add("aws_s3_bucket_versioning.v", before={"bucket": "b-name"}, actions=("delete",))
    assert make.one("aws_s3_bucket.b").gaps["versioning"].reason is Reason.KNOWN_AFTER_APPLY


def test_an_unknown_policy_is_a_gap_and_a_known_one_is_read(make: Any) -> None:
    bucket(make)
    make.add("aws_s3_bucket_policy.p", sets={"bucket": ["aws_s3_bucket.b.id"], "policy": ["aws_s3_bucket.b.arn"]})
    gap = make.one("aws_s3_bucket.b").gaps["policy_statements"]
    assert (gap.reason, gap.call) == (Reason.KNOWN_AFTER_APPLY, "aws_s3_bucket_policy.p.policy")
    bucket(make, "c")
    make.add("aws_s3_bucket_policy.c", sets={"bucket": ["aws_s3_bucket.c.id"], "policy": POLICY})
    assert make.one("aws_s3_bucket.c").facts["policy_statements"][0]["actions"] == ["s3:GetObject"]


def test_a_policy_that_is_no_policy_is_unparsable(make: Any) -> None:
    bucket(make)
    make.add("aws_s3_bucket_policy.p", sets={"bucket": ["aws_s3_bucket.b.id"], "policy": "{}x"})
    assert make.one("aws_s3_bucket.b").gaps["policy_statements"].reason is Reason.UNPARSABLE


@pytest.mark.parametrize(
    ("acl", "public"),
    [("public-read", True), ("authenticated-read", True), ("private", False), ("log-delivery-write", False)],
)
def test_canned_acls(make: Any, acl: str, public: bool) -> None:  # noqa: FBT001
    bucket(make)
    make.add("aws_s3_bucket_acl.a", sets={"bucket": ["aws_s3_bucket.b.id"], "acl": acl}, late=("access_control_policy",))
    assert make.one("aws_s3_bucket.b").facts["acl_public"] is public


def test_rules_of_a_group_come_from_all_three_ways_of_writing_them(make: Any) -> None:
    inline = {"from_port": 443, "to_port": 443, "protocol": "tcp", "cidr_blocks": ["10.0.0.0/8"], "self": True}
    make.add("aws_security_group.g", sets={"ingress": [inline]}, after={"ingress": [inline]}, late=("id", "arn"))
    make.add("aws_security_group.lb", late=("id", "arn", "ingress", "egress"))
    make.add("aws_security_group_rule.a", sets={**RULE, "cidr_blocks": ["0.0.0.0/0"], "security_group_id": ["aws_security_group.g.id"]},
             after={"cidr_blocks": ["0.0.0.0/0"]})  # fmt: skip
    make.add("aws_vpc_security_group_ingress_rule.b", sets={
        "ip_protocol": "-1", "security_group_id": ["aws_security_group.g.id"], "referenced_security_group_id": ["aws_security_group.lb.id"],
    })  # fmt: skip
    rules = make.one("aws_security_group.g").facts["ingress"]
    assert {(r["protocol"], r["from_port"], r["to_port"], r["source_type"], r["source"]) for r in rules} == {
        ("all", 0, 65535, "group", "plan/aws_security_group.lb"),
        ("tcp", 22, 22, "cidr", "0.0.0.0/0"),
        ("tcp", 443, 443, "cidr", "10.0.0.0/8"),
        ("tcp", 443, 443, "self", "plan/aws_security_group.g"),
    }


def test_a_rule_of_an_unknown_group_leaves_what_is_known_beside_the_gap(make: Any) -> None:
    make.add("aws_security_group.g", late=("id", "arn", "ingress", "egress"))
    for name, on in (("mine", ["aws_security_group.g.id"]), ("whose", ["local.group"])):
        make.add(f"aws_security_group_rule.{name}", sets={**RULE, "cidr_blocks": ["0.0.0.0/0"], "security_group_id": on},
                 after={"cidr_blocks": ["0.0.0.0/0"]})  # fmt: skip
    group = make.one("aws_security_group.g")
    assert len(group.facts["ingress"]) == 1
    assert group.gaps["ingress"].reason is Reason.KNOWN_AFTER_APPLY


def test_a_rule_that_changes_counts_as_it_will_be(make: Any) -> None:
    old = {"from_port": 22, "to_port": 22, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"], "self": False}
    kept = {**old, "from_port": 443, "to_port": 443, "cidr_blocks": ["10.0.0.0/8"]}
    state = {"id": "sg-1", "ingress": [old, kept], "egress": []}
    make.add("aws_security_group.g", before=state, after=state, actions=("no-op",))
    make.add("aws_security_group_rule.r", before={**RULE, "cidr_blocks": ["0.0.0.0/0"], "security_group_id": "sg-1"},
             after={**RULE, "cidr_blocks": ["10.1.0.0/16"], "security_group_id": "sg-1"}, actions=("update",))  # fmt: skip
    make.add("aws_security_group_rule.gone", before={**RULE, "from_port": 443, "to_port": 443, "cidr_blocks": ["10.0.0.0/8"], "security_group_id": "sg-1"},
             actions=("delete",))  # fmt: skip
    assert [(r["from_port"], r["source"]) for r in make.one("aws_security_group.g").facts["ingress"]] == [(22, "10.1.0.0/16")]


def test_a_group_without_any_rule_is_closed_only_where_no_block_can_hide(make: Any) -> None:
    make.add("aws_security_group.g", late=("id", "arn", "ingress", "egress"))
    assert "ingress" in make.one("aws_security_group.g").gaps  # a dynamic block leaves no trace
    make.document["relevant_attributes"] = [{"resource": "aws_vpc.v", "attribute": ["id"]}]
    make.add("aws_vpc.v", late=("id", "cidr_block"))
    assert make.one("aws_security_group.g").facts["ingress"] == []
    assert make.one("aws_security_group.g").gaps == {"network_id": make.one("aws_security_group.g").gaps["network_id"]}
    for other in (["cidr_block"], []):
        make.document["relevant_attributes"] = [{"resource": "aws_vpc.v", "attribute": other}]
        assert "ingress" in make.one("aws_security_group.g").gaps
    make.document["relevant_attributes"] = [{"resource": "aws_security_group.g", "attribute": ["id"]}]
    assert "ingress" in make.one("aws_security_group.g").gaps


def test_routes_of_their_own_and_the_local_one(make: Any) -> None:
    make.add("aws_vpc.v", sets={"cidr_block": "10.0.0.0/16"}, late=("id",))
    make.add("aws_internet_gateway.i", sets={"vpc_id": ["aws_vpc.v.id"]}, late=("id",))
    make.add("aws_subnet.s", sets={"vpc_id": ["aws_vpc.v.id"]}, late=("id",))
    make.add("aws_route_table.t", sets={"vpc_id": ["aws_vpc.v.id"]}, late=("id", "route"))
    make.add(
        "aws_route.r",
        sets={
            "route_table_id": ["aws_route_table.t.id"],
            "destination_cidr_block": "0.0.0.0/0",
            "gateway_id": ["aws_internet_gateway.i.id"],
        },
    )
    make.add("aws_route_table_association.a", sets={"route_table_id": ["aws_route_table.t.id"], "subnet_id": ["aws_subnet.s.id"]})
    table = make.one("aws_route_table.t")
    assert [(r["destination"], r["target_type"], r["target"]) for r in table.facts["routes"]] == [
        ("0.0.0.0/0", "internet_gateway", "plan/aws_internet_gateway.i"), ("10.0.0.0/16", "local", "local"),
    ]  # fmt: skip
    assert (table.facts["subnet_ids"], table.facts["main"]) == (["plan/aws_subnet.s"], False)


def test_a_route_into_the_main_table_of_a_new_network_is_nobody_elses(make: Any) -> None:
    make.add("aws_vpc.v", sets={"cidr_block": "10.0.0.0/16"}, late=("id", "main_route_table_id"))
    make.add("aws_route_table.t", sets={"vpc_id": ["aws_vpc.v.id"], "route": []}, late=("id",))
    make.add(
        "aws_route.r",
        sets={"route_table_id": ["aws_vpc.v.main_route_table_id"], "destination_cidr_block": "0.0.0.0/0", "gateway_id": "igw-1"},
    )
    assert [r["destination"] for r in make.one("aws_route_table.t").facts["routes"]] == ["10.0.0.0/16"]


def test_policies_of_a_user_reach_through_its_groups(make: Any) -> None:
    make.add("aws_iam_user.u", sets={"name": "u"}, late=("arn", "id"))
    make.add("aws_iam_group.g", sets={"name": "g"}, late=("arn", "id"))
    make.add("aws_iam_policy.p", sets={"policy": POLICY}, late=("arn", "id"))
    make.add("aws_iam_user_group_membership.m", sets={"user": "u", "groups": ["g"]}, after={"groups": ["g"]})
    make.add("aws_iam_group_policy_attachment.a", sets={"group": ["aws_iam_group.g.name"], "policy_arn": ["aws_iam_policy.p.arn"]})
    make.add("aws_iam_group_policy.i", sets={"group": ["aws_iam_group.g.id"], "name": "inline", "policy": POLICY})
    user = make.one("aws_iam_user.u")
    assert user.facts["group_ids"] == ["plan/aws_iam_group.g"]
    assert user.facts["attached_policies"] == ["plan/aws_iam_policy.p"]
    assert [p["name"] for p in user.facts["inline_policies"]] == ["g/inline"]
    assert make.one("aws_iam_policy.p").facts["attachments"] == 1


def test_a_user_that_exists_may_have_more_than_the_plan_shows(make: Any) -> None:
    make.add("aws_iam_user.u", before={"name": "u"}, after={"name": "u", "permissions_boundary": ""}, actions=("no-op",))
    gaps = make.one("aws_iam_user.u").gaps
    assert {"console_password", "attached_policies", "inline_policies", "group_ids", "mfa"} <= set(gaps)
    assert gaps["console_password"].reason is Reason.NOT_OFFERED


def test_a_role_that_exists_shows_what_others_attached(make: Any) -> None:
    state = {
        "name": "r",
        "managed_policy_arns": ["arn:p1", "arn:p2"],
        "inline_policy": [{"name": "i", "policy": POLICY}],
        "path": "/",
    }
    make.add("aws_iam_role.r", before=state, after=state, actions=("no-op",))
    make.add("aws_iam_role_policy_attachment.gone", before={"role": "r", "policy_arn": "arn:p2"}, actions=("delete",))
    make.add("aws_iam_role_policy_attachment.new", sets={"role": "r", "policy_arn": "arn:p3"})
    role = make.one("aws_iam_role.r")
    assert role.facts["attached_policies"] == ["arn:p1", "arn:p3"]
    assert [p["name"] for p in role.facts["inline_policies"]] == ["i"]


@pytest.mark.parametrize(
    ("asked", "subnet", "addresses"),
    [(True, False, ["assigned"]), (False, True, []), (None, True, ["assigned"]), (None, False, [])],
)
def test_public_addresses(make: Any, asked: bool | None, subnet: bool, addresses: list[str]) -> None:  # noqa: FBT001
    make.add("aws_subnet.s", sets={"map_public_ip_on_launch": subnet, "vpc_id": "vpc-1"}, late=("id",))
    own = {} if asked is None else {"associate_public_ip_address": asked}
    make.add(
        "aws_instance.i",
        sets={"subnet_id": ["aws_subnet.s.id"], **own},
        late=("public_ip", *(("associate_public_ip_address",) if asked is None else ())),
    )
    assert make.one("aws_instance.i").facts["public_addresses"] == addresses


def test_public_address_in_a_subnet_outside_the_plan(make: Any) -> None:
    make.add("aws_instance.no", sets={"subnet_id": "subnet-1", "associate_public_ip_address": False}, late=("public_ip",))
    make.add("aws_instance.maybe", sets={"subnet_id": "subnet-1"}, late=("public_ip", "associate_public_ip_address"))
    assert make.one("aws_instance.no").facts["public_addresses"] == []
    assert "public_addresses" in make.one("aws_instance.maybe").gaps
    make.add("aws_eip.e", sets={"instance": ["aws_instance.maybe.id"]}, late=("public_ip",))
    assert make.one("aws_instance.maybe").facts["public_addresses"] == ["assigned"]


def test_interfaces_of_an_instance(make: Any) -> None:
    make.add("aws_security_group.g", late=("id",))
    make.add(
        "aws_network_interface.e",
        sets={"interface_type": "efa", "subnet_id": "subnet-9", "security_groups": ["aws_security_group.g.id"]},
        late=("id",),
    )
    make.add("aws_instance.i", sets={"instance_type": "p5.48xlarge", "subnet_id": "subnet-1", "vpc_security_group_ids": ["aws_security_group.g.id"]},
             late=("network_interface", "id"))  # fmt: skip
    assert make.one("aws_instance.i").facts["efa"] is False
    make.add(
        "aws_network_interface_attachment.a",
        sets={"instance_id": ["aws_instance.i.id"], "network_interface_id": ["aws_network_interface.e.id"]},
    )
    node = make.one("aws_instance.i")
    assert (node.facts["efa"], node.facts["subnet_ids"]) == (True, ["subnet-1", "subnet-9"])
    assert node.facts["firewall_ids"] == ["plan/aws_security_group.g"]


def test_volumes_of_an_existing_instance_are_not_counted_twice(make: Any) -> None:
    volume = {"id": "vol-2", "arn": "arn:aws:ec2:us-east-1:1:volume/vol-2", "encrypted": True, "kms_key_id": ""}
    make.add("aws_ebs_volume.v", before=volume, after=volume, actions=("no-op",))
    blocks = {
        "root_block_device": [{"device_name": "/dev/xvda", "volume_id": "vol-1", "encrypted": False, "kms_key_id": ""}],
        "ebs_block_device": [{"device_name": "/dev/sdg", "volume_id": "vol-2", "encrypted": True, "kms_key_id": ""}],
    }
    make.add("aws_instance.i", before=blocks, after=blocks, actions=("no-op",))
    estate = make.read()
    assert [r.id for r in estate.resources if r.native_type == "AWS::EC2::Volume"] == [
        "plan/aws_ebs_volume.v",
        "plan/aws_instance.i/root_block_device",
    ]
    assert make.one("aws_instance.i").facts["volume_ids"] == ["plan/aws_ebs_volume.v", "plan/aws_instance.i/root_block_device"]


def test_only_the_kms_algorithms_use_the_key_that_is_named(make: Any) -> None:
    make.add("aws_s3_bucket.b", sets={"bucket": "corpus"}, late=("id", "arn"))
    key = "arn:aws:kms:us-east-1:123456789012:key/k"
    rule = [{"apply_server_side_encryption_by_default": [{"sse_algorithm": "AES256", "kms_master_key_id": key}]}]
    make.add("aws_s3_bucket_server_side_encryption_configuration.b", sets={"bucket": ["aws_s3_bucket.b.id"]}, after={"rule": rule})
    assert make.one("aws_s3_bucket.b").facts["key_id"] == ""


def test_mfa_delete(make: Any) -> None:
    make.add("aws_s3_bucket.b", sets={"bucket": "corpus"}, late=("id", "arn"))
    assert make.one("aws_s3_bucket.b").facts["aws.mfa_delete"] is False
    kept = [{"status": "Enabled", "mfa_delete": "Enabled"}]
    make.add("aws_s3_bucket_versioning.b", sets={"bucket": ["aws_s3_bucket.b.id"]}, after={"versioning_configuration": kept})
    assert make.one("aws_s3_bucket.b").facts["aws.mfa_delete"] is True


def test_a_local_cluster(make: Any) -> None:
    make.add("aws_eks_cluster.cloud", after={"name": "cloud"})
    make.add("aws_eks_cluster.local", after={"name": "local", "outpost_config": [{"control_plane_instance_type": "m5.large"}]})
    assert [make.one(f"aws_eks_cluster.{n}").facts["aws.outpost"] for n in ("cloud", "local")] == [False, True]


def test_groups_of_efa_interfaces(make: Any) -> None:
    for name, kind in (("first", "interface"), ("fabric", "efa")):
        make.add(f"aws_security_group.{name}", after={"name": name}, late=("id", "arn"))
        make.add(
            f"aws_network_interface.{name}",
            sets={"security_groups": [f"aws_security_group.{name}.id"]},
            after={"interface_type": kind},
            late=("id", "arn"),
        )
        make.add(
            f"aws_network_interface_attachment.{name}",
            sets={"instance_id": ["aws_instance.i.id"], "network_interface_id": [f"aws_network_interface.{name}.id"]},
        )
    make.add("aws_instance.i", after={"instance_type": "p5.48xlarge"}, late=("id", "arn"))
    found = make.one("aws_instance.i")
    assert found.facts["efa"] is True
    assert found.facts["efa_firewall_ids"] == ["plan/aws_security_group.fabric"]


def test_links(make: Any) -> None:
    make.add(
        "aws_dx_connection.c",
        sets={"bandwidth": "100Gbps", "request_macsec": True},
        late=("id", "macsec_capable", "encryption_mode"),
    )
    make.add("aws_dx_lag.l", sets={"connections_bandwidth": "100Gbps"}, late=("id",))
    make.add("aws_dx_connection_association.a", sets={"connection_id": ["aws_dx_connection.c.id"], "lag_id": ["aws_dx_lag.l.id"]})
    link = make.one("aws_dx_connection.c")
    assert (link.facts["macsec_capable"], link.facts["macsec_keys"], link.facts["bundle_id"]) == (True, 0, "plan/aws_dx_lag.l")
    assert "encryption_mode" in link.gaps  # asked for MACsec, and the service chooses the mode
    make.add("aws_dx_macsec_key_association.k", sets={"connection_id": ["aws_dx_connection.c.id"]}, late=("state",))
    assert make.one("aws_dx_connection.c").facts["macsec_keys"] == 1


def test_a_listener_of_a_balancer_outside_the_plan(make: Any) -> None:
    make.add("aws_lb_listener.l", sets={"load_balancer_arn": "arn:aws:elasticloadbalancing:us-east-1:1:loadbalancer/app/x/1", "port": 443, "protocol": "HTTPS",
                                        "ssl_policy": "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09"})  # fmt: skip
    listener = make.one("aws_lb_listener.l")
    assert (listener.facts["protocol"], listener.facts["tls_versions"], listener.facts["tls_weak_ciphers"]) == (
        "https",
        ["1.2", "1.3"],
        [],
    )
    assert listener.gaps["internet_facing"].reason is Reason.NOT_OFFERED


def test_a_tls_policy_that_is_not_in_the_table_is_unknown(make: Any) -> None:
    make.add("aws_lb_listener.l", sets={"port": 443, "protocol": "HTTPS", "ssl_policy": "ELBSecurityPolicy-TLS13-1-9-2030-01"})
    listener = make.one("aws_lb_listener.l")
    assert listener.facts["tls_policy"] == "ELBSecurityPolicy-TLS13-1-9-2030-01"
    assert {"tls_versions", "tls_weak_ciphers"} <= set(listener.gaps)


def test_a_rule_of_a_listener_may_serve_in_clear(make: Any) -> None:
    redirect = {"type": "redirect", "redirect": [{"protocol": "HTTPS", "port": "443"}], "fixed_response": []}
    make.add(
        "aws_lb_listener.l",
        sets={"port": 80, "protocol": "HTTP", "default_action": [redirect]},
        after={"default_action": [redirect]},
        late=("arn", "id"),
    )
    assert make.one("aws_lb_listener.l").facts["redirects_to_tls"] is True
    forward = {"type": "forward", "redirect": [], "fixed_response": []}
    make.add(
        "aws_lb_listener_rule.r", sets={"listener_arn": ["aws_lb_listener.l.arn"], "action": [forward]}, after={"action": [forward]}
    )
    assert make.one("aws_lb_listener.l").facts["redirects_to_tls"] is False
