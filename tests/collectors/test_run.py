"""The interpreter of live tables: every way a question can fail becomes a gap at the right place, and nothing else is lost."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections import Counter
from itertools import pairwise

import pytest

from collectors.ask import Fault
from collectors.run import Limits, Scope, collect
from collectors.table import Batch, Call, Const, Field, Side, Table
from scanner.model import Extent, Outcome, Reason, Source

SOURCE = Source("aws:1", "live", "aws", "1", "arn:aws:iam::1:role/scan")
SCOPE = Scope("1", ["r1", "r2"], "r1", {"account": "1", "partition": "aws"})

KEYS = Table(
    kind="key",
    native_type="AWS::KMS::Key",
    list=Call("kms", "list_keys", take="Keys"),
    id=Field("item.Arn"),
    name=Field("item.Id"),
    detail={
        "meta": Call("kms", "describe_key", args={"KeyId": "item.Id"}, take="Meta"),
        "rotation": Call(
            "kms", "get_rotation", args={"KeyId": "item.Id"}, when=lambda row: row["meta"]["Manager"] == "CUSTOMER", needs=("meta",)
        ),
        "policy": Call("kms", "get_policy", args={"KeyId": "item.Id"}, take="Policy", means={"NotFound": []}),
        "aliases": Side(Call("kms", "list_aliases", take="Aliases"), on="item.Id", key="Target"),
        "type": Batch(
            Call("kms", "describe_types", take="Types", means={"NotFound": None}), "Names", on="meta.Type", key="Name", size=2
        ),
    },
    facts={
        "manager": Field("meta.Manager", {"CUSTOMER": "customer", "AWS": "provider"}),
        "rotation_enabled": Field("rotation.Enabled"),
        "rotation_days": Field("rotation.Days", absent=365),
        "policy_statements": Field("policy"),
        "aliases": Field("aliases[].Name"),
        "expires": Field("type.Expires"),
        "origin": Const("provider"),
    },
)


class RefusedError(Exception):
    def __init__(self, code="AccessDenied"):
        super().__init__(code)
        self.code = code


REASONS = {
    "AccessDenied": Reason.DENIED,
    "Throttling": Reason.THROTTLED,
    "Timeout": Reason.TIMEOUT,
    "Garbled": Reason.UNPARSABLE,
    "NotFound": Reason.UNPARSABLE,
}


class Account:
    """A service of made-up keys that can refuse any operation, in any way."""

    def __init__(self, keys=6, refuse=None, page=4, wait=0.0):
        self.keys = [{"Id": f"k{n}", "Arn": f"arn:k{n}"} for n in range(keys)]
        self.refuse = refuse or {}
        self.page = page
        self.wait = wait
        self.asked = Counter()
        self.calls = []
        self.busy = self.most = 0
        self.lock = threading.Lock()

    def pages(self, question, args, region):
        if question.operation == "list_keys":
            for start in range(0, len(self.keys), self.page):
                yield self._answer(question, args, region, {"Keys": self.keys[start : start + self.page]})
            return
        yield self._answer(question, args, region, self._one(question, args))

    def _one(self, question, args):
        match question.operation:
            case "describe_key":
                return {
                    "Meta": {"Manager": "AWS" if args["KeyId"] == "k0" else "CUSTOMER", "Type": f"t{int(args['KeyId'][1:]) % 3}"}
                }
            case "get_rotation":
                return {"Enabled": True}
            case "get_policy":
                return {"Policy": [{"effect": "Allow"}]}
            case "list_aliases":
                return {"Aliases": [{"Name": f"alias/{k['Id']}", "Target": k["Id"]} for k in self.keys[::2]]}
            case "describe_types":
                return {"Types": [{"Name": n, "Expires": f"never {n}"} for n in args["Names"]]}
        raise AssertionError(question)

    def _answer(self, question, args, region, answer):
        with self.lock:
            self.asked[question.operation] += 1
            self.calls.append((question.operation, region, str(args)))
            self.busy += 1
            self.most = max(self.most, self.busy)
        time.sleep(self.wait)
        with self.lock:
            self.busy -= 1
        code = self.refuse.get(question.operation) or self.refuse.get((question.operation, args.get("KeyId")))
        if isinstance(code, Exception):
            raise code
        if code:
            raise RefusedError(code)
        return answer, 0

    def fault(self, error):
        if not isinstance(error, RefusedError):
            return Fault(Reason.BUG, type(error).__name__, str(error))
        return Fault(REASONS.get(error.code, Reason.DENIED), error.code, "said so", fatal=error.code == "Expired")

    def title(self, question):
        return f"{question.service}:{question.operation}"

    def actions(self, question):
        return (f"{question.service}:{question.operation}",)


class Seen:
    """A sink in memory."""

    def __init__(self):
        self.resources, self.coverages, self.kept, self.expected = {}, {}, [], []
        self.lock = threading.Lock()

    def source(self, source): ...

    def problem(self, text): ...

    def expect(self, rows):
        self.expected += rows

    def page(self, resources):
        with self.lock:
            self.resources |= {(r.id, r.region): r for r in resources}

    def calls(self, pairs):
        with self.lock:
            self.kept += pairs

    def coverage(self, row):
        with self.lock:
            self.coverages[row.native_type, row.region] = row


def gather(account, tables=(KEYS,), **more):
    seen = Seen()
    collect(tables, account, SCOPE, SOURCE, seen, **more)
    return seen


def test_whole_facts():
    seen = gather(Account())
    assert seen.resources["arn:k0", "r1"].facts == {
        "manager": "provider", "rotation_days": 365, "policy_statements": [{"effect": "Allow"}],
        "aliases": ["alias/k0"], "expires": "never t0", "origin": "provider",
    }  # fmt: skip
    assert seen.resources["arn:k1", "r2"].facts["rotation_enabled"] is True
    assert seen.resources["arn:k1", "r2"].facts["aliases"] == []
    assert {c.extent for c in seen.coverages.values()} == {Extent.COMPLETE}


def test_no_call_that_the_facts_do_not_need():
    account = Account()
    gather(account, demand={"AWS::KMS::Key": frozenset({"rotation_enabled"})})
    assert account.asked == {"list_keys": 4, "describe_key": 12, "get_rotation": 10}
    account = Account()
    gather(account, demand={"AWS::KMS::Key": frozenset({"aliases"})})
    assert account.asked == {"list_keys": 4, "list_aliases": 2}
    account = Account()
    gather(account, demand={"AWS::S3::Bucket": frozenset({"aliases"})})
    assert not account.asked


def test_batches_ask_for_each_value_once():
    account = Account(keys=12, page=12)
    gather(account, demand={"AWS::KMS::Key": frozenset({"expires"})})
    assert account.asked["describe_types"] == 4  # three types, two at a time, in two regions


def test_one_wrong_value_does_not_blind_the_rest_of_its_batch():
    asked = []

    class Picky(Account):
        def _one(self, question, args):
            asked.append(tuple(args.get("Names", ())))
            if "t1" in args.get("Names", ()):
                raise RefusedError("NotFound")
            return super()._one(question, args)

    account = Picky(keys=12, page=12)
    seen = gather(account, demand={"AWS::KMS::Key": frozenset({"expires"})})
    blind = {identity for (identity, _), r in seen.resources.items() if "expires" in r.gaps}
    assert blind == {f"arn:k{n}" for n in range(12) if n % 3 == 1}
    assert Counter(names for names in asked if names) == dict.fromkeys([("t0", "t1"), ("t0",), ("t1",), ("t2",)], 2), (
        "in two regions"
    )


def test_what_a_listing_repeats_is_one_row():
    account = Account(keys=2)
    account.keys.append(account.keys[1])
    seen = gather(account, demand={"AWS::KMS::Key": frozenset({"manager"})})
    assert account.asked["describe_key"] == 4  # two keys in two regions
    assert [c.count for c in seen.coverages.values()] == [2, 2]


@pytest.mark.parametrize("code", ["AccessDenied", "Throttling", "Timeout", "Garbled"])
@pytest.mark.parametrize(
    ("operation", "facts"),
    [
        ("describe_key", {"manager", "rotation_enabled", "rotation_days", "expires"}),
        ("get_rotation", {"rotation_enabled", "rotation_days"}),
        ("get_policy", {"policy_statements"}),
        ("list_aliases", {"aliases"}),
        ("describe_types", {"expires"}),
    ],
)
def test_a_failed_detail_is_a_gap_of_its_facts_and_of_no_other(operation, facts, code):
    seen = gather(Account(refuse={operation: code}))
    resource = seen.resources["arn:k1", "r1"]
    assert set(resource.gaps) == facts
    assert {g.reason for g in resource.gaps.values()} == {REASONS[code]}
    assert not facts & set(resource.facts)
    assert {c.extent for c in seen.coverages.values()} == {Extent.COMPLETE}
    if code == "AccessDenied":
        assert {g.remedy for g in resource.gaps.values()} == {f"Allow kms:{operation} to arn:aws:iam::1:role/scan."}


def test_one_denied_resource_does_not_blind_the_others():
    seen = gather(Account(refuse={("get_rotation", "k2"): "AccessDenied"}))
    blind = {
        identity
        for (identity, _), r in seen.resources.items()
        if r.gaps.get("rotation_enabled", None) and r.gaps["rotation_enabled"].reason is Reason.DENIED
    }
    assert blind == {"arn:k2"}


def test_denied_listing_is_absent_coverage_never_an_empty_list():
    """prowler-cloud/prowler#7597: a denied list read as an empty one."""
    seen = gather(Account(refuse={"list_keys": "AccessDenied"}))
    assert not seen.resources
    assert {(c.extent, c.gap.reason) for c in seen.coverages.values()} == {(Extent.ABSENT, Reason.DENIED)}


