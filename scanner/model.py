"""The nouns. Frozen dataclasses, standard library only, no I/O.

Collectors produce `Resource`, `Gap`, `Call` and `Coverage`; the judge turns them into `Verdict`; reporters render `Report`.
The law they serve: silence is not a pass. What could not be seen is a `Gap`, a value that travels with the resource.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

JSON = Any
"""A value that `json.dumps` takes: None, bool, int, float, str, list or dict with string keys."""


class BartizanError(Exception):
    """A fault of the input or of the surroundings, told to the user in one message that says what to do.

    `code` is the exit status of the command (house rules: 2 usage or bad input, 3 nothing collected, 4 incomplete).
    """

    def __init__(self, message: str, *, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


class Reason(enum.StrEnum):
    """Why something is unknown. A closed list: every failure to see is one of these."""

    DENIED = "denied"
    """The caller lacks a permission; the remedy names it."""
    THROTTLED = "throttled"
    """The service refused for load and the retries were used up."""
    TIMEOUT = "timeout"
    """No answer in time, or no connection."""
    REGION_OFF = "region_off"
    """The region is not enabled for the account."""
    SERVICE_OFF = "service_off"
    """The service or API is not enabled, not subscribed, or not there in this region or cluster."""
    NOT_OFFERED = "not_offered"
    """This source has no such fact."""
    KNOWN_AFTER_APPLY = "known_after_apply"
    """Terraform will know it only after apply."""
    SENSITIVE = "sensitive"
    """The source marks the value as sensitive, so it was not read."""
    UNPARSABLE = "unparsable"
    """The answer came, but was not of the documented shape."""
    TRUNCATED = "truncated"
    """A bound (size, time, count) cut the look short."""
    BUG = "bug"
    """A fault of a rule or of ours; the message says which."""


class Status(enum.StrEnum):
    """The four verdicts."""

    FAIL = "fail"
    UNKNOWN = "unknown"
    PASS = "pass"
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


@dataclass(frozen=True, slots=True)
class Gap:
    """The unknown as a value: what stands where a fact, or a listing, would stand."""

    reason: Reason
    """Why it is unknown."""
    call: str = ""
    """The question that failed, as `service:operation` (`kms:GetKeyRotationStatus`), a plan path, or empty."""
    remedy: str = ""
    """What to do about it, one sentence; for `denied` it names the exact permission."""
    detail: str = ""
    """What the source said (an error code or message), redacted and bounded."""

    @property
    def text(self) -> str:
        """One line for a person: reason, call and remedy."""
        said = f" ({self.detail})" if self.detail else ""
        return f"{self.reason.value}{': ' + self.call if self.call else ''}{said}{'. ' + self.remedy if self.remedy else ''}"


@dataclass(frozen=True, slots=True)
class Where:
    """Where a person finds the resource: a place in a file, or a console locator."""

    file: str = ""
    """Path relative to the scanned folder, with `/`; empty for live resources."""
    line: int = 0
    """1-based line; 0 where it is not known."""
    column: int = 0
    """1-based column, in characters; 0 where it is not known."""
    locator: str = ""
    """For live resources the ARN, self link or `kubectl`-style name; for a plan the resource address."""


@dataclass(frozen=True, slots=True)
class Source:
    """Who looked, as whom, at what, when."""

    id: str
    """Stable within the snapshot: `aws:123456789012`, `plan:network`, `manifests`, `k8s:<cluster>`."""
    mode: str
    """`live`, `plan`, `manifest`, `host` or `probe`."""
    provider: str
    """`aws`, `kubernetes`, `gcp`, `azure`, …"""
    scope: str
    """The shard: account id, cluster name, plan name. One scope is evaluated at a time."""
    identity: str = ""
    """The principal that asked (an ARN), empty for files."""
    collected_at: str = ""
    """RFC 3339, UTC. Rules read it as `input.now`."""
    tool: str = ""
    """Version of the tool that wrote what was read (Terraform, the Kubernetes server), where it says so."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one fact came from."""

    call: str
    """Id of the `Call` in the snapshot, empty for files and derived facts."""
    pointer: str
    """The path in the answer (JMESPath), or `derived: …`."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing of the estate, projected to a kind: few shared facts, each with its origin or its gap."""

    id: str
    """Canonical: ARN, self link, `plan/<address>`, `k8s/<scope>/<kind>/<namespace>/<name>`. Unique with `kind` in a snapshot."""
    kind: str
    """A name from `policies/kinds/`."""
    native_type: str
    """The provider's own type name: `AWS::KMS::Key`, `apps/v1/Deployment`, …"""
    provider: str
    """As `Source.provider`."""
    scope: str
    """As `Source.scope`."""
    region: str
    """Provider region, `global`, or empty."""
    name: str
    """What a person calls it."""
    source: str = ""
    """Id of the `Source`."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Provider tags or Kubernetes labels."""
    facts: Mapping[str, JSON] = field(default_factory=dict)
    """Fact name → value. Names of the provider's drawer have a prefix: `aws.multi_region`."""
    gaps: Mapping[str, Gap] = field(default_factory=dict)
    """Fact name → why it is unknown. A name may stand in both: the value is then what was seen of it (a partly known list)."""
    origins: Mapping[str, Origin] = field(default_factory=dict)
    """Fact name → where it came from."""
    where: Where = field(default_factory=Where)
    """Where a person finds it."""
    places: Mapping[str, Where] = field(default_factory=dict)
    """Fact name → its own place in the file, where that is narrower than `where`."""

    def replace(self, **changes: Any) -> Resource:
        """A copy with `changes`."""
        return dataclasses.replace(self, **changes)


