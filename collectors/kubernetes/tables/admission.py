"""What decides on requests to the API: webhooks, admission policies, and the policies of the engines behind webhooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from collectors.kubernetes.names import name_of
from collectors.kubernetes.reads import labels
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING, Const, Fact, Field, ObjectTable

Item = Mapping[str, Any]
WEBHOOKS = "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/"
KYVERNO = "https://kyverno.io/docs/policy-types/cluster-policy/policy-settings/"
GATEKEEPER = "https://open-policy-agent.github.io/gatekeeper/website/docs/enforcement-points/"

ENGINES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("Gatekeeper", r"(?:^|\.)gatekeeper\.sh$|gatekeeper-webhook-service|^gatekeeper-"),
        ("Kyverno", r"(?:^|[.-])kyverno\b.*\.svc|kyverno-svc|^kyverno-"),
        ("Sigstore policy-controller", r"(?:^|\.)sigstore\.dev$|^cosign-system/"),
        ("Kubewarden", r"\.kubewarden\.admission$|^kubewarden/"),
        ("OPA", r"openpolicyagent\.org$|^opa/opa$"),
        ("jsPolicy", r"jspolicy"),
        ("Datree", r"datree"),
        ("Polaris", r"^polaris\b|polaris\.fairwinds\.com"),
        ("Connaisseur", r"connaisseur"),
        ("Portieris", r"portieris|securityenforcement\.admission\.cloud\.ibm\.com"),
        ("Ratify", r"(?:^|[/.])ratify\b"),
        ("StackRox", r"\.stackrox\.io$"),
        ("NeuVector", r"neuvector"),
        ("Falcon", r"falcon\.crowdstrike\.com"),
        ("Aqua", r"aquasec\.com"),
        ("Prisma Cloud", r"twistlock"),
        ("Sysdig", r"secure\.sysdig\.com"),
        ("Wiz", r"\bwiz-admission"),
        ("k-rail", r"\bk-rail\b"),
        ("GKE Warden", r"^warden-validating\."),
    )
)
"""Engine → how its webhooks, or their services (`namespace/name`), are called."""
OTHERS = re.compile(
    r"""
    cert-manager | (?:^|\.)istio\.io$ | ^istio | ^istiod | linkerd | (?:^|\.)knative\.dev$ | kserve | kubeflow | trainer | ray\.io
    | kuberay | kueue | (?:^|\.)kb\.io$ | jobset | leaderworkerset | ^lws- | volcano\.sh | volcano | seldon | spark | katib
    | elbv2\.k8s\.aws | aws-load-balancer | vpc\.k8s\.aws | pod-identity-webhook | iam-for-pods\.amazonaws\.com | eks-
    | karpenter | vault | prometheus | monitoring\.coreos\.com | ingress-nginx | nginx\.org | metallb | multus | whereabouts
    | nvidia\.com | mellanox | network-operator | sriov | dra- | operator-webhook | strimzi | elastic | crossplane
    | external-secrets | tekton | argo | capsule | cluster-api | rook | longhorn | snapshot | csi | secrets-store
    | opentelemetry | keda | datadoghq | gmp-operator | networking\.gke\.io$ | gke\.io$ | cloud\.google\.com
    | aks- | azure-wi-webhook | azure-workload-identity | openshift\.io$ | openshift- | olm | operators\.coreos\.com
    """,
    re.VERBOSE,
)
"""Webhooks of other components: they look after their own objects, or put into pods what they need."""
OWN = frozenset({"", "apps", "batch", "rbac.authorization.k8s.io", "*"})
"""Groups with which a webhook may guard the cluster itself."""
MAKERS = frozenset(
    {"pods", "deployments", "statefulsets", "daemonsets", "replicasets", "jobs", "cronjobs", "replicationcontrollers"}
)
MAKER_KINDS = frozenset(
    {"pod", "deployment", "statefulset", "daemonset", "replicaset", "job", "cronjob", "replicationcontroller", "*"}
)


# ---- webhooks


def _names(item: Item) -> Iterable[str]:
    """The names of a configuration's webhooks, and of the services that answer: `namespace/name`."""
    for webhook in mappings(item.get("webhooks")):
        yield str(webhook.get("name", ""))
        service = mapping(mapping(webhook.get("clientConfig")).get("service"))
        if service:
            yield f"{service.get('namespace', '')}/{service.get('name', '')}"


