from __future__ import annotations

import pytest

from collectors.aws import dynamodb
from tests.collectors.aws.answers import given


def test_tables(boto, look):
    client = boto("dynamodb")
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    common = {
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    }
    client.create_table(
        TableName="features",
        SSESpecification={"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": key},
        Tags=[{"Key": "Zone", "Value": "data"}],
        **common,
    )
    client.create_table(TableName="sessions", **common)

    seen = look(*dynamodb.TABLES)

    assert seen.failed() == []
    table = seen.named("features")
    assert (table.id, table.tags, table.gaps) == ("arn:aws:dynamodb:us-east-1:123456789012:table/features", {"Zone": "data"}, {})
    assert table.facts == {
        "store_type": "database",
        "engine": "dynamodb",
        "encrypted": True,
        "key_id": key,
        "key_selectable": True,
        "policy_statements": [],
    }
    # no description of the encryption means the service's own key, not none
    assert (seen.named("sessions").facts["encrypted"], seen.named("sessions").facts["key_id"]) == (True, "")


@pytest.mark.parametrize(
    ("description", "key"),
    [
        ({"Status": "ENABLED", "SSEType": "KMS"}, "k"),
        ({"Status": "UPDATING", "SSEType": "KMS"}, "k"),
        ({"Status": "DISABLING", "SSEType": "KMS"}, ""),
        ({"Status": "DISABLED", "SSEType": "KMS"}, ""),
        ({"Status": "ENABLED", "SSEType": "AES256"}, ""),
    ],
)
def test_a_key_counts_while_it_encrypts(description, key):
    named = "arn:aws:kms:us-east-1:123456789012:key/k"
    table = "arn:aws:dynamodb:us-east-1:123456789012:table/t"
    answers = {
        "dynamodb:list_tables": {"TableNames": ["t"]},
        "dynamodb:describe_table": {
            "Table": {"TableName": "t", "TableArn": table, "SSEDescription": {**description, "KMSMasterKeyArn": named}}
        },
        "dynamodb:get_resource_policy": "PolicyNotFoundException",
        "dynamodb:list_tags_of_resource": {"Tags": []},
    }
    (found,) = given(*dynamodb.TABLES, answers=answers).resources
    assert found.facts["key_id"] == (named if key else "")
