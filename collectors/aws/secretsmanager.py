"""Secrets Manager: what is said of secrets. Their values are never asked for."""

from __future__ import annotations

import re
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import MISSING, Call, Const, Field, Table

SECRET = "https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_SecretListEntry.html"  # noqa: S105 - a page
ENCRYPTION = "https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html"
POLICY = "https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetResourcePolicy.html"
SCHEDULE = "https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_schedule.html"

RATE = re.compile(r"^rate\((\d+) (hour|day)s?\)$")
CRON = re.compile(r"^cron\((\S+) (\S+) (\S+) (\S+) (\S+) (\S+)\)$")
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
YEAR, MONTH, WEEK = 12, 31, 7


def rotation_days(enabled: bool | None, days: int | None, expression: str | None) -> Any:  # noqa: FBT001 - the answer's own type
    """Most days between two rotations; 0 where the secret does not rotate by itself.

    ValueError for a schedule that is not understood.
    """
    if not enabled:
        return 0
    if days:
        return days
    return schedule_days(expression) if expression else MISSING


def schedule_days(expression: str) -> int:
    """Most days that pass between two moments of a schedule: `rate(10 days)`, `cron(0 8 1 * ? *)`."""
    text = expression.strip()
    rate = RATE.match(text)
    if rate:
        number = int(rate[1])
        return number if rate[2] == "day" else max(1, -(-number // 24))
    cron = CRON.match(text)
    if not cron or cron[6] != "*":
        msg = f"not a schedule: {text[:80]}"
        raise ValueError(msg)
    day, month, weekday = cron[3], cron[4], cron[5]
    if month == "*":
        if day in ("*", "?"):
            return 1 if weekday in ("*", "?") else MONTH + 4 if set(weekday) & {"#", "L"} else WEEK
        return MONTH
    chosen = sorted(_months(month))
    gaps = [(after - before) % YEAR or YEAR for before, after in zip(chosen, [*chosen[1:], chosen[0]], strict=True)]
    return max(gaps) * MONTH


def _months(field: str) -> set[int]:
    """Months of a cron field: `1,4,7,10`, `JAN-JUN`, `*/3`, `1/3`."""
    found: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        first, dash, last = span.partition("-")
        low = 1 if first == "*" else _month(first)
        high = _month(last) if dash else YEAR if first == "*" or step else low
        found |= set(range(low, high + 1, int(step or 1)))
    if not found:
        msg = f"no months: {field[:40]}"
        raise ValueError(msg)
    return found


def _month(text: str) -> int:
    number = MONTHS.index(text.upper()) + 1 if text.isalpha() else int(text)
    if not 1 <= number <= YEAR:
        msg = f"not a month: {text}"
        raise ValueError(msg)
    return number


def is_replica(region: str, primary: str | None) -> bool:
    """The secret is a copy: its value is changed where it came from."""
    return bool(primary) and primary != region


SECRETS = Table(
    kind="credential",
    native_type="AWS::SecretsManager::Secret",
    # NOTE: without those that are scheduled for deletion, which is the default
    list=Call("secretsmanager", "list_secrets", take="SecretList"),
    id=Field("item.ARN"),
    tags=arn.tags(),
    detail={
        "policy": Call("secretsmanager", "get_resource_policy", args={"SecretId": "item.ARN"}),
    },
    facts={
        "credential_type": Const("secret"),
        "created": Field("item.CreatedDate"),
        "managed_by": Field("item.OwningService", absent="", source=SECRET),
        "replica": Field((arn.REGION, "item.PrimaryRegion"), is_replica, source=SECRET),
        "encrypted": Const(value=True),  # always: ENCRYPTION
        "key_id": arn.key("item.KmsKeyId", source=ENCRYPTION),
        "rotation_enabled": Field("item.RotationEnabled", absent=False, source=SECRET),
        "rotation_days": Field(
            ("item.RotationEnabled", "item.RotationRules.AutomaticallyAfterDays", "item.RotationRules.ScheduleExpression"),
            rotation_days,
            absent=0,
            source=SCHEDULE,
        ),
        "last_rotated": Field("item.LastRotatedDate", absent="never", source=SECRET),
        "last_changed": Field(("item.LastChangedDate", "item.CreatedDate"), lambda changed, created: changed or created),
        "policy_statements": Field(("policy.ARN", "policy.ResourcePolicy"), lambda _, text: statements(text), source=POLICY),
    },
)

TABLES: tuple[Table, ...] = (SECRETS,)