def engine(item: Item) -> Any:
    """The policy engine behind a webhook configuration, empty for none; not known where it may be one that has no name here."""
    names = [name_of(item), *_names(item)]
    if "kubewarden" in labels(item):
        return "Kubewarden"
    found = next((name for name, pattern in ENGINES if any(pattern.search(n) for n in names)), None)
    if found is not None:
        return found
    groups = {
        str(g) for w in mappings(item.get("webhooks")) for r in mappings(w.get("rules")) for g in sequence(r.get("apiGroups"))
    }
    return "" if not groups & OWN or any(OTHERS.search(n) for n in names) else MISSING


def _covers(rules: Any, resource: str, operation: str, groups: frozenset[str]) -> bool:
    """Whether rules of a webhook or a policy cover an operation on a resource. `*` covers no subresource: `pods/exec` takes `*/*`."""
    name, _, sub = resource.partition("/")
    wanted = {resource, "*/*", *([f"{name}/*", f"*/{sub}"] if sub else ["*"])}
    for rule in mappings(rules):
        chosen = {str(g) for g in sequence(rule.get("apiGroups"))}, {str(o) for o in sequence(rule.get("operations"))}
        asked = {str(r) for r in sequence(rule.get("resources"))}
        if chosen[0] & (groups | {"*"}) and chosen[1] & {operation, "*"} and asked & wanted:
            return True
    return False


def on_makers(rules: Any) -> bool:
    """Whether rules cover the making of pods, or of what makes pods."""
    groups = frozenset({"", "apps", "batch"})
    return any(_covers(rules, resource, "CREATE", groups) for resource in MAKERS)


def selector(value: Any) -> dict[str, Any]:
    """A label selector, its empty parts left out."""
    found = mapping(value)
    return {key: found[key] for key in ("matchLabels", "matchExpressions") if found.get(key)}


def webhooks(item: Item) -> list[dict[str, Any]]:
    """The webhooks of a configuration: `guards` says whether one sees pods, or what makes them, as they are made."""
    return [
        {
            "name": str(w.get("name", "")),
            "fails_closed": w.get("failurePolicy", "Fail") == "Fail",  # the default of v1, WEBHOOKS
            "guards": on_makers(w.get("rules")),
            "ephemeral": _covers(w.get("rules"), "pods/ephemeralcontainers", "UPDATE", frozenset({""})),
            "namespace_selector": selector(w.get("namespaceSelector")),
            "object_selector": selector(w.get("objectSelector")),
            "conditions": bool(sequence(w.get("matchConditions"))),
        }
        for w in mappings(item.get("webhooks"))
    ]


def sees_ephemeral(item: Item) -> bool:
    """Whether some webhook of a configuration sees containers that are added to a running pod."""
    return any(w["ephemeral"] for w in webhooks(item))


IGNORE = "admission.gatekeeper.sh/ignore"


def exemption_guarded(item: Item) -> bool:
    """Whether the label by which Gatekeeper leaves a namespace alone may not be put on any namespace.

    https://open-policy-agent.github.io/gatekeeper/website/docs/exempt-namespaces/
    """
    found = webhooks(item)
    expressions = [e for w in found for e in mappings(w["namespace_selector"].get("matchExpressions"))]
    if not any(e.get("key") == IGNORE for e in expressions):
        return True
    return any(w["name"] == "check-ignore-label.gatekeeper.sh" and w["fails_closed"] for w in found)


WEBHOOK_FACTS: Mapping[str, Fact] = {
    "namespace": Const(""),
    "engine": Field("item", engine),
    "webhooks": Field("item", webhooks, source=WEBHOOKS),
    "sees_ephemeral": Field("item", sees_ephemeral),
    "exemption_guarded": Field("item", exemption_guarded),
}


# ---- policies


def binding_actions(spec: Item) -> list[str]:
    """What a binding does about violations."""
    return [str(a) for a in sequence(spec.get("validationActions"))]


POINTS = frozenset({"*", "validation.gatekeeper.sh", "vap.k8s.io"})
"""Enforcement points of Gatekeeper at which a request is refused."""


