from __future__ import annotations

import pytest

from collectors.aws import eks, eks_access
from collectors.terraform.plan import read_plan
from scanner.model import Reason
from tests.collectors.aws.answers import SCANNER, given
from tests.conftest import ROOT

PLAN = ROOT / "fixtures" / "plans" / "types" / "06-containers" / "plan.json"
EKS = "arn:aws:eks:us-east-1:123456789012:"
IAM = "arn:aws:iam::123456789012:"
PLACE = ("aws", "us-east-1", "123456789012")
POLICY = "arn:aws:eks::aws:cluster-access-policy/"
ADMIN, VIEW = f"{POLICY}AmazonEKSClusterAdminPolicy", f"{POLICY}AmazonEKSViewPolicy"


def test_ids_of_entries():
    assert eks_access.entry_id(*PLACE, "train", f"{IAM}role/ml/dev") == f"{EKS}access-entry/train/role/123456789012/ml/dev"
    assert eks_access.entry_id(*PLACE, "train", f"{IAM}user/ann") == f"{EKS}access-entry/train/user/123456789012/ann"


def test_access_policies():
    whole = {"policyArn": ADMIN, "accessScope": {"type": "cluster"}}
    part = {"policyArn": VIEW, "accessScope": {"type": "namespace", "namespaces": ["train", "dev-*"]}}
    every = {"policyArn": ADMIN, "accessScope": {"type": "namespace", "namespaces": ["*"]}}
    assert eks_access.access_policies([part, whole]) == [
        {"policy": "AmazonEKSClusterAdminPolicy", "cluster_wide": True, "namespaces": []},
        {"policy": "AmazonEKSViewPolicy", "cluster_wide": False, "namespaces": ["dev-*", "train"]},
    ]
    assert eks_access.access_policies([every])[0]["cluster_wide"] is True
    with pytest.raises(KeyError):
        eks_access.access_policies([{"policyArn": ADMIN, "accessScope": {"type": "other"}}])


def entries(**more):
    listed = {
        "eks:list_clusters": {"clusters": ["old", "train"]},
        # https://github.com/upbound/configuration-aws-eks/pull/122
        "eks:list_access_entries:old": "InvalidRequestException",
        "eks:list_access_entries:train": [
            {"accessEntries": [f"{IAM}role/platform"], "nextToken": "2"},
            {"accessEntries": [f"{IAM}role/dev"]},
        ],
    }
    return {**listed, **more}


def test_access_entries():
    policies = {
        f"eks:list_associated_access_policies:{IAM}role/platform": {
            "associatedAccessPolicies": [{"policyArn": ADMIN, "accessScope": {"type": "cluster", "namespaces": []}}]
        },
        f"eks:list_associated_access_policies:{IAM}role/dev": {"associatedAccessPolicies": []},
    }
    seen = given(eks_access.ACCESS_ENTRIES, answers=entries(**policies))
    entry = seen.named("train/platform")
    assert (entry.id, entry.region, entry.gaps) == (f"{EKS}access-entry/train/role/123456789012/platform", "us-east-1", {})
    assert entry.facts == {
        "cluster_id": f"{EKS}cluster/train",
        "principal": f"{IAM}role/platform",
        "access_policies": [{"policy": "AmazonEKSClusterAdminPolicy", "cluster_wide": True, "namespaces": []}],
    }
    assert seen.named("train/dev").facts["access_policies"] == []
    (coverage,) = seen.coverages
    assert (coverage.extent, coverage.count) == ("complete", 2), "a cluster without entries has none"


def test_entries_that_may_not_be_seen():
    seen = given(
        eks_access.ACCESS_ENTRIES,
        answers=entries(**{"eks:list_associated_access_policies": "AccessDeniedException"}),
    )
    gap = seen.named("train/dev").gaps["access_policies"]
    assert (gap.reason, gap.remedy) == (Reason.DENIED, f"Allow eks:ListAssociatedAccessPolicies to {SCANNER}.")
    refused = given(eks_access.ACCESS_ENTRIES, answers=entries(**{"eks:list_access_entries:train": "AccessDeniedException"}))
    assert [c.extent for c in refused.coverages] == ["absent"]


def association(name, **more):
    return {
        "clusterName": "train",
        "namespace": "ml",
        "serviceAccount": name,
        "associationId": f"a-{name}",
        "associationArn": f"{EKS}podidentityassociation/train/a-{name}",
        **more,
    }


