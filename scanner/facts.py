"""Facts checked against their kind: a value of another shape than documented is unknown, never something a rule may read.

Collectors convert what services answer. Where an answer is not what its vendor documents, the fact would silently be compared with
the wrong type, and no rule would fire: that must not look like a pass.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from scanner.model import Gap, Reason, Resource
from scanner.rules.library import kinds
from scanner.shape import Check, Fault, compiled


@functools.cache
def checks(kind: str) -> Mapping[str, Check]:
    """Fact → its check. Facts that the kind does not know have none."""
    known = kinds().get(kind, {}).get("properties", {})
    return {fact: compiled(schema) for fact, schema in known.items()}


def checked(resource: Resource) -> Resource:
    """`resource` with every fact of a wrong shape taken out, and the gap `unparsable` in its place."""
    known = checks(resource.kind)
    wrong: dict[str, Gap] = {}
    for fact, value in resource.facts.items():
        check = known.get(fact)
        if check is None:
            continue
        try:
            check(value)
        except Fault as fault:
            origin = resource.origins.get(fact)
            said = f"{fact}{fault.pointer} {fault.message}"[:200]
            wrong[fact] = Gap(Reason.UNPARSABLE, origin.pointer if origin else "", "Report it with the answer's shape.", said)
    if not wrong:
        return resource
    facts = {fact: value for fact, value in resource.facts.items() if fact not in wrong}
    return resource.replace(facts=facts, gaps={**resource.gaps, **wrong})
