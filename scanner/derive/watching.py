"""What the settings of an account, in one region, say together with others: who analyses access, what is recorded, what is in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scanner.derive import placement
from scanner.derive.names import SCAN_ACCOUNT, missed, planned, unseen
from scanner.derive.organisation import ORGANISATION, fellows
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

ANALYZER, RECORDER = "AWS::AccessAnalyzer::Analyzer", "AWS::Config::ConfigurationRecorder"
LOGGING, EXCLUSION = "AWS::Bedrock::ModelInvocationLogging", "AWS::EC2::VPCBlockPublicAccessExclusion"
DOOR = "AWS::EC2::VPCEndpoint"
BEDROCK = (
    "AWS::Bedrock::CustomModel",
    "AWS::Bedrock::ImportedModel",
    "AWS::Bedrock::Guardrail",
    "AWS::Bedrock::Agent",
    "AWS::Bedrock::DataSource",
    "AWS::BedrockAgentCore::Runtime",
)
Place = tuple[str, str]
"""(scope, region)."""

# Access Analyzer


def analyzed(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether an analyser looks at the account: its own, or one of an organisation in whichever account that was seen."""
    every = world.memo("watching.analyzers", lambda: [a for a in world.all("account") if a.native_type == ANALYZER])
    here = [a for a in every if a.scope == account.scope]
    away = [] if planned(account) else [a for a in every if a.scope != account.scope and not planned(a)]
    external = any_of(
        (
            *(_has(a, ("ACCOUNT", "ORGANIZATION"), world) for a in here if a.region == account.region),
            *(_shares(account, a, "ORGANIZATION", world) for a in away if a.region == account.region),
        )
    )
    unused = any_of(
        (
            *(_has(a, ("ACCOUNT_UNUSED_ACCESS", "ORGANIZATION_UNUSED_ACCESS"), world) for a in here),
            *(_shares(account, a, "ORGANIZATION_UNUSED_ACCESS", world) for a in away),
            *((gap,) if (gap := world.listing(ANALYZER, account.scope)) is not None and not planned(account) else ()),
        )
    )
    return {
        "external_access_analyzed": _or_elsewhere(external, account, world),
        "unused_access_analyzed": _or_elsewhere(unused, account, world),
    }


def _has(account: Resource, types: tuple[str, ...], world: World) -> Truth:
    found = world.fact(account, "analyzers")
    return found if isinstance(found, Gap) else bool(set(types) & set(found))


def _shares(account: Resource, other: Resource, kind: str, world: World) -> Truth:
    """An analyser of another account looks at the whole organisation, and the account is in it."""
    return all_of((_has(other, (kind,), world), fellows(account.scope, other.scope, world)))


def _or_elsewhere(truth: Truth, account: Resource, world: World) -> Truth:
    """No analyser was seen: one of the organisation may be in an account that was not."""
    if truth is not False:
        return truth
    if planned(account):
        return Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "no analyser of the plan does; one of the account may")
    elsewhere = world.fact(account, "analyzed_elsewhere")
    if isinstance(elsewhere, Gap) or not elsewhere:
        return elsewhere if isinstance(elsewhere, Gap) else False
    said = "it is in an organisation, of which an analyser elsewhere may look at it"
    return Gap(Reason.NOT_OFFERED, "", "Scan the account that administers Access Analyzer as well.", said)


# Config


def global_types(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether some recorder of the account, of any region, is on and records users, roles and policies."""
    recorders = world.memo("watching.recorders", lambda: _recorders(world))
    truth = any_of((*recorders.get(account.scope, ()), *_missed(RECORDER, account, world)))
    if truth is False and planned(account):
        truth = Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "no recorder of the plan does; one of another region may")
    return {"global_types_recorded": truth}


def _missed(native: str, account: Resource, world: World) -> Iterator[Gap]:
    return missed([None if planned(account) else world.listing(native, account.scope)])


def _recorders(world: World) -> dict[str, list[Truth]]:
    found: dict[str, list[Truth]] = {}
    for recorder in world.all("account"):
        if recorder.native_type == RECORDER:
            state, types = world.fact(recorder, "recorder"), world.fact(recorder, "aws.global_types")
            gap = next((f for f in (state, types) if isinstance(f, Gap)), None)
            off = state in {"off", "none"} or types is False
            found.setdefault(recorder.scope, []).append(False if off else gap or state == "on")
    return found


# Bedrock


def bedrock_in_use(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a region uses Bedrock, as far as its resources tell: calls on demand leave none behind."""
    if planned(account):
        return {"bedrock_in_use": True}  # a plan that sets its logging means to use it
    used, gaps = world.memo("watching.bedrock", lambda: _bedrock(world))
    place = (account.scope, account.region)
    if place in used or account.facts.get("invocations_logged") is True:
        return {"bedrock_in_use": True}
    listings = (world.listing(native, *place) for native in (*BEDROCK, DOOR))
    return {"bedrock_in_use": gaps.get(place) or next(missed(listings), None) or False}


def _bedrock(world: World) -> tuple[set[Place], dict[Place, Gap]]:
    used = {(m.scope, m.region) for m in world.all("model_service") if m.native_type in BEDROCK}
    gaps: dict[Place, Gap] = {}
    for door in world.all("private_endpoint"):
        service = world.fact(door, "service")
        if isinstance(service, Gap):
            gaps.setdefault((door.scope, door.region), service)
        elif str(service).startswith("bedrock"):
            used.add((door.scope, door.region))
    return used, gaps


# exclusions from blocks


def excludes_accelerators(exclusion: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether the network or subnet that is left out of the block holds accelerator nodes."""
    target = world.fact(exclusion, "excluded_id")
    if isinstance(target, Gap):
        return {"excludes_accelerators": target}
    for kind in ("network", "subnet"):
        place = world.get(kind, str(target))
        if place is not None:
            truth = any_of((placement.answer(place, "accelerators", world), _of_factory(place, world)))
            if truth is False and planned(exclusion):
                truth = Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, f"what stands in {target} is not in the plan")
            return {"excludes_accelerators": truth}
    native = "AWS::EC2::Subnet" if "subnet" in str(target) else "AWS::EC2::VPC"
    return {"excludes_accelerators": unseen(world, native, exclusion, str(target))}


def _of_factory(place: Resource, world: World) -> Truth:
    """A place that tags or a zone give to accelerators, though none may stand there just now."""
    role = world.fact(place, "ai_role")
    return role if isinstance(role, Gap) else role in {"training", "inference", "fabric"}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "account",
        ("external_access_analyzed", "unused_access_analyzed"),
        analyzed,
        needs=("analyzed_elsewhere",),
        reads={ANALYZER: ("analyzers",), ORGANISATION: ("organisation_id",)},
        native_types=(ANALYZER,),
    ),
    Derivation(
        "account",
        ("global_types_recorded",),
        global_types,
        reads={RECORDER: ("recorder", "aws.global_types")},
        native_types=(RECORDER,),
    ),
    Derivation(
        "account",
        ("bedrock_in_use",),
        bedrock_in_use,
        needs=("invocations_logged",),
        reads={**dict.fromkeys(BEDROCK, ()), DOOR: ("service",)},
        native_types=(LOGGING,),
    ),
    Derivation(
        "account",
        ("excludes_accelerators",),
        excludes_accelerators,
        needs=("excluded_id",),
        reads={"AWS::EC2::VPC": (), "AWS::EC2::Subnet": (), **placement.READS},
        native_types=(EXCLUSION,),
    ),
)
