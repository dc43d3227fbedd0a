"""Each call of the demo account, denied, throttled, timed out and garbled, one at a time.

No verdict may become a pass, none a new failure, and whatever vanishes from sight leaves an unknown that names the missing
permission. The answers are those that the account gave once; no network is involved.
"""

from __future__ import annotations

import contextlib
import functools
import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import pytest
from botocore.session import get_session

from collectors.ask import Fault
from collectors.aws.client import actions, operation
from collectors.aws.collect import since
from collectors.aws.shapes import Shapes, UnexpectedShapeError
from collectors.aws.tables import TABLES
from collectors.demand import calls_of
from collectors.permissions import questions
from collectors.run import Collection, Limits, Scope, collect
from collectors.table import Call as Question
from collectors.table import Table
from scanner.cli.demand import wanted_facts
from scanner.evaluate import Plan, evaluate
from scanner.model import Outcome, Reason, Rule, Source, Status, Verdict
from scanner.snapshot import Snapshot
from tests.house import corpus

ACCOUNT = "123456789012"
SCOPE = Scope(
    ACCOUNT, ["us-east-1", "eu-west-1"], "us-east-1", {"account": ACCOUNT, "partition": "aws", "since": since(corpus.NOW)}
)
SOURCE = Source(f"aws:{ACCOUNT}", "live", "aws", ACCOUNT, f"arn:aws:iam::{ACCOUNT}:role/audit", corpus.NOW)
REASONS = (Reason.DENIED, Reason.THROTTLED, Reason.TIMEOUT, Reason.UNPARSABLE)


@functools.cache
def shapes(service: str) -> Shapes:
    return Shapes(get_session().get_service_model(service))


class RefusalError(Exception):
    def __init__(self, reason: Reason, code: str, said: str = "said so") -> None:
        super().__init__(code)
        self.fault = Fault(reason, code, said)


class Replay:
    """The recorded account as a client, with one operation refused, or answering garbage."""

    def __init__(self, snapshot: Snapshot, refused: str = "", how: Reason = Reason.DENIED) -> None:
        self.snapshot, self.refused, self.how = snapshot, refused, how
        self.met = 0

    def pages(self, question: Question, args: Mapping[str, Any], region: str) -> Iterator[tuple[Any, int]]:
        number = 0
        while True:
            identity = Collection._identity(self, question, args, region, number)  # type: ignore[arg-type]
            call = self.snapshot.find_call(identity)
            if call is None:
                if number == 0:
                    raise RefusalError(Reason.BUG, "NotRecorded", f"{question} {args} {region}")
                return
            if self.title(question) == self.refused:
                self.met += 1
                if self.how is not Reason.UNPARSABLE:
                    raise RefusalError(self.how, "Refused")
            if self.title(question) == self.refused and call.outcome is Outcome.OK:
                answer = garbled(self.snapshot.answer(call.digest))
                try:
                    shapes(question.service).check(operation(question), answer)
                except UnexpectedShapeError as error:
                    raise RefusalError(Reason.UNPARSABLE, "UnexpectedShapeError", str(error)) from error
                yield answer, 0  # nothing was in it that could be garbled
                return
            if call.outcome is not Outcome.OK:
                code = call.detail.split(":", 1)[0]
                raise RefusalError(call.reason or Reason.UNPARSABLE, code)
            yield self.snapshot.answer(call.digest), 0
            number += 1

    scope = SCOPE

    def fault(self, error: Exception) -> Fault:
        return error.fault if isinstance(error, RefusalError) else Fault(Reason.BUG, type(error).__name__, str(error))

    def title(self, question: Question) -> str:
        return f"{question.service}:{question.operation}"

    def actions(self, question: Question) -> tuple[str, ...]:
        return actions(question)


def garbled(answer: Any) -> Any:
    """An answer whose values are of another type than documented."""
    if isinstance(answer, dict):
        return {
            k: [{"garbled": 7}] if isinstance(v, str | bool | int) else garbled(v) if v else {"garbled": [7]}
            for k, v in answer.items()
        }
    if isinstance(answer, list):
        return [garbled(v) for v in answer]
    return answer


def rules() -> list[Rule]:
    return [r for r in corpus.rules() if any(n.startswith("AWS::") for n in r.covers)]


def verdicts_of(path: Path, client: Replay, tables: Sequence[Table] = TABLES, of: Sequence[Rule] | None = None) -> list[Verdict]:
    """Verdicts after `tables` were collected into the snapshot at `path`, which may hold the rest of the account already."""
    with Snapshot.create(path, resume=path.exists()) as snapshot:
        collect(tables, client, SCOPE, SOURCE, snapshot, limits=Limits(concurrency=4))
        snapshot.finish()
    library = corpus.library()
    return list(evaluate(Plan(path, tuple(rules() if of is None else of), library.modules, corpus.params())).verdicts)


@functools.cache
def whole() -> Path:
    """The replayed account without any refusal."""
    path = corpus.folder() / "whole"
    with Snapshot.open(corpus.account()) as recorded:
        verdicts_of(path, Replay(recorded))
    return path


