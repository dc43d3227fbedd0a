"""Every call, parameter, path and permission of the tables, against botocore's model and the IAM reference."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jmespath
import pytest
from botocore import xform_name
from botocore.session import get_session

from collectors.aws.client import actions
from collectors.aws.tables import TABLES
from collectors.demand import calls_of
from collectors.project import part_of, paths
from collectors.table import Batch, Call, Const, Side, Table

KINDS = Path(__file__).parents[3] / "policies" / "kinds"

ANYTHING = object()
"""A shape of which nothing is known (documents)."""


@cache
def service(name: str) -> Any:
    return get_session().get_service_model(name)


@cache
def operation(service_name: str, method: str) -> Any:
    model = service(service_name)
    names = {xform_name(n): n for n in model.operation_names}
    assert method in names, f"{service_name} has no {method}"
    return model.operation_model(names[method])


def of_list(shape: Any) -> Any:
    if isinstance(shape, tuple):
        return shape[0]
    return shape.member if getattr(shape, "type_name", "") == "list" else shape


class NotThereError(Exception):
    """A path leads to a member that the model does not have."""


def walk(node: dict[str, Any], shape: Any) -> Any:  # noqa: C901, PLR0911, PLR0912 - one branch a node type of JMESPath
    """The shape at a parsed JMESPath in `shape`; NotThereError where a member does not exist.

    A list made by a projection is a one-element tuple of its element's shape.
    """
    kind = node["type"]
    children = node.get("children", [])
    if kind in ("current", "identity"):
        return shape
    if kind == "literal":
        return ANYTHING
    if kind == "field":
        if shape is ANYTHING:
            return ANYTHING
        if getattr(shape, "type_name", "") == "map":
            return shape.value
        members = getattr(shape, "members", None)
        if not members or node["value"] not in members:
            raise NotThereError(f"{getattr(shape, 'name', shape)} has no {node['value']}")
        return members[node["value"]]
    if kind == "subexpression":
        for child in children:
            shape = walk(child, shape)
        return shape
    if kind == "index_expression":
        return walk(children[1], walk(children[0], shape))
    if kind == "index":
        return shape[0] if isinstance(shape, tuple) else of_list(shape)
    if kind in ("flatten", "slice"):
        inner = walk(children[0], shape) if children else shape
        return tuple_of(inner)
    if kind in ("projection", "filter_projection"):
        base = walk(children[0], shape)
        element = base[0] if isinstance(base, tuple) else of_list(base)
        element = of_list(element) if getattr(element, "type_name", "") == "list" else element
        found = walk(children[1], element)
        if kind == "filter_projection":
            walk(children[2], element)
        return (found,)
    if kind == "pipe":
        return walk(children[1], walk(children[0], shape))
    if kind in ("or_expression", "and_expression", "comparator", "not_expression"):
        found = [walk(child, shape) for child in children]
        return found[-1]
    if kind == "function_expression" and node["value"] == "sort":
        return walk(children[0], shape)
    if kind == "multi_select_list":
        found = [walk(child, shape) for child in children]
        return (found[0],)
    if kind == "multi_select_dict":
        return Made({child["value"]: walk(child["children"][0], shape) for child in children})
    raise AssertionError(f"the walker does not know {kind}")


class Made:
    """An object that a path makes."""

    type_name = "structure"
    name = "made"

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members


def tuple_of(shape: Any) -> tuple[Any]:
    if isinstance(shape, tuple):
        inner = shape[0]
        return tuple_of(inner) if isinstance(inner, tuple) else (of_list(inner),)
    return (of_list(shape),)


def parsed(path: str) -> dict[str, Any]:
    found: dict[str, Any] = jmespath.compile(path).parsed
    return found


def taken(call: Call) -> Any:
    """The shape of a call's taken answer."""
    output = operation(call.service, call.operation).output_shape
    if call.csv:
        assert output.members[call.csv].type_name == "blob"
        return (ANYTHING,)  # rows whose columns no model knows
    return walk(parsed(call.take), output) if call.take else output


class Row:
    """The row of a table as a shape: parts are its members."""

    type_name = "structure"
    name = "row"

    def __init__(self, table: Table) -> None:
        listing = taken(table.list)
        outer = listing[0] if isinstance(listing, tuple) else of_list(listing)
        self.members: dict[str, Any] = {"context": Context()}
        if table.each is None:
            self.members["item"] = outer
        else:
            inner = taken(table.each)
            self.members |= {"parent": outer, "item": inner[0] if isinstance(inner, tuple) else of_list(inner)}
        for part, detail in table.detail.items():
            if isinstance(detail, Call):
                self.members[part] = taken(detail)
            elif isinstance(detail, Batch):
                self.members[part] = of_list(taken(detail.call))
            else:
                self.members[part] = (of_list(taken(detail.call)),)


class Context:
    type_name = "structure"
    name = "context"
    members = dict.fromkeys(("account", "region", "partition", "scope", "since"), ANYTHING)


def names(table: Table) -> str:
    return f"{table.native_type}-{table.per}"


def questions(table: Table) -> list[Call]:
    return list(calls_of(table, table.facts))


every_table = pytest.mark.parametrize("table", TABLES, ids=names)


@every_table
def test_calls_and_parameters_exist(table):
    for call in questions(table):
        model = operation(call.service, call.operation)
        known = set(model.input_shape.members) if model.input_shape else set()
        asked = {*call.args, *call.fixed}
        for detail in table.detail.values():
            if isinstance(detail, Batch) and detail.call is call:
                asked.add(detail.parameter)
                assert model.input_shape.members[detail.parameter].type_name == "list"
        assert asked <= known, f"{call.operation} takes no {asked - known}"
        assert set(model.input_shape.required_members if model.input_shape else ()) <= asked


