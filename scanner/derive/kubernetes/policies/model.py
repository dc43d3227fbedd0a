"""What every engine's policies are translated to: ordered rules over a connection, in three-valued logic.

A connection is seen from one pod (the subject): in `Ingress` the peer opens it, in `Egress` the subject does. What a rule asks is
True, False, or the gap that says why it is not known.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import Protocol

from scanner.derive.kubernetes.policies.labels import Hints, Labels
from scanner.derive.three import Truth, all_of, any_of
from scanner.model import Gap, Reason, frozen

INGRESS, EGRESS = "Ingress", "Egress"
DIRECTIONS = (INGRESS, EGRESS)
LAST_PORT = 65_535
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
IP = ipaddress.IPv4Address | ipaddress.IPv6Address
EVERYWHERE: tuple[Network, ...] = (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
METADATA = ipaddress.IPv4Address("169.254.169.254")
"""Instance metadata of every large cloud."""
METADATA_V6 = ipaddress.IPv6Address("fd00:ec2::254")
"""https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"""


class Action(Enum):
    """What a rule does with what it matches."""

    ALLOW = "allow"
    DENY = "deny"
    PASS = "pass"  # noqa: S105 - a word of the policies


@frozen
class ContainerPort:
    """A port that a container declares."""

    name: str
    port: int
    protocol: str


@frozen
class Pod:
    """A pod as policies see it."""

    scope: str
    namespace: str
    labels: Labels
    namespace_labels: Labels
    account: str | Gap
    account_labels: Labels
    ports: tuple[ContainerPort, ...] | Gap
    host: Truth = False
    """It is on the network of its node."""


@frozen
class Address:
    """An address that is no pod's."""

    ip: IP
    outside: bool = False
    """It stands for any address out there: no node's."""


Peer = Pod | Address


@frozen
class Connection:
    """Who talks to whom."""

    subject: Pod
    direction: str
    peer: Peer
    port: int
    protocol: str = "TCP"

    @property
    def target(self) -> Peer:
        """Whose port it is."""
        return self.subject if self.direction == INGRESS else self.peer


class Test(Protocol):
    """Something that a rule asks of a connection."""

    def matches(self, at: Connection) -> Truth:
        """Whether the connection is as asked."""


class Source(Protocol):
    """One entry of a rule's list of peers."""

    def matches(self, at: Connection) -> Truth:
        """Whether the peer is one of them."""

    def wide(self, direction: str, action: Action) -> Sequence[Network]:
        """The addresses that it stands for as a whole; `EVERYWHERE` where it is all pods of the cluster."""

    @property
    def hints(self) -> Hints:
        """What it asks of the labels of pods."""


@frozen
class Ports:
    """Ports of one protocol (None: of any). Without `first` and `name` all of them."""

    protocol: str | None = "TCP"
    first: int | None = None
    last: int | None = None
    name: str | None = None

    def matches(self, at: Connection) -> Truth:
        """A name is looked up among the ports that the target's containers declare."""
        if self.protocol is not None and self.protocol != at.protocol:
            return False
        if self.name is not None:
            return self._named(at, self.name)
        if self.first is None:
            return True
        return self.first <= at.port <= (self.last if self.last is not None else self.first)

    def _named(self, at: Connection, name: str) -> Truth:
        if isinstance(at.target, Address):
            return False
        if isinstance(at.target.ports, Gap):
            return at.target.ports
        return any((p.name, p.port, p.protocol) == (name, at.port, at.protocol) for p in at.target.ports)

    @property
    def every(self) -> bool:
        """Whether it is every TCP port."""
        if self.protocol not in (None, "TCP") or self.name is not None:
            return False
        return self.first is None or (self.first <= 1 and self.last == LAST_PORT)


@frozen
class Unsure:
    """A test whose answer is not known."""

    gap: Gap

    def matches(self, at: Connection) -> Truth:  # noqa: ARG002 - a Test
        """The gap."""
        return self.gap

    def wide(self, direction: str, action: Action) -> Sequence[Network]:  # noqa: ARG002 - a Source
        """Nothing for sure."""
        return ()

    @property
    def hints(self) -> Hints:
        """Nothing."""
        return {}


@frozen
class Not:
    """The opposite of a test."""

    test: Test

    def matches(self, at: Connection) -> Truth:
        """See `Test`."""
        found = self.test.matches(at)
        return found if isinstance(found, Gap) else not found


@frozen
class Either:
    """One of several tests."""

    tests: tuple[Test, ...]

    def matches(self, at: Connection) -> Truth:
        """See `Test`."""
        return any_of(t.matches(at) for t in self.tests)


PLUGIN = Gap(
    Reason.NOT_OFFERED,
    "",
    "Name pods by labels, not by addresses.",
    "whether a block of addresses speaks of pods depends on the network plugin and on the pods' addresses",
)
POD_RANGES = tuple(
    ipaddress.ip_network(n)
    for n in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15", "240.0.0.0/4", "fc00::/7")
)
"""Where the addresses of pods are: private ones, and what providers use besides."""


class ForPods(Enum):
    """What a block of addresses says of pods."""

    PLUGIN = "as the network plugin likes"
    NEVER = "nothing"
    ALWAYS = "as of any address"


