"""Parts of resources that the plan does not hold: an open rule in somebody else's group fails by itself, and nothing passes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from collectors.terraform.outside import LINKS
from collectors.terraform.plan import read_plan
from collectors.terraform.tables import TABLES
from scanner.cli import bartizan
from scanner.model import BartizanError, Extent, Reason, Resource

OPEN = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}]})
FULL = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})
ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess"
KEY = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
SSH = {"type": "ingress", "from_port": 22, "to_port": 22, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"]}
FAILING = [
    ("aws_security_group_rule", {"security_group_id": "sg-1", **SSH}, "network.admin_ports_open"),
    ("aws_iam_role_policy_attachment", {"role": "r", "policy_arn": ADMIN}, "iam.admin_access"),
    ("aws_iam_role_policy", {"role": "r", "name": "p", "policy": FULL}, "iam.admin_access"),
    ("aws_iam_user_policy_attachment", {"user": "u", "policy_arn": ADMIN}, "iam.admin_access"),
    ("aws_s3_bucket_policy", {"bucket": "b", "policy": OPEN}, "transit.store_tls_only"),
    (
        "aws_s3_bucket_versioning",
        {"bucket": "b", "versioning_configuration": [{"status": "Suspended"}]},
        "integrity.store_versioning",
    ),
    ("aws_kms_key_policy", {"key_id": KEY, "policy": OPEN}, "encryption.cmk_policy_scope"),
    ("aws_ecr_repository_policy", {"repository": "r", "policy": OPEN}, "exposure.registry_public"),
    ("aws_efs_file_system_policy", {"file_system_id": "fs-1", "policy": OPEN}, "iam.resource_policy_inside"),
]


def parts(make: Any) -> list[Resource]:
    return [r for r in make.read().resources if r.partial]


def scan(make: Any, tmp_path: Path) -> tuple[int, list[dict[str, Any]]]:
    plan, report = tmp_path / "plan.json", tmp_path / "report.json"
    plan.write_text(json.dumps(make.document))
    result = CliRunner().invoke(bartizan, ["scan", "plan", str(plan), "-o", f"json={report}"], catch_exceptions=False)
    return result.exit_code, json.loads(report.read_text())["verdicts"]


@pytest.mark.parametrize(("kind", "values", "rule"), FAILING, ids=[f"{kind} {rule}" for kind, _, rule in FAILING])
def test_what_a_part_shows_fails(make: Any, tmp_path: Path, kind: str, values: dict[str, Any], rule: str) -> None:
    """The plan has nothing else: Checkov, which looks at resource types one by one, finds these too."""
    make.add(f"{kind}.x", after=values)
    _, verdicts = scan(make, tmp_path)
    found = {(v["rule"], v["where"]["locator"]) for v in verdicts if v["status"] == "fail"}
    assert (rule, f"{kind}.x") in found
    assert {v["status"] for v in verdicts} <= {"fail", "unknown"}
    assert {v["level"] for v in verdicts if v["status"] == "unknown"} == {"scope"}


WAYS = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["iam:PassRole", "s3:*"], "Resource": "*"}]}
)
RAISE = json.dumps(
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "iam:CreatePolicyVersion", "Resource": "*"}]}
)


def failing(make: Any, tmp_path: Path) -> set[tuple[str, str]]:
    _, verdicts = scan(make, tmp_path)
    return {(v["rule"], v["resource"]["id"]) for v in verdicts if v["status"] == "fail"}


def test_what_else_a_role_has_takes_nothing_back(make: Any, tmp_path: Path) -> None:
    """Whether it is an administrator is not known: that only settles by which rule it fails."""
    make.add("aws_iam_role_policy.p", sets={"role": "r", "policy": WAYS}, late=("name",))
    make.add("aws_iam_user_policy.p", sets={"user": "u", "policy": RAISE}, late=("name",))
    assert failing(make, tmp_path) == {
        ("iam.data_wildcards", 'plan/aws_iam_role["r"]'),
        ("iam.pass_role", 'plan/aws_iam_role["r"]'),
        ("iam.privilege_escalation", 'plan/aws_iam_user["u"]'),
    }


def test_an_open_policy_of_a_private_endpoint_and_a_public_function_fail(make: Any, tmp_path: Path) -> None:
    make.add("aws_vpc_endpoint_policy.p", sets={"vpc_endpoint_id": "vpce-1", "policy": OPEN})
    make.add("aws_lambda_permission.p", sets={"function_name": "f", "principal": "*", "action": "lambda:InvokeFunction"})
    assert failing(make, tmp_path) == {
        ("network.endpoint_policy", 'plan/aws_vpc_endpoint["vpce-1"]'),
        ("exposure.function_public", 'plan/aws_lambda_function["f"]/us-east-1'),
    }


@pytest.mark.parametrize(
    ("key", "found"), [("sendmessage", []), ("$default", []), ("$connect", ["$connect"]), ("GET /x", ["GET /x"])]
)
def test_only_the_first_route_of_a_websocket_has_to_ask(make: Any, key: str, found: list[str]) -> None:
    """`$default` may be of either protocol, which its API says."""
    make.add(
        "aws_apigatewayv2_route.r", sets={"api_id": "a", "route_key": key, "authorization_type": "NONE", "api_key_required": False}
    )
    (part,) = parts(make)
    assert part.facts.get("open_rules", []) == found


def test_one_part_that_is_not_known_yet_hides_no_other(make: Any) -> None:
    make.add("data.aws_iam_policy.d", sets={"name": "x"}, late=("arn",), actions=("read",))
    make.add("aws_iam_role_policy_attachment.a", sets={"role": "r", "policy_arn": ADMIN})
    make.add("aws_iam_role_policy_attachment.b", sets={"role": "r", "policy_arn": ["data.aws_iam_policy.d.arn"]})
    (part,) = parts(make)
    assert part.facts["attached_policies"] == [ADMIN]


def test_what_others_may_make_up_for_is_not_told(make: Any) -> None:
    """A log of what is refused, where another logs all; rules in, which do not say that none go out."""
    make.add("aws_flow_log.f", sets={"vpc_id": "vpc-1", "traffic_type": "REJECT"})
    make.add("aws_s3_bucket_inventory.i", sets={"bucket": "b", "enabled": False})
    make.add("aws_lb_ssl_negotiation_policy.n", sets={"load_balancer": "e", "lb_port": 443})
    make.add("aws_security_group_rule.r", after={"security_group_id": "sg-1", **SSH})
    found = {(r.native_type, n): n in r.facts and n not in r.gaps for r in parts(make) for n in r.facts.keys() | r.gaps.keys()}
    assert not found["AWS::EC2::VPC", "flow_logs"]
    assert not found["AWS::S3::Bucket", "inventory"]
    assert not found["AWS::ElasticLoadBalancing::LoadBalancer", "tls_versions"]
    assert not found["AWS::EC2::SecurityGroup", "egress"]


def test_an_address_of_its_own_belongs_to_no_instance(make: Any) -> None:
    """The provider fills in `instance` where nobody sets it: that of a NAT gateway is never one."""
    make.add("aws_eip.nat", sets={"domain": "vpc"}, late=("id", "instance", "public_ip"))
    make.add("aws_eip_association.a", sets={"allocation_id": "eipalloc-1", "network_interface_id": "eni-1"}, late=("instance_id",))
    make.key("aws_kms_key.k")
    assert parts(make) == []
    assert {c.native_type for c in make.read().coverage} == {"AWS::KMS::Key"}


def test_an_address_of_nobody_says_nothing_of_an_instance_unless_it_is_of_an_interface(make: Any) -> None:
    make.add("aws_instance.i", sets={"associate_public_ip_address": False}, late=("id", "primary_network_interface_id"))
    make.add("aws_eip.nat", sets={"domain": "vpc"}, late=("id", "instance", "public_ip"))
    assert make.one("aws_instance.i").facts["public_addresses"] == []
    make.add("aws_eip.i", sets={"network_interface": ["aws_instance.i.primary_network_interface_id"]}, late=("id", "instance"))
    assert make.one("aws_instance.i").gaps["public_addresses"].reason is Reason.KNOWN_AFTER_APPLY


def test_each_name_of_a_list_is_a_resource(make: Any) -> None:
    """Ids are unique within a kind, and both roles and users are identities; a role of the plan is itself."""
    make.add("aws_iam_role.r", sets={"name": "here", "assume_role_policy": "{}"}, late=("id", "arn"))
    make.add("aws_iam_policy_attachment.a", after={"roles": ["a", "b", "here"], "users": ["a"], "policy_arn": ADMIN})
    found = sorted(r.id for r in parts(make))
    assert found == ['plan/aws_iam_role["a"]', 'plan/aws_iam_role["b"]', 'plan/aws_iam_user["a"]']
    assert make.one("aws_iam_role.r").facts["attached_policies"] == [ADMIN]


def test_lists_that_are_not_known_yet_have_ids_of_their_own(make: Any) -> None:
    make.add("aws_iam_policy_attachment.a", sets={"roles": ["data.x.y.z"], "users": ["data.x.y.u"], "policy_arn": ADMIN})
    found = sorted(r.id for r in parts(make))
    assert found == ["plan/aws_iam_policy_attachment.a/roles", "plan/aws_iam_policy_attachment.a/users"]


def test_a_part_of_what_is_secret_is_judged_and_names_nobody(make: Any) -> None:
    make.add("aws_iam_role_policy_attachment.a", sets={"role": "hidden", "policy_arn": ADMIN}, sensitive={"role": True})
    estate = make.read()
    (part,) = (r for r in estate.resources if r.partial)
    assert part.facts["attached_policies"] == [ADMIN]
    assert "hidden" not in repr(estate)
    (row,) = estate.coverage
    assert row.gap.reason is Reason.SENSITIVE


def test_an_arn_and_the_name_at_its_end_are_one(make: Any) -> None:
    make.add("aws_lambda_function_url.u", sets={"function_name": "f", "authorization_type": "NONE"})
    make.add(
        "aws_lambda_permission.p",
        sets={
            "function_name": "arn:aws:lambda:us-east-1:123456789012:function:f:live",
            "principal": "*",
            "action": "lambda:InvokeFunction",
        },
    )
    (part,) = parts(make)
    assert part.id == 'plan/aws_lambda_function["f"]/us-east-1'


def test_names_of_two_accounts_are_two(make: Any) -> None:
    make.document["configuration"]["provider_config"]["aws.prod"] = {"name": "aws", "alias": "prod"}
    make.add("aws_iam_role_policy_attachment.a", sets={"role": "r", "policy_arn": ADMIN})
    make.add("aws_iam_role_policy_attachment.b", sets={"role": "r", "policy_arn": ADMIN}, provider="aws.prod")
    assert sorted(r.id for r in parts(make)) == ['plan/aws_iam_role["r"]', 'plan/aws_iam_role["r"]/aws.prod']


def test_a_finding_stays_the_same_when_parts_come_and_go(make: Any, tmp_path: Path) -> None:
    make.add("aws_security_group_rule.open", after={"security_group_id": "sg-1", **SSH})
    before = failing(make, tmp_path)
    make.document["resource_changes"].insert(0, json.loads(json.dumps(make.document["resource_changes"][0])))
    first = make.document["resource_changes"][0]
    first["address"], first["name"] = "aws_security_group_rule.fine", "fine"
    first["change"]["after"]["cidr_blocks"] = ["10.0.0.0/8"]
    assert failing(make, tmp_path) == before == {("network.admin_ports_open", 'plan/aws_security_group["sg-1"]/us-east-1')}


@pytest.mark.parametrize("action", ["delete", "forget"])
def test_a_part_that_goes_is_not_judged(make: Any, action: str) -> None:
    make.key("aws_kms_key.k")
    make.add("aws_security_group_rule.x", before={"security_group_id": "sg-1", **SSH}, actions=(action,))
    assert parts(make) == []


def test_a_rule_that_is_fine_passes_nothing(make: Any, tmp_path: Path) -> None:
    make.add("aws_security_group_rule.x", after={"security_group_id": "sg-1", **SSH, "cidr_blocks": ["10.0.0.0/8"]})
    code, verdicts = scan(make, tmp_path)
    assert {(v["status"], v["level"]) for v in verdicts} == {("unknown", "scope")}
    assert code == 0


def test_parts_of_one_resource_are_judged_together(make: Any) -> None:
    """A policy for everyone is held by a block of public policies: two halves, judged apart, would be a false alarm."""
    blocks = dict.fromkeys(("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"), True)
    make.add("aws_s3_bucket_policy.p", sets={"bucket": "b", "policy": OPEN})
    make.add("aws_s3_bucket_public_access_block.p", sets={"bucket": "b", **blocks})
    make.add("aws_s3_bucket_policy.q", sets={"bucket": "c", "policy": OPEN})
    found = {r.name: r for r in parts(make)}
    assert found.keys() == {"b", "c"}
    assert found["b"].facts["aws.restrict_public_buckets"] is True
    assert found["c"].gaps["aws.restrict_public_buckets"].reason is Reason.NOT_OFFERED


def test_the_same_name_in_another_region_is_another_group(make: Any) -> None:
    make.document["configuration"]["provider_config"]["aws.eu"] = {
        "name": "aws", "alias": "eu", "expressions": {"region": {"constant_value": "eu-west-1"}},
    }  # fmt: skip
    make.add("aws_sqs_queue_policy.a", sets={"queue_url": "q", "policy": OPEN})
    make.add("aws_sqs_queue_policy.b", sets={"queue_url": "q", "policy": OPEN}, provider="aws.eu")
    assert sorted(r.region for r in parts(make)) == ["eu-west-1", "us-east-1"]


def test_a_part_of_what_is_not_known_yet_is_judged_by_itself(make: Any) -> None:
    make.add("data.aws_security_group.d", sets={"name": "x"}, late=("id",), actions=("read",))
    make.add("aws_security_group_rule.x", sets={"security_group_id": ["data.aws_security_group.d.id"]}, after=SSH)
    (found,) = parts(make)
    assert [e["source"] for e in found.facts["ingress"]] == ["0.0.0.0/0"]
    (row,) = (c for c in make.read().coverage if c.native_type == "AWS::EC2::SecurityGroup")
    assert (row.extent, row.gap.reason) == (Extent.PARTIAL, Reason.KNOWN_AFTER_APPLY)


def test_a_part_of_a_resource_of_the_plan_is_no_part_of_another(make: Any) -> None:
    make.add("aws_security_group.g", sets={"vpc_id": "vpc-1"}, late=("id", "ingress", "egress"))
    make.add("aws_security_group_rule.x", sets={"security_group_id": ["aws_security_group.g.id"]}, after=SSH)
    assert parts(make) == []


def test_links_say_nothing(make: Any) -> None:
    make.key("aws_kms_key.k")
    make.add("aws_kms_alias.a", sets={"name": "alias/a", "target_key_id": KEY})
    make.add("aws_route_table_association.a", sets={"route_table_id": "rtb-1", "subnet_id": "subnet-1"})
    assert parts(make) == []
    assert {t for table in TABLES for t in (j.type for j in table.joins.values())} >= LINKS


def test_its_place_is_the_part(make: Any, tmp_path: Path) -> None:
    """Not a block of the type that the part belongs to, should one be called alike."""
    pytest.importorskip("tree_sitter_hcl")
    make.add("aws_security_group.x", sets={"vpc_id": "vpc-1"}, after={"ingress": [], "egress": []})
    make.add("aws_security_group_rule.x", after={"security_group_id": "sg-1", **SSH})
    (tmp_path / "main.tf").write_text(
        'resource "aws_security_group" "x" {\n  vpc_id = "vpc-1"\n}\n\nresource "aws_security_group_rule" "x" {\n  from_port = 22\n}\n'
    )
    (found,) = (r for r in make.read(source=tmp_path).resources if r.partial)
    assert (found.where.file, found.where.line) == ("main.tf", 5)


def test_a_plan_of_unknown_types_alone_is_still_an_error(make: Any) -> None:
    make.add("aws_something.x", sets={"a": "b"})
    with pytest.raises(BartizanError, match="no resource of a known type"):
        read_plan(io.StringIO(json.dumps(make.document)), name="made")


def test_explain_says_that_only_parts_are_seen(make: Any, tmp_path: Path) -> None:
    make.add("aws_security_group_rule.x", after={"security_group_id": "sg-1", **SSH})
    plan, snapshot = tmp_path / "plan.json", tmp_path / "s.snapshot"
    plan.write_text(json.dumps(make.document))
    CliRunner().invoke(bartizan, ["scan", "plan", str(plan), "--snapshot", str(snapshot)], catch_exceptions=False)
    told = CliRunner().invoke(bartizan, ["explain", "sg-1", "--snapshot", str(snapshot)], catch_exceptions=False).output
    assert "only parts of it are seen" in told
    assert "network.admin_ports_open" in told
