"""Each thing that a code-scanning service refuses or misreads is found, and named with its place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarif import ingestion, log
from tests.sarif import sample

Log = dict[str, Any]
RESULT = "/runs/0/results/0"
PLACE = f"{RESULT}/locations/0/physicalLocation"
RULE = "/runs/0/tool/driver/rules/0"


def run(whole: Log) -> Log:
    found: Log = whole["runs"][0]
    return found


def result(whole: Log) -> Log:
    found: Log = run(whole)["results"][0]
    return found


def rule(whole: Log) -> Log:
    found: Log = run(whole)["tool"]["driver"]["rules"][0]
    return found


def physical(whole: Log) -> Log:
    found: Log = result(whole)["locations"][0]["physicalLocation"]
    return found


def to(part: Callable[[Log], Log], **changes: Any) -> Callable[[Log], None]:
    return lambda whole: part(whole).update(changes)


def without(part: Callable[[Log], Log], name: str) -> Callable[[Log], None]:
    return lambda whole: part(whole).pop(name) and None


def uri(value: Any) -> Callable[[Log], None]:
    return lambda whole: physical(whole)["artifactLocation"].update(uri=value)


def region(**changes: Any) -> Callable[[Log], None]:
    return lambda whole: physical(whole)["region"].update(changes)


def logical_only(whole: Log) -> None:
    del result(whole)["locations"][0]["physicalLocation"]


def same_category(whole: Log) -> None:
    whole["runs"].append(copy.deepcopy(run(whole)))
    whole["runs"][1]["automationDetails"]["id"] = "tool/live/another-time"


def many_runs(whole: Log) -> None:
    for n in range(20):
        whole["runs"].append(copy.deepcopy(run(whole)))
        whole["runs"][-1]["automationDetails"]["id"] = f"tool/{n}/now"


MUTATIONS: dict[str, tuple[Callable[[Log], None], str]] = {
    # the table of design/report-formats.md, 1.4
    "no locations": (without(result, "locations"), f"{RESULT}/locations: is missing or empty"),
    "empty locations": (to(result, locations=[]), f"{RESULT}/locations: is missing or empty"),
    "logical location only": (logical_only, f"{PLACE}: is missing"),
    "empty uri": (uri(""), f"{PLACE}/artifactLocation/uri: is missing or empty"),
    "empty uri with a base": (
        lambda w: physical(w).update(artifactLocation={"uriBaseId": "x"}),
        f"{PLACE}/artifactLocation/uri: is missing",
    ),
    "an ARN as uri": (
        uri("arn:aws:kms:us-east-1:1:key/1"),
        f"{PLACE}/artifactLocation/uri: 'arn:aws:kms:us-east-1:1:key/1' has a scheme",
    ),
    "a leading slash": (uri("/etc/x.tf"), f"{PLACE}/artifactLocation/uri: '/etc/x.tf' begins with a slash"),
    "no region": (without(physical, "region"), f"{PLACE}/region: is missing"),
    "kind pass with level note": (to(result, kind="pass", level="note"), f"{RESULT}/level: is 'note', must be 'none'"),
    "kind pass without level": (
        lambda w: to(result, kind="pass")(w) or without(result, "level")(w),
        f"{RESULT}/level: is 'warning'",
    ),
    "no fingerprints": (without(result, "partialFingerprints"), f"{RESULT}/partialFingerprints: is missing or empty"),
    "empty fingerprints": (to(result, partialFingerprints={}), f"{RESULT}/partialFingerprints: is missing or empty"),
    "an empty fingerprint": (to(result, partialFingerprints={"a": ""}), f"{RESULT}/partialFingerprints: holds an empty"),
    "21 tags": (
        lambda w: rule(w)["properties"].update(tags=[f"t{n}" for n in range(21)]),
        f"{RULE}/properties/tags: holds 21 tags",
    ),
    "11 tags": (
        lambda w: rule(w)["properties"].update(tags=[f"t{n}" for n in range(11)]),
        f"{RULE}/properties/tags: holds 11 tags",
    ),
    "an empty tag": (lambda w: rule(w)["properties"].update(tags=[""]), f"{RULE}/properties/tags: holds a tag that is empty"),
    "numeric security-severity": (
        lambda w: rule(w)["properties"].update({"security-severity": 8.0}),
        f"{RULE}/properties/security-severity: is not a number from 0 to 10 as text",
    ),
    "security-severity over 10": (
        lambda w: rule(w)["properties"].update({"security-severity": "10.5"}),
        f"{RULE}/properties/security-severity: is not a number",
    ),
    "unknown precision": (
        lambda w: rule(w)["properties"].update(precision="exact"),
        f"{RULE}/properties/precision: 'exact' is none of",
    ),
    "two runs of one category": (same_category, "/runs/1: has the tool and category of run 0"),
    "ruleIndex out of range": (to(result, ruleIndex=2), f"{RESULT}/ruleIndex: 2 is out of the range"),
    "ruleIndex negative": (to(result, ruleIndex=-1), f"{RESULT}/ruleIndex: -1 is out of the range"),
    "ruleIndex missing": (without(result, "ruleIndex"), f"{RESULT}/ruleIndex: None is out of the range"),
    "ruleIndex of another rule": (to(result, ruleIndex=1), f"{RESULT}/ruleIndex: points at 'a.two', ruleId says 'a.one'"),
    "endLine before startLine": (region(startLine=5, endLine=4), f"{PLACE}/region/endLine: 4 is before startLine 5"),
    "startLine 0": (region(startLine=0), f"{PLACE}/region/startLine: 0 is not a whole number from 1"),
    "startLine true": (region(startLine=True), f"{PLACE}/region/startLine: True is not"),
    "no startLine": (lambda w: physical(w)["region"].pop("startLine"), f"{PLACE}/region/startLine: None is not"),
    "startColumn 0": (region(startColumn=0), f"{PLACE}/region/startColumn: 0 is not"),
    "endColumn before startColumn": (region(endLine=3, endColumn=4), f"{PLACE}/region/endColumn: 4 is before startColumn 5"),
    "no help": (without(rule, "help"), f"{RULE}/help/text: is missing or empty"),
    # the rest of 1.1
    "no $schema": (lambda w: w.pop("$schema"), "/$schema: is missing or empty"),
    "another version": (lambda w: w.update(version="2.0.0"), "/version: is not '2.1.0'"),
    "no runs": (lambda w: w.update(runs=[]), "/runs: is missing or empty"),
    "21 runs": (many_runs, "/runs: holds 21 runs, more than 20"),
    "no driver name": (lambda w: run(w)["tool"]["driver"].update(name=" "), "/runs/0/tool/driver/name: is missing or empty"),
    "no rules": (lambda w: run(w)["tool"]["driver"].pop("rules"), "/runs/0/tool/driver/rules: is missing"),
    "no results": (lambda w: run(w).pop("results"), "/runs/0/results: is missing"),
    "a rule twice": (
        lambda w: run(w)["tool"]["driver"]["rules"].append(rule(w)),
        "/runs/0/tool/driver/rules: 'a.one' stands 2 times",
    ),
    "no rule id": (without(rule, "id"), f"{RULE}/id: is missing or empty"),
    "a long rule name": (to(rule, name="x" * 256), f"{RULE}/name: is empty or longer than 255"),
    "no short description": (to(rule, shortDescription={"text": ""}), f"{RULE}/shortDescription/text: is missing, empty or longer"),
    "a long full description": (
        to(rule, fullDescription={"text": "x" * 1025}),
        f"{RULE}/fullDescription/text: is missing, empty or longer",
    ),
    "an unknown default level": (
        to(rule, defaultConfiguration={"level": "high"}),
        f"{RULE}/defaultConfiguration/level: 'high' is no level",
    ),
    "no ruleId": (without(result, "ruleId"), f"{RESULT}/ruleId: is missing or empty"),
    "no message": (to(result, message={"text": "  "}), f"{RESULT}/message/text: is missing or empty"),
    "an unknown kind": (to(result, kind="passed"), f"{RESULT}/kind: 'passed' is no kind"),
    "an unknown level": (to(result, level="high"), f"{RESULT}/level: 'high' is no level"),
    "1001 locations": (
        lambda w: result(w).update(locations=result(w)["locations"] * 1001),
        f"{RESULT}/locations: holds 1001 locations",
    ),
    "a location that is no object": (to(result, locations=["x"]), f"{PLACE}: is missing"),
    "a rule that is no object": (lambda w: run(w)["tool"]["driver"]["rules"].__setitem__(0, "x"), f"{RULE}: is no object"),
    "a result that is no object": (lambda w: run(w)["results"].__setitem__(0, "x"), f"{RESULT}: is no object"),
    "a climbing uri": (uri("../x"), f"{PLACE}/artifactLocation/uri: '../x' has an empty, '.' or '..' part"),
    "a doubled slash": (uri("a//b"), f"{PLACE}/artifactLocation/uri: 'a//b' has an empty"),
    "a blank in a uri": (uri("my file.tf"), f"{PLACE}/artifactLocation/uri: 'my file.tf' holds characters that must be"),
    "a bare percent sign": (uri("100%.tf"), f"{PLACE}/artifactLocation/uri: '100%.tf' holds characters that must be"),
    "a windows path": (uri("a\\b.tf"), f"{PLACE}/artifactLocation/uri: 'a\\\\b.tf' holds characters that must be"),
    "a drive": (uri("C:/a.tf"), f"{PLACE}/artifactLocation/uri: 'C:/a.tf' has a scheme"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_every_mutation_is_caught(name: str) -> None:
    change, said = MUTATIONS[name]
    whole = sample.whole()
    change(whole)
    found = ingestion.violations(whole)
    assert [each for each in found if each.startswith(said)], found


def test_a_good_log_has_none() -> None:
    assert ingestion.violations(sample.whole()) == []
    assert ingestion.violations(log.log(sample.RUN, ())) == []


def test_bounds_are_the_services() -> None:
    many = [log.results(sample.RUN, sample.RESULTS[:1])]
    whole = log.log(sample.RUN, ())
    result = next(iter(many[0]))
    assert ingestion.violations(whole, iter([result] * 25_000)) == []
    assert ingestion.violations(whole, iter([result] * 25_001)) == ["/runs/0/results: holds 25001 results, more than 25000"]
    assert ingestion.violations(whole, iter([result] * 25_001), capped=False) == []


def test_streamed_results_are_checked_like_held_ones() -> None:
    whole = sample.whole()
    del whole["runs"][0]["results"][1]["locations"]
    apart = sample.whole()
    streamed = whole["runs"][0]["results"]
    apart["runs"][0]["results"] = []
    assert ingestion.violations(apart, streamed) == ingestion.violations(whole) != []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@given(st.data(), JSON)
def test_nothing_crashes_the_checker(data: st.DataObject, value: Any) -> None:
    whole: Any = sample.whole()
    target = whole
    for _ in range(data.draw(st.integers(0, 8))):
        inner = [
            each for each in (target.values() if isinstance(target, dict) else target) if isinstance(each, dict | list) and each
        ]
        if not inner:
            break
        target = data.draw(st.sampled_from(inner))
    key = data.draw(st.sampled_from(list(target) if isinstance(target, dict) else list(range(len(target)))))
    target[key] = value
    assert isinstance(ingestion.violations(whole), list)
