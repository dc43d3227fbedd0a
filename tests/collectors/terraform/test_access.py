"""Access to clusters and static credentials, as plans write them."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from collectors.aws import eks_access, iam_credentials
from collectors.terraform.plan import read_plan
from collectors.terraform.tables import access
from scanner.model import Resource
from tests.collectors.terraform.conftest import FIXTURES, Maker

ROLE = "arn:aws:iam::123456789012:role/developers"
ADMIN = "AmazonEKSClusterAdminPolicy"


@functools.cache
def planted(name: str) -> dict[str, Resource]:
    plan = read_plan(FIXTURES / "plans" / "types" / name / "plan.json")
    return {r.id.removeprefix("plan/aws_"): r for r in plan.resources}


@pytest.mark.parametrize(
    ("address", "native", "facts"),
    [
        (
            "eks_access_policy_association.dev",
            "AWS::EKS::AccessEntry",
            {
                "cluster_id": "plan/aws_eks_cluster.good",
                "principal": ROLE,
                "access_policies": [{"policy": ADMIN, "cluster_wide": True, "namespaces": []}],
            },
        ),
        (
            "eks_access_policy_association.view",
            "AWS::EKS::AccessEntry",
            {"access_policies": [{"policy": "AmazonEKSViewPolicy", "cluster_wide": False, "namespaces": ["train"]}]},
        ),
        (
            'eks_pod_identity_association.both["train"]',
            "AWS::EKS::PodIdentityAssociation",
            {
                "cluster_id": "plan/aws_eks_cluster.good",
                "namespace": "train",
                "cluster_wide": False,
                "subjects": [{"kind": "ServiceAccount", "name": "worker", "namespace": "train", "system": False}],
                "identity": "plan/aws_iam_role.pod",
                "target_identity": "",
                "session_tags": True,
            },
        ),
        (
            "eks_node_group.bad",
            "AWS::EKS::Nodegroup",
            {
                "instance_type": "g5.48xlarge",
                "accelerator": True,
                "identity": "plan/aws_iam_role.node",
                "container_host": True,
                "ssh_key": "tern-ops",
                "ssh_open": True,
            },
        ),
        ("eks_node_group.good", "AWS::EKS::Nodegroup", {"identity": "plan/aws_iam_role.node", "ssh_key": "", "ssh_open": False}),
        ("eks_cluster.bad", "AWS::EKS::Cluster", {"authentication_mode": "config_map", "node_identity": ""}),
        ("eks_cluster.good", "AWS::EKS::Cluster", {"authentication_mode": "entries"}),
        # the API's default: https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAccessConfigRequest.html
        ("eks_cluster.terse", "AWS::EKS::Cluster", {"authentication_mode": "config_map"}),
    ],
)
def test_what_the_plan_of_containers_says(address: str, native: str, facts: dict[str, Any]) -> None:
    found = planted("06-containers")[address]
    assert found.native_type == native
    assert {f: found.facts.get(f, found.gaps.get(f)) for f in facts} == facts


@pytest.mark.parametrize(
    ("address", "native", "kind", "service"),
    [
        ("service_specific_credential.bedrock", "AWS::IAM::ServiceSpecificCredential", "service_specific", "bedrock.amazonaws.com"),
        (
            "service_specific_credential.codecommit",
            "AWS::IAM::ServiceSpecificCredential",
            "service_specific",
            "codecommit.amazonaws.com",
        ),
        ("user_ssh_key.bot", "AWS::IAM::SSHPublicKey", "ssh_key", "codecommit.amazonaws.com"),
        ("signing_certificate.bot", "AWS::IAM::SigningCertificate", "signing_certificate", "signing.amazonaws.com"),
    ],
)
def test_credentials_of_users(address: str, native: str, kind: str, service: str) -> None:
    found = planted("08-identity")[f"iam_{address}"]
    assert (found.native_type, found.region) == (native, "global")
    assert found.facts == {
        "credential_type": kind,
        "service": service,
        "owner": "plan/aws_iam_user.bot",
        "active": True,
        "expires": "never",
        "valid_days": 0,
    }


def test_users_and_roles_of_the_plan() -> None:
    found = planted("08-identity")
    assert found["iam_user.bot"].facts["active_keys"] == 1
    assert found["iam_role.trainer"].facts["instance_profiles"] == ["plan/aws_iam_instance_profile.trainer"]
    assert found["iam_role.world"].facts["instance_profiles"] == []
    assert {found[f"iam_role.{n}"].facts["last_used"] for n in ("trainer", "world")} == {"never"}


def test_a_credential_with_an_end_that_a_later_provider_plans(make: Maker) -> None:
    for days, name in ((7, "week"), (None, "ever")):
        make.add(
            f"aws_iam_service_specific_credential.{name}",
            sets={"service_name": "bedrock.amazonaws.com", "user_name": "bot", "credential_age_days": days},
        )
    found = {r.id.rpartition(".")[2]: r for r in make.read().resources}
    assert (found["week"].facts["valid_days"], "expires" in found["week"].gaps) == (7, True)
    assert (found["ever"].facts["valid_days"], found["ever"].facts["expires"]) == (0, "never")


def test_accelerators_of_groups() -> None:
    assert access.of_group("AL2023_x86_64_NVIDIA", None) is True
    assert access.of_group(None, "p5.48xlarge") is True
    assert access.of_group("AL2023_x86_64_STANDARD", "m6i.xlarge") is False


def test_plan_and_account_tell_the_same_facts() -> None:
    live = {t.native_type: set(t.facts) for t in (*eks_access.TABLES, *iam_credentials.TABLES)}
    for table in access.TABLES:
        if table.native_type in live:
            assert live[table.native_type] - set(table.facts) <= {"created"}, table.native_type
