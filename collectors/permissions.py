"""The least permission that a scan takes, read off the tables: nothing is asked for that the chosen rules do not need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from collectors.demand import Demand, calls_of
from collectors.table import Call, Table
from scanner.model import JSON

MOST = 6_144
"""Characters of a managed policy, spaces not counted: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html"""


def questions(tables: Sequence[Table], demand: Demand, setup: Iterable[Call] = ()) -> list[Call]:
    """Every question of the tables that the demand takes, without repeats."""
    found = list(setup)
    for table in tables:
        wanted = frozenset(table.facts) if demand is None else demand.get(table.native_type)
        if wanted is not None:
            found += calls_of(table, wanted)
    unique = {(c.service, c.operation): c for c in reversed(found)}
    return [unique[key] for key in sorted(unique)]


def aws_policies(actions: Iterable[str]) -> list[JSON]:
    """IAM policy documents that allow `actions`, as few as fit a managed policy's size."""
    documents: list[JSON] = []
    block: list[str] = []
    for action in [*sorted(set(actions)), None]:
        document = _document([*block, action] if action else block, len(documents) + 1)
        if action is not None and len(json.dumps(document, separators=(",", ":"))) <= MOST:
            block.append(action)
        elif action is not None:
            documents.append(_document(block, len(documents) + 1))
            block = [action]
        elif block:
            documents.append(document)
    return documents


def _document(actions: Sequence[str], number: int) -> JSON:
    # NOTE: Resource is `*` because most List and Describe actions take no other; all of them only read metadata.
    statement = {"Sid": f"BartizanRead{number}", "Effect": "Allow", "Action": list(actions), "Resource": "*"}
    return {"Version": "2012-10-17", "Statement": [statement]}
