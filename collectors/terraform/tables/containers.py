"""Registries of images, tasks, functions, launch templates and machine images."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from collectors import secrets
from collectors.aws import ecr, ecs, functions, templates
from collectors.aws.blocks import SHARING
from collectors.aws.compute import CONTAINER_FAMILIES, CONTAINER_TAGS
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.accelerators import accelerated
from collectors.terraform.tables.compute import EFA, efa_groups
from collectors.terraform.tables.shared import CREATED, PLACE, TAGS, canonical, docs, flat, key, key_id, only_new, policy, title

REPOSITORY = docs("aws_ecr_repository")
TASK = docs("aws_ecs_task_definition")
FUNCTION = docs("aws_lambda_function")
TEMPLATE = docs("aws_launch_template")
PERMISSION = docs("aws_lambda_permission")

Blocks = Iterable[Mapping[str, Any]] | None


# registries


def statements_of(created: bool, document: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Statements of the policy; none where a new resource is given none."""
    return policy(document) if document else only_new(created, [])


def scanning(name: str, on_push: Any, rules: Blocks) -> Any:
    """When images are scanned. Without the registry's rules only the repository's own word is known, and it may not be the last."""
    if rules is None:
        return "on_push" if True in flat(on_push) else MISSING
    matching = [r["scan_frequency"] for r in rules if any(_matches(name, f["filter"]) for f in r["repository_filter"])]
    best = next((f for f in ("CONTINUOUS_SCAN", "SCAN_ON_PUSH") if f in matching), "MANUAL")
    return ecr.scanning(True in flat(on_push), best)


def _matches(name: str, text: str) -> bool:
    """A filter without a wildcard matches every name that holds it: SCANNING of `collectors/aws/ecr.py`."""
    return fnmatchcase(name, text) if "*" in text else text in name


def upstream(created: bool, name: str, rules: Blocks) -> Any:  # noqa: FBT001 - a value of the row
    """The registry that it caches. Caches make their repositories themselves, so a new one that no rule of the plan covers is none."""
    told = [
        {"ecrRepositoryPrefix": r["ecr_repository_prefix"], "upstreamRegistryUrl": r["upstream_registry_url"]} for r in rules or []
    ]
    return ecr.upstream(name, told) or only_new(created, "")


REPOSITORIES = PlanTable(
    "data_store",
    "AWS::ECR::Repository",
    "aws_ecr_repository",
    {
        "store_type": Const("registry"),
        "encrypted": Field("item.name", lambda _: True, source=ecr.AT_REST),
        "key_id": key("item.encryption_configuration[].kms_key", source=REPOSITORY),
        "policy_statements": Field((CREATED, "policy.policy"), statements_of, source=docs("aws_ecr_repository_policy")),
        "tag_mutability": Field("item.image_tag_mutability", ecr.TAG_MUTABILITY, absent="mutable", source=REPOSITORY),
        "tag_exceptions": Field("item.image_tag_mutability_exclusion_filter[].filter", sorted, absent=[], source=REPOSITORY),
        "upstream": Field((CREATED, "item.name", pick("caches[]", "ecr_repository_prefix", "upstream_registry_url")), upstream),
        "image_scanning": Field(
            ("item.name", "item.image_scanning_configuration[].scan_on_push", pick("registry.rule[]", "scan_frequency", "repository_filter")),
            scanning,
        ),
    },
    {
        "policy": Join("aws_ecr_repository_policy", on="repository"),
        "caches": Join("aws_ecr_pull_through_cache_rule", on="", many=True),
        "registry": Join("aws_ecr_registry_scanning_configuration", on=""),
    },
    tags=TAGS,
)  # fmt: skip

REGISTRY_POLICIES = PlanTable(
    "account",
    "AWS::ECR::RegistryPolicy",
    "aws_ecr_registry_policy",
    {"policy_statements": Field("item.policy", policy)},
    name=Field("context.region"),
    tags=None,
)

PUBLIC_REPOSITORIES = PlanTable(
    "data_store",
    "AWS::ECR::PublicRepository",
    "aws_ecrpublic_repository",
    {
        "store_type": Const("registry"),
        "shared_publicly": Field("item.repository_name", lambda _: True, source=ecr.PUBLIC),
    },
    name=Field("item.repository_name"),
    tags=TAGS,
)


# tasks


def definitions(text: str) -> list[Mapping[str, Any]]:
    """Containers of a task, as the API has them, with secrets in place of what they were found in."""
    return [_reduced(c) for c in json.loads(text)]


def _reduced(container: Mapping[str, Any]) -> dict[str, Any]:
    made = {k: ecs.REDUCE[k](v) if k in ecs.REDUCE and v else v for k, v in container.items()}
    for name, inner in (("healthCheck", "command"), ("logConfiguration", "options")):
        block = container.get(name)
        if block and block.get(inner):
            made[name] = {**block, inner: ecs.REDUCE[inner](block[inner])}
    return made


