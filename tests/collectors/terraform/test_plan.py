"""How plans are built (`fixtures/plans/shapes/`), and what the reader makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.plan import PlanEstate, read_plan
from scanner.model import BartizanError, Extent, Reason, Resource


def shape(fixtures: Path, name: str, **options: Any) -> PlanEstate:
    return read_plan(fixtures / "plans" / "shapes" / name / "plan.json", **options)


def by_address(estate: PlanEstate) -> dict[str, Resource]:
    return {r.id.removeprefix("plan/"): r for r in estate.resources}


@pytest.mark.parametrize(
    ("name", "addresses"),
    [
        ("moved", ["aws_kms_key.new"]),
        ("moved-into-module", ['module.keys.aws_kms_key.this["a"]']),
        ("no-op", ["aws_kms_key.a"]),
        ("forget", ["aws_kms_key.kept"]),
        ("import", ["aws_s3_bucket.found", "aws_sqs_queue.found"]),
        (
            "update-replace-delete",
            ["aws_dynamodb_table.t", "aws_ebs_volume.v", "aws_kms_key.rot", "aws_sns_topic.same", "aws_sqs_queue.q"],
        ),
        (
            "nested-modules",
            [
                f'module.team["{team}"].module.store[{i}].aws_s3_bucket.this'
                for team, i in (("speech", 0), ("vision", 0), ("vision", 1))
            ],
        ),
    ],
)
def test_what_stays_is_the_estate(name: str, addresses: list[str], fixtures: Path) -> None:
    assert sorted(by_address(shape(fixtures, name))) == addresses


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("destroy-all", "only destroys or forgets (aws_kms_key)"),
        ("outputs-and-checks", "nothing to judge"),
        ("refresh-drift", "nothing to judge"),
    ],
)
def test_a_plan_with_nothing_to_judge_is_no_pass(name: str, says: str, fixtures: Path) -> None:
    with pytest.raises(BartizanError) as caught:
        shape(fixtures, name)
    assert caught.value.code == 3
    assert says in str(caught.value)
    assert "hf_notARealToken" not in str(caught.value)


def test_an_update_shows_what_will_be(fixtures: Path) -> None:
    found = by_address(shape(fixtures, "update-replace-delete"))
    assert found["aws_kms_key.rot"].facts["rotation_enabled"] is False
    assert found["aws_ebs_volume.v"].facts["encrypted"] is True
    assert found["aws_ebs_volume.v"].facts["key_id"] == "plan/aws_kms_key.rot"
    assert by_address(shape(fixtures, "moved-into-module"))['module.keys.aws_kms_key.this["a"]'].facts["rotation_enabled"] is False


def test_regions_and_tags_follow_the_provider(fixtures: Path) -> None:
    found = by_address(shape(fixtures, "alias-region-default-tags"))
    assert {a: r.region for a, r in found.items()} == {
        "aws_ebs_encryption_by_default.east": "us-east-1",
        "aws_ebs_encryption_by_default.west": "us-west-2",
        "aws_s3_bucket.east": "us-east-1",
        "aws_s3_bucket.west": "us-west-2",
        "module.far.aws_kms_key.far": "us-west-2",
    }
    assert found["aws_s3_bucket.west"].tags == {"owner": "override", "stage": "dev"}
    assert found["module.far.aws_kms_key.far"].tags == {"owner": "platform"}


def test_split_resources_join_within_their_module_instance(fixtures: Path) -> None:
    found = by_address(shape(fixtures, "nested-modules"))
    assert {a: r.facts["versioning"] for a, r in found.items()} == {
        'module.team["speech"].module.store[0].aws_s3_bucket.this': "off",
        'module.team["vision"].module.store[0].aws_s3_bucket.this': "suspended",
        'module.team["vision"].module.store[1].aws_s3_bucket.this': "enabled",
    }


def test_deferred_data(fixtures: Path) -> None:
    found = by_address(shape(fixtures, "deferred-data"))
    bucket = found["aws_s3_bucket.b"]
    assert bucket.facts["key_id"] == "plan/aws_kms_key.k"
    assert bucket.gaps["policy_statements"].reason is Reason.KNOWN_AFTER_APPLY
    assert "policy_statements" not in bucket.facts
    assert found["aws_kms_key.open"].facts["policy_statements"][0]["principals"] == ["*"]


def test_dynamic_blocks(fixtures: Path) -> None:
    found = by_address(shape(fixtures, "dynamic-blocks"))
    rules = found["aws_security_group.from_list"].facts["ingress"]
    assert [(r["from_port"], r["source"], r["source_type"]) for r in rules] == [
        (443, "10.0.0.0/8", "cidr"), (8265, "0.0.0.0/0", "cidr"), (29500, "plan/aws_security_group.from_list", "self"),
    ]  # fmt: skip
    assert found["aws_security_group.none"].facts["ingress"] == []  # nothing unknown in this plan could stand in a block
    assert found["aws_security_group.none"].gaps == {}


def test_an_existing_bucket_is_read_from_its_state(fixtures: Path) -> None:
    bucket = by_address(shape(fixtures, "import"))["aws_s3_bucket.found"]
    assert (bucket.facts["versioning"], bucket.facts["acl_public"], bucket.facts["policy_statements"]) == ("off", False, [])


def test_only_what_is_wanted_is_read(fixtures: Path) -> None:
    estate = shape(
        fixtures, "deferred-data", demand={"AWS::KMS::Key": frozenset(("rotation_enabled", "no_such_fact")), "v1/Pod": frozenset()}
    )
    assert {r.native_type for r in estate.resources} == {"AWS::KMS::Key"}
    assert all(set(r.facts) | set(r.gaps) == {"rotation_enabled"} for r in estate.resources)
    assert [c.native_type for c in estate.coverage] == ["AWS::KMS::Key"]
    assert shape(fixtures, "deferred-data", demand={}).resources == ()


def test_wanting_less_changes_no_fact(fixtures: Path) -> None:
    path = fixtures / "plans" / "types" / "04-network" / "plan.json"
    whole = {r.id: r for r in read_plan(path).resources}
    for resource in whole.values():
        for fact in (*resource.facts, *resource.gaps):
            (alone,) = (
                r for r in read_plan(path, demand={resource.native_type: frozenset((fact,))}).resources if r.id == resource.id
            )
            assert (alone.facts.get(fact), alone.gaps.get(fact)) == (resource.facts.get(fact), resource.gaps.get(fact))
        if resource.kind != "firewall":
            break


def test_coverage_says_how_much_was_seen(make: Any) -> None:
    make.key("aws_kms_key.a")
    (row,) = make.read().coverage
    assert (row.native_type, row.kind, row.scope, row.extent, row.count) == ("AWS::KMS::Key", "key", "made", Extent.COMPLETE, 1)
    for fault, word in (({"errored": True}, "half-way"), ({"complete": False}, "not complete")):
        make.document |= fault
        estate = make.read()
        assert word in estate.problems[0]
        assert estate.coverage[0].extent is Extent.PARTIAL
        assert estate.coverage[0].gap is not None
        assert estate.coverage[0].gap.reason is Reason.TRUNCATED
        make.document.pop(next(iter(fault)))


def test_a_plan_that_makes_its_network_says_all_that_is_in_it(make: Any) -> None:
    make.add("aws_vpc.v", sets={"cidr_block": "10.0.0.0/16"}, late=("id",))
    rows = {c.native_type: c for c in make.read().coverage}
    assert {n: (c.extent, c.count) for n, c in rows.items()} == {
        "AWS::EC2::Instance": (Extent.COMPLETE, 0),
        "AWS::EC2::InternetGateway": (Extent.COMPLETE, 0),
        "AWS::EC2::RouteTable": (Extent.COMPLETE, 0),
        "AWS::EC2::VPC": (Extent.COMPLETE, 1),
        "AWS::EC2::VPCEndpoint": (Extent.COMPLETE, 0),
        "AWS::ElasticLoadBalancing::LoadBalancer": (Extent.COMPLETE, 0),
        "AWS::ElasticLoadBalancingV2::Listener": (Extent.COMPLETE, 0),
        "AWS::ElasticLoadBalancingV2::LoadBalancer": (Extent.COMPLETE, 0),
        "AWS::ElasticLoadBalancingV2::TargetGroup": (Extent.COMPLETE, 0),
    }
    assert [c.native_type for c in make.read(demand={"AWS::EC2::VPC": frozenset(("cidrs",))}).coverage] == ["AWS::EC2::VPC"]


def test_of_a_network_that_exists_a_plan_shows_its_own_part_only(make: Any) -> None:
    make.add("aws_vpc.v", before={"id": "vpc-1"}, after={"id": "vpc-1", "cidr_block": "10.0.0.0/16"}, actions=("no-op",))
    make.add("aws_route_table.t", sets={"vpc_id": "vpc-1"}, late=("id",))
    rows = {c.native_type: c for c in make.read().coverage}
    assert sorted(rows) == ["AWS::EC2::RouteTable", "AWS::EC2::VPC"]
    assert rows["AWS::EC2::RouteTable"].extent is Extent.PARTIAL
    assert rows["AWS::EC2::RouteTable"].gap is not None
    assert rows["AWS::EC2::RouteTable"].gap.reason is Reason.NOT_OFFERED
    assert rows["AWS::EC2::VPC"].extent is Extent.COMPLETE


def test_volumes_that_a_plan_does_not_show_make_the_listing_partial(make: Any) -> None:
    make.add("aws_instance.i", sets={"instance_type": "p5.48xlarge"}, late=("root_block_device", "ebs_block_device"))
    rows = {c.native_type: c for c in make.read().coverage}
    assert rows["AWS::EC2::Instance"].extent is Extent.COMPLETE
    assert rows["AWS::EC2::Volume"].extent is Extent.PARTIAL
    assert rows["AWS::EC2::Volume"].count == 0


def test_a_sensitive_value_is_a_gap_and_is_nowhere(make: Any) -> None:
    secret = '{"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "kms:*", "Resource": "hush-hush"}]}'
    make.key(
        "aws_kms_key.a",
        sets={"policy": secret, "tags_all": {"t": "hush-hush"}},
        sensitive={"policy": True, "tags_all": {"t": True}},
    )
    key = make.one("aws_kms_key.a")
    assert key.gaps["policy_statements"].reason is Reason.SENSITIVE
    assert "hush-hush" not in repr(make.read())


def test_a_sensitive_part_of_a_partly_known_list_is_dropped(make: Any) -> None:
    rule = {"from_port": 22, "to_port": 22, "protocol": "tcp", "cidr_blocks": ["203.0.113.9/32"]}
    make.add(
        "aws_security_group.g", sets={"ingress": [rule, {**rule, "cidr_blocks": ["0.0.0.0/0"]}]},
        after={"ingress": [rule, {**rule, "cidr_blocks": ["0.0.0.0/0"]}]}, sensitive={"ingress": [{"cidr_blocks": True}, {}]},
    )  # fmt: skip
    group = make.one("aws_security_group.g")
    assert group.gaps["ingress"].reason is Reason.SENSITIVE
    assert [r["source"] for r in group.facts["ingress"]] == ["0.0.0.0/0"]
    assert "203.0.113.9" not in repr(make.read())


def test_any_registry_host_is_read_alike(fixtures: Path) -> None:
    path = fixtures / "plans" / "shapes" / "deferred-data" / "plan.json"
    text = path.read_text()
    assert "provider.example/hashicorp/aws" in text
    import io

    other = read_plan(io.StringIO(text.replace("provider.example/hashicorp/aws", "mirror.test/acme/aws")), name="deferred-data")
    assert [r.replace(where=other.resources[0].where) for r in read_plan(path).resources] == [
        r.replace(where=other.resources[0].where) for r in other.resources
    ]


def test_a_region_given_by_a_variable_and_by_the_resource(make: Any) -> None:
    make.document["variables"] = {"region": {"value": "eu-west-1"}}
    make.document["configuration"]["provider_config"]["aws"]["expressions"]["region"] = {"references": ["var.region"]}
    make.key("aws_kms_key.a")
    make.key("aws_kms_key.b", after={"region": "eu-central-1"})
    make.key("module.m.aws_kms_key.c", provider="module.m:aws")
    make.document["configuration"]["provider_config"]["module.m:aws"] = {"name": "aws", "module_address": "module.m"}
    found = {r.id: r.region for r in make.read().resources}
    assert found == {
        "plan/aws_kms_key.a": "eu-west-1",
        "plan/aws_kms_key.b": "eu-central-1",
        "plan/module.m.aws_kms_key.c": "eu-west-1",
    }
    make.document["configuration"]["provider_config"]["aws"]["expressions"] = {}
    assert make.one("aws_kms_key.a").region == ""


def test_deposed_objects_and_other_modes_are_no_resources(make: Any) -> None:
    make.key("aws_kms_key.a")
    make.key("aws_kms_key.old")
    make.document["resource_changes"][-1]["deposed"] = "12345678"
    make.key("aws_kms_key.ephemeral")
    make.document["resource_changes"][-1]["mode"] = "ephemeral"
    assert [r.id for r in make.read().resources] == ["plan/aws_kms_key.a"]


def test_a_plan_without_configuration_guesses_nothing(fixtures: Path) -> None:
    document = json.loads((fixtures / "plans" / "shapes" / "deferred-data" / "plan.json").read_text())
    del document["configuration"]
    import io

    found = by_address(read_plan(io.StringIO(json.dumps(document))))
    assert set(found["aws_s3_bucket.b"].gaps) >= {"key_id", "versioning", "policy_statements", "acl_public"}
    assert found["aws_kms_key.k"].facts["rotation_enabled"] is True
    assert "rotation_days" in found["aws_kms_key.k"].gaps
