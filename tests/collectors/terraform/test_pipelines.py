"""The plan tables of queues, topics, search, vectors, logs, secrets, certificates and the edge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.plan import read_plan
from scanner.model import Resource
from tests.collectors.terraform.conftest import Maker

TYPES = Path(__file__).resolve().parents[3] / "fixtures" / "plans" / "types"


def planted(name: str) -> dict[str, Resource]:
    return {r.id.removeprefix("plan/aws_"): r for r in read_plan(next(TYPES.glob(f"*-{name}")) / "plan.json").resources}


DATA = "plan/aws_kms_key.data"


@pytest.mark.parametrize(
    ("name", "address", "facts"),
    [
        ("datastores", "sqs_queue.good", {"encrypted": True, "key_id": DATA, "policy_statements": []}),
        ("datastores", "sqs_queue.bad", {"encrypted": False, "key_id": ""}),
        ("datastores", "sqs_queue.managed", {"encrypted": True, "key_id": "alias/aws/sqs"}),
        ("datastores", "sns_topic.good", {"encrypted": True, "key_id": DATA}),
        ("datastores", "sns_topic.bad", {"encrypted": False, "key_id": ""}),
        ("datastores", "kinesis_stream.good", {"encrypted": True, "key_id": DATA}),
        ("datastores", "kinesis_stream.bad", {"encrypted": False, "key_id": ""}),
        (
            "datastores",
            "opensearch_domain.good",
            {
                "encrypted": True,
                "key_id": DATA,
                "internet_facing": False,
                "fine_grained_access": True,
                "policy_statements": [],
                "tls_required": True,
                "tls_versions": ["1.2", "1.3"],
                "internal_tls": True,
            },
        ),
        (
            "datastores",
            "opensearch_domain.bad",
            {
                "encrypted": False,
                "internet_facing": True,
                "fine_grained_access": False,
                "tls_required": False,
                "tls_versions": ["1.0", "1.1", "1.2"],
                "internal_tls": False,
            },
        ),
        ("datastores", "opensearchserverless_security_policy.net_bad", {"aws.policy_type": "network"}),
        (
            "datastores",
            "glue_data_catalog_encryption_settings.bad",
            {"encrypted": False, "key_id": "", "password_encrypted": False, "password_key_id": ""},
        ),
        (
            "keys-secrets",
            "secretsmanager_secret.good",
            {"key_id": "plan/aws_kms_key.good", "rotation_enabled": True, "rotation_days": 30, "last_rotated": "never"},
        ),
        ("keys-secrets", "secretsmanager_secret.bad", {"key_id": "", "rotation_enabled": False, "rotation_days": 0}),
        ("keys-secrets", "secretsmanager_secret.dead_key", {"rotation_enabled": True, "rotation_days": 365}),
        ("ml", "cloudwatch_log_group.bedrock", {"key_id": "", "invocation_log": True}),
        (
            "audit",
            "cloudwatch_log_group.good",
            {"key_id": "plan/aws_kms_key.logs", "log_group_name": "/aws/sagemaker/TrainingJobs"},
        ),
        ("audit", "cloudwatch_log_group.bad", {"key_id": "", "invocation_log": False, "log_group_name": "/aws/eks/robin/cluster"}),
        ("edge", "acm_certificate.good", {"renewal": "automatic"}),
        ("edge", "api_gateway_domain_name.good", {"tls_versions": ["1.2", "1.3"]}),
        ("edge", "api_gateway_domain_name.bad", {"tls_versions": ["1.0", "1.1", "1.2", "1.3"]}),
        ("edge", "apigatewayv2_domain_name.good", {"tls_versions": ["1.2", "1.3"], "tls_policy": "TLS_1_2"}),
        (
            "edge",
            "cloudfront_distribution.good",
            {
                "tls_versions": ["1.2", "1.3"],
                "tls_weak_ciphers": [],
                "clear_paths": [],
                "clear_origins": [],
                "origin_tls_versions": ["1.2"],
            },
        ),
        (
            "edge",
            "cloudfront_distribution.bad",
            {"tls_policy": "TLSv1", "clear_paths": ["/models/*"], "clear_origins": ["o"], "origin_tls_versions": []},
        ),
    ],
)
def test_planted(name: str, address: str, facts: dict[str, Any]) -> None:
    found = planted(name)[address]
    assert {n: found.facts.get(n) for n in facts} == facts
    assert not set(facts) & set(found.gaps)


def test_policies_of_recorded_plans_and_distributions_are_in_no_region() -> None:
    stores = planted("datastores")
    for address in ("opensearch_domain.bad", "glue_data_catalog_encryption_settings.bad"):
        assert stores[address].facts["policy_statements"][0]["principals"] == ["*"]
    assert stores["opensearchserverless_security_policy.net_bad"].facts["aws.policy_rules"][0]["public"] is True
    assert planted("keys-secrets")["secretsmanager_secret.bad"].facts["policy_statements"][0]["principals"] == ["*"]
    assert planted("edge")["cloudfront_distribution.good"].region == "global"


def test_an_encryption_policy_that_is_not_known_yet_leaves_the_key_of_every_collection_unknown() -> None:
    stores = planted("datastores")
    for name in ("good", "bad"):
        assert stores[f"opensearchserverless_collection.{name}"].gaps["key_id"].reason == "known_after_apply"


ACCESS = "aws_opensearchserverless_security_policy"
KEY = "arn:aws:kms:us-east-1:123456789012:key/k"


def encryption(resource: str, **key: Any) -> str:
    return json.dumps({"Rules": [{"ResourceType": "collection", "Resource": [resource]}], **key})


@pytest.mark.parametrize(
    ("policy", "key"),
    [
        (encryption("collection/docs", AWSOwnedKey=False, KmsARN=KEY), KEY),
        (encryption("collection/docs", AWSOwnedKey=True), ""),
        (encryption("collection/d*", AWSOwnedKey=True), None),
        (encryption("collection/other", AWSOwnedKey=True), None),
    ],
)
def test_the_key_of_a_collection_is_told_by_the_policy_that_names_it(make: Maker, policy: str, key: str | None) -> None:
    make.add(
        "aws_opensearchserverless_collection.docs", sets={"name": "docs", "type": "VECTORSEARCH"}, late=("arn", "id", "kms_key_arn")
    )
    make.add(f"{ACCESS}.enc", sets={"name": "enc", "type": "encryption", "policy": policy}, late=("id",))
    network = json.dumps([{"Rules": [{"ResourceType": "collection", "Resource": ["collection/docs"]}], "AllowFromPublic": False}])
    make.add(f"{ACCESS}.net", sets={"name": "net", "type": "network", "policy": network}, late=("id",))
    made = make.one("aws_opensearchserverless_collection.docs")
    assert made.facts.get("key_id") == key
    assert ("key_id" in made.gaps) is (key is None)
    assert [r.id for r in make.read().resources if r.kind == "account"] == [f"plan/{ACCESS}.net"], "an encryption policy is none"


def test_data_access_policies(make: Maker) -> None:
    policy = json.dumps(
        [{"Rules": [{"ResourceType": "index", "Resource": ["index/docs/*"], "Permission": ["aoss:*"]}], "Principal": ["*"]}]
    )
    make.add("aws_opensearchserverless_access_policy.all", sets={"name": "all", "type": "data", "policy": policy}, late=("id",))
    made = make.one("aws_opensearchserverless_access_policy.all")
    assert (made.native_type, made.facts["aws.policy_type"]) == ("AWS::OpenSearchServerless::AccessPolicy", "data")
    assert made.facts["aws.policy_rules"][0]["principals"] == ["*"]


def test_vector_buckets_and_indexes(make: Maker) -> None:
    """Version 5 of the provider has none of these types: https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/s3vectors_vector_bucket"""
    kms = [{"sse_type": "aws:kms", "kms_key_arn": KEY}]
    make.add(
        "aws_s3vectors_vector_bucket.good",
        sets={"vector_bucket_name": "good"},
        after={"encryption_configuration": kms},
        late=("vector_bucket_arn",),
    )
    make.add(
        "aws_s3vectors_vector_bucket.plain",
        sets={"vector_bucket_name": "plain"},
        late=("vector_bucket_arn", "encryption_configuration"),
    )
    make.add(
        "aws_s3vectors_index.follows",
        sets={"index_name": "follows", "vector_bucket_name": ["aws_s3vectors_vector_bucket.good.vector_bucket_name"]},
        late=("index_arn", "encryption_configuration"),
    )
    make.add(
        "aws_s3vectors_index.own",
        sets={"index_name": "own", "vector_bucket_name": "good"},
        after={"encryption_configuration": [{"sse_type": "AES256", "kms_key_arn": None}]},
        late=("index_arn",),
    )
    policy = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3vectors:*", "Resource": "*"}]}
    make.add(
        "aws_s3vectors_vector_bucket_policy.open",
        sets={"policy": json.dumps(policy), "vector_bucket_arn": ["aws_s3vectors_vector_bucket.plain.vector_bucket_arn"]},
    )
    good, plain = make.one("aws_s3vectors_vector_bucket.good"), make.one("aws_s3vectors_vector_bucket.plain")
    assert (good.name, good.facts["key_id"], good.facts["policy_statements"]) == ("good", KEY, [])
    assert plain.facts["key_id"] == ""
    assert plain.facts["policy_statements"][0]["principals"] == ["*"]
    assert make.one("aws_s3vectors_index.follows").facts["key_id"] == KEY
    assert make.one("aws_s3vectors_index.own").facts["key_id"] == ""


def test_a_domain_in_a_network_that_is_not_known_yet_is_in_a_network(make: Maker) -> None:
    make.document["configuration"]["root_module"] = {}
    make.add("aws_opensearch_domain.d", sets={"domain_name": "d"}, after={"vpc_options": [{}]})
    make.document["resource_changes"][-1]["change"]["after_unknown"]["vpc_options"] = [{"subnet_ids": True}]
    assert make.one("aws_opensearch_domain.d").facts["internet_facing"] is False


def test_a_block_that_is_not_known_yet_is_no_default(make: Maker) -> None:
    make.add("aws_opensearch_domain.d", sets={"domain_name": "d", "vpc_options": ["var.network"]})
    assert make.one("aws_opensearch_domain.d").gaps["internet_facing"].reason == "known_after_apply"


def test_policies_of_their_own_and_queues_that_exist_already(make: Maker) -> None:
    policy = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sqs:*", "Resource": "*"}]}
    make.add("aws_sqs_queue.new", sets={"name": "new"}, late=("url", "id", "arn", "policy", "sqs_managed_sse_enabled"))
    make.add("aws_sqs_queue_policy.new", sets={"policy": json.dumps(policy), "queue_url": ["aws_sqs_queue.new.id"]})
    make.add(
        "aws_sqs_queue.old", after={"name": "old", "sqs_managed_sse_enabled": None}, before={"name": "old"}, actions=("update",)
    )
    new, old = make.one("aws_sqs_queue.new"), make.one("aws_sqs_queue.old")
    assert new.facts["policy_statements"][0]["principals"] == ["*"]
    assert (new.facts["encrypted"], new.facts["key_id"]) == (True, ""), "SQS encrypts new queues by itself"
    assert {"encrypted", "policy_statements"} <= set(old.gaps)


def test_a_log_group_whose_name_is_not_known_yet(make: Maker) -> None:
    make.add("aws_cloudwatch_log_group.g", sets={"name": ["var.name"]}, late=("arn",))
    assert make.one("aws_cloudwatch_log_group.g").gaps["log_group_name"].reason == "known_after_apply"


@pytest.mark.parametrize(
    "config",
    [{"cloudwatch_config": {"log_group_name": "prompts"}}, [{"cloudwatch_config": [{"log_group_name": "prompts"}]}]],
    ids=["provider 5", "provider 6"],
)
def test_the_group_of_invocation_logs(make: Maker, config: Any) -> None:
    make.add("aws_cloudwatch_log_group.prompts", sets={"name": "prompts"}, late=("arn",))
    make.add("aws_cloudwatch_log_group.other", sets={"name": "other"}, late=("arn",))
    make.add("aws_bedrock_model_invocation_logging_configuration.l", after={"logging_config": config}, late=("id",))
    assert make.one("aws_cloudwatch_log_group.prompts").facts["invocation_log"] is True
    assert make.one("aws_cloudwatch_log_group.other").facts["invocation_log"] is False


def test_an_imported_certificate_is_renewed_by_hand(make: Maker) -> None:
    make.add(
        "aws_acm_certificate.c",
        sets={"certificate_body": "-----BEGIN CERTIFICATE-----"},
        late=("arn", "not_after", "renewal_summary"),
    )
    assert make.one("aws_acm_certificate.c").facts["renewal"] == "manual"
    make.add("aws_iam_server_certificate.s", sets={"name": "s"}, late=("arn", "expiration", "upload_date"))
    made = make.one("aws_iam_server_certificate.s")
    assert (made.region, made.facts) == ("global", {"credential_type": "certificate", "renewal": "manual"})


def test_a_domain_name_without_a_security_policy(make: Maker) -> None:
    make.add(
        "aws_api_gateway_domain_name.edge",
        sets={"domain_name": "a.example.com"},
        late=("arn", "security_policy", "endpoint_configuration"),
    )
    made = make.one("aws_api_gateway_domain_name.edge")
    assert made.facts["tls_versions"] == ["1.0", "1.1", "1.2", "1.3"]
    make.add(
        "aws_api_gateway_domain_name.regional",
        sets={"domain_name": "b.example.com"},
        after={"endpoint_configuration": [{"types": ["REGIONAL"]}]},
        late=("arn", "security_policy"),
    )
    assert "tls_versions" in make.one("aws_api_gateway_domain_name.regional").gaps


def test_a_catalogue_with_a_database_is_used(make: Maker) -> None:
    make.add("aws_glue_data_catalog_encryption_settings.s", after={"data_catalog_encryption_settings": []}, late=("id",))
    assert make.one("aws_glue_data_catalog_encryption_settings.s").gaps["catalogue_used"].reason == "not_offered"
    make.add("aws_glue_catalog_database.d", after={"name": "corpus"}, late=("id", "arn"))
    assert make.one("aws_glue_data_catalog_encryption_settings.s").facts["catalogue_used"] is True
