"""Words for people: data made safe to print, values made short, sentences cut and counted.

Names, tags and messages come from whoever can create a resource, so they are hostile: `visible` shows control characters, escape
sequences, bidi overrides and invisible characters as escapes, and breaks what a CI runner would obey.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence

from scanner.model import JSON, Detail, Status, Verdict, Where

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that show nothing of their own or change how the rest is shown (https://www.unicode.org/reports/tr44/)."""

# What build services obey when it stands in a log: GitHub and Azure read `##[command]` and `##vso[command]` anywhere, TeamCity
# `##teamcity[...]`, and GitHub `::command::` at the start of a line, which is where wrapping may put any word (an address such as ::/0 is none).
# https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
ORDER = re.compile(r"#(?=#(?:vso|teamcity)?\[)|(?<!\S):(?=:[A-Za-z][\w-]*(?:\s[^\n]*)?::)")

LONG = 160
"""Characters of a value that are shown; the JSON report has all of them."""

FACTS = 5
"""Failing facts, or gaps, in one sentence."""
WORDS = {
    Status.FAIL: "breaks the rule",
    Status.PASS: "keeps the rule",
    Status.UNKNOWN: "was not seen",
    Status.NOT_APPLICABLE: "the rule does not speak of it",
}
"""For verdicts without a message."""


def visible(text: str, encoding: str = "utf-8") -> str:
    """`text` on one line, with nothing in it that a terminal or a build log would obey, and nothing `encoding` cannot write."""
    if not text.isprintable():
        text = "".join(_escaped(char) if unicodedata.category(char) in HIDDEN else char for char in text)
    if not text.isascii():
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    if "##" in text or "::" in text:  # no order without one of them, and most texts have neither
        text = ORDER.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return text


def _escaped(char: str) -> str:
    r"""One character as `\n`, `\x1b`, `\u202e` or `\U000e0041`."""
    return char.encode("unicode_escape").decode("ascii")


def shown(value: JSON) -> str:
    """A value as a person reads it: JSON, lists without brackets, cut to `LONG`. Not yet `visible`."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, str | int | float) for item in value):
        text = ", ".join(shown(item) for item in value)
    elif isinstance(value, str) and value.strip() == value and value:
        text = value
    else:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return shortened(text)


def shortened(text: str, limit: int = LONG) -> str:
    """`text`, or its beginning and how much is missing."""
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text) - limit} characters more)"


def sentence(text: str) -> str:
    """The first sentence of a description, on one line."""
    return re.split(r"(?<=[.!?])\s+(?=[A-Z0-9`'\"])", " ".join(text.split()), maxsplit=1)[0]


def ended(text: str) -> str:
    """`text` with a full stop, where it has no end of its own."""
    stripped = text.rstrip()
    return stripped if stripped.endswith((".", "!", "?")) else f"{stripped}."


def many(count: int, noun: str, plural: str = "") -> str:
    """`1 finding`, `2 findings`."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or noun + 's'}"


def place(where: Where) -> str:
    """`file:line:column` as far as it is known; empty for what is in no file."""
    if not where.file:
        return ""
    known = [number for number in (where.line, where.column) if number] if where.line else []
    return ":".join((where.file, *map(str, known)))


def through(where: Where) -> str:
    """What leads to a place: `module.team (main.tf:3:1), module.team.module.store (team/main.tf:9:1)`. Not yet `visible`."""
    return ", ".join(f"{each.locator} ({place(each)})" for each in where.via)


def controls(by_framework: Mapping[str, Sequence[str]], most: int | None = None) -> str:
    """`nist_800_53_r5 SC-12, SC-28(1); pci_dss_4 3.7.4`; of each framework the first `most`, and how many more."""

    def few(ids: Sequence[str]) -> str:
        cut = ids if most is None or len(ids) <= most + 1 else ids[:most]
        return ", ".join(cut) + (f" +{len(ids) - len(cut)}" if len(cut) < len(ids) else "")

    return "; ".join(f"{name} {few(ids)}" for name, ids in sorted(by_framework.items()) if ids)


def said(verdict: Verdict) -> str:
    """One plain sentence with the specifics: `AWS::KMS::Key 'ckpt': automatic rotation is off (…)`. Not yet `visible`."""
    role = f" of the AI factory ({verdict.ai_role})" if verdict.ai_role else ""
    return f"{verdict.native_type} {subject(verdict)}{role}: {specifics(verdict)}"


def subject(verdict: Verdict) -> str:
    """`'name'`, or `in scope/region` where a listing failed. Not yet `visible`."""
    return f"'{verdict.name or verdict.subject}'" if verdict.level == "resource" else f"in {verdict.scope}/{verdict.region}"


def specifics(verdict: Verdict) -> str:
    """Failing facts and gaps, the first few. Not yet `visible`."""
    facts = list(map(detail, verdict.details)) or [verdict.message or WORDS[verdict.status]]
    facts += [gap.text for gap in verdict.gaps if gap.text not in verdict.message]
    return "; ".join(facts[:FACTS]) + (f"; and {len(facts) - FACTS} more" if len(facts) > FACTS else "")


def detail(each: Detail) -> str:
    """One failing fact, expected against actual. Not yet `visible`."""
    sides = [f"{word} {shown(value)}" for word, value in (("expected", each.expected), ("found", each.actual)) if value is not None]
    return f"{each.message} ({each.fact}: {', '.join(sides)})" if sides else f"{each.message} ({each.fact})"
