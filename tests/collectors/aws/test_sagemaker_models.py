"""Models, and the scripts of notebooks."""

from __future__ import annotations

import base64

from collectors.aws import sagemaker_models as models
from scanner.model import Reason
from tests.collectors.aws.answers import given

ROLE = "arn:aws:iam::123456789012:role/sm"
HERE = "us-east-1:123456789012"
IMAGE = "123456789012.dkr.ecr.us-east-1.amazonaws.com/serve:1"
TOKEN = "hf_" + "aBcDeFgHiJ" * 3 + "kLmN"


def test_a_model_in_a_network(boto, look):
    boto("sagemaker").create_model(
        ModelName="chat",
        ExecutionRoleArn=ROLE,
        PrimaryContainer={"Image": IMAGE, "ModelDataUrl": "s3://weights/chat/model.tar.gz", "Environment": {"HF_TOKEN": TOKEN}},
        VpcConfig={"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]},
        Tags=[{"Key": "team", "Value": "nlp"}],
    )
    seen = look(models.MODELS)
    assert seen.failed() == []
    model = seen.named("chat")
    assert (model.gaps, model.tags) == ({}, {"team": "nlp"})
    assert [f["location"] for f in model.facts["environment_secrets"]] == ["HF_TOKEN"]
    assert {k: v for k, v in model.facts.items() if k != "environment_secrets"} == {
        "service_type": "model",
        "identity": "arn:aws:iam::123456789012:role/sm",
        "model_ids": [],
        "aws.account": "123456789012",
        "network_isolation": False,
        "subnet_ids": [f"arn:aws:ec2:{HERE}:subnet/subnet-1"],
        "firewall_ids": [f"arn:aws:ec2:{HERE}:security-group/sg-1"],
        "input_uris": ["s3://weights/chat/model.tar.gz"],
        "images": [IMAGE],
    }
    assert TOKEN not in str(seen.answers)


def described(**answer):
    arn = f"arn:aws:sagemaker:{HERE}:model/m"
    answers = {
        "sagemaker:list_models": {"Models": [{"ModelName": "m", "ModelArn": arn}]},
        "sagemaker:describe_model": {"ModelName": "m", "ModelArn": arn, **answer},
        "sagemaker:list_tags": {"Tags": []},
    }
    return given(models.MODELS, answers=answers).named("m")


def test_a_pipeline_of_containers():
    adapters = [
        {"ChannelName": "a", "S3DataSource": {"S3Uri": "s3://adapters/", "S3DataType": "S3Prefix", "CompressionType": "None"}}
    ]
    weights = {"S3DataSource": {"S3Uri": "s3://weights/llm/", "S3DataType": "S3Prefix", "CompressionType": "None"}}
    model = described(
        Containers=[
            {"Image": "a", "ModelDataSource": weights, "AdditionalModelDataSources": adapters},
            {"Image": "b", "Environment": {"API_KEY": TOKEN}},
        ],
        EnableNetworkIsolation=True,
    )
    assert model.gaps == {}
    facts = model.facts
    assert (facts["images"], facts["input_uris"]) == (["a", "b"], ["s3://adapters/", "s3://weights/llm/"])
    assert (facts["network_isolation"], facts["subnet_ids"]) == (True, [])
    assert [f["location"] for f in facts["environment_secrets"]] == ["container 2, API_KEY"]


def test_a_package_of_the_marketplace_names_neither_image_nor_weights():
    model = described(PrimaryContainer={"ModelPackageName": "arn:aws:sagemaker:us-east-1:865070037744:model-package/x"})
    assert model.gaps == {}
    assert (model.facts["images"], model.facts["input_uris"], model.facts["environment_secrets"]) == ([], [], [])


def test_an_environment_that_could_not_be_read_is_unknown():
    assert models.container_secrets({"Environment": []}, None) == []
    model = described(PrimaryContainer={"Environment": {}})
    assert model.facts["environment_secrets"] == []


def scripted(**scripts):
    arn = f"arn:aws:sagemaker:{HERE}:notebook-instance-lifecycle-config/setup"
    answers = {
        "sagemaker:list_notebook_instance_lifecycle_configs": {
            "NotebookInstanceLifecycleConfigs": [
                {"NotebookInstanceLifecycleConfigName": "setup", "NotebookInstanceLifecycleConfigArn": arn}
            ]
        },
        "sagemaker:describe_notebook_instance_lifecycle_config": {
            "NotebookInstanceLifecycleConfigName": "setup",
            "NotebookInstanceLifecycleConfigArn": arn,
            **{name: [{"Content": content}] for name, content in scripts.items()},
        },
    }
    return given(models.SCRIPTED, answers=answers)


def test_scripts_are_opened_and_dropped():
    text = f"#!/bin/bash\nset -e\nexport HF_TOKEN={TOKEN}\n"
    packed = base64.b64encode(text.encode()).decode()
    seen = scripted(OnCreate=packed, OnStart=base64.b64encode(b"#!/bin/bash\ntrue\n").decode())
    config = seen.named("setup")
    assert config.gaps == {}
    assert [f["location"] for f in config.facts["environment_secrets"]] == ["OnCreate, line 3"]
    assert not any(secret in str(seen.answers) + str(seen.resources) for secret in (TOKEN, packed))


def test_a_script_that_cannot_be_read_is_unknown():
    config = scripted(OnStart="not base64!").named("setup")
    assert config.gaps["environment_secrets"].reason is Reason.UNPARSABLE
    assert scripted().named("setup").facts["environment_secrets"] == []