def constraint_enforces(spec: Item) -> bool:
    """Whether a constraint refuses what violates it: deny is the default; a scoped one names actions for each point."""
    action = str(spec.get("enforcementAction") or "deny")
    if action != "scoped":
        return action == "deny"
    return any(
        str(scoped.get("action")) == "deny" and POINTS & {str(p.get("name")) for p in mappings(scoped.get("enforcementPoints"))}
        for scoped in mappings(spec.get("scopedEnforcementActions"))
    )


def constraint_on_pods(spec: Item) -> bool:
    """Whether a constraint speaks of pods or of what makes them; without `kinds` it speaks of everything."""
    chosen = mappings(mapping(spec.get("match")).get("kinds"))
    return not chosen or any(str(k).lower() in MAKER_KINDS for c in chosen for k in sequence(c.get("kinds")))


def _kinds(rule: Item) -> set[str]:
    """Kinds that a Kyverno rule matches: `Pod` of `v1/Pod` and of `apps/v1/Deployment/scale` the third part."""
    match = mapping(rule.get("match"))
    filters = [match, *mappings(match.get("any")), *mappings(match.get("all"))]
    written = [str(k) for f in filters for k in sequence(mapping(f.get("resources")).get("kinds"))]
    return {re.sub(r"^(?:.*?/)?(?:v\d\w*|\*)/", "", k).partition("/")[0].lower() for k in written}


def kyverno_on_pods(spec: Item) -> bool:
    """Whether some rule speaks of pods or of what makes them."""
    return any(_kinds(rule) & MAKER_KINDS for rule in mappings(spec.get("rules")))


def _blocks(action: Any, overrides: Any) -> bool:
    """Whether a failure action blocks somewhere: overrides change it for namespaces."""
    chosen = [(str(o.get("action", "")).lower(), {str(n) for n in sequence(o.get("namespaces"))}) for o in mappings(overrides)]
    if any(word == "enforce" for word, _ in chosen):
        return True
    everywhere = any(word == "audit" and "*" in names for word, names in chosen)
    return str(action or "Audit").lower() == "enforce" and not everywhere


def kyverno_enforces(spec: Item) -> bool:
    """Whether some validation rule blocks requests: the rule's own word, else the policy's, which is Audit by default."""
    if spec.get("admission") is False:
        return False
    for rule in mappings(spec.get("rules")):
        check = mapping(rule.get("validate"))
        own = check.get("failureAction") or spec.get("validationFailureAction")
        overrides = check.get("failureActionOverrides") or spec.get("validationFailureActionOverrides")
        if check and _blocks(own, overrides):
            return True
    return False


def kyverno_verifies(spec: Item) -> bool:
    """Whether some rule keeps images out that nobody known has signed.

    https://kyverno.io/docs/policy-types/cluster-policy/verify-images/overview/
    """
    overrides = spec.get("validationFailureActionOverrides")
    return spec.get("admission") is not False and any(
        (sequence(check.get("attestors")) or sequence(check.get("attestations")))
        and check.get("required") is not False
        and _blocks(check.get("failureAction") or spec.get("validationFailureAction"), overrides)
        for rule in mappings(spec.get("rules"))
        for check in mappings(rule.get("verifyImages"))
    )


def cel_enforces(spec: Item) -> bool:
    """Whether a policy of `policies.kyverno.io` refuses requests: Deny is its default, at admission, of the API server's requests."""
    evaluation = mapping(spec.get("evaluation"))
    at_admission = mapping(evaluation.get("admission")).get("enabled") is not False
    kubernetes = str(evaluation.get("mode") or "Kubernetes") == "Kubernetes"
    return at_admission and kubernetes and "Deny" in (sequence(spec.get("validationActions")) or ["Deny"])


def cel_verifies(spec: Item) -> bool:
    """Whether a policy for images names those who must have signed, and enforces it."""
    return cel_enforces(spec) and bool(sequence(spec.get("attestors")) or sequence(spec.get("attestations")))


def cel_on_pods(spec: Item) -> bool:
    """Whether it speaks of pods, or of what makes them."""
    return on_makers(mapping(spec.get("matchConstraints")).get("resourceRules"))


def sigstore_verifies(spec: Item) -> bool:
    """Whether a ClusterImagePolicy keeps images out: one authority is enough for an image, so none may pass everything.

    https://docs.sigstore.dev/policy-controller/overview/
    """
    authorities = mappings(spec.get("authorities"))
    lax = any(mapping(a.get("static")).get("action") == "pass" for a in authorities)
    return str(spec.get("mode") or "enforce") == "enforce" and bool(authorities) and not lax


