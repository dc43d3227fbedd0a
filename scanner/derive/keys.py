"""Who manages the key that a resource names, and who uses a key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from scanner.derive.globs import any_covers
from scanner.derive.names import ARN, SCAN_ACCOUNT, account_of, planned
from scanner.derive.policy import PRINCIPAL, Statement, everyone, foreign_accounts, public, unclear
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

KEY = "AWS::KMS::Key"
TRAIL = "AWS::CloudTrail::Trail"
USERS: Mapping[str, tuple[str, ...]] = {
    "data_store": (
        "AWS::S3::Bucket",
        "AWS::EC2::Volume",
        "AWS::EC2::Snapshot",
        "AWS::FSx::FileSystem",
        "AWS::EFS::FileSystem",
        "AWS::RDS::DBInstance",
        "AWS::RDS::DBCluster",
        "AWS::DynamoDB::Table",
        "AWS::ElastiCache::ReplicationGroup",
        "AWS::MemoryDB::Cluster",
        "AWS::MSK::Cluster",
        "AWS::Redshift::Cluster",
        "AWS::Backup::BackupVault",
        "AWS::SQS::Queue",
        "AWS::SNS::Topic",
        "AWS::Kinesis::Stream",
        "AWS::OpenSearchService::Domain",
        "AWS::OpenSearchServerless::Collection",
        "AWS::S3Vectors::VectorBucket",
        "AWS::S3Vectors::Index",
        "AWS::Logs::LogGroup",
        "AWS::ECR::Repository",
    ),
    "credential": ("AWS::SecretsManager::Secret",),
    "account": ("AWS::EC2::EBSEncryptionByDefault", "AWS::Glue::DataCatalogEncryptionSettings"),
    "cluster": ("AWS::EKS::Cluster",),
    "audit_log": ("AWS::CloudTrail::Trail",),
    "model_service": (
        "AWS::SageMaker::NotebookInstance",
        "AWS::SageMaker::EndpointConfig",
        "AWS::SageMaker::TrainingJob",
        "AWS::SageMaker::ProcessingJob",
        "AWS::SageMaker::Domain",
        "AWS::SageMaker::Cluster",
        "AWS::Bedrock::CustomModel",
        "AWS::Bedrock::ImportedModel",
        "AWS::Bedrock::Guardrail",
        "AWS::Bedrock::Agent",
        "AWS::Bedrock::DataSource",
    ),
}
"""Kind → its native types that name a key for encryption at rest."""
CATALOGUE = "AWS::Glue::DataCatalogEncryptionSettings"
NAMING = ("key_id", "capture_key_id", "output_key_id")
"""Facts that name a key."""
OTHER = ("capture_key_id", "output_key_id")
"""Those of model services alone, and of some of them only."""
HYPERPOD = "AWS::SageMaker::Cluster"
"""It names a key for each volume of each group, and none for all of it."""
WRITERS = (
    "AWS::SageMaker::TrainingJob",
    "AWS::SageMaker::ProcessingJob",
    "AWS::SageMaker::Domain",
    "AWS::SageMaker::NotebookInstance",
    "AWS::SageMaker::EndpointConfig",
)
"""Native types that name a key for what they write."""
SHOWN = 20
"""Users of a key that are kept."""
DEFAULT_ALIAS = re.compile(r"(^|:)alias/aws/")
"""Aliases that only the provider can make: https://docs.aws.amazon.com/kms/latest/developerguide/kms-alias.html"""


