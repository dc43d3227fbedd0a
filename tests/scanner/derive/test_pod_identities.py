"""Whether the role of a pod identity is its own."""

from __future__ import annotations

from typing import Any

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.pod_identities import POD, pinned
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import OWN, policy, trust, when
from tests.scanner.derive.things import planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

ROLE = f"arn:aws:iam::{OWN}:role/pods"
PODS = {"Service": "pods.eks.amazonaws.com"}


def trusting(**condition: Any) -> bool:
    return pinned(policy(trust(PODS, ["sts:AssumeRole", "sts:TagSession"], **condition)))  # type: ignore[arg-type]


def test_trust_that_pins() -> None:
    assert trusting() is False
    for key in ("aws:SourceAccount", "aws:SourceOrgId", "aws:RequestTag/eks-cluster-arn", "aws:RequestTag/kubernetes-namespace"):
        assert trusting(**when(StringEquals={key: "x"})) is True
    # https://github.com/awslabs/mountpoint-s3-csi-driver/issues/781 - ArnLike on the source pins, whatever else it breaks
    assert trusting(**when(ArnLike={"aws:SourceArn": "arn:aws:eks:us-east-1:111111111111:cluster/train"})) is True
    assert trusting(**when(StringLike={"aws:RequestTag/kubernetes-namespace": "team-*"})) is True


def test_trust_that_does_not() -> None:
    assert trusting(**when(StringEquals={"aws:RequestTag/team": "x"})) is False
    assert trusting(**when(StringEqualsIfExists={"aws:RequestTag/kubernetes-namespace": "x"})) is False, "a session without tags"
    assert trusting(**when(StringNotEquals={"aws:RequestTag/kubernetes-namespace": "x"})) is False
    assert trusting(**when(StringLike={"aws:RequestTag/kubernetes-namespace": "*"})) is False
    assert trusting(**when(Null={"aws:RequestTag/kubernetes-namespace": "false"})) is False


def test_each_statement_counts() -> None:
    tight = trust(PODS, **when(StringEquals={"aws:SourceAccount": OWN}))
    assert pinned(policy(tight, trust(PODS))) is False
    assert pinned(policy(tight, trust(PODS, "sts:TagSession"))) is True, "tags alone let nobody in"
    assert pinned(policy(tight, trust({"Service": "ec2.amazonaws.com"}))) is True
    assert pinned(policy(tight, trust(PODS, effect="Deny"))) is True


def association(name: str, namespace: str = "train", gaps: dict[str, Gap] | None = None, identity: str = ROLE) -> Resource:
    facts = {"identity": identity, "namespace": namespace}
    return thing("grant", name, POD, gaps, id=name, **{k: v for k, v in facts.items() if k not in (gaps or {})})


def role(**facts: Any) -> Resource:
    return thing("identity", "pods", id=ROLE, **{"trust_statements": policy(trust(PODS)), **facts})


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, fact)


def test_the_role_of_an_association() -> None:
    assert of(association("a"), "identity_pinned", role()) is False
    assert of(association("a"), "identity_pinned", role(trust_statements=[])) is True
    assert of(association("a"), "identity_pinned", gaps={"AWS::IAM::Role": DENIED}) is DENIED
    assert of(association("a", gaps={"identity": DENIED}), "identity_pinned") is DENIED
    hidden = thing("identity", "pods", gaps={"trust_statements": DENIED}, id=ROLE)
    assert of(association("a"), "identity_pinned", hidden) is DENIED


def test_namespaces_of_a_role() -> None:
    mine, same, other = association("a"), association("b"), association("c", "serve")
    assert of(mine, "identity_namespaces", same) == ["train"]
    assert of(mine, "identity_namespaces", same, other) == ["serve", "train"]
    assert of(mine, "identity_namespaces", association("d", "serve", identity=f"{ROLE}2")) == ["train"]


def test_namespaces_that_were_not_seen() -> None:
    hidden = association("b", gaps={"identity": DENIED})
    assert of(association("a"), "identity_namespaces", hidden) is DENIED
    assert of(association("a"), "identity_namespaces", gaps={POD: DENIED}) is DENIED
    assert of(association("a"), "identity_namespaces", hidden, association("c", "serve")) == ["serve", "train"], "two are enough"
    off = Gap(Reason.SERVICE_OFF, "eks:ListClusters", "")
    assert of(association("a"), "identity_namespaces", gaps={POD: off}) == ["train"]
    plan = planned("grant", "aws_eks_pod_identity_association.a", POD, identity="plan/aws_iam_role.r", namespace="train")
    assert of(plan, "identity_namespaces", gaps={POD: DENIED}) == ["train"]
    foreign = planned("grant", "aws_eks_pod_identity_association.b", POD, identity=ROLE, namespace="train")
    assert of(foreign, "identity_namespaces").remedy == "Scan the account as well."
