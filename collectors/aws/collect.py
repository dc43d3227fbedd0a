"""From credentials to a collected account: who asks, in which regions, and then the tables."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from collectors.ask import Fault, Sink
from collectors.aws.client import BotoClient, session_for
from collectors.aws.models import Models
from collectors.aws.tables import TABLES
from collectors.demand import Demand
from collectors.permissions import questions
from collectors.project import look
from collectors.run import Limits, Scope, answer, collect
from collectors.table import Call, Table
from scanner.model import BartizanError, Coverage, Extent, Gap, Reason, Source, frozen

IDENTITY = Call("sts", "get_caller_identity", take="")
REGIONS = Call("ec2", "describe_regions", fixed={"AllRegions": True}, take="Regions")
DEFAULT_REGION = "us-east-1"
WINDOW = timedelta(days=30)
"""How far back lists that never end are looked at."""
OTHER_PARTITIONS = ("us-gov-", "cn-", "us-iso", "eu-isoe-", "eusc-")
"""Prefixes of regions that the default region knows nothing of."""
SETUP: tuple[Call, ...] = (REGIONS,)
"""Calls beside the tables'. GetCallerIdentity needs no permission."""


def asked_methods() -> dict[str, frozenset[str]]:
    """Service → the methods of its client that a scan may call."""
    found: dict[str, set[str]] = {}
    for question in questions(TABLES, None, (IDENTITY, *SETUP)):
        found.setdefault(question.service, set()).add(question.operation)
    found.pop("sts")  # NOTE: the SDK itself asks more of it: it assumes roles
    return {service: frozenset(methods) for service, methods in found.items()}


@frozen
class Options:
    """What `scan aws` takes."""

    profile: str | None = None
    role: str | None = None
    """ARN of a role to assume; for several accounts the name that it has in each."""
    external_id: str | None = None
    regions: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    """Ids of the accounts to look at; the caller's own where none is named."""
    organization: bool = False
    """Look at all accounts of the organisation, or at those of `accounts`, which must be in it."""
    endpoint: str | None = None
    """Where to ask instead of AWS; boto3 reads AWS_ENDPOINT_URL by itself."""
    credentials: Mapping[str, str] | None = None
    """Fixed credentials (`aws_access_key_id`, …) instead of the usual search for them: the demo's."""


@dataclass(slots=True)
class Account:
    """An account that answered."""

    client: BotoClient
    scope: Scope
    source: Source
    off: Sequence[str]
    """Regions asked for that the account has not enabled."""


class UnreachableError(BartizanError):
    """Nobody answers, or says in which regions to look (exit 3)."""

    def __init__(self, text: str, fault: Fault | None = None) -> None:
        super().__init__(text, code=3)
        self.fault = fault


def connect(options: Options, now: str, concurrency: int, models: Models | None = None) -> Account:
    """Find out who asks and where. Raises UnreachableError where nobody answers, BartizanError where a region does not exist."""
    # NOTE: a mistyped region must not be the one that is asked which regions there are
    elsewhere = next((r for r in options.regions if r.startswith(OTHER_PARTITIONS)), None)
    session = session_for(
        profile=options.profile,
        role=options.role,
        external_id=options.external_id,
        region=elsewhere,
        credentials=options.credentials,
    )
    home = session.region_name or DEFAULT_REGION
    client = BotoClient(session, options.endpoint, pool=concurrency + 4, models=models or Models(asked_methods()))
    identity = _ask(client, IDENTITY, home)
    if isinstance(identity, Fault):
        raise UnreachableError(_unreachable(client, IDENTITY, identity, home), identity)
    partition, account = identity["Arn"].split(":")[1], identity["Account"]
    regions, off = _regions(client, options.regions, home)
    context = {"account": account, "partition": partition, "since": since(now)}
    scope = Scope(account, regions, home if home in regions else regions[0], context)
    source = Source(f"aws:{account}", "live", "aws", account, identity["Arn"], now)
    return Account(client, scope, source, off)


def since(now: str) -> str:
    """The moment from which on lists that never end (jobs) are asked."""
    return (datetime.fromisoformat(now) - WINDOW).isoformat()


def _ask(client: BotoClient, question: Call, region: str) -> Any:
    """The first answer to a question, or its `Fault`."""
    pages = client.pages(question, dict(question.fixed), region)
    got = answer(client, lambda: next(pages))
    return got if isinstance(got, Fault) else got[0]