def test_pod_identities():
    answers = {
        "eks:list_clusters": {"clusters": ["train", "gone"]},
        "eks:list_pod_identity_associations:gone": "ResourceNotFoundException",
        "eks:list_pod_identity_associations:train": {"associations": [association("a"), association("b")]},
        "eks:describe_pod_identity_association:a-a": {
            "association": association("a", roleArn=f"{IAM}role/pods", tags={"team": "ml"}, disableSessionTags=False)
        },
        "eks:describe_pod_identity_association:a-b": {
            "association": association(
                "b", roleArn=f"{IAM}role/pods", disableSessionTags=True, targetRoleArn="arn:aws:iam::210987654321:role/data"
            )
        },
    }
    seen = given(eks_access.POD_IDENTITIES, answers=answers)
    found = seen.named("train/ml/a")
    assert (found.id, found.tags, found.gaps) == (f"{EKS}podidentityassociation/train/a-a", {"team": "ml"}, {})
    assert found.facts == {
        "cluster_id": f"{EKS}cluster/train",
        "namespace": "ml",
        "cluster_wide": False,
        "subjects": [{"kind": "ServiceAccount", "name": "a", "namespace": "ml", "system": False}],
        "identity": f"{IAM}role/pods",
        "target_identity": "",
        "session_tags": True,
    }
    other = seen.named("train/ml/b").facts
    assert (other["session_tags"], other["target_identity"]) == (False, "arn:aws:iam::210987654321:role/data")


def test_accelerators_of_groups():
    assert eks_access.of_group("AL2023_x86_64_NVIDIA", None) is True
    assert eks_access.of_group("AL2_x86_64_GPU", None) is True
    assert eks_access.of_group("BOTTLEROCKET_x86_64_NVIDIA_FIPS", "m5.large", None) is True
    assert eks_access.of_group("AL2023_x86_64_NEURON", None) is True
    assert eks_access.of_group("AL2_x86_64", "m5.large", None, None) is False
    assert eks_access.of_group("CUSTOM", "p5.48xlarge", [{}], None) is True


def test_whence_ssh_is_reached():
    assert eks_access.reached_from("ops", []) is True
    assert eks_access.reached_from("ops", ["sg-1"]) is False
    assert eks_access.reached_from(None, None) is False


def test_node_groups(boto, look):
    client = boto("eks")
    client.create_cluster(name="train", version="1.33", roleArn=f"{IAM}role/eks", resourcesVpcConfig={"subnetIds": ["subnet-1"]})
    common = {"clusterName": "train", "nodeRole": f"{IAM}role/node", "subnets": ["subnet-1"]}
    made = client.create_nodegroup(
        **common,
        nodegroupName="gpu",
        instanceTypes=["p5.48xlarge"],
        amiType="AL2023_x86_64_STANDARD",
        remoteAccess={"ec2SshKey": "ops"},
        tags={"ai-role": "training"},
    )["nodegroup"]
    client.create_nodegroup(**common, nodegroupName="cpu", instanceTypes=["m5.large"])

    seen = look(eks_access.NODE_GROUPS)

    assert seen.failed() == []
    group = seen.named("train/gpu")
    assert (group.id, group.tags, group.gaps) == (made["nodegroupArn"], {"ai-role": "training"}, {})
    assert group.facts == {
        "instance_type": "p5.48xlarge",
        "accelerator": True,
        "subnet_ids": ["arn:aws:ec2:us-east-1:123456789012:subnet/subnet-1"],
        "identity": f"{IAM}role/node",
        "container_host": True,
        "ssh_key": "ops",
        "ssh_open": True,
    }
    assert seen.named("train/cpu").facts["accelerator"] is False


def test_a_plan_says_the_same_of_a_node_group(boto, look):
    after = next(r for r in read_plan(PLAN).resources if r.id == "plan/aws_eks_node_group.bad")
    client = boto("eks")
    client.create_cluster(name="tern-bad", version="1.33", roleArn=f"{IAM}role/eks", resourcesVpcConfig={"subnetIds": ["subnet-1"]})
    client.create_nodegroup(
        clusterName="tern-bad",
        nodegroupName="gpu",
        nodeRole=f"{IAM}role/node",
        subnets=["subnet-1"],
        instanceTypes=["g5.48xlarge"],
        amiType="AL2_x86_64_GPU",
        remoteAccess={"ec2SshKey": "tern-ops"},
    )
    live = look(eks_access.NODE_GROUPS).named("tern-bad/gpu")
    told = live.facts.keys() & after.facts.keys() - {"identity"}
    assert {f: live.facts[f] for f in told} == {f: after.facts[f] for f in told}
    assert live.facts.keys() == after.facts.keys() | after.gaps.keys()


def test_clusters_are_listed_once_for_all_that_hangs_on_them(boto, look):
    trust = '{"Version": "2012-10-17", "Statement": []}'
    role = boto("iam").create_role(RoleName="cluster", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    for region in ("us-east-1", "eu-west-1"):
        boto("eks", region).create_cluster(name="train", roleArn=role, resourcesVpcConfig={"subnetIds": []})
    seen = look(*eks.TABLES, *eks_access.TABLES, regions=("us-east-1", "eu-west-1"))
    listed = [c.region for c in seen.asked if c.operation == "list_clusters"]
    assert sorted(listed) == ["eu-west-1", "us-east-1"]
    assert len({(c.native_type, c.region) for c in seen.coverages}) == 8
