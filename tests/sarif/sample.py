"""A small log with everything in it."""

from __future__ import annotations

import copy

from sarif import log

CATALOGUE = log.Taxonomy("nist", "74e07277-9770-5812-9815-dcc2e525f22c", ("AC-6", "SC-12"))
DENIED = log.Rule("DENIED", "Denied", "A call was refused.", "A call was refused.", "Grant it.", level="error")
RUN = log.Run(
    name="tool",
    full_name="The tool",
    version="1.0.0",
    category="tool/live",
    time="2026-11-30T08:03:10Z",
    guid="0ce7b413-f533-5d24-ad06-6e9fcff18e22",
    correlation="8d8dce8a-7d34-5f2d-8be5-7f4cfc3cb353",
    rules=(
        log.Rule(
            "a.one", "AOne", "Short.", "Full.", "Help.", "# Help", "https://example.org/a", "error", ("security", "nist/SC-12"),
            "very-high", "8.0", (CATALOGUE.reference(0, "SC-12"),), {"more": 1},
        ),
        log.Rule("a.two", "ATwo", "Short.", "Full.", "Help.", level="note", tags=("security",), precision="high"),
    ),
    notifications=(DENIED,),
    execution=(
        log.Notification("DENIED", "error", "Refused.", "a.two", log.Place("", logical=(log.Logical("x", "x/y", "namespace"),))),
    ),
    taxonomies=(CATALOGUE,),
    started="2026-11-30T08:00:00Z",
    exit_code=1,
    exit_text="failed",
    repository="https://example.org/r",
    revision="5b1f0c7",
    branch="main",
    properties={"count": 0},
)  # fmt: skip
RESULTS = (
    log.Result(
        "a.one", "It is so.", log.Place("src/main.tf", 3, 5, 4, 2, (log.Logical("x", "arn:x", "resource"),)), "error", "fail",
        {"id/v1": "0a"}, "48e983c4-3a38-53cb-8a75-d494d85c1b4a", (log.Suppression("external", "so be it", place=log.Place("w.yaml")),),
        (CATALOGUE.reference(0, "SC-12"),), {"status": "fail"},
    ),
    log.Result("a.two", "It is not.", log.Place("cloud/x"), "note", "pass", {"id/v1": "0b"}),
)  # fmt: skip


def whole() -> log.Object:
    """The log, made anew: it may be changed."""
    return copy.deepcopy(log.log(RUN, RESULTS))
