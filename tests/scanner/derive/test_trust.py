"""OIDC in trust policies."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.trust import provider_type, trust_oidc
from tests.scanner.derive.statements import OWN, policy, trust

GITHUB = "token.actions.githubusercontent.com"
EKS = "oidc.eks.eu-west-1.amazonaws.com/id/ABCDEF"


def federated(provider: str, **operators: Any) -> dict[str, Any]:
    principal = {"Federated": f"arn:aws:iam::{OWN}:oidc-provider/{provider}"}
    named = {
        name.replace("__", ":"): {f"{provider}:{claim}": v for claim, v in claims.items()} for name, claims in operators.items()
    }
    return trust(principal, "sts:AssumeRoleWithWebIdentity", Condition=named)


def subject(provider: str, **operators: Any) -> str:
    (found,) = trust_oidc(policy(federated(provider, **operators)))
    return str(found["subject"])


@pytest.mark.parametrize(
    ("operators", "answer"),
    [
        ({}, "any"),
        ({"StringEquals": {"sub": "repo:acme/models:ref:refs/heads/main"}}, "exact"),
        ({"StringLike": {"sub": "repo:acme/models:environment:prod"}}, "exact"),
        ({"StringLike": {"sub": "repo:acme/models:*"}}, "pattern"),
        ({"StringLike": {"sub": "repo:acme@12/models@34:*"}}, "pattern"),
        ({"StringLike": {"sub": "repo:acme/*"}}, "organization"),
        ({"StringLike": {"sub": "repo:acme/mod*"}}, "organization"),
        ({"StringLike": {"sub": "repo:acme*"}}, "any"),
        ({"StringLike": {"sub": "repo:*"}}, "any"),
        ({"StringLike": {"sub": "*"}}, "any"),
        ({"StringLike": {"sub": "repo:?cme/models:*"}}, "any"),
        ({"StringLike": {"sub": ["repo:acme/models:*", "repo:*"]}}, "any"),
        ({"StringEquals": {"sub": "repo:acme/*"}}, "exact"),
        ({"ForAllValues__StringLike": {"sub": "repo:acme/models:*"}}, "any"),
        ({"ForAnyValue__StringLike": {"sub": "repo:acme/models:*"}}, "pattern"),
        ({"StringLikeIfExists": {"sub": "repo:acme/models:*"}}, "any"),
        ({"StringNotEquals": {"sub": "repo:evil/x:ref:refs/heads/main"}}, "any"),
        ({"StringLike": {"sub": "repo:*"}, "StringEquals": {"sub": "repo:acme/models:ref:refs/heads/main"}}, "exact"),
        ({"StringEquals": {"sub": []}}, "any"),
        ({"StringEquals": {"sub": "environment:prod"}}, "any"),
        ({"StringEquals": {"sub": "repository_owner:acme:environment:prod"}}, "exact"),
    ],
    ids=str,
)
def test_pipelines(operators: dict[str, Any], answer: str) -> None:
    """prowler#12845 asks for the rule; github/docs#22240 removed ForAllValues, which holds without the claim."""
    assert subject(GITHUB, **operators) == answer


@pytest.mark.parametrize(
    ("provider", "value", "answer"),
    [
        ("gitlab.com", "project_path:acme/models:ref_type:branch:ref:*", "pattern"),
        ("gitlab.com", "project_path:acme/*", "organization"),
        ("app.terraform.io", "organization:acme:project:ml:workspace:*", "pattern"),
        ("app.terraform.io", "organization:acme:*", "organization"),
        ("app.terraform.io", "organization:*", "any"),
        ("agent.buildkite.com", "organization:acme:pipeline:train:*", "pattern"),
        ("agent.buildkite.com", "organization:acme:*", "organization"),
        ("oidc.circleci.com/org/1-2", "org/1-2/project/3-4/user/*", "pattern"),
        ("oidc.circleci.com/org/1-2", "org/1-2/*", "organization"),
        ("vstoken.dev.azure.com/1-2", "sc://acme/ml/*", "pattern"),
        ("vstoken.dev.azure.com/1-2", "sc://acme/*", "organization"),
        ("api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc", "{0a-1b}*:*", "pattern"),
    ],
)
def test_other_pipelines(provider: str, value: str, answer: str) -> None:
    assert subject(provider, StringLike={"sub": value}) == answer


