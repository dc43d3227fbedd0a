"""What Terraform plans and what then stands in the account: both sources say the same of it."""

from __future__ import annotations

import functools

from collectors.aws import sagemaker, sagemaker_domains, sagemaker_jobs, sagemaker_models
from collectors.terraform.plan import read_plan
from tests.conftest import ROOT

PLAN = ROOT / "fixtures" / "plans" / "types" / "07-ml" / "plan.json"
ROLE = "arn:aws:iam::123456789012:role/sm"


@functools.cache
def planned():
    return {r.id.removeprefix("plan/aws_"): r for r in read_plan(PLAN).resources}


def same(live, other, *but):
    """Both sources say the same of the facts that both tell, references apart."""
    told = (live.facts.keys() & other.facts.keys()) - set(but)
    assert {f: live.facts[f] for f in told} == {f: other.facts[f] for f in told}
    assert live.facts.keys() | live.gaps.keys() == other.facts.keys() | other.gaps.keys()


def test_models_say_the_same(boto, look):
    client = boto("sagemaker")
    after = planned()["sagemaker_model.bad"]
    client.create_model(
        ModelName="petrel-bad",
        ExecutionRoleArn=ROLE,
        PrimaryContainer={"Image": after.facts["images"][0], "Environment": {"SERVICE_PASSWORD": "plain-literal-value"}},
    )
    same(look(sagemaker_models.MODELS).named("petrel-bad"), after, "identity")


def test_domains_say_the_same(boto, look):
    boto("sagemaker").create_domain(
        DomainName="petrel-bad",
        AuthMode="IAM",
        DefaultUserSettings={
            "ExecutionRole": ROLE,
            "SharingSettings": {"NotebookOutputOption": "Allowed", "S3OutputPath": "s3://petrel-shared/"},
        },
        SubnetIds=["subnet-1"],
        VpcId="vpc-1",
        Tags=[{"Key": "a", "Value": "b"}],
    )
    same(
        look(sagemaker_domains.DOMAINS).named("petrel-bad"),
        planned()["sagemaker_domain.bad"],
        "identities",
        "subnet_ids",
        "network_id",
    )


def test_endpoint_configurations_say_the_same(boto, look):
    client = boto("sagemaker")
    client.create_model(ModelName="petrel-bad", ExecutionRoleArn=ROLE, PrimaryContainer={"Image": "i"})
    variant = {"VariantName": "a", "ModelName": "petrel-bad", "InitialInstanceCount": 1, "InstanceType": "ml.c5.xlarge"}
    client.create_endpoint_config(
        EndpointConfigName="petrel-bad", ProductionVariants=[{**variant, "InitialVariantWeight": 1, "EnableSSMAccess": True}]
    )
    live, after = look(sagemaker.CONFIGS).named("petrel-bad"), planned()["sagemaker_endpoint_configuration.bad"]
    told = ("interactive_access", "instance_types", "local_nvme_only", "capture_enabled", "key_id")
    assert {f: live.facts[f] for f in told} == {f: after.facts[f] for f in told}


def test_job_definitions_say_the_same(boto, look):
    boto("sagemaker").create_data_quality_job_definition(
        JobDefinitionName="petrel-bad",
        RoleArn=ROLE,
        DataQualityAppSpecification={"ImageUri": "i"},
        DataQualityJobInput={"EndpointInput": {"EndpointName": "petrel-bad", "LocalPath": "/opt/ml/processing/input"}},
        DataQualityJobOutputConfig={"MonitoringOutputs": [{"S3Output": {"S3Uri": "s3://petrel-monitor/bad", "LocalPath": "/o"}}]},
        JobResources={"ClusterConfig": {"InstanceCount": 4, "InstanceType": "ml.m5.xlarge", "VolumeSizeInGB": 20}},
    )
    seen = look(sagemaker_jobs.DATA_QUALITY)
    assert seen.failed() == []
    same(seen.named("petrel-bad"), planned()["sagemaker_data_quality_job_definition.bad"])
