from __future__ import annotations

import copy
import io
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scanner import shape
from scanner.model import (
    BartizanError,
    Call,
    Change,
    Comparison,
    Cover,
    Coverage,
    Detail,
    Entry,
    Evidence,
    Extent,
    Gap,
    Origin,
    Outcome,
    Past,
    Reason,
    Report,
    Rule,
    Severity,
    Source,
    State,
    Status,
    Verdict,
    Waiver,
    WaiverState,
    Where,
)
from scanner.reports import json_reader, json_report
from tests.scanner.reports import golden as made

WORDS = st.text(st.characters(exclude_categories=()), max_size=8)  # surrogates too
NUMBERS = st.integers(0, 2**53)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)


def few(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=2).map(tuple)


def optional(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | items


CONTROLS = st.dictionaries(WORDS, few(WORDS), max_size=2)
LINES = st.tuples(NUMBERS, NUMBERS)
STEP = st.builds(Where, WORDS, NUMBERS, NUMBERS, WORDS, NUMBERS, NUMBERS, LINES)
WHERE = st.builds(Where, WORDS, NUMBERS, NUMBERS, WORDS, NUMBERS, NUMBERS, LINES, few(STEP), WORDS)
GAP = st.builds(Gap, st.sampled_from(Reason), WORDS, WORDS, WORDS)
SOURCE = st.builds(Source, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS)
CALL = st.builds(
    Call, WORDS, WORDS, WORDS, WORDS, WORDS, st.sampled_from(Outcome), optional(st.sampled_from(Reason)), WORDS,
    st.floats(0, 1e9), NUMBERS, WORDS,
)  # fmt: skip
COVERAGE = st.builds(Coverage, WORDS, WORDS, WORDS, WORDS, st.sampled_from(Extent), optional(GAP), NUMBERS, WORDS)
COVER = st.builds(Cover, few(WORDS), CONTROLS, st.dictionaries(WORDS, WORDS, max_size=2))
RULE = st.builds(
    Rule, WORDS, WORDS, WORDS, st.sampled_from(Severity), WORDS, few(WORDS), few(WORDS), st.dictionaries(WORDS, COVER, max_size=2),
    CONTROLS, st.dictionaries(WORDS, VALUES, max_size=2), few(WORDS), few(WORDS), st.frozensets(WORDS, max_size=2), WORDS, WORDS,
)  # fmt: skip
WAIVER = st.builds(
    Waiver, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WHERE, st.sampled_from(WaiverState), NUMBERS, WORDS,
)  # fmt: skip
DETAIL = st.builds(Detail, WORDS, WORDS, VALUES, VALUES, optional(WHERE))
EVIDENCE = st.builds(Evidence, WORDS, VALUES, optional(st.builds(Origin, WORDS, WORDS)), optional(GAP))
CHANGE = st.builds(
    Change, st.sampled_from(["new", "worse", "reopened", "unchanged", "newly_unknown", "unseen"]).map(State), WORDS, WORDS
)
ENTRY = st.builds(
    Entry, WORDS, WORDS, WORDS, st.sampled_from(Severity), WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS,
)  # fmt: skip
COMPARISON = st.builds(
    Comparison, WORDS, st.sampled_from(["report", "snapshot", "file"]), WORDS, WORDS, WORDS, few(WORDS), st.booleans(),
    st.fixed_dictionaries(dict.fromkeys(State, NUMBERS)),
    few(st.builds(Past, ENTRY, st.sampled_from([State.FIXED, State.UNSEEN, State.UNJUDGED]), WORDS)), few(WORDS),
)  # fmt: skip
VERDICT = st.builds(
    Verdict, WORDS, st.sampled_from(Status), st.sampled_from(Severity), WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS,
    few(DETAIL), few(GAP), few(EVIDENCE), WHERE, few(WORDS), CONTROLS, WORDS, WORDS, optional(WAIVER),
    st.sampled_from(["resource", "scope"]), WORDS, WORDS, optional(CHANGE),
)  # fmt: skip
REPORT = st.builds(
    Report, WORDS, WORDS, WORDS, WORDS, WORDS, few(SOURCE), few(RULE), few(VERDICT), few(COVERAGE), few(WAIVER),
    st.dictionaries(WORDS, st.dictionaries(WORDS, VALUES, max_size=2), max_size=2), NUMBERS, NUMBERS, few(CALL), few(WORDS),
    st.integers(-1, 300), WORDS, optional(COMPARISON),
).map(lambda report: report if report.exit_code or (report.rules and report.verdicts and not report.problems) else report.replace(exit_code=3))  # fmt: skip


def written(report: Report) -> str:
    out = io.StringIO()
    json_report.render(report, out)
    return out.getvalue()


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(REPORT)
def test_what_is_written_reads_back_equal(report: Report) -> None:
    text = written(report)
    data = json.loads(text.encode())
    assert json_reader.parse(data, "it") == report
    Draft202012Validator(json_report.schema()).validate(data)


def test_golden_survives_a_file(golden: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(written(golden).encode())
    again = json_report.load(path)
    assert again == golden
    assert written(again) == written(golden)


def test_schema_is_a_schema() -> None:
    schema = json_report.schema()
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:bartizan:report:{json_report.SCHEMA_VERSION}"
    assert schema["properties"]["schema_version"] == {"const": json_report.SCHEMA_VERSION}
    shape.compiled(schema)


def test_one_verdict_a_line(golden: Report) -> None:
    lines = written(golden).splitlines()
    at = lines.index('"verdicts": [')
    assert len(lines) - at == len(golden.verdicts) + 3
    assert all(json.loads(line.removesuffix(","))["resource"]["id"] for line in lines[at + 1 : -2])


def test_numbers_that_json_has_not_become_text(golden: Report) -> None:
    odd = {"a": [math.nan, math.inf, -math.inf], 1: (True, None)}
    verdict = golden.verdicts[0].replace(evidence=(Evidence("x", odd),))
    data = json.loads(written(golden.replace(verdicts=(verdict,))), parse_constant=pytest.fail)
    assert data["verdicts"][0]["evidence"][0]["value"] == {"1": [True, None], "a": ["nan", "inf", "-inf"]}


def test_strict_json_has_no_half_surrogates() -> None:
    text = json_report.dumps_strict(["\ud800", "\U0001f600", "\U000e0041\x7f\x9b"])
    assert json.loads(text) == ["\\ud800", "\U0001f600", "\U000e0041\x7f\x9b"]
    assert json.loads(json_report.dumps("\ud800\x1b\u202e")) == "\ud800\x1b\u202e"
    assert text.isascii() is False
    assert "\x7f" not in text
    assert "\U000e0041" not in text


BROKEN: dict[str, tuple[Any, str]] = {
    "no object": ([1], "is no Bartizan report"),
    "another tool's": ({"version": "2.1.0", "runs": []}, "is no Bartizan report"),
    "newer": ({"schema_version": "2.0"}, "is a report of version 2.0; this bartizan reads version 1.0"),
    "hostile version": ({"schema_version": "\x1b[2J"}, r"version \x1b[2J"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_report(case: str) -> None:
    data, said = BROKEN[case]
    with pytest.raises(BartizanError) as caught:
        json_reader.parse(data, "r.json")
    assert said in str(caught.value)
    assert str(caught.value).startswith("r.json: ")
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("pointer", "change", "said"),
    [
        ("/verdicts/3/status", "passed", "must be one of fail, unknown, pass, not_applicable, is 'passed'"),
        ("/verdicts/0/resource/id", 7, "must be a text, is 7"),
        ("/verdicts/0/where/line", -1, "must be 0 or more, is -1"),
        ("/verdicts/0/where/line", True, "must be a whole number, is True"),
        ("/rules/1/covers/AWS::KMS::Key/catalog", "AWS-ENC-001", "must be a list, is 'AWS-ENC-001'"),
        ("/gate/exit_code", "0", "must be a whole number, is '0'"),
        ("/coverage/0/gap/reason", "tired", "must be one of denied"),
        ("/sources", {}, "must be a list, is {}"),
        ("/tool/name", "other", "must be 'bartizan', is 'other'"),
    ],
)
def test_faults_name_their_place(golden: Report, pointer: str, change: Any, said: str) -> None:
    data = json.loads(written(golden))
    put(data, pointer.split("/")[1:], change)
    with pytest.raises(BartizanError) as caught:
        json_reader.parse(data, "r.json")
    assert str(caught.value).startswith(f"r.json: is not a valid report: {pointer}: {said}")


def put(data: Any, parts: list[str], value: Any) -> None:
    for part in parts[:-1]:
        data = data[int(part) if isinstance(data, list) else part]
    data[int(parts[-1]) if isinstance(data, list) else parts[-1]] = value


def test_a_member_too_many_or_too_few(golden: Report) -> None:
    data = json.loads(written(golden))
    data["verdicts"][1]["status2"] = 1
    with pytest.raises(BartizanError, match=r"/verdicts/1: has 'status2', which the format does not know"):
        json_reader.parse(data, "r.json")
    del data["verdicts"][1]["status2"], data["gate"]
    with pytest.raises(BartizanError, match=r"report: /: lacks 'gate'"):
        json_reader.parse(data, "r.json")


def test_a_dropped_verdict_is_noticed(golden: Report) -> None:
    data = json.loads(written(golden))
    fails = [v for v in data["verdicts"] if v["status"] == "fail"]
    data["verdicts"].remove(fails[0])
    with pytest.raises(BartizanError, match=r"was cut or edited: /summary/verdicts says 34, the report holds 33"):
        json_reader.parse(data, "r.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe{", "is not UTF-8 text (byte 0)"),
        (b'{"schema_version": ', "is not JSON: Expecting value"),
        (b"[" * 100_000, "is not JSON: "),
        (b'{"schema_version": NaN}', "is not JSON: NaN is no JSON"),
        (b"", "is not JSON: "),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(content)
    with pytest.raises(BartizanError) as caught:
        json_report.load(path)
    assert said in str(caught.value)
    assert "r.json" in str(caught.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(BartizanError, match=r"no-such\.json: cannot be read: No such file"):
        json_report.load(tmp_path / "no-such.json")


def paths(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [at, *(path for key, value in inner for path in paths(value, (*at, key)))]


def test_our_checker_agrees_with_jsonschema() -> None:
    """On thousands of mutations of the golden report, both take it or both refuse it, at the same place."""
    report = made.report()
    telling = (
        next(v for v in report.verdicts if v.waiver),
        next(v for v in report.verdicts if v.gaps and v.evidence),
        next(v for v in report.verdicts if v.details and v.details[0].where),
    )
    data = json.loads(written(report.replace(verdicts=telling, rules=report.rules[:1])))
    theirs, ours = Draft202012Validator(json_report.schema()), shape.compiled(json_report.schema())
    dice = random.Random(7)
    everywhere = paths(data)[1:]
    refused = 0
    for path in dice.sample(everywhere, 130):
        for value in (None, "x", -1, 1.5, True, [], {}, ["x"], "gone", "more"):
            mutant = copy.deepcopy(data) if len(path) < 2 else {**data, path[0]: copy.deepcopy(data[path[0]])}
            target = mutant
            for part in path[:-1]:
                target = target[part]
            if value == "gone":
                del target[path[-1]]
            elif value == "more" and isinstance(target, dict):
                target["more"] = 1
            else:
                target[path[-1]] = value
            found = None
            try:
                ours(mutant)
            except shape.Fault as fault:
                found = fault
            assert theirs.is_valid(mutant) is (found is None), (path, value, found)
            refused += found is not None
    assert refused > 500
