from __future__ import annotations

import io
import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.configuration import Plan, suffix
from collectors.terraform.document import MAX_BYTES, MAX_DEPTH, load
from collectors.terraform.plan import open_plan, plan_name, read_plan
from scanner.model import BartizanError

KEY = {
    "address": "aws_kms_key.a",
    "mode": "managed",
    "type": "aws_kms_key",
    "name": "a",
    "change": {
        "actions": ["create"],
        "before": None,
        "after": {"enable_key_rotation": True},
        "after_unknown": {},
        "after_sensitive": {},
    },
}
PLAN = {"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": [KEY]}


def fault(content: bytes | str, tmp_path: Path, **options: int) -> BartizanError:
    path = tmp_path / "plan.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(BartizanError) as caught:
        read_plan(path, **options)
    assert str(path) in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"PK\x03\x04rest of a zip", "binary plan (zip); run `terraform show -json"),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b'{"a":\n"\xe9"}', ":2: not UTF-8"),
        ('{"format_version": "1.2",\n "resource_changes": [', ":2: the JSON is cut short"),
        ('{"format_version": }', ":1:20: not JSON"),
        ("resource aws_kms_key a {", ":1:1: not JSON"),
        ("[]", "the top level is a list"),
        ("7", "the top level is a number"),
        ('{"format_version": NaN}', "NaN is not JSON"),
        ('{"format_version": 1e999}', "too large"),
        ("{}", "no `format_version`"),
        ('{"version": 4, "serial": 1, "lineage": "x"}', "a state file"),
        ('{"format_version": "1.0", "values": {}}', "of a state, not of a plan"),
        ('{"@level": "info"}', "log of `terraform plan -json`"),
        ('{"@level": "info"}\n{"@level": "info"}', "log of `terraform plan -json`"),
        ('{"format_version": "2.0", "resource_changes": []}', "plan format '2.0' is not known"),
        ('{"format_version": 1, "resource_changes": []}', "plan format 1 is not known"),
        ('{"format_version": "1.2", "resource_changes": {}}', "an object, not a list"),
        ('{"format_version": "1.2"}', "no `resource_changes`"),
    ],
)
def test_a_faulty_file_is_named_and_told_what_to_do(content: bytes | str, says: str, tmp_path: Path) -> None:
    error = fault(content, tmp_path)
    assert says in str(error)
    assert error.code == 2


@pytest.mark.parametrize("version", ["0.1", "0.2", "1.0", "1.2", "1.99"])
def test_known_format_versions_are_read(version: str, tmp_path: Path) -> None:
    assert read_plan(io.StringIO(json.dumps({**PLAN, "format_version": version}))).resources


def test_bounds(tmp_path: Path) -> None:
    assert "larger than the limit of 100 bytes" in str(fault(json.dumps(PLAN), tmp_path, max_bytes=100))
    deep = json.dumps({**PLAN, "variables": json.loads("[" * 60 + "]" * 60)})
    assert "more than 50 levels deep" in str(fault(deep, tmp_path, max_depth=50))
    assert "nested" in str(fault('{"format_version": "1.2", "x": ' + "[" * 200_000 + "]" * 200_000 + "}", tmp_path))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(BartizanError, match=r"gone\.json: cannot be read"):
        read_plan(tmp_path / "gone.json")
    with pytest.raises(BartizanError, match="is a folder"):
        read_plan(tmp_path)


def test_streams_of_bytes_and_text_and_a_byte_order_mark() -> None:
    text = json.dumps(PLAN)
    bytes_with_mark = b"\xef\xbb\xbf" + text.encode()
    assert [read_plan(s).resources[0].id for s in (io.StringIO(text), io.BytesIO(bytes_with_mark))] == ["plan/aws_kms_key.a"] * 2
    with pytest.raises(BartizanError, match="<stdin>: empty"):
        read_plan(io.BytesIO(b""))


def test_lone_surrogates_do_not_travel() -> None:
    text = json.dumps(PLAN).replace('"after": {', '"after": {"tags_all": {"a": "\\ud800"}, ')
    (key,) = read_plan(io.StringIO(text)).resources
    assert key.tags == {"a": "?"}


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("network.json", "network"),
        ("stacks/network/plan.json", "network"),
        ("stacks/network/tfplan.json", "network"),
        ("a/b.plan.json", "b"),
        (r"C:\stacks\network\plan.json", "network"),
    ],
)
def test_the_scope_is_named_after_the_file(file: str, name: str) -> None:
    assert plan_name(file) == name


