"""The nouns. Frozen dataclasses, standard library only, no I/O.

Collectors produce `Resource`, `Gap`, `Call` and `Coverage` (`seen.py`); the judge turns them into `Verdict`, and reporters render
`Report` (`judged.py`; what a baseline makes of it is in `compared.py`). The law they serve: silence is not a pass. What could not be
seen is a `Gap`, a value that travels with the resource.
"""

from scanner.model.compared import FRESH, Change, Comparison, Entry, Past, State
from scanner.model.judged import (
    Cover,
    Detail,
    Evidence,
    Report,
    Rule,
    Severity,
    Status,
    Tallied,
    Verdict,
    Waiver,
    WaiverState,
    fingerprint,
)
from scanner.model.seen import (
    JSON,
    BartizanError,
    Call,
    Coverage,
    Extent,
    Gap,
    Inline,
    Origin,
    Outcome,
    Reason,
    Resource,
    Source,
    Where,
    frozen,
)

__all__ = [
    "FRESH",
    "JSON",
    "BartizanError",
    "Call",
    "Change",
    "Comparison",
    "Cover",
    "Coverage",
    "Detail",
    "Entry",
    "Evidence",
    "Extent",
    "Gap",
    "Inline",
    "Origin",
    "Outcome",
    "Past",
    "Reason",
    "Report",
    "Resource",
    "Rule",
    "Severity",
    "Source",
    "State",
    "Status",
    "Tallied",
    "Verdict",
    "Waiver",
    "WaiverState",
    "Where",
    "fingerprint",
    "frozen",
]
