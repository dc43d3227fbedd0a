"""SARIF 2.1.0 logs as plain dicts: frozen dataclasses in, the log's JSON out. It knows SARIF and nothing else.

The standard: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html (section numbers
below are of it). What is empty is left out; what a consumer wants beyond the standard is checked by `sarif/ingestion.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"
ROOT = "%SRCROOT%"
"""Base id of relative paths: the root of the checkout. It names no absolute path, so none leaks."""

# NOTE: a semantic version as https://semver.org spells it; anything else must not stand in `semanticVersion` (3.19.12).
SEMVER = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")

Object = dict[str, Any]
Properties = Mapping[str, Any]


def filled(**members: Any) -> Object:
    """A dict of the members that hold something: None and what is empty are left out, 0 and False are not."""
    return {name: value for name, value in members.items() if value is not None and value not in ("", (), [], {})}


@dataclass(frozen=True, slots=True)
class Logical:
    """A place that is not in a file: a resource, a namespace (3.33)."""

    name: str
    full_name: str = ""
    kind: str = ""

    def json(self) -> Object:
        """The `logicalLocation` object."""
        return filled(name=self.name, fullyQualifiedName=self.full_name, kind=self.kind)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, and what it is called (3.28)."""

    uri: str
    """Relative to the root of the checkout, percent-encoded. Empty: only the logical locations are given."""
    line: int = 1
    column: int = 1
    end_line: int = 0
    """0: the same as `line`."""
    end_column: int = 0
    """0: the same as `column`. Exclusive."""
    logical: tuple[Logical, ...] = ()
    context: tuple[int, int] = (0, 0)
    """First and last line of what a viewer shows around it (3.29.5); zeros for none."""
    id: int = 0
    """By which a message names it: `[text](id)` (3.28.2); 0 for none."""
    message: str = ""

    def json(self) -> Object:
        """The `location` object."""
        physical = None
        if self.uri:
            region = {
                "startLine": self.line,
                "startColumn": self.column,
                "endLine": self.end_line or self.line,
                "endColumn": self.end_column or self.column,
            }
            first, last = self.context
            # NOTE: it must be more than the region and hold all of it (3.29.5)
            wider = 0 < first <= self.line and last >= region["endLine"] and (first, last) != (self.line, region["endLine"])
            physical = filled(
                artifactLocation={"uri": self.uri, "uriBaseId": ROOT},
                region=region,
                contextRegion={"startLine": first, "endLine": last} if wider else None,
            )
        return filled(
            id=self.id or None,
            physicalLocation=physical,
            logicalLocations=[each.json() for each in self.logical],
            message=filled(text=self.message),
        )


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """A catalogue of requirements that rules refer to (3.19.3)."""

    name: str
    guid: str
    taxa: tuple[str, ...]
    """Ids, sorted."""

    def json(self) -> Object:
        """The `toolComponent` object of the catalogue."""
        taxa = [{"id": each} for each in self.taxa]
        return {"name": self.name, "guid": self.guid, "isComprehensive": False, "taxa": taxa}

    def reference(self, index: int, taxon: str) -> Object:
        """A `reportingDescriptorReference` to one entry; `index` is this taxonomy's place in the run."""
        component = {"name": self.name, "guid": self.guid, "index": index}
        return {"id": taxon, "index": self.taxa.index(taxon), "toolComponent": component}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, or the kind of a notification (3.49)."""

    id: str
    name: str
    short: str
    """One sentence."""
    full: str = ""
    help: str = ""
    markdown: str = ""
    help_uri: str = ""
    level: str = "warning"
    tags: tuple[str, ...] = ()
    precision: str = ""
    severity: str = ""
    """`security-severity`: a number between 0 and 10, as text; empty for none."""
    relationships: tuple[Object, ...] = ()
    """References to taxa."""
    properties: Properties = field(default_factory=dict)

    def json(self) -> Object:
        """The `reportingDescriptor` object."""
        problem = {"error": "error", "warning": "warning", "note": "recommendation"}.get(self.level, "")
        shown = filled(
            tags=list(self.tags),
            precision=self.precision,
            **{"problem.severity": problem if self.precision else "", "security-severity": self.severity},
        )
        return filled(
            id=self.id,
            name=self.name,
            shortDescription={"text": self.short},
            fullDescription=filled(text=self.full),
            help=filled(text=self.help, markdown=self.markdown),
            helpUri=self.help_uri,
            defaultConfiguration={"level": self.level},
            relationships=[{"target": each, "kinds": ["relevant"]} for each in self.relationships],
            properties={**shown, **self.properties},
        )


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a result does not count (3.35)."""

    kind: str
    """`inSource` or `external`."""
    justification: str
    guid: str = ""
    place: Place | None = None
    properties: Properties = field(default_factory=dict)

    def json(self) -> Object:
        """The `suppression` object, accepted."""
        return filled(
            kind=self.kind,
            status="accepted",
            justification=self.justification,
            guid=self.guid,
            location=self.place.json() if self.place else None,
            properties=dict(self.properties),
        )


