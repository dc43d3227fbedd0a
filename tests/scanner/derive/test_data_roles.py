"""What the AI factory keeps in which bucket."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive import data_roles
from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from scanner.rules.library import kinds
from tests.scanner.derive.things import AFTER, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

TRAINING, MODEL, CAPTURE = "AWS::SageMaker::TrainingJob", "AWS::SageMaker::Model", "AWS::SageMaker::EndpointConfig"
OFF = Gap(Reason.SERVICE_OFF, "sagemaker:ListTrainingJobs")
NOT_ASKED = Gap(Reason.NOT_OFFERED, "", "Not collected.")


def bucket(name: str, **more: Any) -> Resource:
    return thing("data_store", name, id=f"arn:aws:s3:::{name}", store_type="bucket", **more)


def job(name: str = "train", native: str = TRAINING, gaps: dict[str, Gap] | None = None, **uris: Any) -> Resource:
    empty: dict[str, Any] = {f"{fact}_uris": [] for fact in ("input", "output", "checkpoint") if f"{fact}_uris" not in (gaps or {})}
    return thing("model_service", name, native, gaps, **{**empty, **uris})


def seen(subject: Resource, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, "data_roles")


def holds(subject: Resource, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, "holds_data")


def part(subject: Resource, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, "ai_role")


LLM = job(input_uris=["s3://corpus/v3/"], output_uris=["s3://runs"], checkpoint_uris=["s3://ckpt/llm"])
CLEANER = job("clean", "AWS::SageMaker::ProcessingJob", output_uris=["s3://corpus/clean"])


def test_every_role_is_in_the_kind() -> None:
    assert tuple(kinds()["data_store"]["properties"]["data_roles"]["items"]["enum"]) == data_roles.ROLES


@pytest.mark.parametrize(
    ("name", "roles"),
    [("corpus", ["input", "golden"]), ("runs", ["output"]), ("ckpt", ["checkpoint"]), ("other", []), ("corpus-logs", [])],
)
def test_what_a_training_job_names(name: str, roles: list[str]) -> None:
    assert seen(bucket(name), LLM) == roles
    assert part(bucket(name), LLM) == ("data" if roles else "none")


def test_models_endpoints_file_systems_and_knowledge_bases() -> None:
    model = job("m", MODEL, input_uris=["s3://weights/llm/model.tar.gz"])
    capture = job("e", CAPTURE, output_uris=["s3://captured/chat"])
    lustre = thing("data_store", "fs", "AWS::FSx::FileSystem", repository_uris=["s3://corpus/lustre"])
    knowledge = job("kb", "AWS::Bedrock::DataSource", input_uris=["arn:aws:s3:::manuals"])
    others = (model, capture, lustre, knowledge)
    found = {name: seen(bucket(name), *others) for name in ("weights", "captured", "corpus", "manuals")}
    assert found == {
        "weights": ["model"],
        "captured": ["output"],
        "corpus": ["input", "golden"],
        "manuals": ["input", "golden"],
    }


@pytest.mark.parametrize(
    ("tags", "roles"),
    [
        ({"purpose": "training-dataset"}, ["input", "golden"]),
        ({"data-classification": "checkpoints"}, ["checkpoint"]),
        ({"data-class": "training-data"}, ["input", "golden"]),
        ({"example.com/DataRole": "model weights"}, ["model"]),
        ({"usage": "model-serving"}, []),
        ({"golden": "true", "purpose": "website"}, ["golden"]),
        ({"golden": "no"}, []),
        ({"purpose": "build artifacts"}, []),
        ({"Name": "dataset"}, []),
    ],
    ids=str,
)
def test_tags(tags: dict[str, str], roles: list[str]) -> None:
    assert seen(bucket("b", tags=tags)) == roles


def test_what_something_writes_to_is_not_golden_unless_it_is_tagged_so() -> None:
    writer = CLEANER
    assert seen(bucket("corpus"), LLM, writer) == ["input", "output"]
    assert seen(bucket("corpus", tags={"golden": "yes"}), LLM, writer) == ["input", "output", "golden"]


def test_what_was_not_seen_is_a_gap_unless_something_else_says_so() -> None:
    denied = {TRAINING: DENIED}
    assert seen(bucket("b"), gaps=denied) == DENIED
    assert part(bucket("b"), gaps=denied) == DENIED
    assert part(bucket("b", tags={"purpose": "management"}), gaps=denied) == "management"
    dataset = bucket("corpus", tags={"purpose": "dataset"})
    assert (holds(dataset, gaps=denied), seen(dataset, gaps=denied)) == (True, DENIED), "a rule may ask for another role"
    dark = job("dark", gaps={"input_uris": DENIED})
    assert (holds(bucket("b"), dark), seen(bucket("b"), dark)) == (DENIED, DENIED)
    assert (holds(bucket("ckpt"), dark, LLM), seen(bucket("ckpt"), dark, LLM)) == (True, DENIED)
    untagged = bucket("b").replace(gaps={"tags": DENIED})
    assert (holds(untagged), seen(untagged)) == (DENIED, DENIED)
    used = bucket("ckpt").replace(gaps={"tags": DENIED})
    assert (holds(used, LLM), seen(used, LLM)) == (True, DENIED), "its tags may call it golden"


def test_where_the_service_is_not_there_nothing_names_a_bucket() -> None:
    assert seen(bucket("b"), gaps={TRAINING: OFF}) == []


def test_the_role_asks_for_nothing_of_its_own() -> None:
    assert seen(bucket("b"), gaps={TRAINING: NOT_ASKED}) == NOT_ASKED
    assert part(bucket("b"), gaps={TRAINING: NOT_ASKED}) == "none"
    assert part(bucket("b"), gaps={TRAINING: NOT_ASKED, MODEL: DENIED}) == DENIED


def test_a_bucket_of_one_account_may_be_named_by_another() -> None:
    assert seen(bucket("runs", scope="222222222222"), LLM) == ["output"]


def test_a_plan_is_looked_at_by_itself() -> None:
    model = planned("model_service", "aws_sagemaker_model.m", MODEL, input_uris=["s3://weights/llm"])
    by_id = planned("model_service", "aws_sagemaker_model.n", MODEL, input_uris=["plan/aws_s3_bucket.w"])
    mine = planned("data_store", "aws_s3_bucket.w", store_type="bucket")
    named = mine.replace(name="weights")
    assert seen(mine, LLM, by_id, gaps={TRAINING: NOT_ASKED}) == ["model"]
    assert seen(named, model) == ["model"]
    assert seen(named, LLM, gaps={TRAINING: NOT_ASKED}) == []
    assert seen(bucket("weights"), model) == []
    later = planned("model_service", "aws_sagemaker_model.l", MODEL, {"input_uris": AFTER})
    assert seen(named, later) == AFTER
    assert (holds(named, later, model), seen(named, later, model)) == (True, AFTER)


@pytest.mark.parametrize(
    ("gaps", "others", "answer"),
    [
        (None, (LLM,), True),
        ({MODEL: DENIED}, (LLM,), DENIED),
        (None, (), False),
        ({MODEL: DENIED}, (), DENIED),
        ({MODEL: DENIED}, (LLM, CLEANER), False),
    ],
    ids=["read only", "perhaps written", "nothing", "dark", "written, whatever else"],
)
def test_golden(gaps: Any, others: Any, answer: Any) -> None:
    world = MemoryWorld([bucket("corpus"), *others], gaps, DERIVATIONS)
    assert data_roles.golden(bucket("corpus"), world) == answer
    assert world.fact(bucket("corpus"), "golden") == answer


def test_what_may_be_tagged_golden_is_not_said_to_be_something_else() -> None:
    untagged = bucket("ckpt").replace(gaps={"tags": DENIED})
    assert MemoryWorld([untagged, LLM], None, DERIVATIONS).fact(untagged, "golden") == DENIED
    unlisted = MemoryWorld([bucket("weights"), job("m", MODEL, input_uris=["s3://weights"])], {TRAINING: DENIED}, DERIVATIONS)
    assert unlisted.fact(bucket("weights"), "golden") == DENIED, "a job that was not seen may read it"


def test_one_pass_whatever_the_number_of_buckets() -> None:
    buckets = [bucket(f"b{i}") for i in range(200)]
    world = MemoryWorld([*buckets, LLM], None, DERIVATIONS)
    for one in buckets:
        world.fact(one, "data_roles")
    assert world.reads <= 202
