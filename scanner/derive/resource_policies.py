"""Whom the policy of a resource lets in, for every type that has one beside buckets (`storage.py`) and keys (`keys.py`)."""

from __future__ import annotations

from collections.abc import Mapping

from scanner.derive.functions import URLS, settled
from scanner.derive.names import account_of
from scanner.derive.policy import foreign_accounts, public, unclear
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

FACTS = ("policy_public", "foreign_accounts")
LAMBDA = "AWS::Lambda::Function"
SERVICES: Mapping[str, Mapping[str, str]] = {
    "data_store": {
        "AWS::EFS::FileSystem": "elasticfilesystem",
        "AWS::DynamoDB::Table": "dynamodb",
        "AWS::SQS::Queue": "sqs",
        "AWS::SNS::Topic": "sns",
        "AWS::OpenSearchService::Domain": "es",
        "AWS::S3Vectors::VectorBucket": "s3vectors",
        "AWS::ECR::Repository": "ecr",
    },
    "credential": {"AWS::SecretsManager::Secret": "secretsmanager"},
    "workload": {LAMBDA: "lambda"},
    "account": {"AWS::Glue::DataCatalogEncryptionSettings": "glue", "AWS::ECR::RegistryPolicy": "ecr"},
}
"""Kind → native type → IAM prefix of its service."""


def policy_facts(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a resource's policy says."""
    statements = world.fact(resource, "policy_statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(FACTS, statements)
    if resource.native_type == LAMBDA:
        statements = settled(statements, world.fact(resource, URLS))
        if isinstance(statements, Gap):
            return dict.fromkeys(FACTS, statements)
    service = SERVICES[resource.kind][resource.native_type]
    answer = public(statements, service)
    return {
        "policy_public": unclear(statements) if answer == "conditional" else answer,
        "foreign_accounts": foreign_accounts(statements, account_of(resource), service),
    }


DERIVATIONS: tuple[Derivation, ...] = tuple(
    Derivation(
        kind, FACTS, policy_facts, needs=("policy_statements", *((URLS,) if LAMBDA in types else ())), native_types=tuple(types)
    )
    for kind, types in SERVICES.items()
)