@frozen
class Block:
    """Addresses in some of `networks`, and not in `spared`."""

    networks: tuple[Network, ...]
    spared: tuple[Network, ...] = ()
    pods: ForPods = ForPods.PLUGIN

    def matches(self, at: Connection) -> Truth:
        """Of pods the address is not known, so that only a block of all addresses, or of none of theirs, is sure."""
        if isinstance(at.peer, Address):
            ip = at.peer.ip
            return any(ip in n for n in self.networks) and not any(ip in n for n in self.spared)
        if self.pods is ForPods.NEVER or not any(overlaps(n, r) for n in self.networks for r in POD_RANGES):
            return False
        if self.pods is ForPods.ALWAYS and not self.spared and any(n.prefixlen == 0 for n in self.networks):
            return True
        return PLUGIN

    def wide(self, direction: str, action: Action) -> Sequence[Network]:
        """Exceptions make it less than the whole: for egress those that spare the metadata endpoint, else any."""
        if action is not Action.ALLOW or direction == INGRESS:
            return () if self.spared else self.networks
        return () if any(METADATA in n or METADATA_V6 in n for n in self.spared) else self.networks

    @property
    def hints(self) -> Hints:
        """Nothing."""
        return {}


@frozen
class Pods:
    """Pods that a function picks; never an address."""

    picks: Callable[[Connection, Pod], Truth]
    all: bool = False
    """It picks the pods of every namespace."""
    hints: Hints = field(default_factory=dict)

    def matches(self, at: Connection) -> Truth:
        """Selectors do not see pods on the network of their node: what they count as depends on the plugin."""
        if isinstance(at.peer, Address):
            return False
        picked = self.picks(at, at.peer)
        return picked if picked is False or at.peer.host is False else HOST_PEER

    def wide(self, direction: str, action: Action) -> Sequence[Network]:
        """A rule that admits all pods admits the cluster; one that forbids them leaves the way out open."""
        return EVERYWHERE if self.all and (action is Action.ALLOW or direction == INGRESS) else ()


HOST_PEER = Gap(
    Reason.NOT_OFFERED,
    "",
    "Take it off the host's network.",
    "what a pod on the host's network counts as depends on the network plugin",
)


@frozen
class Rule:
    """One rule in one direction."""

    action: Action
    peers: tuple[Source, ...] | None = None
    """None: everyone."""
    ports: tuple[Ports, ...] | None = None
    """None: every port."""
    also: tuple[Test, ...] = ()
    """What must hold besides."""

    def matches(self, at: Connection) -> Truth:
        """Whether the rule speaks of a connection."""
        return all_of(self._parts(at))

    def _parts(self, at: Connection) -> Iterable[Truth]:
        if self.ports is not None:
            yield any_of(p.matches(at) for p in self.ports)
        if self.peers is not None:
            yield any_of(p.matches(at) for p in self.peers)
        for test in self.also:
            yield test.matches(at)

    def wide(self, direction: str, *, sure: bool = True) -> Sequence[Network]:
        """The addresses of which it speaks on every port; with `sure` off, may speak."""
        if self.ports is not None and not any(p.every for p in self.ports):
            return ()
        if any(sure or not isinstance(test, Unsure) for test in self.also):
            return ()
        if self.peers is None:
            return EVERYWHERE
        return [n for peer in self.peers for n in peer.wide(direction, self.action)]


@frozen
class Policy:
    """One policy of any engine."""

    name: str
    subject: Callable[[Pod], Truth]
    """Whether it selects a pod."""
    rules: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    """Direction → its rules in order."""
    isolates: frozenset[str] = frozenset()
    """Directions in which what no rule allows is denied."""
    tier: str = ""
    order: float = 0.0
    additive: bool = False
    """Policies of its engine can only allow."""
    needs: tuple[str, tuple[str, ...]] | None = None
    """A label, and its values, without which a pod is not selected."""
    asks_subject: bool = False
    """Some rule asks for more of the pod itself than that the policy selects it."""
    gap: Gap | None = None
    """Why it could not be read: it may do anything that its engine can."""


def everywhere(blocks: Iterable[Network]) -> bool:
    """Whether blocks together are all of IPv4, or all of IPv6."""
    kept = list(blocks)
    v4 = ipaddress.collapse_addresses(b for b in kept if isinstance(b, ipaddress.IPv4Network))
    v6 = ipaddress.collapse_addresses(b for b in kept if isinstance(b, ipaddress.IPv6Network))
    return any(n.prefixlen == 0 for n in v4) or any(n.prefixlen == 0 for n in v6)


def overlaps(left: Network, right: Network) -> bool:
    """Whether two blocks have an address in common."""
    if isinstance(left, ipaddress.IPv4Network) and isinstance(right, ipaddress.IPv4Network):
        return left.overlaps(right)
    if isinstance(left, ipaddress.IPv6Network) and isinstance(right, ipaddress.IPv6Network):
        return left.overlaps(right)
    return False


def networks(cidrs: Iterable[object]) -> tuple[Network, ...]:
    """Blocks as written. Raises ValueError for what is none: a template may stand for everything."""
    return tuple(ipaddress.ip_network(str(cidr), strict=False) for cidr in cidrs)


def unknown(what: str) -> Gap:
    """Something of a policy that is not read."""
    return Gap(Reason.NOT_OFFERED, "", "Check that policy by hand.", what)
