"""Many accounts as one estate: which there are, and each collected as a scope of its own.

An account that cannot be looked at is as much a part of the estate as the others: every listing of it is a gap that says why.
"""

from __future__ import annotations

import functools
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from collectors.ask import Sink
from collectors.aws.client import actions
from collectors.aws.collect import (
    DEFAULT_REGION,
    Account,
    Options,
    UnreachableError,
    ask_all,
    asked_methods,
    collect_connected,
    connect,
    unseen,
)
from collectors.aws.models import Models
from collectors.aws.tables import TABLES
from collectors.demand import Demand
from collectors.jobs import Limits, together
from collectors.table import Call
from scanner.model import JSON, BartizanError, Gap, Reason, Source, frozen

LIST = Call("organizations", "list_accounts", take="Accounts")
ASSUME = "sts:AssumeRole"
AT_ONCE = 4
"""Accounts that are looked at together; the calls under way are shared out between them."""
ID = re.compile(r"^\d{12}$")
ROLE = re.compile(r"^(?:[\x21-\x7e]*/)?[\w+=,.@-]{1,64}$")
"""A role's name, its path before it: https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html"""
EVERYWHERE = ""
"""The region of a row that speaks of all regions."""


@frozen
class Member:
    """One account of the estate."""

    id: str
    role: str
    """ARN of the role to assume; empty where the caller's own credentials are meant."""
    gap: Gap | None = None
    """Why it is known beforehand that it cannot be looked at."""


