"""The answers that tests give are AWS's in shape, or the test fails."""

from __future__ import annotations

import pytest

from collectors.table import Call, Field, Table
from scanner.model import Reason
from tests.collectors.aws.answers import check, given

CLUSTERS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::Cluster",
    list=Call("sagemaker", "list_clusters", take="ClusterSummaries"),
    id=Field("item.ClusterArn"),
    name=Field("item.ClusterName"),
    detail={"cluster": Call("sagemaker", "describe_cluster", args={"ClusterName": "item.ClusterName"})},
    facts={"version": Field("cluster.NodeRecovery")},
)


def listed(*names):
    return {"ClusterSummaries": [{"ClusterName": n, "ClusterArn": f"arn:{n}"} for n in names]}


def test_answers_by_operation_and_argument():
    answers = {
        "sagemaker:list_clusters": [{**listed("a"), "NextToken": "2"}, listed("b", "c")],
        "sagemaker:describe_cluster:a": {"NodeRecovery": "None"},
        "sagemaker:describe_cluster:b": "AccessDeniedException",
        "sagemaker:describe_cluster": {"NodeRecovery": "Automatic"},
    }
    seen = given(CLUSTERS, answers=answers)
    assert [r.facts.get("version") for r in sorted(seen.resources, key=lambda r: r.id)] == ["None", None, "Automatic"]
    gap = seen.named("b").gaps["version"]
    assert (gap.reason, gap.call) == (Reason.DENIED, "sagemaker:DescribeCluster")


@pytest.mark.parametrize(
    "answer",
    [
        {"NodeRecoveri": "None"},
        {"NodeRecovery": ["None"]},
        {"InstanceGroups": [{"InstanceGroupNam": "x"}]},
        {"InstanceGroups": [{"CurrentCount": "1"}]},
    ],
    ids=str,
)
def test_an_answer_of_another_shape_fails(answer):
    with pytest.raises(ValueError, match=r"NodeRecover|InstanceGroup|CurrentCount"):
        check("sagemaker", "DescribeCluster", answer)
    with pytest.raises(AssertionError):
        given(CLUSTERS, answers={"sagemaker:list_clusters": listed("a"), "sagemaker:describe_cluster": answer})


def test_a_question_without_an_answer_fails():
    with pytest.raises(AssertionError):
        given(CLUSTERS, answers={"sagemaker:list_clusters": listed("a")})
