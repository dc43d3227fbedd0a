"""What the plan tables share: ids and keys as facts, policies, tags and names."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws.arn import arn, key_arn
from collectors.policy import Statement, statements
from collectors.project import tag_list
from collectors.table import MISSING, Field
from scanner.model import frozen

PLACE = ("context.partition", "context.region", "context.account")
CREATED = "context.created"
PROVIDER = "https://github.com/hashicorp/terraform-provider-aws/blob/main/website/docs/r"
"""Argument references of the provider: `<PROVIDER>/<type without aws_>.html.markdown`."""


@frozen
class PlanField(Field):
    """A field some of whose paths have no default: where nobody sets them, the value is unknown, whatever `absent` says."""

    strict: tuple[str, ...] = ()


def docs(kind: str) -> str:
    """The provider's page of a resource type."""
    return f"{PROVIDER}/{kind.removeprefix('aws_')}.html.markdown"


def canonical(service: str, resource: str, partition: str, region: str | None, account: str | None, value: str) -> str:
    """An id as a fact: of the plan's resource, else an ARN where the plan tells the account, else as written."""
    if value.startswith(("plan/", "arn:")) or not (region and account):
        return value
    return str(arn(service, resource, partition, region, account, value))


def flat(*values: Any) -> list[Any]:
    """The values, lists among them opened, without what is empty."""
    return [v for value in values for v in (flat(*value) if isinstance(value, list) else [value]) if v]


def _one(service: str, resource: str, absent: Any, *found: Any) -> Any:
    partition, region, account, *values = found
    value = next(iter(flat(*values)), None)
    return absent if value is None else canonical(service, resource, partition, region, account, value)


def one(resource: str, *paths: str, service: str = "ec2", absent: Any = MISSING, source: str = "") -> Field:
    """A fact that names another resource: the first value there is."""
    return Field((*PLACE, *paths), functools.partial(_one, service, resource, absent), absent=absent, source=source)


def _many(service: str, resource: str, *found: Any) -> list[str]:
    partition, region, account, *values = found
    return sorted({canonical(service, resource, partition, region, account, v) for v in flat(*values)})


def many(resource: str, *paths: str, service: str = "ec2", source: str = "") -> Field:
    """A fact that names other resources; what nobody sets is an empty list."""
    return Field((*PLACE, *paths), functools.partial(_many, service, resource), absent=[], source=source)


def key_id(partition: str, region: str | None, account: str | None, *values: Any) -> str:
    """A key: of the plan, else its ARN, else as written; empty where none is named."""
    value = next(iter(flat(*values)), "")
    if value.startswith("plan/") or not (region and account):
        return str(value)
    return key_arn(partition, region, account, value)


def key(*paths: str, source: str = "") -> Field:
    """A fact that names a key; where nobody names one the provider chooses its own."""
    return Field((*PLACE, *paths), key_id, absent="", source=source)


def policy(*documents: Any) -> list[Statement]:
    """Statements of the first policy document there is; none where there is no policy."""
    return statements(next((d for d in documents if d), None))


def merged_tags(*layers: Any) -> dict[str, str]:
    """Tags with the provider's default tags."""
    found: dict[str, str] = {}
    for layer in reversed(layers):
        found |= {k: v for k, v in tag_list(layer).items() if v != "None"} if isinstance(layer, Mapping) else {}
    return found


TAGS = Field(("item.tags_all", "item.tags"), merged_tags, absent={})


def _title(tags: Any, *names: Any) -> Any:
    named = tags.get("Name") if isinstance(tags, Mapping) else None
    return named or next((n for n in names if isinstance(n, str) and n), MISSING)


def title(*paths: str) -> Field:
    """The tag `Name`, else the first name there is."""
    return PlanField(("item.tags_all", *paths), _title, absent="", strict=paths)


def only_new(created: bool, default: Any) -> Any:  # noqa: FBT001 - a value of the row
    """A default that holds of what this plan makes; of what exists already the plan does not know."""
    return default if created else MISSING


def given_policy(created: bool, document: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Statements of the policy that another resource gives; none where a new resource is given none."""
    return policy(document) if document else only_new(created, [])


def names(values: Iterable[Any]) -> list[str]:
    """The texts among `values`, each once, sorted."""
    return sorted({v for v in values if isinstance(v, str) and v})
