from __future__ import annotations

import pytest
from botocore.session import get_session

from collectors.aws import nvme, sagemaker
from tests.collectors.aws.answers import given

ROLE = "arn:aws:iam::123456789012:role/sm"


def variant(size, **more):
    return {"VariantName": "v", "InstanceType": size, **more}


def test_every_size_that_sagemaker_serves_from_is_in_a_table():
    sizes = get_session().get_service_model("sagemaker").shape_for("ProductionVariantInstanceType").enum
    assert len(sizes) > 100
    assert {
        s: nvme.local_nvme(s) for s in ("ml.p5.48xlarge", "ml.p6-b200.48xlarge", "ml.g5.xlarge", "ml.trn1.2xlarge")
    } == dict.fromkeys(("ml.p5.48xlarge", "ml.p6-b200.48xlarge", "ml.g5.xlarge", "ml.trn1.2xlarge"), True)
    assert not any(nvme.local_nvme(s) for s in ("ml.m5.large", "ml.inf2.xlarge", "ml.p3.2xlarge", "ml.c7i.large"))
    for size in sizes:
        assert nvme.local_nvme(size) in (True, False)
    assert not nvme.LOCAL & nvme.NETWORK_ONLY


def test_tables_agree_with_what_ec2_says_of_the_sizes():
    """moto ships DescribeInstanceTypes as recorded from AWS."""
    import gzip
    import json
    from importlib.resources import files

    path = files("moto.ec2.resources") / "instance_types.json.gz"
    recorded = json.loads(gzip.decompress(path.read_bytes()))
    sizes = get_session().get_service_model("sagemaker").shape_for("ProductionVariantInstanceType").enum
    known = [s for s in sizes if s.removeprefix("ml.") in recorded]
    assert len(known) > 100
    for size in known:
        found = recorded[size.removeprefix("ml.")]
        assert nvme.local_nvme(size) is (found["InstanceStorageSupported"] and found["Hypervisor"] == "nitro"), size


def test_an_unknown_size_is_not_judged():
    with pytest.raises(KeyError):
        sagemaker.local_nvme_only([variant("ml.z99.large")], None)
    with pytest.raises(KeyError):
        sagemaker.local_nvme_only([variant("ml.m5.large"), variant("ml.z99.large")], None)


@pytest.mark.parametrize(
    ("variants", "shadows", "only"),
    [
        ([variant("ml.g5.xlarge")], None, True),
        ([variant("ml.g5.xlarge")], [variant("ml.m5.large")], False),
        ([{"VariantName": "v", "ServerlessConfig": {"MaxConcurrency": 1}}], None, True),
        ([{"VariantName": "v", "InstancePools": [{"InstanceType": "ml.g5.xlarge"}, {"InstanceType": "ml.m5.large"}]}], None, False),
    ],
)
def test_local_nvme_only(variants, shadows, only):
    assert sagemaker.local_nvme_only(variants, shadows) is only


def test_a_variant_without_a_size_is_not_serverless():
    with pytest.raises(KeyError):
        sagemaker.instance_types([{"VariantName": "v"}], None)


@pytest.mark.parametrize(
    ("access", "subnet", "direct"),
    [("Enabled", "subnet-1", True), (None, "subnet-1", True), ("Disabled", "subnet-1", False), ("Disabled", None, True)],
)
def test_direct_internet(access, subnet, direct):
    assert sagemaker.direct_internet(access, subnet) is direct


def test_models_and_shells_of_variants():
    shadow = [{"VariantName": "s", "ModelName": "b", "EnableSSMAccess": True}]
    place = ("aws", "us-east-1", "123456789012")
    model = "arn:aws:sagemaker:us-east-1:123456789012:model/"
    assert sagemaker.models(*place, [{"VariantName": "v", "ModelName": "a"}], shadow) == [f"{model}a", f"{model}b"]
    assert sagemaker.models(*place, [{"VariantName": "v"}], None) == [], "inference components"
    assert sagemaker.shell([{"VariantName": "v"}], shadow) is True
    assert sagemaker.shell([{"VariantName": "v", "EnableSSMAccess": False}], None) is False


