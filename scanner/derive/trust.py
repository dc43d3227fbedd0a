"""Trust policies with OpenID Connect: which providers may assume a role, and how tightly subject and audience are pinned.

GitHub: https://docs.github.com/en/actions/security-for-github-actions/security-hardening-your-deployments/configuring-openid-connect-in-amazon-web-services
EKS: https://docs.aws.amazon.com/eks/latest/userguide/associate-service-account-role.html
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scanner.derive.conditions import Operator
from scanner.derive.globs import any_covers
from scanner.derive.policy import Statement

GITHUB = "token.actions.githubusercontent.com"
CI_HOSTS = (
    "agent.buildkite.com",
    "api.bitbucket.org",
    "app.terraform.io",
    "gitlab.com",
    "oidc.circleci.com",
    GITHUB,
    "vstoken.dev.azure.com",
)
"""Issuers that sign tokens for anyone's pipelines: without a pinned subject, anyone's pipeline may assume the role."""
KUBERNETES = re.compile(r"^(oidc\.eks\.|oidc-eks\.|container\.googleapis\.com|.*\.oic\.prod-aks\.azure\.com)")
EKS = re.compile(r"^(oidc\.eks\.|oidc-eks\.)")
AWS_AUDIENCES = ("sts.amazonaws.com", "sts.amazonaws.com.cn")
"""The audiences that EKS gives tokens for AWS. Tokens for others, the API server's among them, are in pods that need no role."""
ASSUME = "sts:assumerolewithwebidentity"
NAMES_OWNER = re.compile(
    r"(^|:)(repo|repository|repository_id|repository_owner|repository_owner_id|enterprise_id|job_workflow_ref|workflow_ref):"
)
"""Parts of a subject of GitHub's that only one owner's tokens have. Others (`environment:prod`) anyone can make: the owner of a
repository chooses which claims its subjects are made of."""
OTHER_SUBJECTS = (
    (re.compile(r"^org/[^/]+/project/[^/]+/"), re.compile(r"^org/[^/]+/")),  # CircleCI
    (re.compile(r"^sc://[^/]+/[^/]+/"), re.compile(r"^sc://[^/]+/")),  # Azure DevOps
    (re.compile(r"^\{[0-9a-fA-F-]+\}"), re.compile(r"^\{[0-9a-fA-F-]+\}")),  # Bitbucket
)
"""(pins a project, pins an organisation), of services whose subjects are not made of `name:value`."""
PROVIDER = re.compile(r"^Federated:arn:[^:]*:iam::\d*:oidc-provider/(.+)$")
TIGHTNESS = ("exact", "pattern", "organization", "any")
"""Of subjects, tightest first."""


def trust_oidc(statements: Iterable[Statement]) -> list[dict[str, Any]]:
    """One entry a provider, the loosest of its statements: `{provider, provider_type, subject, audience}`, sorted by provider."""
    found: dict[str, dict[str, Any]] = {}
    for allow in (s for s in statements if s["effect"] == "Allow" and _assumes(s)):
        for provider in (m[1] for p in allow["principals"] if (m := PROVIDER.match(p))):
            kind = provider_type(provider)
            subject = _subject(allow["conditions"], provider, kind)
            audience = _pinned(allow["conditions"], provider, AWS_AUDIENCES if EKS.match(provider) else ())
            before = found.get(provider)
            if before is not None:
                subject = max(subject, before["subject"], key=TIGHTNESS.index)
                audience = audience and before["audience"]
            found[provider] = {"provider": provider, "provider_type": kind, "subject": subject, "audience": audience}
    return [found[name] for name in sorted(found)]


def _assumes(statement: Statement) -> bool:
    """The statement lets a token be changed for credentials; `sts:TagSession` of its own lets nobody in."""
    if statement["not_actions"]:
        return not any_covers([a.lower() for a in statement["not_actions"]], ASSUME)
    return any_covers([a.lower() for a in statement["actions"]], ASSUME)


def provider_type(provider: str) -> str:
    """`ci`, `kubernetes` or `other`, from the issuer's host."""
    host = provider.split("/", 1)[0].lower()
    if host in CI_HOSTS or "gitlab" in host or host.endswith(".github.com") or host.startswith("token.actions."):
        return "ci"
    return "kubernetes" if KUBERNETES.match(host) else "other"


def _claims(conditions: Iterable[Mapping[str, Any]], provider: str, claim: str) -> list[tuple[Operator, list[str]]]:
    """Conditions on a claim that a token without the claim, or with another value, does not meet."""
    wanted = f"{provider}:{claim}".lower()
    found = [(Operator.parse(c["operator"]), [str(v) for v in c["values"]]) for c in conditions if str(c["key"]).lower() == wanted]
    return [(o, v) for o, v in found if o.compares and not o.optional and not o.negated and v]


def _pinned(conditions: Iterable[Mapping[str, Any]], provider: str, allowed: Collection[str]) -> bool:
    """A condition fixes the audience: to one of `allowed`, where the service has its own."""
    return any(
        all((v in allowed if allowed else v) and not (o.patterns and set(v) & {"*", "?"}) for v in values)
        for o, values in _claims(conditions, provider, "aud")
    )


def _subject(conditions: Iterable[Mapping[str, Any]], provider: str, kind: str) -> str:
    """The tightest of the conditions on `sub` (all must hold), each as loose as its loosest value (one is enough)."""
    claims = _claims(conditions, provider, "sub")
    github = provider.lower().startswith(GITHUB)
    each = [
        max(
            ("any" if github and not NAMES_OWNER.search(v) else _tightness(v, kind, patterns=o.patterns) for v in values),
            key=TIGHTNESS.index,
        )
        for o, values in claims
    ]
    return min(each, key=TIGHTNESS.index, default="any")


def _tightness(value: str, kind: str, *, patterns: bool) -> str:
    wild = min((at for at in (value.find("*"), value.find("?")) if at >= 0), default=-1)
    if wild < 0 or not patterns:
        return "exact"  # NOTE: under StringEquals a star is a star; nobody's subject has one
    return _kubernetes(value) if kind == "kubernetes" else _pipeline(value[:wild])


def _kubernetes(value: str) -> str:
    """`system:serviceaccount:NAMESPACE:NAME`: the namespace must be fixed."""
    parts = value.split(":")
    fixed = len(parts) > 3 and parts[:2] == ["system", "serviceaccount"] and not set(parts[2]) & {"*", "?"}  # noqa: PLR2004 - the four parts
    return "pattern" if fixed else "any"


def _pipeline(fixed: str) -> str:
    """How far the part before the first wildcard pins a pipeline.

    Subjects are `repo:ORG/NAME:…`, `project_path:GROUP/NAME:…`, `organization:ORG:project:NAME:…` (or `pipeline`).
    """
    for project, organization in OTHER_SUBJECTS:
        if project.match(fixed):
            return "pattern"
        if organization.match(fixed):
            return "organization"
    kind, _, rest = fixed.partition(":")
    if kind not in ("repo", "project_path", "organization"):
        return "pattern" if fixed.count(":") > 1 else "any"
    end = rest.split(":", 1)
    owner, slash, name = end[0].partition("/")
    if kind == "organization":
        return "pattern" if re.match(r"^[^:]+:(project|pipeline):[^:]+:", rest) else "organization" if len(end) > 1 else "any"
    if len(end) > 1 and slash and name:
        return "pattern"
    return "organization" if owner and slash else "any"