def mounts(partition: str, region: str | None, account: str | None, volumes: Blocks) -> list[dict[str, Any]]:
    """EFS volumes, and whether they are mounted by TLS."""
    return [
        {
            "volume": v["name"],
            "store_id": canonical("elasticfilesystem", "file-system", partition, region, account, efs["file_system_id"]),
            "tls": efs.get("transit_encryption") == "ENABLED",
        }
        for v in volumes or []
        for efs in v.get("efs_volume_configuration") or []
    ]


_CONTAINERS = "item.container_definitions"


def _host(attribute: str) -> Field:
    return Field(f"item.{attribute}", lambda value: value == "host", absent=False, source=TASK)


TASKS = PlanTable(
    "workload",
    "AWS::ECS::TaskDefinition",
    "aws_ecs_task_definition",
    {
        "aws.account": Field("context.account"),
        "containers": Field(_CONTAINERS, lambda text: ecs.containers(definitions(text))),
        "images": Field(_CONTAINERS, lambda text: ecs.images(definitions(text))),
        "accelerator": Field(_CONTAINERS, lambda text: ecs.any_accelerated(definitions(text))),
        "host_pid": _host("pid_mode"),
        "host_ipc": _host("ipc_mode"),
        "host_network": _host("network_mode"),
        "mounts": Field((*PLACE, pick("item.volume[]", "name", "efs_volume_configuration")), mounts, source=TASK),
        "environment_secrets": Field(_CONTAINERS, lambda text: ecs.environment_secrets(definitions(text))),
    },
    name=Field("item.family"),
    tags=TAGS,
)


# functions


def url_auth(created: bool, urls: Any) -> Any:  # noqa: FBT001 - a value of the row
    """How callers of its web addresses prove who they are; a new function has those of the plan only."""
    found = sorted({functions.AUTH[u] for u in flat(urls)})
    return found or only_new(created, [])


CONDITIONS = (
    ("source_arn", "ArnLike", "aws:sourcearn"),
    ("source_account", "StringEquals", "aws:sourceaccount"),
    ("principal_org_id", "StringEquals", "aws:principalorgid"),
    ("function_url_auth_type", "StringEquals", "lambda:functionurlauthtype"),
    ("event_source_token", "StringEquals", "lambda:eventsourcetoken"),
)
"""Argument → what Lambda makes of it: PERMISSION."""


def permissions(created: bool, partition: str, own: str, found: Blocks) -> Any:  # noqa: FBT001 - a value of the row
    """The policy that the permissions come to, each on the function (`own`) or on a version or alias of it."""
    made = [
        {
            "effect": "Allow",
            "actions": [p["action"]],
            "not_actions": [],
            "resources": [f"{own}:{p['qualifier']}" if p.get("qualifier") else own],
            "not_resources": [],
            "principals": [_principal(partition, p["principal"])],
            "not_principals": [],
            "conditions": [
                {"operator": op, "key": name, "values": [p[attribute]]} for attribute, op, name in CONDITIONS if p.get(attribute)
            ],
        }
        for p in found or []
    ]
    return made if made and created else only_new(created, [])


def _principal(partition: str, value: str) -> str:
    """As Lambda writes it: an account is its root.

    https://docs.aws.amazon.com/lambda/latest/dg/permissions-function-cross-account.html
    """
    if value == "*":
        return value
    if value.isdigit():
        return f"AWS:arn:{partition}:iam::{value}:root"
    return f"AWS:{value}" if value.startswith("arn:") else f"Service:{value}"


def variables(found: Any) -> list[dict[str, str]]:
    """Secrets in the variables."""
    return [f for v in found or [] for f in secrets.findings(v or {})]


FUNCTIONS = PlanTable(
    "workload",
    "AWS::Lambda::Function",
    "aws_lambda_function",
    {
        "url_auth": Field((CREATED, "urls[].authorization_type"), url_auth, source=docs("aws_lambda_function_url")),
        "policy_statements": Field(
            (
                CREATED,
                "context.partition",
                "context.id",
                pick("permissions[]", "action", "principal", "qualifier", *(c[0] for c in CONDITIONS)),
            ),
            permissions,
            source=PERMISSION,
        ),
        "environment_secrets": Field("item.environment[].variables", variables, absent=[], source=FUNCTION),
    },
    {
        "urls": Join("aws_lambda_function_url", on="function_name", many=True),
        "permissions": Join("aws_lambda_permission", on="function_name", many=True),
    },
    name=Field("item.function_name"),
    tags=TAGS,
)


# launch templates


def device_volumes(partition: str, region: str | None, account: str | None, mappings: Blocks, volumes: Blocks) -> Any:
    """Volumes of the template. What it leaves out hangs on an image that a plan does not know."""
    named, found = [str(m["device_name"]) for m in mappings or []], list(volumes or [])
    if not found or len(found) != len(named) or any(str(e.get("encrypted")).lower() not in ("true", "false") for e in found):
        return MISSING  # NOTE: local disks are mapped as well, without a block of their own that tells which
    made = [
        {
            "device": device,
            "encryption": "on" if str(ebs["encrypted"]).lower() == "true" else "off",
            "key_id": key_id(partition, region, account, ebs.get("kms_key_id")),
        }
        for device, ebs in sorted(zip(named, found, strict=True), key=lambda pair: pair[0])
    ]
    unseen = (
        [] if templates.ROOTS & {*named} else [{"device": d, "encryption": "image", "key_id": ""} for d in templates.UNSEEN_ROOT]
    )
    return made + unseen


