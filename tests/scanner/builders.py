"""Short ways to make the nouns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scanner.model import Cover, Coverage, Extent, Gap, Reason, Resource, Rule, Severity, Source
from scanner.snapshot import Snapshot

NOW = "2026-06-01T00:00:00Z"
DENIED = Gap(Reason.DENIED, "kms:GetKeyRotationStatus", "Allow kms:GetKeyRotationStatus to me.")
KEY = {
    "manager": "customer", "state": "enabled", "algorithm": "symmetric", "origin": "provider",
    "rotation_enabled": True, "rotation_days": 365, "aws.multi_region": "none",
}  # fmt: skip
RULE = """# METADATA
# title: {title}
# description: d
# custom:
#   severity: {severity}
#   kind: key
#   scope_on: [manager]
#   fail_on: [rotation_enabled]
#   covers:
#     AWS::KMS::Key: {{}}
package policies.{domain}.{name}
import rego.v1
{body}
"""
SCOPE = 'scope contains k.id if { some k in input.resources.key; k.manager == "customer" }'
FAIL = 'fail contains {"id": k.id, "fact": "rotation_enabled", "expected": true, "message": "off"} if { some k in input.resources.key; k.id in scope; k.rotation_enabled == false }'


def rule_text(name: str = "own", body: str = f"{SCOPE}\n{FAIL}", severity: str = "high", domain: str = "mine") -> str:
    """Text of a small rule over keys."""
    return RULE.format(title="Keys rotate", severity=severity, domain=domain, name=name, body=body)


def a_rule(**changes: Any) -> Rule:
    """A rule over keys, without its Rego."""
    fields: dict[str, Any] = {
        "id": "encryption.x", "title": "Keys rotate", "description": "d", "severity": Severity.HIGH, "kind": "key",
        "scope_on": ("manager",), "fail_on": ("rotation_enabled",), "covers": {"AWS::KMS::Key": Cover(("AWS-ENC-001",))},
    }  # fmt: skip
    return Rule(**{**fields, **changes})


def key(identity: str = "k", gaps: Mapping[str, Gap] | None = None, scope: str = "1", **facts: Any) -> Resource:
    """A key that passes, with changes; a fact given as None is left out."""
    known = {k: v for k, v in {**KEY, **{k.replace("__", "."): v for k, v in facts.items()}}.items() if v is not None}
    return Resource(
        identity, "key", "AWS::KMS::Key", "aws", scope, "us-east-1", identity, f"aws:{scope}", facts=known, gaps=gaps or {}
    )


def write_snapshot(path: Path, resources: list[Resource], coverage: list[Coverage] | None = None, scope: str = "1") -> Path:
    """A finished snapshot of one scope."""
    with Snapshot.create(path) as snapshot:
        snapshot.source(Source(f"aws:{scope}", "live", "aws", scope, "me", NOW))
        snapshot.page(resources)
        rows = (
            coverage
            if coverage is not None
            else [Coverage("AWS::KMS::Key", "key", scope, "us-east-1", Extent.COMPLETE, None, len(resources), f"aws:{scope}")]
        )
        for row in rows:
            snapshot.coverage(row)
        snapshot.finish()
    return path
