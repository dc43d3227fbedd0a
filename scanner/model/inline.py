"""Waivers that stand in a source's own text: `bartizan:waive RULE[,RULE] until=2027-01-31 reason="…" owner=… [ticket=…]`.

This is their form and nothing more: collectors find them (`Inline`), `scanner/waivers.py` says what they are worth.
"""

from __future__ import annotations

import re

MARKER = "bartizan:waive"
NEEDED = ("until", "reason", "owner")
KEYS = (*NEEDED, "ticket")
LONG = 1_000
"""Characters of one waiver."""
MOST = 1_000
"""Waivers of one file."""
_RULES = re.compile(r"\s*((?:[^\s,=]+\s*,\s*)*[^\s,=]+)(?=\s|$)")
_TERM = re.compile(r"""\s*(\w+)=(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"']\S*))(?=\s|$)""")
_ESCAPE = re.compile(r"\\(.)")
_MARKED = re.compile(rf"(?<![\w:.-]){re.escape(MARKER)}(?![\w:.-])")


def behind(comment: str) -> str | None:
    """What stands behind the marker on its line of a comment; None where it is no waiver."""
    mark = _MARKED.search(comment)
    if mark is None:
        return None
    line = comment[mark.end() :].partition("\n")[0]
    return line.replace("*/", " ").strip()[: LONG + 1]


def parse(text: str) -> tuple[tuple[str, ...], dict[str, str], list[str]]:
    """(rules, terms, what is wrong with the form) of what stands behind the marker."""
    problems = []
    if len(text) > LONG:
        problems.append(f"is longer than {LONG} characters")
        text = text[:LONG]
    at = 0
    rules: tuple[str, ...] = ()
    named = _RULES.match(text)
    if named:
        rules = tuple(dict.fromkeys(part.strip() for part in named[1].split(",")))
        at = named.end()
    else:
        problems.append("names no rule")
    terms: dict[str, str] = {}
    while at < len(text) and not text[at:].isspace():
        term = _TERM.match(text, at)
        if term is None:
            problems.append(f"cannot be read from {text[at:].strip()[:40]!r} on: terms are key=value, values with blanks in quotes")
            break
        key, at = term[1], term.end()
        if key not in KEYS:
            problems.append(f"has the unknown key {key!r}; there are {', '.join(KEYS)}")
        elif key in terms:
            problems.append(f"says {key!r} twice")
        quoted = term[2] if term[2] is not None else term[3]
        terms[key] = (term[4] if quoted is None else _ESCAPE.sub(r"\1", quoted)).strip()
    problems += [f"lacks {key!r}" for key in NEEDED if not terms.get(key)]
    return rules, terms, problems