def key_manager(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """`customer`, `provider`, or `none` where nothing is encrypted."""
    encrypted, key_id = world.fact(resource, "encrypted"), world.fact(resource, "key_id")
    if isinstance(encrypted, Gap):
        return {"key_manager": encrypted}
    if not encrypted:
        return {"key_manager": "none"}
    if isinstance(key_id, Gap):
        return {"key_manager": key_id}
    return {"key_manager": manager(str(key_id), resource, world)}


def capture_key_manager(service: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """As `key_manager`, for the recording of requests and answers."""
    enabled, key_id = world.fact(service, "capture_enabled"), world.fact(service, "capture_key_id")
    if isinstance(enabled, Gap) or not enabled:
        return {"capture_key_manager": enabled if isinstance(enabled, Gap) else "none"}
    return {"capture_key_manager": key_id if isinstance(key_id, Gap) else manager(str(key_id), service, world)}


def password_key_manager(catalogue: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """As `key_manager`, for the passwords of connections in a data catalogue."""
    encrypted, key_id = world.fact(catalogue, "password_encrypted"), world.fact(catalogue, "password_key_id")
    if isinstance(encrypted, Gap) or not encrypted:
        return {"password_key_manager": encrypted if isinstance(encrypted, Gap) else "none"}
    return {"password_key_manager": key_id if isinstance(key_id, Gap) else manager(str(key_id), catalogue, world)}


def output_key_manager(service: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """As `key_manager`, for what a service writes."""
    written, key_id = world.fact(service, "output_written"), world.fact(service, "output_key_id")
    if isinstance(written, Gap) or not written:
        return {"output_key_manager": written if isinstance(written, Gap) else "none"}
    return {"output_key_manager": key_id if isinstance(key_id, Gap) else manager(str(key_id), service, world)}


def group_keys(cluster: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Volumes of a cluster's instance groups that no customer's key encrypts; those that are certain, where there are any."""
    groups = world.fact(cluster, "instance_groups")
    if isinstance(groups, Gap):
        return {"groups_without_cmk": groups}
    managers = {name: manager(key_id, cluster, world) for name, key_id in volume_keys(groups)}
    wrong = sorted(name for name, manager in managers.items() if manager == "provider")
    gap = next((m for _, m in sorted(managers.items()) if isinstance(m, Gap)), None)
    return {"groups_without_cmk": wrong or gap or []}


def volume_keys(groups: Iterable[Mapping[str, JSON]]) -> Iterator[tuple[str, str]]:
    """`group/root` and `group/volume` of instance groups, each with the key it names."""
    for group in groups:
        yield f"{group['name']}/root", str(group["root_key_id"])
        for number, key_id in enumerate(group["volume_key_ids"], 1):
            yield f"{group['name']}/volume{number if number > 1 else ''}", str(key_id)


def manager(key_id: str, resource: Resource, world: World) -> JSON | Gap:
    """Who manages the key that a resource names: `provider` where it names none."""
    if not key_id or DEFAULT_ALIAS.search(key_id):
        return "provider"
    key = find(key_id, resource, world)
    if key is not None:
        aliases = key.facts.get("aliases") or []
        return "provider" if any(DEFAULT_ALIAS.search(str(a)) for a in aliases) else world.fact(key, "manager")
    if resource.native_type == TRAIL and account_of(resource) != resource.scope and not planned(resource):
        # NOTE: an organisation's trail, seen from a member. A trail takes no key of the provider's own:
        # https://docs.aws.amazon.com/awscloudtrail/latest/userguide/encrypting-cloudtrail-log-files-with-aws-kms.html
        return "customer"
    match = ARN.match(key_id)
    own = account_of(resource)
    if match and match["account"] and own and match["account"] != own:
        # NOTE: a key of the provider's own cannot be used across accounts, so this one is a customer's, seen or not:
        # https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-modifying-external-accounts.html
        return "customer"
    if planned(resource) or not own:
        return Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, f"{key_id} was not seen, so nothing says who manages it")
    gap = world.listing(KEY, own, match["region"] if match else resource.region)
    # NOTE: all keys were listed and it is not among them: a deleted key, or another provider's. It encrypts nothing any more that
    # anyone can read, and calling it the customer's would be a guess.
    return gap or Gap(
        Reason.UNPARSABLE, "kms:ListKeys", "Name a key that exists.", f"{key_id} is not among the keys of the account"
    )


def find(key_id: str, resource: Resource, world: World) -> Resource | None:
    """The key that `resource` names: by its id, or by an alias of the same account and region."""
    key = world.get("key", key_id)
    if key is not None:
        return key
    match = ARN.match(key_id)
    scope, region, name = (
        (match["account"], match["region"], match["resource"]) if match else (resource.scope, resource.region, key_id)
    )
    if not name.startswith("alias/"):
        return None
    index = world.memo("keys.aliases", lambda: _aliases(world))
    found = index.get((scope or "", region, name)) or index.get((resource.scope, "", name))
    return world.get("key", found) if found else None


def _aliases(world: World) -> dict[tuple[str, str, str], str]:
    """(scope, region, alias) → key. A plan's keys stand under the empty region as well: a plan may not say which it is for."""
    found: dict[tuple[str, str, str], str] = {}
    for key in world.all("key"):
        aliases = world.fact(key, "aliases")
        if isinstance(aliases, list):
            for alias in aliases:
                name = str(alias).rpartition(":")[2]
                found[key.scope, key.region, name] = key.id
                if planned(key):
                    found[key.scope, "", name] = key.id
    return found


def used_by(key: Resource, world: World) -> JSON | Gap:
    """Ids of what names the key: those seen, else why some may have been missed."""
    users, missed = world.memo("keys.users", lambda: _users(world))
    if key.id in users:
        return sorted(users[key.id])[:SHOWN]
    gap = missed.get(key.scope)
    if gap is None:
        seen = (world.listing(native, key.scope, key.region) for natives in USERS.values() for native in natives)
        gap = next((g for g in seen if g is not None), None)
    return gap or []


def _users(world: World) -> tuple[dict[str, set[str]], dict[str, Gap]]:
    """Key → what names it; and scope → why the key of some resource there is not known."""
    users: dict[str, set[str]] = {}
    missed: dict[str, Gap] = {}
    for resource in _namers(world):
        for key_id in _named(resource, world):
            if isinstance(key_id, Gap):
                missed.setdefault(resource.scope, key_id)
            elif key_id:
                key = find(key_id, resource, world)
                if key is not None:
                    users.setdefault(key.id, set()).add(resource.id)
    return users, missed


def _named(resource: Resource, world: World) -> Iterator[str | Gap]:
    """The keys that a resource names, and why some may have been missed."""
    if resource.native_type == HYPERPOD:
        groups = world.fact(resource, "instance_groups")
        yield from [groups] if isinstance(groups, Gap) else (key_id for _, key_id in volume_keys(groups))
        return
    for fact in NAMING:
        if fact in OTHER and resource.kind != "model_service":
            continue
        key_id = world.fact(resource, fact)
        if not isinstance(key_id, Gap):
            yield str(key_id)
        elif fact in resource.gaps or fact not in OTHER:
            yield key_id


def _namers(world: World) -> Iterator[Resource]:
    for kind, natives in USERS.items():
        yield from (r for r in world.all(kind) if r.native_type in natives)


def key_facts(key: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who outside the account may use a key."""
    statements = world.fact(key, "policy_statements")
    if isinstance(statements, Gap):
        return {"public": statements, "foreign_accounts": statements}
    answer = public(statements, "kms")
    return {
        "public": unclear(statements) if answer == "conditional" else answer,
        "foreign_accounts": foreign_accounts(statements, account_of(key) or _owner(statements), "kms"),
    }


def granted_accounts(key: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Accounts that have a grant on a key without being its own. Roles of a plan, which name no account, are of the key's own.

    https://docs.aws.amazon.com/kms/latest/developerguide/grants.html
    """
    grantees, statements = world.fact(key, "grantees"), world.fact(key, "policy_statements")
    if isinstance(grantees, Gap):
        return {"granted_accounts": grantees}
    found = {match[1] for name in grantees if (match := PRINCIPAL.match(f"AWS:{name}"))}
    own = account_of(key) or ("" if isinstance(statements, Gap) else _owner(statements))
    if found and not own:
        gap = Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "which account owns the key is not known")
        return {"granted_accounts": statements if isinstance(statements, Gap) else gap}
    return {"granted_accounts": sorted(found - {own})}


def _owner(statements: Iterable[Statement]) -> str:
    """The account of a planned key: KMS refuses a policy that locks its maker out, so the only one that may change it is the owner.

    https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html#prevent-unmanageable-key
    """
    changing = [
        s for s in statements if s["effect"] == "Allow" and any_covers([a.lower() for a in s["actions"]], "kms:putkeypolicy")
    ]
    found = {match[1] for s in changing for p in s["principals"] if (match := PRINCIPAL.match(p))}
    return found.pop() if len(found) == 1 and not any(everyone(s) for s in changing) else ""


DERIVATIONS: tuple[Derivation, ...] = (
    *(
        Derivation(
            kind,
            ("key_manager",),
            key_manager,
            needs=("encrypted", "key_id"),
            reads={KEY: ("manager", "aliases")},
            native_types=tuple(n for n in natives if n != HYPERPOD),
        )
        for kind, natives in USERS.items()
    ),
    Derivation(
        "model_service",
        ("output_key_manager",),
        output_key_manager,
        needs=("output_written", "output_key_id"),
        reads={KEY: ("manager", "aliases")},
        native_types=WRITERS,
    ),
    Derivation(
        "model_service",
        ("groups_without_cmk",),
        group_keys,
        needs=("instance_groups",),
        reads={KEY: ("manager", "aliases")},
        native_types=(HYPERPOD,),
    ),
    Derivation(
        "model_service",
        ("capture_key_manager",),
        capture_key_manager,
        needs=("capture_enabled", "capture_key_id"),
        reads={KEY: ("manager", "aliases")},
        native_types=("AWS::SageMaker::NotebookInstance", "AWS::SageMaker::EndpointConfig", "AWS::SageMaker::Endpoint"),
    ),
    Derivation(
        "account",
        ("password_key_manager",),
        password_key_manager,
        needs=("password_encrypted", "password_key_id"),
        reads={KEY: ("manager", "aliases")},
        native_types=(CATALOGUE,),
    ),
    Derivation(
        "key",
        ("used_by",),
        lambda key, world: {"used_by": used_by(key, world)},
        reads={
            KEY: ("aliases",),
            **{native: ("key_id",) for natives in USERS.values() for native in natives},
            **dict.fromkeys(WRITERS, ("key_id", "output_key_id")),
            "AWS::SageMaker::EndpointConfig": ("key_id", "capture_key_id", "output_key_id"),
            HYPERPOD: ("instance_groups",),
        },
        native_types=(KEY,),
    ),
    Derivation("key", ("public", "foreign_accounts"), key_facts, needs=("policy_statements",), native_types=(KEY,)),
    Derivation("key", ("granted_accounts",), granted_accounts, needs=("grantees", "policy_statements"), native_types=(KEY,)),
)