def test_a_listing_without_any_page_is_no_empty_list():
    class Mute(Account):
        def pages(self, question, args, region):
            yield from ()

    found = gather(Mute()).coverages.values()
    assert {(row.extent, row.gap.reason, row.count) for row in found} == {(Extent.ABSENT, Reason.UNPARSABLE, 0)}


def test_listing_that_breaks_on_its_second_page_is_partial():
    account = Account()
    pages = account.pages

    def broken(question, args, region):
        for number, answer in enumerate(pages(question, args, region)):
            if question.operation == "list_keys" and number == 1:
                raise RefusedError("Throttling")
            yield answer

    account.pages = broken
    seen = gather(account)
    assert len(seen.resources) == 8
    assert {(c.extent, c.gap.reason, c.count) for c in seen.coverages.values()} == {(Extent.PARTIAL, Reason.THROTTLED, 4)}


def test_error_that_is_an_answer():
    seen = gather(Account(refuse={"get_policy": "NotFound"}))
    assert seen.resources["arn:k1", "r1"].facts["policy_statements"] == []
    assert {c.outcome for c, _ in seen.kept if c.operation == "get_policy"} == {Outcome.ABSENT}


def test_expired_credentials_stop_all_further_questions():
    """prowler-cloud/prowler#369: RequestExpired in the middle of a scan read as a pass."""
    account = Account(keys=40, refuse={("describe_key", "k5"): "Expired"})
    seen = gather(account, limits=Limits(concurrency=1))
    assert account.asked["describe_key"] < 30
    assert {g.reason for r in seen.resources.values() for g in r.gaps.values()} <= {Reason.DENIED, Reason.NOT_OFFERED}
    assert any(c.extent is not Extent.COMPLETE for c in seen.coverages.values())


