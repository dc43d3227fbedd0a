"""`rules new`: a rule and its test that pass from the first minute, for the author to change."""

from __future__ import annotations

from pathlib import Path

from scanner.model import BartizanError
from scanner.rules.library import kinds
from scanner.rules.metadata import NAME

RULE = """# METADATA
# title: TODO a positive fact, as it should be
# description: TODO why it matters, and what the rule does not see.
# custom:
#   severity: medium
#   kind: {kind}
#   scope_on: []
#   fail_on: [{fact}]
#   covers:
#     {native}: {{catalog: [], fix: {{cli: TODO}}}}
package policies.{domain}.{name}

import rego.v1

# A rule only proves, and only from facts that are there: no `not` over a fact. What is missing becomes an unknown by itself.

scope contains x.id if {{
	some x in input.resources.{kind}
}}

fail contains {{"id": x.id, "fact": "{fact}", "expected": {good}, "message": "TODO what is wrong"}} if {{
	some x in input.resources.{kind}
	x.id in scope
	x.{fact} == {bad}
}}
"""
TEST = """package policies.{domain}.{name}_test

import data.policies.{domain}.{name}
import rego.v1

world(facts) := {{"resources": {{"{kind}": [object.union({{"id": "x"}}, facts)]}}}}

test_fails if {{
	{name}.fail == {{{{"id": "x", "fact": "{fact}", "expected": {good}, "message": "TODO what is wrong"}}}} with input as world({facts_bad})
}}

test_passes if {{
	{name}.fail == set() with input as world({facts_good})
	{name}.scope == {{"x"}} with input as world({facts_good})
}}

test_blind_proves_nothing if {{
	{name}.fail == set() with input as world({{}})
}}
"""


def scaffold(name: str, kind: str, native: str, into: Path) -> tuple[Path, Path]:
    """Write `into/DOMAIN/NAME.rego` and its test. Raises BartizanError where the name is bad or taken, or the kind unknown."""
    domain, slash, rule = name.partition("/")
    if not slash or not NAME.match(domain) or not NAME.match(rule):
        raise BartizanError(f"{name}: should be DOMAIN/NAME, lower-case words joined by _, such as encryption/bucket_keys.")
    known = kinds()
    if kind not in known:
        raise BartizanError(f"--kind {kind}: is none of {', '.join(known)}.")
    facts = known[kind]["properties"]
    fact = next((f for f, s in facts.items() if s.get("type") == "boolean" and "." not in f), next(iter(facts)))
    boolean = facts[fact].get("type") == "boolean"
    good, bad = ("true", "false") if boolean else ('"good"', '"bad"')
    files = (into / domain / f"{rule}.rego", into / domain / f"{rule}_test.rego")
    for path in files:
        if path.exists():
            raise BartizanError(f"{path}: is there already.")
    words = {
        "kind": kind, "native": native, "domain": domain, "name": rule, "fact": fact, "good": good, "bad": bad,
        "facts_bad": f'{{"{fact}": {bad}}}', "facts_good": f'{{"{fact}": {good}}}',
    }  # fmt: skip
    try:
        files[0].parent.mkdir(parents=True, exist_ok=True)
        for path, text in zip(files, (RULE, TEST), strict=True):
            path.write_text(text.format(**words), encoding="utf-8")
    except OSError as error:
        raise BartizanError(f"{error.filename}: cannot be written: {error.strerror}.") from error
    return files
