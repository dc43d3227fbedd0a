"""What a plan hides, leaves out, defers or only forgets is never read as absent: one test for each fault that a reviewer found."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.configuration import suffix
from scanner.model import BartizanError, Extent, Reason

OPEN = json.dumps({"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}]})
ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess"
RULE = {"from_port": 22, "to_port": 22, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"], "ipv6_cidr_blocks": [], "prefix_list_ids": [],
        "security_groups": [], "self": False, "description": ""}  # fmt: skip


def late(make: Any, address: str, fact: str) -> Any:
    """Why a fact is not known; its value where it is taken for known."""
    resource = make.one(address)
    return resource.gaps[fact].reason if fact in resource.gaps else resource.facts[fact]


def test_a_route_to_a_secret_network_is_no_crash(make: Any) -> None:
    """`next()` without a default in a reader: StopIteration came out of the generator as a RuntimeError, exit 70."""
    make.add("aws_route_table.t", sets={"vpc_id": "vpc-1"}, late=("id", "route"))
    make.add("aws_route.r", sets={"route_table_id": ["aws_route_table.t.id"], "gateway_id": "igw-1"},
             after={"destination_cidr_block": "10.9.0.0/16"}, late=("network_interface_id",), sensitive={"destination_cidr_block": True})  # fmt: skip
    assert make.one("aws_route_table.t").gaps["routes"].reason is Reason.SENSITIVE


def test_what_is_done_to_things_outside_of_the_plan_is_said(make: Any) -> None:
    """A rule in a group that exists elsewhere, a policy of a bucket, an attachment: no resource of the report, and no word."""
    make.key("aws_kms_key.k")
    make.add("aws_s3_bucket_policy.p", sets={"bucket": "somebody-elses", "policy": OPEN})
    make.add(
        "aws_vpc_security_group_ingress_rule.r",
        sets={"security_group_id": "sg-0123", "cidr_ipv4": "0.0.0.0/0", "ip_protocol": "-1"},
    )
    make.add("aws_iam_role_policy_attachment.a", sets={"role": "outside", "policy_arn": ADMIN})
    found = {c.native_type: (c.extent, c.gap.call) for c in make.read().coverage if c.gap}
    assert found == {
        "AWS::EC2::SecurityGroup": (Extent.PARTIAL, "aws_vpc_security_group_ingress_rule.r"),
        "AWS::IAM::Role": (Extent.PARTIAL, "aws_iam_role_policy_attachment.a"),
        "AWS::S3::Bucket": (Extent.PARTIAL, "aws_s3_bucket_policy.p"),
    }


def test_what_is_forgotten_goes_on_to_exist(make: Any) -> None:
    """`removed { lifecycle { destroy = false } }`: https://developer.hashicorp.com/terraform/language/resources/syntax#removing-resources"""
    group = {"id": "sg-1", "vpc_id": "vpc-1", "name": "g", "ingress": [RULE], "egress": []}
    make.add("aws_security_group.g", sets={"vpc_id": "vpc-1"}, after=group, before=group, actions=("no-op",))
    rule = {"security_group_id": "sg-1", "cidr_ipv4": "0.0.0.0/0", "from_port": 22, "to_port": 22, "ip_protocol": "tcp"}
    make.add("aws_vpc_security_group_ingress_rule.r", before=rule, actions=("forget",))
    assert [e["source"] for e in make.one("aws_security_group.g").facts["ingress"]] == ["0.0.0.0/0"]


@pytest.mark.parametrize("attribute", ["name", "id"])
def test_a_secret_name_still_names_its_resource(make: Any, attribute: str) -> None:
    make.add("aws_iam_role.r", sets={"name": "x"}, after={"id": "x"}, sensitive={"name": True, "id": True})
    make.add("aws_iam_role_policy_attachment.a", sets={"role": [f"aws_iam_role.r.{attribute}"], "policy_arn": ADMIN},
             after={"role": "x"}, sensitive={"role": True})  # fmt: skip
    assert late(make, "aws_iam_role.r", "attached_policies") == [ADMIN]


