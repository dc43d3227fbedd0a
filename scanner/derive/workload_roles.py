"""What roles are used for (nodes, services for models), and what data identities reach."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.globs import any_covers, everything, overlaps
from scanner.derive.identities import POLICY, ROLE, USER
from scanner.derive.names import SCAN_ACCOUNT, missed, planned
from scanner.derive.permissions import WHOLE_SERVICE, narrowed
from scanner.derive.placement import NODE
from scanner.derive.policy import EVERYTHING, Statement, unclear
from scanner.derive.three import Truth
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

GROUP, CLUSTER = "AWS::EKS::Nodegroup", "AWS::EKS::Cluster"
NODES = {NODE: ("identity", "container_host"), GROUP: ("identity",), CLUSTER: ("node_identity",)}
SERVICES = {
    "AWS::Bedrock::Agent": ("identity",),
    "AWS::BedrockAgentCore::Runtime": ("identity",),
    "AWS::SageMaker::Cluster": ("identities",),
    "AWS::SageMaker::Domain": ("identities",),
    "AWS::SageMaker::Model": ("identity",),
    "AWS::SageMaker::ProcessingJob": ("identity",),
    "AWS::SageMaker::TrainingJob": ("identity",),
    "AWS::SageMaker::NotebookInstance": ("identity",),
}
"""Types of services for models → their facts that name whom they act as."""
MACHINES = ("ec2.amazonaws.com", "ec2.amazonaws.com.cn")
MODELS = ("bedrock.amazonaws.com", "bedrock-agentcore.amazonaws.com", "sagemaker.amazonaws.com")
"""Services that must be trusted before anything of theirs acts as a role."""

DATA_ACTIONS = (
    "aoss:APIAccessAll",
    "bedrock:InvokeModel",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:Scan",
    "elasticfilesystem:ClientMount",
    "es:ESHttpGet",
    "kinesis:GetRecords",
    "kms:Decrypt",
    "rds-db:connect",
    "s3:DeleteObject",
    "s3:GetObject",
    "s3:PutObject",
    "s3vectors:GetVectors",
    "s3vectors:QueryVectors",
    "sagemaker:CreateTrainingJob",
    "sagemaker:InvokeEndpoint",
    "secretsmanager:GetSecretValue",
    "sqs:ReceiveMessage",
    "ssm:GetParameter",
    "ssm:GetParameters",
)
"""Actions with which data, models or secrets are read or changed."""
BASELINE = frozenset(
    (
        "AmazonEC2ContainerRegistryPullOnly",
        "AmazonEC2ContainerRegistryReadOnly",
        "AmazonEKSWorkerNodeMinimalPolicy",
        "AmazonEKSWorkerNodePolicy",
        "AmazonEKS_CNI_Policy",
        "AmazonSSMManagedInstanceCore",
        "CloudWatchAgentServerPolicy",
        "service-role/AmazonEC2ContainerServiceforEC2Role",
    )
)
"""Policies of AWS's own that a node needs to be one: https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html

Some of them read parameters of Systems Manager; that counts as their own business."""
OF_AWS = ":iam::aws:policy/"
OBJECTS = ("s3:DeleteObject", "s3:GetObject", "s3:PutObject")
KNOWN: Mapping[str, tuple[str, ...]] = {
    "AdministratorAccess": ("*",),
    "AmazonBedrockFullAccess": ("bedrock:*",),
    "AmazonDynamoDBFullAccess": ("dynamodb:*",),
    "AmazonS3FullAccess": ("s3:*",),
    "AmazonS3ReadOnlyAccess": ("s3:Get*",),
    "AmazonSageMakerFullAccess": ("sagemaker:*", *OBJECTS),
    "SecretsManagerReadWrite": ("secretsmanager:*",),
}
"""Policies of AWS's own → the part of them that matters here, for plans, in which they are not seen:
https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html"""
BUCKETS_OF_AWS = re.compile(
    r"^arn:[^:]*:s3:::(aws-ssm-|amazon-ssm-|aws-patch-manager-|patch-baseline-snapshot-|prod-[^/]*-starport-layer-bucket)"
)
"""Buckets of AWS's own that agents and images come from:
https://docs.aws.amazon.com/systems-manager/latest/userguide/ssm-agent-technical-details.html"""
WHOLE = ("bedrock", "s3", "sagemaker")
"""Services of which all is as good as all AI data."""


