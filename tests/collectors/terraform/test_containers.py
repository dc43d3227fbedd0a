"""Registries, tasks, functions, launch templates and images, as plans write them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.plan import read_plan
from collectors.terraform.tables import containers
from scanner.model import Resource

OWN = "123456789012"
TASK = {"name": "main", "image": "quay.io/x/serve:1"}


def found(fixtures: Path, name: str) -> dict[str, Resource]:
    return {r.id.removeprefix("plan/"): r for r in read_plan(fixtures / "plans" / "types" / name / "plan.json").resources}


def shown(resource: Resource, *left_out: str) -> dict[str, Any]:
    return {k: v for k, v in resource.facts.items() if k not in left_out}


def test_registries(fixtures: Path) -> None:
    plan = found(fixtures, "06-containers")
    good = plan["aws_ecr_repository.good"]
    assert shown(good, "policy_statements") == {
        "store_type": "registry",
        "encrypted": True,
        "key_id": "plan/aws_kms_key.k",
        "tag_mutability": "immutable",
        "tag_exceptions": [],
        "upstream": "",
        "image_scanning": "on_push",
    }
    assert [s["principals"] for s in good.facts["policy_statements"]] == [[f"AWS:arn:aws:iam::{OWN}:root"]]
    bad, managed = plan["aws_ecr_repository.bad"], plan["aws_ecr_repository.managed"]
    for each in (bad, managed):
        assert (each.facts["key_id"], each.facts["tag_mutability"], each.facts["image_scanning"]) == ("", "mutable", "manual")
        assert each.gaps == {}
    assert [s["principals"] for s in bad.facts["policy_statements"]] == [["*"]]
    assert managed.facts["policy_statements"] == []
    assert shown(plan["aws_ecrpublic_repository.bad"]) == {"store_type": "registry", "shared_publicly": True}
    assert [s["principals"] for s in plan["aws_ecr_registry_policy.bad"].facts["policy_statements"]] == [["*"]]


def test_without_the_registry_of_the_plan_only_a_yes_is_known(make: Any) -> None:
    make.add("aws_ecr_repository.a", after={"name": "a"})
    make.add("aws_ecr_repository.b", after={"name": "b", "image_scanning_configuration": [{"scan_on_push": True}]})
    assert "image_scanning" in make.one("aws_ecr_repository.a").gaps
    assert make.one("aws_ecr_repository.b").facts["image_scanning"] == "on_push"


@pytest.mark.parametrize(("name", "answer"), [("hub/a", "quay.io"), ("train", "")], ids=["cache", "none"])
def test_caches_of_the_plan(make: Any, name: str, answer: str) -> None:
    make.add("aws_ecr_pull_through_cache_rule.q", after={"ecr_repository_prefix": "hub", "upstream_registry_url": "quay.io"})
    make.add("aws_ecr_repository.a", after={"name": name})
    assert make.one("aws_ecr_repository.a").facts["upstream"] == answer


@pytest.mark.parametrize(
    ("name", "filters", "answer"),
    [
        ("a/train", ["train"], "continuous"),
        ("a/train", ["train*"], "manual"),
        ("train/a", ["train*"], "continuous"),
        ("b", [], "manual"),
    ],
)
def test_filters_of_scanning(name: str, filters: list[str], answer: str) -> None:
    rules = [{"scan_frequency": "CONTINUOUS_SCAN", "repository_filter": [{"filter": f} for f in filters]}]
    assert containers.scanning(name, None, rules) == answer


def test_what_exists_already_may_have_a_policy_that_the_plan_does_not_show(make: Any) -> None:
    values = {"name": "a", "image_tag_mutability": "IMMUTABLE"}
    make.add("aws_ecr_repository.a", after=values, before=values, actions=("update",))
    assert {"policy_statements", "upstream"} <= make.one("aws_ecr_repository.a").gaps.keys()


def test_tasks(fixtures: Path) -> None:
    plan = found(fixtures, "06-containers")
    good, bad = plan["aws_ecs_task_definition.good"], plan["aws_ecs_task_definition.bad"]
    assert good.gaps == bad.gaps == {}
    image = f"{OWN}.dkr.ecr.us-east-1.amazonaws.com/tern/train@sha256:{'a' * 64}"
    assert (good.name, shown(good)) == (
        "tern-good",
        {
            "aws.account": OWN,
            "containers": [{"name": "serve", "type": "container", "image": image, "privileged": False, "accelerator": True}],
            "images": [image],
            "accelerator": True,
            "host_pid": False,
            "host_ipc": False,
            "host_network": False,
            "mounts": [{"volume": "data", "store_id": "plan/aws_efs_file_system.t", "tls": True}],
            "environment_secrets": [],
        },
    )
    assert shown(bad, "containers", "environment_secrets", "aws.account") == {
        "images": ["docker.io/someone/model:latest"],
        "accelerator": True,
        "host_pid": True,
        "host_ipc": False,
        "host_network": True,
        "mounts": [{"volume": "data", "store_id": "plan/aws_efs_file_system.t", "tls": False}],
    }
    assert [(s["kind"], s["location"]) for s in bad.facts["environment_secrets"]] == [("credential", "serve, API_KEY")]
    assert "plain-literal-value" not in repr(bad)


def test_secrets_of_a_task_are_read_as_the_account_tells_them(make: Any) -> None:
    container = TASK | {
        "environment": [{"name": "API_KEY", "value": "plain-literal-value"}],
        "command": ["serve", "--api-key", "abcd1234EFGH5678"],
        "logConfiguration": {"logDriver": "splunk", "options": {"splunk-token": "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"}},
        "healthCheck": {"command": ["CMD", "curl", "--password", "Tr1ton-2024!"]},
    }
    make.add("aws_ecs_task_definition.t", after={"family": "t", "container_definitions": json.dumps([container])})
    made = make.one("aws_ecs_task_definition.t")
    assert [(s["kind"], s["location"]) for s in made.facts["environment_secrets"]] == [
        ("credential", "main, API_KEY"),
        ("credential", "main, command line"),
        ("password", "main, command line"),
        ("credential", "main, splunk-token"),
    ]


def test_containers_that_are_not_known_yet_are_gaps(make: Any) -> None:
    make.add("aws_ecs_task_definition.t", after={"family": "t"}, late=("container_definitions",))
    made = make.one("aws_ecs_task_definition.t")
    assert {"containers", "images", "environment_secrets", "accelerator"} <= made.gaps.keys()
    assert made.facts["host_network"] is False
    make.add(
        "aws_ecs_task_definition.s", after={"family": "s", "container_definitions": "[]"}, sensitive={"container_definitions": True}
    )
    assert make.one("aws_ecs_task_definition.s").gaps["environment_secrets"].reason == "sensitive"


def test_functions(fixtures: Path) -> None:
    plan = found(fixtures, "09-edge")
    good, bad = plan["aws_lambda_function.good"], plan["aws_lambda_function.bad"]
    assert good.gaps == bad.gaps == {}
    assert [(s["kind"], s["location"]) for s in bad.facts["environment_secrets"]] == [("credential", "HUB_TOKEN")]
    assert (bad.facts["url_auth"], good.facts["url_auth"], good.facts["environment_secrets"]) == (["none"], ["identity"], [])
    assert [(s["principals"], [c["key"] for c in s["conditions"]]) for s in bad.facts["policy_statements"]] == [
        (["*"], ["lambda:functionurlauthtype"])
    ]
    assert [(s["principals"], [c["key"] for c in s["conditions"]]) for s in good.facts["policy_statements"]] == [
        (["Service:s3.amazonaws.com"], ["aws:sourceaccount"])
    ]
    assert "plain-literal-value" not in repr(bad)


def test_permissions_are_as_lambda_writes_them(make: Any) -> None:
    make.add("aws_lambda_function.f", after={"function_name": "f"}, late=("id", "arn"))
    make.add(
        "aws_lambda_permission.p",
        sets={"function_name": ["aws_lambda_function.f.function_name"], "action": "lambda:InvokeFunction", "principal": OWN},
        after={"qualifier": "live"},
    )
    (statement,) = make.one("aws_lambda_function.f").facts["policy_statements"]
    assert statement["principals"] == [f"AWS:arn:aws:iam::{OWN}:root"]
    assert statement["resources"] == ["plan/aws_lambda_function.f:live"]


def test_a_function_that_exists_may_have_more_than_the_plan_shows(make: Any) -> None:
    make.add("aws_lambda_function.f", after={"function_name": "f"}, before={"function_name": "f"}, actions=("update",))
    assert {"url_auth", "policy_statements"} <= make.one("aws_lambda_function.f").gaps.keys()


def test_launch_templates(fixtures: Path) -> None:
    plan = found(fixtures, "03-nodes")
    good, bad = plan["aws_launch_template.good"], plan["aws_launch_template.bad"]
    assert (good.name, shown(good)) == (
        "heron-good",
        {
            "instance_type": "p5.48xlarge",
            "accelerator": True,
            "metadata_token_required": True,
            "metadata_hop_limit": 1,
            "public_addresses": [],
            "subnet_ids": ["plan/aws_subnet.private"],
            "efa": True,
            "efa_firewall_ids": ["plan/aws_security_group.efa"],
            "ssh_key": "",
            "user_data_secrets": [],
            "device_volumes": [{"device": "/dev/xvda", "encryption": "on", "key_id": "plan/aws_kms_key.ebs"}],
        },
    )
    assert shown(bad, "user_data_secrets") == {
        "instance_type": "trn1.32xlarge",
        "accelerator": True,
        "public_addresses": ["assigned"],
        "subnet_ids": ["plan/aws_subnet.public"],
        "efa": False,
        "efa_firewall_ids": [],
        "ssh_key": "heron-ops",
        "device_volumes": [{"device": "/dev/xvda", "encryption": "off", "key_id": ""}],
    }
    assert [(s["kind"], s["location"]) for s in bad.facts["user_data_secrets"]] == [("password", "line 2")]
    # what it leaves out the account decides, and an image
    assert {"metadata_enabled", "metadata_token_required", "metadata_hop_limit", "container_host"} <= bad.gaps.keys()


def test_volumes_that_a_template_leaves_to_the_image_are_gaps(make: Any) -> None:
    mapping = {"device_name": "/dev/sda1", "ebs": [{"encrypted": None, "kms_key_id": None}]}
    make.add("aws_launch_template.a", after={"block_device_mappings": [mapping]})
    make.add("aws_launch_template.b", after={"block_device_mappings": []})
    mixed = [
        {"device_name": "/dev/sdb", "ebs": []},
        {"device_name": "/dev/sda1", "ebs": [{"encrypted": "true", "kms_key_id": "k"}]},
    ]
    make.add("aws_launch_template.c", after={"block_device_mappings": mixed})
    for name in "abc":
        assert "device_volumes" in make.one(f"aws_launch_template.{name}").gaps


def test_user_data_of_instances(fixtures: Path, make: Any) -> None:
    plan = found(fixtures, "03-nodes")
    assert plan["aws_instance.good"].facts["user_data_secrets"] == []
    assert plan["aws_instance.terse"].facts["user_data_secrets"] == [], "HF_HOME is no secret"
    assert "user_data_secrets" in plan["aws_instance.bad"].gaps, "the plan holds a hash"
    script = "#!/bin/sh\nexport DB_PASSWORD=Tr1ton-2024!\n"
    make.add("aws_instance.plain", after={"user_data": script})
    make.add("aws_instance.packed", after={"user_data_base64": base64.b64encode(script.encode()).decode()})
    for name in ("plain", "packed"):
        (secret,) = make.one(f"aws_instance.{name}").facts["user_data_secrets"]
        assert (secret["kind"], secret["location"]) == ("password", "line 2")


def test_images_and_blocks(fixtures: Path, make: Any) -> None:
    plan = found(fixtures, "03-nodes")
    assert shown(plan["aws_ami_launch_permission.bad"]) == {"store_type": "image", "shared_publicly": True}
    assert shown(plan["aws_ec2_image_block_public_access.off"]) == {"sharing_block": "none"}
    assert shown(plan["aws_ebs_snapshot_block_public_access.part"]) == {"sharing_block": "none"}
    make.add("aws_ami.golden", after={"name": "golden"}, late=("id", "arn"))
    make.add("aws_ami_copy.fair", after={"name": "fair"}, late=("id", "arn"))
    make.add("aws_ami_launch_permission.all", sets={"image_id": ["aws_ami_copy.fair.id"], "group": "all"})
    make.add("aws_ami_launch_permission.one", after={"image_id": "ami-1", "account_id": OWN})
    made = {r.id.removeprefix("plan/"): r for r in make.read().resources}
    assert made["aws_ami.golden"].facts["shared_publicly"] is False
    assert made["aws_ami_copy.fair"].facts["shared_publicly"] is True
    assert "aws_ami_launch_permission.all" not in made, "the image of the plan tells it"
    assert "shared_publicly" in made["aws_ami_launch_permission.one"].gaps
