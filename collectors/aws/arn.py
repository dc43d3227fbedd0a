"""Canonical ids: how the ARN of a resource is made where the answer has only its bare id.

Formats: https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from collectors.project import tag_list
from collectors.table import MISSING, Call, Field, Side

PARTITION, REGION, ACCOUNT = "context.partition", "context.region", "context.account"
PLACE = (PARTITION, REGION, ACCOUNT)
"""The paths that every ARN starts from; functions that read them take `partition, region, account` first."""


def arn(service: str, resource: str, partition: str, region: str, account: str, value: str | None, absent: Any = MISSING) -> Any:
    """The ARN of `value`, a bare id or an ARN already; `absent` where there is none."""
    if not value:
        return absent
    if value.startswith("arn:"):
        return value
    return f"arn:{partition}:{service}:{region}:{account}:{resource}/{value}"


def arns(service: str, resource: str, partition: str, region: str, account: str, *values: Any) -> list[str]:
    """The ARNs of ids, given one by one or in lists: each once, sorted."""
    flat = [v for value in values for v in (value if isinstance(value, list) else [value])]
    return sorted({arn(service, resource, partition, region, account, v) for v in flat if v})


def key_arn(partition: str, region: str | None, account: str, value: str | None) -> str:
    """The ARN of a key or alias; empty where no key is named.

    A bare id or alias is one of the asking account and region: https://docs.aws.amazon.com/kms/latest/developerguide/concepts.html#key-id
    """
    if not value or value.startswith("arn:") or not region:
        return value or ""
    return f"arn:{partition}:kms:{region}:{account}:{value if value.startswith('alias/') else f'key/{value}'}"


def label(tags: Any, name: Any) -> str:
    """The tag `Name`, else the name or id that the provider gives."""
    return tag_list(tags).get("Name") or str(name)


def one(resource: str, path: str, *, service: str = "ec2", absent: Any = MISSING) -> Field:
    """A field that names another resource of the account and region."""
    return Field((*PLACE, path), functools.partial(_one, service, resource, absent))


def _one(service: str, resource: str, absent: Any, partition: str, region: str, account: str, value: str | None) -> Any:
    return arn(service, resource, partition, region, account, value, absent)


def many(resource: str, *paths: str, service: str = "ec2") -> Field:
    """A field that names other resources; no answer is an empty list."""
    return Field((*PLACE, *paths), functools.partial(arns, service, resource))


def key(path: str, *, region: str = REGION, source: str = "") -> Field:
    """A field that names a key; empty where the answer names none, which every service documents as its own choice of key."""
    return Field((PARTITION, region, ACCOUNT, path), key_arn, source=source)


def named(path: str, tags: str = "item.Tags") -> Field:
    """A resource's name: the tag `Name`, else what stands at `path`."""
    return Field((tags, path), label)


def tags(path: str = "item.Tags") -> Field:
    """Tags from a list of pairs."""
    return Field(path, tag_list, absent={})


def tagged(resource_type: str, on: str = "item.Arn", read: Callable[[Any], Any] | None = None) -> Side:
    """The tags of resources of a type (`kms:key`) by one listing of a region; `TAGGED` reads them. What is not in it has no tags.

    https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetResources.html
    """
    call = Call(
        "resourcegroupstaggingapi",
        "get_resources",
        fixed={"ResourceTypeFilters": [resource_type]},
        take="ResourceTagMappingList",
        actions=("tag:GetResources",),
    )
    return Side(call, on=on, key="ResourceARN", read=read)


TAGGED = Field("tags[].Tags[]", tag_list, absent={})
"""Tags of a row whose part `tags` is `tagged`."""
