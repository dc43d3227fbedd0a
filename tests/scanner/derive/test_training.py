"""What identities of training jobs may do to the data they learn from."""

from __future__ import annotations

from typing import Any

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import OTHER, OWN, allow, deny, grant, policy, trust
from tests.scanner.derive.test_privileges import identity
from tests.scanner.derive.things import planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

JOB, STORE = "AWS::SageMaker::TrainingJob", "AWS::S3::Bucket"
SAGEMAKER = policy(trust({"Service": "sagemaker.amazonaws.com"}))
TRAINER = f"arn:aws:iam::{OWN}:role/trainer"


def trainer(*found: dict[str, Any], **more: Any) -> Resource:
    return identity("trainer", *found, **{"trust_statements": SAGEMAKER, **more})


def job(name: str = "j", who: str = TRAINER, gaps: dict[str, Gap] | None = None, **uris: list[str]) -> Resource:
    facts = {"identity": who, "input_uris": ["s3://corpus/clean/"], "output_uris": [], "checkpoint_uris": [], **uris}
    known = {k: v for k, v in facts.items() if k not in (gaps or {})}
    arn = f"arn:aws:sagemaker:us-east-1:{OWN}:training-job/{name}"
    return thing("model_service", name, JOB, gaps, id=arn, service_type="training_job", **known)


def bucket(name: str = "corpus", *found: dict[str, Any], gaps: dict[str, Gap] | None = None, **more: Any) -> Resource:
    known = {} if gaps else {"policy_statements": policy(*found)}
    return thing("data_store", name, STORE, gaps, id=f"arn:aws:s3:::{name}", **{"scope": OWN, **known, **more})


def writes(role: Resource, *others: Resource, gaps: dict[str, Gap] | None = None, fact: str = "training_writes") -> Any:
    return MemoryWorld([role, *others], gaps, DERIVATIONS).fact(role, fact)


def test_readers_pass_and_writers_are_named() -> None:
    reads = grant(["s3:GetObject", "s3:ListBucket"], ["arn:aws:s3:::corpus", "arn:aws:s3:::corpus/*"])
    assert writes(trainer(reads), job(), bucket()) == []
    assert writes(trainer(grant("s3:PutObject", "arn:aws:s3:::corpus/*")), job(), bucket()) == ["s3:PutObject on s3://corpus/clean"]
    everything = writes(trainer(grant("s3:*")), job(), bucket())
    assert everything == [
        "s3:DeleteObject on s3://corpus/clean",
        "s3:PutBucketPolicy on s3://corpus",
        "s3:PutLifecycleConfiguration on s3://corpus",
        "s3:PutObject on s3://corpus/clean",
    ]


def test_prefixes_are_compared_not_buckets() -> None:
    put = trainer(grant("s3:PutObject", "arn:aws:s3:::corpus/results/*"))
    assert writes(put, job(output_uris=["s3://corpus/results/"]), bucket()) == []
    wide = trainer(grant("s3:PutObject", "arn:aws:s3:::corpus/*"))
    assert writes(wide, job(output_uris=["s3://corpus/results/"]), bucket()) == ["s3:PutObject on s3://corpus/clean"]
    nested = job(input_uris=["s3://corpus/"], checkpoint_uris=["s3://corpus/ckpt/"])
    assert writes(wide, nested, bucket()) == ["s3:PutObject on s3://corpus"]
    assert writes(wide, job(output_uris=["s3://corpus/"]), bucket()) == [], "its jobs keep their results there"


def test_the_buckets_own_policy_joins_in() -> None:
    put = allow({"AWS": TRAINER}, "s3:PutObject", "arn:aws:s3:::corpus/*")
    assert writes(trainer(), job(), bucket("corpus", put)) == ["s3:PutObject on s3://corpus/clean"]
    stop = deny("*", ["s3:PutObject", "s3:DeleteObject", "s3:Put*"], "*")
    assert writes(trainer(grant("s3:*")), job(), bucket("corpus", stop)) == []
    assert writes(trainer(), job(), bucket(gaps={"policy_statements": DENIED})) is DENIED
    assert writes(trainer(grant("s3:*")), job(), bucket(gaps={"policy_statements": DENIED})) is DENIED, "it may deny"