def test_unexpected_exception_is_a_visible_bug_not_a_crash():
    seen = gather(Account(refuse={"get_policy": ZeroDivisionError("oops")}))
    assert seen.resources["arn:k1", "r1"].gaps["policy_statements"].reason is Reason.BUG
    assert len(seen.resources) == 12


def test_deadline_truncates_and_says_so():
    seen = gather(Account(keys=60, wait=0.01), limits=Limits(concurrency=2, deadline=0.1))
    reasons = {c.gap.reason for c in seen.coverages.values() if c.gap} | {
        g.reason for r in seen.resources.values() for g in r.gaps.values()
    }
    assert Reason.TRUNCATED in reasons


def test_concurrency_is_used_and_bounded():
    account = Account(keys=40, page=40, wait=0.005)
    gather(account, limits=Limits(concurrency=5))
    assert 3 <= account.most <= 5


def test_resume_skips_what_is_done():
    account = Account()
    seen = gather(account, done=frozenset({("AWS::KMS::Key", "r1")}))
    assert {region for _, region, _ in account.calls} == {"r2"}
    assert [row.region for row in seen.expected] == ["r2"]


def test_item_without_identity_makes_the_listing_incomplete():
    account = Account()
    account.keys[3] = {"Id": "k3"}
    seen = gather(account)
    assert len(seen.resources) == 10
    assert {(c.extent, c.gap.reason) for c in seen.coverages.values()} == {(Extent.PARTIAL, Reason.UNPARSABLE)}


