"""A live cluster: discovery, then one paged listing a type, in the order of ownership, written page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from collectors.ask import Sink
from collectors.demand import Demand
from collectors.kubernetes import annotated
from collectors.kubernetes.client import Broken, Cluster, Refused, connect, path_of
from collectors.kubernetes.discovery import Served, discover
from collectors.kubernetes.names import ANY, FILES, split
from collectors.kubernetes.objects import Placed, Projector, Seen, Told, locator
from collectors.kubernetes.serving import RUNTIMES
from collectors.kubernetes.tables import CLUSTER, DEBUGGED, OTHERS, WORKLOADS
from collectors.kubernetes.within import mapping
from collectors.run import Collection, Limits, Scope
from collectors.table import Call as Question
from collectors.table import ObjectTable
from scanner.model import JSON, Coverage, Extent, Gap, Inline, Reason, Resource, Source, Where

NOT_LISTED = {
    "v1/Secret": Gap(
        Reason.NOT_OFFERED,
        "",
        "Scan the manifests that make them, or scan with --secret-metadata.",
        "Secrets are not listed: who may list them may read their values",
    )
}
"""Types that are asked for only on demand, and why."""
TOKENS = "kubernetes.io/service-account-token"
PODS = "v1/Pod"
MOST_TYPES = 500
"""Types of one group that are listed for a table that reads all of them."""
ELSEWHERE = "(other namespaces)"
"""The region of coverage rows for what `namespaces` leaves out."""
ACROSS = frozenset(
    {
        "rbac.authorization.k8s.io/v1/RoleBinding",
        "v1/ServiceAccount",
        # what holds for a whole mesh, or configures a component, stands in a namespace of its own
        "security.istio.io/v1/PeerAuthentication",
        "security.istio.io/v1/AuthorizationPolicy",
        "v1/ConfigMap",
        # a route may lead to the services of other namespaces
        "gateway.networking.k8s.io/v1/HTTPRoute",
        "gateway.networking.k8s.io/v1/GRPCRoute",
        "gateway.networking.k8s.io/v1/TLSRoute",
        "gateway.networking.k8s.io/v1alpha2/TCPRoute",
        "networking.istio.io/v1/VirtualService",
        # addresses that policies for the whole cluster pick by their labels
        "crd.projectcalico.org/v1/NetworkSet",
        "projectcalico.org/v3/NetworkSet",
    }
)
"""Namespaced types of which those of other namespaces matter as well."""


@dataclass(slots=True)
class _Run:
    """One collection under way."""

    cluster: Cluster
    collection: Collection
    sink: Sink
    source: Source
    projector: Projector
    namespaces: Sequence[str]
    version: JSON | Gap
    """What the server says that it is; None where its answer does not say."""
    seen: Seen = field(default_factory=Seen)
    secret_metadata: bool = False


def collect_cluster(  # noqa: PLR0913 - the one entry; every argument is an option of the command
    sink: Sink,
    *,
    kubeconfig: str | None = None,
    context: str | None = None,
    namespaces: Sequence[str] = (),
    demand: Demand = None,
    limit: int = 500,
    now: str = "",
    limits: Limits | None = None,
    cluster: Cluster | None = None,
    done: frozenset[tuple[str, str, str]] = frozenset(),
    progress: Callable[[str, int, int], None] | None = None,
    secret_metadata: bool = False,
) -> Source:
    """Look at one cluster and write what was seen to `sink`; with `namespaces` only at those, and at what is in no namespace.

    `limit` is the number of objects a page. `done` holds (native type, scope, region) of listings that an interrupted run has
    completed. `secret_metadata` lists the names, dates and annotations of Secrets, never their data. Raises BartizanError where there is no usable kubeconfig; whatever the cluster refuses is
    a gap of the coverage.
    """
    cluster = cluster or Cluster(connect(kubeconfig, context), page=limit)
    version = _version(cluster)
    source = _source(cluster, version, now)
    limits = limits or Limits()
    scope = Scope(source.scope, ("",), "", {})
    collection = Collection(cluster, scope, source, sink, limits)
    run = _Run(
        cluster,
        collection,
        sink,
        source,
        Projector(source, demand),
        tuple(dict.fromkeys(namespaces)),
        version,
        secret_metadata=secret_metadata,
    )
    try:
        _collect(run, done, progress)
    finally:
        collection.finish()
    return source


def _missing(run: _Run) -> None:
    """Say which namespaces there are not: in a mistyped one nothing is found, and nothing found must not look like a pass."""
    for name in run.namespaces:
        try:
            run.cluster.ask("GET", path_of("v1", "namespaces", "", name))
        except Refused as error:
            if error.status == HTTPStatus.NOT_FOUND:
                run.sink.problem(f"k8s: --namespaces {name}: the cluster has no such namespace")
        except Broken:
            return  # NOTE: told by whatever is asked next


def _version(cluster: Cluster) -> JSON | Gap:
    """What the server says that it is, or why it does not answer."""
    try:
        return mapping(cluster.ask("GET", "/version")[0]).get("gitVersion")
    except (Refused, Broken) as error:
        return cluster.gap(error, "version")


def _source(cluster: Cluster, version: JSON | Gap, now: str) -> Source:
    """Who looks at which cluster. What cannot be told is left empty: it is no fact of a resource."""
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    review = mapping(_quiet(cluster, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", body))
    user = mapping(mapping(review.get("status")).get("userInfo")).get("username")
    uid = mapping(mapping(_quiet(cluster, "GET", path_of("v1", "namespaces", "", "kube-system"))).get("metadata")).get("uid")
    name = cluster.access.name or (f"cluster-{uid}" if uid else "in-cluster")
    tool = "" if not version or isinstance(version, Gap) else f"Kubernetes {version}"
    if uid:
        tool = f"{tool}, kube-system uid {uid}".removeprefix(", ")
    return Source(f"k8s:{name}", "live", "kubernetes", name, str(user or ""), now, tool)


def _quiet(cluster: Cluster, method: str, path: str, body: JSON = None) -> JSON:
    try:
        return cluster.ask(method, path, body=body)[0]
    except (Refused, Broken):
        return {}


def groups(projector: Projector) -> list[tuple[ObjectTable, ...]]:
    """The tables that are wanted, those of one type together, in the order in which they are listed."""
    found: dict[str, list[ObjectTable]] = {}
    makers = {t.native_type for t in WORKLOADS}
    for table in (
        CLUSTER,
        *(t for t in OTHERS if t.native_type not in makers),
        *WORKLOADS,
        *(t for t in OTHERS if t.native_type in makers),
    ):
        if projector.wanted(table) is not None:
            found.setdefault(table.native_type, []).append(table)
    return [tuple(tables) for tables in found.values()]


def _collect(run: _Run, done: frozenset[tuple[str, str, str]], progress: Callable[[str, int, int], None] | None) -> None:
    wanted = groups(run.projector)
    todo = [tables for tables in wanted if not _finished(run, tables[0], done)]
    # NOTE: what is owned is judged on its owner, and owners are known from their own listing alone: as long as one type that makes
    # pods is missing, all of them are listed again
    if any(_makes_pods(tables) for tables in todo):
        todo = [tables for tables in wanted if _makes_pods(tables) or tables[0].native_type in RUNTIMES or tables in todo]
    run.sink.source(run.source)
    _missing(run)
    run.sink.expect(
        [_row(run, table, region) for tables in todo for table in _told(run, tables) for region in _regions(run, table)]
    )
    for tables in todo:
        for table in tables:
            _leave_out(run, table)
    served = discover(run.cluster, [t for tables in todo for t in tables]) if todo else Served()
    for number, tables in enumerate(todo, 1 + len(wanted) - len(todo)):
        _type(run, served, tables)
        if progress:
            progress(tables[0].native_type, number, len(wanted))


def _finished(run: _Run, table: ObjectTable, done: frozenset[tuple[str, str, str]]) -> bool:
    return all((table.native_type, run.source.scope, region) in done for region in _regions(run, table))


def _makes_pods(tables: Sequence[ObjectTable]) -> bool:
    return any(table.pod for table in tables)


def _leave_out(run: _Run, table: ObjectTable) -> None:
    """Say of which namespaces nothing is asked, where they matter: before anything is listed, so that no interrupted scan lacks it."""
    # NOTE: what runs on a node runs there whatever its namespace; this row is of the kind `placement`, and blinds no rule about pods
    if run.namespaces and (table.native_type in ACROSS or table.owned):
        gap = Gap(Reason.NOT_OFFERED, "", "Scan without --namespaces.", f"only {', '.join(run.namespaces)} were asked for")
        run.sink.coverage(_row(run, table, ELSEWHERE, gap))


def _regions(run: _Run, table: ObjectTable) -> tuple[str, ...]:
    return tuple(run.namespaces) if table.namespaced and run.namespaces else ("",)


def _row(
    run: _Run, table: ObjectTable, region: str, gap: Gap | None = None, count: int = 0, *, extent: Extent = Extent.ABSENT
) -> Coverage:
    return Coverage(table.native_type, table.kind, run.source.scope, region, extent, gap, count, run.source.id)


def _type(run: _Run, served: Served, tables: Sequence[ObjectTable]) -> None:
    """One type, in every namespace that is wanted; then how complete it is, for each kind that it is projected to."""
    first = tables[0]
    version = served.version(first)
    refused = None if run.secret_metadata else NOT_LISTED.get(first.native_type)
    for region in _regions(run, first):
        gap, counts = refused, Counter[str]()
        if first is CLUSTER:
            gap, counts = _cluster(run)
        if first is CLUSTER or first.native_type in FILES:
            version = None
        # NOTE: a type that the server does not know has no objects: that is an answer, and the listing is complete
        if refused is None and version is not None:
            every = first.plural == ANY
            gap, counts = _group(run, served, first, region) if every else _listing(run, first, version, region)
        if gap is None and not run.collection.limits.sample:
            run.projector.runtimes.whole(first.native_type, region)
        for table in _told(run, tables):
            count = counts[table.native_type if table is DEBUGGED else table.kind]
            extent = Extent.COMPLETE if gap is None else Extent.PARTIAL if count else Extent.ABSENT
            run.sink.coverage(_row(run, table, region, gap, count, extent=extent))


def _told(run: _Run, tables: Sequence[ObjectTable]) -> Sequence[ObjectTable]:
    """What the listing of a type tells of: of pods also those that are judged for their debug containers alone."""
    debugged = tables[0].native_type == PODS and run.projector.wanted(DEBUGGED) is not None
    return (*tables, DEBUGGED) if debugged else tables


def _group(run: _Run, served: Served, table: ObjectTable, region: str) -> tuple[Gap | None, Counter[str]]:
    """Objects of every type of a table's group."""
    counts: Counter[str] = Counter()
    found = served.every(table)
    if found is None:
        return _untold(run, split(table.native_type)[0]), counts
    gaps: list[Gap | None] = []
    for plural, version in [*found.items()][:MOST_TYPES]:
        gap, more = _listing(run, replace(table, plural=plural), version, region)
        gaps.append(gap)
        counts += more
    if len(found) > MOST_TYPES:
        gaps.append(Gap(Reason.TRUNCATED, "", "", f"the group has {len(found)} types; {MOST_TYPES} were listed"))
    return next((gap for gap in gaps if gap is not None), None), counts


