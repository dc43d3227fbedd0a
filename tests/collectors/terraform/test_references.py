"""What an unknown key will be: each test is one way in which a configuration can name it."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.model import Reason


def key_of(make: Any, address: str = "aws_ebs_volume.v") -> Any:
    volume = make.one(address)
    if "key_id" in volume.gaps:
        assert "key_id" not in volume.facts
        assert volume.gaps["key_id"].reason is Reason.KNOWN_AFTER_APPLY
        return None
    return volume.facts["key_id"]


def volume(make: Any, refs: list[str], address: str = "aws_ebs_volume.v", **more: Any) -> None:
    make.add(address, sets={"encrypted": True, "kms_key_id": refs}, **more)


def test_a_key_by_its_arn(make: Any) -> None:
    make.key("aws_kms_key.data")
    volume(make, ["aws_kms_key.data.arn"])
    assert key_of(make) == "plan/aws_kms_key.data"


def test_a_known_arn_stays_and_a_known_arn_of_the_plan_is_its_resource(make: Any) -> None:
    arn = "arn:aws:kms:us-east-1:123456789012:key/1"
    make.add("aws_kms_key.data", after={"arn": arn}, before={"arn": arn}, actions=("no-op",))
    make.add("aws_ebs_volume.v", sets={"encrypted": True, "kms_key_id": arn})
    make.add("aws_ebs_volume.other", sets={"encrypted": True, "kms_key_id": arn + "2"})
    assert key_of(make) == "plan/aws_kms_key.data"
    assert key_of(make, "aws_ebs_volume.other") == arn + "2"


def test_two_keys_that_may_be_meant_stay_unknown(make: Any) -> None:
    make.key("aws_kms_key.a")
    make.key("aws_kms_key.b")
    volume(make, ["aws_x.y.flag", "aws_kms_key.a.arn", "aws_kms_key.b.arn"])
    assert key_of(make) is None


def test_a_local_leaves_no_trace(make: Any) -> None:
    make.key("aws_kms_key.a")
    volume(make, ["local.key"])
    assert key_of(make) is None


def test_a_local_beside_a_key_may_hide_another_key(make: Any) -> None:
    make.key("aws_kms_key.a")
    volume(make, ["local.key", "aws_kms_key.a.arn"])
    assert key_of(make) is None


def test_a_condition_on_a_known_variable_does_not_matter(make: Any) -> None:
    make.document["variables"] = {"cmk": {"value": True}}
    make.key("aws_kms_key.a")
    volume(make, ["var.cmk", "aws_kms_key.a.arn"])
    assert key_of(make) == "plan/aws_kms_key.a"


def test_an_attribute_that_is_no_name_of_a_key(make: Any) -> None:
    make.add("aws_kms_key.a", late=("arn", "id", "key_id", "description"))
    volume(make, ["aws_kms_key.a.description"])
    assert key_of(make) is None


def test_through_a_variable_of_a_module(make: Any) -> None:
    make.key("aws_kms_key.data")
    make.call("store", key=["aws_kms_key.data.arn"])
    volume(make, ["var.key"], "module.store.aws_ebs_volume.v")
    assert key_of(make, "module.store.aws_ebs_volume.v") == "plan/aws_kms_key.data"


def test_through_an_output_of_a_module(make: Any) -> None:
    make.key("module.kms.aws_kms_key.this")
    make.output("kms", key_arn=["aws_kms_key.this.arn"], name=["local.name"])
    volume(make, ["module.kms.key_arn"])
    assert key_of(make) == "plan/module.kms.aws_kms_key.this"


def test_through_outputs_and_variables_of_nested_modules(make: Any) -> None:
    make.key("module.kms.module.inner.aws_kms_key.this")
    make.output("kms", "inner", arn=["aws_kms_key.this.arn"])
    make.output("kms", arn=["module.inner.arn"])
    make.call("store", key=["module.kms.arn"])
    make.call("store", "disk", key=["var.key"])
    volume(make, ["var.key"], "module.store.module.disk.aws_ebs_volume.v")
    assert key_of(make, "module.store.module.disk.aws_ebs_volume.v") == "plan/module.kms.module.inner.aws_kms_key.this"


def test_the_usual_module_with_its_own_or_a_given_key(make: Any) -> None:
    """`kms_key_id = var.create_key ? aws_kms_key.this[0].arn : var.key`, with create_key = false."""
    make.key("aws_kms_key.main")
    make.call("store", create_key=False, key=["aws_kms_key.main.arn"])
    volume(make, ["var.create_key", "aws_kms_key.this[0].arn", "var.key"], "module.store.aws_ebs_volume.v")
    assert key_of(make, "module.store.aws_ebs_volume.v") == "plan/aws_kms_key.main"


def test_a_variable_left_at_its_default_is_no_key(make: Any) -> None:
    make.key("module.store.aws_kms_key.this")
    make.module("store")["variables"] = {"key": {"default": None}}
    make.call("store")
    volume(make, ["var.key", "aws_kms_key.this.arn"], "module.store.aws_ebs_volume.v")
    assert key_of(make, "module.store.aws_ebs_volume.v") == "plan/module.store.aws_kms_key.this"


@pytest.mark.parametrize("key", ['"a"', "1"])
def test_an_instance_named_by_its_key(make: Any, key: str) -> None:
    for k in (key, '"b"', "0"):
        make.key(f"aws_kms_key.this[{k}]")
    volume(make, [f"aws_kms_key.this[{key}].arn"])
    assert key_of(make) == f"plan/aws_kms_key.this[{key}]"


def test_each_key_picks_the_instance_of_the_same_key(make: Any) -> None:
    for k in ("a", "b"):
        make.key(f'aws_kms_key.this["{k}"]')
        volume(make, ["aws_kms_key.this", "each.key"], f'aws_ebs_volume.v["{k}"]')
    for k in ("a", "b"):
        assert key_of(make, f'aws_ebs_volume.v["{k}"]') == f'plan/aws_kms_key.this["{k}"]'


def test_a_key_that_the_other_does_not_have_stays_unknown(make: Any) -> None:
    for k in ("a", "b"):
        make.key(f'aws_kms_key.this["{k}"]')
    volume(make, ["aws_kms_key.this", "each.key"], 'aws_ebs_volume.v["c"]')
    assert key_of(make, 'aws_ebs_volume.v["c"]') is None


def test_several_instances_without_a_key_to_tell_them_apart_stay_unknown(make: Any) -> None:
    for i in range(2):
        make.key(f"aws_kms_key.this[{i}]")
    volume(make, ["aws_kms_key.this"])
    assert key_of(make) is None


def test_count_runs_parallel_only_over_as_many(make: Any) -> None:
    for i in range(2):
        make.key(f"aws_kms_key.this[{i}]")
        volume(make, ["aws_kms_key.this", "count.index"], f"aws_ebs_volume.v[{i}]")
    for i in range(3):  # x[count.index % 2] looks just the same
        volume(make, ["aws_kms_key.this", "count.index"], f"aws_ebs_volume.w[{i}]")
    assert key_of(make, "aws_ebs_volume.v[1]") == "plan/aws_kms_key.this[1]"
    assert [key_of(make, f"aws_ebs_volume.w[{i}]") for i in range(3)] == [None, None, None]


def test_one_instance_needs_no_key(make: Any) -> None:
    make.key("aws_kms_key.this[0]")
    volume(make, ["aws_kms_key.this"])
    assert key_of(make) == "plan/aws_kms_key.this[0]"


def test_chained_for_each(make: Any) -> None:
    for k in ("a", "b"):
        make.key(f'aws_kms_key.this["{k}"]')
        volume(make, ["each.value.arn", "each.value"], f'aws_ebs_volume.v["{k}"]', for_each=["aws_kms_key.this"])
    assert key_of(make, 'aws_ebs_volume.v["b"]') == 'plan/aws_kms_key.this["b"]'


def test_each_value_over_a_map_of_one_key(make: Any) -> None:
    make.key("aws_kms_key.one")
    volume(make, ["each.value.key"], 'aws_ebs_volume.v["a"]', for_each=["aws_kms_key.one.arn"])
    assert key_of(make, 'aws_ebs_volume.v["a"]') == "plan/aws_kms_key.one"


def test_outputs_of_a_module_with_for_each(make: Any) -> None:
    for k in ("a", "b"):
        make.key(f'module.kms["{k}"].aws_kms_key.this')
    make.output("kms", arn=["aws_kms_key.this.arn"])
    volume(make, ['module.kms["b"].arn'])
    volume(make, ["module.kms", "each.key"], 'aws_ebs_volume.w["a"]')
    volume(make, ["module.kms"], "aws_ebs_volume.which")
    assert key_of(make) == 'plan/module.kms["b"].aws_kms_key.this'
    assert key_of(make, 'aws_ebs_volume.w["a"]') == 'plan/module.kms["a"].aws_kms_key.this'
    assert key_of(make, "aws_ebs_volume.which") is None


def test_each_key_of_the_module_call(make: Any) -> None:
    for k in ("a", "b"):
        make.key(f'aws_kms_key.this["{k}"]')
        volume(make, ["var.key"], f'module.store["{k}"].aws_ebs_volume.v')
    make.call("store", for_each=["var.names"], key=["aws_kms_key.this", "each.key"])
    assert key_of(make, 'module.store["b"].aws_ebs_volume.v') == 'plan/aws_kms_key.this["b"]'


def test_an_alias_stands_for_its_key(make: Any) -> None:
    make.key("aws_kms_key.data")
    make.add(
        "aws_kms_alias.data",
        sets={"name": "alias/data", "target_key_id": ["aws_kms_key.data.key_id"]},
        late=("arn", "target_key_arn"),
    )
    volume(make, ["aws_kms_alias.data.target_key_arn"])
    assert key_of(make) == "plan/aws_kms_key.data"
    assert make.one("aws_kms_key.data").facts["aliases"] == ["alias/data"]


def test_a_deferred_data_source_stands_for_what_it_reads(make: Any) -> None:
    make.key("aws_kms_key.data")
    make.add("data.aws_kms_key.late", sets={"key_id": ["aws_kms_key.data.id"]}, late=("arn",), actions=("read",))
    volume(make, ["data.aws_kms_key.late.arn"])
    assert key_of(make) == "plan/aws_kms_key.data"


def test_other_deferred_data_is_unknown(make: Any) -> None:
    make.key("aws_kms_key.data")
    make.add("data.aws_ssm_parameter.late", sets={"name": ["aws_kms_key.data.id"]}, late=("value",), actions=("read",))
    volume(make, ["data.aws_ssm_parameter.late.value"])
    assert key_of(make) is None


def test_a_circle_of_outputs_ends(make: Any) -> None:
    make.add("module.a.aws_sqs_queue.q")
    make.add("module.b.aws_sqs_queue.q")
    make.output("a", arn=["module.b.arn"])
    make.output("b", arn=["module.a.arn"])
    make.call("a", "b")
    volume(make, ["module.a.arn"])
    assert key_of(make) is None


def groups_of(make: Any, refs: list[str], **more: Any) -> Any:
    make.add("aws_instance.i", sets={"instance_type": "m5.large", "vpc_security_group_ids": refs, **more})
    return make.one("aws_instance.i").facts.get("firewall_ids")


def test_a_list_of_references_is_all_of_them(make: Any) -> None:
    for name in ("a", "b"):
        make.add(f"aws_security_group.{name}", late=("id", "arn"))
    assert groups_of(make, ["aws_security_group.b.id", "aws_security_group.a.id"]) == [
        "plan/aws_security_group.a", "plan/aws_security_group.b",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "extra", ["var.more", "local.more", "data.aws_security_group.old.id", "aws_vpc.v.default_security_group_id"]
)
def test_a_list_with_something_unseen_is_unknown(make: Any, extra: str) -> None:
    make.document["variables"] = {"more": {"value": ["sg-1"]}}
    make.add("aws_vpc.v", late=("id", "default_security_group_id"))
    make.add("aws_security_group.a", late=("id", "arn"))
    assert groups_of(make, ["aws_security_group.a.id", extra]) is None


def test_a_switch_beside_a_list_does_not_matter(make: Any) -> None:
    make.document["variables"] = {"on": {"value": True}}
    make.add("aws_security_group.a", late=("id", "arn"))
    assert groups_of(make, ["aws_security_group.a.id", "var.on"]) == ["plan/aws_security_group.a"]


def test_the_default_group_of_a_new_network_is_the_plans_where_it_has_it(make: Any) -> None:
    make.add("aws_vpc.v", late=("id", "default_security_group_id"))
    make.add("aws_default_security_group.d", sets={"vpc_id": ["aws_vpc.v.id"]}, late=("id",))
    assert groups_of(make, ["aws_vpc.v.default_security_group_id"]) == ["plan/aws_default_security_group.d"]


def test_a_list_of_known_length_takes_as_many(make: Any) -> None:
    for i in range(2):
        make.add(f"aws_subnet.s[{i}]", late=("id",))
    make.add(
        "aws_network_acl.a", sets={"subnet_ids": ["aws_subnet.s"]}, after={"subnet_ids": [None, None]},
    )  # fmt: skip
    make.document["resource_changes"][-1]["change"]["after_unknown"]["subnet_ids"] = [True, True]
    assert make.one("aws_network_acl.a").facts["subnet_ids"] == ["plan/aws_subnet.s[0]", "plan/aws_subnet.s[1]"]