# ---- what acts as a role


@dataclass(slots=True)
class Acting:
    """Whom some kind of thing acts as."""

    names: set[str] = field(default_factory=set)
    """Roles, and instance profiles that stand for roles."""
    lost: dict[str, Gap] = field(default_factory=dict)
    """Scope → why it is not known of one of them."""

    def add(self, thing: Resource, value: Any) -> None:
        """It acts as `value`: a name, several, or a gap."""
        if isinstance(value, Gap):
            self.lost.setdefault(thing.scope, value)
        else:
            self.names.update(str(v) for v in (value if isinstance(value, list) else [value]) if v)


def _machines(world: World) -> Acting:
    found = Acting()
    for node in world.all("node"):
        if node.native_type not in NODES:
            continue
        hosts = world.fact(node, "container_host") if node.native_type == NODE else True
        if hosts is not False:
            identity = world.fact(node, "identity")
            found.add(node, hosts if isinstance(hosts, Gap) and identity else identity)
    for cluster in world.all("cluster"):
        if cluster.native_type == CLUSTER:
            found.add(cluster, world.fact(cluster, "node_identity"))
    return found


def _services(world: World) -> Acting:
    found = Acting()
    for service in world.all("model_service"):
        for fact in SERVICES.get(service.native_type, ()):
            found.add(service, world.fact(service, fact))
    return found