class Outcome(enum.StrEnum):
    """How a call ended."""

    OK = "ok"
    ABSENT = "absent"
    """An error on the wire that is an answer (no such bucket policy)."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Call:
    """One question asked of a source."""

    id: str
    """Unique in the snapshot."""
    service: str
    operation: str
    scope: str
    region: str
    outcome: Outcome
    reason: Reason | None = None
    """Set where the outcome is `failed`."""
    detail: str = ""
    """The error's code and message, bounded."""
    ms: float = 0.0
    """Wall milliseconds, retries included."""
    retries: int = 0
    digest: str = ""
    """SHA-256 of the redacted answer, under which the snapshot keeps it; empty where nothing came."""


class Extent(enum.StrEnum):
    """How much of a listing was seen."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was listed: absence of a resource counts only where this says `complete`."""

    native_type: str
    kind: str
    scope: str
    region: str
    extent: Extent
    gap: Gap | None = None
    """Why it is not complete."""
    count: int = 0
    """Resources seen."""
    source: str = ""
    """Id of the `Source`."""


@dataclass(frozen=True, slots=True)
class Cover:
    """What a rule says about one native type."""

    catalog: tuple[str, ...] = ()
    """Requirement ids that the rule answers for this type."""
    controls: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Framework → control ids, added to the rule's own."""
    fix: Mapping[str, str] = field(default_factory=dict)
    """How to mend it: `cli`, `terraform`, `console`, `manifest` → text."""


@dataclass(frozen=True, slots=True)
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
        """The folder: `encryption`, `transit`, …"""
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


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing wrong with a resource: a failing fact."""

    fact: str
    message: str
    expected: JSON = None
    actual: JSON = None
    where: Where | None = None
    """The fact's own place, where known."""


@dataclass(frozen=True, slots=True)
class Evidence:
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


@dataclass(frozen=True, slots=True)
class Waiver:
    """An accepted risk: it marks a failing verdict, it never hides it."""

    rule: str
    """Rule id, or a shell pattern over ids."""
    resource: str
    """Shell pattern over the canonical resource id or name."""
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
    """What is wrong with a malformed one."""


@dataclass(frozen=True, slots=True)
class Verdict:
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

    @property
    def open(self) -> bool:
        """A failure that no waiver accepts."""
        return self.status is Status.FAIL and self.waiver is None

    def replace(self, **changes: Any) -> Verdict:
        """A copy with `changes`."""
        return dataclasses.replace(self, **changes)


@runtime_checkable
class Tallied(Protocol):
    """Verdicts that know their counts without being read again."""

    def tally(self) -> Mapping[Status, int]:
        """Status → number of verdicts."""


@dataclass(frozen=True, slots=True)
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

    def count(self, status: Status) -> int:
        """Verdicts with `status`, waived ones included."""
        if isinstance(self.verdicts, Tallied):
            return self.verdicts.tally().get(status, 0)
        return sum(v.status is status for v in self.verdicts)

    @property
    def waived(self) -> int:
        """Failures that a waiver accepts."""
        return sum(v.waiver is not None for v in self.verdicts)

    def replace(self, **changes: Any) -> Report:
        """A copy with `changes`."""
        return dataclasses.replace(self, **changes)


def fingerprint(rule: str, subject: str, tag: str = "") -> str:
    """Identity of a finding across runs: hex SHA-256 of rule, canonical resource id and the author's tag.

    Never a list index, never a line number: a reordered or moved resource keeps its findings.
    """
    return hashlib.sha256("\0".join((rule, subject, tag)).encode("utf-8", "backslashreplace")).hexdigest()
