"""Services that a policy lets in: whether they may be used by others than the account itself (the confused deputy).

A service principal stands for every customer of the service, unless a condition says for whom it may act.
https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html#cross-service-confused-deputy-prevention
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.conditions import Operator, reach, values_reach
from scanner.derive.effective import speaks
from scanner.derive.globs import overlaps
from scanner.derive.operators import unknown
from scanner.derive.organisation import READS, resource_denials
from scanner.derive.policy import Statement, actions, everyone, takes
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

ROLE = "AWS::IAM::Role"
SOURCE_KEYS = frozenset({"aws:sourceaccount", "aws:sourcearn", "aws:sourceowner", "aws:sourceorgid", "aws:sourceorgpaths"})
TAKING = frozenset(
    {
        "bedrock",
        "bedrock-agentcore",
        "codebuild",
        "comprehend",
        "datasync",
        "firehose",
        "glue",
        "osis-pipelines",
        "personalize",
        "pipes",
        "sagemaker",
        "scheduler",
        "states",
        "transcribe",
        "vpc-flow-logs",
    }
)
"""Services of which the pages on confused deputies say that they send the keys where they take a role. EC2, ECS tasks and Lambda do
not, and with some (CloudTrail to log groups, Elastic Transcoder) the condition breaks the role.

Pages: `…/cross-service-confused-deputy-prevention.html` of Bedrock, CodeBuild, Comprehend, DataSync, Glue, Personalize, SageMaker,
Scheduler and Transcribe; and those on the roles of AgentCore, Firehose, OpenSearch Ingestion
(https://docs.aws.amazon.com/opensearch-service/latest/developerguide/configure-client-sqs.html), Pipes, Step Functions and flow logs."""
SECRET = frozenset({"sts:externalid"})
"""Firehose sends its customer's account as the external id; who sends none does not get in where one is asked for.
https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html#firehose-assume-role"""
BESIDES = (
    ("null", "aws:sourceaccount", "false"),
    ("null", "aws:sourcearn", "false"),
    ("bool", "aws:principalisawsservice", "true"),
)
"""Conditions that a service which sends the keys always meets, so that a Deny with them still strikes it:
https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_examples.html"""
ASKING = frozenset({"bedrock", "cloudtrail", "config", "delivery.logs", "events", "logging.s3", "s3", "sns"})
"""Services of which the pages say so where they ask for a resource: Bedrock's log of invocations, CloudTrail's and Config's buckets,
access logs (`logging.s3`, `delivery.logs`), and notifications of S3, SNS and EventBridge."""
TAKES = "sts:assumerole"


def services(statements: Iterable[Statement], known: Iterable[str], about: str = "") -> dict[str, bool | Gap]:
    """Service → whether each Allow of it says for whom it may act, or a Deny does; of those in `known` alone, and of statements on one action."""
    every, names = list(statements), set(known)
    found: dict[str, bool | Gap] = {}
    for allow in (s for s in every if s["effect"] == "Allow" and (not about or speaks(s, about))):
        for principal in allow["principals"]:
            service = _service(str(principal))
            if service in names:
                scoped = _scoped(allow["conditions"])
                scoped = scoped if scoped is True else _fenced(allow, str(principal), every) or scoped
                found[service] = _worse(found.get(service, True), scoped)
    return found


def _fenced(allow: Statement, principal: str, statements: Iterable[Statement]) -> bool | Gap:
    """A Deny takes all that an Allow gives back from a service that acts for others; a gap where it may be that it does."""
    gap: Gap | None = None
    for deny in (s for s in statements if s["effect"] == "Deny" and _touches(s, allow)):
        fence = _fence(deny, principal)
        if fence is True and takes(deny, allow):
            return True
        if fence is not False:
            gap = gap or unknown(*sorted({str(c["key"]) for c in deny["conditions"]}))
    return gap or False


def _touches(deny: Statement, allow: Statement) -> bool:
    """They may speak of the same action."""
    return bool(deny["not_actions"]) or any(overlaps(d.lower(), a.lower()) for d in deny["actions"] for a in actions(allow))


def _fence(deny: Statement, principal: str) -> bool | Gap:
    """The Deny strikes a service wherever it acts for somebody else."""
    if not (everyone(deny) or principal in deny["principals"]):
        return False
    sources = [c for c in deny["conditions"] if c["key"] in SOURCE_KEYS and Operator.parse(str(c["operator"])).negated]
    rest = [c for c in deny["conditions"] if c not in sources]
    if len(sources) != 1:
        return unknown(*(str(c["key"]) for c in sources)) if sources else False
    known = values_reach(sources[0]) == "closed" and Operator.parse(str(sources[0]["operator"])).compares
    besides = all((str(c["operator"]).lower().removesuffix("ifexists"), c["key"], *c["values"]) in BESIDES for c in rest)
    return True if known and besides else unknown(*(str(c["key"]) for c in deny["conditions"]))


def _service(principal: str) -> str:
    """`Service:glue.amazonaws.com` → `glue`; the region in a name counts for nothing."""
    if not principal.startswith("Service:"):
        return ""
    name = principal.removeprefix("Service:").removesuffix(".cn").removesuffix(".amazonaws.com")
    parts = name.split(".")
    return ".".join(p for p in parts if not _is_region(p))


def _is_region(text: str) -> bool:
    parts = text.split("-")
    return len(parts) > 2 and parts[-1].isdigit() and len(parts[0]) == 2  # noqa: PLR2004 - `eu-west-1`


def _worse(one: bool | Gap, other: bool | Gap) -> bool | Gap:  # noqa: FBT001 - values
    if one is False or other is False:
        return False
    return one if isinstance(one, Gap) else other


def _scoped(conditions: Iterable[Mapping[str, Any]]) -> bool | Gap:
    """The conditions say for whom a service may act; a gap where they hang on keys that are not understood."""
    gap: Gap | None = None
    for condition in conditions:
        key, operator = str(condition["key"]), Operator.parse(str(condition["operator"]))
        if key in SECRET and reach([condition], secret=SECRET) == "closed":
            return True
        if key not in SOURCE_KEYS:
            continue
        # NOTE: these services always send the keys, so `IfExists` changes nothing
        whom = values_reach(condition) if operator.compares and not operator.negated else "unclear"
        if whom == "closed":
            return True
        if whom != "open":
            gap = gap or unknown(key)
    return gap or False


def trusted_services(role: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Services of `TAKING` that may take a role, and those of them that may do so for anyone."""
    statements: Any = world.fact(role, "trust_statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(FACTS, statements)
    found = services([*statements, *resource_denials(role.scope, world)], TAKING, TAKES)
    gap = next((v for v in found.values() if isinstance(v, Gap)), None)
    loose = sorted(name for name, scoped in found.items() if scoped is False)
    return {"trust_services": sorted(found), "trust_services_unscoped": loose if loose or gap is None else gap}


FACTS = ("trust_services", "trust_services_unscoped")
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("identity", FACTS, trusted_services, needs=("trust_statements",), reads=READS, native_types=(ROLE,)),
)
