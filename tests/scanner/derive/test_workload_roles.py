"""What acts as a role, and what data identities reach."""

from __future__ import annotations

from typing import Any

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.workload_roles import SERVICES
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import OWN, grant, policy, trust, when
from tests.scanner.derive.things import AFTER, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

GROUP, CLUSTER, NOTEBOOK = "AWS::EKS::Nodegroup", "AWS::EKS::Cluster", "AWS::SageMaker::NotebookInstance"
PROFILE = f"arn:aws:iam::{OWN}:instance-profile/r"
OFF = Gap(Reason.SERVICE_OFF, "sagemaker:ListDomains", "")
AWS = "arn:aws:iam::aws:policy/"


def role(service: str = "ec2.amazonaws.com", gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    found = {
        "trust_statements": policy(trust({"Service": service})),
        "instance_profiles": [],
        "inline_policies": [],
        "attached_policies": [],
        "boundary": "",
        **facts,
    }
    known = {k: v for k, v in found.items() if k not in (gaps or {})}
    return thing("identity", "r", gaps=gaps, id=f"arn:aws:iam::{OWN}:role/r", identity_type="role", **known)


def reader(*statements: dict[str, Any], **more: Any) -> Resource:
    return role(inline_policies=[{"name": "p", "statements": policy(*statements)}], **more)


def managed(name: str, *found: dict[str, Any], of_aws: bool = False) -> Resource:
    id_ = f"{AWS}{name}" if of_aws else f"arn:aws:iam::{OWN}:policy/{name}"
    return thing("permission_set", name, id=id_, statements=policy(*found), attachments=1, system=of_aws)


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, fact)


# ---- nodes


def test_roles_of_nodes() -> None:
    mine = role()
    assert of(mine, "node_role") is False
    assert of(mine, "node_role", thing("node", "g", GROUP, identity=mine.id)) is True
    assert of(mine, "node_role", thing("cluster", "c", CLUSTER, node_identity=mine.id)) is True
    assert of(mine, "node_role", thing("cluster", "c", CLUSTER, node_identity="")) is False


def test_roles_of_instances_count_where_containers_run_on_them() -> None:
    held = role(instance_profiles=[PROFILE])
    assert of(held, "node_role", thing("node", "n", identity=PROFILE, container_host=True)) is True
    assert of(held, "node_role", thing("node", "n", identity=PROFILE, container_host=False)) is False
    assert of(role(), "node_role", thing("node", "n", identity=PROFILE, container_host=True)) is False
    assert of(held, "node_role", thing("node", "n", identity=PROFILE, gaps={"container_host": DENIED})) is DENIED
    assert of(held, "node_role", thing("node", "n", identity="", gaps={"container_host": DENIED})) is False


def test_what_was_not_seen_may_act_as_a_role() -> None:
    group = thing("node", "g", GROUP, gaps={"identity": DENIED})
    assert of(role(), "node_role", group) is DENIED
    assert of(role(), "node_role", gaps={GROUP: DENIED}) is DENIED
    assert of(role(gaps={"instance_profiles": DENIED}), "node_role") is DENIED
    assert of(role(), "node_role", gaps={GROUP: OFF}) is False, "where there is no EKS nothing of EKS acts"
    other = thing("node", "h", GROUP, identity=role().id)
    assert of(role(), "node_role", group, other, gaps={CLUSTER: DENIED}) is True, "one is enough"


def test_without_trust_nothing_acts_as_it() -> None:
    pods = role("pods.eks.amazonaws.com")
    assert of(pods, "node_role", gaps={GROUP: DENIED}) is False
    assert of(pods, "execution_role", gaps={NOTEBOOK: DENIED}) is False
    assert of(role(gaps={"trust_statements": AFTER}), "node_role", gaps={GROUP: DENIED}) is DENIED
    assert of(role(gaps={"trust_statements": AFTER}), "node_role") is False, "all was seen, and nothing names it"