def test_what_every_writer_can_arrange_stops_nobody() -> None:
    # the guards of most buckets: TLS, its version, and how objects are encrypted
    put = trainer(grant("s3:PutObject", "arn:aws:s3:::corpus/*"))
    guards = [
        deny("*", "s3:*", "*", Condition={"Bool": {"aws:SecureTransport": "false"}}),
        deny("*", "s3:*", "*", Condition={"NumericLessThan": {"s3:TlsVersion": "1.2"}}),
        deny("*", "s3:PutObject", "*", Condition={"StringNotEquals": {"s3:x-amz-server-side-encryption": "aws:kms"}}),
    ]
    assert writes(put, job(), bucket("corpus", *guards)) == ["s3:PutObject on s3://corpus/clean"]
    old = deny("*", "s3:*", "*", Condition={"NumericGreaterThan": {"s3:TlsVersion": "0"}})
    hidden = deny("*", "s3:*", "*", Condition={"NumericLessThanIfExists": {"s3:TlsVersion": "9"}})
    assert writes(put, job(), bucket("corpus", old, hidden)) == []


def test_buckets_of_others() -> None:
    wide = trainer(grant("s3:PutObject"))
    assert isinstance(writes(wide, job()), Gap), "the bucket is another account's, whose policy has to allow as well"
    assert writes(trainer(grant("s3:GetObject")), job()) == []
    assert writes(trainer(), job(), gaps={STORE: DENIED}) is DENIED, "it may be ours, with a policy that allows"
    theirs = bucket("corpus", allow({"AWS": OWN}, "s3:PutObject", "*"), scope=OTHER)
    assert writes(wide, job(), theirs) == ["s3:PutObject on s3://corpus/clean"]


def test_golden_datasets_count_too() -> None:
    golden = bucket("golden", tags={"golden": "true"})
    put = trainer(grant("s3:PutObject", "arn:aws:s3:::golden/*"))
    assert writes(put, job(), bucket(), golden) == ["s3:PutObject on s3://golden"]
    assert writes(trainer(grant("s3:GetObject")), job(), bucket(), golden) == []
    maybe = bucket("golden").replace(gaps={"tags": DENIED})
    assert writes(put, job(), bucket(), maybe) is DENIED, "it may be tagged so"
    assert writes(trainer(grant("s3:GetObject")), job(), bucket(), maybe) == []
    assert writes(put, job(), bucket(), gaps={STORE: DENIED}) is DENIED, "there may be golden buckets that nobody saw"


def test_who_trains() -> None:
    assert writes(trainer(), job(), fact="trains") is True
    assert writes(trainer(), job(who=f"{TRAINER}-2"), fact="trains") is False
    assert writes(trainer(), gaps={JOB: DENIED}, fact="trains") is DENIED
    assert writes(trainer(trust_statements=[]), gaps={JOB: DENIED}, fact="trains") is False, "SageMaker may not take it"
    assert writes(trainer(), job(gaps={"identity": DENIED}), fact="trains") is DENIED
    off = Gap(Reason.SERVICE_OFF, "sagemaker:ListTrainingJobs", "")
    assert writes(trainer(), gaps={JOB: off}, fact="trains") is False
    plan = planned("identity", "aws_iam_role.trainer", trust_statements=SAGEMAKER)
    assert isinstance(writes(plan, fact="trains"), Gap)


def test_what_a_job_reads_may_be_unknown() -> None:
    hidden = job(gaps={"input_uris": DENIED})
    assert writes(trainer(grant("s3:GetObject")), hidden, bucket()) is DENIED
    assert writes(trainer(grant("s3:PutObject")), hidden, job("k"), bucket()) == ["s3:PutObject on s3://corpus/clean"]
