from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from scanner.model import Cover, Detail, Gap, Reason, Report, Rule, Severity, Status, Where
from scanner.reports import markdown
from scanner.reports.text import visible
from tests.scanner.reports import golden as made

ANY = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    [
        "`",
        "``",
        "`` ` ``",
        " `",
        "a|b",
        "<!--",
        "-->",
        "</details>",
        "@team",
        "#1",
        "www.x.y",
        "# h",
        "\\",
        "&lt;",
        "![x](y)",
        "~~~",
    ]
)
HTML = {f"{markdown.MARKER}\n", "</details>\n", "</details>"}


def text(report: Report, **options: int) -> str:
    out = io.StringIO()
    markdown.render(report, out, **options)
    return out.getvalue()


def tokens(source: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(source):
        yield token
        yield from token.children or ()


def harmless(source: str) -> None:
    """Nothing but what we write ourselves is markup, and what services turn into links is in code."""
    for token in tokens(source):
        assert token.type not in {"html_inline", "link_open", "image", "s_open", "em_open", "code_block"}, token
        if token.type == "html_block":
            assert token.content in HTML or token.content.startswith("<details><summary>Coverage: "), token
            assert "<" not in token.content.removeprefix("<details><summary>").replace("</summary>", "") or token.content in HTML
        if token.type == "text":
            assert not set("@#") & set(token.content), token
            assert "://" not in token.content


def spans(source: str) -> list[str]:
    return [token.content for token in tokens(source) if token.type == "code_inline"]


def section(source: str, start: str) -> list[str]:
    lines = source.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(start))
    end = next((n for n, line in enumerate(lines[at + 1 :], at + 1) if line.startswith(("### ", "<details", "**"))), len(lines))
    return [line for line in lines[at:end] if line]


def test_the_marker_is_first_and_the_verdict_in_the_heading(golden: Report) -> None:
    lines = text(golden).splitlines()
    assert lines[0] == "<!-- bartizan:summary:v1 -->"
    assert lines[1] == "## Bartizan: gate failed: 16 findings at or above high (--fail-on high) (exit 1)"
    assert text(golden.replace(exit_code=0, exit_reason="")).splitlines()[1] == "## Bartizan: gate passed (exit 0)"


def test_counts_by_severity(golden: Report) -> None:
    assert text(golden).splitlines()[3:7] == [
        "| | critical | high | medium | low | info |",
        "|---|---:|---:|---:|---:|---:|",
        "| open | 9 | 8 | 1 | 1 | 7 |",
        "| waived | 0 | 1 | 0 | 0 | 0 |",
    ]


def test_unknowns_are_a_warning_with_cures(golden: Report) -> None:
    assert section(text(golden), "> [!WARNING]")[:4] == [
        "> [!WARNING]",
        "> 3 verdicts are unknown: what was not seen is not a pass.",
        ">",
        (
            "> - **denied** `kms:GetKeyRotationStatus` (1 verdict). "
            "Cure: `Grant kms:GetKeyRotationStatus to arn:aws:iam::111122223333:role/audit`"
        ),
    ]
    seen = golden.replace(verdicts=tuple(v for v in golden.verdicts if v.status is not Status.UNKNOWN))
    assert "[!WARNING]" not in text(seen)


def test_a_finding_has_its_place_and_its_fix(golden: Report) -> None:
    assert section(text(golden), "### critical, in the AI factory") == [
        "### critical, in the AI factory: `workload.privileged` Containers are not privileged",
        "A privileged container reaches every GPU, NIC and host device of the node.",
        (
            "- `k8s/trainer.yaml:14:13` `k8s/gpu-prod/Deployment.apps/training/llm-pretrain` (AI factory: training): "
            "`container 'worker' is privileged (privileged: expected false, found worker)`"
        ),
        "Fix (manifest):",
        "```",
        "securityContext:",
        "  privileged: false",
        "  allowPrivilegeEscalation: false",
        "```",
    ]


def findings(source: str) -> int:
    body = source.partition("\n### ")[2].partition("<details>")[0]
    return sum(line.startswith("- `") for line in body.splitlines())


def test_twenty_are_shown_and_the_rest_is_counted(golden: Report) -> None:
    whole = text(golden)
    assert findings(whole) == 20
    assert "**6 of 26 open findings are not shown here**; the JSON and SARIF reports have them." in whole.splitlines()
    few = golden.replace(verdicts=tuple(v for v in golden.verdicts if v.where.file))
    assert "not shown here" not in text(few)
    many = golden.replace(verdicts=tuple(golden.verdicts[0].replace(severity=s) for s in Severity for _ in range(9)))
    assert findings(text(many)) == 20
    assert text(many).count("- and 4 more") == 4
    assert "**25 of 45 open findings are not shown here**" in text(many)


def test_coverage_is_folded(golden: Report) -> None:
    lines = text(golden).splitlines()
    at = lines.index("<details><summary>Coverage: 5 rules, 28 resources, 34 verdicts</summary>")
    assert lines[at + 4] == "| 27 | 1 | 3 | 2 | 2 |"
    assert lines[at + 6] == "- listings complete: 3 of 4"
    assert lines[at + 7].startswith("  - `AWS::EC2::VPC` in `111122223333/eu-west-1`: absent, 0 resources seen. `throttled: ")
    assert lines[-1] == "</details>"