def test_a_plan_shows_only_its_own_users() -> None:
    facts = {"trust_statements": policy(trust({"Service": "ec2.amazonaws.com"})), "instance_profiles": []}
    mine = planned("identity", "aws_iam_role.r", **facts)
    assert of(mine, "node_role").remedy == "Scan the account as well."
    assert of(mine, "node_role", planned("node", "aws_eks_node_group.g", GROUP, identity=mine.id)) is True
    other = planned(
        "identity", "aws_iam_role.r", **{**facts, "trust_statements": policy(trust({"Service": "lambda.amazonaws.com"}))}
    )
    assert of(other, "node_role") is False


# ---- services for models


def test_execution_roles() -> None:
    mine = role("sagemaker.amazonaws.com")
    for native in SERVICES:
        one = {"identity": mine.id} if SERVICES[native] == ("identity",) else {"identities": ["other", mine.id]}
        assert of(mine, "execution_role", thing("model_service", "s", native, id="s", **one)) is True
        assert of(mine, "execution_role", gaps={native: DENIED}) is DENIED
    assert of(mine, "execution_role") is False
    assert of(mine, "execution_role", thing("model_service", "s", NOTEBOOK, id="s", identity="")) is False
    assert of(mine, "execution_role", thing("model_service", "s", "other/v1", id="s", identity=mine.id)) is False


# ---- what is reached


