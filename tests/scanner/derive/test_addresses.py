"""The algebra of addresses and ports, tried against plain sets on small universes."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.derive.addresses import EVERYWHERE, INTERNET, NO_FLOWS, NOWHERE, PORTS, Blocks, Flows, Numbers

SMALL = 24
SPANS = st.lists(st.tuples(st.integers(0, SMALL), st.integers(0, SMALL)), max_size=6)
# blocks within 10.0.0.0/28 and 2600::/124: sixteen addresses each
LITTLE = st.lists(
    st.builds(
        lambda n, bits, six: f"2600::{n:x}/{bits + 96}" if six else f"10.0.0.{n}/{bits}",
        st.integers(0, 15),
        st.integers(28, 32),
        st.booleans(),
    ),
    max_size=5,
)
BOXES = st.lists(st.tuples(SPANS, LITTLE), max_size=3)


def numbers(spans: list[tuple[int, int]]) -> tuple[Numbers, set[int]]:
    return Numbers.of(*spans), {n for first, last in spans for n in range(first, last + 1)}


def blocks(texts: list[str]) -> tuple[Blocks, set[object]]:
    return Blocks.of(*texts), {a for t in texts for a in ipaddress.ip_network(t, strict=False)}


def flows(boxes: list[tuple[list[tuple[int, int]], list[str]]]) -> tuple[Flows, set[tuple[int, object]]]:
    found, plain = NO_FLOWS, set()
    for spans, texts in boxes:
        (ports, some), (addresses, all_of_them) = numbers(spans), blocks(texts)
        found |= Flows.box(ports, addresses)
        plain |= {(p, a) for p in some for a in all_of_them}
    return found, plain


def every(found: Blocks) -> set[object]:
    return {a for text in found.cidrs() for a in ipaddress.ip_network(text)}


@given(SPANS, SPANS)
def test_numbers(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    (a, x), (b, y) = numbers(left), numbers(right)
    for found, plain in ((a | b, x | y), (a & b, x & y), (a - b, x - y)):
        assert {n for n in range(SMALL + 1) if n in found} == plain
        assert found == Numbers.of(*((n, n) for n in plain)), "one normal form"
        assert bool(found) is bool(plain)


@given(LITTLE, LITTLE)
def test_blocks(left: list[str], right: list[str]) -> None:
    (a, x), (b, y) = blocks(left), blocks(right)
    for found, plain in ((a | b, x | y), (a & b, x & y), (a - b, x - y)):
        assert every(found) == plain
        assert found == Blocks.of(*map(str, plain)), "one normal form"
    assert a.holds(b) is (y <= x)
    assert len(a.cidrs()) <= max(1, len(x))


@given(BOXES, BOXES)
def test_flows(left: list, right: list) -> None:
    (a, x), (b, y) = flows(left), flows(right)
    for found, plain in ((a | b, x | y), (a & b, x & y), (a - b, x - y)):
        assert {(p, h) for p in range(SMALL + 1) for h in every(found.at(p))} == plain
        again = NO_FLOWS
        for port, host in sorted(plain, key=str):
            again |= Flows.box(Numbers.of((port, port)), Blocks.of(str(host)))
        assert found == again, "one normal form"
        assert {(p, h) for ports, some in found.by_blocks() for p in range(SMALL + 1) if p in ports for h in every(some)} == plain
        assert every(found.on(Numbers.of((3, 9)))) == {h for p, h in plain if 3 <= p <= 9}


def test_halves_are_the_whole() -> None:
    assert Blocks.of("0.0.0.0/1", "128.0.0.0/1").cidrs() == ["0.0.0.0/0"]
    assert Blocks.of("::/1", "8000::/1", "0.0.0.0/0") == EVERYWHERE
    assert (EVERYWHERE - EVERYWHERE) == NOWHERE


def test_the_widest_block_comes_first() -> None:
    assert Blocks.of("198.51.100.0/24", "203.0.113.0/25", "203.0.113.128/25", "11.0.0.0/8").cidrs() == [
        "11.0.0.0/8",
        "198.51.100.0/24",
        "203.0.113.0/24",
    ]


def test_what_no_packet_of_the_internet_has() -> None:
    for text in ("10.1.2.3/32", "100.64.0.1/32", "192.168.1.0/24", "fd00::/8", "fe80::/10", "::1/128"):
        assert not Blocks.of(text) & INTERNET
    for text in ("8.8.8.0/24", "203.0.113.0/24", "2600:1f18::/32"):
        assert INTERNET.holds(Blocks.of(text))


def test_a_text_that_is_no_block_is_not_nowhere() -> None:
    with pytest.raises(ValueError, match="pl-1"):
        Blocks.of("pl-1")


def test_nothing_on_no_port() -> None:
    assert not Flows.box(PORTS, NOWHERE)
    assert not Flows.box(Numbers(), EVERYWHERE)
