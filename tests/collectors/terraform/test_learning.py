"""Models, Studio and scripts in plans made by Terraform."""

from __future__ import annotations

import base64
import functools
import json
from typing import Any

import pytest

from collectors.terraform.plan import read_plan
from collectors.terraform.tables import learning
from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.conftest import ROOT
from tests.scanner.derive.worlds import MemoryWorld

PLAN = ROOT / "fixtures" / "plans" / "types" / "07-ml" / "plan.json"
SUBNET, GROUP, KEY, VPC = "plan/aws_subnet.ml", "plan/aws_security_group.ml", "plan/aws_kms_key.ml", "plan/aws_vpc.ml"


@functools.cache
def planned() -> dict[str, Resource]:
    return {r.id.removeprefix("plan/aws_"): r for r in read_plan(PLAN).resources}


@pytest.mark.parametrize(
    ("address", "facts"),
    [
        (
            "sagemaker_model.good",
            {
                "service_type": "model",
                "model_ids": [],
                "aws.account": "123456789012",
                "identity": "plan/aws_iam_role.exec_good",
                "network_isolation": True,
                "subnet_ids": [SUBNET],
                "firewall_ids": [GROUP],
                "input_uris": ["s3://petrel-models/a/model.tar.gz"],
                "images": [f"763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-inference@sha256:{'b' * 64}"],
                "environment_secrets": [],
            },
        ),
        (
            "sagemaker_domain.good",
            {
                "service_type": "domain",
                "encrypted": True,
                "key_id": KEY,
                "direct_internet": False,
                "network_id": VPC,
                "subnet_ids": [SUBNET],
                "firewall_ids": [],
                "output_written": False,
                "output_key_id": "",
                "managed_by": "",
                "identities": ["plan/aws_iam_role.exec_good"],
            },
        ),
        (
            "sagemaker_domain.bad",
            {
                "service_type": "domain",
                "encrypted": True,
                "key_id": "",
                "direct_internet": True,
                "network_id": VPC,
                "subnet_ids": [SUBNET],
                "firewall_ids": [],
                "output_written": True,
                "output_key_id": "",
                "managed_by": "",
                "identities": ["plan/aws_iam_role.exec_bad"],
            },
        ),
        (
            "sagemaker_data_quality_job_definition.good",
            {
                "service_type": "monitoring",
                "instance_types": ["ml.m5.xlarge"],
                "node_count": 2,
                "serverless": False,
                "subnet_ids": [SUBNET],
                "firewall_ids": [GROUP],
                "network_isolation": True,
                "traffic_encrypted": True,
            },
        ),
        (
            "sagemaker_data_quality_job_definition.bad",
            {
                "service_type": "monitoring",
                "instance_types": ["ml.m5.xlarge"],
                "node_count": 4,
                "serverless": False,
                "subnet_ids": [],
                "firewall_ids": [],
                "network_isolation": False,
                "traffic_encrypted": False,
            },
        ),
    ],
)
def test_whole_resources(address: str, facts: dict[str, Any]) -> None:
    assert (planned()[address].facts, planned()[address].gaps) == (facts, {})


def test_what_is_wrong_is_seen() -> None:
    model = planned()["sagemaker_model.bad"].facts
    assert (model["network_isolation"], model["subnet_ids"], model["input_uris"]) == (False, [], [])
    assert [f["location"] for f in model["environment_secrets"]] == ["SERVICE_PASSWORD"]
    script = planned()["sagemaker_notebook_instance_lifecycle_configuration.bad"].facts
    assert [f["location"] for f in script["environment_secrets"]] == ["OnStart, line 2"]
    text = str([r.facts for r in planned().values()])
    assert "plain-literal-value" not in text
    assert "hunter-two" not in text


def test_endpoint_configurations_name_their_models_and_buckets() -> None:
    good, bad = (planned()[f"sagemaker_endpoint_configuration.{name}"].facts for name in ("good", "bad"))
    assert (good["model_ids"], good["interactive_access"]) == (["plan/aws_sagemaker_model.good"], False)
    assert (bad["model_ids"], bad["interactive_access"]) == (["plan/aws_sagemaker_model.bad"], True)
    assert (good["output_uris"], bad["output_uris"]) == (["s3://petrel-capture/"], ["s3://petrel-async/"])


def test_a_models_subnets_are_looked_up_in_the_plan() -> None:
    model = planned()["sagemaker_model.good"]
    world = MemoryWorld(planned().values(), None, DERIVATIONS)
    assert world.fact(model, "internet_route") in (False, True)
    assert isinstance(world.fact(model, "served"), Gap), "the plan has no endpoint for it"
    assert world.fact(planned()["sagemaker_model.bad"], "served") is True
    assert world.fact(planned()["subnet.ml"], "ai_role") != "none"


