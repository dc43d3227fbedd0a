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
    found = {(v["rule"], v["resource"]["id"]) for v in verdicts if v["status"] == "fail"}
    assert (rule, f"plan/{kind}.x") in found
    assert {v["status"] for v in verdicts} <= {"fail", "unknown"}
    assert {v["level"] for v in verdicts if v["status"] == "unknown"} == {"scope"}


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
