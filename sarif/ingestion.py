"""What a SARIF log must hold so that code-scanning services take it: more than the standard's schema asks.

GitHub refuses a whole file for one result without a physical location, and neither the JSON Schema nor Microsoft's validator
sees the common cases (a logical location only, an empty uri). `violations` names every breach with its JSON pointer.

Sources: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning,
https://docs.github.com/en/code-security/code-scanning/troubleshooting-sarif-uploads/results-exceed-limit and the refusals quoted
in the public issues of github/codeql-action (1738, 2456, 2459).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

MAX_RUNS = 20
MAX_RESULTS = 25_000
MAX_RULES = 25_000
MAX_LOCATIONS = 1_000
MAX_TAGS = 10
"""GitHub refuses more than 20 and shows 10."""
MAX_NAME = 255
MAX_TEXT = 1024
"""Of a rule's short and full description."""

LEVELS = ("none", "note", "warning", "error")
KINDS = ("pass", "open", "informational", "notApplicable", "review", "fail")
PRECISIONS = ("very-high", "high", "medium", "low")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""How an absolute URI begins (https://www.rfc-editor.org/rfc/rfc3986#section-3.1): an ARN does, too."""
ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
ALLOWED = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/%]*")
"""Characters of a path (RFC 3986, 3.3); all others are percent-encoded."""


def violations(log: Mapping[str, Any], streamed: Iterable[Mapping[str, Any]] | None = None, *, capped: bool = True) -> list[str]:
    """Every breach of the contract, as `/pointer: what is wrong`; empty where a service would take the log.

    `streamed` stands for the results of the first run, for logs whose results are not held in memory. `capped` applies the
    service's bounds on how many results and rules a run has; a log that is kept, not uploaded, need not keep them.
    """
    return list(_log(log, streamed, capped=capped))


def _log(log: object, streamed: Iterable[Mapping[str, Any]] | None, *, capped: bool) -> Iterator[str]:
    """The top of the log, then each run."""
    if not _text(_get(log, "$schema")):
        yield "/$schema: is missing or empty"
    if _get(log, "version") != "2.1.0":
        yield "/version: is not '2.1.0'"
    runs = _list(_get(log, "runs"))
    if not runs:
        yield "/runs: is missing or empty"
    if len(runs) > MAX_RUNS:
        yield f"/runs: holds {len(runs)} runs, more than {MAX_RUNS}"
    seen: dict[tuple[str, str], int] = {}
    for index, run in enumerate(runs):
        category = _category(run)
        if category in seen:
            yield f"/runs/{index}: has the tool and category of run {seen[category]}"
        seen.setdefault(category, index)
        yield from _run(run, f"/runs/{index}", streamed if index == 0 else None, capped=capped)


def _category(run: object) -> tuple[str, str]:
    """Tool and category: `automationDetails.id` up to its last slash."""
    return str(_get(run, "tool", "driver", "name")), str(_get(run, "automationDetails", "id") or "").rpartition("/")[0]


def _run(run: object, at: str, streamed: Iterable[Mapping[str, Any]] | None, *, capped: bool) -> Iterator[str]:
    """The tool, its rules and the results."""
    if not _text(_get(run, "tool", "driver", "name")):
        yield f"{at}/tool/driver/name: is missing or empty"
    rules = _get(run, "tool", "driver", "rules")
    if not isinstance(rules, list):
        yield f"{at}/tool/driver/rules: is missing"
        rules = []
    if capped and len(rules) > MAX_RULES:
        yield f"{at}/tool/driver/rules: holds {len(rules)} rules, more than {MAX_RULES}"
    ids = [_get(rule, "id") for rule in rules]
    for index, rule in enumerate(rules):
        yield from _rule(rule, f"{at}/tool/driver/rules/{index}")
    yield from (f"{at}/tool/driver/rules: {name!r} stands {n} times" for name, n in Counter(map(str, ids)).items() if n > 1)
    results = _get(run, "results") if streamed is None else streamed
    if streamed is None and not isinstance(results, list):
        yield f"{at}/results: is missing"
        return
    count = 0
    for index, result in enumerate(results):
        count += 1
        yield from _result(result, ids, f"{at}/results/{index}")
    if capped and count > MAX_RESULTS:
        yield f"{at}/results: holds {count} results, more than {MAX_RESULTS}"


def _rule(rule: object, at: str) -> Iterator[str]:
    """One rule: the texts that are shown, then what ranks it."""
    if not isinstance(rule, Mapping):
        yield f"{at}: is no object"
        return
    if not _text(rule.get("id")):
        yield f"{at}/id: is missing or empty"
    if "name" in rule and not _text(rule["name"], MAX_NAME):
        yield f"{at}/name: is empty or longer than {MAX_NAME} characters"
    for part in ("shortDescription", "fullDescription"):
        if not _text(_get(rule, part, "text"), MAX_TEXT):
            yield f"{at}/{part}/text: is missing, empty or longer than {MAX_TEXT} characters"
    if not _text(_get(rule, "help", "text")):
        yield f"{at}/help/text: is missing or empty"
    if (level := _get(rule, "defaultConfiguration", "level")) not in (None, *LEVELS):
        yield f"{at}/defaultConfiguration/level: {level!r} is no level"
    if isinstance(properties := rule.get("properties", {}), Mapping):
        yield from _rank(properties, f"{at}/properties")
    else:
        yield f"{at}/properties: is no object"