def test_call_ids_do_not_depend_on_the_order_of_threads():
    first, second = gather(Account(wait=0.001)), gather(Account())
    assert {c.id for c, _ in first.kept} == {c.id for c, _ in second.kept}
    assert first.resources == second.resources


def test_answers_are_stripped_of_named_secrets():
    table = Table(
        "key", "T", list=Call("kms", "list_keys", take="Keys"), id=Field("item.Arn"), name=Field("item.Id"), redact=("Id",)
    )
    seen = gather(Account(), tables=(table,))
    assert {i["Id"] for _, answer in seen.kept for i in answer["Keys"]} == {"«redacted»"}


def test_values_that_hold_secrets_are_reduced_before_anything_is_kept():
    def length(value):
        if value == "k1":
            raise ValueError
        return len(value)

    table = Table(
        "key",
        "T",
        list=Call("kms", "list_keys", take="Keys", reduce={"Id": length}),
        id=Field("item.Arn"),
        name=Field("item.Arn"),
        facts={"length": Field("item.Id")},
        redact=("Id",),
    )
    seen = gather(Account(), tables=(table,))
    assert {i["Id"] for _, answer in seen.kept for i in answer["Keys"]} == {2, "«redacted»"}
    assert {r.facts["length"] for r in seen.resources.values()} == {2, "«redacted»"}, "what is reduced is what facts are read from"


def test_a_detail_call_that_takes_nothing_of_the_row_is_made_once_a_region():
    table = Table(
        "key",
        "T",
        list=Call("kms", "list_keys", take="Keys"),
        id=Field("item.Arn"),
        name=Field("item.Id"),
        detail={"aliases": Call("kms", "list_aliases", take="Aliases", when=lambda row: row["item"]["Id"] != "k0")},
        facts={"aliases": Field("aliases[].Name", absent=[])},
    )
    account = Account()
    seen = gather(account, tables=(table,))
    assert len(seen.resources) > 4
    assert account.asked["list_aliases"] == 2


def test_inner_listings_run_at_the_same_time_and_fail_alone():
    inner = Call("kms", "get_policy", args={"KeyId": "parent.Id"}, take="Policy")
    table = Table(
        "grant",
        "G",
        list=Call("kms", "list_keys", take="Keys"),
        each=inner,
        id=Field("parent.Arn"),
        name=Field("parent.Id"),
        per="account",
    )
    account = Account(keys=16, page=16, refuse={("get_policy", "k3"): "AccessDenied"}, wait=0.005)
    seen = gather(account, tables=(table,), limits=Limits(concurrency=8))
    assert account.most > 3
    assert {r.region for r in seen.resources.values()} == {"global"}
    assert len(seen.resources) == 15
    assert seen.coverages["G", "global"].extent is Extent.PARTIAL


def test_preflight_looks_at_one_item():
    account = Account()
    gather(account, limits=Limits(sample=True))
    assert account.asked["describe_key"] == 2
    assert account.asked["list_keys"] == 2


def test_progress_counts_every_listing():
    told = []
    gather(Account(), progress=lambda label, done, total: told.append((done, total)))
    assert [t for _, t in told] == [2, 2]
    assert all(b > a for (a, _), (b, _) in pairwise(told))


class Broken(Seen):
    """A sink whose disk is full."""

    def page(self, resources):
        raise OSError(28, "No space left on device")


def test_sink_that_fails_ends_the_run_with_its_error_and_stops_the_others():
    account = Account(keys=400, page=4, wait=0.01)
    began = time.monotonic()
    with pytest.raises(OSError, match="No space left"):
        collect([KEYS], account, Scope("1", [f"r{n}" for n in range(60)], "r0", {}), SOURCE, Broken(), limits=Limits(concurrency=2))
    assert time.monotonic() - began < 5
    assert len({region for _, region, _ in account.calls}) < 20
    assert not [t for t in threading.enumerate() if t.name.startswith("listing") and t.is_alive()]


