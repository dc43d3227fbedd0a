"""Task definitions."""

from __future__ import annotations

import json

import pytest

from collectors.aws import ecs
from tests.collectors.aws.answers import given
from tests.collectors.aws.conftest import ACCOUNT

IMAGE = f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/train@sha256:" + "a" * 64


def test_the_latest_active_revision_of_each_family(boto, look):
    client = boto("ecs")
    plain = {"name": "main", "image": IMAGE, "memory": 512}
    client.register_task_definition(
        family="train", containerDefinitions=[plain | {"environment": [{"name": "API_KEY", "value": "old-literal-value"}]}]
    )
    client.register_task_definition(
        family="train",
        networkMode="awsvpc",
        containerDefinitions=[plain | {"resourceRequirements": [{"type": "GPU", "value": "8"}]}],
        volumes=[{"name": "data", "efsVolumeConfiguration": {"fileSystemId": "fs-1", "transitEncryption": "ENABLED"}}],
        tags=[{"key": "Zone", "value": "training"}],
    )
    client.register_task_definition(
        family="serve",
        networkMode="host",
        pidMode="host",
        ipcMode="host",
        containerDefinitions=[
            {
                "name": "main",
                "image": "quay.io/x/serve:1",
                "memory": 512,
                "privileged": True,
                "environment": [{"name": "API_KEY", "value": "plain-literal-value"}],
                "command": ["serve", "--api-key", "abcd1234EFGH5678"],
                "logConfiguration": {"logDriver": "splunk", "options": {"splunk-token": "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"}},
            },
            plain | {"name": "side", "linuxParameters": {"devices": [{"hostPath": "/dev/neuron0"}]}},
        ],
        volumes=[{"name": "data", "efsVolumeConfiguration": {"fileSystemId": "fs-1"}}, {"name": "tmp", "host": {}}],
    )
    seen = look(ecs.TASKS)
    assert {c.operation: c.outcome for c in seen.asked}.keys() == {"list_task_definition_families", "describe_task_definition"}
    assert seen.ids() == [f"arn:aws:ecs:us-east-1:{ACCOUNT}:task-definition/{n}" for n in ("serve", "train")]
    train, serve = seen.named("train"), seen.named("serve")
    assert train.gaps == serve.gaps == {}
    assert train.tags == {"Zone": "training"}
    store = f"arn:aws:elasticfilesystem:us-east-1:{ACCOUNT}:file-system/fs-1"
    assert dict(train.facts) == {
        "aws.account": ACCOUNT,
        "aws.revision": 2,
        "containers": [{"name": "main", "type": "container", "image": IMAGE, "privileged": False, "accelerator": True}],
        "images": [IMAGE],
        "accelerator": True,
        "host_pid": False,
        "host_ipc": False,
        "host_network": False,
        "mounts": [{"volume": "data", "store_id": store, "tls": True}],
        "environment_secrets": [],
    }
    secrets = serve.facts["environment_secrets"]
    assert [(s["kind"], s["location"]) for s in secrets] == [
        ("credential", "main, API_KEY"),
        ("credential", "main, command line"),
        ("credential", "main, splunk-token"),
    ]
    assert {k: serve.facts[k] for k in ("accelerator", "host_pid", "host_ipc", "host_network", "mounts")} == {
        "accelerator": True,
        "host_pid": True,
        "host_ipc": True,
        "host_network": True,
        "mounts": [{"volume": "data", "store_id": store, "tls": False}],
    }
    kept = json.dumps(seen.answers) + repr(seen.resources)
    assert not [s for s in ("plain-literal-value", "abcd1234EFGH5678", "0f1e2d3c-4b5a") if s in kept]


def test_a_refused_description_leaves_the_family_with_gaps():
    seen = given(
        ecs.TASKS,
        answers={
            "ecs:list_task_definition_families": {"families": ["train"]},
            "ecs:describe_task_definition": "AccessDeniedException",
        },
    )
    (found,) = seen.resources
    assert {n: g.reason for n, g in found.gaps.items()} == dict.fromkeys(
        (set(ecs.TASKS.facts) - {"aws.account"}) | {"tags"}, "denied"
    )
    assert {c.extent for c in seen.coverages} == {"complete"}


def test_only_active_families_are_asked_for():
    assert ecs.TASKS.list.fixed == {"status": "ACTIVE"}  # NOTE: moto lists the others as well


def test_an_environment_that_is_no_list_is_unknown_and_not_kept():
    broken = {"name": "main", "image": IMAGE, "environment": "API_KEY=plain-literal-value"}
    kept = ecs.REDUCE["environment"]
    with pytest.raises(TypeError):
        kept(broken["environment"])
    with pytest.raises(TypeError):
        ecs.environment_secrets([broken])


@pytest.mark.parametrize(
    ("container", "answer"),
    [
        ({}, False),
        ({"resourceRequirements": [{"type": "GPU", "value": "1"}]}, True),
        ({"resourceRequirements": [{"type": "InferenceAccelerator", "value": "eia"}]}, True),
        ({"linuxParameters": {"devices": [{"hostPath": "/dev/neuron0"}]}}, True),
        ({"linuxParameters": {"devices": [{"hostPath": "/dev/fuse"}]}}, False),
        ({"linuxParameters": {}}, False),
    ],
)
def test_accelerated(container, answer):
    assert ecs.accelerated(container) is answer
