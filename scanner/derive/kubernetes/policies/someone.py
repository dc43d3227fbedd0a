"""Peers that stand for many: a stranger's pod, and an address somewhere in the internet.

A stranger is tried out rather than reasoned about: as the pods with all the labels that the rules tell apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from scanner.derive.kubernetes.policies.labels import Labels
from scanner.derive.kubernetes.policies.model import (
    LAST_PORT,
    Action,
    Address,
    Block,
    Connection,
    Network,
    Pod,
    networks,
)
from scanner.derive.kubernetes.policies.stacks import Entry, Stacks
from scanner.derive.three import Truth, any_of
from scanner.model import Gap, Reason


class Someone(Enum):
    """Peers that stand for many."""

    STRANGER = "some pod, with labels of its creator's choice, of a namespace that no policy names"
    ANYWHERE = "an address somewhere in the internet"


MOST = 2048
"""Combinations of labels, or ports, that are tried out."""
UNSETTLED = Gap(
    Reason.NOT_OFFERED, "", "Check those policies by hand.", "the policies ask for more combinations of labels than are tried"
)


STRANGE = "bartizan-stranger"


def someone_admitted(who: Someone, found: Stacks, subject: Pod, direction: str, port: int, protocol: str) -> Truth:
    """Whether policies admit a stranger, whatever labels it picks, or an address somewhere."""
    found = found.about(Connection(subject, direction, _stranger(subject, {}), port, protocol))
    if who is Someone.ANYWHERE:
        address = _outside(found.entries())
        return UNSETTLED if address is None else found.admits(Connection(subject, direction, address, port, protocol))
    truths: list[Truth] = []
    for labels in _label_sets(found.entries()):
        if labels is None:
            truths.append(UNSETTLED)
            break
        truths.append(found.admits(Connection(subject, direction, _stranger(subject, labels), port, protocol)))
        if truths[-1] is True:
            return True
    return any_of(truths)


def _stranger(subject: Pod, labels: Mapping[str, str]) -> Pod:
    own = Labels({"kubernetes.io/metadata.name": STRANGE})
    chosen = Gap(Reason.NOT_OFFERED, "", "Check those policies by hand.", "a service account's name is its creator's choice")
    return Pod(subject.scope, STRANGE, Labels(labels), own, chosen, Labels(gap=chosen), chosen)


def _label_sets(entries: Iterable[Entry]) -> Iterator[Mapping[str, str] | None]:
    """Sets of labels that the rules tell apart, likely ones first; None where there are too many."""
    yield {}
    tried: set[frozenset[tuple[str, str]]] = {frozenset()}
    for labels in _every_label_set(entries):
        key = None if labels is None else frozenset(labels.items())
        if key is None or key not in tried:
            yield labels
        if key is not None:
            tried.add(key)


def _every_label_set(entries: Iterable[Entry]) -> Iterator[Mapping[str, str] | None]:
    whole: dict[str, frozenset[str]] = {}
    denies = False
    for entry in entries:
        own: dict[str, frozenset[str]] = {}
        for peer in entry.rule.peers or ():
            for key, values in peer.hints.items():
                own[key] = own.get(key, frozenset()) | values
                whole[key] = whole.get(key, frozenset()) | values
        if entry.rule.action is not Action.ALLOW:
            denies = denies or bool(own)
        if own:
            yield from _combinations(own, MOST)
    if denies:
        yield from _combinations(whole, MOST)


def _combinations(keys: Mapping[str, frozenset[str]], most: int) -> Iterator[Mapping[str, str] | None]:
    """All that a pod may say to these keys: nothing, each of the values, or another one."""
    domains = [[None, *sorted(values), STRANGE] for values in keys.values()]
    for number, chosen in enumerate(itertools.product(*domains)):
        if number == most:
            yield None
            return
        yield {k: v for k, v in zip(keys, chosen, strict=True) if v is not None}


def _outside(entries: Iterable[Entry]) -> Address | None:
    """A public address of which no rule speaks in particular."""
    named = {n for e in entries for n in _mentioned(e) if n.prefixlen > 1}
    for first, second in itertools.product((8, 23, 52, 93, 151, 185, 203, 34, 78, 131), (17, 81, 201)):
        (block,) = networks([f"{first}.{second}.77.77/32"])
        ip = block.network_address
        if not any(ip in n for n in named):
            return Address(ip, outside=True)
    return None


def _mentioned(entry: Entry) -> Iterator[Network]:
    for peer in entry.rule.peers or ():
        for test in (peer, *getattr(peer, "tests", ())):
            inner = getattr(test, "test", test)
            if isinstance(inner, Block):
                yield from (*inner.networks, *inner.spared)


def ports_to_try(entries: Iterable[Entry], declared: Iterable[int]) -> list[int]:
    """One port of every range that the rules tell apart."""
    edges = {1, *declared}
    for entry in entries:
        for ports in entry.rule.ports or ():
            if ports.first is not None:
                edges |= {ports.first, (ports.last if ports.last is not None else ports.first) + 1}
    return sorted(e for e in edges if 0 < e <= LAST_PORT)[:MOST]


ANY_PORT = 47_813
"""A port that no policy has a reason to name."""
OUTSIDE_V6 = Address(networks(["2a05:d000:77::77/128"])[0].network_address, outside=True)


def anyones(subject: Pod, direction: str, found: Stacks) -> Iterator[Connection]:
    """Connections of which some are open where everyone is admitted: a deny rule may come before the rule that admits."""
    for peer in (_stranger(subject, {}), _outside(found.entries()), OUTSIDE_V6):
        if peer is not None:
            yield Connection(subject, direction, peer, ANY_PORT)