@pytest.mark.parametrize(
    ("operators", "answer"),
    [
        ({}, "any"),
        ({"StringEquals": {"sub": "system:serviceaccount:training:trainer"}}, "exact"),
        ({"StringLike": {"sub": "system:serviceaccount:training:*"}}, "pattern"),
        ({"StringLike": {"sub": "system:serviceaccount:*:trainer"}}, "any"),
        ({"StringLike": {"sub": "system:serviceaccount:train*:trainer"}}, "any"),
        ({"StringLike": {"sub": "system:serviceaccount:*"}}, "any"),
    ],
    ids=str,
)
def test_service_accounts(operators: dict[str, Any], answer: str) -> None:
    """terraform-aws-iam#486: a wildcard name inside one namespace is legitimate."""
    assert subject(EKS, **operators) == answer


@pytest.mark.parametrize(
    ("operators", "answer"),
    [
        ({}, False),
        ({"StringEquals": {"aud": "sts.amazonaws.com"}}, True),
        ({"StringEquals": {"aud": "sts.amazonaws.com.cn"}}, True),
        ({"StringEquals": {"aud": ["sts.amazonaws.com", "other"]}}, False),
        ({"StringEquals": {"aud": "https://kubernetes.default.svc"}}, False),
        ({"StringLike": {"aud": "*"}}, False),
        ({"StringEqualsIfExists": {"aud": "sts.amazonaws.com"}}, False),
        ({"StringEquals": {"sub": "sts.amazonaws.com"}}, False),
    ],
    ids=str,
)
def test_audience(operators: dict[str, Any], answer: object) -> None:
    """amazon-eks-user-guide#503: the audience key replaced by the subject's, its value left."""
    (found,) = trust_oidc(policy(federated(EKS, **operators)))
    assert found["audience"] is answer


def test_the_loosest_statement_of_a_provider_counts() -> None:
    tight = federated(GITHUB, StringEquals={"sub": "repo:acme/models:ref:refs/heads/main", "aud": "sts.amazonaws.com"})
    assert trust_oidc(policy(tight, federated(GITHUB), federated(EKS))) == [
        {"provider": EKS, "provider_type": "kubernetes", "subject": "any", "audience": False},
        {"provider": GITHUB, "provider_type": "ci", "subject": "any", "audience": False},
    ]


def test_a_statement_that_only_tags_the_session_lets_nobody_in() -> None:
    tight = federated(GITHUB, StringEquals={"sub": "repo:acme/models:ref:refs/heads/main", "aud": "sts.amazonaws.com"})
    tags = federated(GITHUB) | {"Action": "sts:TagSession"}
    assert [p["subject"] for p in trust_oidc(policy(tight, tags))] == ["exact"]
    every = federated(GITHUB) | {"Action": "sts:*"}
    assert [p["subject"] for p in trust_oidc(policy(tight, every))] == ["any"]


def test_other_principals_and_denies_are_no_providers() -> None:
    saml = trust({"Federated": f"arn:aws:iam::{OWN}:saml-provider/x"}, "sts:AssumeRoleWithSAML")
    assert trust_oidc(policy(saml, trust({"AWS": OWN}), federated(GITHUB) | {"Effect": "Deny"})) == []


@pytest.mark.parametrize(
    ("provider", "kind"),
    [
        (GITHUB, "ci"), ("token.actions.githubusercontent.com/acme", "ci"), ("gitlab.acme.example", "ci"), (EKS, "kubernetes"),
        ("oidc-eks.us-east-1.api.aws/id/A", "kubernetes"), ("container.googleapis.com/v1/projects/x", "kubernetes"),
        ("accounts.google.com", "other"), ("cognito-identity.amazonaws.com", "other"),
    ],
)  # fmt: skip
def test_provider_type(provider: str, kind: str) -> None:
    assert provider_type(provider) == kind
