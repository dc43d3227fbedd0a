from __future__ import annotations

import pytest

from collectors.aws import kafka
from scanner.model import Reason
from tests.collectors.aws.answers import given

ARN = "arn:aws:kafka:us-east-1:123456789012:cluster/c/1"
KEY = "arn:aws:kms:us-east-1:123456789012:key/k"
ON, OFF = {"Enabled": True}, {"Enabled": False}


def one(kind="PROVISIONED", **provisioned):
    cluster = {"ClusterArn": ARN, "ClusterName": "c", "ClusterType": kind, "State": "ACTIVE", "Tags": {"Zone": "data"}}
    if kind == "PROVISIONED":
        cluster["Provisioned"] = provisioned
    (found,) = given(*kafka.TABLES, answers={"kafka:list_clusters_v2": {"ClusterInfoList": [cluster]}}).resources
    return found


@pytest.mark.parametrize(
    ("ways", "anonymous"),
    [
        # https://docs.aws.amazon.com/msk/1.0/apireference/clusters-clusterarn.html: nothing that asks lets everyone in
        (None, True),
        ({}, True),
        ({"Sasl": {"Iam": OFF, "Scram": OFF}, "Tls": OFF}, True),
        ({"Sasl": {"Iam": ON}}, False),
        ({"Sasl": {"Scram": ON}}, False),
        ({"Tls": {"CertificateAuthorityArnList": ["arn:ca"]}}, False),
        ({"Tls": {"CertificateAuthorityArnList": ["arn:ca"], "Enabled": False}}, True),
        ({"Sasl": {"Iam": ON}, "Unauthenticated": ON}, True),
        ({"Sasl": {"Iam": ON}, "Unauthenticated": OFF}, False),
    ],
)
def test_who_may_connect(ways, anonymous):
    assert kafka.anonymous("PROVISIONED", ways) is anonymous
    assert kafka.anonymous("SERVERLESS", ways) is False


@pytest.mark.parametrize(("mode", "required"), [("TLS", True), ("TLS_PLAINTEXT", False), ("PLAINTEXT", False)])
def test_both_is_clear_text(mode, required):
    assert one(EncryptionInfo={"EncryptionInTransit": {"ClientBroker": mode}}).facts["tls_required"] is required


def test_an_answer_that_does_not_say_is_unknown():
    found = one()
    assert found.gaps["tls_required"].reason is Reason.UNPARSABLE
    assert (found.facts["internal_tls"], found.facts["internet_facing"]) == (True, False)


def test_a_whole_cluster():
    found = one(
        BrokerNodeGroupInfo={
            "ClientSubnets": ["subnet-1"],
            "SecurityGroups": ["sg-1"],
            "ConnectivityInfo": {"PublicAccess": {"Type": "SERVICE_PROVIDED_EIPS"}},
        },
        EncryptionInfo={
            "EncryptionAtRest": {"DataVolumeKMSKeyId": KEY},
            "EncryptionInTransit": {"ClientBroker": "TLS", "InCluster": False},
        },
        ClientAuthentication={"Sasl": {"Iam": ON}},
    )
    assert (found.id, found.tags, found.gaps) == (ARN, {"Zone": "data"}, {})
    assert found.facts == {
        "store_type": "stream",
        "engine": "kafka",
        "serverless": False,
        "encrypted": True,
        "key_id": KEY,
        "key_selectable": True,
        "internet_facing": True,
        "anonymous_access": False,
        "tls_required": True,
        "internal_tls": False,
        "subnet_ids": ["arn:aws:ec2:us-east-1:123456789012:subnet/subnet-1"],
        "firewall_ids": ["arn:aws:ec2:us-east-1:123456789012:security-group/sg-1"],
    }


def test_serverless():
    facts = one("SERVERLESS").facts
    assert (facts["serverless"], facts["key_selectable"], facts["tls_required"], facts["anonymous_access"]) == (
        True,
        False,
        True,
        False,
    )


def test_against_moto(boto, look):
    client = boto("kafka")
    client.create_cluster(
        ClusterName="ingest",
        KafkaVersion="3.6.0",
        NumberOfBrokerNodes=1,
        BrokerNodeGroupInfo={"ClientSubnets": ["subnet-1"], "InstanceType": "kafka.m5.large"},
        EncryptionInfo={"EncryptionInTransit": {"ClientBroker": "TLS_PLAINTEXT", "InCluster": True}},
    )
    client.create_cluster_v2(ClusterName="events", Serverless={"VpcConfigs": [{"SubnetIds": ["subnet-1"]}]})
    seen = look(*kafka.TABLES)
    assert seen.failed() == []
    assert (seen.named("ingest").facts["tls_required"], seen.named("ingest").facts["anonymous_access"]) == (False, True)
    assert seen.named("events").facts["serverless"] is True