def ask_all(client: BotoClient, question: Call, region: str) -> list[Any]:
    """All items of a listing. Raises UnreachableError where it fails: without it nobody knows what there is to look at."""
    pages = client.pages(question, dict(question.fixed), region)
    found: list[Any] = []
    while (got := answer(client, lambda: next(pages))) is not None:
        if isinstance(got, Fault):
            allow = f" Allow {', '.join(client.actions(question))}, in the management account or one that may act for it."
            remedy = got.remedy or (allow if got.reason is Reason.DENIED else "")
            raise UnreachableError(f"AWS: {client.title(question)} failed: {got.code}: {got.detail}.{remedy}", got)
        found += look(question.take, got[0]) or []
    return found


def _unreachable(client: BotoClient, question: Call, fault: Fault, region: str) -> str:
    what = client.title(question)
    if fault.code in ("NoCredentialsError", "PartialCredentialsError"):
        return "AWS: no credentials. Log in (aws sso login), give --profile, or set AWS_PROFILE; for a CI job use OIDC and --role."
    if fault.reason is Reason.TIMEOUT:
        return f"AWS: {what} in {region} got no answer: {fault.detail}. Check the network, the proxy and AWS_ENDPOINT_URL."
    return f"AWS: {what} in {region} failed: {fault.code}: {fault.detail}. {fault.remedy}".rstrip()


def _regions(client: BotoClient, asked: Sequence[str], home: str) -> tuple[list[str], list[str]]:
    """(regions to look at, regions asked for that are off)."""
    said = _ask(client, REGIONS, home)
    if isinstance(said, Fault):
        if asked:
            return list(asked), []  # NOTE: then each region speaks for itself, listing by listing
        text = f"AWS: the account's regions are unknown ({said.code}: {said.detail}). Allow ec2:DescribeRegions, or name them with --regions."
        raise UnreachableError(text, said)
    status = {r["RegionName"]: r.get("OptInStatus", "opt-in-not-required") for r in said["Regions"]}
    unknown = [r for r in asked if r not in status]
    if unknown:
        raise BartizanError(f"--regions {', '.join(unknown)}: no such region. Known are {', '.join(sorted(status))}.")
    on = [r for r in (asked or sorted(status)) if status[r] != "not-opted-in"]
    off = [r for r in asked if status[r] == "not-opted-in"]
    if not on:
        raise UnreachableError(f"--regions {', '.join(off)}: not enabled for the account.")
    return on, off


def collect_account(
    options: Options,
    sink: Sink,
    *,
    now: str,
    demand: Demand = None,
    limits: Limits | None = None,
    done: frozenset[tuple[str, str, str]] = frozenset(),
    progress: Callable[[str, int, int], None] | None = None,
) -> Source:
    """Collect one account into `sink`. `done`: (native type, scope, region) of listings that are complete already."""
    limits = limits or Limits()
    account = connect(options, now, limits.concurrency)
    return collect_connected(account, sink, demand=demand, limits=limits, done=done, progress=progress)


def unseen(tables: Iterable[Table], source: Source, region: str, gap: Gap, sink: Sink, demand: Demand) -> None:
    """Say of all listings that are wanted of a region (empty: of the account) why nothing was seen there."""
    for table in tables:
        if demand is None or table.native_type in demand:
            sink.coverage(Coverage(table.native_type, table.kind, source.scope, region, Extent.ABSENT, gap, 0, source.id))


def collect_connected(
    account: Account,
    sink: Sink,
    *,
    demand: Demand,
    limits: Limits,
    done: frozenset[tuple[str, str, str]],
    progress: Callable[[str, int, int], None] | None = None,
    stop: threading.Event | None = None,
) -> Source:
    """Collect an account that answered. Setting `stop` ends it."""
    finished = frozenset((native, region) for native, scope, region in done if scope == account.scope.id)
    collect(
        TABLES,
        account.client,
        account.scope,
        account.source,
        sink,
        demand=demand,
        limits=limits,
        done=finished,
        progress=progress,
        stop=stop,
    )
    for region in account.off:
        gap = Gap(Reason.REGION_OFF, "", f"Enable {region} for the account, or leave it out.")
        unseen([table for table in TABLES if table.per == "region"], account.source, region, gap, sink, demand)
    return account.source