def _untold(run: _Run, group: str) -> Gap:
    """Why it is not known which types a group has."""
    try:
        run.cluster.ask("GET", f"/apis/{group}")
    except (Refused, Broken) as error:
        return run.cluster.gap(error, f"{group}:*")
    return Gap(Reason.NOT_OFFERED, f"{group}:*", "Ask again later.", "discovery did not tell which types the group has")


def _cluster(run: _Run) -> tuple[Gap | None, Counter[str]]:
    """The cluster itself into the sink: what it says of itself, and where it was asked. It is there though it may not answer."""
    item = {
        "apiVersion": "kubernetes/v1",
        "kind": "Cluster",
        "metadata": {"name": run.source.scope},
        "version": None if isinstance(run.version, Gap) else run.version,
        "server": run.cluster.access.server,
        "indirect": run.cluster.access.indirect,
    }
    found = run.projector.resources_of(CLUSTER, Placed(item, Where(locator="version")))
    run.sink.page(found)
    return run.version if isinstance(run.version, Gap) else None, Counter(r.kind for r in found)


def _listing(run: _Run, table: ObjectTable, version: str, region: str) -> tuple[Gap | None, Counter[str]]:
    """Objects of a type into the sink, page by page: why they are not all there, and how many there are of each kind."""
    counts: Counter[str] = Counter()
    for question, args in _questions(run, table, version):
        for answer in run.collection.ask(question, args, region, ()):
            if answer.gap is not None:
                return answer.gap, counts
            found = _page(run, table, answer.value or [], answer.call)
            run.sink.page(found)
            counts.update(r.kind for r in found)
            counts.update(r.native_type for r in found)
            if run.collection.limits.sample:
                break
    return None, counts