@pytest.mark.parametrize(
    ("kind", "block", "known", "hidden", "fact"),
    [
        ("aws_ecr_repository", "encryption_configuration", [{"encryption_type": "KMS"}], [{"kms_key": True}], "key_id"),
        ("aws_ecr_repository", "encryption_configuration", None, True, "key_id"),
        ("aws_eks_cluster", "encryption_config", [{"provider": [{}]}], [{"provider": [{"key_arn": True}]}], "key_id"),
        ("aws_eks_node_group", "remote_access", None, True, "ssh_open"),
        ("aws_msk_cluster", "client_authentication", None, True, "anonymous_access"),
        ("aws_cloudtrail", "event_selector", None, True, "object_selectors"),
    ],
)
def test_a_dynamic_block_leaves_no_trace(make: Any, kind: str, block: str, known: Any, hidden: Any, fact: str) -> None:
    """https://github.com/hashicorp/terraform/issues/28346: nothing of a `dynamic` block is in the plan's configuration."""
    make.add(f"{kind}.x", sets={"name": "x"}, after={} if known is None else {block: known})
    make.document["resource_changes"][0]["change"]["after_unknown"][block] = hidden
    assert late(make, f"{kind}.x", fact) is Reason.KNOWN_AFTER_APPLY


def test_a_dynamic_block_within_one_that_is_written(make: Any) -> None:
    """As the S3 module of the registry has it: `rule` with `dynamic "apply_server_side_encryption_by_default"`."""
    make.add("aws_s3_bucket.b", sets={"bucket": "x"}, late=("server_side_encryption_configuration",))
    make.add("aws_s3_bucket_server_side_encryption_configuration.b", sets={"bucket": "x"},
             after={"rule": [{"apply_server_side_encryption_by_default": [{"sse_algorithm": "aws:kms"}]}]})  # fmt: skip
    change, resources = make.document["resource_changes"][1]["change"], make.module()["resources"]
    change["after_unknown"]["rule"] = [{"apply_server_side_encryption_by_default": [{"kms_master_key_id": True}]}]
    resources[1]["expressions"]["rule"] = [{"bucket_key_enabled": {"constant_value": True}}]
    assert late(make, "aws_s3_bucket.b", "key_id") is Reason.KNOWN_AFTER_APPLY


def test_a_rule_of_egress_says_nothing_of_ingress(make: Any) -> None:
    make.add("aws_eip.e", late=("public_ip",))
    make.add("aws_security_group.g", sets={"vpc_id": "vpc-1"}, late=("id", "ingress", "egress"))
    make.add(
        "aws_vpc_security_group_egress_rule.r",
        sets={"security_group_id": ["aws_security_group.g.id"], "cidr_ipv4": "10.0.0.0/8", "ip_protocol": "-1"},
    )
    make.document["relevant_attributes"] = [{"resource": "aws_eip.e", "attribute": ["public_ip"]}]
    assert late(make, "aws_security_group.g", "ingress") is Reason.KNOWN_AFTER_APPLY


@pytest.mark.parametrize("how", ["deferred", "errored"])
def test_a_part_that_the_plan_leaves_out_is_not_absent(make: Any, how: str) -> None:
    make.add("aws_s3_bucket.b", sets={"bucket": "x"})
    make.add("aws_s3_bucket_policy.b", sets={"bucket": "x", "policy": OPEN})
    left = make.document["resource_changes"].pop()
    if how == "deferred":
        make.document["deferred_changes"] = [{"reason": "provider_config_unknown", "resource_change": left}]
    else:
        make.document["errored"] = True
    assert late(make, "aws_s3_bucket.b", "policy_statements") is Reason.KNOWN_AFTER_APPLY


@pytest.mark.parametrize("written", ["alias", "region"])
def test_a_name_in_another_region_is_another_resource(make: Any, written: str) -> None:
    """`main` is a name in each region: version 6 of the provider has a `region` for each resource"""
    make.document["configuration"]["provider_config"]["aws.us"] = {
        "name": "aws",
        "alias": "us",
        "expressions": {"region": {"constant_value": "us-west-2"}},
    }
    make.add("aws_backup_vault.main", sets={"name": "main"})
    far: dict[str, Any] = {"sets": {}, "provider": "aws.us"} if written == "alias" else {"sets": {"region": "us-west-2"}}
    far["sets"] |= {"backup_vault_name": "main", "min_retention_days": 7}
    make.add("aws_backup_vault_lock_configuration.far", **far)
    assert make.one("aws_backup_vault.main").facts["locked"] is False


@pytest.mark.parametrize(
    ("kind", "fact"),
    [("aws_efs_file_system", "policy_statements"), ("aws_dynamodb_table", "policy_statements"), ("aws_backup_vault", "locked")],
)
def test_what_exists_may_have_parts_that_the_plan_does_not_show(make: Any, kind: str, fact: str) -> None:
    now = {"id": "x", "name": "x", "arn": "arn:aws:x:us-east-1:123456789012:x"}
    make.add(f"{kind}.x", sets={"name": "x"}, after=now, before=now, actions=("no-op",))
    assert late(make, f"{kind}.x", fact) is Reason.NOT_OFFERED


