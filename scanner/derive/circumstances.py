"""What a principal can bring about: some request on some resource, in circumstances of its own choosing.

An Allow that asks for MFA, a network or a region narrows how a caller works, not what he gets: he logs in with MFA, from that network.
So the keys that callers arrange are tried with every value that the policies tell apart; all others are known, or make a gap.
"""

from __future__ import annotations

import ipaddress
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from scanner.derive.conditions import Operator
from scanner.derive.effective import Found, Policy, Request, Sharing, Subject, allowed, on
from scanner.derive.globs import FILL, witness
from scanner.derive.operators import LITERALS, VARIABLE, Context, Values, moment, unknown
from scanner.derive.three import Truth
from scanner.model import Gap

ARRANGED = (
    "aws:multifactorauth",
    "aws:referer",
    "aws:requestedregion",
    "aws:requesttag/",
    "aws:securetransport",
    "aws:sourceip",
    "aws:sourcevpc",
    "aws:tagkeys",
    "aws:tokenissuetime",
    "aws:useragent",
    "aws:vpcsourceip",
    "s3:authtype",
    "s3:requestobjecttag",
    "s3:signatureage",
    "s3:signatureversion",
    "s3:tlsversion",
    "s3:x-amz-",
    "sts:externalid",
    "sts:rolesessionname",
)
"""Starts of keys of which a caller chooses the value. What S3 is asked with: https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html"""
GLOBAL = ("iam:", "organizations:", "sts:")
"""Services that are asked in one region."""
MOST = 512
"""Circumstances that are tried for one request."""
REGION = 3
"""Part of an ARN."""
ELSEWHERE = ("198.51.100.77", "2001:db8::77")
"""Addresses that no policy names: https://www.rfc-editor.org/rfc/rfc5737"""


def can(
    subject: Subject,
    action: str,
    targets: Iterable[str],
    context: Context,
    resource_policy: Found | None = None,
    sharing: Sharing = "either",
) -> Truth:
    """Some request for `action` on a resource that one of the patterns `targets` matches is granted."""
    gap: Gap | None = None
    granting = (*subject.policies, *([resource_policy] if resource_policy is not None else []))
    if not grants(granting, action):
        return False
    subject = _concerned(subject, action)
    found = _about(subject, action, resource_policy)
    if action.startswith(GLOBAL) and context.values("aws:requestedregion") is None:
        context = context.plus({"aws:requestedregion": ("us-east-1",)})
    for target in targets:
        for resource in _resources(subject, action, target, context, resource_policy):
            if not grants(granting, action, resource, context):
                continue
            for number, here in enumerate(_circumstances(found, context)):
                if number >= MOST:
                    gap = gap or unknown("more keys than can be tried")
                    break
                truth = allowed(subject, Request(action, resource, here), resource_policy, sharing)
                if truth is True:
                    return True
                gap = gap or (truth if isinstance(truth, Gap) else None)
    return gap or False


def grants(policies: Iterable[Found], action: str, resource: str = "", context: Context | None = None) -> bool:
    """Some of the policies may allow an action (on a resource): what is asked first, since mostly none does."""
    return any(
        not isinstance(p, Policy)
        or any(s["effect"] == "Allow" and (context is None or on(s, resource, context) is not False) for s in p.about(action))
        for p in policies
    )


def _concerned(subject: Subject, action: str) -> Subject:
    """The subject without policies that say nothing of an action; those of the organisation have to allow, so they stay."""
    return replace(subject, policies=tuple(p for p in subject.policies if not isinstance(p, Policy) or p.about(action)))


def _about(subject: Subject, action: str, resource_policy: Found | None) -> list[Mapping[str, object] | Gap]:
    """Statements of all policies about an action; the gaps of those that were not seen."""
    sets = [*subject.policies, *(p for level in (*subject.levels, *subject.resource_levels) for p in level)]
    sets += [p for p in (subject.boundary, resource_policy) if p is not None]
    found: list[Mapping[str, object] | Gap] = []
    for policy in sets:
        found += policy.about(action) if isinstance(policy, Policy) else [policy.gap]
    return found


