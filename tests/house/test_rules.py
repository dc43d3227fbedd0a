"""What every rule must be before it is worth reading."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
import yaml

from scanner.model import BartizanError, Rule
from scanner.rules.library import kinds, load
from scanner.rules.metadata import read_rule
from tests.house.tree import ROOT, files, text

REGO = [n for n in files() if n.startswith("policies/") and n.endswith(".rego") and not n.endswith("_test.rego")]
RULE_FILES = [n for n in REGO if "/lib/" not in n]
RULES = [*load().rules.values()]
KINDS = [n for n in files() if re.fullmatch(r"policies/kinds/[a-z_]+\.json", n)]
CATALOGUE = re.compile(r"^(AWS|GCP|AZ|K8S|FAB)-[A-Z0-9]+-\d{3}$")
FRAMEWORK = re.compile(r"^[a-z0-9]+(_[a-z0-9.]+)*$")
NATIVE = re.compile(
    r"^(AWS::\w+::\w+|[a-z0-9.-]+\.googleapis\.com/\w+|Microsoft\.\w+/[\w/]+|([a-z0-9.-]+/)?v\d+((alpha|beta)\d+)?/[A-Z]\w+)$"
)
# NOTE: the law. A rule only proves, from facts that are there: what turns an absent fact into an answer is not at its disposal.
LAWLESS = {
    "not": "an absent fact would count as false",
    "else": "an absent fact would choose the other branch",
    "default": "an absent fact would get a value",
    "with": "a rule sees the input as it is",
    "object.get": "its last argument stands in for an absent fact",
    "walk": "regorus has none",
    "http.send": "a rule asks nobody",
    "time.now_ns": "time comes from input.now",
    "opa.runtime": "verdicts depend on facts alone",
    "rand.intn": "verdicts depend on facts alone",
    "uuid.rfc4122": "verdicts depend on facts alone",
    "net.cidr_intersects": "regorus has none",
    "net.cidr_merge": "regorus has none",
    "net.lookup_ip_addr": "a rule asks nobody",
}
NAMESPACES = {"crypto": "regorus has none", "io": "regorus has none", "graph": "regorus has none", "graphql": "regorus has none"}


def code(rego: str) -> str:
    """Rego without comments and without what stands in strings."""
    return re.sub(r'`[^`]*`|"(?:\\.|[^"\\])*"|#[^\n]*', lambda m: "" if m.group().startswith("#") else '""', rego)


def lawless(rego: str) -> Iterator[str]:
    words = set(re.findall(r"(?<![\w.])[a-z_][\w.]*", code(rego)))
    yield from (f"{w}: {why}" for w, why in LAWLESS.items() if w in words)
    yield from (f"{w}: {why}" for w in words for space, why in NAMESPACES.items() if w.startswith(f"{space}."))


def test_there_are_rules() -> None:
    assert RULES
    assert len(RULES) == len(RULE_FILES)


@pytest.mark.parametrize("name", RULE_FILES)
def test_it_has_its_test(name: str) -> None:
    test = name.removesuffix(".rego") + "_test.rego"
    assert test in files()
    package = f"policies.{name.split('/')[1]}.{name.split('/')[2].removesuffix('.rego')}"
    assert re.search(rf"^package {re.escape(package)}\s*$", text(name), re.MULTILINE)
    assert re.search(rf"^package {re.escape(package)}_test\s*$", text(test), re.MULTILINE)
    assert len(re.findall(r"^test_\w+ if\b", text(test), re.MULTILINE)) >= 4, "fails, passes, out of scope, blind"
    assert re.search(r"^test_\w*blind\w* if\b", text(test), re.MULTILINE)


@pytest.mark.parametrize("name", REGO)
def test_it_only_proves(name: str) -> None:
    assert list(lawless(text(name))) == []


@pytest.mark.parametrize("name", REGO)
def test_no_call_of_ours_in_the_head_of_a_set(name: str) -> None:
    """regorus fails the whole rule ("not an object") where OPA leaves the element out: bind the call in the body."""
    assert re.findall(r"^\w+ contains (?:\w+\.)*\w+\([^\n]*\) if", code(text(name)), re.MULTILINE) == []


@pytest.mark.parametrize(
    "line",
    [
        "x if not key.rotating",
        'x := object.get(k, "a", 1)',
        "default x := 1",
        "} else := 2 if {",
        "x if crypto.sha256(y)",
        "x if time.now_ns() > 1",
    ],
)
def test_the_law_is_enforced(line: str) -> None:
    assert list(lawless(line))
    assert not list(lawless(f'# {line}\nx := "{line.replace(chr(34), "")}"\nnotable := input.default_deny'))


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_metadata(rule: Rule) -> None:
    assert re.search(r"[a-z]", rule.title)
    assert not rule.title.endswith("."), "a title is a fact, not a sentence"
    assert len(rule.title) <= 100
    assert rule.description.endswith(".")
    assert all(u.startswith("https://") for u in rule.references)
    assert rule.references, "whose word is it?"
    assert rule.fail_on
    own = rf'input\.params\["{re.escape(rule.id)}"\]'
    named = "|".join([own, *re.findall(rf"^(\w+) := {own}$", rule.source, re.MULTILINE)])
    assert set(rule.params) <= set(re.findall(rf"(?:{named})\.(\w+)", rule.source)), "a parameter nobody reads"
    assert any(cover.catalog for cover in rule.covers.values()), "answers nothing"
    for native, cover in rule.covers.items():
        assert NATIVE.match(native), native
        assert all(CATALOGUE.match(i) for i in cover.catalog)
        assert cover.fix, f"{native}: how is it mended?"
        assert all(FRAMEWORK.match(f) for f in rule.controls_for(native))


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_it_reads_what_it_says(rule: Rule) -> None:
    body = rule.source[rule.source.index("\npackage ") :]
    for fact in rule.needs:
        if fact.endswith(("_settled", "_resolved")):
            continue  # true or a gap: it is declared for its gap, which says that a list may be longer than what is seen of it
        assert re.search(rf"\.{re.escape(fact)}\b", code(body)), f"{fact} is declared, but not read"
    facts = kinds()[rule.kind]["properties"]
    assert f"input.resources.{rule.kind}" in body
    assert set(re.findall(r"input\.resources\.(\w+)", body)) == {rule.kind}, "a rule looks at one kind"
    # what is read off the resource itself is declared: an undeclared fact could be blanked without a trace
    for variable in set(re.findall(rf"some (\w+) in input\.resources\.{rule.kind}\b", body)):
        read = set(re.findall(rf"(?<![\w.]){variable}\.([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)", code(body)))
        for path in read:
            fact = path if path in facts else path.split(".")[0]
            assert fact in {*rule.needs, "id", "name", "tags", "native_type", "region"} or fact not in facts, (
                f"{fact} is read, but not declared"
            )
            assert fact in facts or fact in {"id", "name", "tags", "native_type", "region"}, f"{rule.kind} has no fact {fact}"


def test_unknown_metadata_is_an_error() -> None:
    name = RULE_FILES[0]
    path = ROOT / name
    for wrong in ("#   severty: high", "#   kinds: key", "#   covers_more: {}"):
        broken = text(name).replace("# custom:\n", f"# custom:\n{wrong}\n", 1)
        line = broken[: broken.index(wrong)].count("\n") + 1
        with pytest.raises(BartizanError, match=rf":{line}: unknown key"):
            read_rule(path, broken)
    with pytest.raises(BartizanError, match="unknown key 'authors'"):
        read_rule(path, text(name).replace("# custom:\n", "# authors: [me]\n# custom:\n", 1))


@pytest.mark.parametrize("name", KINDS)
def test_kinds(name: str) -> None:
    kind = json.loads(text(name))
    assert kind["title"] == name.rsplit("/", maxsplit=1)[-1].removesuffix(".json")
    assert kind["description"].endswith(".")
    for fact, schema in kind["properties"].items():
        assert re.fullmatch(r"([a-z0-9]+\.)?[a-z][a-z0-9_]*", fact), fact
        assert schema.get("type") or schema.get("anyOf"), f"{fact} has no type"
        assert isinstance(schema.get("description"), str), f"{fact} is not described"
        assert set(schema) <= {
            "type",
            "enum",
            "items",
            "properties",
            "additionalProperties",
            "description",
            "x-derived",
            "x-grows",
            "anyOf",
        }


def test_every_kind_is_read_or_collected() -> None:
    used = {r.kind for r in RULES}
    named = {
        k
        for k in kinds()
        if any(f'"{k}"' in text(n) for n in files() if n.startswith(("collectors/", "scanner/")) and n.endswith(".py"))
    }
    assert set(kinds()) - used - named == set(), "a kind that nobody speaks of"


def test_yaml_in_metadata_has_no_duplicate_keys() -> None:
    class Strict(yaml.SafeLoader):
        """YAML allows a key twice and keeps the last: half of a rule's `covers` would vanish."""

    def mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[object, object]:
        keys = [loader.construct_object(k) for k, _ in node.value]  # type: ignore[no-untyped-call]
        assert len(keys) == len({str(k) for k in keys}), f"{node.start_mark}: a key twice"
        return {k: loader.construct_object(v, deep=True) for k, (_, v) in zip(keys, node.value, strict=True)}  # type: ignore[no-untyped-call]

    Strict.add_constructor("tag:yaml.org,2002:map", mapping)
    for name in RULE_FILES:
        block = re.search(r"^# METADATA\n((?:#.*\n)+)", text(name), re.MULTILINE)
        assert block is not None
        yaml.load(re.sub(r"^# ?", "", block.group(1), flags=re.MULTILINE), Strict)  # noqa: S506 - a SafeLoader