def uses(role: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What acts as a role."""
    machines = world.memo("workload_roles.machines", lambda: _machines(world))
    services = world.memo("workload_roles.services", lambda: _services(world))
    profiles = world.fact(role, "instance_profiles")
    held = [] if isinstance(profiles, Gap) else [str(p) for p in profiles]
    at_nodes = _used(role, (role.id, *held), machines, MACHINES, NODES, world)
    return {
        "node_role": profiles if at_nodes is False and isinstance(profiles, Gap) and _trusts(role, MACHINES, world) else at_nodes,
        "execution_role": _used(role, (role.id,), services, MODELS, SERVICES, world),
    }


def _used(
    role: Resource, names: Iterable[str], acting: Acting, trusted: Iterable[str], types: Iterable[str], world: World
) -> Truth:
    if acting.names.intersection(names):
        return True
    trust = _trusts(role, trusted, world)
    if trust is False:
        return False
    gap = acting.lost.get(role.scope)
    if planned(role):
        return gap or Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "what acts as the role is not in the plan")
    listings = (world.listing(native, role.scope) for native in types)
    missing = next(missed(listings), None)
    return gap or missing or False


def _trusts(role: Resource, services: Iterable[str], world: World) -> Truth:
    """The role's trust policy lets in one of some services; without, nothing of theirs acts as it."""
    statements: Any = world.fact(role, "trust_statements")
    if isinstance(statements, Gap):
        return statements
    wanted = {"*", *(f"Service:{s}" for s in services)}
    return any(s["effect"] == "Allow" and wanted.intersection(s["principals"]) for s in statements)


# ---- what an identity reaches


def reach_facts(identity: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What data an identity reaches, over its policies, as far as its boundary lets it.

    What is known of it stands for the whole: more policies can only add.
    """
    known, gap = _policies(identity, world)
    actions = sorted({a for statements in known for a in _data_actions(statements)} - _denied(known))
    services, odd = _whole(known)
    limit = _boundary(identity, world)
    if isinstance(limit, Gap):
        return {"data_actions": limit if actions else gap or [], "full_access": limit if services else odd or gap or []}
    if limit is not None:
        spoken = {a for a in actions if any(does(s, a) for s in limit if s["effect"] == "Allow")}
        actions = sorted(spoken - _denied([limit]))
        within, unsure = _whole([limit])
        odd = odd or (unsure if services else None)
        services = services if within == ["*"] else within if services == ["*"] else sorted(set(within) & set(services))
    return {"data_actions": actions or gap or [], "full_access": services or odd or gap or []}


def _policies(identity: Resource, world: World) -> tuple[list[list[Statement]], Gap | None]:
    """Statements of the policies that are known, and why one is not."""
    known: list[list[Statement]] = []
    gap: Gap | None = None
    inline: Any = world.fact(identity, "inline_policies")
    if isinstance(inline, Gap):
        gap = inline
    else:
        known += [list(p["statements"]) for p in inline]
    attached = world.fact(identity, "attached_policies")
    gap = gap or (attached if isinstance(attached, Gap) else None)
    for policy_id in identity.facts.get("attached_policies") or []:
        found = _statements(str(policy_id), identity, world)
        if isinstance(found, Gap):
            gap = gap or found
        else:
            known.append(found)
    return known, gap


def _statements(policy_id: str, identity: Resource, world: World, *, limit: bool = False) -> list[Statement] | Gap:
    """The statements of a policy. Of a limit all must be known; of what is granted a part is enough."""
    name = policy_id.partition(OF_AWS)[2]
    if name in BASELINE and not limit:
        return []
    policy = world.get("permission_set", policy_id)
    if policy is not None:
        statements: Any = world.fact(policy, "statements")
        return statements if isinstance(statements, Gap) else list(statements)
    if name in KNOWN and (not limit or KNOWN[name] == ("*",)):
        return [{**EVERYTHING, "actions": list(KNOWN[name])}]
    gap = None if planned(identity) else world.listing(POLICY, identity.scope)
    return gap or Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, f"the policy {policy_id} was not seen")


def _boundary(identity: Resource, world: World) -> list[Statement] | Gap | None:
    boundary = world.fact(identity, "boundary")
    if isinstance(boundary, Gap):
        return boundary
    return _statements(str(boundary), identity, world, limit=True) if boundary else None


def does(statement: Statement, action: str) -> bool:
    """The statement speaks of an action."""
    action = action.lower()
    if statement["not_actions"]:
        return not any_covers([a.lower() for a in statement["not_actions"]], action)
    return any_covers([a.lower() for a in statement["actions"]], action)


def _data_actions(statements: Iterable[Statement]) -> Iterator[str]:
    """Actions on data that some Allow grants somewhere, under whatever conditions."""
    for allow in (s for s in statements if s["effect"] == "Allow"):
        agents = bool(allow["resources"]) and all(BUCKETS_OF_AWS.match(r) for r in allow["resources"])
        yield from (a for a in DATA_ACTIONS if not agents and does(allow, a))


def _denied(policies: Iterable[Iterable[Statement]]) -> set[str]:
    """Actions on data that a Deny takes back everywhere and always."""
    denies = [
        s
        for statements in policies
        for s in statements
        if s["effect"] == "Deny" and not s["conditions"] and not s["not_resources"] and any(everything(r) for r in s["resources"])
    ]
    return {a for a in DATA_ACTIONS if any(does(d, a) for d in denies)}


def _whole(policies: Iterable[Iterable[Statement]]) -> tuple[list[str], Gap | None]:
    """Services of AI data of which a policy gives all, `*` for everything; a gap where that hangs on unclear conditions.

    A policy that leaves out some resources (`NotResource`, as AmazonSageMakerFullAccess does) gives all.
    """
    found: set[str] = set()
    gap: Gap | None = None
    for allow in (s for statements in policies for s in statements if s["effect"] == "Allow"):
        services = [s for s in WHOLE if _gives(allow, s)]
        met = narrowed(allow["conditions"]) if services else "closed"
        if met == "open":
            every = len(services) == len(WHOLE) and any(everything(a) for a in allow["actions"])
            found |= {"*"} if every else set(services)
        elif met == "unclear":
            gap = gap or unclear([allow])
    return (["*"] if "*" in found else sorted(found)), gap


def _gives(allow: Statement, service: str) -> bool:
    if allow["not_actions"]:
        every = not any(overlaps(a.lower(), f"{service}:*") for a in allow["not_actions"])
    else:
        every = any_covers([a.lower() for a in allow["actions"]], f"{service}:*")
    if allow["not_resources"]:
        return every and not any(everything(r) for r in allow["not_resources"])
    return every and any(
        everything(r) or ((match := WHOLE_SERVICE.match(r)) is not None and match["service"] == service) for r in allow["resources"]
    )


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "identity",
        ("node_role", "execution_role"),
        uses,
        needs=("trust_statements", "instance_profiles"),
        reads={**NODES, **SERVICES},
        native_types=(ROLE,),
    ),
    Derivation(
        "identity",
        ("data_actions", "full_access"),
        reach_facts,
        needs=("inline_policies", "attached_policies", "boundary"),
        reads={POLICY: ("statements",)},
        native_types=(ROLE, USER),
    ),
)
