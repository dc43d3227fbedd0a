"""Paths over the masks of a plan: `after_unknown` and `after_sensitive` mirror `after`, with true where a value is hidden.

A mask may be true far above the leaf (a whole block that is not known yet), which JMESPath cannot see; so paths of plan tables
keep to a subset that is walked here: names, `[0]`, `[]`, `[*]` and, at the end, `.{a: a, b: b}` (see `pick`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

Step = str | int | frozenset[str] | None
"""A name, an index, some names of one object, or None for every element."""

_GROUPS = ("aws_security_group", "aws_default_security_group", "aws_network_acl", "aws_default_network_acl")
FILLED = frozenset(
    (
        *((kind, name) for kind in _GROUPS for name in ("ingress", "egress")),
        *((kind, "route") for kind in ("aws_route_table", "aws_default_route_table")),
        *(
            ("aws_s3_bucket", name)
            for name in (
                "grant", "logging", "object_lock_configuration", "replication_configuration", "server_side_encryption_configuration",
                "versioning",
            )
        ),
        *(("aws_instance", n) for n in ("ebs_block_device", "root_block_device", "metadata_options", "network_interface")),
        *((kind, "subnet_mapping") for kind in ("aws_lb", "aws_alb")),
        *((kind, "mutual_authentication") for kind in ("aws_lb_listener", "aws_alb_listener")),
        *((f"aws_s3vectors_{name}", "encryption_configuration") for name in ("vector_bucket", "index")),
        *((f"aws_api_gateway_{name}", "endpoint_configuration") for name in ("rest_api", "domain_name")),
        *(("aws_opensearch_domain", name) for name in ("advanced_security_options", "node_to_node_encryption")),
        *(("aws_config_configuration_recorder", name) for name in ("exclusion_by_resource_types", "recording_strategy")),
        ("aws_acm_certificate", "renewal_summary"),
        ("aws_dynamodb_table", "server_side_encryption"),
        ("aws_eks_cluster", "access_config"),
        ("aws_eks_node_group", "instance_types"),
        ("aws_iam_role", "inline_policy"),
        ("aws_launch_template", "metadata_options"),
        ("aws_msk_cluster", "connectivity_info"),
        ("aws_networkfirewall_firewall", "firewall_status"),
        ("aws_s3_bucket_acl", "access_control_policy"),
        ("aws_sagemaker_model", "model_data_source"),
    )
)  # fmt: skip
"""(resource type, block that it has, at any depth) where the provider fills it if nobody writes it: Optional and Computed."""

WHOLE = frozenset(("event_selector", "advanced_event_selector", "remote_access", "client_authentication", "s3"))
"""Blocks that tables read as a whole, so that the path does not tell them from attributes."""

_TOKEN = re.compile(r"\.?([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]|\[\*?\]|\.\{([a-z0-9_:, ]+)\}")


@functools.lru_cache(maxsize=2048)
def steps(path: str) -> tuple[Step, ...]:
    """The steps of a path. Raises ValueError where it is not of the subset."""
    found: list[Step] = []
    at = 0
    while at < len(path):
        match = _TOKEN.match(path, at)
        if match is None:
            msg = f"not a path that a plan table may use: {path}"
            raise ValueError(msg)
        name, index, names = match.groups()
        if names:
            found.append(frozenset(n.split(":")[0].strip() for n in names.split(",")))
        else:
            found.append(name or (int(index) if index else None))
        at = match.end()
    return tuple(found)


@functools.lru_cache(maxsize=2048)
def split(path: str) -> tuple[str, tuple[Step, ...]]:
    """The part of the row that a path starts in, and the steps within it."""
    found = steps(path)
    return str(found[0]) if found else "", found[1:]


def pick(path: str, *names: str) -> str:
    """The path of some attributes of an object, or of each element of a list, kept together."""
    return f"{path}.{{{', '.join(f'{n}: {n}' for n in names)}}}"


def hits(mask: Any, path: Sequence[Step]) -> bool:
    """Some value at or below `path` is hidden by `mask`, or lies within something that is."""
    if mask is True:
        return True
    if not mask:
        return False
    if not path:
        return (
            any(hits(m, ()) for m in (mask.values() if isinstance(mask, dict) else mask))
            if isinstance(mask, (dict, list))
            else False
        )
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        inner = mask.get(step) if isinstance(mask, dict) else None
        return inner is True or (bool(inner) and hits(inner, rest))
    if isinstance(step, frozenset):
        return isinstance(mask, dict) and any(hits(mask.get(n), ()) for n in step)
    if not isinstance(mask, list):
        return False
    if step is None:
        return any(hits(m, rest) for m in mask)
    return step < len(mask) and hits(mask[step], rest)


def unset(mask: Any, expressions: Any, path: Sequence[Step], kind: str = "") -> bool:
    """What `mask` hides at `path` is hidden only because the configuration does not set it: the provider's default will hold.

    Only where that is certain: the block that would hold the attribute is written out in the configuration, without it. A block that
    nobody writes has no elements, and is unknown only where the provider fills it (`FILLED`, by resource type `kind`): else a `dynamic`
    block, which leaves no trace in the configuration, made it.
    """
    if not path or not isinstance(expressions, dict):
        return False
    step, rest = path[0], path[1:]
    if isinstance(step, frozenset):
        return all(
            (n not in expressions and mask[n] is True and n not in WHOLE) or _unset_within(mask[n], expressions.get(n), kind)
            for n in step
            if isinstance(mask, dict) and hits(mask.get(n), ())
        )
    if not isinstance(step, str):
        return False
    inner = mask.get(step) if isinstance(mask, dict) else None
    if step not in expressions:
        plain = step not in WHOLE if not rest else isinstance(rest[0], (str, frozenset))
        return inner is True and (plain or (kind, step) in FILLED)
    if inner is True or not rest or isinstance(rest[0], (str, frozenset)):
        return False
    blocks = expressions[step]
    if not isinstance(blocks, list) or not isinstance(inner, list) or len(blocks) != len(inner):
        return False
    chosen = range(len(blocks)) if rest[0] is None else [i for i in (rest[0],) if i < len(blocks)]
    return all(not hits(inner[i], rest[1:]) or unset(inner[i], blocks[i], rest[1:], kind) for i in chosen)


def _unset_within(mask: Any, blocks: Any, kind: str) -> bool:
    """The same of everything that `mask` hides in blocks that are written out in the configuration."""
    if not isinstance(blocks, list) or not isinstance(mask, list) or len(blocks) != len(mask):
        return False
    return all(
        isinstance(block, dict) and isinstance(inner, dict) and unset(inner, block, (frozenset(inner),), kind)
        for inner, block in zip(mask, blocks, strict=True)
        if hits(inner, ())
    )


def scrub(value: Any, mask: Any) -> Any:
    """`value` without what `mask` marks as sensitive."""
    if mask is True:
        return None
    if not mask:
        return value
    if isinstance(value, dict) and isinstance(mask, dict):
        return {k: scrub(v, mask.get(k)) for k, v in value.items()}
    if isinstance(value, list) and isinstance(mask, list):
        return [scrub(v, mask[i] if i < len(mask) else None) for i, v in enumerate(value)]
    return value
