"""Tags that demand hardware of a node's own."""

from __future__ import annotations

import pytest

from scanner.derive.catalogue import DERIVATIONS
from tests.scanner.derive.things import thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld


@pytest.mark.parametrize(
    ("tags", "required"),
    [
        ({}, False),
        ({"Isolation": "dedicated"}, True),
        ({"example.com/isolation": "Required"}, True),
        ({"hardware-isolation": "bare-metal"}, True),
        ({"Isolation": "none"}, False),
        ({"Name": "dedicated"}, False),
    ],
)
def test_tags(tags: dict[str, str], required: bool) -> None:  # noqa: FBT001 - a parameter of the test
    node = thing("node", "i-1", tags=tags)
    assert MemoryWorld([node], {}, DERIVATIONS).fact(node, "isolation_required") is required


def test_tags_that_may_not_be_read() -> None:
    node = thing("node", "i-1", gaps={"tags": DENIED})
    assert MemoryWorld([node], {}, DERIVATIONS).fact(node, "isolation_required") is DENIED
