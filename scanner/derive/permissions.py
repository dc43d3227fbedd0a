"""What identity policies grant: everything, any role to pass, whole data services. Statements as `collectors/policy.py` makes them.

Organisation policies and session policies are not seen here; a permissions boundary is (`identities.py`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scanner.derive.conditions import Operator, Reach
from scanner.derive.globs import any_covers, everything, overlaps
from scanner.derive.policy import Statement, resources
from scanner.derive.three import Truth, any_of
from scanner.model import Gap, Reason

DATA_SERVICES = ("aoss", "bedrock", "dynamodb", "ecr", "es", "fsx", "kms", "s3", "s3vectors", "sagemaker", "secretsmanager")
"""IAM prefixes of services that hold datasets, weights, images, vectors or secrets."""
DATA_ACTIONS = {"kms": ("kms:decrypt", "kms:reencryptfrom")}
"""Actions of which one is as good as all of the service's."""
ESCALATING = (
    "iam:attachgrouppolicy",
    "iam:attachrolepolicy",
    "iam:attachuserpolicy",
    "iam:createpolicyversion",
    "iam:putgrouppolicy",
    "iam:putrolepolicy",
    "iam:putuserpolicy",
)
"""Actions with which whoever has them on every resource gives himself the rest.

https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html#access_policies_boundaries-delegate
"""
WHOLE_SERVICE = re.compile(r"^arn:[^:]*:(?P<service>[^:*?]+):(?:\*?:\*?:\*(?:/\*)?|\*:\*:[a-z-]+[/:]\*)$")
"""All resources of a service, or all of one type, in any partition, region and account: `arn:aws-cn:s3:::*`, `arn:aws:kms:*:*:key/*`."""

ABOUT_CALLER = (
    "aws:calledvia",
    "aws:currenttime",
    "aws:epochtime",
    "aws:multifactorauth",
    "aws:principal",
    "aws:referer",
    "aws:requestedregion",
    "aws:securetransport",
    "aws:source",
    "aws:tokenissuetime",
    "aws:useragent",
    "aws:userid",
    "aws:username",
    "aws:viaawsservice",
    "aws:vpc",
)
"""Starts of keys that say who, when and whence, so that what may be done stays as wide as it is."""
ABOUT_TARGET = (
    "aws:requesttag/",
    "aws:resource",
    "aws:tagkeys",
    "iam:associatedresourcearn",
    "iam:passedtoservice",
    "iam:resourcetag/",
    "kms:encryptioncontext",
    "kms:requestalias",
    "kms:resourcealiases",
    "kms:viaservice",
    "s3:existingobjecttag/",
    "s3:prefix",
    "s3:resourceaccount",
    "sagemaker:resourcetag/",
    "secretsmanager:resourcetag/",
)
"""Starts of keys that narrow what may be done."""

ALWAYS_SENT = frozenset({"iam:passedtoservice"})
"""Keys that are in every request that they matter to, so that `IfExists` changes nothing."""


def narrowed(conditions: Iterable[Mapping[str, Any]]) -> Reach:
    """`closed` where conditions narrow what an Allow grants, `open` where they do not."""
    each = [_narrowed(c) for c in conditions]
    return next((r for r in ("closed", "unclear") if r in each), "open")


def _narrowed(condition: Mapping[str, Any]) -> Reach:
    key = str(condition["key"])
    if key.startswith(ABOUT_CALLER):
        return "open"
    if not key.startswith(ABOUT_TARGET):
        return "unclear"
    operator = Operator.parse(str(condition["operator"]))
    if operator.patterns and any(_anything(str(v)) for v in condition["values"]):
        return "open"
    optional = operator.optional and not (key in ALWAYS_SENT and not operator.negated and operator.quantifier != "forallvalues")
    return "closed" if condition["values"] and not optional and operator.base != "null" else "unclear"


def _anything(value: str) -> bool:
    return value.strip("*?") in ("", ".amazonaws.com")  # `*.amazonaws.com` is every service to pass a role to


