"""What admission enforces, and what its webhooks leave out."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.objects import Placed, Projector
from collectors.kubernetes.tables import CLUSTER
from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Source, Where
from tests.collectors.kubernetes.objects import deployment, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "", "Allow it.")
REGISTRATION = "admissionregistration.k8s.io/v1"
VALIDATING = f"{REGISTRATION}/ValidatingWebhookConfiguration"
CONSTRAINT = "constraints.gatekeeper.sh/v1beta1/Constraint"
PODS = {"apiGroups": [""], "operations": ["CREATE", "UPDATE"], "resources": ["pods"]}


def cluster() -> Any:
    item = {"apiVersion": "kubernetes/v1", "kind": "Cluster", "metadata": {"name": "c"}}
    (found,) = Projector(Source("k8s:c", "live", "kubernetes", "c")).resources_of(CLUSTER, Placed(item))
    return found


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld([*found, cluster()], gaps or {}, DERIVATIONS)


def told(name: str, *items: dict[str, Any], **options: Any) -> Any:
    of = world(*items, **options)
    (subject,) = of.all("cluster")
    found = of.fact(subject, name)
    return found.reason if isinstance(found, Gap) else found


def enforced(*items: dict[str, Any], **options: Any) -> Any:
    return told("policies_enforced", *items, **options)


def signed(*items: dict[str, Any], **options: Any) -> Any:
    return told("signatures_enforced", *items, **options)


def hooks(name: str, called: str = "c", **more: Any) -> dict[str, Any]:
    return thing(REGISTRATION, "ValidatingWebhookConfiguration", called, None, webhooks=[{"name": name, "rules": [PODS], **more}])


GATEKEEPER = hooks("validation.gatekeeper.sh", "gatekeeper")
KYVERNO = hooks("validate.kyverno.svc-fail", "kyverno")
INCLUDE = {"matchExpressions": [{"key": "policy.sigstore.dev/include", "operator": "In", "values": ["true"]}]}
SIGSTORE = hooks("policy.sigstore.dev", "policy.sigstore.dev", namespaceSelector=INCLUDE)


def constraint(action: str = "deny", kind: str = "K8sAllowedRepos", on: str = "Pod") -> dict[str, Any]:
    spec = {"enforcementAction": action, "match": {"kinds": [{"apiGroups": [""], "kinds": [on]}]}}
    return thing("constraints.gatekeeper.sh/v1beta1", kind, "c", None, spec=spec)


def native(name: str = "p", resources: str = "pods") -> dict[str, Any]:
    rules = [{**PODS, "resources": [resources]}]
    return thing(REGISTRATION, "ValidatingAdmissionPolicy", name, None, spec={"matchConstraints": {"resourceRules": rules}})


def binding(*actions: str, policy: str = "p") -> dict[str, Any]:
    spec = {"policyName": policy, "validationActions": list(actions)}
    return thing(REGISTRATION, "ValidatingAdmissionPolicyBinding", "b", None, spec=spec)


def kyverno(action: str = "Enforce", **rule: Any) -> dict[str, Any]:
    rules = [{"match": {"any": [{"resources": {"kinds": ["Pod"]}}]}, **(rule or {"validate": {"pattern": {}}})}]
    return thing("kyverno.io/v1", "ClusterPolicy", "k", None, spec={"validationFailureAction": action, "rules": rules})


def images(**spec: Any) -> dict[str, Any]:
    return thing("policy.sigstore.dev/v1beta1", "ClusterImagePolicy", "i", None, spec={"authorities": [{"keyless": {}}], **spec})


def namespace(name: str, **labels: str) -> dict[str, Any]:
    own = {k.replace("__", "/"): v for k, v in labels.items()}
    return thing("v1", "Namespace", name, None, metadata={"labels": own})


INCLUDED = namespace("team", **{"policy.sigstore.dev__include": "true"})


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ([], False),
        ([native()], False),  # a policy without a binding does nothing
        ([native(), binding("Deny")], True),
        ([native(), binding("Deny", "Audit")], True),
        ([native(), binding("Warn", "Audit")], False),
        ([native(), binding("Deny", policy="other")], False),
        ([binding("Deny")], False),
        ([native(resources="services"), binding("Deny")], False),
        ([GATEKEEPER, constraint()], True),
        ([GATEKEEPER, constraint("dryrun")], False),
        ([GATEKEEPER, constraint("warn")], False),
        ([GATEKEEPER, constraint(on="Namespace")], False),
        ([GATEKEEPER], False),
        ([constraint()], False),  # the types stay when Gatekeeper goes
        ([KYVERNO, kyverno()], True),
        ([KYVERNO, kyverno("Audit")], False),
        ([kyverno()], False),
        ([SIGSTORE, images()], True),
        ([SIGSTORE, images(mode="warn")], False),
        # engines whose policies are not read, and webhooks that are not known
        ([hooks("clusterwide-x.kubewarden.admission")], Reason.NOT_OFFERED),
        ([hooks("guard.corp.example")], Reason.NOT_OFFERED),
        ([hooks("guard.corp.example"), native(), binding("Deny")], True),
        ([hooks("guard.corp.example", rules=[{**PODS, "resources": ["services"]}])], False),
        ([hooks("vpod.kb.io")], False),
    ],
)
def test_enforced(items: list[dict[str, Any]], found: Any) -> None:
    assert enforced(*items) is found


@pytest.mark.parametrize(
    "native_type",
    [
        VALIDATING,
        CONSTRAINT,
        "kyverno.io/v1/ClusterPolicy",
        "policies.kyverno.io/v1/ValidatingPolicy",
        f"{REGISTRATION}/ValidatingAdmissionPolicy",
        f"{REGISTRATION}/ValidatingAdmissionPolicyBinding",
    ],
)
def test_policies_that_were_not_listed(native_type: str) -> None:
    gaps = {native_type: DENIED}
    engines = [GATEKEEPER, KYVERNO] if native_type != VALIDATING else [constraint()]
    seen = [native()] if native_type.endswith("Binding") else []
    assert enforced(*engines, *seen, gaps=gaps) is Reason.DENIED
    assert enforced(GATEKEEPER, constraint(), native("q"), gaps=gaps) is True


def test_a_refusal_that_cannot_matter() -> None:
    """Without Gatekeeper its constraints do nothing, whoever may list them."""
    assert enforced(gaps={CONSTRAINT: DENIED}) is False


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ([], False),
        ([SIGSTORE, images(), INCLUDED], True),
        ([SIGSTORE, images(), namespace("team")], False),  # opt-in, by a label of the namespace
        ([SIGSTORE, images(), namespace("kube-system", **{"policy.sigstore.dev__include": "true"})], False),
        ([SIGSTORE, images(mode="warn"), INCLUDED], False),
        ([SIGSTORE, images(authorities=[{"static": {"action": "pass"}}]), INCLUDED], False),
        ([images(), INCLUDED], False),
        ([hooks("policy.sigstore.dev"), images(), namespace("team")], True),  # without a selector it sees every namespace
        ([KYVERNO, kyverno(verifyImages=[{"attestors": [{}]}])], True),
        ([KYVERNO, kyverno("Audit", verifyImages=[{"attestors": [{}]}])], False),
        ([kyverno(verifyImages=[{"attestors": [{}]}])], False),
        ([KYVERNO, kyverno()], False),
        ([hooks("connaisseur-svc.connaisseur.svc")], Reason.NOT_OFFERED),
        ([hooks("guard.corp.example")], Reason.NOT_OFFERED),
        ([GATEKEEPER, constraint(kind="RatifyVerification")], Reason.NOT_OFFERED),
        ([GATEKEEPER, constraint("dryrun", kind="RatifyVerification")], False),
        ([thing("v1", "Node", "n", None, spec={"providerID": "gce://p/z/i"})], Reason.NOT_OFFERED),
        ([thing("v1", "Node", "n", None, spec={"providerID": "azure:///s"})], Reason.NOT_OFFERED),
        ([thing("v1", "Node", "n", None, spec={"providerID": "aws:///z/i"})], False),
        ([thing("operator.openshift.io/v1", "Network", "cluster", None, spec={})], Reason.NOT_OFFERED),
    ],
)
def test_signatures(items: list[dict[str, Any]], found: Any) -> None:
    assert signed(*items) is found


def test_signatures_that_were_not_seen() -> None:
    for native_type in (VALIDATING, "v1/Namespace"):
        assert signed(SIGSTORE, images(), namespace("team"), gaps={native_type: DENIED}) is Reason.DENIED
    assert signed(SIGSTORE, INCLUDED, gaps={"policy.sigstore.dev/v1beta1/ClusterImagePolicy": DENIED}) is Reason.DENIED
    assert signed(gaps={"v1/Node": DENIED}) is Reason.DENIED
    assert signed(KYVERNO, gaps={"policies.kyverno.io/v1/ImageValidatingPolicy": DENIED}) is Reason.DENIED


# ---- what webhooks leave out


def skipped(config: dict[str, Any], *items: dict[str, Any], **options: Any) -> Any:
    of = world(config, *items, **options)
    (subject,) = of.all("admission_policy")
    found = of.fact(subject, "skipped_namespaces")
    return found.reason if isinstance(found, Gap) else found


USED = (
    deployment(),
    deployment(namespace="other"),
    namespace("team"),
    namespace("other", skip="yes"),
    namespace("empty", skip="yes"),
)
NOT_SKIP = {"matchExpressions": [{"key": "skip", "operator": "DoesNotExist"}]}
NOT_SYSTEM = {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["other"]}]}


def test_namespaces_that_are_left_out() -> None:
    assert skipped(KYVERNO, *USED) == []
    assert skipped(hooks("validate.kyverno.svc-fail", namespaceSelector=NOT_SKIP), *USED) == ["other"]
    assert skipped(hooks("validate.kyverno.svc-fail", namespaceSelector=NOT_SYSTEM), *USED) == ["other"]
    assert skipped(SIGSTORE, *USED, INCLUDED) == ["other"]
    system = namespace("kube-system", skip="yes")
    assert (
        skipped(hooks("validate.kyverno.svc-fail", namespaceSelector=NOT_SKIP), system, deployment(namespace="kube-system")) == []
    )


def test_one_webhook_of_several_is_enough() -> None:
    several = hooks("validate.kyverno.svc-fail", namespaceSelector=NOT_SKIP)
    several["webhooks"].append({"name": "validate.kyverno.svc-ignore", "rules": [PODS]})
    assert skipped(several, *USED) == []
    several["webhooks"][1]["rules"] = []
    assert skipped(several, *USED) == ["other"]


def test_namespaces_that_were_not_seen() -> None:
    config = hooks("validate.kyverno.svc-fail", namespaceSelector=NOT_SKIP)
    assert skipped(config, *USED, manifests=True) is Reason.NOT_OFFERED
    assert skipped(KYVERNO, *USED, manifests=True) == []
    assert skipped(config, namespace("team"), gaps={"v1/Namespace": DENIED}) is Reason.DENIED
    assert skipped(config, *USED, gaps={"v1/Namespace": DENIED}) == ["other"]
