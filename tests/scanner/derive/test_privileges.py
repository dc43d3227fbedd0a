"""Ways to more permissions: one test a way, and what closes them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.derive import privileges
from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.escalations import PATHS, Path
from scanner.model import Gap, Resource
from tests.scanner.derive.statements import OTHER, OWN, grant, policy, trust, when
from tests.scanner.derive.things import planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

POLICY, ROLE, USER = "AWS::IAM::ManagedPolicy", "AWS::IAM::Role", "AWS::IAM::User"
ORGANISATION, GUARDRAIL = "AWS::Organizations::Organization", "AWS::Organizations::Policy"
SERVICES = sorted({p.service for p in PATHS if p.service})


def identity(name: str, *inline: dict[str, Any], native: str = ROLE, gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    sort = "role" if native == ROLE else "user"
    known = {
        "identity_type": sort,
        "inline_policies": [{"name": "p", "statements": policy(*inline)}],
        "attached_policies": [],
        "boundary": "",
        "group_ids": [],
        "service_linked": False,
        "id": f"arn:aws:iam::{OWN}:{sort}/{name}",
        **({"trust_statements": []} if native == ROLE else {}),
        **facts,
    }
    return thing("identity", name, native, gaps, **{k: v for k, v in known.items() if k not in (gaps or {})})


def managed(name: str, *found: dict[str, Any]) -> Resource:
    return thing("permission_set", name, id=f"arn:aws:iam::{OWN}:policy/{name}", statements=policy(*found))


ADMIN = identity(
    "admin",
    grant(),
    trust_statements=policy(
        *(trust({"Service": f"{s}.amazonaws.com"}) for s in SERVICES), trust({"AWS": f"arn:aws:iam::{OWN}:root"})
    ),
)


def of(subject: Resource, *others: Resource, gaps: dict[str, Gap] | None = None, fact: str = "escalations") -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, fact)


def ways(subject: Resource, *others: Resource, **more: Any) -> set[str] | Gap:
    found = of(subject, *others, **more)
    return found if isinstance(found, Gap) else {f["path"] for f in found}


def needed(path: Path) -> list[str]:
    return [*(["iam:PassRole"] if path.gains == "passed" else []), *(n.action for n in path.needs)]


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.id)
def test_each_way_is_found_and_takes_all_of_its_actions(path: Path) -> None:
    actions = needed(path)
    found = of(identity("r", grant(actions)), ADMIN)
    (entry,) = [f for f in found if f["path"] == path.id]
    assert entry == {"path": path.id, "actions": path.title, "source": path.source}
    for missing in actions:
        left = [a for a in actions if a != missing]
        assert path.id not in ways(identity("r", grant(left)), ADMIN)


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.id)
def test_a_deny_a_boundary_or_a_foreign_account_closes_each_way(path: Path) -> None:
    actions = needed(path)
    closing = policy(grant(actions), grant(actions[-1], effect="Deny"))
    assert path.id not in ways(identity("r", inline_policies=[{"name": "p", "statements": closing}]), ADMIN)
    narrow = managed("narrow", grant("s3:*"))
    assert path.id not in ways(identity("r", grant(actions), boundary=narrow.id), ADMIN, narrow)
    assert path.id not in ways(identity("r", grant(actions, f"arn:aws:*:*:{OTHER}:*")), ADMIN)


POOR = identity(
    "poor",
    grant("s3:GetObject"),
    trust_statements=policy(
        *(trust({"Service": f"{s}.amazonaws.com"}) for s in SERVICES), trust({"AWS": f"arn:aws:iam::{OWN}:root"})
    ),
)


@pytest.mark.parametrize("path", [p for p in PATHS if p.gains != "itself"], ids=lambda p: p.id)
def test_a_role_that_has_nothing_more_is_no_way(path: Path) -> None:
    found = policy(grant([n.action for n in path.needs]), grant("iam:PassRole", POOR.id))
    assert path.id not in ways(identity("r", inline_policies=[{"name": "p", "statements": found}]), POOR)


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        ("agentcore_interpreter", f"arn:aws:bedrock-agentcore:*:{OWN}:code-interpreter-custom/*"),
        ("agentcore_interpreter", f"arn:aws:bedrock-agentcore:*:{OWN}:code-interpreter/*"),
        ("pass_role_ecs_run_task", f"arn:aws:ecs:eu-west-1:{OWN}:task-definition/team:*"),
        ("pass_role_ecs_run_task", f"arn:aws:ecs:eu-west-1:{OWN}:task-definition/*"),
    ],
)
def test_resources_are_called_as_the_service_calls_them(path: str, resource: str) -> None:
    # https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonbedrockagentcore.html
    (found,) = [p for p in PATHS if p.id == path]
    statements = policy(grant([n.action for n in found.needs], resource), grant("iam:PassRole"))
    assert path in ways(identity("r", inline_policies=[{"name": "p", "statements": statements}]), ADMIN)


def test_actions_that_know_no_resources_are_allowed_on_everything_only() -> None:
    here = grant("glue:CreateDevEndpoint", f"arn:aws:glue:*:{OWN}:devEndpoint/*")
    found = policy(here, grant("iam:PassRole"))
    assert ways(identity("r", inline_policies=[{"name": "p", "statements": found}]), ADMIN) == set()


def test_looking_at_many_roles_knocks_at_few_doors() -> None:
    # what one role costs must not grow with the number of roles that have more
    rich = [identity(f"rich{i}", grant("iam:PutRolePolicy"), trust_statements=ADMIN.facts["trust_statements"]) for i in range(40)]
    passing = grant("iam:PassRole", f"arn:aws:iam::{OWN}:role/none-*")
    world = MemoryWorld([identity("r", passing, grant("s3:*")), *rich], None, DERIVATIONS)
    subject = world.resources["identity", f"arn:aws:iam::{OWN}:role/r"]
    others = privileges.rich(subject.scope, world)
    assert list(privileges._knocked(privileges.Look(subject, world), others)) == []


def test_the_table_is_whole() -> None:
    assert len({p.id for p in PATHS}) == len(PATHS)
    assert all(p.source.startswith("https://") for p in PATHS)
    assert all(p.service for p in PATHS if p.gains == "passed")
    assert all(":" in n.action for p in PATHS for n in p.needs)


def test_policies_of_one_identity_are_read_together() -> None:
    # https://github.com/prowler-cloud/prowler/issues/2636 and split policies: statements count per identity
    passing, running = managed("passing", grant("iam:PassRole")), managed("running", grant("sagemaker:CreateTrainingJob"))
    split = identity("r", attached_policies=[passing.id, running.id], inline_policies=[])
    assert ways(split, passing, running) == {"pass_role_sagemaker_training"}
    more = identity("r", grant("iam:PassRole"), inline_policies=[
        {"name": "a", "statements": policy(grant(["iam:PassRole", "sagemaker:CreateTrainingJob"]), grant("s3:GetObject"))}
    ])  # fmt: skip
    assert ways(more) == {"pass_role_sagemaker_training"}


def test_passing_alone_and_creating_alone_are_nothing() -> None:
    # https://github.com/prowler-cloud/prowler/pull/9879 and https://github.com/prowler-cloud/prowler/issues/3807
    assert ways(identity("r", grant("iam:PassRole")), ADMIN) == set()
    assert ways(identity("r", grant(["cloudformation:CreateStack", "cloudformation:DescribeStacks"])), ADMIN) == set()


def test_attaching_is_enough_by_itself() -> None:
    # https://github.com/salesforce/cloudsplaining/issues/580
    assert ways(identity("r", grant("iam:AttachRolePolicy"))) == {"attach_role_policy"}
    assert ways(identity("r", grant("iam:AttachRolePolicy", f"arn:aws:iam::{OWN}:role/r"))) == {"attach_role_policy"}
    assert ways(identity("r", grant("iam:AttachRolePolicy", f"arn:aws:iam::{OWN}:role/app-*"))) == set()


def test_named_roles_that_gain_nothing_break_the_way() -> None:
    both = ["iam:PassRole", "sagemaker:CreateTrainingJob"]
    poor = identity("poor", grant("s3:GetObject"), trust_statements=policy(trust({"Service": "sagemaker.amazonaws.com"})))
    naming = identity("r", inline_policies=[
        {"name": "p", "statements": policy(grant(both[1]), grant(both[0], poor.id))}
    ])  # fmt: skip
    assert ways(naming, poor, ADMIN) == set()
    rich = identity("r", inline_policies=[{"name": "p", "statements": policy(grant(both[1]), grant(both[0], ADMIN.id))}])
    assert ways(rich, poor, ADMIN) == {"pass_role_sagemaker_training"}
    untrusting = identity("admin", grant(), trust_statements=policy(trust({"Service": "ec2.amazonaws.com"})))
    assert ways(rich, untrusting) == set(), "SageMaker may not run as it"
    climber = identity(
        "climber", grant("iam:PutRolePolicy"), trust_statements=policy(trust({"Service": "sagemaker.amazonaws.com"}))
    )
    to_it = identity("r", inline_policies=[{"name": "p", "statements": policy(grant(both[1]), grant(both[0], climber.id))}])
    assert ways(to_it, climber) == {"pass_role_sagemaker_training"}, "it makes itself an administrator"


def test_passed_to_service_narrows() -> None:
    actions = ["sagemaker:CreateTrainingJob", "lambda:CreateFunction", "lambda:InvokeFunction"]
    only = grant("iam:PassRole", **when(StringEquals={"iam:PassedToService": "sagemaker.amazonaws.com"}))
    assert ways(identity("r", grant(actions), inline_policies=[{"name": "p", "statements": policy(grant(actions), only)}])) == {
        "pass_role_sagemaker_training"
    }


def test_conditions_that_a_caller_meets_do_not_close_a_way() -> None:
    needs = {"Bool": {"aws:MultiFactorAuthPresent": "true"}, "IpAddress": {"aws:SourceIp": "192.0.2.0/24"}}
    asking = grant("iam:PutRolePolicy", Condition=needs)
    refusing = grant("*", effect="Deny", **when(BoolIfExists={"aws:MultiFactorAuthPresent": "false"}))
    elsewhere = grant("*", effect="Deny", **when(NotIpAddress={"aws:SourceIp": "192.0.2.0/24"}))
    assert ways(identity("r", asking)) == {"put_role_policy"}
    assert ways(identity("r", inline_policies=[{"name": "p", "statements": policy(asking, refusing, elsewhere)}])) == {
        "put_role_policy"
    }
    far = grant("*", effect="Deny", **when(IpAddress={"aws:SourceIp": "192.0.2.0/24"}))
    assert ways(identity("r", inline_policies=[{"name": "p", "statements": policy(asking, far)}])) == set()
    old = grant("*", effect="Deny", **when(DateLessThan={"aws:TokenIssueTime": "2026-01-01T00:00:00Z"}))
    assert ways(identity("r", inline_policies=[{"name": "p", "statements": policy(asking, old)}])) == {"put_role_policy"}


def test_conditions_on_boundary_or_policy_close_a_way() -> None:
    bounded = grant("iam:PutRolePolicy", **when(StringEquals={"iam:PermissionsBoundary": f"arn:aws:iam::{OWN}:policy/edge"}))
    listed = grant("iam:AttachRolePolicy", **when(ArnEquals={"iam:PolicyARN": f"arn:aws:iam::{OWN}:policy/app-*"}))
    assert ways(identity("r", bounded)) == set()
    assert ways(identity("r", listed)) == set()


def test_a_key_that_is_not_known_is_shown() -> None:
    gap = ways(identity("r", grant("iam:PutRolePolicy", **when(StringEquals={"aws:ResourceTag/team": "ml"}))))
    assert isinstance(gap, Gap)
    assert "aws:resourcetag/team" in gap.detail
    tagged = grant("iam:PutRolePolicy", **when(StringEquals={"aws:PrincipalTag/team": "ml"}))
    assert ways(identity("r", tagged, tags={"team": "ml"})) == {"put_role_policy"}
    assert ways(identity("u", tagged, native=USER)) == set(), "a user has no tags but its own"
    assert isinstance(ways(identity("r", tagged)), Gap), "a session may bring tags"


def test_keys_of_its_own_are_no_gain() -> None:
    own = grant("iam:CreateAccessKey", f"arn:aws:iam::{OWN}:user/${{aws:username}}")
    assert ways(identity("ada", own, native=USER)) == set()
    assert ways(identity("ada", grant("iam:CreateAccessKey", f"arn:aws:iam::{OWN}:user/*"), native=USER)) == {"create_access_key"}
    boss = identity("boss", grant(), native=USER)
    assert ways(identity("ada", grant("iam:CreateAccessKey", boss.id), native=USER), boss) == {"create_access_key"}


def test_only_roles_that_have_more_are_worth_taking() -> None:
    session = identity("r", grant("ssm:StartSession"))
    assert ways(session) == set(), "nothing runs with more"
    assert ways(session, ADMIN) == {"ssm_start_session"}
    assert ways(session, gaps={ROLE: DENIED}) is DENIED
    assert ways(identity("r", grant("sts:AssumeRole", ADMIN.id)), ADMIN) == {"assume_role"}
    closed = identity("admin", grant(), trust_statements=policy(trust({"AWS": f"arn:aws:iam::{OWN}:role/other"})))
    assert ways(identity("r", grant("sts:AssumeRole")), closed) == set()
    everyone = identity("admin", grant(), trust_statements=policy(trust("*")))
    assert ways(identity("r"), everyone) == set(), "that anyone may take it is the role's own fault"
    assert ways(identity("r", grant("sts:AssumeRole")), everyone) == {"assume_role"}
    naming = identity("admin", grant(), trust_statements=policy(trust({"AWS": f"arn:aws:iam::{OWN}:role/r"})))
    assert ways(identity("r"), naming) == {"assume_role"}, "its trust policy is enough"


def test_what_was_not_seen_is_unknown() -> None:
    gone = f"arn:aws:iam::{OWN}:policy/gone"
    assert ways(identity("r", attached_policies=[gone]), gaps={POLICY: DENIED}) is DENIED
    assert ways(identity("r", grant("iam:PutRolePolicy"), attached_policies=[gone]), gaps={POLICY: DENIED}) is DENIED, "it may deny"
    shipped = "arn:aws:iam::aws:policy/AmazonS3FullAccess"
    assert ways(identity("r", grant("iam:PutRolePolicy"), attached_policies=[shipped])) == {"put_role_policy"}
    assert isinstance(ways(identity("r", attached_policies=[shipped])), Gap)
    assert ways(identity("r", grant("iam:PutRolePolicy"), gaps={"boundary": DENIED})) is DENIED


def test_a_plan_does_not_know_the_roles_of_the_account() -> None:
    facts = {
        "identity_type": "role",
        "attached_policies": [],
        "boundary": "",
        "group_ids": [],
        "service_linked": False,
        "trust_statements": [],
    }

    def role(*found: dict[str, Any]) -> Resource:
        return planned("identity", "aws_iam_role.r", **facts, inline_policies=[{"name": "p", "statements": policy(*found)}])

    assert ways(role(grant("iam:PutRolePolicy"))) == {"put_role_policy"}
    assert ways(role(grant(["iam:PassRole", "ec2:RunInstances"]))) == {"pass_role_ec2_run_instances"}
    assert isinstance(ways(role(grant("ssm:StartSession"))), Gap)
    named = role(grant("iam:PassRole", f"arn:aws:iam::{OWN}:role/x"), grant("ec2:RunInstances"))
    assert isinstance(ways(named), Gap)
    assert ways(role(grant("s3:GetObject"))) == set()


def organisation(
    *policies: tuple[str, list[str], list[dict[str, Any]]], sort: str = "service_control", **facts: Any
) -> list[Resource]:
    known = {
        "organisation_in_use": True,
        "organisation_id": "o-ours",
        "management_account": OTHER,
        "ancestors": ["r-root", "ou-ml", OWN],
        "id": f"arn:aws:organizations::{OWN}:organization",
        **facts,
    }
    return [
        thing("account", "organisation", ORGANISATION, **known),
        *(
            thing(
                "permission_set", name, GUARDRAIL, id=f"arn:p/{name}", policy_type=sort, targets=targets, statements=policy(*found)
            )
            for name, targets, found in policies
        ),
    ]


EVERYWHERE = ("full", ["r-root", "ou-ml", OWN], [grant()])


def test_policies_of_the_organisation_close_ways_where_they_were_seen() -> None:
    climber = identity("r", grant("iam:PutRolePolicy"))
    stop = ("stop", ["ou-ml"], [grant("iam:*", effect="Deny")])
    assert ways(climber, *organisation(EVERYWHERE, stop)) == set()
    assert of(climber, *organisation(EVERYWHERE, stop), fact="organisation_policies") == "seen"
    assert ways(climber, *organisation(EVERYWHERE, ("stop", ["ou-other"], [grant("iam:*", effect="Deny")]))) == {"put_role_policy"}
    assert ways(climber, *organisation(EVERYWHERE, stop, management_account=OWN)) == {"put_role_policy"}
    spared = [grant("iam:*", effect="Deny", **when(ArnNotLike={"aws:PrincipalArn": f"arn:aws:iam::{OWN}:role/r"}))]
    assert ways(climber, *organisation(EVERYWHERE, ("spare", ["r-root"], spared))) == {"put_role_policy"}
    listed = ("list", ["r-root"], [grant("s3:*")])
    assert ways(climber, *organisation(("full", ["ou-ml", OWN], [grant()]), listed)) == set(), "every level has to allow"
    assert ways(climber, *organisation(sort="service_control")) == {"put_role_policy"}, "none are enabled"


def test_where_the_organisation_was_not_seen_it_makes_nothing_worse() -> None:
    climber = identity("r", grant("iam:PutRolePolicy"))
    hidden = organisation()
    assert ways(climber, *hidden, gaps={GUARDRAIL: DENIED}) == {"put_role_policy"}
    assert of(climber, *hidden, gaps={GUARDRAIL: DENIED}, fact="organisation_policies") == "unseen"
    assert of(climber, fact="organisation_policies") == "unseen"
    alone = organisation(organisation_in_use=False, organisation_id="", management_account="", ancestors=[])
    assert of(climber, *alone, gaps={GUARDRAIL: DENIED}, fact="organisation_policies") == "seen"


def test_who_makes_roles_is_bound() -> None:
    def makes(subject: Resource, *others: Resource, **more: Any) -> Any:
        return of(subject, *others, fact="makes_unbounded_roles", **more)

    edge = managed("edge", grant())
    asked = when(StringEquals={"iam:PermissionsBoundary": edge.id})
    assert makes(identity("r", grant("iam:*"))) == ["iam:CreateRole", "iam:PutRolePolicy", "iam:AttachRolePolicy"]
    assert makes(identity("r", grant("iam:CreateRole", f"arn:aws:iam::{OWN}:role/app-*"))) == ["iam:CreateRole"]
    assert makes(identity("r", grant("iam:CreateRole", **asked))) == []
    assert makes(identity("r", grant("iam:*"), boundary=edge.id), edge) == []
    assert makes(identity("r", grant("iam:*"), gaps={"boundary": DENIED})) is DENIED
    denied = grant("iam:*", effect="Deny", **when(StringNotEquals={"iam:PermissionsBoundary": edge.id}))
    assert makes(identity("r", inline_policies=[{"name": "p", "statements": policy(grant("iam:CreateRole"), denied)}])) == []


def test_services_that_an_organisation_guards() -> None:
    def guarded(*found: tuple[str, list[str], list[dict[str, Any]]], **more: Any) -> Any:
        account, *policies = organisation(*found)
        return of(account, *policies, fact="guarded_services", **more)

    everything = ["cloudtrail:StopLogging", "kms:ScheduleKeyDeletion", "guardduty:DeleteDetector"]
    spare = when(ArnNotLike={"aws:PrincipalArn": "arn:aws:iam::*:role/security"})
    assert guarded(EVERYWHERE, ("keep", ["r-root"], [grant(everything, effect="Deny", **spare)])) == [
        "cloudtrail",
        "guardduty",
        "kms",
    ]
    assert guarded(EVERYWHERE, ("keep", ["ou-ml"], [grant("kms:*", effect="Deny")])) == ["kms"]
    assert guarded(EVERYWHERE) == []
    assert guarded(EVERYWHERE, gaps={GUARDRAIL: DENIED}) is DENIED


SOME = [
    grant(),
    grant("iam:*"),
    grant("iam:PassRole"),
    grant("s3:GetObject"),
    grant(["iam:CreatePolicyVersion", "lambda:*"]),
    grant("iam:*", effect="Deny"),
    grant("*", **when(StringEquals={"aws:RequestedRegion": "eu-west-1"})),
    {"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"},
]
"""Statements that decide much, little, and in odd ways."""
AWS_OWN = "arn:aws:iam::aws:policy/NobodyHasSeenThis"


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(SOME), max_size=3),
    st.lists(st.sampled_from(["narrow", "gone", AWS_OWN]), max_size=2, unique=True),
    st.sampled_from(["", "narrow", "gone"]),
    st.sampled_from([None, "inline_policies", "attached_policies", "boundary"]),
    st.sampled_from(["role", "user"]),
)
def test_what_is_settled_quickly_is_what_a_search_finds(found, attached, boundary, hidden, sort):
    """Whoever has everything, or policies that nobody has seen, is not searched: 61 ways took 3 ms for each such role."""
    narrow = managed("narrow", grant("s3:*"))
    ids = {"narrow": narrow.id, "gone": f"arn:aws:iam::{OWN}:policy/gone"}
    subject = identity(
        "r",
        *found,
        native=ROLE if sort == "role" else USER,
        gaps={hidden: DENIED} if hidden else None,
        attached_policies=[ids.get(a, a) for a in attached],
        boundary=ids.get(boundary, boundary),
    )
    quickly = of(subject, ADMIN, narrow)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(privileges.Look, "quick", lambda *_: None)
        assert of(subject, ADMIN, narrow) == quickly