def test_a_config_of_inference_components():
    arn = "arn:aws:sagemaker:us-east-1:123456789012:endpoint-config/c"
    answers = {
        "sagemaker:list_endpoint_configs": {"EndpointConfigs": [{"EndpointConfigName": "c", "EndpointConfigArn": arn}]},
        "sagemaker:describe_endpoint_config": {
            "EndpointConfigName": "c",
            "EndpointConfigArn": arn,
            "ProductionVariants": [{"VariantName": "v", "InstanceType": "ml.g5.xlarge", "EnableSSMAccess": True}],
            "EnableNetworkIsolation": True,
            "VpcConfig": {"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]},
            "AsyncInferenceConfig": {
                "OutputConfig": {"S3OutputPath": "s3://answers", "S3FailurePath": "s3://failed", "KmsKeyId": "k"}
            },
        },
        "sagemaker:list_tags": {"Tags": []},
    }
    facts = given(sagemaker.CONFIGS, answers=answers).named("c").facts
    assert (facts["model_ids"], facts["network_isolation"], facts["interactive_access"]) == ([], True, True)
    assert facts["subnet_ids"] == ["arn:aws:ec2:us-east-1:123456789012:subnet/subnet-1"]
    assert facts["output_uris"] == ["s3://answers", "s3://failed"]
    assert (facts["output_written"], facts["output_key_id"]) == (True, "arn:aws:kms:us-east-1:123456789012:key/k")


def test_notebooks(boto, look):
    client = boto("sagemaker")
    client.create_notebook_instance(
        NotebookInstanceName="closed",
        InstanceType="ml.c5d.xlarge",
        RoleArn=ROLE,
        SubnetId="subnet-1",
        KmsKeyId="1234",
        DirectInternetAccess="Disabled",
        RootAccess="Disabled",
        Tags=[{"Key": "ai-role", "Value": "training"}],
    )
    client.create_notebook_instance(NotebookInstanceName="open", InstanceType="ml.t2.medium", RoleArn=ROLE)

    seen = look(sagemaker.NOTEBOOKS)

    assert seen.failed() == []
    notebook = seen.named("closed")
    assert (notebook.tags, notebook.gaps) == ({"ai-role": "training"}, {})
    assert notebook.facts == {
        "service_type": "notebook",
        "identity": "arn:aws:iam::123456789012:role/sm",
        "encrypted": True,
        "key_id": "arn:aws:kms:us-east-1:123456789012:key/1234",
        "direct_internet": False,
        "root_access": False,
        "subnet_id": "arn:aws:ec2:us-east-1:123456789012:subnet/subnet-1",
        "instance_types": ["ml.c5d.xlarge"],
        "local_nvme_only": False,
        "capture_enabled": False,
        "capture_key_id": "",
        "output_written": False,
        "output_key_id": "",
        "metadata_token_required": False,  # moto leaves the metadata service out
    }
    other = seen.named("open").facts
    assert (other["direct_internet"], other["root_access"], other["subnet_id"], other["key_id"]) == (True, True, "", "")


def test_endpoints(boto, look):
    client = boto("sagemaker")
    client.create_model(ModelName="m", ExecutionRoleArn=ROLE, PrimaryContainer={"Image": "i", "Environment": {"TOKEN": "hunter2"}})
    serving = {"ModelName": "m", "InitialInstanceCount": 1, "InitialVariantWeight": 1.0}
    client.create_endpoint_config(
        EndpointConfigName="gpu",
        ProductionVariants=[variant("ml.g4dn.xlarge", **serving)],
        DataCaptureConfig={
            "EnableCapture": True,
            "InitialSamplingPercentage": 100,
            "DestinationS3Uri": "s3://capture",
            "KmsKeyId": "alias/capture",
            "CaptureOptions": [{"CaptureMode": "Input"}],
        },
    )
    client.create_endpoint_config(EndpointConfigName="cpu", ProductionVariants=[variant("ml.m5.large", **serving)], KmsKeyId="1234")
    client.create_endpoint(EndpointName="chat", EndpointConfigName="gpu")

    seen = look(sagemaker.CONFIGS, sagemaker.ENDPOINTS)

    assert seen.failed() == []
    config = seen.named("gpu")
    assert config.gaps == {}
    assert config.facts == {
        "service_type": "endpoint_config",
        "encrypted": True,
        "key_id": "",
        "instance_types": ["ml.g4dn.xlarge"],
        "local_nvme_only": True,
        "capture_enabled": True,
        "capture_key_id": "arn:aws:kms:us-east-1:123456789012:alias/capture",
        "output_written": False,
        "output_key_id": "",
        "network_isolation": False,
        "subnet_ids": [],
        "firewall_ids": [],
        "model_ids": ["arn:aws:sagemaker:us-east-1:123456789012:model/m"],
        "interactive_access": False,
        "output_uris": ["s3://capture"],
    }
    cpu = seen.named("cpu").facts
    assert (cpu["local_nvme_only"], cpu["key_id"], cpu["capture_enabled"], cpu["capture_key_id"]) == (
        False,
        "arn:aws:kms:us-east-1:123456789012:key/1234",
        False,
        "",
    )
    endpoint = seen.named("chat")
    assert endpoint.facts["config_id"] == config.id
    assert endpoint.facts["service_type"] == "endpoint"
    assert "hunter2" not in str(seen.answers)
