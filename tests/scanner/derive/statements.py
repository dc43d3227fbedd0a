"""Short ways to write policies, normalised by the collectors' own reader."""

from __future__ import annotations

from typing import Any

from collectors.policy import statements

OWN = "111111111111"
OTHER = "222222222222"
BUCKET = "arn:aws:s3:::corpus"


def allow(principal: Any = "*", action: Any = "s3:*", resource: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Allow", "Principal": principal, "Action": action, "Resource": resource, **more}


def deny(principal: Any = "*", action: Any = "s3:*", resource: Any = "*", **more: Any) -> dict[str, Any]:
    return {"Effect": "Deny", "Principal": principal, "Action": action, "Resource": resource, **more}


def grant(action: Any = "*", resource: Any = "*", effect: str = "Allow", **more: Any) -> dict[str, Any]:
    """A statement of an identity policy."""
    return {"Effect": effect, "Action": action, "Resource": resource, **more}


def trust(principal: Any, action: str = "sts:AssumeRole", effect: str = "Allow", **condition: Any) -> dict[str, Any]:
    return {"Effect": effect, "Principal": principal, "Action": action, **condition}


def policy(*found: dict[str, Any]) -> list[dict[str, Any]]:
    return statements({"Version": "2012-10-17", "Statement": list(found)})


def when(**operators: Any) -> dict[str, Any]:
    """`when(StringEquals={"aws:SourceAccount": "1"})`: a Condition. `:` in operators is written `__`."""
    return {"Condition": {name.replace("__", ":"): keys for name, keys in operators.items()}}
