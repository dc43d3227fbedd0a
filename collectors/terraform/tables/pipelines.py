"""Queues, topics, search, vectors, logs, secrets, certificates, and what publishes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from collectors.aws import apigateway, certificates, cloudfront, glue, logs, messaging, opensearch, s3vectors, secretsmanager
from collectors.policy import statements
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import CREATED, PLACE, TAGS, docs, flat, key, key_id, only_new, policy

QUEUE = docs("aws_sqs_queue")
STREAM = docs("aws_kinesis_stream")
DOMAIN = docs("aws_opensearch_domain")
ROTATION = docs("aws_secretsmanager_secret_rotation")
DISTRIBUTION = docs("aws_cloudfront_distribution")


def own_policy(created: bool, *documents: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Statements of the first policy there is; of what exists already a plan does not know that there is none."""
    found = flat(*documents)
    return policy(*found) if found else only_new(created, [])


def _policy(source: str, *paths: str) -> Field:
    return Field((CREATED, *paths), own_policy, absent=[], source=source)


# queues, topics, streams


def queue_encrypted(created: bool, named: str | None, managed: bool | None) -> Any:  # noqa: FBT001 - values of the row
    """A key of KMS or of SQS encrypts the queue; SQS turns its own on for new queues of which nobody says otherwise."""
    if named:
        return True
    return managed if managed is not None else only_new(created, default=True)


QUEUES = PlanTable(
    "data_store",
    "AWS::SQS::Queue",
    "aws_sqs_queue",
    {
        "store_type": Const("queue"),
        "encrypted": Field(
            (CREATED, "item.kms_master_key_id", "item.sqs_managed_sse_enabled"),
            queue_encrypted,
            absent=True,
            source=messaging.QUEUE,
        ),
        "key_id": key("item.kms_master_key_id", source=QUEUE),
        "policy_statements": _policy(QUEUE, "item.policy", "policies[].policy"),
    },
    {"policies": Join("aws_sqs_queue_policy", on="queue_url", many=True)},
    tags=TAGS,
)

TOPICS = PlanTable(
    "data_store",
    "AWS::SNS::Topic",
    "aws_sns_topic",
    {
        "store_type": Const("topic"),
        "encrypted": Field("item.kms_master_key_id", bool, absent=False, source=messaging.TOPIC),
        "key_id": key("item.kms_master_key_id", source=messaging.TOPIC),
        # NOTE: no default: a topic of which nobody says otherwise gets a policy of the service's making
        "policy_statements": Field(("item.policy", "policies[].policy"), lambda *found: policy(*flat(*found)) or MISSING),
    },
    {"policies": Join("aws_sns_topic_policy", on="arn", many=True)},
    tags=TAGS,
)

STREAMS = PlanTable(
    "data_store",
    "AWS::Kinesis::Stream",
    "aws_kinesis_stream",
    {
        "store_type": Const("stream"),
        "encrypted": Field("item.encryption_type", messaging.stream_encrypted, absent=False, source=STREAM),
        "key_id": key("item.kms_key_id", source=STREAM),
    },
    tags=TAGS,
)


# search and vectors

# NOTE: no such attribute: an element of a block counts, whatever of it is not known yet
_NETWORK = pick("item.vpc_options[]", "present")

DOMAINS = PlanTable(
    "data_store",
    "AWS::OpenSearchService::Domain",
    "aws_opensearch_domain",
    {
        "store_type": Const("search"),
        "deleting": Const(value=False),
        "encrypted": Field("item.encrypt_at_rest[0].enabled", absent=False, source=opensearch.AT_REST),
        "key_id": key("item.encrypt_at_rest[0].kms_key_id", source=opensearch.AT_REST),
        "internet_facing": Field(_NETWORK, lambda blocks: not blocks, absent=True, source=DOMAIN),
        "fine_grained_access": Field(
            ("item.advanced_security_options[0].enabled", "item.advanced_security_options[0].anonymous_auth_enabled"),
            opensearch.fine_grained,
            absent=False,
            source=opensearch.FINE,
        ),
        "policy_statements": _policy(DOMAIN, "item.access_policies", "policies[].access_policies"),
        "tls_required": Field("item.domain_endpoint_options[0].enforce_https", absent=False, source=opensearch.TLS),
        "tls_versions": Field(
            "item.domain_endpoint_options[0].tls_security_policy",
            opensearch.tls_versions,
            absent=opensearch.tls_versions(opensearch.OLDEST),
            source=opensearch.TLS,
        ),
        "internal_tls": Field("item.node_to_node_encryption[0].enabled", absent=False, source=opensearch.NODES),
    },
    {"policies": Join("aws_opensearch_domain_policy", on="domain_name", many=True)},
    name=Field("item.domain_name"),
    tags=TAGS,
)