# ---- a plan by hand


def plan(*changes: tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]) -> bytes:
    """A plan that makes resources: (address, values, what is unknown, expressions)."""
    return json.dumps(
        {
            "format_version": "1.2",
            "terraform_version": "1.11.4",
            "resource_changes": [
                {
                    "address": address,
                    "mode": "managed",
                    "type": address.split(".")[0],
                    "name": address.split(".")[1],
                    "provider_name": "registry/hashicorp/aws",
                    "change": {
                        "actions": ["create"],
                        "before": None,
                        "after": after,
                        "after_unknown": {"id": True, "arn": True, **unknown},
                        "before_sensitive": False,
                        "after_sensitive": {},
                    },
                }
                for address, after, unknown, _ in changes
            ],
            "configuration": {
                "root_module": {
                    "resources": [
                        {
                            "address": address,
                            "mode": "managed",
                            "type": address.split(".")[0],
                            "name": address.split(".")[1],
                            "provider_config_key": "aws",
                            "expressions": expressions,
                        }
                        for address, _, _, expressions in changes
                    ]
                }
            },
        }
    ).encode()


def read(tmp_path: Any, *changes: Any) -> dict[str, Resource]:
    path = tmp_path / "plan.json"
    path.write_bytes(plan(*changes))
    return {r.id.removeprefix("plan/aws_"): r for r in read_plan(path).resources}


BUCKET: tuple[Any, ...] = ("aws_s3_bucket.w", {"bucket": None, "tags_all": {}}, {"bucket": True}, {})


def test_a_bucket_that_is_known_after_apply_is_still_the_models(tmp_path: Any) -> None:
    references = ["aws_s3_bucket.w.id", "aws_s3_bucket.w"]
    model = (
        "aws_sagemaker_model.m",
        {"name": "m", "primary_container": [{"image": "i"}], "vpc_config": []},
        {"primary_container": [{"model_data_url": True}]},
        {
            "name": {"constant_value": "m"},
            "primary_container": [{"image": {"constant_value": "i"}, "model_data_url": {"references": references}}],
        },
    )
    found = read(tmp_path, BUCKET, model)
    assert found["sagemaker_model.m"].facts["input_uris"] == ["plan/aws_s3_bucket.w"]
    assert MemoryWorld(found.values(), None, DERIVATIONS).fact(found["s3_bucket.w"], "data_roles") == ["model"]


def test_what_is_known_after_apply_is_unknown(tmp_path: Any) -> None:
    model = (
        "aws_sagemaker_model.m",
        {"name": "m", "primary_container": [{"image": "i"}], "vpc_config": [{}]},
        {
            "primary_container": [{"model_data_url": True}],
            "vpc_config": [{"subnets": True, "security_group_ids": True}],
            "enable_network_isolation": True,
        },
        {
            "primary_container": [{"image": {"constant_value": "i"}, "model_data_url": {"references": ["local.url"]}}],
            "vpc_config": [{"subnets": {"references": ["local.subnets"]}, "security_group_ids": {"references": ["local.groups"]}}],
            "enable_network_isolation": {"references": ["local.isolated"]},
        },
    )
    made = read(tmp_path, model)["sagemaker_model.m"]
    assert {f: made.gaps[f].reason for f in ("input_uris", "network_isolation", "subnet_ids")} == dict.fromkeys(
        ("input_uris", "network_isolation", "subnet_ids"), Reason.KNOWN_AFTER_APPLY
    )
    assert made.facts["images"] == ["i"]


def test_a_script_that_is_not_base64_is_unknown(tmp_path: Any) -> None:
    scripted: tuple[Any, ...] = (
        "aws_sagemaker_notebook_instance_lifecycle_configuration.x",
        {"name": "x", "on_start": "not base64!"},
        {},
        {},
    )
    (made,) = read(tmp_path, scripted).values()
    assert isinstance(made.gaps["environment_secrets"], Gap)
    with pytest.raises(ValueError, match="base64"):
        learning.script_secrets(None, "not base64!")


def test_scripts_are_read_alike() -> None:
    packed = base64.b64encode(b"#!/bin/bash\nexport WANDB_PASSWORD=hunter-two-hunter\n").decode()
    (found,) = learning.script_secrets(packed, None)
    assert (found["location"], found["kind"]) == ("OnCreate, line 2", "password")