def test_stopped_run_claims_no_listing(monkeypatch):
    class Once(Seen):
        def page(self, resources):
            super().page(resources)
            raise KeyboardInterrupt

    seen = Once()
    with pytest.raises(KeyboardInterrupt):
        collect([KEYS], Account(), SCOPE, SOURCE, seen, limits=Limits(concurrency=1))
    time.sleep(0.2)
    assert not seen.coverages


def test_deadline_is_not_slept_through():
    began = time.monotonic()
    seen = gather(Account(keys=40), limits=Limits(concurrency=4, deadline=0.5, rate=0.1))
    assert time.monotonic() - began < 3
    assert {c.gap.reason for c in seen.coverages.values()} == {Reason.TRUNCATED}


def test_batch_that_leaves_out_what_was_asked_is_no_default():
    class Forgetful(Account):
        def _one(self, question, args):
            answer = super()._one(question, args)
            if question.operation == "describe_types":
                answer["Types"] = [t for t in answer["Types"] if t["Name"] != "t1"]
            return answer

    facts = {**KEYS.facts, "expires": Field("type.Expires", absent="never")}
    seen = gather(Forgetful(), tables=(dataclasses.replace(KEYS, facts=facts),))
    assert seen.resources["arn:k1", "r1"].gaps["expires"].reason is Reason.UNPARSABLE
    assert seen.resources["arn:k2", "r1"].facts["expires"] == "never t2"


def test_side_entry_that_belongs_to_nobody_is_everybodys():
    class Odd(Account):
        def _one(self, question, args):
            answer = super()._one(question, args)
            return {"Aliases": [*answer["Aliases"], {"Name": "x", "Target": {"odd": 1}}]} if "Aliases" in answer else answer

    seen = gather(Odd())
    assert {r.gaps["aliases"].reason for r in seen.resources.values()} == {Reason.UNPARSABLE}


@pytest.mark.parametrize("error", [KeyError("x"), RecursionError(), ZeroDivisionError(), TypeError()])
def test_answers_that_cannot_be_read_are_gaps(error):
    def fails(*_):
        raise error

    seen = gather(Account(), tables=(dataclasses.replace(KEYS, keep=fails),))
    assert {(c.extent, c.gap.reason) for c in seen.coverages.values()} == {(Extent.ABSENT, Reason.UNPARSABLE)}
    facts = {**KEYS.facts, "origin": Field("item.Id", fails)}
    seen = gather(Account(), tables=(dataclasses.replace(KEYS, facts=facts),))
    assert {r.gaps["origin"].reason for r in seen.resources.values()} == {Reason.UNPARSABLE}


def test_a_listing_that_comes_whole_is_written_in_parts():
    sizes = []

    class Counting(Seen):
        def page(self, resources):
            sizes.append(len(resources))
            super().page(resources)

    seen = Counting()
    wanted = {"AWS::KMS::Key": frozenset({"origin"})}
    collect([KEYS], Account(keys=5_000, page=5_000), Scope("1", ["r"], "r", {}), SOURCE, seen, demand=wanted)
    assert max(sizes) == 1_000
    assert len(seen.resources) == seen.coverages["AWS::KMS::Key", "r"].count == 5_000


MADE = Call("iam", "make_report")
REPORT = Table(
    kind="identity",
    native_type="AWS::IAM::User",
    list=Call("iam", "get_report", take="Rows", retry={"NotThere": MADE, "InProgress": None}),
    id=Field("item"),
    name=Field("item"),
    per="account",
)


class Slow(Account):
    """A service that must be told to write a report, and then takes its time."""

    def __init__(self, *codes, refuse=None):
        super().__init__(refuse=refuse)
        self.codes = list(codes)

    def pages(self, question, args, region):
        if question.operation == "get_report" and self.codes:
            self.asked[question.operation] += 1
            raise RefusedError(self.codes.pop(0))
        yield self._answer(question, args, region, {"Rows": ["arn:a", "arn:b"]})


def test_an_answer_that_is_not_ready_is_waited_for(monkeypatch):
    monkeypatch.setattr("collectors.run.PAUSES", (0, 0, 0))
    account = Slow("NotThere", "InProgress")
    seen = gather(account, tables=(REPORT,))
    assert sorted(i for i, _ in seen.resources) == ["arn:a", "arn:b"]
    assert account.asked == {"get_report": 3, "make_report": 1}
    assert [(c.operation, c.outcome) for c, _ in seen.kept] == [("make_report", Outcome.OK), ("get_report", Outcome.OK)]