def test_deferred_data_of_a_literal_may_be_the_plans_own(make: Any) -> None:
    """`data "aws_s3_bucket" "b" { bucket = "x", depends_on = [aws_s3_bucket.b] }`."""
    make.add("aws_s3_bucket.b", sets={"bucket": "x"}, late=("id", "arn"))
    make.add("data.aws_s3_bucket.b", sets={"bucket": "x"}, late=("id", "arn"), actions=("read",))
    make.add("aws_s3_bucket_policy.p", sets={"bucket": ["data.aws_s3_bucket.b.id"], "policy": OPEN})
    assert late(make, "aws_s3_bucket.b", "policy_statements") is Reason.KNOWN_AFTER_APPLY


@pytest.mark.parametrize(
    "change",
    [{"after_unknown": True, "after": None}, {"after_unknown": True, "after": {}}, {"after_sensitive": True}, {"actions": []}],
)
def test_a_resource_of_which_nothing_can_be_read_is_named(make: Any, change: dict[str, Any]) -> None:
    make.add("aws_s3_bucket.b", sets={"bucket": "x"})
    make.add("aws_s3_bucket_policy.b", sets={"bucket": "x", "policy": OPEN})
    make.document["resource_changes"][1]["change"] |= change
    estate = make.read()
    assert late(make, "aws_s3_bucket.b", "policy_statements") is Reason.KNOWN_AFTER_APPLY
    assert [p for p in estate.problems if "aws_s3_bucket_policy.b" in p]


def test_providers_with_for_each_have_a_region_each(make: Any) -> None:
    """https://opentofu.org/docs/language/providers/configuration/#for_each-multiple-instances-of-a-provider-configuration"""
    make.document["configuration"]["provider_config"]["aws.by"] = {
        "name": "aws",
        "alias": "by",
        "expressions": {"region": {"references": ["each.value"]}},
    }
    make.add('aws_ebs_encryption_by_default.d["eu"]', sets={"enabled": True}, provider="aws.by")
    make.add('aws_ebs_default_kms_key.k["us"]', sets={"key_arn": "arn:aws:kms:us-east-1:123456789012:key/1"}, provider="aws.by")
    assert late(make, 'aws_ebs_encryption_by_default.d["eu"]', "key_id") is Reason.KNOWN_AFTER_APPLY


def test_a_region_that_is_not_known_is_not_the_providers(make: Any) -> None:
    make.add("aws_ebs_volume.v", sets={"size": 1, "region": ["terraform_data.x.output"]})
    assert make.one("aws_ebs_volume.v").region == ""


def sourced(make: Any, folder: Path, files: dict[str, str], address: str) -> Any:
    for name, text in files.items():
        (folder / name).write_text(text)
    return next(r for r in make.read(source=folder).resources if r.id == f"plan/{address}")


def volume(encrypted: str, *more: str) -> str:
    return "\n".join(['resource "aws_ebs_volume" "v" {', f"  encrypted = {encrypted}", *more, "}", ""])


