from __future__ import annotations

import io
import json
from pathlib import Path

from jsonschema import Draft202012Validator

from sarif import ingestion, log
from tests.sarif import sample

SCHEMA = json.loads((Path(log.__file__).parent / "sarif-2.1.0.json").read_text(encoding="utf-8"))


def test_a_log_is_valid_and_would_be_taken() -> None:
    whole = sample.whole()
    Draft202012Validator(SCHEMA).validate(whole)
    assert ingestion.violations(whole) == []


def test_streamed_and_whole_are_the_same() -> None:
    for found in (sample.RESULTS, ()):
        out = io.StringIO()
        log.write(sample.RUN, iter(found), out)
        assert json.loads(out.getvalue()) == log.log(sample.RUN, found)


def test_one_result_a_line() -> None:
    out = io.StringIO()
    log.write(sample.RUN, sample.RESULTS, out)
    lines = out.getvalue().splitlines()
    at = lines.index('"results": [')
    assert [json.loads(line.removesuffix(","))["ruleId"] for line in lines[at + 1 : -3]] == [each.rule for each in sample.RESULTS]


def test_a_clean_run_has_an_empty_list_of_results() -> None:
    # without it, alerts of earlier runs would never close
    assert log.log(sample.RUN, ())["runs"][0]["results"] == []


def test_only_failures_have_a_level() -> None:
    place = log.Place("a")
    for kind, level in (("", "error"), ("fail", "error"), ("pass", "none"), ("open", "none"), ("notApplicable", "none")):
        assert log.Result("r", "m", place, level="error", kind=kind).json(0)["level"] == level


def test_what_is_empty_is_left_out_and_zero_is_not() -> None:
    assert log.filled(a=None, b="", c=[], d=(), e={}, f=0, g=False, h="x") == {"f": 0, "g": False, "h": "x"}
    result = log.Result("r", "m", log.Place("a")).json(0)
    assert result["ruleIndex"] == 0
    assert "kind" not in result
    assert log.Run("n", "f", "1", "c", "t", "g", "h", ()).json()["tool"]["driver"]["rules"] == []


def test_semantic_versions_only() -> None:
    def driver(version: str) -> log.Object:
        run = log.Run("n", "f", version, "c", "t", "g", "h", ())
        found: log.Object = run.json()["tool"]["driver"]
        return found

    assert driver("1.2.3-rc.1+x")["semanticVersion"] == "1.2.3-rc.1+x"
    assert "semanticVersion" not in driver("1.2.3.dev4+gabc")
    assert driver("1.2.3.dev4+gabc")["version"] == "1.2.3.dev4+gabc"


def test_references_point_at_what_they_name() -> None:
    (run,) = sample.whole()["runs"]
    driver = run["tool"]["driver"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        for taxon in result.get("taxa", ()):
            catalogue = run["taxonomies"][taxon["toolComponent"]["index"]]
            assert catalogue["guid"] == taxon["toolComponent"]["guid"]
            assert catalogue["taxa"][taxon["index"]]["id"] == taxon["id"]
    for note in run["invocations"][0]["toolExecutionNotifications"]:
        assert driver["notifications"][note["descriptor"]["index"]]["id"] == note["descriptor"]["id"]
        assert driver["rules"][note["associatedRule"]["index"]]["id"] == note["associatedRule"]["id"]
