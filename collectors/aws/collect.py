"""From credentials to a collected account: who asks, in which regions, and then the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collectors.ask import Fault, Sink
from collectors.aws.client import BotoClient, session_for
from collectors.aws.tables import TABLES
from collectors.demand import Demand
from collectors.run import Limits, Scope, answer, collect
from collectors.table import Call
from scanner.model import BartizanError, Coverage, Extent, Gap, Reason, Source

IDENTITY = Call("sts", "get_caller_identity", take="")
REGIONS = Call("ec2", "describe_regions", fixed={"AllRegions": True}, take="Regions")
DEFAULT_REGION = "us-east-1"
OTHER_PARTITIONS = ("us-gov-", "cn-", "us-iso", "eu-isoe-", "eusc-")
"""Prefixes of regions that the default region knows nothing of."""
SETUP: tuple[Call, ...] = (REGIONS,)
"""Calls beside the tables'. GetCallerIdentity needs no permission."""


@dataclass(frozen=True, slots=True)
class Options:
    """What `scan aws` takes."""

    profile: str | None = None
    role: str | None = None
    external_id: str | None = None
    regions: tuple[str, ...] = ()
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


def connect(options: Options, now: str, concurrency: int) -> Account:
    """Find out who asks and where. Raises BartizanError (exit 3) where nobody answers, exit 2 where a region does not exist."""
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
    client = BotoClient(session, options.endpoint, pool=concurrency + 4)
    identity = _ask(client, IDENTITY, home)
    if isinstance(identity, Fault):
        raise BartizanError(_unreachable(client, IDENTITY, identity, home), code=3)
    partition, account = identity["Arn"].split(":")[1], identity["Account"]
    regions, off = _regions(client, options.regions, home)
    scope = Scope(account, regions, home if home in regions else regions[0], {"account": account, "partition": partition})
    source = Source(f"aws:{account}", "live", "aws", account, identity["Arn"], now)
    return Account(client, scope, source, off)


def _ask(client: BotoClient, question: Call, region: str) -> Any:
    """The first answer to a question, or its `Fault`."""
    pages = client.pages(question, dict(question.fixed), region)
    got = answer(client, lambda: next(pages))
    return got if isinstance(got, Fault) else got[0]


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
        raise BartizanError(text, code=3)
    status = {r["RegionName"]: r.get("OptInStatus", "opt-in-not-required") for r in said["Regions"]}
    unknown = [r for r in asked if r not in status]
    if unknown:
        raise BartizanError(f"--regions {', '.join(unknown)}: no such region. Known are {', '.join(sorted(status))}.")
    on = [r for r in (asked or sorted(status)) if status[r] != "not-opted-in"]
    off = [r for r in asked if status[r] == "not-opted-in"]
    if not on:
        raise BartizanError(f"--regions {', '.join(off)}: not enabled for the account.", code=3)
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
    finished = frozenset((native, region) for native, scope, region in done if scope == account.scope.id)
    collect(
        TABLES, account.client, account.scope, account.source, sink, demand=demand, limits=limits, done=finished, progress=progress
    )
    for region in account.off:
        gap = Gap(Reason.REGION_OFF, "", f"Enable {region} for the account, or leave it out.")
        for table in TABLES:
            if table.per == "region" and (demand is None or table.native_type in demand):
                sink.coverage(
                    Coverage(table.native_type, table.kind, account.scope.id, region, Extent.ABSENT, gap, 0, account.source.id)
                )
    return account.source
