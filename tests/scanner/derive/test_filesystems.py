"""What file systems hold, whether it can be brought back, what they write into buckets, and whether clients must speak TLS."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive import filesystems
from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import allow, deny, policy, when
from tests.scanner.derive.things import AFTER, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

FSX, EFS, LINK = "AWS::FSx::FileSystem", "AWS::EFS::FileSystem", "AWS::FSx::DataRepositoryAssociation"
JOB = "AWS::SageMaker::TrainingJob"
CLEAR = when(Bool={"aws:SecureTransport": "false"})


def of(store: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([store, *others], gaps, DERIVATIONS).fact(store, fact)


# TLS


def says(*statements: Any) -> bool:
    return filesystems.tls_only(policy(*statements))


def test_a_deny_of_everything_in_clear_text() -> None:
    assert says(deny(action="*", **CLEAR))
    assert says(deny(action="elasticfilesystem:*", **CLEAR))
    assert says(allow(), deny(action=["elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"], **CLEAR))
    assert says(deny(action="*", **when(StringEquals={"aws:SecureTransport": "false"})))
    assert says(deny(action="*", **when(StringNotEquals={"aws:SecureTransport": "true"})))


def test_clients_always_come_by_a_mount_target() -> None:
    both = when(Bool={"aws:SecureTransport": "false", "elasticfilesystem:AccessedViaMountTarget": "true"})
    never = when(Bool={"aws:SecureTransport": "false", "elasticfilesystem:AccessedViaMountTarget": "false"})
    assert says(deny(action="*", **both))
    assert not says(deny(action="*", **never))


@pytest.mark.parametrize(
    "statement",
    [
        deny(action="elasticfilesystem:ClientWrite", **CLEAR),  # reading goes on in clear text
        deny(action="*", principal={"AWS": "arn:aws:iam::111111111111:role/x"}, **CLEAR),
        deny(action="*", **when(Bool={"aws:SecureTransport": "true"})),
        deny(action="*", **when(Bool={"aws:SecureTransport": "false"}, StringEquals={"aws:PrincipalAccount": "111111111111"})),
        allow(action="*", **when(Bool={"aws:SecureTransport": "true"})),  # identity policies allow as well
        deny(action="*"),
        deny(action="*", **when(Bool={"aws:SecureTransport": "false"}, StringEquals={"aws:SecureTransport": "x"})),
    ],
)
def test_what_leaves_a_way(statement: Any) -> None:
    assert not says(statement)


def test_without_its_policy_nothing_is_said() -> None:
    assert of(thing("data_store", "e", EFS, {"policy_statements": DENIED}), "tls_only") is DENIED
    assert of(thing("data_store", "e", EFS, policy_statements=[]), "tls_only") is False


# what it holds


def lustre(gaps: dict[str, Gap] | None = None, **more: Any) -> Resource:
    facts = {"linked": False, "automatic_exports": [], "backup_enabled": False, "recovery_points": False, **more}
    facts = {k: v for k, v in facts.items() if k not in (gaps or {})}
    return thing("data_store", "fs", FSX, gaps, **facts)


def bucket(name: str, gaps: dict[str, Gap] | None = None, **tags: str) -> Resource:
    return thing("data_store", name, "AWS::S3::Bucket", gaps, id=f"arn:aws:s3:::{name}", tags=tags)


def test_the_data_tier() -> None:
    assert of(lustre(tags={"role": "dataset"}), "data_tier") is True
    assert of(lustre(linked=True), "data_tier") is True
    assert of(lustre(), "data_tier") is False
    assert of(lustre({"linked": DENIED}), "data_tier") is DENIED
    assert of(lustre({"linked": DENIED}, tags={"role": "checkpoint"}), "data_tier") is True


def test_a_passing_place_is_what_tags_call_one() -> None:
    assert of(lustre(linked=True, tags={"Purpose": "scratch space"}), "data_tier") is False
    assert of(lustre(linked=True, tags={"env": "staging"}), "data_tier") is True
    assert of(lustre({"tags": DENIED}, linked=True), "data_tier") is DENIED


def test_who_holds_checkpoints() -> None:
    assert of(lustre(tags={"Role": "checkpoint"}), "holds_checkpoints") is True
    assert of(lustre(tags={"Role": "dataset"}), "holds_checkpoints") is False
    assert of(lustre(tags={"Role": "checkpoint cache"}), "holds_checkpoints") is False
    target = bucket("ckpt", role="checkpoints")
    assert of(lustre(linked=True, automatic_exports=["s3://ckpt/a"]), "holds_checkpoints", target) is True
    assert of(lustre({"automatic_exports": DENIED}, linked=True), "holds_checkpoints") is DENIED
    assert of(lustre({"tags": DENIED}), "holds_checkpoints") is DENIED
    assert of(thing("data_store", "e", EFS, tags={"Role": "checkpoint"}), "holds_checkpoints") is True


def test_any_way_back_is_enough() -> None:
    assert of(lustre(backup_enabled=True), "backed_up") is True
    assert of(lustre(recovery_points=True), "backed_up") is True
    assert of(lustre(automatic_exports=["s3://x"]), "backed_up") is True
    assert of(lustre(), "backed_up") is False
    assert of(lustre({"recovery_points": DENIED}), "backed_up") is DENIED
    assert of(lustre({"recovery_points": DENIED}, automatic_exports=["s3://x"]), "backed_up") is True
    assert of(thing("data_store", "e", EFS, backup_enabled=False, recovery_points=False), "backed_up") is False


# exports


def link(uri: str, gaps: dict[str, Gap] | None = None) -> Resource:
    return thing("data_store", "dra", LINK, gaps, id="arn:aws:fsx:us-east-1:111111111111:association/fs/dra", export_uri=uri)


def job(**facts: Any) -> Resource:
    return thing("model_service", "j", JOB, id="arn:aws:sagemaker:us-east-1:111111111111:training-job/j", **facts)


def test_nothing_is_overwritten_where_nothing_is_exported() -> None:
    assert of(link(""), "overwrites_dataset") is False
    assert of(thing("data_store", "dra", LINK, {"export_uri": AFTER}), "overwrites_dataset") is AFTER


def test_the_bucket_s_tags_decide() -> None:
    assert of(link("s3://corpus/web"), "overwrites_dataset", bucket("corpus", purpose="dataset")) is True
    assert of(link("s3://corpus"), "overwrites_dataset", bucket("corpus", golden="yes")) is True
    assert of(link("s3://ckpt"), "overwrites_dataset", bucket("ckpt", role="checkpoint")) is False
    both = of(link("s3://mixed/a"), "overwrites_dataset", bucket("mixed", role="dataset", purpose="checkpoints"))
    assert both.reason is Reason.UNPARSABLE
    assert of(link("s3://dark"), "overwrites_dataset", bucket("dark", {"tags": DENIED})) is DENIED


def test_else_the_jobs_that_name_the_place() -> None:
    plain = bucket("b")
    assert of(link("s3://b/corpus"), "overwrites_dataset", plain, job(input_uris=["s3://b/corpus/en"])) is True
    assert of(link("s3://b/ckpt"), "overwrites_dataset", plain, job(checkpoint_uris=["s3://b/ckpt/run"])) is False
    # what a job writes is no dataset that was there before, whoever reads it next
    writes = job(input_uris=["s3://b/x"], output_uris=["s3://b/x"])
    assert of(link("s3://b/x"), "overwrites_dataset", plain, writes) is False
    assert of(link("s3://b/x"), "overwrites_dataset", plain, gaps={JOB: DENIED}) is DENIED


def test_where_nothing_says_what_a_place_holds_nobody_knows() -> None:
    plain = bucket("b")
    assert of(link("s3://b/x"), "overwrites_dataset", plain).reason is Reason.NOT_OFFERED
    assert of(link("s3://b/x"), "overwrites_dataset", plain, job(input_uris=["s3://b/corpus"])).reason is Reason.NOT_OFFERED
    # file systems are what is judged: they do not speak for themselves
    imports = lustre(linked=True, repository_uris=["s3://b"], export_uri="s3://b")
    assert of(imports, "overwrites_dataset", plain).reason is Reason.NOT_OFFERED


def test_a_bucket_that_was_not_seen_is_unknown() -> None:
    assert of(link("s3://elsewhere"), "overwrites_dataset").reason is Reason.NOT_OFFERED
    assert of(link("s3://elsewhere"), "overwrites_dataset", gaps={"AWS::S3::Bucket": DENIED}) is DENIED
    assert of(link("s3://elsewhere/x"), "overwrites_dataset", job(input_uris=["s3://elsewhere/x"])) is True


def test_plans_name_buckets_by_reference_or_by_name() -> None:
    golden = planned("data_store", "aws_s3_bucket.golden", "AWS::S3::Bucket", tags={"purpose": "dataset"})
    by_id = planned("data_store", "aws_fsx_data_repository_association.a", LINK, export_uri="plan/aws_s3_bucket.golden")
    assert of(by_id, "overwrites_dataset", golden) is True
    named = golden.replace(name="corpus")
    by_name = planned("data_store", "aws_fsx_lustre_file_system.a", FSX, export_uri="s3://corpus/x")
    assert of(by_name, "overwrites_dataset", named) is True
    assert of(by_name, "overwrites_dataset", golden).reason is Reason.NOT_OFFERED
