"""Where images come from."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.images import DERIVATIONS, source
from scanner.model import Gap, Reason
from tests.scanner.derive.things import ACCOUNT, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

TASK = "AWS::ECS::TaskDefinition"
DIGEST = "@sha256:" + "a" * 64


def sources(task: Any) -> Any:
    return MemoryWorld([task], None, DERIVATIONS).fact(task, "image_sources")


def task(*images: str) -> Any:
    return thing("workload", "t", TASK, images=list(images), id=f"arn:aws:ecs:us-east-1:{ACCOUNT}:task-definition/t")


@pytest.mark.parametrize(
    ("image", "answer"),
    [
        (f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/train", "own"),
        (f"{ACCOUNT}.dkr.ecr-fips.us-gov-west-1.amazonaws.com/train", "own"),
        (f"{ACCOUNT}.dkr.ecr.cn-north-1.amazonaws.com.cn/train", "own"),
        (f"{ACCOUNT}.dkr-ecr.us-east-1.on.aws/train", "own"),
        ("222222222222.dkr.ecr.us-east-1.amazonaws.com/train", "foreign"),
        ("763104351884.dkr.ecr.us-west-2.amazonaws.com/pytorch-training:2.6", "provider"),
        ("683313688378.dkr.ecr.us-east-1.amazonaws.com/sagemaker-scikit-learn:1.2", "provider"),
        ("docker.io/someone/model:latest", "public"),
        ("nvcr.io/nvidia/pytorch:26.01-py3", "public"),
        ("vllm", "public"),
        # a host that only begins like a registry of the account
        (f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com.example.net/train", "public"),
        (f"evil.example/{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/train", "public"),
    ],
)
def test_source(image: str, answer: str) -> None:
    assert source(image, ACCOUNT) == answer
    assert sources(task(image + DIGEST)) == [{"image": image + DIGEST, "source": answer, "digest": True}]
    assert [s["digest"] for s in sources(task(image))] == [False]


def test_no_image_is_an_answer() -> None:
    assert sources(task()) == []


def test_gaps_travel() -> None:
    assert sources(thing("workload", "t", TASK, {"images": DENIED})) is DENIED


def test_a_plan_that_names_no_account_does_not_know_whose_registry_it_is() -> None:
    own = f"{ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/train"
    answer = sources(planned("workload", "aws_ecs_task_definition.t", TASK, images=[own, "quay.io/x"]))
    assert isinstance(answer, Gap)
    assert answer.reason is Reason.NOT_OFFERED
    told = planned("workload", "aws_ecs_task_definition.t", TASK, images=[own], aws__account=ACCOUNT)
    assert [s["source"] for s in sources(told)] == ["own"]
    public = planned("workload", "aws_ecs_task_definition.t", TASK, images=["quay.io/x"])
    assert [s["source"] for s in sources(public)] == ["public"]
