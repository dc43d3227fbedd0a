"""Given answers in AWS's place: for operations that moto lacks.

    seen = given(TABLE, answers={
        "fsx:describe_file_systems": {"FileSystems": [...]},           # an answer
        "sagemaker:describe_cluster:train": {"ClusterName": "train"},   # ... to a call one of whose arguments is (or holds) "train"
        "bedrock:list_guardrails": [{"guardrails": [...], "nextToken": "2"}, {"guardrails": []}],  # ... in pages
        "ecr:get_repository_policy": "RepositoryPolicyNotFoundException",  # an error code
    })

Every answer is checked against the output shape in botocore's model: a member that AWS does not have, or of another type, fails the
test. So does a question to which no answer was given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError
from botocore.session import get_session

from collectors.ask import Fault
from collectors.aws import client
from collectors.aws.shapes import DECODED, Shapes
from collectors.demand import Demand
from collectors.run import Scope, collect
from collectors.table import Call, Table
from scanner.model import JSON, Source
from tests.collectors.aws.conftest import ACCOUNT, HOME, SINCE, Seen

Answers = Mapping[str, Mapping[str, Any] | Sequence[Mapping[str, Any]] | str]
SCANNER = f"arn:aws:iam::{ACCOUNT}:user/scanner"


class Given:
    """A client that has the answers by heart; see the module."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.asked: list[str] = []
        """Questions as `service:operation`, in order."""
        self.wrong: list[str] = []
        """What the test did not give, or gave in a shape that AWS does not answer with."""

    def pages(self, question: Call, args: Mapping[str, Any], region: str) -> Iterator[tuple[JSON, int]]:
        """See `collectors.ask.Client`."""
        del region
        name = f"{question.service}:{question.operation}"
        self.asked.append(name)
        flat = [v for value in args.values() for v in (value if isinstance(value, list) else [value])]
        keys = [*(f"{name}:{value}" for value in flat if isinstance(value, str)), name]
        found = next((self._answers[key] for key in keys if key in self._answers), None)
        if found is None:
            self.wrong.append(f"no answer to {keys[0]}")
            raise AssertionError(keys[0])
        if isinstance(found, str):
            raise ClientError({"Error": {"Code": found, "Message": "as the test says"}}, client.operation(question))
        for page in [found] if isinstance(found, Mapping) else found:
            said, retries = client._plain(client._rows(page, question.csv))
            self._check(question, said)
            yield said, retries

    def _check(self, question: Call, said: JSON) -> None:
        try:
            check(question.service, client.operation(question), said)
        except ValueError as error:
            self.wrong.append(f"{question.service}:{question.operation}: {error}")
            raise

    def fault(self, error: Exception) -> Fault:
        """See `collectors.ask.Client`."""
        return client.BotoClient.fault(self, error)  # type: ignore[arg-type]

    def title(self, question: Call) -> str:
        """See `collectors.ask.Client`."""
        return f"{question.service}:{client.operation(question)}"

    def actions(self, question: Call) -> tuple[str, ...]:
        """See `collectors.ask.Client`."""
        return client.actions(question)


def check(service: str, operation: str, answer: JSON) -> None:
    """Raise ValueError where `answer` is not of the shape that the operation (`DescribeCluster`) documents, to the last member."""
    model = get_session().get_service_model(service)
    Shapes(model).check(operation, answer)
    _known(model.operation_model(operation).output_shape, answer, operation)


def _known(shape: Any, value: Any, path: str) -> None:
    if shape is None or value is None or shape.name == DECODED:
        return
    if shape.type_name == "structure" and not getattr(shape, "is_document_type", False):
        for name, each in value.items():
            if name not in shape.members:
                msg = f"{path} has no {name}"
                raise ValueError(msg)
            _known(shape.members[name], each, f"{path}.{name}")
    elif shape.type_name in ("list", "map"):
        inner = shape.member if shape.type_name == "list" else shape.value
        for each in value if shape.type_name == "list" else value.values():
            _known(inner, each, f"{path}[]")


def given(*tables: Table, answers: Answers, regions: Sequence[str] = (HOME,), demand: Demand = None) -> Seen:
    """Collect tables from given answers: what was seen."""
    seen, asker = Seen(), Given(answers)
    scope = Scope(ACCOUNT, regions, HOME, {"account": ACCOUNT, "partition": "aws", "since": SINCE})
    collect(tables, asker, scope, Source(f"aws:{ACCOUNT}", "live", "aws", ACCOUNT, SCANNER), seen, demand=demand)
    assert asker.wrong == []
    return seen
