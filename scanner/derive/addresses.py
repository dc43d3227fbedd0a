"""Sets of addresses and ports, and of the two together: immutable, in one normal form, closed under union, intersection, difference.

Every set is kept as disjoint spans in order, so that two sets are equal where they hold the same, and every question is one sweep.
Texts that are no address block are ValueError: what cannot be read is never an empty set.
"""

from __future__ import annotations

import ipaddress
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from scanner.model import frozen

Span = tuple[int, int]
"""First and last, both included."""
LAST_V4, LAST_V6 = 2**32 - 1, 2**128 - 1
LAST_PORT = 65535


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    found: list[Span] = []
    for first, last in sorted(s for s in spans if s[0] <= s[1]):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


@frozen
class Numbers:
    """A set of whole numbers: ports, or addresses of one family. Make it with `of`, which brings it into normal form."""

    spans: tuple[Span, ...] = ()

    @classmethod
    def of(cls, *spans: Span) -> Numbers:
        """The set of all numbers in some span."""
        return cls(_merged(spans))

    def __bool__(self) -> bool:
        """Whether it holds anything."""
        return bool(self.spans)

    def __contains__(self, number: int) -> bool:
        """Whether it holds a number."""
        return any(first <= number <= last for first, last in self.spans)

    def __or__(self, other: Numbers) -> Numbers:
        """What is in one of them."""
        return Numbers(_merged((*self.spans, *other.spans)))

    def __and__(self, other: Numbers) -> Numbers:
        """What is in both."""
        found: list[Span] = []
        mine, theirs = iter(self.spans), iter(other.spans)
        a, b = next(mine, None), next(theirs, None)
        while a and b:
            first, last = max(a[0], b[0]), min(a[1], b[1])
            if first <= last:
                found.append((first, last))
            if a[1] < b[1]:
                a = next(mine, None)
            else:
                b = next(theirs, None)
        return Numbers(tuple(found))

    def __sub__(self, other: Numbers) -> Numbers:
        """What is in this one only."""
        found: list[Span] = []
        for first, last in self.spans:
            at = first
            for start, end in other.spans:
                if end < at:
                    continue
                if start > last:
                    break
                if start > at:
                    found.append((at, start - 1))
                at = end + 1
            if at <= last:
                found.append((at, last))
        return Numbers(tuple(found))


NONE = Numbers()
PORTS = Numbers.of((0, LAST_PORT))


@frozen
class Blocks:
    """A set of IPv4 and IPv6 addresses."""

    v4: Numbers = NONE
    v6: Numbers = NONE

    @classmethod
    def of(cls, *texts: str) -> Blocks:
        """The addresses of some CIDR blocks. ValueError where a text is none."""
        networks = [ipaddress.ip_network(text, strict=False) for text in texts]
        spans = {4: [], 6: []}  # type: dict[int, list[Span]]
        for network in networks:
            spans[network.version].append((int(network.network_address), int(network.broadcast_address)))
        return cls(Numbers.of(*spans[4]), Numbers.of(*spans[6]))

    def __bool__(self) -> bool:
        """Whether it holds anything."""
        return bool(self.v4 or self.v6)

    def __or__(self, other: Blocks) -> Blocks:
        """What is in one of them."""
        return Blocks(self.v4 | other.v4, self.v6 | other.v6)

    def __and__(self, other: Blocks) -> Blocks:
        """What is in both."""
        return Blocks(self.v4 & other.v4, self.v6 & other.v6)

    def __sub__(self, other: Blocks) -> Blocks:
        """What is in this one only."""
        return Blocks(self.v4 - other.v4, self.v6 - other.v6)

    def holds(self, other: Blocks) -> bool:
        """All of the other is in it."""
        return not other - self

    def cidrs(self) -> list[str]:
        """The fewest CIDR blocks that make it up, the widest first."""
        found: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        for first, last in self.v4.spans:
            found += ipaddress.summarize_address_range(ipaddress.IPv4Address(first), ipaddress.IPv4Address(last))
        for first, last in self.v6.spans:
            found += ipaddress.summarize_address_range(ipaddress.IPv6Address(first), ipaddress.IPv6Address(last))
        return [str(n) for n in sorted(found, key=lambda n: (n.prefixlen, n.version, int(n.network_address)))]


