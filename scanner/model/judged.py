"""What the judge and the reporters handle: rules, verdicts, waivers, the report."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol, runtime_checkable

from scanner.model.compared import Change, Comparison
from scanner.model.seen import JSON, Call, Coverage, Gap, Origin, Packed, Source, Where, frozen


class Status(enum.StrEnum):
    """The four verdicts."""

    FAIL = "fail"
    UNKNOWN = "unknown"
    PASS = "pass"  # noqa: S105 - a verdict, no password
    NOT_APPLICABLE = "not_applicable"


class Severity(enum.StrEnum):
    """How much a failing rule matters, most dangerous first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for critical up to 4 for info."""
        return list(Severity).index(self)


@frozen
class Cover:
    """What a rule says about one native type."""

    catalog: tuple[str, ...] = ()
    """Requirement ids that the rule answers for this type."""
    controls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Framework → control ids, added to the rule's own."""
    fix: Mapping[str, str] = field(default_factory=dict)
    """How to mend it: `cli`, `terraform`, `console`, `manifest` → text."""


@frozen
class Rule:
    """A rule, read from the METADATA of its Rego file alone."""

    id: str
    """`domain.name`: package, path, SARIF ruleId and config key at once."""
    title: str
    """A positive fact, as it should be."""
    description: str
    """Why it matters, and what the rule does not see."""
    severity: Severity
    kind: str
    scope_on: tuple[str, ...]
    """Facts that decide whether the rule speaks about a resource."""
    fail_on: tuple[str, ...]
    """Facts that decide the verdict."""
    covers: Mapping[str, Cover]
    """Native type → what the rule answers there. The rule speaks of no other type."""
    controls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    params: Mapping[str, JSON] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sets: frozenset[str] = frozenset()
    """Which of `scope fail safe exempt` the file defines."""
    file: str = ""
    """Path of the Rego file."""
    source: str = ""
    """Text of the Rego file."""

    @property
    def domain(self) -> str:
        """The folder: `encryption`, `transit` and so on."""
        return self.id.split(".", 1)[0]

    @property
    def needs(self) -> tuple[str, ...]:
        """All facts the rule reads, `scope_on` first."""
        return tuple(dict.fromkeys((*self.scope_on, *self.fail_on)))

    def controls_for(self, native_type: str) -> dict[str, tuple[str, ...]]:
        """Framework → control ids for a native type: the rule's and the type's own, without repeats."""
        own = self.covers[native_type].controls if native_type in self.covers else {}
        return {
            name: tuple(dict.fromkeys((*self.controls.get(name, ()), *own.get(name, ()))))
            for name in sorted({*self.controls, *own})
        }


@frozen
class Detail(Packed):
    """One thing wrong with a resource: a failing fact."""

    fact: str
    message: str
    expected: JSON = None
    actual: JSON = None
    where: Where | None = None
    """The fact's own place, where known."""


@frozen
class Evidence(Packed):
    """A fact that decided the verdict, and the call it came from."""

    fact: str
    value: JSON
    origin: Origin | None = None
    gap: Gap | None = None


class WaiverState(enum.StrEnum):
    """What became of a waiver."""

    USED = "used"
    UNUSED = "unused"
    EXPIRED = "expired"
    MALFORMED = "malformed"
    IGNORED = "ignored"
    """Nobody may waive from there (`--no-inline-waivers`, `--waivers-from`)."""


@frozen
class Waiver(Packed):
    """An accepted risk: it marks a failing verdict, it never hides it."""

    rule: str
    """Rule id, or a shell pattern over ids."""
    resource: str
    """Pattern (`*`, `?`) over the canonical resource id, or over the name where the id ends with it; of a comment its file and lines."""
    reason: str
    owner: str
    expires: str
    """ISO date; the last day counts (UTC)."""
    ticket: str = ""
    where: Where = field(default_factory=Where)
    """The file and line it was read from."""
    state: WaiverState = WaiverState.UNUSED
    matches: int = 0
    """Failing verdicts it marks."""
    problem: str = ""
    """What is wrong with a malformed one, and how much an over-broad one matches."""
    inline: bool = False
    """It stands in what is judged: a comment, whose `where.block` are the lines that it is for, or an annotation on `resource`."""
    moved: str = ""
    """Today's id of what `resource` names, where a plan moves it: the waiver is for that. Of an unused pattern what it meant before."""