def collection_key(
    partition: str, region: str | None, account: str | None, name: str | None, named: str | None, policies: Any
) -> Any:
    """The key of a collection: what is known of it, else what the policy says that names just this collection.

    A pattern does not settle it: the account may have a policy that fits better.
    https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-encryption.html#serverless-encryption-matching
    """
    if named:
        return opensearch.collection_key(named)
    for found in policies or []:
        document = json.loads(found["policy"]) if found.get("type") == "encryption" else {"Rules": []}
        if any(f"collection/{name}" in (rule.get("Resource") or []) for rule in document["Rules"]):
            return "" if document.get("AWSOwnedKey") else key_id(partition, region, account, document["KmsARN"])
    return MISSING


COLLECTIONS = PlanTable(
    "data_store",
    "AWS::OpenSearchServerless::Collection",
    "aws_opensearchserverless_collection",
    {
        "store_type": Const("search"),
        "deleting": Const(value=False),
        "encrypted": Const(value=True),
        "key_id": Field(
            (*PLACE, "item.name", "item.kms_key_arn", pick("policies[]", "type", "policy")),
            collection_key,
            absent="",
            source=opensearch.COLLECTION_KEY,
        ),
        "fine_grained_access": Const(value=False),
    },
    {"policies": Join("aws_opensearchserverless_security_policy", on="", many=True)},
    tags=TAGS,
)


def _policies(native: str, kind: str, terraform: str, keep: Callable[[Any], bool] | None = None) -> PlanTable:
    return PlanTable(
        "account",
        native,
        terraform,
        {"aws.policy_type": Const(kind), "aws.policy_rules": Field("item.policy", opensearch.policy_rules)},
        tags=None,
        keep=keep,
    )


NETWORK_POLICIES = _policies(
    "AWS::OpenSearchServerless::SecurityPolicy",
    "network",
    "aws_opensearchserverless_security_policy",
    lambda item: item.get("type") == "network",
)
ACCESS_POLICIES = _policies("AWS::OpenSearchServerless::AccessPolicy", "data", "aws_opensearchserverless_access_policy")


def vector_key(partition: str, region: str | None, account: str | None, kind: str | None, *named: Any) -> str:
    """The key of a vector bucket or index; empty where S3 has its own. KeyError for a sort of encryption that is not known."""
    return {"AES256": "", "aws:kms": key_id(partition, region, account, *named)}[kind or "AES256"]


def index_key(partition: str, region: str | None, account: str | None, *found: str | None) -> Any:  # noqa: D103
    created, kind, named, of_bucket, named_by_bucket = found
    if kind:
        return vector_key(partition, region, account, kind, named)
    return vector_key(partition, region, account, of_bucket, named_by_bucket) if of_bucket else only_new(bool(created), "")


_VECTOR_KEY = ("item.encryption_configuration[0].sse_type", "item.encryption_configuration[0].kms_key_arn")

VECTOR_BUCKETS = PlanTable(
    "data_store",
    "AWS::S3Vectors::VectorBucket",
    "aws_s3vectors_vector_bucket",
    {
        "store_type": Const("vectors"),
        "encrypted": Const(value=True),
        "key_id": Field((*PLACE, *_VECTOR_KEY), vector_key, absent="", source=s3vectors.ENCRYPTION),
        "policy_statements": _policy(s3vectors.POLICY, "policies[].policy"),
    },
    {"policies": Join("aws_s3vectors_vector_bucket_policy", on="vector_bucket_arn", to="vector_bucket_arn", many=True)},
    name=Field("item.vector_bucket_name"),
    tags=TAGS,
)

VECTOR_INDEXES = PlanTable(
    "data_store",
    "AWS::S3Vectors::Index",
    "aws_s3vectors_index",
    {
        "store_type": Const("vectors"),
        "encrypted": Const(value=True),
        "key_id": Field(
            (
                *PLACE,
                CREATED,
                *_VECTOR_KEY,
                "bucket.encryption_configuration[0].sse_type",
                "bucket.encryption_configuration[0].kms_key_arn",
            ),
            index_key,
            absent="",
            source=s3vectors.ENCRYPTION,
        ),
    },
    {"bucket": Join("aws_s3vectors_vector_bucket", on="vector_bucket_name", to="vector_bucket_name")},
    name=Field("item.index_name"),
    tags=TAGS,
)


# logs


