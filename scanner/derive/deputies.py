"""Services that a policy lets in: whether they may be used by others than the account itself (the confused deputy).

A service principal stands for every customer of the service, unless a condition says for whom it may act.
https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html#cross-service-confused-deputy-prevention
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.conditions import Operator, values_reach
from scanner.derive.globs import any_covers
from scanner.derive.operators import unknown
from scanner.derive.policy import Statement
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
        "osis",
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
not, and with some (CloudTrail to log groups, Elastic Transcoder) the condition breaks the role."""
ASKING = frozenset({"bedrock", "cloudtrail", "config", "delivery.logs", "events", "logging.s3", "s3", "sagemaker", "sns"})
"""Services of which the pages say so where they ask for a resource."""
TAKES = ("sts:assumerole",)


def services(statements: Iterable[Statement], known: Iterable[str], actions: Iterable[str] = ()) -> dict[str, bool | Gap]:
    """Service → whether each Allow of it says for whom it may act; of those in `known` alone, and of statements on one of `actions`."""
    wanted, names = tuple(actions), set(known)
    found: dict[str, bool | Gap] = {}
    for allow in (s for s in statements if s["effect"] == "Allow"):
        if wanted and not any(any_covers([a.lower() for a in allow["actions"]], w) for w in wanted):
            continue
        scoped = _scoped(allow["conditions"])
        for principal in allow["principals"]:
            service = _service(str(principal))
            if service in names:
                found[service] = _worse(found.get(service, True), scoped)
    return found


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
        if key not in SOURCE_KEYS:
            continue
        # NOTE: these services always send the keys, so `IfExists` changes nothing
        reach = values_reach(condition) if operator.compares and not operator.negated else "unclear"
        if reach == "closed":
            return True
        if reach != "open":
            gap = gap or unknown(key)
    return gap or False


def trusted_services(role: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Services of `TAKING` that may take a role, and those of them that may do so for anyone."""
    statements: Any = world.fact(role, "trust_statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(FACTS, statements)
    found = services(statements, TAKING, TAKES)
    gap = next((v for v in found.values() if isinstance(v, Gap)), None)
    loose = sorted(name for name, scoped in found.items() if scoped is False)
    return {"trust_services": sorted(found), "trust_services_unscoped": loose if loose or gap is None else gap}


FACTS = ("trust_services", "trust_services_unscoped")
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("identity", FACTS, trusted_services, needs=("trust_statements",), native_types=(ROLE,)),
)
