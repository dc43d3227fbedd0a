"""What comparing with a baseline says: what became of each verdict, and of the findings that were."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scanner.model.seen import Packed, frozen

if TYPE_CHECKING:
    from scanner.model.judged import Severity


class State(enum.StrEnum):
    """What became of a finding since the baseline."""

    NEW = "new"
    """The baseline has no such finding."""
    WORSE = "worse"
    """The baseline has it, less severe. Counts as new."""
    REOPENED = "reopened"
    """The baseline knows it as fixed or waived, and it is open. Counts as new."""
    UNCHANGED = "unchanged"
    """The baseline has it: a known finding, or a known unknown."""
    NEWLY_UNKNOWN = "newly_unknown"
    """The verdict is unknown, and was not. Counts as new."""
    UNSEEN = "unseen"
    """It was a finding and cannot be seen now: neither fixed nor new. Its verdict is unknown, or its listing is not complete."""
    FIXED = "fixed"
    """It was a finding, and was judged and is none now, or what had it is gone."""
    UNJUDGED = "unjudged"
    """It was a finding of a rule or of a source that this run did not look at."""


FRESH = frozenset({State.NEW, State.WORSE, State.REOPENED, State.NEWLY_UNKNOWN, State.UNSEEN})
"""What counts with `--new-only`."""


@frozen
class Change(Packed):
    """What became of one verdict."""

    state: State
    first_seen: str = ""
    """Day on which the finding was first seen, as far as the baseline knows."""
    note: str = ""
    """What else there is to say: that the rule is new, how severe it was."""

    @property
    def fresh(self) -> bool:
        """Whether it counts with `--new-only`."""
        return self.state in FRESH


@frozen
class Entry(Packed):
    """A finding that a baseline knows, or a verdict that was unknown."""

    fingerprint: str
    rule: str
    resource: str
    """Canonical id; for a listing that failed, the scope."""
    severity: Severity
    first_seen: str = ""
    """Day, as 2026-11-30."""
    type: str = ""
    """Native type."""
    source: str = ""
    """Id of the `Source` that saw it."""
    region: str = ""
    name: str = ""
    """The resource's name, where it is not part of the id and the id has a number that may shift."""
    tag: str = ""
    """The author's tag, which tells several failures of one resource apart."""
    waived: str = ""
    """Until when a waiver accepted it."""
    fixed: str = ""
    """Day on which it was found fixed; then it is no finding any more."""


@frozen
class Past(Packed):
    """A finding of the baseline that is none now."""

    entry: Entry
    state: State
    """`fixed`, `unseen` or `unjudged`."""
    note: str = ""
    """Why it is in this state."""


@frozen
class Comparison:
    """With what a report was compared, and what that showed."""

    name: str
    """The file."""
    kind: str
    """`report`, `snapshot` or `file`."""
    created_at: str
    """When it was made, RFC 3339."""
    digest: str
    """SHA-256 of its snapshot; of the text where it is a baseline file."""
    policy: str
    """Digest of the rules it was judged by; empty for a file."""
    sources: tuple[str, ...]
    """Ids of the sources it looked at."""
    new_only: bool
    """Whether the gate looks at what is new alone."""
    counts: Mapping[State, int]
    """Open findings by state; unknown verdicts that were not (`newly_unknown`, those that were findings among them); and past findings."""
    past: tuple[Past, ...] = ()
    notes: tuple[str, ...] = ()
    """What the reader should know about the comparison."""

    @property
    def fresh(self) -> int:
        """Open findings that count as new."""
        return sum(self.counts.get(state, 0) for state in (State.NEW, State.WORSE, State.REOPENED))

    def of(self, state: State) -> tuple[Past, ...]:
        """Past findings in a state."""
        return tuple(each for each in self.past if each.state is state)
