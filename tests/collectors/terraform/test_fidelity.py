"""What Terraform and OpenTofu write in plans beside plain creations: moves, replacements, deferrals, odd keys, deep masks."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.model import BartizanError, Extent, Reason


def ids(make: Any) -> list[str]:
    return [r.id for r in make.read().resources]


def test_a_moved_resource_has_its_new_address(make: Any) -> None:
    make.key("aws_kms_key.new", actions=("no-op",), before={"enable_key_rotation": True}, sets={"enable_key_rotation": True})
    make.document["resource_changes"][-1]["previous_address"] = "aws_kms_key.old"
    assert ids(make) == ["plan/aws_kms_key.new"]
    assert make.one("aws_kms_key.new").facts["rotation_enabled"] is True


@pytest.mark.parametrize("actions", [("create", "delete"), ("delete", "create"), ("update",), ("no-op",), ("create", "forget")])
def test_what_stays_is_judged_as_it_will_be(make: Any, actions: tuple[str, ...]) -> None:
    """Both orders of a replacement (`create_before_destroy`)."""
    make.key("aws_kms_key.a", actions=actions, before={"enable_key_rotation": False}, sets={"enable_key_rotation": True})
    assert make.one("aws_kms_key.a").facts["rotation_enabled"] is True


@pytest.mark.parametrize("actions", [("delete",), ("forget",)])
def test_what_goes_is_not_judged(make: Any, actions: tuple[str, ...]) -> None:
    make.key("aws_kms_key.a")
    make.key("aws_kms_key.gone", actions=actions, before={"enable_key_rotation": False})
    assert ids(make) == ["plan/aws_kms_key.a"]


def test_a_data_source_is_no_resource(make: Any) -> None:
    make.key("aws_kms_key.a")
    make.add("data.aws_kms_key.read", actions=("read",), late=("arn",))
    assert ids(make) == ["plan/aws_kms_key.a"]


@pytest.mark.parametrize("key", ["a.b", "a/b", "größe", "模型", "a b", "x[0]", "${y}"])
def test_keys_of_module_instances_may_be_any_text(make: Any, key: str) -> None:
    address = f'module.m["{key}"].aws_kms_key.k'
    make.key(address)
    make.key(f'module.m["{key}2"].aws_kms_key.k')
    assert ids(make) == [f"plan/{address}", f'plan/module.m["{key}2"].aws_kms_key.k']


def test_a_block_of_a_list_that_is_known_only_after_apply_leaves_the_others(make: Any) -> None:
    device = {"device_name": "/dev/sdb", "encrypted": True}
    make.add("aws_instance.a", after={"ebs_block_device": [device, {"device_name": "/dev/sdc"}]})
    make.document["resource_changes"][-1]["change"]["after_unknown"] = {"ebs_block_device": [{}, {"encrypted": True}]}
    found = {r.id: r for r in make.read().resources}
    known, late = (
        found['plan/aws_instance.a/ebs_block_device["/dev/sdb"]'],
        found['plan/aws_instance.a/ebs_block_device["/dev/sdc"]'],
    )
    assert known.facts["encrypted"] is True
    assert "encrypted" not in late.facts
    assert late.gaps["encrypted"].reason is Reason.KNOWN_AFTER_APPLY


def test_opentofu_is_read_alike(make: Any) -> None:
    """`tofu show -json` has the same form, with OpenTofu's own version."""
    make.key("aws_kms_key.a", sets={"enable_key_rotation": True})
    ours = make.one("aws_kms_key.a")
    make.document |= {
        "terraform_version": "1.10.5",
        "format_version": "1.2",
        "checks": [{"status": "fail"}],
        "relevant_attributes": [],
    }
    assert make.one("aws_kms_key.a") == ours


def test_deferred_changes_are_said_to_be_not_judged(make: Any) -> None:
    make.key("aws_kms_key.a")
    make.document |= {
        "complete": False,
        "deferred_changes": [{"reason": "provider_config_unknown", "resource_change": {"address": "aws_kms_key.later"}}],
    }
    found = make.read()
    assert any("1 changes are deferred" in p and "aws_kms_key.later" in p for p in found.problems)
    assert {c.extent for c in found.coverage} == {Extent.PARTIAL}


@pytest.mark.parametrize("said", [{"errored": True}, {"complete": False}, {"errored": True, "applyable": False}])
def test_a_plan_with_things_missing_is_no_complete_listing(make: Any, said: dict[str, bool]) -> None:
    make.key("aws_kms_key.a")
    make.document |= said
    found = make.read()
    assert found.problems
    assert {c.gap.reason for c in found.coverage if c.gap} == {Reason.TRUNCATED}


def test_a_plan_that_failed_before_any_resource_is_no_pass(make: Any) -> None:
    make.document["errored"] = True
    with pytest.raises(BartizanError) as error:
        make.read()
    assert error.value.code == 3