def test_notes(golden: Report) -> None:
    assert section(text(golden), "### Notes")[1:3] == [
        "- problem: `k8s/broken.yaml:7: not valid YAML, the file was not read`",
        (
            "- waiver of `no.such_rule` on `*`: malformed, accepts nothing: no rule has this id; reason and expires are missing "
            "(`bartizan-waivers.yaml:21:5`)"
        ),
    ]


def test_many_blind_spots_and_notes_are_cut(golden: Report) -> None:
    blind = next(v for v in golden.verdicts if v.status is Status.UNKNOWN)
    gaps = tuple(Gap(Reason.DENIED, f"x:Call{n}", "Grant it") for n in range(14))
    report = golden.replace(
        verdicts=(blind.replace(gaps=gaps),),
        problems=("broken",) * 13,
        waivers=golden.waivers * 9,
        coverage=golden.coverage[:1] * 12,
    )
    assert "> - and 4 more" in text(report).splitlines()
    assert "- and 3 more problems" in text(report).splitlines()
    assert "- and 17 more waivers" in text(report).splitlines()
    assert "  - and 2 more" in text(report).splitlines()


def huge(report: Report) -> Report:
    """Long names, long fixes, many rules: more than any comment holds."""
    rules, verdicts = [], []
    for n in range(30):
        fix = {"console": "click here\n" * 1500}
        rules.append(Rule(f"a.r{n}", "t" * 500, "d" * 500, Severity.HIGH, "key", (), (), {"AWS::KMS::Key": Cover(fix=fix)}))
        verdicts.append(made.keys()[0].replace(rule=f"a.r{n}", subject="鍵" * 4000, message="m" * 4000, details=()))
    blind = next(v for v in report.verdicts if v.status is Status.UNKNOWN)
    return report.replace(rules=tuple(rules), verdicts=(*verdicts, blind), exit_reason="é" * 9000, problems=("\u202e" * 9000,) * 20)


@pytest.mark.parametrize("limit", [0, 4 << 10, 20_000, markdown.COMMENT, markdown.SUMMARY])
def test_never_longer_than_it_may_be_and_says_so(golden: Report, limit: int) -> None:
    for report in (huge(golden), golden):
        source = text(report, limit=limit)
        assert len(source.encode()) <= max(limit, 4 << 10)
        harmless(source)
        assert source.splitlines()[3] == "| | critical | high | medium | low | info |"
        shown = findings(source)
        total = sum(report.opens().values())
        cut = f"**Cut to fit {max(limit, 4 << 10)} bytes: {shown} of {total} open findings are shown**"
        whole = text(report, limit=1 << 30)
        assert (cut in source) is (len(whole.encode()) > max(limit, 4 << 10))
    assert len(text(huge(golden), limit=1 << 30).encode()) > markdown.COMMENT
    assert len(text(golden).encode()) < markdown.COMMENT


def test_what_must_not_be_missing_is_cut_last(golden: Report) -> None:
    source = text(huge(golden), limit=8 << 10)
    assert "[!WARNING]" in source
    assert "<summary>Coverage" in source
    assert "### high" not in source


def test_data_is_code(golden: Report) -> None:
    source = text(golden)
    harmless(source)
    assert visible(f"k8s/gpu-prod/Pod/hostile/{made.HOSTILE[9]}") in spans(source)


@pytest.mark.parametrize("data", ["`", "``x`", " x ", "  ", "", "`x", "a`b``c", "|", "<b>", "\\`", "x\n- y"])
def test_a_span_holds_what_it_was_given(data: str) -> None:
    assert spans(f"a {markdown.code(data)} b {markdown.code('c')}") == [visible(data) or " ", "c"]


@pytest.mark.parametrize(
    ("given_", "shown"),
    [
        ("plain, as it is (--so)", "plain, as it is (--so)"),
        ("*bold* <b>", r"\*bold\* \<b\>"),
        ("ask @team", "`ask @team`"),
        ("see #12", "`see #12`"),
        ("https://example.org", "`https://example.org`"),
        ("a :boom: b", "`a :boom: b`"),
        ("!12", "`!12`"),
    ],
)
def test_prose(given_: str, shown: str) -> None:
    assert markdown.prose(given_) == shown


@given(ANY, ANY)
def test_no_text_is_markup(name: str, message: str) -> None:
    one = made.report().verdicts[0]
    blind = next(v for v in made.report().verdicts if v.status is Status.UNKNOWN)
    gap = Gap(Reason.DENIED, name, message, message)
    rule = Rule(name, message, f"{name} {message}", Severity.HIGH, "key", (), (), {"x": Cover(fix={name: message})})
    hostile = one.replace(
        rule=name, native_type="x", subject=f"id {name}", name=name, message=message, ai_role=name, where=Where(name, 1),
        details=(Detail(name, message, name, [message]),),
    )  # fmt: skip
    report = made.report().replace(
        rules=(rule,),
        verdicts=(hostile, blind.replace(gaps=(gap,))),
        problems=(message,),
        exit_reason=message,
        waivers=tuple(type(w)(name, message, name, name, message, problem=message, state=w.state) for w in made.report().waivers),
        coverage=(type(made.report().coverage[0])(name, name, message, name, made.Extent.ABSENT, gap),),
    )
    source = text(report)
    harmless(source)
    assert visible(f"id {name}") in spans(source) or len(name) > 200
    headings = [token for token in tokens(source) if token.type == "heading_open"]
    assert len(headings) == 3
    assert sum(token.type == "fence" for token in tokens(source)) == 1