def test_a_name_given_is_used(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({**PLAN, "timestamp": "2026-11-01T00:00:00Z"}))
    estate = read_plan(path, name="mine", now="2026-12-01T00:00:00Z")
    assert (estate.source.id, estate.source.scope, estate.source.mode, estate.source.collected_at) == (
        "plan:mine",
        "mine",
        "plan",
        "2026-12-01T00:00:00Z",
    )
    assert estate.resources[0].where.file == "plan.json"
    assert estate.resources[0].where.locator == "aws_kms_key.a"
    assert read_plan(path).source.collected_at == "2026-11-01T00:00:00Z"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"enable_key_rotation": true', '"enable_key_rotation": 1e999', "too large"),
        ('"enable_key_rotation": true', '"tags": ' + "[" * 60 + "]" * 60, "more than 50 levels deep"),
        ('"address": "aws_kms_key.a"', '"address": 7', r"expected `str`, got `int` (resource_changes[0].address)"),
        ('"actions": ["create"]', '"actions": "create"', "(resource_changes[0].change.actions)"),
        ('"mode": "managed", ', '"mode": null, ', "(resource_changes[0].mode)"),
        ('"name": "a", ', "", "`name` (resource_changes[0])"),
    ],
)
def test_a_faulty_part_is_named(old: str, new: str, says: str, tmp_path: Path) -> None:
    """Whatever is read only when it is needed, and whatever has another form than Terraform writes."""
    text = json.dumps(PLAN)
    assert old in text
    assert says.casefold() in str(fault(text.replace(old, new), tmp_path, max_depth=50)).casefold()


def many(count: int) -> str:
    """A plan of so many keys, each with a configuration of its own."""
    tags = {f"tag{number}": "x" * 40 for number in range(20)}
    changes = [
        {
            **KEY,
            "address": f"aws_kms_key.a{i}",
            "name": f"a{i}",
            "change": {**KEY["change"], "after": {"key_id": str(i), "tags_all": tags}},
        }
        for i in range(count)
    ]
    blocks = [{"address": f"aws_kms_key.a{i}", "expressions": {"tags": {"constant_value": tags}}} for i in range(count)]
    configuration = {"root_module": {"resources": blocks}}
    return json.dumps({**PLAN, "planned_values": changes, "resource_changes": changes, "configuration": configuration})


def test_memory_is_the_file_and_a_little_for_each_resource(tmp_path: Path) -> None:
    """A plan that was decoded whole took eight times its size."""
    path = tmp_path / "plan.json"
    path.write_text(many(5_000))
    tracemalloc.start()
    count = sum(1 for _ in open_plan(path).resources())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 5_000
    assert peak < path.stat().st_size + 5_000 * 2_500 + (10 << 20)


@pytest.mark.parametrize(
    ("written", "key"),
    [("0", "[0]"), ("0.0", "[0]"), ("1e3", "[1000]"), ('"a"', '["a"]'), ("18446744073709551616", "[18446744073709551616]")],
)
def test_an_index_is_a_whole_number_however_it_is_written(written: str, key: str) -> None:
    """What other programs make of `terraform show -json` before it is kept (`jq`, Java, Lua)."""
    text = json.dumps({**PLAN, "resource_changes": [{**KEY, "address": f"aws_kms_key.a{key}", "index": "HERE"}]})
    plan = Plan(load(io.StringIO(text.replace('"HERE"', written)), label="x", max_bytes=MAX_BYTES, max_depth=MAX_DEPTH))
    (planned,) = plan.managed.values()
    assert f"aws_kms_key.a{suffix(planned.key)}" == planned.address
    assert not isinstance(planned.key, float)


@pytest.mark.parametrize("deposed", ["deadbeef", True])
def test_deposed_objects_are_passed_over(deposed: object) -> None:
    """A `bool` in Terraform 0.12: https://github.com/hashicorp/terraform/blob/v0.12.0/command/jsonplan/resource.go"""
    old = {**KEY, "deposed": deposed, "change": {**KEY["change"], "actions": ["delete"], "after": None}}
    text = json.dumps({**PLAN, "format_version": "0.1", "resource_changes": [old, KEY]})
    assert [r.id for r in read_plan(io.StringIO(text)).resources] == ["plan/aws_kms_key.a"]


def test_an_empty_deposed_key_is_none() -> None:
    text = json.dumps({**PLAN, "resource_changes": [{**KEY, "deposed": ""}]})
    assert [r.id for r in read_plan(io.StringIO(text)).resources] == ["plan/aws_kms_key.a"]


@pytest.mark.parametrize(
    "more",
    [
        {"configuration": {"root_module": {"module_calls": {"m": None}}}},
        {
            "configuration": {
                "root_module": {"resources": [{"address": None}], "module_calls": {"m": {"source": None, "module": None}}}
            }
        },
        {
            "prior_state": {
                "values": {"root_module": {"address": None, "resources": [{"mode": None, "type": None, "values": None}]}}
            }
        },
        {"deferred_changes": [None, {"resource_change": {"address": None}}]},
    ],
)
def test_what_is_left_out_may_be_null(more: dict[str, Any]) -> None:
    """Programs that write a plan anew write `null` for what Terraform leaves out."""
    assert read_plan(io.StringIO(json.dumps({**PLAN, **more}))).resources


def test_files_without_a_size_are_read_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the kernel or a FUSE mount makes has none, and a file may grow while it is read."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(PLAN))
    status = path.stat()
    monkeypatch.setattr(os, "fstat", lambda _: os.stat_result((*status[:6], 0, *status[7:])))
    assert read_plan(path).resources
    with pytest.raises(BartizanError, match="larger than the limit of 100 bytes"):
        read_plan(path, max_bytes=100)
