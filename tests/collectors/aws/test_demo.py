from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collectors.aws.demo import CREDENTIALS, fill, start
from scanner.model import BartizanError
from tests.conftest import ROOT

pytestmark = pytest.mark.xdist_group("cloud")
ESTATE = ROOT / "fixtures" / "estates" / "ai_factory"


def client(endpoint: str, service: str, region: str = "us-east-1") -> Any:
    import boto3
    from botocore.config import Config

    return boto3.client(service, region, endpoint_url=endpoint, config=Config(retries={"total_max_attempts": 1}), **CREDENTIALS)


def refusal(call: Any, **arguments: Any) -> tuple[str, str]:
    from botocore.exceptions import ClientError

    with pytest.raises(ClientError) as caught:
        call(**arguments)
    error = caught.value.response["Error"]
    return error["Code"], error["Message"]


@pytest.fixture(scope="module")
def cloud() -> Iterator[str]:
    endpoint, stop = start(ESTATE)
    yield endpoint
    stop()


def key(cloud: str, name: str) -> str:
    aliases = client(cloud, "kms").list_aliases()["Aliases"]
    return str(next(a["TargetKeyId"] for a in aliases if a["AliasName"] == f"alias/{name}"))


def test_things_are_right_and_wrong(cloud: str) -> None:
    kms = client(cloud, "kms")
    assert kms.get_key_rotation_status(KeyId=key(cloud, "training-data"))["KeyRotationEnabled"]
    assert not kms.get_key_rotation_status(KeyId=key(cloud, "models"))["KeyRotationEnabled"]
    nodes = [i for r in client(cloud, "ec2").describe_instances()["Reservations"] for i in r["Instances"]]
    efa = {i["InstanceType"]: i["NetworkInterfaces"][0].get("InterfaceType") for i in nodes}
    assert efa == {"p5.48xlarge": "efa", "p4d.24xlarge": "efa", "g5.12xlarge": "interface", "t3.micro": "interface"}
    ages = {}
    iam = client(cloud, "iam")
    for user in iam.list_users()["Users"]:
        for found in iam.list_access_keys(UserName=user["UserName"])["AccessKeyMetadata"]:
            ages[user["UserName"], found["Status"]] = (time.time() - found["CreateDate"].timestamp()) // 86400
    assert ages == {
        ("ci-legacy", "Active"): 611, ("ci-legacy", "Inactive"): 0, ("grace", "Active"): 120, ("labelling-export", "Active"): 30,
    }  # fmt: skip
    links = client(cloud, "directconnect").describe_connections()["connections"]
    assert {c["connectionId"]: c["encryptionMode"] for c in links if "lab" in c["connectionId"]} == {
        "dxcon-fg1lab01": "must_encrypt",
        "dxcon-fg1lab02": "no_encrypt",
    }


def test_things_cannot_be_seen(cloud: str) -> None:
    kms, sealed = client(cloud, "kms"), key(cloud, "sealed")
    assert refusal(kms.get_key_policy, KeyId=sealed, PolicyName="default")[0] == "AccessDeniedException"
    assert refusal(kms.get_key_rotation_status, KeyId=sealed)[1].endswith("kms:GetKeyRotationStatus")
    assert kms.get_key_policy(KeyId=key(cloud, "models"), PolicyName="default")["Policy"]
    s3 = client(cloud, "s3")
    assert refusal(s3.get_bucket_policy, Bucket="aif-sealed-embeddings") == (
        "AccessDenied",
        "You are not authorized to perform: s3:GetBucketPolicy",
    )
    assert s3.get_bucket_policy(Bucket="aif-checkpoints")["Policy"]
    # CBOR and JSON, in one region only
    assert refusal(client(cloud, "directconnect", "eu-west-1").describe_lags)[0] == "AccessDeniedException"
    assert client(cloud, "directconnect").describe_lags()["lags"]
    assert refusal(client(cloud, "sagemaker", "eu-west-1").list_notebook_instances)[0] == "AccessDeniedException"


def test_what_moto_lacks_is_told_at_once(cloud: str) -> None:
    code, said = refusal(client(cloud, "ec2").describe_ipams)
    assert code == "UnknownOperation"
    assert "demo cloud" in said


def test_ids_come_out_the_same(cloud: str) -> None:
    # expected/ and the README name them
    names = {
        i for r in client(cloud, "ec2").describe_instances()["Reservations"] for i in (x["InstanceId"] for x in r["Instances"])
    }
    again, stop = start(ESTATE)
    try:
        assert names == {x["InstanceId"] for r in client(again, "ec2").describe_instances()["Reservations"] for x in r["Instances"]}
        assert key(again, "models") == key(cloud, "models")
    finally:
        stop()


def test_the_cluster_names_keys_of_the_account(cloud: str) -> None:
    named = set(re.findall(r"kmsKeyId: \S+/(\S+)", (ESTATE / "manifests" / "storage.yaml").read_text()))
    assert named == {key(cloud, "volumes"), key(cloud, "training-data")}


PARENT = """
import os, subprocess, sys
from pathlib import Path
from collectors.aws import demo

class Popen(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        print(self.pid, flush=True)

subprocess.Popen = Popen
demo.start(Path(sys.argv[1]))
os._exit(9)
"""


def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    (tmp_path / "aws").mkdir()
    (tmp_path / "aws" / "account.json").write_text(json.dumps({"account": "123456789012", "regions": ["us-east-1"], "calls": []}))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.run(
        [sys.executable, "-c", PARENT, str(tmp_path)], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert parent.returncode == 9, parent.stderr
    status = Path("/proc", parent.stdout.strip(), "status")
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc here")
    deadline = time.monotonic() + 20
    while status.exists() and "State:\tZ" not in status.read_text():
        assert time.monotonic() < deadline, "the demo cloud outlived the process that started it"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        ("{", "JSONDecodeError"),
        ("{}", "KeyError"),
        (json.dumps({"account": "1", "regions": ["us-east-1"], "calls": [{"service": "kms", "operation": "no_such"}]}), "AttributeError"),
        (json.dumps({"account": "1", "regions": ["us-east-1"], "calls": [{"service": "s3", "operation": "get_bucket_acl", "params": {"Bucket": "none"}}]}), "NoSuchBucket"),
        (json.dumps({"account": "1", "regions": ["us-east-1"], "calls": [{"service": "s3", "operation": "x", "params": {"Bucket": "${gone}"}}]}), "gone"),
    ],
)  # fmt: skip
def test_a_bad_estate_is_told(tmp_path: Path, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / "aws").mkdir()
        (tmp_path / "aws" / "account.json").write_text(content)
    with pytest.raises(BartizanError, match=said):
        start(tmp_path)


def test_without_moto_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "moto" else object())
    with pytest.raises(BartizanError, match=r"needs moto.*pip install"):
        start(ESTATE)


def test_fill() -> None:
    assert fill({"a": ["${x}-${y}", 1, True], "b": {"c": "$${not}"}}, {"x": "1", "y": "2"}) == {
        "a": ["1-2", 1, True],
        "b": {"c": "${not}"},
    }
