from __future__ import annotations

import json

from collectors.aws import glue
from tests.collectors.aws.answers import given

KEY = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"


def test_a_catalogue_that_nobody_touched_is_a_fact(look):
    seen = look(glue.CATALOGUES, regions=("us-east-1", "eu-west-1"))
    assert seen.failed() == []
    assert seen.ids() == ["arn:aws:glue:eu-west-1:123456789012:catalog", "arn:aws:glue:us-east-1:123456789012:catalog"]
    assert seen.resources[0].facts == {
        "catalogue_used": False,
        "encrypted": False,
        "key_id": "",
        "password_encrypted": False,
        "password_key_id": "",
        "policy_statements": [],
    }


def test_catalogue(boto, look):
    client = boto("glue")
    client.create_database(DatabaseInput={"Name": "datasets"})
    client.put_data_catalog_encryption_settings(
        DataCatalogEncryptionSettings={
            "EncryptionAtRest": {"CatalogEncryptionMode": "SSE-KMS-WITH-SERVICE-ROLE", "SseAwsKmsKeyId": KEY},
            "ConnectionPasswordEncryption": {"ReturnConnectionPasswordEncrypted": True, "AwsKmsKeyId": "alias/glue"},
        }
    )
    policy = {"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "glue:*", "Resource": "*"}]}
    client.put_resource_policy(PolicyInJson=json.dumps(policy))
    seen = look(glue.CATALOGUES)
    assert seen.failed() == []
    (catalogue,) = seen.resources
    assert catalogue.gaps == {}
    statements = catalogue.facts["policy_statements"]
    assert statements[0]["principals"] == ["*"]
    assert {k: v for k, v in catalogue.facts.items() if k != "policy_statements"} == {
        "catalogue_used": True,
        "encrypted": True,
        "key_id": KEY,
        "password_encrypted": True,
        "password_key_id": "arn:aws:kms:us-east-1:123456789012:alias/glue",
    }


def test_no_policy_is_an_answer_and_a_refusal_is_not():
    answers = {
        "glue:get_data_catalog_encryption_settings": {"DataCatalogEncryptionSettings": {}},
        "glue:get_databases": "AccessDeniedException",
        "glue:get_resource_policy": "EntityNotFoundException",
    }
    (catalogue,) = given(glue.CATALOGUES, answers=answers).resources
    assert catalogue.facts["policy_statements"] == []
    assert catalogue.facts["encrypted"] is False
    assert catalogue.gaps["catalogue_used"].reason == "denied"

    denied = {**answers, "glue:get_data_catalog_encryption_settings": "AccessDeniedException"}
    seen = given(glue.CATALOGUES, answers=denied)
    assert (seen.resources, seen.coverages[0].extent) == ([], "absent")
