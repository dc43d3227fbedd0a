"""The vocabulary in which every collector is written: typed tables, no code of their own.

A `Table` says which listing yields resources, which further calls describe one, and where each fact stands in the answers.
`collectors/run.py` interprets live tables, `collectors/terraform/plan.py` plan tables, `collectors/kubernetes/` object tables;
all of them end in `collectors/project.py`, which turns one *row* into one `Resource`.

A row is a dict of parts: `item` (one element of the listing), one part a detail call, side listing or join, and `context`
(`account`, `region`, `partition`, `scope`). A path is a JMESPath expression (https://jmespath.org/specification.html) whose first
name is the part: `meta.KeyManager`, `item.Tags[].Key`. Absent and null are the same: both mean "not in the answer".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from scanner.model import frozen

Row = Mapping[str, Any]
"""Part name → answer."""


class Missing:
    """The type of `MISSING`: no default, so an absent value is a gap."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


@frozen
class Call:
    """One question to a service.

    `args` maps request parameters to paths in the row; `fixed` gives literal ones. `means` turns error codes that are answers
    into that answer (`{"NoSuchBucketPolicy": None}`): the part is then that value and the call's outcome is `absent`.
    """

    service: str
    """Client name (boto3) or group/version (Kubernetes: `v1`, `apps/v1`)."""
    operation: str
    """Method name (`list_keys`) or plural resource (`deployments`)."""
    args: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    take: str = ""
    """JMESPath in the answer; empty for the whole of it."""
    means: Mapping[str, Any] = field(default_factory=dict)
    when: Callable[[Row], bool] | None = None
    """Ask only where this holds of the row. Where it does not, the part is `absent` and facts on it take their default. The listing
    `each` is then not made of that parent."""
    needs: tuple[str, ...] = ()
    """Parts that `when` reads. Without it every earlier detail call counts as read."""
    token: tuple[str, str] | None = None
    """(request parameter, answer path) for operations that page without a boto3 paginator."""
    actions: tuple[str, ...] = ()
    """Permissions, where they are not `service:Operation`."""
    region: str = ""
    """Path in the row of the region to ask in, where it is not the listing's own (S3 buckets)."""
    retry: Mapping[str, Call | None] = field(default_factory=dict)
    """Error codes that say "not ready yet": for a minute it is asked again, after the call that makes the service prepare it (None:
    somebody did)."""
    csv: str = ""
    """Member of the answer that holds comma-separated values: it becomes a list of rows, each a mapping from column to text."""
    reduce: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    """Names of keys, anywhere in the answer, whose values hold secrets: each value is replaced by what the function makes of it
    before anything else sees the answer. Where the function raises, the value is redacted."""


@frozen
class Batch:
    """One call for many items of a page: distinct values of `on`, `size` at a time, answers matched by `key`.

    Where one wrong value makes the service refuse them all, `means` of the call turns that error into no answer (None): the values are
    then asked for in ever smaller blocks, and only the wrong one is a gap.
    """

    call: Call
    parameter: str
    """Request parameter that takes the list of values."""
    on: str
    """Path in the row of the value (`item.InstanceType`)."""
    key: str
    """Path in one taken answer of the value it belongs to."""
    size: int = 100


EVERY = "'every'"
"""As `on` and `key` of a `Side`: every entry goes to every row."""


@frozen
class Side:
    """A listing made once a (scope, region) and shared by all tables that name it; the row gets the list of matching entries."""

    call: Call
    on: str
    """Path in the row of the value to match (`item.VpcId`)."""
    key: str
    """Path in one entry of the value it belongs to; a list there matches any of its values."""
    read: Callable[[Any], Any] | None = None
    """Makes of the value at `key` what stands at `on` (of an ARN the name at its end)."""


@frozen
class Field:
    """Where one fact stands.

    `path` is one path, or several: then `read` gets as many arguments. `read` is a mapping (unmapped values are the gap
    `unparsable`), or a function; a function that raises one of `collectors.project.UNREADABLE` (KeyError, TypeError, ValueError, …)
    makes the gap `unparsable`. `absent` is the documented default where the answer has no value (with several paths: where none has);
    without it an absent value is the gap `not_offered`. A part that failed is the gap of its call, whatever `absent` says.
    """

    path: str | tuple[str, ...]
    read: Mapping[Any, Any] | Callable[..., Any] | None = None
    absent: Any = MISSING
    partial: bool = False
    """For lists of a kind marked `x-grows`: keep what is known of a partly unknown value, beside the gap (plans)."""
    source: str = ""
    """URL that documents the default or the meaning."""


@frozen
class Const:
    """A fact that holds of every resource of the table."""

    value: Any


Fact = Field | Const


@frozen
class Table:
    """One native type of a live source."""

    kind: str
    native_type: str
    list: Call
    """Yields the items."""
    each: Call | None = None
    """A listing per item of `list` (listeners of a load balancer): its items become `item`, the outer one becomes `parent`."""
    id: Field = field(default_factory=lambda: Field("item.Arn"))
    """Canonical id."""
    name: Field = field(default_factory=lambda: Field("item.Name"))
    region: Field | None = None
    """Where it is not the listing's region."""
    tags: Field | None = None
    """Yields name → value; `collectors.project.tag_list` reads the usual list of pairs."""
    per: str = "region"
    """`account` or `region`: how often `list` is asked."""
    detail: Mapping[str, Call | Batch | Side] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    keep: Callable[[Any], bool] | None = None
    """Which items of the listing are this table's."""
    redact: tuple[str, ...] = ()
    """Names of keys, anywhere in the answers, whose values are dropped before anything is kept."""


@frozen
class Join:
    """Another resource type of a plan that completes this one (a bucket's versioning).

    The part is the `after` of the resource whose `on` attribute refers to this one (by value or by the configuration's
    expression), or the list of all such where `many`; absent where there is none.
    """

    type: str
    on: str
    """Attribute of the joined type that names this resource."""
    to: str = "id"
    """Attribute of this resource that is named; compared where both are known."""
    many: bool = False


@frozen
class PlanTable:
    """One native type, as a Terraform resource type writes it. `item` is `change.after`."""

    kind: str
    native_type: str
    type: str
    """Terraform resource type: `aws_kms_key`."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    joins: Mapping[str, Join] = field(default_factory=dict)
    each: str = ""
    """Path of a list in the row whose elements are the resources (inline blocks): `item` is then the element, `parent` the whole."""
    name: Field = field(default_factory=lambda: Field("item.name"))
    tags: Field | None = field(default_factory=lambda: Field("item.tags_all", absent={}))
    provider: str = "aws"
    keep: Callable[[Any], bool] | None = None
    elsewhere: Mapping[str, Any] = field(default_factory=dict)
    """Facts that are taken for granted of a resource that the plan does not hold, where it makes a part of it; MISSING for those of which
    a part tells nothing, since others that are not seen may make up for it."""


@frozen
class ObjectTable:
    """One native type of Kubernetes, live or in a manifest. `item` is the object."""

    kind: str
    native_type: str
    """`apps/v1/Deployment`."""
    plural: str
    """`deployments`; `*` for every type of the group, whatever it is called: then `native_type` stands for all of them."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    namespaced: bool = True
    pod: str = ""
    """Path in the object of a pod spec (`spec.template.spec`); the row then has the part `pod` (and `pod_meta`)."""
    keep: Callable[[Any], bool] | None = None
    owned: bool = False
    """Objects that are judged on their owner make resources of this table all the same."""
