"""Policy documents, normalised."""

from __future__ import annotations

import re
from typing import Any

import pytest

from collectors.policy import statements
from scanner.derive.operators import Context, holds, pattern

HOME = "arn:aws:s3:::home/${aws:username}/*"
READ = {
    "Effect": "Allow",
    "Action": "s3:GetObject",
    "Resource": HOME,
    "Condition": {"StringLike": {"s3:prefix": "${aws:username}/*"}},
}
ADA = Context({"aws:username": ("ada",), "s3:prefix": ("ada/x",)})


@pytest.mark.parametrize(("version", "variables"), [("2012-10-17", True), ("2008-10-17", False), (None, False)])
def test_documents_of_the_old_version_know_no_variables(version: str | None, variables: bool) -> None:  # noqa: FBT001 - the answer
    # https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_version.html
    document: dict[str, Any] = {"Statement": READ} | ({"Version": version} if version else {})
    (found,) = statements(document)
    resource = pattern(found["resources"][0], ADA)
    assert isinstance(resource, re.Pattern)
    assert bool(resource.fullmatch("arn:aws:s3:::home/ada/x")) is variables
    assert bool(resource.fullmatch("arn:aws:s3:::home/${aws:username}/x")) is not variables
    assert holds(found["conditions"][0], ADA) is variables


@pytest.mark.parametrize("document", ["[]", {"Statement": [{"Effect": "Maybe"}]}, {"Statement": "x"}, "not JSON"])
def test_what_is_no_policy_is_an_error(document: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any, as callers treat them alike
        statements(document)
