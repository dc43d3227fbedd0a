"""A real boto3 against moto's server, and the interpreter over single tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import boto3
import pytest

from collectors.aws.client import BotoClient, plain_host
from collectors.run import Scope, collect
from collectors.table import Table
from scanner.model import JSON, Call, Coverage, Resource, Source

ACCOUNT = "123456789012"
HOME = "us-east-1"
SINCE = "2020-01-01T00:00:00Z"


@dataclass
class Seen:
    """A sink that keeps everything in memory."""

    resources: list[Resource] = field(default_factory=list)
    asked: list[Call] = field(default_factory=list)
    answers: list[JSON] = field(default_factory=list)
    coverages: list[Coverage] = field(default_factory=list)

    def source(self, source: Source) -> None: ...
    def expect(self, rows: Iterable[Coverage]) -> None: ...
    def problem(self, text: str) -> None: ...

    def page(self, resources: Sequence[Resource]) -> None:
        self.resources += resources

    def calls(self, pairs: Sequence[tuple[Call, JSON]]) -> None:
        self.asked += [call for call, _ in pairs]
        self.answers += [answer for _, answer in pairs]

    def coverage(self, row: Coverage) -> None:
        self.coverages.append(row)

    def named(self, name: str) -> Resource:
        """The only resource of that name (or id)."""
        (found,) = (r for r in self.resources if name in (r.name, r.id, r.id.rsplit("/", 1)[-1]))
        return found

    def ids(self) -> list[str]:
        return sorted(r.id for r in self.resources)

    def failed(self) -> list[str]:
        return sorted(f"{c.service}:{c.operation} {c.detail[:60]}" for c in self.asked if c.outcome == "failed")


@pytest.fixture
def seen() -> Seen:
    """An empty sink."""
    return Seen()


@pytest.fixture
def boto(moto_server: str) -> Callable[..., Any]:
    """A plain boto3 client, for building things."""

    def make(service: str, region: str = HOME) -> Any:
        client = boto3.client(service, region_name=region, endpoint_url=moto_server)
        if service == "s3control":
            client.meta.events.register_last("before-sign.s3-control", plain_host)
        return client

    return make


@pytest.fixture
def look(moto_server: str) -> Callable[..., Seen]:
    """Collect tables: what was seen."""

    def collected(*tables: Table, regions: Sequence[str] = (HOME,)) -> Seen:
        seen = Seen()
        client = BotoClient(boto3.Session(region_name=HOME), moto_server)
        scope = Scope(ACCOUNT, regions, HOME, {"account": ACCOUNT, "partition": "aws", "since": SINCE})
        collect(
            tables, client, scope, Source(f"aws:{ACCOUNT}", "live", "aws", ACCOUNT, f"arn:aws:iam::{ACCOUNT}:user/scanner"), seen
        )
        return seen

    return collected
