from __future__ import annotations

import io
import json
from typing import Any

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import Detail, Report, Severity, Where
from scanner.reports import gitlab
from tests.scanner.reports import golden as made

# https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/.]"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                },
            },
        },
    },
}


def found(report: Report, **options: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    gitlab.render(report, out, **options)
    out.getvalue().encode()
    issues: list[dict[str, Any]] = json.loads(out.getvalue())
    jsonschema.validate(issues, SCHEMA)
    return issues


def test_open_findings_alone(golden: Report) -> None:
    golden = golden.replace(waivers=())
    issues = found(golden)
    assert [each["fingerprint"] for each in issues] == [v.fingerprint for v in golden.verdicts if v.open]
    assert len({each["fingerprint"] for each in issues}) == len(issues)
    assert found(golden.replace(verdicts=())) == []


def test_places(golden: Report) -> None:
    by_rule = {each["fingerprint"]: each["location"] for each in found(golden, root="deploy/prod")}
    places = {v.subject: by_rule[v.fingerprint] for v in golden.verdicts if v.open}
    assert places["k8s/gpu-prod/Deployment.apps/training/llm-pretrain"] == {
        "path": "deploy/prod/k8s/trainer.yaml",
        "lines": {"begin": 14},
    }
    assert places[f"{made.KEY}000000000000"] == {
        "path": "cloud/aws/111122223333/us-east-1/AWS%3A%3AKMS%3A%3AKey/"
        "arn%3Aaws%3Akms%3Aus-east-1%3A111122223333%3Akey/1f0c9a52-3b1e-4a8e-9c53-000000000000",
        "lines": {"begin": 1},
    }


def test_a_path_is_the_repositorys_own(golden: Report) -> None:
    bare = golden.verdicts[0].replace(where=Where("./a b/../é#.tf"), details=())
    (issue,) = found(golden.replace(verdicts=(bare,), waivers=()))
    assert issue["location"] == {"path": "a b/é#.tf", "lines": {"begin": 1}}


def test_severities(golden: Report) -> None:
    one = golden.verdicts[0]
    issues = found(golden.replace(waivers=(), verdicts=tuple(one.replace(severity=each) for each in Severity)))
    assert [each["severity"] for each in issues] == ["blocker", "critical", "major", "minor", "info"]


@given(st.text(st.characters(exclude_categories=())))
def test_any_name_makes_a_report_that_is_taken(name: str) -> None:
    one = made.report().verdicts[0]
    verdict = one.replace(
        name=name, subject=name, region=name, message=name, where=Where(), details=(Detail(name, name, name, name),)
    )
    assert len(found(made.report().replace(verdicts=(verdict,), waivers=()))) == 1
