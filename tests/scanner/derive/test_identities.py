"""What identities are granted, over all their policies."""

from __future__ import annotations

from typing import Any

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import OTHER, OWN, grant, policy, trust, when
from tests.scanner.derive.things import AFTER, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

POLICY = "AWS::IAM::ManagedPolicy"
ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess"


def managed(name: str, *found: dict[str, Any]) -> Resource:
    return thing(
        "permission_set", name, id=f"arn:aws:iam::{OWN}:policy/{name}", statements=policy(*found), attachments=1, system=False
    )


def role(
    *inline: dict[str, Any], attached: tuple[str, ...] = (), boundary: str = "", gaps: dict[str, Gap] | None = None
) -> Resource:
    facts: dict[str, Any] = {
        "inline_policies": [{"name": f"p{n}", "statements": policy(s)} for n, s in enumerate(inline)],
        "attached_policies": list(attached),
        "boundary": boundary,
    }
    known = {k: v for k, v in facts.items() if k not in (gaps or {})}
    return thing("identity", "r", gaps=gaps, id=f"arn:aws:iam::{OWN}:role/r", identity_type="role", **known)


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, fact)


def test_inline_and_attached_count() -> None:
    everything, reader = managed("all", grant()), managed("reader", grant("s3:Get*"))
    assert of(role(grant()), "grants_admin") is True
    assert of(role(attached=(reader.id, everything.id)), "grants_admin", everything, reader) is True
    assert of(role(grant("s3:*"), attached=(reader.id,)), "grants_admin", reader) is False
    assert of(role(grant("s3:*"), attached=(reader.id,)), "data_wildcards", reader) == ["s3"]
    assert of(role(grant("iam:PassRole")), "pass_role_any") is True
    assert of(everything, "grants_admin") is True


def test_what_was_not_seen_is_unknown_unless_what_was_settles_it() -> None:
    missing = f"arn:aws:iam::{OWN}:policy/gone"
    assert of(role(attached=(missing,)), "grants_admin", gaps={POLICY: DENIED}) is DENIED
    assert of(role(attached=(missing,)), "grants_admin").reason is Reason.NOT_OFFERED
    assert of(role(grant(), attached=(missing,)), "grants_admin") is True
    assert of(role(gaps={"inline_policies": DENIED}), "grants_admin") is DENIED
    assert of(role(grant(), gaps={"attached_policies": AFTER}), "grants_admin") is True
    assert of(role(grant("s3:*"), gaps={"attached_policies": AFTER}), "grants_admin") is AFTER


def test_policies_of_aws_that_a_plan_names() -> None:
    plan = planned("identity", "aws_iam_role.r", inline_policies=[], attached_policies=[ADMIN], boundary="")
    assert of(plan, "grants_admin") is True
    other = planned(
        "identity",
        "aws_iam_role.r",
        inline_policies=[],
        attached_policies=["arn:aws:iam::aws:policy/AmazonS3FullAccess"],
        boundary="",
    )
    assert of(other, "grants_admin") is False, "AWS has one policy that allows everything"
    assert of(other, "data_wildcards").remedy == "Scan the account as well."


def test_pmapper_94_a_boundary_limits_what_is_granted() -> None:
    narrow, wide = managed("narrow", grant("s3:*")), managed("wide", grant())
    assert of(role(grant(), boundary=narrow.id), "grants_admin", narrow) is False
    assert of(role(grant(), boundary=wide.id), "grants_admin", wide) is True
    assert of(role(grant(["s3:*", "fsx:*"]), boundary=narrow.id), "data_wildcards", narrow) == ["s3"]
    assert of(role(grant("iam:PassRole"), boundary=narrow.id), "pass_role_any", narrow) is False
    assert of(role(grant(), boundary=f"arn:aws:iam::{OWN}:policy/x"), "grants_admin", gaps={POLICY: DENIED}) is DENIED
    assert of(role(grant("s3:Get*"), boundary=f"arn:aws:iam::{OWN}:policy/x"), "grants_admin", gaps={POLICY: DENIED}) is False
    assert of(role(grant(), gaps={"boundary": DENIED}), "grants_admin") is DENIED


def test_a_deny_in_one_policy_takes_back_what_another_allows() -> None:
    everything, stop = managed("all", grant()), managed("stop", grant("*", effect="Deny"))
    assert of(role(attached=(everything.id, stop.id)), "grants_admin", everything, stop) is False
    assert of(role(grant("s3:*"), grant("s3:*", effect="Deny")), "data_wildcards") == []
    assert of(role(grant("iam:PassRole"), grant("iam:*", effect="Deny")), "pass_role_any") is False
    some = grant("*", effect="Deny", **when(StringEquals={"aws:RequestedRegion": "eu-west-1"}))
    assert of(role(grant(), some), "grants_admin") is True, "a Deny with conditions leaves some of it"


def trusting(*found: dict[str, Any]) -> Resource:
    return thing("identity", "r", id=f"arn:aws:iam::{OWN}:role/r", trust_statements=policy(*found))


def test_trust() -> None:
    third = {"AWS": f"arn:aws:iam::{OTHER}:root"}
    assert of(trusting(trust("*")), "trust_public") == "yes"
    assert of(trusting(trust({"Service": "ec2.amazonaws.com"})), "trust_public") == "no"
    assert of(trusting(trust(third)), "trust_foreign") == [OTHER]
    assert of(trusting(trust(third, **when(StringEquals={"sts:ExternalId": "x"}))), "trust_foreign") == []
    assert of(trusting(trust(third, **when(StringEquals={"aws:PrincipalOrgID": "o-ours"}))), "trust_foreign") == []
    assert isinstance(of(trusting(trust("*", **when(StringEquals={"sts:ExternalId": "x"}))), "trust_public"), Gap)
    assert of(trusting(trust(third)), "trust_oidc") == []
    odd = trust({"AWS": "arn:aws:iam::333333333333:root"}, **when(StringEquals={"aws:Mystery": "x"}))
    assert of(trusting(trust(third)), "trust_foreign_settled") is True
    assert of(trusting(trust(third), odd), "trust_foreign") == [OTHER]
    assert isinstance(of(trusting(trust(third), odd), "trust_foreign_settled"), Gap), "there may be more, whom nobody trusts"
    dark = thing("identity", "r", gaps={"trust_statements": DENIED})
    # accounts of the organisation are no strangers; where they may not be listed, nobody is one for certain
    ours = thing("account", "o", "AWS::Organizations::Organization", organisation_accounts=[OWN, OTHER])
    hidden = thing("account", "o", "AWS::Organizations::Organization", {"organisation_accounts": DENIED})
    facts = ("trust_foreign", "trust_foreign_settled", "trust_unplaced", "trust_foreign_resolved")
    role = trusting(trust(third))
    assert [MemoryWorld([role, ours], None, DERIVATIONS).fact(role, f) for f in facts] == [[], True, [], True]
    assert [MemoryWorld([role, hidden], None, DERIVATIONS).fact(role, f) for f in facts] == [[], True, [OTHER], DENIED]
    assert {of(dark, f) for f in ("trust_public", "trust_foreign", "trust_oidc")} == {DENIED}