NOWHERE = Blocks()
EVERYWHERE = Blocks(Numbers.of((0, LAST_V4)), Numbers.of((0, LAST_V6)))

# Never the source of a packet from the internet: RFC 1122, 1918, 6598, 3927, 2544, 5771, 1112. IPv6: only global unicast, RFC 4291.
RESERVED = Blocks.of(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
    "198.18.0.0/15", "224.0.0.0/3",
)  # fmt: skip
INTERNET = Blocks(EVERYWHERE.v4 - RESERVED.v4, Blocks.of("2000::/3").v6)

Piece = tuple[int, int, Blocks]
"""First and last port, and the addresses that get through on all of them."""


@frozen
class Flows:
    """A set of (address, port) pairs of one protocol. Make it with `box`, and by `|`, `&` and `-` of those."""

    pieces: tuple[Piece, ...] = field(default=())

    @classmethod
    def box(cls, ports: Numbers, blocks: Blocks) -> Flows:
        """All of some addresses on all of some ports."""
        return cls(tuple((first, last, blocks) for first, last in ports.spans) if blocks else ())

    def __bool__(self) -> bool:
        """Whether it holds anything."""
        return bool(self.pieces)

    def __or__(self, other: Flows) -> Flows:
        """What is in one of them."""
        return self._with(other, Blocks.__or__)

    def __and__(self, other: Flows) -> Flows:
        """What is in both."""
        return self._with(other, Blocks.__and__)

    def __sub__(self, other: Flows) -> Flows:
        """What is in this one only."""
        return self._with(other, Blocks.__sub__)

    def at(self, port: int) -> Blocks:
        """The addresses on a port."""
        return next((blocks for first, last, blocks in self.pieces if first <= port <= last), NOWHERE)

    def on(self, ports: Numbers) -> Blocks:
        """The addresses that have some of the ports."""
        found = NOWHERE
        for first, last, blocks in self.pieces:
            if Numbers.of((first, last)) & ports:
                found |= blocks
        return found

    def by_blocks(self) -> Iterator[tuple[Numbers, Blocks]]:
        """All ports on which the same addresses get through, in the order of the first of them."""
        same: dict[Blocks, list[Span]] = {}
        for first, last, blocks in self.pieces:
            same.setdefault(blocks, []).append((first, last))
        yield from ((Numbers.of(*spans), blocks) for blocks, spans in same.items())

    def _with(self, other: Flows, combine: Callable[[Blocks, Blocks], Blocks]) -> Flows:
        """Both on every stretch of ports on which neither changes; stretches with the same addresses are put together."""
        edges = sorted({e for first, last, _ in (*self.pieces, *other.pieces) for e in (first, last + 1)})
        found: list[Piece] = []
        mine, theirs = _Reader(self.pieces), _Reader(other.pieces)
        for first, after in itertools.pairwise(edges):
            blocks = combine(mine.at(first), theirs.at(first))
            if not blocks:
                continue
            if found and found[-1][1] == first - 1 and found[-1][2] == blocks:
                found[-1] = (found[-1][0], after - 1, blocks)
            else:
                found.append((first, after - 1, blocks))
        return Flows(tuple(found))


class _Reader:
    """Reads pieces from left to right."""

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self._pieces = pieces
        self._next = 0

    def at(self, port: int) -> Blocks:
        while self._next < len(self._pieces) and self._pieces[self._next][1] < port:
            self._next += 1
        if self._next < len(self._pieces) and self._pieces[self._next][0] <= port:
            return self._pieces[self._next][2]
        return NOWHERE


NO_FLOWS = Flows()
ALL_FLOWS = Flows.box(PORTS, EVERYWHERE)