@frozen
class Verdict(Packed):
    """What one rule says about one subject."""

    rule: str
    status: Status
    severity: Severity
    """The rule's, after `bartizan.yaml`."""
    subject: str
    """Canonical resource id; for a scope-level unknown, the scope."""
    name: str
    kind: str
    native_type: str
    provider: str
    scope: str
    region: str
    message: str
    details: tuple[Detail, ...] = ()
    """For `fail`: every failing fact, expected against actual."""
    gaps: tuple[Gap, ...] = ()
    """For `unknown`: what was not seen, why, and what to do."""
    evidence: tuple[Evidence, ...] = ()
    where: Where = field(default_factory=Where)
    catalog: tuple[str, ...] = ()
    """Requirement ids that the rule answers for this native type."""
    controls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fingerprint: str = ""
    ai_role: str = ""
    """Part of the AI factory the resource belongs to, empty for none or unknown."""
    waiver: Waiver | None = None
    """Set where a live waiver accepts a `fail`."""
    level: str = "resource"
    """`resource`, or `scope` where a listing failed and the subject is the scope."""
    source: str = ""
    """Id of the `Source`."""
    tag: str = ""
    """For `fail`: the author's tag, where one resource fails in several ways."""
    change: Change | None = None
    """What became of a failure or an unknown since the baseline; None without one."""

    @property
    def open(self) -> bool:
        """A failure that no waiver accepts."""
        return self.status is Status.FAIL and self.waiver is None

    @property
    def fresh(self) -> bool:
        """Not known from a baseline. Without one everything is fresh."""
        return self.change is None or self.change.fresh

    def replace(self, **changes: Any) -> Verdict:
        """A copy with `changes`."""
        return dataclasses.replace(self, **changes)


@runtime_checkable
class Tallied(Protocol):
    """Verdicts that know their counts without being read again."""

    def tally(self) -> Mapping[Status, int]:
        """Status → number of verdicts."""

    def opens(self) -> Mapping[Severity, int]:
        """Severity → failures that no waiver accepts."""

    def notable(self) -> Iterator[Verdict]:
        """Failures and unknowns only, in order."""


@frozen
class Report:
    """Everything a reporter shows. Reporters render it and compute nothing of their own."""

    tool_version: str
    generated_at: str
    """RFC 3339, UTC."""
    snapshot_digest: str
    policy_digest: str
    engine: str
    """`regorus` or `opa`, with its version."""
    sources: tuple[Source, ...]
    rules: tuple[Rule, ...]
    """The rules that were evaluated."""
    verdicts: Sequence[Verdict]
    """Failures first, most dangerous first, then unknowns, then the rest. May be on disk: iterate, do not index."""
    coverage: tuple[Coverage, ...]
    waivers: tuple[Waiver, ...] = ()
    params: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)
    """Rule id → the parameters used."""
    resources: int = 0
    """Resources judged."""
    calls: int = 0
    """Questions asked."""
    failed_calls: tuple[Call, ...] = ()
    problems: tuple[str, ...] = ()
    """What went wrong on the way (an unreadable file, say), for the reader to see."""
    exit_code: int = 0
    """The gate's answer."""
    exit_reason: str = ""
    """The gate's answer in words."""
    baseline: Comparison | None = None
    """What was compared with, if anything."""
    moved: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Source → id that a resource had → id that it has now; empty where Terraform lets go of it and leaves it as it is."""

    def count(self, status: Status) -> int:
        """Verdicts with `status`, waived ones included."""
        if isinstance(self.verdicts, Tallied):
            return self.verdicts.tally().get(status, 0)
        return sum(v.status is status for v in self.verdicts)

    def opens(self) -> Mapping[Severity, int]:
        """Severity → failures that no waiver accepts."""
        if isinstance(self.verdicts, Tallied):
            return self.verdicts.opens()
        return Counter(v.severity for v in self.verdicts if v.open)

    def notable(self) -> Iterator[Verdict]:
        """Failures and unknowns only, in order."""
        if isinstance(self.verdicts, Tallied):
            return self.verdicts.notable()
        return (v for v in self.verdicts if v.status in (Status.FAIL, Status.UNKNOWN))

    @property
    def waived(self) -> int:
        """Failures that a waiver accepts."""
        return self.count(Status.FAIL) - sum(self.opens().values())

    def replace(self, **changes: Any) -> Report:
        """A copy with `changes`."""
        return dataclasses.replace(self, **changes)


def fingerprint(rule: str, subject: str, tag: str = "") -> str:
    """Identity of a finding across runs: hex SHA-256 of rule, canonical resource id and the author's tag.

    Never a place in a list, never a line number: a reordered or moved resource keeps its findings. The index that `count` gives is
    part of a plan's address, so it is in here; comparing with a baseline allows for its shifts (`scanner/matching.py`), and follows
    what moves to another address (`scanner/moved.py`).
    """
    return hashlib.sha256(f"{rule}\0{subject}\0{tag}".encode("utf-8", "backslashreplace")).hexdigest()