def test_an_answer_that_is_never_ready_is_a_gap(monkeypatch):
    monkeypatch.setattr("collectors.run.PAUSES", (0, 0))
    (row,) = gather(Slow(*["InProgress"] * 9), tables=(REPORT,)).coverages.values()
    assert (row.extent, row.gap.reason) == (Extent.ABSENT, Reason.TIMEOUT)


def test_an_answer_that_may_not_be_made_is_the_gap_of_its_making():
    (row,) = gather(Slow("NotThere", refuse={"make_report": "AccessDenied"}), tables=(REPORT,)).coverages.values()
    assert (row.extent, row.gap.reason, row.gap.call) == (Extent.ABSENT, Reason.DENIED, "iam:make_report")


def test_inner_listings_are_made_of_those_parents_that_have_one():
    def odd(row):
        return {"k1": True, "k3": True}.get(row["parent"]["Id"], False)

    def broken(row):
        return row["parent"]["Unheard"]

    inner = dataclasses.replace(KEYS.list, operation="list_grants", args={"KeyId": "parent.Id"}, take="Grants", when=odd)
    table = Table("grant", "AWS::KMS::Grant", KEYS.list, inner, Field("item.Id"), Field("item.Id"), per="account")

    class Grants(Account):
        def pages(self, question, args, region):
            if question.operation != "list_grants":
                yield from super().pages(question, args, region)
                return
            yield self._answer(question, args, region, {"Grants": [{"Id": f"g-{args['KeyId']}"}]})

    account = Grants()
    seen = gather(account, tables=(table,))
    assert sorted(i for i, _ in seen.resources) == ["g-k1", "g-k3"]
    assert (account.asked["list_grants"], [r.extent for r in seen.coverages.values()]) == (2, [Extent.COMPLETE])
    seen = gather(Grants(), tables=(dataclasses.replace(table, each=dataclasses.replace(inner, when=broken)),))
    assert [(r.extent, r.gap.reason) for r in seen.coverages.values()] == [(Extent.ABSENT, Reason.UNPARSABLE)]


class Grants(Account):
    """Every key has a grant."""

    def pages(self, question, args, region):
        if question.operation != "list_grants":
            yield from super().pages(question, args, region)
            return
        yield self._answer(question, args, region, {"Grants": [{"Id": f"g-{args['KeyId']}"}]})


def begins_with_keys(native_type, **more):
    each = Call("kms", "list_grants", args={"KeyId": "parent.Id"}, take="Grants")
    return Table("grant", native_type, dataclasses.replace(KEYS.list), each, Field("item.Id"), Field("item.Id"), **more)


def test_a_listing_that_several_tables_begin_with_is_asked_once_a_region():
    plain = dataclasses.replace(KEYS, detail={}, facts={"origin": Const("provider")})
    tables = (plain, begins_with_keys("A"), begins_with_keys("B"))
    account = Grants(wait=0.01)
    seen = gather(account, tables=tables)
    assert account.asked["list_keys"] == 4, "two pages in each of two regions"
    assert account.asked["list_grants"] == 24
    assert {(t, r.count) for (t, _), r in seen.coverages.items()} == {("AWS::KMS::Key", 6), ("A", 6), ("B", 6)}
    # who was done before a resumed run, and who strips other names, has no part in it
    account = Grants()
    done = frozenset((("A", "r1"), ("A", "r2"), ("B", "r2")))
    gather(account, tables=(*tables, begins_with_keys("C", redact=("Secret",))), done=done)
    assert Counter(region for operation, region, _ in account.calls if operation == "list_keys") == {"r1": 4, "r2": 4}


def test_a_shared_listing_that_breaks_breaks_for_all_of_them():
    account = Grants(refuse={"list_keys": "AccessDenied"})
    seen = gather(account, tables=(begins_with_keys("A"), begins_with_keys("B")))
    assert {(r.extent, r.gap.reason) for r in seen.coverages.values()} == {(Extent.ABSENT, Reason.DENIED)}
    assert account.asked["list_keys"] == 2


def test_a_listing_of_which_nothing_is_listed_per_item_is_not_held_whole():
    account = Account()
    gather(account, tables=(KEYS, dataclasses.replace(KEYS, native_type="Other")))
    assert account.asked["list_keys"] == 8