@dataclass(frozen=True, slots=True)
class Result:
    """What one rule says about one thing (3.27)."""

    rule: str
    message: str
    place: Place
    level: str = ""
    """`error`, `warning` or `note`; only a `fail` has one, every other kind is `none` (3.27.10)."""
    kind: str = ""
    """`pass open review notApplicable informational`, or `fail`; empty is left out, which means `fail`."""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    guid: str = ""
    suppressions: tuple[Suppression, ...] = ()
    taxa: tuple[Object, ...] = ()
    properties: Properties = field(default_factory=dict)
    related: tuple[Place, ...] = ()
    """Places that say more about it, each with a message (3.27.22)."""
    baseline: str = ""
    """`new unchanged updated absent`: its state since the run of `Run.baseline` (3.27.24); empty where nothing was compared."""

    def json(self, rule_index: int) -> Object:
        """The `result` object; `rule_index` is the rule's place in the driver."""
        return filled(
            ruleId=self.rule,
            ruleIndex=rule_index,
            kind=self.kind,
            level=self.level if self.kind in ("", "fail") else "none",
            message={"text": self.message},
            locations=[self.place.json()],
            relatedLocations=[each.json() for each in self.related],
            partialFingerprints=dict(self.fingerprints),
            guid=self.guid,
            baselineState=self.baseline,
            suppressions=[each.json() for each in self.suppressions],
            taxa=list(self.taxa),
            properties=dict(self.properties),
        )


@dataclass(frozen=True, slots=True)
class Notification:
    """Something about the run itself (3.58)."""

    id: str
    """Id of a descriptor in `Run.notifications`."""
    level: str
    message: str
    rule: str = ""
    """The rule it is about."""
    place: Place | None = None
    properties: Properties = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one tool, without its results: those come last, and may be many (3.14)."""

    name: str
    full_name: str
    version: str
    category: str
    """What tells this run from others of the same tool: `automationDetails.id` without its last part."""
    time: str
    """When it ended, RFC 3339."""
    guid: str
    correlation: str
    """The guid of all runs of this category."""
    rules: tuple[Rule, ...]
    notifications: tuple[Rule, ...] = ()
    """Descriptors of notifications."""
    execution: tuple[Notification, ...] = ()
    configuration: tuple[Notification, ...] = ()
    taxonomies: tuple[Taxonomy, ...] = ()
    started: str = ""
    successful: bool = True
    exit_code: int = 0
    exit_text: str = ""
    repository: str = ""
    revision: str = ""
    branch: str = ""
    properties: Properties = field(default_factory=dict)
    baseline: str = ""
    """The guid of the run that this one was compared with (3.14.5)."""

    def json(self) -> Object:
        """The `run` object, with no results yet."""
        return filled(
            tool={"driver": self._driver()},
            automationDetails={
                "id": f"{self.category}/{self.time}",
                "guid": self.guid,
                "correlationGuid": self.correlation,
                "description": {"text": f"Runs of {self.name} in the category '{self.category}'."},
            },
            originalUriBaseIds={ROOT: {"description": {"text": "The root of the repository's checkout."}}},
            baselineGuid=self.baseline,
            columnKind="unicodeCodePoints",
            versionControlProvenance=[self._provenance()] if self.repository else [],
            invocations=[self._invocation()],
            taxonomies=[each.json() for each in self.taxonomies],
            properties=dict(self.properties),
        )

    def _driver(self) -> Object:
        """The tool, and what its rules and notifications mean."""
        driver = filled(
            name=self.name,
            fullName=self.full_name,
            version=self.version,
            semanticVersion=self.version if SEMVER.fullmatch(self.version) else "",
            supportedTaxonomies=[{"name": t.name, "guid": t.guid, "index": i} for i, t in enumerate(self.taxonomies)],
            notifications=[each.json() for each in self.notifications],
        )
        return {**driver, "rules": [each.json() for each in self.rules]}

    def _provenance(self) -> Object:
        """Which revision the relative paths belong to."""
        return filled(repositoryUri=self.repository, revisionId=self.revision, branch=self.branch, mappedTo={"uriBaseId": ROOT})

    def _invocation(self) -> Object:
        """How the run went."""
        return filled(
            executionSuccessful=self.successful,
            startTimeUtc=self.started,
            endTimeUtc=self.time,
            exitCode=self.exit_code,
            exitCodeDescription=self.exit_text,
            toolExecutionNotifications=[self._notification(each) for each in self.execution],
            toolConfigurationNotifications=[self._notification(each) for each in self.configuration],
        )

    def _notification(self, notification: Notification) -> Object:
        """One `notification` object, its references resolved to places in the driver."""
        kinds = [each.id for each in self.notifications]
        rules = [each.id for each in self.rules]
        about = {"id": notification.rule, "index": rules.index(notification.rule)} if notification.rule in rules else None
        return filled(
            descriptor={"id": notification.id, "index": kinds.index(notification.id)},
            associatedRule=about,
            level=notification.level,
            message={"text": notification.message},
            locations=[notification.place.json()] if notification.place else [],
            properties=dict(notification.properties),
        )


def results(run: Run, found: Iterable[Result]) -> Iterable[Object]:
    """The `result` objects of a run, one by one."""
    index = {rule.id: place for place, rule in enumerate(run.rules)}
    for each in found:
        yield each.json(index.get(each.rule, -1))


def log(run: Run, found: Iterable[Result]) -> Object:
    """A whole log of one run, in memory."""
    return {"$schema": SCHEMA_URI, "version": VERSION, "runs": [{**run.json(), "results": list(results(run, found))}]}


def write(run: Run, found: Iterable[Result], out: TextIO, dumps: Callable[[Any], str] = json.dumps) -> None:
    """The same log, written as it comes, so that memory does not grow with the results: one result a line."""
    out.write(f'{{\n"$schema": {dumps(SCHEMA_URI)},\n"version": {dumps(VERSION)},\n"runs": [{{\n')
    out.writelines(f"{dumps(name)}: {dumps(value)},\n" for name, value in run.json().items())
    out.write('"results": [')
    separator = "\n"
    for each in results(run, found):
        out.write(separator + dumps(each))
        separator = ",\n"
    out.write("\n]\n}]\n}\n")