def invocation_log(created: bool, name: str | None, *named: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Bedrock's invocation logging names the group. Bedrock asks for a group that is there, so one that is new has no other to name it."""
    return True if name in flat(*named) else only_new(created, default=False)


_INVOCATIONS = (
    "logging[].logging_config.cloudwatch_config.log_group_name",
    "logging[].logging_config[].cloudwatch_config[].log_group_name",
)
"""An object up to version 5 of the provider, blocks since."""

LOG_GROUPS = PlanTable(
    "data_store",
    "AWS::Logs::LogGroup",
    "aws_cloudwatch_log_group",
    {
        "store_type": Const("log_group"),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_id", source=logs.ENCRYPTION),
        "log_group_name": Field("item.name"),
        "invocation_log": Field((CREATED, "item.name", *_INVOCATIONS), invocation_log, source=logs.INVOCATIONS),
    },
    {"logging": Join("aws_bedrock_model_invocation_logging_configuration", on="", many=True)},
    tags=TAGS,
)


# secrets and certificates


def rotates(created: bool, secret: str | None, days: int | None, expression: str | None) -> Any:  # noqa: FBT001 - a value of the row
    """A resource of the plan rotates the secret; of one that exists already the plan does not know that none does."""
    return True if secret or days or expression else only_new(created, default=False)


def rotation_days(created: bool, secret: str | None, days: int | None, expression: str | None) -> Any:  # noqa: FBT001 - a value of the row
    """Most days between two rotations."""
    found = rotates(created, secret, days, expression)
    return found if found is MISSING else secretsmanager.rotation_days(found, days, expression)


def _never(created: bool) -> Any:  # noqa: FBT001 - a value of the row
    return only_new(created, "never")


_RULES = (
    CREATED,
    "rotation.secret_id",
    "rotation.rotation_rules[0].automatically_after_days",
    "rotation.rotation_rules[0].schedule_expression",
)

SECRETS = PlanTable(
    "credential",
    "AWS::SecretsManager::Secret",
    "aws_secretsmanager_secret",
    {
        "credential_type": Const("secret"),
        "managed_by": Const(""),
        "replica": Const(value=False),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_id", source=secretsmanager.ENCRYPTION),
        "rotation_enabled": Field(_RULES, rotates, source=ROTATION),
        "rotation_days": Field(_RULES, rotation_days, source=secretsmanager.SCHEDULE),
        "last_rotated": Field(CREATED, _never, source=ROTATION),
        "policy_statements": _policy(docs("aws_secretsmanager_secret"), "item.policy", "policies[].policy"),
    },
    {
        "rotation": Join("aws_secretsmanager_secret_rotation", on="secret_id"),
        "policies": Join("aws_secretsmanager_secret_policy", on="secret_arn", many=True),
    },
    tags=TAGS,
)


def renewal(created: bool, body: str | None, eligible: str | None, status: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Who renews a certificate: somebody by hand where it is imported, ACM where it is asked for."""
    if body or not created:
        return certificates.renewal("IMPORTED" if body else "AMAZON_ISSUED", eligible, next(iter(flat(status)), None))
    return "automatic"


CERTIFICATES = PlanTable(
    "credential",
    "AWS::CertificateManager::Certificate",
    "aws_acm_certificate",
    {
        "credential_type": Const("certificate"),
        "expires": Field("item.not_after"),
        "renewal": Field(
            (CREATED, "item.certificate_body", "item.renewal_eligibility", "item.renewal_summary[].renewal_status"),
            renewal,
            absent="automatic",
            source=certificates.RENEWAL,
        ),
    },
    name=Field("item.domain_name"),
    tags=TAGS,
)

SERVER_CERTIFICATES = PlanTable(
    "credential",
    "AWS::IAM::ServerCertificate",
    "aws_iam_server_certificate",
    {
        "credential_type": Const("certificate"),
        "created": Field("item.upload_date"),
        "expires": Field("item.expiration"),
        "renewal": Const("manual"),
    },
    tags=TAGS,
)


# the data catalogue

_SETTINGS = "item.data_catalog_encryption_settings[0]"
_AT_REST = f"{_SETTINGS}.encryption_at_rest[0]"
_PASSWORDS = f"{_SETTINGS}.connection_password_encryption[0]"

CATALOGUES = PlanTable(
    "account",
    "AWS::Glue::DataCatalogEncryptionSettings",
    "aws_glue_data_catalog_encryption_settings",
    {
        "catalogue_used": Field("databases[].address", lambda found: True if found else MISSING),
        "encrypted": Field(f"{_AT_REST}.catalog_encryption_mode", glue.MODES, absent=False, source=glue.METADATA),
        "key_id": key(f"{_AT_REST}.sse_aws_kms_key_id", source=glue.METADATA),
        "password_encrypted": Field(f"{_PASSWORDS}.return_connection_password_encrypted", absent=False, source=glue.PASSWORDS),
        "password_key_id": key(f"{_PASSWORDS}.aws_kms_key_id", source=glue.PASSWORDS),
        # NOTE: no default: the catalogue is there before the plan, and so may its policy be
        "policy_statements": Field("policies[].policy", lambda found: statements(found[0])),
    },
    {
        "policies": Join("aws_glue_resource_policy", on="", many=True),
        "databases": Join("aws_glue_catalog_database", on="", many=True),
    },
    name=Field("item.id"),
    tags=None,
)


# the edge


def _behaviours(found: Any) -> list[Mapping[str, Any]]:
    return [{"PathPattern": b["path_pattern"], "ViewerProtocolPolicy": b["viewer_protocol_policy"]} for b in found or []]


def clear_paths(default: str, ordered: Any) -> list[str]:
    """Path patterns that answer over plain HTTP."""
    return cloudfront.clear_paths(default, _behaviours(ordered))


def _origins(found: Any) -> list[Mapping[str, Any]]:
    """Origins in the words of the API."""
    return [
        {
            "Id": origin["origin_id"],
            "CustomOriginConfig": {
                "OriginProtocolPolicy": config["origin_protocol_policy"],
                "OriginSslProtocols": {"Items": config.get("origin_ssl_protocols")},
            },
        }
        for origin in found or []
        for config in origin.get("custom_origin_config") or []
    ]


_VIEWER = ("item.viewer_certificate[0].minimum_protocol_version", "item.viewer_certificate[0].cloudfront_default_certificate")
_ORIGINS = pick("item.origin[]", "origin_id", "custom_origin_config")

DISTRIBUTIONS = PlanTable(
    "endpoint",
    "AWS::CloudFront::Distribution",
    "aws_cloudfront_distribution",
    {
        "endpoint_type": Const("distribution"),
        "enabled": Field("item.enabled"),
        "internet_facing": Const(value=True),
        "tls": Const(value=True),
        "tls_policy": Field(_VIEWER, cloudfront.tls_policy, absent=cloudfront.DEFAULT, source=DISTRIBUTION),
        "tls_versions": Field(_VIEWER, cloudfront.tls_versions, absent=cloudfront.VERSIONS[1:], source=DISTRIBUTION),
        "tls_weak_ciphers": Field(
            _VIEWER, cloudfront.weak_ciphers, absent=cloudfront.WEAK["TLSv1.2_2018"], source=cloudfront.POLICIES
        ),
        "clear_paths": Field(
            (
                "item.default_cache_behavior[0].viewer_protocol_policy",
                pick("item.ordered_cache_behavior[]", "path_pattern", "viewer_protocol_policy"),
            ),
            clear_paths,
        ),
        "clear_origins": Field(_ORIGINS, lambda found: cloudfront.clear_origins(_origins(found)), absent=[], source=DISTRIBUTION),
        "origin_tls_versions": Field(
            _ORIGINS, lambda found: cloudfront.origin_versions(_origins(found)), absent=[], source=DISTRIBUTION
        ),
    },
    name=Field("item.aliases[0]"),
    tags=TAGS,
)


def _domain(terraform: str, *paths: str) -> PlanTable:
    return PlanTable(
        "endpoint",
        "AWS::ApiGateway::DomainName",
        terraform,
        {
            "endpoint_type": Const("domain"),
            "tls": Const(value=True),
            "tls_policy": Field(paths, apigateway.security_policy, absent=apigateway.OLDEST, source=apigateway.SECURITY),
            "tls_versions": Field(
                paths, apigateway.domain_versions, absent=apigateway.LEGACY[apigateway.OLDEST], source=apigateway.SECURITY
            ),
        },
        name=Field("item.domain_name"),
        tags=TAGS,
    )


API_DOMAINS = _domain("aws_api_gateway_domain_name", "item.security_policy", "item.endpoint_configuration[0].types")
HTTP_DOMAINS = _domain(
    "aws_apigatewayv2_domain_name",
    "item.domain_name_configuration[0].security_policy",
    "item.domain_name_configuration[].endpoint_type",
)

TABLES: tuple[PlanTable, ...] = (
    QUEUES,
    TOPICS,
    STREAMS,
    DOMAINS,
    COLLECTIONS,
    NETWORK_POLICIES,
    ACCESS_POLICIES,
    VECTOR_BUCKETS,
    VECTOR_INDEXES,
    LOG_GROUPS,
    SECRETS,
    CERTIFICATES,
    SERVER_CERTIFICATES,
    CATALOGUES,
    DISTRIBUTIONS,
    API_DOMAINS,
    HTTP_DOMAINS,
)