def test_a_block_whose_protocol_is_written_in_capitals_is_not_its_neighbour(make: Any, tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_hcl")
    make.add(
        "aws_security_group.g",
        sets={"vpc_id": "vpc-1"},
        after={"ingress": [RULE, {**RULE, "from_port": 443, "to_port": 443, "cidr_blocks": ["10.0.0.0/8"]}], "egress": []},
    )
    text = """resource "aws_security_group" "g" {
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "TCP"
    cidr_blocks = ["0.0.0.0/0"]
  }
  ingress {
    from_port   = var.port
    to_port     = var.port
    protocol    = "tcp"
    cidr_blocks = var.inside
  }
}
"""
    places = sourced(make, tmp_path, {"main.tf": text}, "aws_security_group.g").places
    assert "ingress[tcp 22 from 0.0.0.0/0]" not in places or places["ingress[tcp 22 from 0.0.0.0/0]"].line == 2


def test_a_line_that_says_the_opposite_is_not_the_place(make: Any, tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_hcl")
    make.add("aws_ebs_volume.v", sets={"encrypted": False})
    found = sourced(make, tmp_path, {"main.tf": volume("true", "  lifecycle { ignore_changes = [encrypted] }")}, "aws_ebs_volume.v")
    place = found.places.get("encrypted", found.where)
    assert (place.line, "ignore_changes" in place.note) == (1, True)


@pytest.mark.parametrize(
    "files",
    [
        {"main.tf": volume("true"), "x.prod_override.tf": volume("false")},
        {"main.tf": "locals {}\n", "override.prod.tf": volume("false")},
    ],
    ids=["dotted override", "no override"],
)
def test_which_files_are_read(make: Any, tmp_path: Path, files: dict[str, str]) -> None:
    """https://developer.hashicorp.com/terraform/language/files/override and https://opentofu.org/docs/language/files/"""
    pytest.importorskip("tree_sitter_hcl")
    make.add("aws_ebs_volume.v", sets={"encrypted": False})
    place = sourced(make, tmp_path, files, "aws_ebs_volume.v").places["encrypted"]
    assert (place.file, place.line) == (list(files)[-1], 2)


def test_outputs_of_many_modules_take_linear_time(make: Any) -> None:
    make.call("m", for_each={"a": 1})
    make.output("m", arn=["aws_kms_key.k.arn"])
    for i in range(800):
        make.key(f'module.m["k{i}"].aws_kms_key.k')
    for i in range(800):
        make.add(f'aws_sqs_queue.q["k{i}"]', sets={"kms_master_key_id": ["each.value.k", "module.m"]}, for_each={"a": 1})
    began = time.process_time()
    make.read()
    assert time.process_time() - began < 2  # 5 s, and 20 s for twice as many, before


def test_a_secret_beside_what_nobody_sets_is_still_a_secret(make: Any) -> None:
    """`source_security_group_id` is Optional and Computed, so nearly every rule has something that is unknown and that nobody set."""
    make.add("aws_security_group.g", sets={"vpc_id": "vpc-1"}, late=("id", "ingress", "egress"))
    make.add(
        "aws_security_group_rule.r",
        sets={
            "security_group_id": ["aws_security_group.g.id"],
            "type": "ingress",
            "from_port": 22,
            "to_port": 22,
            "protocol": "tcp",
        },
        after={"cidr_blocks": ["0.0.0.0/0"]},
        late=("source_security_group_id",),
        sensitive={"cidr_blocks": True},
    )
    assert make.one("aws_security_group.g").gaps["ingress"].reason is Reason.SENSITIVE


def test_a_source_whose_only_file_is_broken_is_told_so(make: Any, tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_hcl")
    make.key("aws_kms_key.k")
    (tmp_path / "main.tf").write_text('resource "aws_kms_key" "k" {\n  enable_key_rotation = \n')
    with pytest.raises(BartizanError, match=r"declares nothing .* cannot be read whole: .*main\.tf"):
        make.read(source=tmp_path)


def test_keys_with_line_ends_are_the_same_in_addresses_and_instances(make: Any) -> None:
    """Terraform writes them as escapes in addresses: a policy for the module's bucket was lost without a word."""
    make.document["configuration"]["root_module"]["module_calls"] = {"m": {"module": {}}}
    make.add('module.m["a\\nb"].aws_s3_bucket.b', sets={"bucket": "x"}, late=("id",))
    make.output("m", id=["aws_s3_bucket.b.id"])
    make.add("aws_s3_bucket_policy.p", sets={"bucket": ['module.m["a\\nb"].id', "module.m"], "policy": OPEN})
    (found,) = (r for r in make.read().resources if r.id.endswith("aws_s3_bucket.b"))
    assert found.facts["policy_statements"]
    assert suffix("a\nb\t") == '["a\\nb\\t"]'


@pytest.mark.parametrize("argument", ["assume_role", "assume_role_with_web_identity", "shared_config_files"])
def test_a_second_provider_that_may_be_another_account_makes_the_account_unknown(make: Any, argument: str) -> None:
    make.document["configuration"]["provider_config"]["aws.other"] = {
        "name": "aws",
        "alias": "other",
        "expressions": {argument: [{}]},
    }
    make.document["prior_state"] = {"values": {"root_module": {"resources": [
        {"mode": "data", "type": "aws_caller_identity", "values": {"account_id": "123456789012"}}]}}}  # fmt: skip
    make.key("aws_kms_key.k")
    make.add("aws_ebs_volume.v", sets={"kms_key_id": "1234abcd-12ab-34cd-56ef-1234567890ab"})
    assert "123456789012" not in str(make.one("aws_ebs_volume.v").facts.get("key_id"))