def _rank(properties: Mapping[str, Any], at: str) -> Iterator[str]:
    """The properties of a rule that a service sorts and filters by."""
    tags = _list(properties.get("tags"))
    if len(tags) > MAX_TAGS:
        yield f"{at}/tags: holds {len(tags)} tags, more than the {MAX_TAGS} that are shown"
    if not all(_text(tag) for tag in tags):
        yield f"{at}/tags: holds a tag that is empty or no text"
    if "security-severity" in properties and not _severity(properties["security-severity"]):
        yield f"{at}/security-severity: is not a number from 0 to 10 as text"
    if properties.get("precision", "high") not in PRECISIONS:
        yield f"{at}/precision: {properties['precision']!r} is none of {', '.join(sorted(PRECISIONS))}"


def _severity(value: object) -> bool:
    """Text that reads as a number from 0 to 10."""
    return isinstance(value, str) and bool(re.fullmatch(r"10(\.0+)?|\d(\.\d+)?", value))


def _result(result: object, rules: Sequence[object], at: str) -> Iterator[str]:
    """One result: its rule, what it says, by what it is known again, and where."""
    if not isinstance(result, Mapping):
        yield f"{at}: is no object"
        return
    rule, index = result.get("ruleId"), result.get("ruleIndex")
    if not _text(rule):
        yield f"{at}/ruleId: is missing or empty"
    if not isinstance(index, int) or not 0 <= index < len(rules):
        yield f"{at}/ruleIndex: {index!r} is out of the range of the rules"
    elif rules[index] != rule:
        yield f"{at}/ruleIndex: points at {rules[index]!r}, ruleId says {rule!r}"
    if not _text(_get(result, "message", "text")):
        yield f"{at}/message/text: is missing or empty"
    yield from _rating(result.get("kind", "fail"), result.get("level", "warning"), at)
    prints = result.get("partialFingerprints")
    if not isinstance(prints, Mapping) or not prints:
        yield f"{at}/partialFingerprints: is missing or empty"
    elif not all(_text(value) for value in prints.values()):
        yield f"{at}/partialFingerprints: holds an empty fingerprint"
    yield from _locations(_list(result.get("locations")), f"{at}/locations")


def _rating(kind: object, level: object, at: str) -> Iterator[str]:
    """Kind and level, alone and together."""
    if kind not in KINDS:
        yield f"{at}/kind: {kind!r} is no kind"
    if level not in LEVELS:
        yield f"{at}/level: {level!r} is no level"
    elif kind != "fail" and level != "none":  # 3.27.10 of the standard
        yield f"{at}/level: is {level!r}, must be 'none' where the kind is {kind!r}"


def _locations(locations: Sequence[object], at: str) -> Iterator[str]:
    """All locations of a result: one at least."""
    if not locations:
        yield f"{at}: is missing or empty"
    if len(locations) > MAX_LOCATIONS:
        yield f"{at}: holds {len(locations)} locations, more than {MAX_LOCATIONS}"
    for index, location in enumerate(locations):
        yield from _location(location, f"{at}/{index}")


def _location(location: object, at: str) -> Iterator[str]:
    """One location: a path in the repository and a region of it."""
    physical = _get(location, "physicalLocation")
    if not isinstance(physical, Mapping):
        yield f"{at}/physicalLocation: is missing"
        return
    if fault := _uri(_get(physical, "artifactLocation", "uri")):
        yield f"{at}/physicalLocation/artifactLocation/uri: {fault}"
    region = physical.get("region")
    if not isinstance(region, Mapping):
        yield f"{at}/physicalLocation/region: is missing"
        return
    yield from _region(region, f"{at}/physicalLocation/region")


def _region(region: Mapping[str, Any], at: str) -> Iterator[str]:
    """Lines and columns that exist, in order."""
    start = region.get("startLine")
    if not _count(start):
        yield f"{at}/startLine: {start!r} is not a whole number from 1"
        return
    end = region.get("endLine", start)
    if not _count(end) or end < start:
        yield f"{at}/endLine: {end!r} is before startLine {start}"
    first, last = region.get("startColumn", 1), region.get("endColumn")
    if not _count(first):
        yield f"{at}/startColumn: {first!r} is not a whole number from 1"
    elif last is not None and (not _count(last) or (end == start and last < first)):
        yield f"{at}/endColumn: {last!r} is before startColumn {first}"


def _uri(uri: object) -> str:
    """What is wrong with the uri of an artifact, or nothing."""
    if not isinstance(uri, str) or not uri.strip():
        return "is missing or empty"
    if SCHEME.match(uri):
        return f"{uri!r} has a scheme; it must be relative to the root of the repository"
    if uri.startswith("/"):
        return f"{uri!r} begins with a slash"
    if ESCAPE.search(uri) or not ALLOWED.fullmatch(uri):
        return f"{uri!r} holds characters that must be percent-encoded"
    if any(part in ("", ".", "..") for part in uri.split("/")):
        return f"{uri!r} has an empty, '.' or '..' part"
    return ""


def _text(value: object, limit: int = 0) -> bool:
    """A text that is not blank (and not longer than `limit`)."""
    return isinstance(value, str) and bool(value.strip()) and not (limit and len(value) > limit)


def _count(value: object) -> bool:
    """A whole number from 1."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _list(value: object) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def _get(value: Any, *names: str) -> Any:
    """A member of members, None where one is missing."""
    for name in names:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value
