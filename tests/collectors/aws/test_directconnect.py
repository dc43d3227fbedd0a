from __future__ import annotations

import pytest

from collectors.aws import directconnect
from collectors.project import Parts, read
from collectors.table import MISSING

UP, DOWN = "Encryption Up", "Encryption Down"


@pytest.mark.parametrize(
    ("capable", "mode", "expected"),
    [
        (True, "must_encrypt", "must_encrypt"),
        (True, "should_encrypt", "should_encrypt"),
        (True, "no_encrypt", "no_encrypt"),
        (None, None, "no_encrypt"),
        (False, None, "no_encrypt"),
        (True, None, "unknown"),
        # https://github.com/hashicorp/terraform-provider-aws/issues/37907
        (True, "unknown", "unknown"),
    ],
)
def test_encryption_mode(capable, mode, expected):
    assert directconnect.encryption_mode(capable, mode) == expected


@pytest.mark.parametrize(
    ("capable", "status", "expected"),
    [(True, UP, True), (True, DOWN, False), (False, None, False), (None, None, False), (True, None, MISSING), (None, UP, True)],
)
def test_connection_up(capable, status, expected):
    assert directconnect.connection_up(capable, status) is expected


def test_a_state_that_aws_does_not_know_either():
    assert directconnect.state("available") == "available"
    assert directconnect.state("unknown") is MISSING


def test_another_word_than_the_documented_ones_is_not_read():
    with pytest.raises(KeyError):
        directconnect.up("Encryption Pending")


@pytest.mark.parametrize(
    ("members", "expected"), [([UP, UP], True), ([UP, DOWN], False), ([UP, None], MISSING), ([DOWN, None], False), ([], MISSING)]
)
def test_a_bundle_is_up_where_all_members_are(members, expected):
    assert directconnect.bundle_up([{"macSecCapable": True, "portEncryptionStatus": m} for m in members]) is expected


def test_only_associated_keys_live():
    states = ("associating", "associated", "disassociating", "disassociated")
    assert directconnect.live_keys([{"state": s} for s in states]) == 1


def test_circuits_and_bundles(boto, look):
    client = boto("directconnect")
    wide = client.create_connection(location="EqDC2", bandwidth="10Gbps", connectionName="train", requestMACSec=True)
    client.associate_mac_sec_key(connectionId=wide["connectionId"], ckn="aa" * 32, cak="bb" * 32)
    narrow = client.create_connection(location="EqDC2", bandwidth="1Gbps", connectionName="old", requestMACSec=False)
    bundle = client.create_lag(
        numberOfConnections=1, location="EqDC2", connectionsBandwidth="10Gbps", lagName="pair", requestMACSec=True
    )

    seen = look(*directconnect.TABLES)

    assert seen.failed() == []
    link = seen.named("train")
    assert (link.id, link.gaps) == (wide["connectionId"], {})  # moto's ids are ARNs already, AWS' are not
    assert link.facts == {
        "link_type": "circuit",
        "state": "available",
        "macsec_capable": True,
        "encryption_mode": "must_encrypt",
        "encryption_up": False,  # moto never says up
        "macsec_keys": 2,  # moto makes one by itself
        "bundle_id": "",
        "bandwidth": "10Gbps",
    }
    old = seen.named(narrow["connectionId"]).facts
    assert (old["macsec_capable"], old["encryption_mode"], old["macsec_keys"]) == (False, "no_encrypt", 0)
    pair = seen.named("pair")
    assert pair.id in (bundle["lagId"], f"arn:aws:directconnect:us-east-1:123456789012:dxlag/{bundle['lagId']}")
    assert (pair.facts["link_type"], pair.facts["encryption_mode"], pair.facts["bandwidth"]) == ("bundle", "must_encrypt", "10Gbps")
    assert "aa" * 32 not in str(seen.answers)
    assert "bb" * 32 not in str(seen.answers)


def test_bare_ids_become_arns():
    row = {"context": {"partition": "aws", "region": "r", "account": "1"}, "item": {"connectionId": "dxcon-1", "lagId": "dxlag-1"}}
    assert read(directconnect.CONNECTIONS.id, Parts(row)) == ("arn:aws:directconnect:r:1:dxcon/dxcon-1", None)
    assert read(directconnect.CONNECTIONS.facts["bundle_id"], Parts(row)) == ("arn:aws:directconnect:r:1:dxlag/dxlag-1", None)
    assert read(directconnect.BUNDLES.id, Parts(row)) == ("arn:aws:directconnect:r:1:dxlag/dxlag-1", None)