def _granted(statements: Iterable[Statement], grants: Callable[[Statement], bool]) -> Truth:
    """Some Allow grants it unnarrowed and no unconditional Deny takes it back; a gap where conditions are not understood."""
    found = list(statements)
    stop = any(s["effect"] == "Deny" and not s["conditions"] and grants(s) for s in found)
    return not stop and any_of(_reached(s) for s in found if s["effect"] == "Allow" and grants(s))


def _reached(allow: Statement) -> Truth:
    reach = narrowed(allow["conditions"])
    if reach != "unclear":
        return reach == "open"
    odd = sorted({f"{c['operator']} {c['key']}" for c in allow["conditions"] if _narrowed(c) == "unclear"})
    said = f"whether conditions narrow it is not clear: {', '.join(odd)}"
    return Gap(Reason.UNPARSABLE, "", "Judge the policy by hand.", said[:300])


def _all_resources(statement: Statement, *whole: str) -> bool:
    if statement["not_resources"]:
        return not any(everything(r) for r in statement["not_resources"])
    return any(everything(r) or r in whole for r in statement["resources"])


def _does(statement: Statement, action: str) -> bool:
    """The statement speaks of every action that a lower-case pattern matches."""
    if statement["not_actions"]:
        return not any(overlaps(a.lower(), action) for a in statement["not_actions"])
    return any_covers([a.lower() for a in statement["actions"]], action)


def grants_admin(statements: Iterable[Statement]) -> Truth:
    """Every action on every resource. NotAction counts where it leaves in what grants the rest."""

    def admin(statement: Statement) -> bool:
        if statement["not_actions"]:
            wanted = ESCALATING if statement["effect"] == "Allow" else ("iam:*",)
            whole = any(_does(statement, action) for action in wanted)
        else:
            whole = any(everything(a) for a in statement["actions"])
        return whole and not statement["not_resources"] and any(everything(r) for r in resources(statement))

    return _granted(statements, admin)


def pass_role_any(statements: Iterable[Statement]) -> Truth:
    """`iam:PassRole` on every role, without a condition on the service it is passed to."""

    def passes(statement: Statement) -> bool:
        whole = _all_resources(statement) or any(_every_role(r) for r in statement["resources"])
        return whole and _does(statement, "iam:passrole")

    return _granted(statements, passes)


def _every_role(resource: str) -> bool:
    kind, _, name = resource.rpartition(":")
    return kind.startswith("arn:") and ":iam::" in f"{kind}:" and name in ("role/*", "*", "role*")


def uses_negation(statements: Iterable[Statement]) -> bool:
    """Some Allow uses NotAction, NotResource or NotPrincipal."""
    return any(s["effect"] == "Allow" and (s["not_actions"] or s["not_resources"] or s["not_principals"]) for s in statements)


def data_wildcards(statements: Iterable[Statement]) -> list[str] | Gap:
    """Data services on which every action over every resource is allowed, sorted. Gap where that is not clear of any service."""
    found = list(statements)
    known: list[str] = []
    gap: Gap | None = None
    for service in DATA_SERVICES:
        truth = _granted(found, functools.partial(_whole_service, service=service))
        if isinstance(truth, Gap):
            gap = gap or truth
        elif truth:
            known.append(service)
    return known if known or gap is None else gap


def _whole_service(statement: Statement, *, service: str) -> bool:
    allow = statement["effect"] == "Allow"
    enough = DATA_ACTIONS.get(service, ()) if allow else ()
    if not any(_does(statement, action) for action in (f"{service}:*", *enough)):
        return False
    named = [r for r in statement["resources"] if (m := WHOLE_SERVICE.match(r)) and m["service"] == service]
    # NOTE: an Allow of all keys, or of all objects, is enough; a Deny takes it back only where it is of everything
    return _all_resources(statement, *(r for r in named if allow or r.endswith((":::*", ":*:*:*"))))
