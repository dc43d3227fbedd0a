"""Snapshots: whole after a kill, private, redacted, comparable, and clear about what is wrong with a file."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.codec import dumps, resource_in, resource_out
from scanner.model import BartizanError, Call, Coverage, Extent, Outcome, Reason, Source, Where
from scanner.snapshot import INTERRUPTED, VERSION, Snapshot
from tests.scanner.builders import DENIED, key, write_snapshot


def test_round_trip(tmp_path):
    resource = key(gaps={"policy": DENIED}).replace(where=Where("a.tf", 3, 1), tags={"ä": "ö"})
    path = write_snapshot(tmp_path / "s", [resource])
    with Snapshot.open(path) as snapshot:
        assert snapshot.get("key", "k") == resource
        assert list(snapshot.resources()) == [resource]
        assert snapshot.verify() == []


@given(
    st.dictionaries(
        st.text(),
        st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)),
    )
)
def test_codec_keeps_every_fact(facts):
    resource = key().replace(facts=facts)
    columns = (resource.id, resource.kind, resource.native_type, resource.scope, resource.region, resource.name)
    assert resource_in(columns, dumps(resource_out(resource))) == resource


def test_file_is_private(tmp_path):
    path = write_snapshot(tmp_path / "s", [])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_digest_is_of_the_estate_not_of_the_order(tmp_path):
    resources = [key(str(n)) for n in range(50)]
    first = write_snapshot(tmp_path / "a", resources)
    random.Random(1).shuffle(resources)
    second = write_snapshot(tmp_path / "b", resources)
    third = write_snapshot(tmp_path / "c", [*resources[1:], key("0", rotation_enabled=False)])
    digests = [Snapshot.open(p).kept_digest() for p in (first, second, third)]
    assert digests[0] == digests[1] != digests[2]


def test_many_threads_write_one_file(tmp_path):
    snapshot = Snapshot.create(tmp_path / "s")
    threads = [threading.Thread(target=lambda n=n: [snapshot.page([key(f"{n}-{i}")]) for i in range(20)]) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert snapshot.size() == (160, 0)
    snapshot.close()


def test_secrets_never_reach_the_file(tmp_path):
    token = "hf_" + "a1B2" * 9
    pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"
    with Snapshot.create(tmp_path / "s") as snapshot:
        snapshot.page([key(note=f"token {token}").replace(tags={"t": token})])
        snapshot.call(Call("c", "ec2", "describe_x", "1", "r", Outcome.OK), {"a": {"b": [pem, "https://user:hunter22@host/"]}})
        snapshot.problem(f"bad {token}")
        digest = snapshot.find_call("c").digest
        kept = json.dumps(snapshot.answer(digest))
    assert "hunter22" not in kept
    assert "PRIVATE" not in kept
    assert token.encode() not in (tmp_path / "s").read_bytes()


KILLED = textwrap.dedent("""
    import sys
    from pathlib import Path
    from scanner.model import Coverage, Extent, Source
    from scanner.snapshot import Snapshot
    from tests.scanner.builders import key
    snapshot = Snapshot.create(Path(sys.argv[1]))
    snapshot.source(Source("aws:1", "live", "aws", "1"))
    snapshot.expect([Coverage("AWS::KMS::Key", "key", "1", "us-east-1", Extent.ABSENT, None, 0, "aws:1")])
    page = 0
    while True:
        snapshot.page([key(f"{page:06}-{n}") for n in range(50)])
        page += 1
        print(page, flush=True)