SIGNATURES = re.compile(r"signature|signed|ratify|cosign|notation|notary|provenance|attest", re.IGNORECASE)


def may_verify(item: Item) -> bool:
    """Whether a constraint is called as if it looked at signatures: what its template does is not read."""
    return bool(SIGNATURES.search(f"{item.get('kind', '')} {name_of(item)}"))


def _policy(
    native: str, plural: str, policy_type: str, by: str, facts: Mapping[str, Fact], *, namespaced: bool = False
) -> ObjectTable:
    base: dict[str, Fact] = {
        "policy_type": Const(policy_type),
        "engine": Const(by),
        "namespace": Field("context.namespace") if namespaced else Const(""),
    }
    return ObjectTable("admission_policy", native, plural, {**base, **facts}, namespaced=namespaced)


SPEC = "item.spec || `{}`"
KYVERNO_FACTS: Mapping[str, Fact] = {
    "enforces": Field(SPEC, kyverno_enforces, source=KYVERNO),
    "on_pods": Field(SPEC, kyverno_on_pods),
    "verifies_images": Field(SPEC, kyverno_verifies),
}
CEL_FACTS: Mapping[str, Fact] = {"enforces": Field(SPEC, cel_enforces), "on_pods": Field(SPEC, cel_on_pods)}
POLICIES = "policies.kyverno.io/v1"
REGISTRATION = "admissionregistration.k8s.io/v1"
CONSTRAINT = "constraints.gatekeeper.sh/v1beta1/Constraint"
"""Stands for every type of its group: there is one for each template."""
TABLES: tuple[ObjectTable, ...] = (
    ObjectTable(
        "admission_policy",
        f"{REGISTRATION}/ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        {**WEBHOOK_FACTS, "policy_type": Const("validating_webhook")},
        namespaced=False,
    ),
    ObjectTable(
        "admission_policy",
        f"{REGISTRATION}/MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        {**WEBHOOK_FACTS, "policy_type": Const("mutating_webhook")},
        namespaced=False,
    ),
    _policy(
        f"{REGISTRATION}/ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        "validating_policy",
        "API server",
        {"on_pods": Field(SPEC, cel_on_pods)},
    ),
    _policy(
        f"{REGISTRATION}/ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        "binding",
        "API server",
        {"policy_name": Field("item.spec.policyName", str), "actions": Field(SPEC, binding_actions)},
    ),
    _policy(
        CONSTRAINT,
        "*",
        "constraint",
        "Gatekeeper",
        {
            "enforces": Field(SPEC, constraint_enforces, source=GATEKEEPER),
            "on_pods": Field(SPEC, constraint_on_pods),
            "may_verify_images": Field("item", may_verify),
        },
    ),
    _policy("kyverno.io/v1/ClusterPolicy", "clusterpolicies", "policy", "Kyverno", KYVERNO_FACTS),
    _policy("kyverno.io/v1/Policy", "policies", "policy", "Kyverno", KYVERNO_FACTS, namespaced=True),
    *(
        _policy(f"{POLICIES}/{kind}", plural, "policy", "Kyverno", CEL_FACTS, namespaced=namespaced)
        for kind, plural, namespaced in (
            ("ValidatingPolicy", "validatingpolicies", False),
            ("NamespacedValidatingPolicy", "namespacedvalidatingpolicies", True),
        )
    ),
    *(
        _policy(
            f"{POLICIES}/{kind}",
            plural,
            "policy",
            "Kyverno",
            {**CEL_FACTS, "verifies_images": Field(SPEC, cel_verifies)},
            namespaced=namespaced,
        )
        for kind, plural, namespaced in (
            ("ImageValidatingPolicy", "imagevalidatingpolicies", False),
            ("NamespacedImageValidatingPolicy", "namespacedimagevalidatingpolicies", True),
        )
    ),
    _policy(
        "policy.sigstore.dev/v1beta1/ClusterImagePolicy",
        "clusterimagepolicies",
        "policy",
        "Sigstore policy-controller",
        {"verifies_images": Field(SPEC, sigstore_verifies)},
    ),
)