def collect_accounts(
    options: Options,
    sink: Sink,
    *,
    now: str,
    demand: Demand = None,
    limits: Limits | None = None,
    done: frozenset[tuple[str, str, str]] = frozenset(),
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Source]:
    """Collect the accounts that `options` names, or all of the organisation, into one `sink`.

    Raises BartizanError where nobody answers, where the organisation does not list its accounts, or no account could be looked at.
    """
    limits = limits or Limits()
    models = Models(asked_methods())
    first = connect(replace(options, role=None), now, limits.concurrency, models)
    members = found(options, first)
    if not members:
        raise BartizanError("AWS: the organisation lists no accounts.", code=3)
    at_once = min(AT_ONCE, len(members))
    each = replace(limits, concurrency=max(1, limits.concurrency // at_once))
    told = Progress(progress, len(members)) if progress else None
    run = _Run(options, sink, now, demand, each, done, models, first, told)
    sources = together([functools.partial(run.member, member) for member in members], at_once, "account", run.stop.set)
    if run.failed and len(run.failed) == len(members):
        raise BartizanError(f"AWS: none of {len(members)} accounts could be looked at; the first: {run.failed[0]}", code=3)
    return sources


def found(options: Options, first: Account) -> list[Member]:
    """The accounts to look at, ordered by id."""
    role = _role_name(options.role)
    bad = [a for a in options.accounts if not ID.match(a)]
    if bad:
        raise BartizanError(f"--accounts {', '.join(bad)}: an account id has twelve digits.")
    if not options.organization:
        return [_member(a, role, first) for a in sorted(set(options.accounts))]
    said = ask_all(first.client, LIST, DEFAULT_REGION if first.scope.context["partition"] == "aws" else first.scope.home)
    states = {str(a["Id"]): str(a.get("State") or a.get("Status") or "ACTIVE") for a in said}
    strangers = sorted(set(options.accounts) - states.keys())
    if strangers:
        raise BartizanError(f"--accounts {', '.join(strangers)}: not in the organisation.")
    return [_member(a, role, first, states[a]) for a in sorted(set(options.accounts) or states)]


def _role_name(role: str | None) -> str:
    """The role to assume in every account. NOTE: none is assumed by default: the one that AWS makes is an administrator."""
    if not role:
        raise BartizanError(
            "--org and --accounts need --role NAME: the role to assume in every account, for instance bartizan-audit."
        )
    if not ROLE.match(role) or role.startswith("arn:"):
        raise BartizanError(
            f"--role {role}: with --org or --accounts give the role's name, not its ARN; it is the same in every account."
        )
    return role.lstrip("/")


def _member(account: str, role: str, first: Account, state: str = "ACTIVE") -> Member:
    if state != "ACTIVE":
        gap = Gap(
            Reason.SERVICE_OFF,
            "organizations:ListAccounts",
            "Nothing to do where it is closed for good.",
            f"account {account} is {state.lower()}",
        )
        return Member(account, "", gap)
    own = account == first.scope.id
    return Member(account, "" if own else f"arn:{first.scope.context['partition']}:iam::{account}:role/{role}")


def caller_policy(role: str) -> JSON:
    """The IAM policy of who walks the organisation: it lists accounts and assumes the one role, nothing else."""
    return {
        "Version": "2012-10-17",
        "Statement": [
            {"Sid": "BartizanAccounts", "Effect": "Allow", "Action": [*actions(LIST)], "Resource": "*"},
            {"Sid": "BartizanAssume", "Effect": "Allow", "Action": [ASSUME], "Resource": f"arn:aws:iam::*:role/{_role_name(role)}"},
        ],
    }


@dataclass(slots=True)
class _Run:
    """What the accounts of one run share."""

    options: Options
    sink: Sink
    now: str
    demand: Demand
    limits: Limits
    """Of each account; the deadline is that of all."""
    done: frozenset[tuple[str, str, str]]
    models: Models
    first: Account
    progress: Progress | None
    began: float = field(default_factory=time.monotonic)
    stop: threading.Event = field(default_factory=threading.Event)
    failed: list[str] = field(default_factory=list)

    def member(self, member: Member) -> Source:
        """Look at one account, or say why not."""
        if member.gap is not None:
            return self._unseen(member, member.gap)
        try:
            account = self._connected(member)
        except UnreachableError as error:
            self.failed.append(str(error))
            return self._unseen(member, _refused(member, error, self.first.source.identity))
        end = self.limits.deadline and self.began + self.limits.deadline
        left = max(0.001, end - time.monotonic()) if end else None
        progress = self.progress.of(member.id) if self.progress else None
        return collect_connected(
            account,
            self.sink,
            demand=self.demand,
            limits=replace(self.limits, deadline=left),
            done=self.done,
            progress=progress,
            stop=self.stop,
        )

    def _connected(self, member: Member) -> Account:
        if not member.role:
            return self.first
        return connect(replace(self.options, role=member.role), self.now, self.limits.concurrency, self.models)

    def _unseen(self, member: Member, gap: Gap) -> Source:
        source = Source(f"aws:{member.id}", "live", "aws", member.id, member.role or self.first.source.identity, self.now)
        self.sink.source(source)
        unseen(TABLES, source, EVERYWHERE, gap, self.sink, self.demand)
        return source


def _refused(member: Member, error: UnreachableError, identity: str) -> Gap:
    """Why an account could not be looked at."""
    fault = error.fault
    if fault is None:
        return Gap(Reason.DENIED, "", "Look at the account by itself to see why.", str(error)[:200])
    remedy = f"Create {member.role}, let its trust policy name {identity}, and allow {identity} {ASSUME} of it."
    denied = fault.reason is Reason.DENIED
    return Gap(fault.reason, ASSUME if denied else "", remedy if denied else fault.remedy, f"{fault.code}: {fault.detail}"[:200])


class Progress:
    """The listings of all accounts as one count."""

    def __init__(self, tell: Callable[[str, int, int], None], accounts: int) -> None:
        self._tell = tell
        self._accounts = accounts
        self._state: dict[str, Sequence[int]] = {}
        self._lock = threading.Lock()

    def of(self, account: str) -> Callable[[str, int, int], None]:
        """What one account tells its progress to."""

        def told(label: str, finished: int, total: int) -> None:
            with self._lock:
                self._state[account] = (finished, total)
                # NOTE: an account that has not begun will have about as many listings as this one
                waiting = (self._accounts - len(self._state)) * total
                finished_in_all, total_in_all = (sum(parts) for parts in zip(*self._state.values(), strict=True))
                self._tell(f"{account} {label}", finished_in_all, total_in_all + waiting)

        return told