@functools.cache
def seen() -> Mapping[tuple[str, str, str], Verdict]:
    """The verdicts without any refusal."""
    library = corpus.library()
    found = evaluate(Plan(whole(), tuple(rules()), library.modules, corpus.params())).verdicts
    return {(v.rule, v.subject, v.level): v for v in found}


@functools.cache
def reads() -> Mapping[str, frozenset[str]]:
    """Rule → native types that its verdicts hang on. Roles and zones are read off whatever was collected."""
    every = frozenset(t.native_type for t in TABLES)
    return {r.id: every if {"ai_role", "zone"} & set(r.needs) else frozenset(wanted_facts([r])) for r in rules()}


def without(natives: AbstractSet[str], path: Path) -> Path:
    """The replayed account, of which these types were not collected yet."""
    shutil.copyfile(whole(), path)
    marks = ",".join("?" * len(natives))
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for table in ("resource", "coverage"):
            database.execute(f"DELETE FROM {table} WHERE native_type IN ({marks})", [*natives])  # noqa: S608 - fixed names
    return path


@functools.cache
def operations() -> tuple[str, ...]:
    return tuple(sorted({f"{q.service}:{q.operation}" for q in questions(TABLES, None)}))


OPERATIONS = operations()


def test_replay_is_faithful() -> None:
    """The replayed account is the recorded one: nothing was asked that was not recorded."""
    assert {Status.FAIL, Status.PASS, Status.UNKNOWN} <= {v.status for v in seen().values()}
    assert not [v for v in seen().values() for g in v.gaps if g.reason is Reason.BUG]


@pytest.mark.parametrize("refused", OPERATIONS)
def test_refused_calls_prove_nothing(refused: str) -> None:
    service, name = refused.split(":")
    tables = [t for t in TABLES if any((c.service, c.operation) == (service, name) for c in calls_of(t, t.facts))]
    natives = {t.native_type for t in tables}
    tables = [t for t in TABLES if t.native_type in natives]
    chosen = [r for r in rules() if reads()[r.id] & natives]
    before = {key: v for key, v in seen().items() if v.rule in {r.id for r in chosen}}
    with Snapshot.open(corpus.account()) as recorded:
        for how in REASONS:
            client = Replay(recorded, refused, how)
            after = verdicts_of(without(natives, corpus.folder() / "refused"), client, tables, chosen)
            check(refused, how, before, after, met=client.met)


def test_only_rules_that_read_a_type_are_judged_again() -> None:
    """What the test above leaves out is nothing: an account without trails changes no verdict but those of rules that read trails."""
    trails = [t for t in TABLES if t.native_type == "AWS::CloudTrail::Trail"]
    natives = {t.native_type for t in trails}
    with Snapshot.open(corpus.account()) as recorded:
        after = verdicts_of(without(natives, corpus.folder() / "left"), Replay(recorded, "cloudtrail:describe_trails"), trails)
    now = {(v.rule, v.subject, v.level): v.status for v in after}
    changed = {key[0] for key, v in seen().items() if now.get(key) is not v.status}
    assert changed
    assert changed <= {r.id for r in rules() if reads()[r.id] & natives}


def check(refused: str, how: Reason, before: Mapping[tuple[str, str, str], Verdict], after: list[Verdict], *, met: int) -> None:
    now = {(v.rule, v.subject, v.level): v for v in after}
    for key, verdict in now.items():
        was = before.get(key)
        if verdict.status in (Status.PASS, Status.FAIL):
            assert was is not None, (how, verdict)
            assert verdict.status is was.status, (how, was, verdict)
        assert not [g for g in verdict.gaps if g.reason is Reason.BUG], (how, verdict)
    lost = {
        rule
        for (rule, subject, level), v in before.items()
        if (rule, subject, level) not in now and level == "resource" and v.status is not Status.NOT_APPLICABLE
    }
    blind = {v.rule for v in after if v.level == "scope" and v.status is Status.UNKNOWN}
    assert lost <= blind, (how, "vanished without a word", sorted(lost - blind))
    new = [
        v
        for key, v in now.items()
        if v.status is Status.UNKNOWN and (key not in before or before[key].status is not Status.UNKNOWN)
    ]
    if how is Reason.DENIED and new:
        service, name = refused.split(":")
        wanted = {a for q in questions(TABLES, None) if (q.service, q.operation) == (service, name) for a in actions(q)}
        for verdict in new:
            assert any(action in verdict.message for action in wanted), (wanted, verdict.message)
    assert met or not new


def test_catches_a_collector_that_reads_denied_as_empty() -> None:
    """The test can fail: an account in which a refused call answers with nothing is found out."""
    before = seen()
    with Snapshot.open(corpus.account()) as recorded:

        class Silent(Replay):
            def pages(self, question: Question, args: Mapping[str, Any], region: str) -> Iterator[tuple[Any, int]]:
                if self.title(question) == "s3:get_bucket_policy":
                    yield {}, 0
                    return
                yield from super().pages(question, args, region)

        after = verdicts_of(corpus.folder() / "silent", Silent(recorded))
    assert json.dumps(sorted(v.status for v in after)) != json.dumps(sorted(v.status for v in before.values()))
