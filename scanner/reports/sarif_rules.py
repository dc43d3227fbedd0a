"""Our rules as SARIF rules: the texts that code scanning shows, how it ranks them, and the frameworks they refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest

from sarif import ingestion
from sarif import log as sarif
from scanner.model import Report, Rule, Severity
from scanner.reports import text as words
from scanner.reports import views

LEVELS = {
    Severity.CRITICAL: ("error", "9.5"),
    Severity.HIGH: ("error", "8.0"),
    Severity.MEDIUM: ("warning", "5.5"),
    Severity.LOW: ("note", "2.0"),
    Severity.INFO: ("note", ""),
}
"""Severity → level and `security-severity`: over 9.0 is shown as critical, from 7.0 as high, from 4.0 as medium, else as low.
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning"""

CATALOG = "bartizan_catalog"
"""The taxonomy of our own requirement ids."""


def name(rule_id: str) -> str:
    """`encryption.cmk_rotation` → `EncryptionCmkRotation`: a stable name without punctuation."""
    return "".join(each[:1].upper() + each[1:] for each in rule_id.replace(".", "_").replace("-", "_").split("_"))


def severities(report: Report) -> dict[str, Severity]:
    """Rule id → severity as judged: `bartizan.yaml` may have changed the rule's own."""
    found = {rule.id: rule.severity for rule in report.rules}
    judged: dict[str, Severity] = {}
    for verdict in report.verdicts:
        known = judged.get(verdict.rule, verdict.severity)
        judged[verdict.rule] = min(known, verdict.severity, key=lambda each: each.rank)
    return {**found, **judged}


def controls(rule: Rule) -> dict[str, tuple[str, ...]]:
    """Framework → ids over all native types, our own catalogue included."""
    found: dict[str, dict[str, None]] = {}
    for native_type in sorted(rule.covers):
        for framework, ids in rule.controls_for(native_type).items():
            found.setdefault(framework, {}).update(dict.fromkeys(ids))
    for framework, ids in rule.controls.items():
        found.setdefault(framework, {}).update(dict.fromkeys(ids))
    catalog = dict.fromkeys(each for native_type in sorted(rule.covers) for each in rule.covers[native_type].catalog)
    if catalog:
        found[CATALOG] = catalog
    return {framework: tuple(ids) for framework, ids in sorted(found.items()) if ids}


def tags(rule: Rule, severity: Severity) -> tuple[str, ...]:
    """As many as are shown: the first control of each framework, then the second, and so on."""
    by_framework = [[f"{framework}/{each}" for each in ids] for framework, ids in controls(rule).items() if framework != CATALOG]
    in_turn = [each for turn in zip_longest(*by_framework) for each in turn if each]
    own = ["security", f"severity/{severity.value}", *rule.tags]
    return tuple(dict.fromkeys(filter(None, (*own, *in_turn))))[: ingestion.MAX_TAGS]


def descriptor(rule: Rule, severity: Severity, relationships: Iterable[sarif.Object] = (), *, complete: bool = False) -> sarif.Rule:
    """The SARIF rule; `complete` adds what an auditor asks for (parameters, facts, file)."""
    level, security = LEVELS[severity]
    title = words.ended(" ".join(rule.title.split()) or rule.id)
    description = " ".join(rule.description.split()) or title
    details = {
        "bartizan/facts": list(rule.needs),
        "bartizan/nativeTypes": sorted(rule.covers),
        "bartizan/file": rule.file,
        "bartizan/severity": severity.value,
    }
    return sarif.Rule(
        id=rule.id,
        name=name(rule.id)[: ingestion.MAX_NAME],
        short=title[: ingestion.MAX_TEXT],
        full=description[: ingestion.MAX_TEXT],
        help=_help(rule, description),
        markdown=_markdown(rule, title, description, severity),
        help_uri=next((each for each in rule.references if each.startswith("https://")), ""),
        level=level,
        tags=tags(rule, severity),
        precision="very-high",
        severity=security,
        relationships=tuple(relationships),
        properties=details if complete else {},
    )


def _fixes(rule: Rule) -> list[tuple[str, str, str]]:
    """(native type, by what, text), each fix once."""
    return [
        (native_type, by, text.rstrip())
        for native_type in sorted(rule.covers)
        for by, text in views.fixes(rule, native_type, filed=False)
    ]


def _help(rule: Rule, description: str) -> str:
    """Why, and how to mend it, as plain text."""
    fixes = [f"Fix ({native_type}, {by}): {text}" for native_type, by, text in _fixes(rule)]
    return "\n".join([words.ended(description), *fixes])


def _markdown(rule: Rule, title: str, description: str, severity: Severity) -> str:
    """The same as Markdown, with controls and references."""
    lines = [f"## {title}", "", description, "", f"**Severity:** {severity.value}"]
    for native_type, by, text in _fixes(rule):
        lines += ["", f"**Fix** for `{native_type}` ({by}):", "", _block(text)]
    if known := {framework: ids for framework, ids in controls(rule).items() if framework != CATALOG}:
        lines += ["", "**Controls:** " + words.controls(known)]
    if rule.references:
        lines += ["", "**References:**", "", *(f"- <{each}>" for each in rule.references)]
    return "\n".join(lines) + "\n"


def _block(text: str) -> str:
    """A code block, by indentation: nothing in it can end it."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def taxonomies(rules: Iterable[Rule], guid: Callable[[str], str]) -> tuple[sarif.Taxonomy, ...]:
    """One taxonomy a framework, of the ids that the rules refer to."""
    found: dict[str, set[str]] = {}
    for rule in rules:
        for framework, ids in controls(rule).items():
            found.setdefault(framework, set()).update(ids)
    return tuple(sarif.Taxonomy(each, guid(each), tuple(sorted(found[each]))) for each in sorted(found))


def references(known: Iterable[sarif.Taxonomy], ids: Mapping[str, Iterable[str]]) -> list[sarif.Object]:
    """References to taxa, for framework → ids; ids that no rule declares are left out."""
    return [
        taxonomy.reference(index, each)
        for index, taxonomy in enumerate(known)
        for each in ids.get(taxonomy.name, ())
        if each in taxonomy.taxa
    ]