def _resources(subject: Subject, action: str, target: str, context: Context, resource_policy: Found | None) -> list[str]:
    """Resources that stand for all that the policies tell apart: one for each Allow, within the target (and the boundary)."""
    if not set(target) & {"*", "?"}:
        return [target]
    own = _patterns([*subject.policies, *([resource_policy] if resource_policy is not None else [])], action, context)
    limits = _patterns([subject.boundary], action, context) if subject.boundary is not None else {"*"}
    found = {witness(target, *sorted({pattern, limit} - {"*"})) for pattern in own for limit in limits}
    # NOTE: a star of a policy reaches over the parts of an ARN, but the names that stand there have no colon
    return sorted(f for f in found if f is not None and f.count(":") == target.count(":")) or [str(witness(target))]


def _patterns(policies: Iterable[Found], action: str, context: Context) -> set[str]:
    found: set[str] = set()
    for policy in policies:
        if isinstance(policy, Policy):
            allows = [s for s in policy.about(action) if s["effect"] == "Allow"]
            found |= {_filled(str(r), context) for s in allows for r in s["resources"]} | {
                "*" for s in allows if not s["resources"]
            }
        else:
            found.add("*")
    return found


def regions(subject: Subject, action: str) -> list[str]:
    """Regions that stand for all that the policies tell apart: any other, and those that an Allow names."""
    named = (r.split(":") for r in _patterns(subject.policies, action, Context()))
    return sorted({FILL, *(w for parts in named if len(parts) > REGION and (w := witness(parts[REGION])))})


def _filled(pattern: str, context: Context) -> str:
    """A pattern with its variables as far as they are known; what is not known is left open."""
    if "${" not in pattern:
        return pattern

    def value(match: object) -> str:
        name = str(match[1])  # type: ignore[index]
        found = context.values(name.partition(",")[0].strip().lower())
        return "$" if name == "$" else "?" if name in LITERALS else found[0] if found else "*"

    return VARIABLE.sub(value, pattern)


def _circumstances(statements: Iterable[Mapping[str, object] | Gap], context: Context) -> Iterator[Context]:
    """Every choice of the keys that a caller arranges and that the statements ask about."""
    asked: dict[str, set[Values]] = {}
    for statement in statements:
        if isinstance(statement, Gap):
            continue
        for condition in statement["conditions"]:  # type: ignore[attr-defined]
            key = str(condition["key"])
            if key.startswith(ARRANGED) and context.values(key) is None:
                asked.setdefault(key, set()).update(
                    _choices(key, str(condition["operator"]), map(str, condition["values"]), context)
                )
    names = sorted(asked)
    for choice in itertools.product(*(sorted(asked[n]) for n in names)):
        yield context.plus(dict(zip(names, choice, strict=True)))


def _choices(key: str, operator: str, values: Iterable[str], context: Context) -> set[Values]:
    """Values that a condition tells apart: the key left out, another value, and what each of its values matches."""
    how = Operator.parse(operator)
    found: set[Values] = {()} if how.base.startswith(("numeric", "date")) else {(), (FILL,)}
    if key in ("aws:multifactorauthpresent", "aws:securetransport"):
        found = {("true",), ("false",), ()} if key == "aws:multifactorauthpresent" else {("true",), ("false",)}
    if key in ("aws:sourceip", "aws:vpcsourceip"):
        found = {(), *((a,) for a in ELSEWHERE)}
    for value in values:
        for text in _near(how.base, value, context):
            found.add((text,))
    return found


def _near(base: str, value: str, context: Context) -> list[str]:
    try:
        if base == "ipaddress":
            return [str(ipaddress.ip_network(value, strict=False)[0])]
        if base.startswith("numeric"):
            return [str(float(value) + step) for step in (-1, 0, 1)]
        if base.startswith("date"):
            return [_iso(moment(value) + step) for step in (-1, 0, 1)]
    except (ValueError, OverflowError):
        return []
    if base in ("null", "bool"):
        return [value] if base == "bool" else []
    text = _filled(value, context)
    made = witness(text) if base in ("stringlike", "arnlike", "arnequals") else text
    return [made] if made is not None else []


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