""")


def test_kill_9_loses_at_most_the_page_in_flight(tmp_path, root):
    path = tmp_path / "s"
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    )
    for line in child.stdout:
        if int(line) >= 20:
            break
    time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    told = max([20, *(int(line) for line in child.stdout.read().split())])
    child.wait()
    with Snapshot.open(path) as snapshot:
        kept = snapshot.size()[0]
        assert kept % 50 == 0
        assert told * 50 <= kept <= (told + 1) * 50
        assert snapshot.state == "collecting"
        assert [c.gap for c in snapshot.listings()] == [INTERRUPTED]
        assert "interrupted" in snapshot.verify()[0]
    with Snapshot.create(path, resume=True) as again:
        again.page([key("one more")])
        again.coverage(Coverage("AWS::KMS::Key", "key", "1", "us-east-1", Extent.COMPLETE, None, kept + 1, "aws:1"))
        again.finish()
    with Snapshot.open(path) as snapshot:
        assert snapshot.verify() == []
        assert snapshot.size()[0] == kept + 1


def test_a_second_writer_is_told(tmp_path):
    snapshot = Snapshot.create(tmp_path / "s")
    for use in (Snapshot.open, lambda p: Snapshot.create(p, resume=True)):
        with pytest.raises(BartizanError, match="another bartizan is writing"):
            use(tmp_path / "s")
    snapshot.close()


def test_existing_file_is_not_overwritten(tmp_path):
    path = write_snapshot(tmp_path / "s", [key()])
    with pytest.raises(BartizanError, match="--resume"):
        Snapshot.create(path)


def truncated(path):
    path.write_bytes(path.read_bytes()[:6000])


def scribbled(path):
    body = bytearray(path.read_bytes())
    body[4096:8192] = random.Random(3).randbytes(4096)
    path.write_bytes(body)


def newer(path):
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET value=? WHERE key='schema'", (str(VERSION + 1),))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda p: p.write_bytes(b""), "is not a snapshot"),
        (lambda p: p.write_text("{}"), "is not a snapshot"),
        (lambda p: p.unlink(), "cannot read"),
        (newer, "newer one|Install the release"),
        (truncated, "damaged|cannot use|is not"),
        (scribbled, "damaged|cannot use|SQLite"),
    ],
)
def test_bad_files_are_named(tmp_path, spoil, words):
    path = write_snapshot(tmp_path / "s", [key(str(n)) for n in range(400)])
    spoil(path)

    def use():
        with Snapshot.open(path) as snapshot:
            list(snapshot.resources())
            wrong = snapshot.verify()
            raise BartizanError(f"{path}: {' '.join(wrong)}" if wrong else "nothing found")

    with pytest.raises(BartizanError, match=words) as caught:
        use()
    assert str(path) in str(caught.value)


def test_changed_row_is_found(tmp_path):
    path = write_snapshot(tmp_path / "s", [key(rotation_enabled=False)])
    with sqlite3.connect(path) as db:
        db.execute("UPDATE resource SET body=replace(body, '\"rotation_enabled\":false', '\"rotation_enabled\":true')")
    assert "digest differs" in Snapshot.open(path).verify()[0]


def test_export_is_canonical(tmp_path, capsys):
    import sys as system

    write_snapshot(tmp_path / "s", [key("b"), key("a")])
    Snapshot.open(tmp_path / "s").export(system.stdout)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [r["resource"]["id"] for r in rows if "resource" in r] == ["a", "b"]
    assert rows[0] == {"bartizan": "snapshot", "schema": VERSION}


def test_unwritable_place(tmp_path):
    with pytest.raises(BartizanError, match="cannot write"):
        Snapshot.create(tmp_path / "no" / "s")


def test_reason_is_a_closed_list():
    assert {r.value for r in Reason} == {
        "denied", "throttled", "timeout", "region_off", "service_off", "not_offered",
        "known_after_apply", "sensitive", "unparsable", "truncated", "bug",
    }  # fmt: skip


def test_sources_are_kept(tmp_path):
    path = write_snapshot(tmp_path / "s", [])
    assert Snapshot.open(path).sources() == (Source("aws:1", "live", "aws", "1", "me", "2026-06-01T00:00:00Z"),)
    assert Snapshot.open(path).listings()[0].extent is Extent.COMPLETE


def test_two_sources_with_one_id_are_a_problem_and_one_source_again_is_none(tmp_path):
    with Snapshot.create(tmp_path / "s") as snapshot:
        for source in ("plan:a", "plan:a", "plan:b"):
            snapshot.page([key("plan/x", rotation_enabled=source == "plan:b").replace(source=source), key(source)])
        assert [p.split(":")[0] for p in snapshot.problems()] == ["plan"]
        assert "plan:a and plan:b both have plan/x" in snapshot.problems()[0]
        assert snapshot.size()[0] == 3


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 10**5000, b"x", json.loads("[" * 900 + "]" * 900)],
    ids=["nan", "inf", "digits", "bytes", "depth"],
)
def test_values_that_json_cannot_hold_are_unknown_and_stop_nothing(tmp_path, value):
    for _ in range(200_000) if isinstance(value, list) else ():  # NOTE: newer Pythons encode some thousand levels
        value = [value]
    with Snapshot.create(tmp_path / "s") as snapshot:
        snapshot.page([key("a", odd=value), key("b")])
        snapshot.call(Call("c", "ec2", "x", "1", "r", Outcome.OK), {"x": value})
        found = snapshot.get("key", "a")
        assert found.gaps["odd"].reason is Reason.UNPARSABLE
        assert found.facts["rotation_enabled"] is True
        assert "not kept" in snapshot.answer(snapshot.find_call("c").digest)
        assert snapshot.size() == (2, 1)


def test_lone_surrogates_are_kept_out_of_every_column(tmp_path):
    odd = "a\udcff"
    with Snapshot.create(tmp_path / "s") as snapshot:
        snapshot.source(Source(odd, "plan", "aws", odd))
        snapshot.page([key(odd, scope=odd, note=odd)])
        snapshot.coverage(Coverage(odd, odd, odd, odd, Extent.COMPLETE, None, 0, odd))
        snapshot.call(Call(odd, odd, odd, odd, odd, Outcome.OK), {odd: odd})
        snapshot.problem(odd)
        assert snapshot.scopes() == (snapshot.sources()[0].scope,)
        snapshot.finish()


def test_path_of_any_bytes(tmp_path):
    path = tmp_path / os.fsdecode(b"a?b#c%41\xff")
    write_snapshot(path, [key()])
    assert Snapshot.open(path).verify() == []
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_devices_are_not_written(tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"")
    link = tmp_path / "link"
    link.symlink_to(victim)
    mode = Path("/dev/null").stat().st_mode
    os.mkfifo(tmp_path / "pipe")
    for path, words in (
        (link, "a link"),
        (tmp_path / "pipe", "no ordinary file"),
        (Path("/dev/null"), "no ordinary file"),
        (tmp_path, "director"),
    ):
        with pytest.raises(BartizanError, match=words):
            Snapshot.create(path)
        with pytest.raises(BartizanError):
            Snapshot.open(path)
    assert victim.read_bytes() == b""
    assert Path("/dev/null").stat().st_mode == mode


def test_log_beside_the_file_is_private_too(tmp_path):
    with Snapshot.create(tmp_path / "s") as snapshot:
        snapshot.page([key()])
        assert {stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()} == {0o600}
        assert (tmp_path / "s-wal").exists()


def test_full_disk_is_told_and_what_was_kept_is_whole(tmp_path):
    snapshot = Snapshot.create(tmp_path / "s")
    snapshot.page([key("a")])
    snapshot._db.execute("PRAGMA max_page_count=20")
    with pytest.raises(BartizanError, match="disk is full"):
        snapshot.page([key(f"{n:099}", note="x" * 4000) for n in range(100)])
    snapshot._db.execute("PRAGMA max_page_count=100000")
    snapshot.page([key("b")])
    assert [r.id for r in snapshot.resources()] == ["a", "b"]
    snapshot.close()


@pytest.mark.parametrize("body", ["{", "[]", "{}", '"x"', "[" * 100_000])
def test_rows_of_another_shape_are_damage_not_a_bug(tmp_path, body):
    path = write_snapshot(tmp_path / "s", [key()])
    with sqlite3.connect(path) as db:
        for table in ("resource", "coverage", "source"):
            db.execute(f"UPDATE {table} SET body=?", (body,))  # noqa: S608 - constants
    with Snapshot.open(path) as snapshot:
        for look in (snapshot.resources, snapshot.listings, snapshot.sources, snapshot.verify):
            with pytest.raises(BartizanError, match="damaged"):
                list(look())


def test_resumed_snapshot_has_no_digest_of_before(tmp_path):
    path = write_snapshot(tmp_path / "s", [key()])
    old = Snapshot.open(path).kept_digest()
    with Snapshot.create(path, resume=True) as again:
        again.page([key("more")])
    with Snapshot.open(path) as snapshot:
        assert snapshot.kept_digest() != old
