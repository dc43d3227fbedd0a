"""A real collection of a real process, killed in the middle, and continued."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import boto3
import pytest

from collectors.aws.demo import CREDENTIALS, start
from scanner.asked import UNASKED
from scanner.cli import run
from scanner.model import Extent
from scanner.snapshot import Snapshot

KEYS = 60
ONLY = ["--rule", "encryption.cmk_rotation", "--regions", "us-east-1"]


@pytest.fixture
def account(moto_server, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto_server)
    kms = boto3.client("kms", region_name="us-east-1", endpoint_url=moto_server)
    for _ in range(KEYS):
        kms.create_key()
    return moto_server


def test_killed_and_resumed(account, root, tmp_path, capsys):
    path = tmp_path / "s"
    command = [sys.executable, "-m", "scanner", "collect", "aws", "--snapshot", str(path), "--max-rate", "8", *ONLY]
    child = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(root), "AWS_ENDPOINT_URL": account}, stdout=subprocess.DEVNULL
    )
    wal = path.with_name("s-wal")
    end = time.monotonic() + 30
    while time.monotonic() < end and not (wal.exists() and wal.stat().st_size > 400_000):
        time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL, "it had ended before it was killed"
    with Snapshot.open(path) as snapshot:
        assert snapshot.size()[1] > 10, "nothing was kept of what was asked"
        assert any(row.extent is not Extent.COMPLETE for row in snapshot.listings())
    assert run(["evaluate", str(path), "--rule", "encryption.cmk_rotation", "--fail-on", "none"]) == 4
    assert "interrupted" in capsys.readouterr().out
    assert run(["collect", "aws", "--snapshot", str(path), "--resume", *ONLY]) == 0
    with Snapshot.open(path) as snapshot:
        assert snapshot.verify() == []
        assert len(list(snapshot.resources("key"))) >= KEYS
        assert all(row.extent is Extent.COMPLETE for row in snapshot.listings() if row.gap != UNASKED)


def test_resume_does_not_ask_again_for_what_is_complete(account, tmp_path, capsys):
    path = tmp_path / "s"
    assert run(["collect", "aws", "--snapshot", str(path), *ONLY]) == 0
    with Snapshot.open(path) as snapshot:
        before = snapshot.size()
    boto3.client("kms", region_name="us-east-1", endpoint_url=account).create_key()
    assert run(["collect", "aws", "--snapshot", str(path), "--resume", *ONLY]) == 0
    with Snapshot.open(path) as snapshot:
        assert snapshot.size() == before


def test_resume_asks_again_for_what_was_asked_in_part(account, tmp_path, capsys):
    """A listing that is complete for one rule's facts is none for another's."""
    path = tmp_path / "s"
    assert run(["collect", "aws", "--snapshot", str(path), *ONLY]) == 0
    more = ["--rule", "encryption.cmk_rotation", "--rule", "encryption.cmk_policy_scope", "--regions", "us-east-1"]
    assert run(["evaluate", str(path), "--rule", "encryption.cmk_policy_scope", "--fail-on", "none"]) == 4
    assert "not asked for" in capsys.readouterr().out
    assert run(["collect", "aws", "--snapshot", str(path), "--resume", *more]) == 0
    with Snapshot.open(path) as snapshot:
        assert all({"rotation_enabled", "policy_statements"} <= r.facts.keys() for r in snapshot.resources("key"))
    assert run(["evaluate", str(path), "--rule", "encryption.cmk_policy_scope", "--fail-on", "none"]) == 0


def test_types_that_nobody_asked_for_are_unknown_later(account, tmp_path, capsys):
    path = tmp_path / "s"
    assert run(["collect", "aws", "--snapshot", str(path), *ONLY]) == 0
    assert run(["evaluate", str(path), "--rule", "exposure.store_public"]) == 4
    assert "not asked for: no rule of the collection needed it" in capsys.readouterr().out


def test_ctrl_c_stops_at_once_and_keeps_what_was_seen(account, root, tmp_path):
    path = tmp_path / "s"
    command = [sys.executable, "-m", "scanner", "collect", "aws", "--snapshot", str(path), "--max-rate", "2", *ONLY]
    env = {**os.environ, "PYTHONPATH": str(root), "AWS_ENDPOINT_URL": account}
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        child = subprocess.Popen(
            [*command, *(["--resume"] if path.exists() else [])],
            env=env,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - in the background a suite ignores Ctrl-C
        )
        time.sleep(4)
        child.send_signal(number)
        began = time.monotonic()
        _, said = child.communicate(timeout=20)
        assert (child.returncode, time.monotonic() - began < 8) == (code, True), said
        assert "continue it with --resume" in said
        assert not path.with_name("s-wal").exists()
    with Snapshot.open(path) as snapshot:
        assert snapshot.size()[1] > 5
        assert snapshot.state == "collecting"


def test_preflight_names_what_is_missing(root, capsys, monkeypatch):
    endpoint, stop = start(root / "fixtures" / "estates" / "ai_factory")
    try:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", CREDENTIALS["aws_access_key_id"])
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", CREDENTIALS["aws_secret_access_key"])
        code = run(["preflight", "aws", "--regions", "us-east-1,eu-west-1", "--domain", "transit", "--domain", "exposure"])
    finally:
        stop()
    said = capsys.readouterr().out
    assert code == 4
    assert "Allow sagemaker:ListNotebookInstances" in said
    assert "unknown then: exposure.notebook_internet" in said


def test_least_privilege_is_of_the_chosen_rules(capsys):
    assert run(["permissions", "aws", "--rule", "encryption.cmk_rotation"]) == 0
    policy = json.loads(capsys.readouterr().out)
    assert policy["Statement"][0]["Action"] == [
        "ec2:DescribeRegions", "kms:DescribeKey", "kms:GetKeyRotationStatus", "kms:ListAliases", "kms:ListKeys", "tag:GetResources",
    ]  # fmt: skip
