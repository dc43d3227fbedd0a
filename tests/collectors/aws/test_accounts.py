"""An organisation as one estate: every account has its rows, the one that refuses as well."""

from __future__ import annotations

import threading
from pathlib import Path

import boto3
import pytest

from collectors.aws.accounts import Progress, caller_policy, collect_accounts
from collectors.aws.collect import Options
from collectors.aws.demo import Cloud
from collectors.run import Limits
from scanner.evaluate import Plan, evaluate
from scanner.model import BartizanError, Extent, Reason, Status
from scanner.rules.library import load
from scanner.snapshot import Snapshot

NOW = "2026-11-30T00:00:00Z"
FACTS = {"AWS::KMS::Key": frozenset({"manager", "state", "algorithm", "origin", "rotation_enabled", "rotation_days"})}
OWN = "123456789012"


@pytest.fixture
def cloud(moto_server, monkeypatch):
    """moto, which refuses what the test says."""
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    cloud = Cloud(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, cloud, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    yield cloud
    server.shutdown()
    server.server_close()


def organisation() -> list[str]:
    """Four members beside the management account, each with a key; the last one suspended."""
    client = boto3.client("organizations")
    client.create_organization(FeatureSet="ALL")
    made = [
        client.create_account(Email=f"{n}@example.org", AccountName=n)["CreateAccountStatus"]["AccountId"]
        for n in ("train", "serve", "data", "old")
    ]
    client.close_account(AccountId=made[3])
    boto3.client("kms").create_key()
    for account in made:
        key(account)
    return made


def key(account: str) -> None:
    found = boto3.client("sts").assume_role(RoleArn=f"arn:aws:iam::{account}:role/setup", RoleSessionName="setup")["Credentials"]
    boto3.client(
        "kms",
        aws_access_key_id=found["AccessKeyId"],
        aws_secret_access_key=found["SecretAccessKey"],
        aws_session_token=found["SessionToken"],
    ).create_key()


def collected(path: Path, **options) -> Snapshot:
    with Snapshot.create(path) as snapshot:
        collect_accounts(
            Options(regions=("us-east-1",), **options),
            snapshot,
            now=NOW,
            demand=FACTS,
            limits=Limits(4),
            progress=options.get("tell"),
        )
        snapshot.finish()
    return Snapshot.open(path)


def test_every_account_of_the_organisation_has_its_rows(cloud, tmp_path):
    train, serve, data, old = organisation()
    cloud.deny = [{"service": "sts", "operation": "AssumeRole", "holds": data, "action": "sts:AssumeRole"}]
    with collected(tmp_path / "s", organization=True, role="audit/bartizan") as snapshot:
        rows = {row.scope: row for row in snapshot.listings()}
        assert set(rows) == {OWN, train, serve, data, old}
        assert {row.extent for scope, row in rows.items() if scope in (OWN, train, serve)} == {Extent.COMPLETE}
        assert {r.scope for r in snapshot.resources()} == {OWN, train, serve}
        refused, closed = rows[data].gap, rows[old].gap
        assert refused is not None
        assert (refused.reason, refused.call) == (Reason.DENIED, "sts:AssumeRole")
        assert f"arn:aws:iam::{data}:role/audit/bartizan" in refused.remedy
        assert closed is not None
        assert closed.reason is Reason.SERVICE_OFF
        assert {s.scope: s.identity for s in snapshot.sources()}[train] == f"arn:aws:sts::{train}:assumed-role/bartizan/bartizan"


def test_an_account_that_refuses_is_unknown_for_every_rule(cloud, tmp_path):
    *_, data, _old = organisation()
    cloud.deny = [{"service": "sts", "operation": "AssumeRole", "holds": data, "action": "sts:AssumeRole"}]
    collected(tmp_path / "s", organization=True, role="bartizan").close()
    library = load()
    verdicts = list(evaluate(Plan(tmp_path / "s", (library.rules["encryption.cmk_rotation"],), library.modules, {})).verdicts)
    mine = [v for v in verdicts if v.scope == data]
    assert [(v.level, v.status) for v in mine] == [("scope", Status.UNKNOWN)]
    assert "sts:AssumeRole" in mine[0].message


def test_only_the_accounts_that_are_named(cloud, tmp_path):
    train, serve, *_ = organisation()
    with collected(tmp_path / "s", accounts=(serve, train), role="bartizan") as snapshot:
        assert {row.scope for row in snapshot.listings()} == {train, serve}


def test_resumed_where_an_account_failed(cloud, tmp_path):
    train, serve, *_ = organisation()
    options = Options(regions=("us-east-1",), accounts=(train, serve), role="bartizan")
    cloud.deny = [{"service": "sts", "operation": "AssumeRole", "holds": serve, "action": "sts:AssumeRole"}]
    with Snapshot.create(tmp_path / "s") as snapshot:
        collect_accounts(options, snapshot, now=NOW, demand=FACTS)
    cloud.deny = []
    with Snapshot.create(tmp_path / "s", resume=True) as snapshot:
        done = frozenset((c.native_type, c.scope, c.region) for c in snapshot.listings() if c.extent is Extent.COMPLETE)
        assert {scope for _, scope, _ in done} == {train}
        collect_accounts(options, snapshot, now=NOW, demand=FACTS, done=done)
        snapshot.finish()
        assert {(row.scope, row.extent) for row in snapshot.listings()} == {(train, Extent.COMPLETE), (serve, Extent.COMPLETE)}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"organization": True}, "need --role NAME"),
        ({"accounts": ("1",), "role": "r"}, "twelve digits"),
        ({"accounts": ("210987654321",), "role": "arn:aws:iam::210987654321:role/r"}, "not its ARN"),
        ({"organization": True, "accounts": ("210987654321",), "role": "r"}, "not in the organisation"),
    ],
)
def test_bad_options(cloud, tmp_path, options, said):
    organisation()
    with pytest.raises(BartizanError, match=said):
        collected(tmp_path / "s", **options)


def test_without_an_organisation_or_a_right_to_list_it(cloud, tmp_path):
    with pytest.raises(BartizanError, match="no accounts") as caught:  # moto's word for an account in no organisation
        collected(tmp_path / "s", organization=True, role="r")
    assert caught.value.code == 3
    organisation()
    cloud.deny = [{"service": "organizations", "operation": "ListAccounts", "action": "organizations:ListAccounts"}]
    with pytest.raises(BartizanError, match="Allow organizations:ListAccounts"):
        collected(tmp_path / "t", organization=True, role="r")


def test_no_account_at_all_is_an_error(cloud, tmp_path):
    cloud.deny = [{"service": "sts", "operation": "AssumeRole", "action": "sts:AssumeRole"}]
    with pytest.raises(BartizanError, match="none of 2 accounts") as caught:
        collected(tmp_path / "s", accounts=("210987654321", "210987654322"), role="r")
    assert caught.value.code == 3


def test_progress_counts_all_accounts():
    said = []
    progress = Progress(lambda *told: said.append(told), 2)
    one, two = progress.of("1"), progress.of("2")
    one("a", 1, 10)
    two("b", 1, 12)
    one("a", 10, 10)
    assert said == [("1 a", 1, 20), ("2 b", 2, 22), ("1 a", 11, 22)]


def test_who_walks_the_organisation_needs_two_rights():
    policy = caller_policy("audit/bartizan")
    assert [(s["Action"], s["Resource"]) for s in policy["Statement"]] == [
        (["organizations:ListAccounts"], "*"),
        (["sts:AssumeRole"], "arn:aws:iam::*:role/audit/bartizan"),
    ]
