"""Labels as far as they are known, and Kubernetes' label selectors over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from scanner.derive.three import Truth, all_of
from scanner.model import Gap, Reason, frozen

ADDED_LABELS = (
    "pod-template-hash",
    "controller-revision-hash",
    "pod-template-generation",
    "controller-uid",
    "job-name",
    "notebook-name",
    "statefulset",
    "app.kubernetes.io/created-by",
)
ADDED_PREFIXES = (
    "batch.kubernetes.io/",
    "apps.kubernetes.io/",
    "statefulset.kubernetes.io/",
    "ray.io/",
    "training.kubeflow.org/",
    "trainer.kubeflow.org/",
    "jobset.sigs.k8s.io/",
    "leaderworkerset.sigs.k8s.io/",
    "volcano.sh/",
    "serving.kserve.io/",
    "serving.knative.dev/",
    "workflows.argoproj.io/",
    "seldon",
    "sparkoperator.k8s.io/",
    "spark-",
)
"""Labels that controllers put on pods beside those of the template."""
ADDED_BY_GROUP: Mapping[str, frozenset[str]] = {
    "machinelearning.seldon.io": frozenset({"app", "version", "app.kubernetes.io/managed-by", "fluentd"}),
    "ray.io": frozenset({"app.kubernetes.io/name"}),
    "serving.knative.dev": frozenset({"app"}),
    "serving.kserve.io": frozenset({"app", "component"}),
}
"""More of them, with names that others use as well: API group of the workload → labels."""


@frozen
class Labels:
    """Labels of one object."""

    known: Mapping[str, str] = field(default_factory=dict)
    maker: str = ""
    """API group and kind of what makes the pods: it may add labels of its own. Empty where all labels are seen."""
    gap: Gap | None = None
    """Why there may be more labels than are known."""

    def get(self, key: str) -> str | Gap | None:
        """The value, None where the object has no such label, or why that is not known."""
        if key in self.known:
            return self.known[key]
        if self.maker and _adds(self.maker, key):
            return Gap(
                Reason.NOT_OFFERED,
                "",
                "Judge it in the live cluster, where its pods have all their labels.",
                f"its controller may add the label {key}",
            )
        return self.gap


def _adds(maker: str, key: str) -> bool:
    group, _, _ = maker.partition("/")
    return key in ADDED_LABELS or key in ADDED_BY_GROUP.get(group, ()) or key.startswith(ADDED_PREFIXES)


Selector = Mapping[str, Any]
SELECTOR_KEYS = frozenset({"matchLabels", "matchExpressions"})


def narrow(selector: Selector | None) -> bool:
    """Whether a selector asks for anything; an empty one picks everything."""
    return selector is not None and bool(selector.get("matchLabels") or selector.get("matchExpressions"))


def requirements(selector: Selector) -> list[tuple[str, str, tuple[str, ...]]]:
    """(key, operator, values) of a selector.

    https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
    """
    found: list[tuple[str, str, tuple[str, ...]]] = [
        (str(key), "In", (text(value),)) for key, value in (selector.get("matchLabels") or {}).items()
    ]
    for entry in selector.get("matchExpressions") or []:
        values = tuple(text(v) for v in entry.get("values") or [])
        found.append((str(entry.get("key", "")), str(entry.get("operator", "")), values))
    return found


def selects(selector: Selector, labels: Labels) -> Truth:
    """Whether a label selector picks an object."""
    return selected(requirements(selector), labels)


def selected(asked: Iterable[tuple[str, str, tuple[str, ...]]], labels: Labels) -> Truth:
    """Whether an object meets the requirements of a selector."""
    return all_of(meets(labels.get(key), operator, values) for key, operator, values in asked)


def meets(value: str | Gap | None, operator: str, values: tuple[str, ...]) -> Truth:
    """Whether the value of a label (None: it has none) meets one requirement."""
    if operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
        return Gap(Reason.UNPARSABLE, "", "Correct the selector.", f"the operator {operator!r} is not known")
    if isinstance(value, Gap):
        return value
    if operator == "In":
        return value in values
    if operator == "NotIn":
        return value not in values
    return (value is not None) == (operator == "Exists")


def text(value: object) -> str:
    """A label's value as text: YAML makes booleans of some."""
    return str(value).lower() if isinstance(value, bool) else str(value)


Hints = Mapping[str, frozenset[str]]
"""Keys of pod labels that a rule asks for → the values that it names."""


def hints(selector: Selector | None) -> dict[str, frozenset[str]]:
    """What a selector asks of labels."""
    found: dict[str, frozenset[str]] = {}
    for key, _, values in requirements(selector or {}):
        found[key] = found.get(key, frozenset()) | frozenset(values)
    return found


def needed(asked: Iterable[tuple[str, str, tuple[str, ...]]]) -> tuple[str, tuple[str, ...]] | None:
    """A label, and its values, without which nothing is selected; None where there is no such label."""
    return next(((key, values) for key, operator, values in asked if operator == "In"), None)


def may_have(labels: Labels, key: str) -> bool:
    """Whether a label that is not known may be there all the same."""
    return isinstance(labels.get(key), Gap)
