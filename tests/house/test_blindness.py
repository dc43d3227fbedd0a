"""The law, for every rule on every estate: blank a fact, and the verdict may become unknown, but never a pass and never a new failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from scanner.engine import document
from scanner.engine.embedded import EmbeddedEngine
from scanner.judge import judge
from scanner.model import Gap, Reason, Resource, Rule, Status
from scanner.rules.library import kinds
from tests.house import corpus

BLANK = Gap(Reason.DENIED, "test:Blank", "Allow it.")
KINDS = sorted({rule.kind for rule in corpus.rules()})
Told = dict[str, list[tuple[Status, str]]]


def told(rules: Iterable[Rule], resources: Iterable[Resource]) -> dict[tuple[str, str], list[tuple[Status, str]]]:
    """(rule, resource) → its verdicts, everything in one look."""
    rules, resources = list(rules), list(resources)
    engine = EmbeddedEngine(rules, corpus.library().modules)
    proofs = engine.prove(rules, document(resources, corpus.params(), corpus.NOW))
    return {
        (rule.id, r.id): [(v.status, v.message) for v in judge(rule, r, proofs[rule.id])]
        for rule in rules
        for r in resources
        if r.native_type in rule.covers
    }


def without(resource: Resource, fact: str) -> Resource:
    facts = {k: v for k, v in resource.facts.items() if k != fact}
    return resource.replace(id=f"{resource.id}\0{fact}", facts=facts, gaps={**resource.gaps, fact: BLANK})


def thinned(resource: Resource, fact: str) -> Iterator[Resource]:
    """With each item of a list that can only make things worse left out, and the rest marked as partly known."""
    items = resource.facts[fact]
    for number in range(min(len(items), 6)):
        facts = {**resource.facts, fact: items[:number] + items[number + 1 :]}
        yield resource.replace(id=f"{resource.id}\0{fact}\0{number}", facts=facts, gaps={**resource.gaps, fact: BLANK})


def statuses(verdicts: Iterable[tuple[Status, str]]) -> set[Status]:
    return {status for status, _ in verdicts}


@pytest.mark.parametrize("kind", KINDS)
def test_blanking(kind: str) -> None:
    rules = [r for r in corpus.rules() if r.kind == kind]
    resources = corpus.resources().get(kind, ())
    grows = {f for f, s in kinds()[kind]["properties"].items() if s.get("x-grows")}
    named = {fact for rule in rules for fact in rule.needs}
    blinder = {(r.id, f): without(r, f) for r in resources for f in sorted({*named, *r.facts})}
    partly = [(r.id, f, t) for r in resources for f in grows & set(r.facts) for t in thinned(r, f)]
    found = told(rules, [*resources, *blinder.values(), *(t for _, _, t in partly)])
    for rule in rules:
        for resource in resources:
            if resource.native_type not in rule.covers:
                continue
            seen = found[rule.id, resource.id]
            for (identity, fact), blind in blinder.items():
                if identity != resource.id:
                    continue
                now = found[rule.id, blind.id]
                if fact in rule.needs:
                    assert statuses(now) <= statuses(seen) | {Status.UNKNOWN}, (rule.id, resource.id, fact, seen, now)
                elif fact not in resource.gaps:
                    assert now == seen, f"{rule.id} reads {fact}, which it declares nowhere: {resource.id}: {seen} != {now}"
            for identity, fact, thin in partly:
                if identity == resource.id:
                    now = found[rule.id, thin.id]
                    assert statuses(now) <= statuses(seen) | {Status.UNKNOWN}, (rule.id, resource.id, fact, seen, now)


@pytest.mark.parametrize("kind", KINDS)
def test_one_resource_at_a_time(kind: str) -> None:
    """A rule that joins resources would say something else of a chunk than of the whole."""
    rules = [r for r in corpus.rules() if r.kind == kind]
    resources = corpus.resources().get(kind, ())
    whole = told(rules, resources)
    alone: dict[tuple[str, str], list[tuple[Status, str]]] = {}
    engine = EmbeddedEngine(rules, corpus.library().modules)
    for resource in resources:
        proofs = engine.prove(rules, document([resource], corpus.params(), corpus.NOW))
        alone |= {
            (rule.id, resource.id): [(v.status, v.message) for v in judge(rule, resource, proofs[rule.id])]
            for rule in rules
            if resource.native_type in rule.covers
        }
    assert alone == whole


def test_every_rule_meets_both_sides() -> None:
    """The laws above mean something only where a rule fails some resource of the estates and passes another."""
    seen: dict[str, Counter[Status]] = {rule.id: Counter() for rule in corpus.rules()}
    for kind in KINDS:
        rules = [r for r in corpus.rules() if r.kind == kind]
        for (rule, _), verdicts in told(rules, corpus.resources().get(kind, ())).items():
            seen[rule].update(status for status, _ in verdicts)
    lacking = {rule: [s.value for s in (Status.FAIL, Status.PASS) if not tally[s]] for rule, tally in seen.items()}
    assert {rule: missing for rule, missing in lacking.items() if missing} == {}


def test_catches_a_lawless_rule() -> None:
    """The test can fail: a rule that reads a fact it does not declare, or that takes absence for an answer, is found."""
    (rule,) = [r for r in corpus.rules() if r.id == "encryption.cmk_rotation"]
    lawless = Rule(
        **{f: getattr(rule, f) for f in rule.__slots__}
        | {"source": rule.source.replace("key.rotation_enabled == false", "not key.rotation_enabled")}
    )  # type: ignore[attr-defined]
    keys = [r for r in corpus.resources()["key"] if r.facts.get("rotation_enabled") is True]
    blind = [without(r, "rotation_enabled") for r in keys]
    found = told([lawless], [*keys, *blind])
    assert any(statuses(found[rule.id, b.id]) == {Status.FAIL} for b in blind)