def _questions(run: _Run, table: ObjectTable, version: str) -> Iterator[tuple[Question, Mapping[str, str]]]:
    """One listing; with `namespaces` the Namespace objects one by one, which takes no right to list them; of Secrets the metadata."""
    if run.namespaces and table.native_type == "v1/Namespace":
        one = Question(version, table.plural, take="items", means={"404 NotFound": None})
        yield from ((one, {"name": name}) for name in run.namespaces)
    elif table.native_type in NOT_LISTED:
        question = Question(version, table.plural, take="items")
        # NOTE: the type of a Secret is not in its metadata
        yield question, {"fields": f"type={TOKENS}", "type": TOKENS}
        yield question, {"fields": f"type!={TOKENS}"}
    else:
        yield Question(version, table.plural, take="items"), {}


def _page(run: _Run, table: ObjectTable, items: Sequence[Mapping[str, JSON]], call: str) -> list[Resource]:
    found: list[Resource] = []
    waivers: list[Inline] = []
    group, _, kind = split(table.native_type)
    for item in items:
        # NOTE: the group and kind of the question, not of the answer: a page is of one type
        named = {
            **item,
            "apiVersion": item.get("apiVersion") or (f"{group}/v1" if group else "v1"),
            "kind": item.get("kind") or kind,
        }
        run.projector.runtimes.add(named)
        asked = run.projector.asked(named)
        told = Told.NOTHING if asked is None else run.seen.covers(named, asked)
        if asked is not None and kind != "Pod":
            run.seen.add(named, asked)
        where = Where(locator=locator(named, table.plural))
        found += run.projector.resources(Placed(named, where, {}, call), told)
        waivers += annotated.inline(named, run.projector.identity(named, table)[0], where, run.source.id, {})
    if waivers:
        run.sink.waivers(waivers)
    return found