@every_table
def test_fixed_values_are_ones_the_model_allows(table):
    for call in questions(table):
        members = operation(call.service, call.operation).input_shape.members if call.fixed else {}
        for name, value in call.fixed.items():
            shape = members[name]
            for one in value if shape.type_name == "list" else [value]:
                allowed = of_list(shape).metadata.get("enum")
                assert not allowed or one in allowed, f"{call.operation} {name}={one}"


@every_table
def test_calls_page_or_have_one_answer(table):
    """A listing whose answer has a token needs a paginator, or the table's own token."""
    for call in questions(table):
        output = operation(call.service, call.operation).output_shape
        tokens = {m for m in output.members if re.fullmatch(r"(?i)next_?(token|marker)|marker|continuationtoken", m)}
        paginators = get_session().get_component("data_loader").load_service_model(call.service, "paginators-1")["pagination"]
        pages = operation(call.service, call.operation).name in paginators
        if call.token:
            parameter, path = call.token
            assert not pages
            assert parameter in operation(call.service, call.operation).input_shape.members
            walk(parsed(path), output)
        elif tokens:
            assert pages, f"{call.service}.{call.operation} pages by {tokens} and has no paginator"


@every_table
def test_paths_lead_somewhere(table):
    row = Row(table)
    fields = {**table.facts, "id": table.id, "name": table.name, "region": table.region, "tags": table.tags}
    for name, field in fields.items():
        for path in paths(field) if field else ():
            try:
                walk(parsed(path), row)
            except NotThereError as error:
                pytest.fail(f"{name}: {path}: {error}")


@every_table
def test_arguments_lead_somewhere(table):
    row = Row(table)
    for part, detail in table.detail.items():
        used = [*detail.args.values(), detail.region] if isinstance(detail, Call) else [detail.on]
        for path in filter(None, used):
            walk(parsed(path), row)
        if isinstance(detail, Batch | Side):
            walk(parsed(detail.key), of_list(taken(detail.call)))
        if isinstance(detail, Call):
            earlier = list(table.detail)[: list(table.detail).index(part)]
            assert set(detail.needs) <= {*earlier, "item", "parent"}


@every_table
def test_parts_exist(table):
    known = {"", "item", "context", *(["parent"] if table.each else []), *table.detail}
    for field in (*table.facts.values(), table.id, table.name, table.region, table.tags):
        for path in paths(field) if field else ():
            assert part_of(path) in known, path


@every_table
def test_facts_are_of_the_kind_and_not_derived(table):
    kind = json.loads((KINDS / f"{table.kind}.json").read_text())["properties"]
    for name, fact in table.facts.items():
        assert name in kind, name
        assert not kind[name].get("x-derived"), name
        default = fact.value if isinstance(fact, Const) else fact.absent
        if isinstance(default, str) and "enum" in kind[name]:
            assert default in kind[name]["enum"], name
        if not isinstance(fact, Const) and isinstance(fact.read, dict):
            for value in fact.read.values():
                assert value in kind[name].get("enum", [value]), name


@every_table
def test_a_default_names_its_source(table):
    for name, fact in table.facts.items():
        if not isinstance(fact, Const) and repr(fact.absent) != "MISSING" and fact.absent != [] and not fact.source:
            pytest.fail(f"{name}: a default without its source")


def test_permissions_exist_and_only_look():
    querying = pytest.importorskip("policy_sentry.querying.actions")
    levels = {"List", "Read"}
    for table in TABLES:
        for call in questions(table):
            for action in actions(call):
                prefix, _, name = action.partition(":")
                known = {a.lower() for a in querying.get_actions_for_service(prefix)}
                assert action.lower() in known, f"{table.native_type}: there is no {action}"
                data = querying.get_action_data(prefix, name)
                assert data, action
                assert data[prefix][0]["access_level"] in levels, action


def test_permissions_are_spelled_as_the_reference_does():
    querying = pytest.importorskip("policy_sentry.querying.actions")
    for table in TABLES:
        for call in questions(table):
            for action in actions(call):
                assert action in querying.get_actions_for_service(action.partition(":")[0])


def test_no_secret_is_read():
    """No call gives secret values; what may hold one by its place is redacted."""
    assert not {c.operation for t in TABLES for c in questions(t)} & {
        "get_secret_value",
        "get_parameter",
    }
    secret = {
        "UserData",
        "PreSharedKey",
        "CustomerGatewayConfiguration",
        "HyperParameters",
        "ckn",
        "secretARN",
        "ClientSecret",
        "authKey",
    }
    for table in TABLES:
        for call in questions(table):
            model = operation(call.service, call.operation)
            seen = (members_of(model.output_shape) & secret) - set(table.redact) - set(call.reduce)
            assert not seen, f"{table.native_type}: {call.operation}"


def members_of(shape: Any, seen: frozenset[str] = frozenset()) -> set[str]:
    """All member names, at any depth."""
    if shape is None or shape.name in seen:
        return set()
    seen |= {shape.name}
    if shape.type_name == "structure":
        return set(shape.members).union(*(members_of(s, seen) for s in shape.members.values()))
    if shape.type_name == "list":
        return members_of(shape.member, seen)
    return members_of(shape.value, seen) if shape.type_name == "map" else set()


def test_walker_refuses_what_is_not_there():
    call = Call("kms", "list_keys", take="Keys[].KeyAnr")
    with pytest.raises(NotThereError):
        taken(call)
    with pytest.raises(AssertionError):
        operation("kms", "list_kies")
