"""What is read of webhooks, admission policies and the policies of engines."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.model import Reason
from tests.collectors.kubernetes.objects import one, thing

REGISTRATION = "admissionregistration.k8s.io/v1"
PODS = {"apiGroups": [""], "operations": ["CREATE", "UPDATE"], "resources": ["pods"]}
ALL = {"apiGroups": ["*"], "operations": ["CREATE", "UPDATE"], "resources": ["*"]}


def hook(name: str = "h.example.com", service: str = "", **more: Any) -> dict[str, Any]:
    namespace, _, called = service.partition("/")
    client = {"service": {"namespace": namespace, "name": called}} if service else {"url": "https://x.example"}
    return {"name": name, "clientConfig": client, "rules": [PODS], **more}


def config(*hooks: dict[str, Any], name: str = "c", kind: str = "ValidatingWebhookConfiguration") -> dict[str, Any]:
    return thing(REGISTRATION, kind, name, None, webhooks=list(hooks))


@pytest.mark.parametrize(
    ("name", "service", "engine"),
    [
        ("validation.gatekeeper.sh", "gatekeeper-system/gatekeeper-webhook-service", "Gatekeeper"),
        ("mutate.kyverno.svc-fail", "kyverno/kyverno-svc", "Kyverno"),
        ("vpol.validate.kyverno.svc-fail", "kyverno/kyverno-svc", "Kyverno"),
        ("policy.sigstore.dev", "cosign-system/webhook", "Sigstore policy-controller"),
        ("clusterwide-x.kubewarden.admission", "kubewarden/policy-server-default", "Kubewarden"),
        ("validating-webhook.openpolicyagent.org", "opa/opa", "OPA"),
        ("webhook-server.datree.svc", "datree/datree-webhook-server", "Datree"),
        ("namespace.sidecar-injector.istio.io", "istio-system/istiod", ""),
        ("webhook.cert-manager.io", "cert-manager/cert-manager-webhook", ""),
        ("vpod.kb.io", "kueue-system/kueue-webhook-service", ""),
        ("pods.guard.corp.example", "guard/guard", None),
    ],
)
def test_engines(name: str, service: str, engine: str | None) -> None:
    found = one(config(hook(name, service)))
    assert found.facts.get("engine") == engine
    assert (engine is None) == ("engine" in found.gaps)


def test_webhooks_for_objects_of_their_own_are_no_engine() -> None:
    own = hook("widgets.corp.example", rules=[{"apiGroups": ["corp.example"], "operations": ["*"], "resources": ["*"]}])
    assert one(config(own)).facts["engine"] == ""
    assert one(config()).facts["engine"] == ""
    assert one(config(hook(rules=[ALL]))).gaps["engine"].reason is Reason.NOT_OFFERED


@pytest.mark.parametrize(
    ("rule", "guards", "ephemeral"),
    [
        (PODS, True, False),
        (ALL, True, False),  # `*` covers no subresource
        ({**ALL, "resources": ["*/*"]}, True, True),
        ({**PODS, "resources": ["pods", "pods/ephemeralcontainers"]}, True, True),
        ({**PODS, "resources": ["pods/*"]}, False, True),
        ({**PODS, "resources": ["*/ephemeralcontainers"]}, False, True),
        ({**PODS, "operations": ["CREATE"], "resources": ["pods", "pods/ephemeralcontainers"]}, True, False),
        ({**PODS, "operations": ["UPDATE"]}, False, False),
        ({**PODS, "operations": ["*"]}, True, False),
        ({"apiGroups": ["apps"], "operations": ["CREATE"], "resources": ["deployments"]}, True, False),
        ({"apiGroups": [""], "operations": ["CREATE"], "resources": ["namespaces"]}, False, False),
    ],
)
def test_what_rules_cover(rule: dict[str, Any], guards: bool, ephemeral: bool) -> None:  # noqa: FBT001 - columns of the table
    found = one(config(hook(rules=[rule]))).facts
    assert (found["webhooks"][0]["guards"], found["webhooks"][0]["ephemeral"], found["sees_ephemeral"]) == (
        guards,
        ephemeral,
        ephemeral,
    )


def test_webhooks() -> None:
    # the default of v1 is Fail
    ignoring = hook(
        "i",
        failurePolicy="Ignore",
        objectSelector={"matchLabels": {"a": "b"}, "matchExpressions": []},
        matchConditions=[{"name": "x"}],
    )
    first, second = one(config(hook(), ignoring)).facts["webhooks"]
    assert first == {
        "name": "h.example.com", "fails_closed": True, "guards": True, "ephemeral": False,
        "namespace_selector": {}, "object_selector": {}, "conditions": False,
    }  # fmt: skip
    assert (second["fails_closed"], second["object_selector"], second["conditions"]) == (False, {"matchLabels": {"a": "b"}}, True)


@pytest.mark.parametrize(
    ("second", "guarded"), [({"failurePolicy": "Fail"}, True), ({}, True), ({"failurePolicy": "Ignore"}, False), (None, False)]
)
def test_the_label_that_exempts(second: dict[str, Any] | None, guarded: bool) -> None:  # noqa: FBT001 - a column of the table
    selector = {"matchExpressions": [{"key": "admission.gatekeeper.sh/ignore", "operator": "DoesNotExist"}]}
    hooks = [hook("validation.gatekeeper.sh", namespaceSelector=selector)]
    hooks += [hook("check-ignore-label.gatekeeper.sh", **second)] if second is not None else []
    assert one(config(*hooks)).facts["exemption_guarded"] is guarded
    assert one(config(hook())).facts["exemption_guarded"] is True


# ---- policies


@pytest.mark.parametrize(
    ("spec", "enforces"),
    [
        ({}, True),  # deny is the default
        ({"enforcementAction": "deny"}, True),
        ({"enforcementAction": "dryrun"}, False),
        ({"enforcementAction": "warn"}, False),
        ({"enforcementAction": "scoped"}, False),
        (
            {
                "enforcementAction": "scoped",
                "scopedEnforcementActions": [{"action": "deny", "enforcementPoints": [{"name": "gator.gatekeeper.sh"}]}],
            },
            False,
        ),
        (
            {
                "enforcementAction": "scoped",
                "scopedEnforcementActions": [
                    {"action": "warn", "enforcementPoints": [{"name": "validation.gatekeeper.sh"}]},
                    {"action": "deny", "enforcementPoints": [{"name": "*"}]},
                ],
            },
            True,
        ),
        # without `scoped` the list does nothing
        (
            {"enforcementAction": "dryrun", "scopedEnforcementActions": [{"action": "deny", "enforcementPoints": [{"name": "*"}]}]},
            False,
        ),
    ],
)
def test_constraints(spec: dict[str, Any], enforces: bool) -> None:  # noqa: FBT001 - a column of the table
    found = one(thing("constraints.gatekeeper.sh/v1beta1", "K8sAllowedRepos", "c", None, spec=spec))
    assert (found.native_type, found.id) == (
        "constraints.gatekeeper.sh/v1beta1/Constraint",
        "k8s/c/K8sAllowedRepos.constraints.gatekeeper.sh//c",
    )
    assert found.facts["enforces"] is enforces


def test_what_constraints_speak_of() -> None:
    def on_pods(*kinds: str) -> Any:
        spec = {"match": {"kinds": [{"apiGroups": ["*"], "kinds": list(kinds)}]}} if kinds else {}
        return one(thing("constraints.gatekeeper.sh/v1beta1", "K8sX", "c", None, spec=spec)).facts["on_pods"]

    assert [on_pods(), on_pods("Pod"), on_pods("*"), on_pods("Deployment", "Service"), on_pods("Namespace")] == [True] * 4 + [False]
    signed = one(thing("constraints.gatekeeper.sh/v1beta1", "RatifyVerification", "c", None))
    assert signed.facts["may_verify_images"] is True
    assert one(thing("constraints.gatekeeper.sh/v1beta1", "K8sAllowedRepos", "c", None)).facts["may_verify_images"] is False


def kyverno(rule: dict[str, Any], **spec: Any) -> dict[str, Any]:
    matched = {"match": {"any": [{"resources": {"kinds": ["Pod"]}}]}, **rule}
    return dict(one(thing("kyverno.io/v1", "ClusterPolicy", "p", None, spec={"rules": [matched], **spec})).facts)


CHECK: dict[str, Any] = {"validate": {"pattern": {}}}


@pytest.mark.parametrize(
    ("rule", "spec", "enforces"),
    [
        (CHECK, {}, False),  # Audit is the default
        (CHECK, {"validationFailureAction": "Enforce"}, True),
        (CHECK, {"validationFailureAction": "enforce"}, True),
        (CHECK, {"validationFailureAction": "Audit"}, False),
        ({"validate": {"failureAction": "Enforce"}}, {}, True),
        ({"validate": {"failureAction": "Audit"}}, {"validationFailureAction": "Enforce"}, False),
        (CHECK, {"validationFailureAction": "Enforce", "admission": False}, False),
        (CHECK, {"validationFailureActionOverrides": [{"action": "Enforce", "namespaces": ["team"]}]}, True),
        (
            CHECK,
            {"validationFailureAction": "Enforce", "validationFailureActionOverrides": [{"action": "Audit", "namespaces": ["*"]}]},
            False,
        ),
        (
            CHECK,
            {
                "validationFailureAction": "Enforce",
                "validationFailureActionOverrides": [{"action": "Audit", "namespaces": ["dev"]}],
            },
            True,
        ),
        ({"mutate": {}}, {"validationFailureAction": "Enforce"}, False),
    ],
)
def test_kyverno(rule: dict[str, Any], spec: dict[str, Any], enforces: bool) -> None:  # noqa: FBT001 - a column of the table
    assert kyverno(rule, **spec)["enforces"] is enforces


@pytest.mark.parametrize(
    ("kinds", "on_pods"),
    [
        (["Pod"], True),
        (["v1/Pod"], True),
        (["apps/v1/Deployment"], True),
        (["*/*"], True),
        (["Pod/exec"], True),
        (["Service", "networking.k8s.io/v1/Ingress"], False),
    ],
)
def test_kinds_of_kyverno(kinds: list[str], on_pods: bool) -> None:  # noqa: FBT001 - a column of the table
    assert kyverno({"match": {"resources": {"kinds": kinds}}})["on_pods"] is on_pods


@pytest.mark.parametrize(
    ("check", "spec", "verifies"),
    [
        ({"attestors": [{}], "failureAction": "Enforce"}, {}, True),
        ({"attestors": [{}]}, {"validationFailureAction": "Enforce"}, True),
        ({"attestors": [{}]}, {}, False),
        ({"attestors": [{}], "failureAction": "Audit"}, {"validationFailureAction": "Enforce"}, False),
        ({"attestors": [{}], "failureAction": "Enforce", "required": False}, {}, False),
        ({"failureAction": "Enforce"}, {}, False),  # it only writes digests
    ],
)
def test_signatures_by_kyverno(check: dict[str, Any], spec: dict[str, Any], verifies: bool) -> None:  # noqa: FBT001 - a column
    found = kyverno({"verifyImages": [check]}, **spec)
    assert (found["verifies_images"], found["enforces"]) == (verifies, False)


@pytest.mark.parametrize(
    ("spec", "enforces"),
    [
        ({}, True),  # Deny is the default
        ({"validationActions": ["Audit"]}, False),
        ({"validationActions": ["Deny", "Audit"]}, True),
        ({"evaluation": {"admission": {"enabled": False}}}, False),
        ({"evaluation": {"mode": "Envoy"}}, False),
    ],
)
def test_policies_in_cel(spec: dict[str, Any], enforces: bool) -> None:  # noqa: FBT001 - a column of the table
    rules = {"matchConstraints": {"resourceRules": [PODS]}}
    found = one(thing("policies.kyverno.io/v1", "ValidatingPolicy", "p", None, spec={**rules, **spec})).facts
    assert (found["enforces"], found["on_pods"]) == (enforces, True)
    image = one(
        thing("policies.kyverno.io/v1alpha1", "ImageValidatingPolicy", "p", None, spec={**spec, "attestors": [{"name": "a"}]})
    ).facts
    assert (image["enforces"], image["verifies_images"], image["on_pods"]) == (enforces, enforces, False)
    assert one(thing("policies.kyverno.io/v1", "ImageValidatingPolicy", "p", None, spec=spec)).facts["verifies_images"] is False


@pytest.mark.parametrize(
    ("spec", "verifies"),
    [
        ({"authorities": [{"keyless": {}}]}, True),
        ({"authorities": [{"keyless": {}}], "mode": "warn"}, False),
        ({"authorities": [{"key": {}}, {"static": {"action": "pass"}}]}, False),  # one authority is enough for an image
        ({"authorities": [{"static": {"action": "fail"}}]}, True),
        ({}, False),
    ],
)
def test_sigstore(spec: dict[str, Any], verifies: bool) -> None:  # noqa: FBT001 - a column of the table
    found = one(thing("policy.sigstore.dev/v1alpha1", "ClusterImagePolicy", "p", None, spec=spec))
    assert found.facts["verifies_images"] is verifies


def test_policies_of_the_api_server() -> None:
    policy = one(thing(REGISTRATION, "ValidatingAdmissionPolicy", "p", None, spec={"matchConstraints": {"resourceRules": [PODS]}}))
    assert policy.facts == {"policy_type": "validating_policy", "engine": "API server", "namespace": "", "on_pods": True}
    spec = {"policyName": "p", "validationActions": ["Deny", "Audit"]}
    binding = one(thing(REGISTRATION, "ValidatingAdmissionPolicyBinding", "b", None, spec=spec)).facts
    assert (binding["policy_name"], binding["actions"]) == ("p", ["Deny", "Audit"])