def public_addresses(found: Blocks) -> Any:
    """`assigned` where it asks for a public address: see `collectors/aws/templates.py`."""
    first = [
        str(i.get("associate_public_ip_address")).lower()
        for i in found or []
        if not (i.get("device_index") or i.get("network_card_index"))
    ]
    return ["assigned"] if "true" in first else [] if "false" in first else MISSING


def subnet_ids(partition: str, region: str | None, account: str | None, found: Any) -> Any:
    """Where its nodes start, where it says so."""
    return sorted({canonical("ec2", "subnet", partition, region, account, v) for v in flat(found)}) or MISSING


def container_host(started: Any) -> Any:
    """The tags of an orchestrator are on what it starts. What else it is used for, a template does not tell."""
    return True if any(CONTAINER_TAGS.match(str(t)) for tags in started or [] for t in tags or {}) else MISSING


def _options(name: str, read: Mapping[Any, Any] | None = None) -> Field:
    def first(found: list[Any]) -> Any:
        return MISSING if not found else read[found[0]] if read else found[0]

    return Field(f"item.metadata_options[].{name}", first)


TEMPLATES = PlanTable(
    "node",
    "AWS::EC2::LaunchTemplate",
    "aws_launch_template",
    {
        "instance_type": Field("item.instance_type"),
        "accelerator": Field("item.instance_type", accelerated),
        # NOTE: no defaults here: what the template leaves out, the account and the image decide
        "metadata_enabled": _options("http_endpoint", {"enabled": True, "disabled": False}),
        "metadata_token_required": _options("http_tokens", {"required": True, "optional": False}),
        "metadata_hop_limit": _options("http_put_response_hop_limit"),
        "public_addresses": Field(
            pick("item.network_interfaces[]", "associate_public_ip_address", "device_index", "network_card_index"), public_addresses
        ),
        "subnet_ids": Field((*PLACE, "item.network_interfaces[].subnet_id"), subnet_ids),
        "efa": Field(
            "item.network_interfaces[].interface_type", lambda found: bool({*found} & {*EFA}), absent=False, source=TEMPLATE
        ),
        "efa_firewall_ids": Field(
            (*PLACE, pick("item.network_interfaces[]", "interface_type", "security_groups")),
            lambda p, r, a, own: efa_groups(p, r, a, own, None, None),
            absent=[],
            source=TEMPLATE,
        ),
        "ssh_key": Field("item.key_name", absent="", source=TEMPLATE),
        "container_host": Field("item.tag_specifications[].tags", container_host, source=CONTAINER_FAMILIES),
        "user_data_secrets": Field("item.user_data", secrets.user_data, absent=[], source=TEMPLATE),
        "device_volumes": Field(
            (
                *PLACE,
                pick("item.block_device_mappings[]", "device_name"),
                pick("item.block_device_mappings[].ebs[]", "encrypted", "kms_key_id"),
            ),
            device_volumes,
        ),
    },
    name=title("item.name"),
    tags=TAGS,
)


# images


def shared(created: bool, groups: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Everyone may start it; a new image is private until it is shared."""
    return True if "all" in flat(groups) else only_new(created, default=False)


def _image(kind: str) -> PlanTable:
    return PlanTable(
        "data_store",
        "AWS::EC2::Image",
        kind,
        {
            "store_type": Const("image"),
            "shared_publicly": Field((CREATED, "permissions[].group"), shared, source=templates.IMAGES),
        },
        {"permissions": Join("aws_ami_launch_permission", on="image_id", many=True)},
        name=title("item.name"),
        tags=TAGS,
    )


# NOTE: the permission of an image that the plan does not make stands for that image
SHARED_IMAGES = PlanTable(
    "data_store",
    "AWS::EC2::Image",
    "aws_ami_launch_permission",
    {
        "store_type": Const("image"),
        "shared_publicly": Field("item.group", lambda group: True if group == "all" else MISSING),
    },
    name=Field("item.image_id"),
    tags=None,
    keep=lambda permission: not str(permission.get("image_id") or "").startswith("plan/"),
)


def _block(native: str, kind: str) -> PlanTable:
    return PlanTable(
        "account", native, kind, {"sharing_block": Field("item.state", SHARING)}, name=Field("context.region"), tags=None
    )


TABLES: tuple[PlanTable, ...] = (
    REPOSITORIES, REGISTRY_POLICIES, PUBLIC_REPOSITORIES, TASKS, FUNCTIONS, TEMPLATES,
    _image("aws_ami"), _image("aws_ami_copy"), _image("aws_ami_from_instance"), SHARED_IMAGES,
    _block("AWS::EC2::ImageBlockPublicAccess", "aws_ec2_image_block_public_access"),
    _block("AWS::EC2::SnapshotBlockPublicAccess", "aws_ebs_snapshot_block_public_access"),
)  # fmt: skip
