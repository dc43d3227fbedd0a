"""What collectors make: what was seen of an estate, and what was not."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
JSON = Any
"""A value that `json.dumps` takes: None, bool, int, float, str, list or dict with string keys."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """A frozen dataclass to whoever reads or type-checks the code, and one that is not to the interpreter.

    They are made by the million, and being frozen makes each three times as slow to make.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


class Packed:
    """A base for dataclasses that cross to other processes by the million: pickled as a class and its values, nothing else."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        names: tuple[str, ...] = self.__class__.__slots__
        return self.__class__, tuple([getattr(self, name) for name in names])


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
    """A bound (size, time, count, what the collection's rules needed) cut the look short."""
    BUG = "bug"
    """A fault of a rule or of ours; the message says which."""


@frozen
class Gap(Packed):
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


@frozen
class Where(Packed):
    """Where a person finds the resource: a place in a file, or a console locator."""

    file: str = ""
    """Path as seen from the working folder, with `/`, or in the folder that was named where that is elsewhere; empty for live resources."""
    line: int = 0
    """1-based line; 0 where it is not known."""
    column: int = 0
    """1-based column, in characters; 0 where it is not known."""
    locator: str = ""
    """For live resources the ARN, self link or `kubectl`-style name; for a plan the resource address."""
    end_line: int = 0
    """1-based line where it ends; 0 where it is not known."""
    end_column: int = 0
    """1-based column behind its last character; 0 where it is not known."""
    block: tuple[int, int] = (0, 0)
    """First and last line of the block around it, for a reader who wants more of it; zeros where it is not known."""
    via: tuple[Where, ...] = ()
    """What leads there, outermost first: for a plan the module calls, and the arguments through which the value comes."""
    note: str = ""
    """Why the place is no narrower, where the file has a narrower one that could not be told."""


@frozen
class Inline(Packed):
    """A waiver as it stands in what was read: a collector says where it is and what it is for, the judge says what it is worth."""

    text: str
    """Rules and terms: `encryption.x until=2027-01-31 reason="…" owner=…`."""
    where: Where
    """File and line of the comment. Its `block` are the lines of that file that it is for; zeros where it is for none."""
    source: str = ""
    """Id of the `Source`."""
    resource: str = ""
    """For an annotation: canonical id of what it stands on."""
    problem: str = ""
    """Why it is for nothing, where that is known."""


@frozen
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


@frozen
class Origin(Packed):
    """Where one fact came from."""

    call: str
    """Id of the `Call` in the snapshot, empty for files and derived facts."""
    pointer: str
    """The path in the answer (JMESPath), or `derived: …`."""


@frozen
class Resource(Packed):
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
    partial: bool = False
    """Only parts of it are seen, the rest is elsewhere: what they show may fail, and nothing else is said of it."""

    def replace(self, **changes: Any) -> Resource:
        """A copy with `changes`."""
        return dataclasses.replace(self, **changes)


class Outcome(enum.StrEnum):
    """How a call ended."""

    OK = "ok"
    ABSENT = "absent"
    """An error on the wire that is an answer (no such bucket policy)."""
    FAILED = "failed"


@frozen
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


@frozen
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