def test_actions_on_data() -> None:
    found = reader(grant("s3:Get*", "arn:aws:s3:::corpus/*"), grant(["KMS:decrypt", "ec2:DescribeInstances"]))
    assert of(found, "data_actions") == ["kms:Decrypt", "s3:GetObject"]
    everything = of(reader(grant()), "data_actions")
    assert {"s3:GetObject", "secretsmanager:GetSecretValue", "dynamodb:Query"} <= set(everything)
    assert "s3:GetObject" in of(reader({"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}), "data_actions")
    narrow = when(StringEquals={"s3:ResourceAccount": OWN})
    assert of(reader(grant("s3:PutObject", **narrow)), "data_actions") == ["s3:PutObject"], "whatever the conditions"
    assert of(reader(grant(["s3:*", "kms:Decrypt"]), grant("s3:*", effect="Deny")), "data_actions") == ["kms:Decrypt"]
    kept = reader(grant("s3:GetObject"), grant("s3:*", "arn:aws:s3:::golden/*", effect="Deny"))
    assert of(kept, "data_actions") == ["s3:GetObject"]


def test_what_a_node_needs_is_no_data() -> None:
    core = managed("AmazonSSMManagedInstanceCore", grant(["ssm:GetParameter", "ssmmessages:*"]), of_aws=True)
    agent = grant("s3:GetObject", ["arn:aws:s3:::aws-ssm-us-east-1/*", "arn:aws:s3:::patch-baseline-snapshot-us-east-1/*"])
    assert of(reader(agent, attached_policies=[core.id]), "data_actions", core) == []
    assert of(reader(grant("ssm:GetParameter")), "data_actions") == ["ssm:GetParameter"]
    mixed = grant("s3:GetObject", ["arn:aws:s3:::aws-ssm-us-east-1/*", "arn:aws:s3:::corpus/*"])
    assert of(reader(mixed), "data_actions") == ["s3:GetObject"]
    worker = [f"{AWS}{n}" for n in ("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly")]
    assert of(role(attached_policies=worker), "data_actions") == []


def test_policies_that_were_not_seen() -> None:
    gone = f"arn:aws:iam::{OWN}:policy/gone"
    assert of(role(attached_policies=[gone]), "data_actions", gaps={"AWS::IAM::ManagedPolicy": DENIED}) is DENIED
    assert of(reader(grant("s3:GetObject"), attached_policies=[gone]), "data_actions") == ["s3:GetObject"], "a part is enough"
    assert of(role(gaps={"inline_policies": DENIED}), "full_access") is DENIED
    facts = {"inline_policies": [], "boundary": ""}
    named = planned("identity", "aws_iam_role.r", attached_policies=[f"{AWS}AmazonS3FullAccess"], **facts)
    assert (of(named, "data_actions"), of(named, "full_access")) == (["s3:DeleteObject", "s3:GetObject", "s3:PutObject"], ["s3"])
    other = planned("identity", "aws_iam_role.r", attached_policies=[f"{AWS}AmazonAthenaFullAccess"], **facts)
    assert of(other, "data_actions").remedy == "Scan the account as well."
    for name, services in (("AmazonSageMakerFullAccess", ["sagemaker"]), ("AdministratorAccess", ["*"])):
        one = planned("identity", "aws_iam_role.r", attached_policies=[f"{AWS}{name}"], **facts)
        assert of(one, "full_access") == services


def test_whole_services() -> None:
    assert of(reader(grant(["s3:*", "bedrock:*"]), grant("kms:Decrypt")), "full_access") == ["bedrock", "s3"]
    assert of(reader(grant()), "full_access") == ["*"]
    assert of(reader(grant("*", "arn:aws:s3:::*")), "full_access") == ["s3"]
    assert of(reader(grant("s3:*", "arn:aws:s3:::corpus/*")), "full_access") == []
    assert of(reader(grant(["s3:Get*", "s3:Put*"])), "full_access") == []
    # AmazonSageMakerFullAccess leaves out domains
    left_out = {"Effect": "Allow", "Action": "sagemaker:*", "NotResource": "arn:aws:sagemaker:*:*:domain/*"}
    assert of(reader(left_out), "full_access") == ["sagemaker"]
    power = {"Effect": "Allow", "NotAction": ["iam:*", "organizations:*"], "Resource": "*"}
    assert of(reader(power), "full_access") == ["bedrock", "s3", "sagemaker"]
    assert of(reader({**power, "NotAction": ["s3:DeleteBucket"]}), "full_access") == ["bedrock", "sagemaker"]


def test_conditions_on_whole_services() -> None:
    assert of(reader(grant("s3:*", **when(StringEquals={"s3:ResourceAccount": OWN}))), "full_access") == []
    assert of(reader(grant("s3:*", **when(Bool={"aws:MultiFactorAuthPresent": "true"}))), "full_access") == ["s3"]
    assert of(reader(grant("s3:*", **when(StringEquals={"s3:newkey": "1"}))), "full_access").reason is Reason.UNPARSABLE


def test_a_boundary_limits_what_is_reached() -> None:
    edge = managed("edge", grant(["s3:*", "ec2:*"]))
    found = reader(grant(["s3:GetObject", "kms:Decrypt"]), boundary=edge.id)
    assert of(found, "data_actions", edge) == ["s3:GetObject"]
    assert of(reader(grant(), boundary=edge.id), "full_access", edge) == ["s3"]
    shut = managed("shut", grant(), grant("s3:*", effect="Deny"))
    assert of(reader(grant("s3:GetObject"), boundary=shut.id), "data_actions", shut) == []
    gone = f"arn:aws:iam::{OWN}:policy/gone"
    policies = {"AWS::IAM::ManagedPolicy": DENIED}
    assert of(reader(grant("s3:GetObject"), boundary=gone), "data_actions", gaps=policies) is DENIED
    assert of(reader(grant("ec2:*"), boundary=gone), "data_actions", gaps=policies) == []
    for name in ("AmazonS3FullAccess", "AmazonSSMManagedInstanceCore"):
        limit = planned(
            "identity",
            "x",
            inline_policies=[{"name": "p", "statements": policy(grant())}],
            attached_policies=[],
            boundary=f"{AWS}{name}",
        )
        assert isinstance(of(limit, "data_actions"), Gap), "of a limit all must be known"


def test_the_kind_is_walked_once() -> None:
    roles = [thing("identity", f"r{n}", id=f"arn:aws:iam::{OWN}:role/r{n}", **role().facts) for n in range(9)]
    nodes = [thing("node", f"n{n}", GROUP, identity=f"arn:aws:iam::{OWN}:role/r{n}") for n in range(5)]
    world = MemoryWorld([*roles, *nodes], None, DERIVATIONS)
    assert [world.fact(r, "node_role") for r in roles] == [True] * 5 + [False] * 4
    assert world.reads == len(nodes)
