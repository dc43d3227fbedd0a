"""Studio."""

from __future__ import annotations

from collectors.aws import sagemaker_domains as domains
from tests.collectors.aws.answers import given

HERE = "us-east-1:123456789012"
ROLE = "arn:aws:iam::123456789012:role/studio"
ARN = f"arn:aws:sagemaker:{HERE}:domain/d-1"


def test_a_domain_of_moto(boto, look):
    boto("sagemaker").create_domain(
        DomainName="research",
        AuthMode="IAM",
        DefaultUserSettings={
            "ExecutionRole": ROLE,
            "SecurityGroups": ["sg-1"],
            "SharingSettings": {"NotebookOutputOption": "Allowed", "S3OutputPath": "s3://shared", "S3KmsKeyId": "alias/shared"},
        },
        SubnetIds=["subnet-1"],
        VpcId="vpc-1",
        AppNetworkAccessType="VpcOnly",
        KmsKeyId="1234",
        Tags=[{"Key": "team", "Value": "nlp"}],
    )
    seen = look(domains.DOMAINS)
    assert seen.failed() == []
    domain = seen.named("research")
    assert (domain.gaps, domain.tags) == ({}, {"team": "nlp"})
    assert domain.facts == {
        "service_type": "domain",
        "identities": ["arn:aws:iam::123456789012:role/studio"],
        "encrypted": True,
        "key_id": f"arn:aws:kms:{HERE}:key/1234",
        "direct_internet": False,
        "network_id": f"arn:aws:ec2:{HERE}:vpc/vpc-1",
        "subnet_ids": [f"arn:aws:ec2:{HERE}:subnet/subnet-1"],
        "firewall_ids": [f"arn:aws:ec2:{HERE}:security-group/sg-1"],
        "output_written": True,
        "output_key_id": f"arn:aws:kms:{HERE}:alias/shared",
        "managed_by": "",
    }


def described(status="InService", **answer):
    answers = {
        "sagemaker:list_domains": {"Domains": [{"DomainId": "d-1", "DomainArn": ARN, "DomainName": "d", "Status": status}]},
        "sagemaker:describe_domain": {"DomainId": "d-1", "DomainArn": ARN, **answer},
        "sagemaker:list_tags": {"Tags": []},
    }
    return given(domains.DOMAINS, answers=answers)


def test_what_a_domain_leaves_out_is_its_documented_default():
    facts = described().named("d").facts
    assert (facts["direct_internet"], facts["key_id"], facts["output_written"], facts["network_id"]) == (True, "", False, "")


def test_the_deprecated_twin_of_the_key_counts():
    assert described(HomeEfsFileSystemKmsKeyId="1234").named("d").facts["key_id"] == f"arn:aws:kms:{HERE}:key/1234"


def test_a_domain_of_unified_studio_says_whose_it_is():
    settings = {"UnifiedStudioSettings": {"DomainId": "dzd_1", "ProjectId": "p"}}
    assert described(DomainSettings=settings).named("d").facts["managed_by"] == "dzd_1"


def test_domains_on_their_way_out_are_left_out():
    assert [described(status).ids() for status in ("Deleting", "Failed", "Pending")] == [[], [], [ARN]]
