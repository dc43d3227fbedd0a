"""The control plane and the kubelets: static pods, and their configuration files.

A static pod of the control plane is a workload like any other; as a part of the cluster it has what its command line says. Of the
files some are given as evidence: no API serves them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from collectors.kubernetes.commands import ELSEWHERE, environment, flag_name, flags, words
from collectors.kubernetes.kept.control_plane import ETCD_FLAGS, FLAGS, LISTS, PROGRAMS, variable
from collectors.kubernetes.marks import MARKS, PLAIN
from collectors.kubernetes.names import metadata
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING, Const, Fact, Field, ObjectTable

PLATFORM = "kube-system"
MORE = "..."
"""Among the flags: there may be more than are seen."""


# ---- static pods


def _container(item: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """(component, its container) of a static pod of the control plane: by its program, else by the pod's label."""
    meta = metadata(item)
    owners = {str(o.get("kind")) for o in mappings(meta.get("ownerReferences"))}
    if meta.get("namespace") != PLATFORM or owners - {"Node"}:
        return None
    containers = mappings(mapping(item.get("spec")).get("containers"))
    for container in containers:
        program = next((w for w in map(_program, words(container)) if w in PROGRAMS), "")
        if program:
            return program, container
    labelled = str(mapping(meta.get("labels")).get("component") or "")
    if labelled not in PROGRAMS:
        return None
    return next(((labelled, c) for c in containers if c.get("name") == labelled), None)


def _program(word: str) -> str:
    return word.rpartition("/")[2]


def is_component(item: Mapping[str, Any]) -> bool:
    """Whether a pod is a part of the control plane."""
    return _container(item) is not None


def component(item: Mapping[str, Any]) -> Any:
    """The `component` fact."""
    found = _container(item)
    return found[0] if found else MISSING


def component_flags(item: Mapping[str, Any]) -> Any:
    """The `flags` fact: those that rules read, and of etcd what variables say: a flag stands above them."""
    found = _container(item)
    if found is None:
        return MISSING
    name, container = found
    line = words(container)
    told: dict[str, str | None] = {}
    if name == "etcd":
        variables = environment(container)
        told = {flag: _told(variables[variable(flag)]) for flag in ETCD_FLAGS if variable(flag) in variables}
        if sequence(container.get("envFrom")):
            told[MORE] = None
    told |= {flag: _told(value) for flag, value in flags(line).items() if flag in FLAGS}
    told |= {flag: _joined(line, flag) for flag in LISTS if flag in told}
    start = next((place for place, word in enumerate(line) if _program(word) == name), None)
    if start is None or any(_expands(line[:place], word) for place, word in enumerate(line) if place > start):
        told[MORE] = None
    return told


def _told(value: str | None) -> str | None:
    return None if value in MARKS or value == ELSEWHERE else value


def _joined(line: Sequence[str], name: str) -> str | None:
    """A flag that is a list: what is written twice counts twice (StringSlice of https://pkg.go.dev/github.com/spf13/pflag)."""
    places = [place for place, word in enumerate(line) if word.startswith("-") and flag_name(word.partition("=")[0]) == name]
    values = [_told(flags(line[place : place + 1 + ("=" not in line[place])])[name]) for place in places]
    known = [value for value in values if value is not None]
    return ",".join(value for value in known if value) if len(known) == len(values) else None


def _expands(before: Sequence[str], word: str) -> bool:
    """Whether a word behind the program stands for others: a variable that is no flag's value, or what nobody can tell (`"$(cat f)"`)."""
    bare = before[-1] if before[-1].startswith("-") and "=" not in before[-1] else ""
    return (word.startswith("$") and flag_name(bare) not in FLAGS) or (word == PLAIN and not bare)


# ---- files


def providers(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The `encryption_providers` fact: which resources, and by what they are encrypted, the first of them on writing.

    https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/#understanding-the-encryption-at-rest-configuration
    """
    entries = item.get("resources")
    if not isinstance(entries, list):
        raise TypeError("no list of resources")
    return [
        {
            "resources": [_text(r) for r in mapping(entry)["resources"]],
            "providers": [_provider(p) for p in mapping(entry)["providers"]],
        }
        for entry in entries
    ]


def _provider(entry: Any) -> str:
    (name,) = mapping(entry)
    if name not in ("kms", "aescbc", "aesgcm", "secretbox", "identity"):
        raise ValueError(f"the provider {name} is not known")
    if name != "kms":
        return str(name)
    # v1 where the version is not written: https://kubernetes.io/docs/reference/config-api/apiserver-config.v1/
    version = mapping(entry[name]).get("apiVersion") or "v1"
    if version not in ("v1", "v2"):
        raise ValueError(f"{version!r} is no version of a KMS provider")
    return f"kms_{version}"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


LEVELS = ("None", "Metadata", "Request", "RequestResponse")


def audit_rules(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The `audit_rules` fact: as they stand, the policy's own `omitStages` added to each."""
    rules = item.get("rules")
    if not isinstance(rules, list):
        raise TypeError("no list of rules")
    omitted = _texts(item.get("omitStages"))
    return [_audit_rule(mapping(rule), omitted) for rule in rules]


def _audit_rule(rule: Mapping[str, Any], omitted: list[str]) -> dict[str, Any]:
    if rule.get("level") not in LEVELS:
        raise ValueError(f"the level {rule.get('level')!r} is not known")
    resources = [
        {"group": str(r.get("group") or ""), "resources": _texts(r.get("resources")), "names": _texts(r.get("resourceNames"))}
        for r in _list(rule.get("resources"))
    ]
    found: dict[str, Any] = {"level": rule["level"], "resources": resources, "omit": [*omitted, *_texts(rule.get("omitStages"))]}
    for key, name in (("users", "users"), ("userGroups", "groups"), ("verbs", "verbs"), ("namespaces", "namespaces")):
        found[name] = _texts(rule.get(key))
    return {**found, "urls": _texts(rule.get("nonResourceURLs"))}


def _list(value: Any) -> list[Any]:
    """A list that may be left out: anything else in its place would widen what a rule matches."""
    if value is not None and not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value or []


def _texts(value: Any) -> list[str]:
    return [_text(v) for v in _list(value)]


def anonymous(item: Mapping[str, Any]) -> str:
    """The `anonymous_config` fact.

    https://kubernetes.io/docs/reference/access-authn-authz/authentication/#anonymous-authenticator-configuration
    """
    said = item.get("anonymous")
    if said is None:
        return "flag"
    enabled = mapping(said).get("enabled")
    if not isinstance(enabled, bool):
        raise TypeError("anonymous.enabled is neither true nor false")
    paths = [_text(mapping(c)["path"]) for c in sequence(mapping(said).get("conditions"))]
    return "off" if not enabled else "paths" if paths else "on"


def authorizers(item: Mapping[str, Any]) -> list[str]:
    """The `authorizers` fact."""
    found = item.get("authorizers")
    if not isinstance(found, list):
        raise TypeError("no list of authorizers")
    return [_text(mapping(entry)["type"]) for entry in found]


SETTINGS = {
    "anonymous": ("authentication", "anonymous", "enabled"),
    "authorization": ("authorization", "mode"),
    "read_only_port": ("readOnlyPort",),
    "rotate": ("rotateCertificates",),
    "bootstrap": ("serverTLSBootstrap",),
    "server_rotation": ("featureGates", "RotateKubeletServerCertificate"),
    "certificate": ("tlsCertFile",),
    "client_ca": ("authentication", "x509", "clientCAFile"),
    "min_version": ("tlsMinVersion",),
    "ciphers": ("tlsCipherSuites",),
    "seccomp": ("seccompDefault",),
    "pids": ("podPidsLimit",),
    "pull_verification": ("imagePullCredentialsVerificationPolicy",),
    "pull_gate": ("featureGates", "KubeletEnsureSecretPulledImages"),
}
"""Settings of a kubelet that rules read, and where they stand in its configuration."""


def kubelet(item: Mapping[str, Any]) -> dict[str, Any]:
    """The `kubelet` fact: settings that are written."""
    found: dict[str, Any] = {}
    for name, path in SETTINGS.items():
        value: Any = item
        for key in path:
            if value is not None and not isinstance(value, dict):
                raise TypeError(f"what holds {key} is no mapping")
            value = mapping(value).get(key)
        if value is not None:
            found[name] = value
    return found


def api_host(item: Mapping[str, Any]) -> Any:
    """The `api_host` fact: whom the scan asked; empty where it asked from within the cluster or through a proxy."""
    if item.get("indirect"):
        return ""
    return urlsplit(str(item["server"])).hostname or MISSING


CLUSTER_FACTS: Mapping[str, Fact] = {"component": Const(""), "api_host": Field("item", api_host)}
"""More facts of the cluster itself."""


def local(item: Mapping[str, Any]) -> bool:
    """Whether the API server itself serves the group."""
    service = mapping(item["spec"]).get("service")
    if service is not None and not isinstance(service, dict):
        raise TypeError("the service is no mapping")
    return not service


def verified(skip: Any) -> bool:
    """Whether the certificate of an aggregated server is verified."""
    if not isinstance(skip, bool):
        raise TypeError("insecureSkipTLSVerify is neither true nor false")
    return not skip


def file_of(native_type: str, plural: str, component: str, fact: str, read: Callable[[Mapping[str, Any]], Any]) -> ObjectTable:
    """A file of the API server's, which no API serves: one fact is read of it."""
    facts: Mapping[str, Fact] = {"component": Const(component), fact: Field("item", read)}
    return ObjectTable("cluster", native_type, plural, facts, namespaced=False)


TABLES: tuple[ObjectTable, ...] = (
    ObjectTable(
        "cluster",
        "v1/Pod",
        "pods",
        {"component": Field("item", component), "flags": Field("item", component_flags)},
        keep=is_component,
    ),
    file_of(
        "apiserver.config.k8s.io/v1/EncryptionConfiguration",
        "encryptionconfigurations",
        "encryption configuration",
        "encryption_providers",
        providers,
    ),
    file_of(
        "apiserver.config.k8s.io/v1/AuthenticationConfiguration",
        "authenticationconfigurations",
        "authentication configuration",
        "anonymous_config",
        anonymous,
    ),
    file_of(
        "apiserver.config.k8s.io/v1/AuthorizationConfiguration",
        "authorizationconfigurations",
        "authorization configuration",
        "authorizers",
        authorizers,
    ),
    file_of("audit.k8s.io/v1/Policy", "policies", "audit policy", "audit_rules", audit_rules),
    ObjectTable(
        "node",
        "kubelet.config.k8s.io/v1beta1/KubeletConfiguration",
        "kubeletconfigurations",
        {"kubelet": Field("item", kubelet), "kubelet_effective": Field("item", lambda item: item.get("configz") is True)},
        namespaced=False,
    ),
    ObjectTable(
        "endpoint",
        "apiregistration.k8s.io/v1/APIService",
        "apiservices",
        {
            "endpoint_type": Const("api_service"),
            "local": Field("item", local),
            "tls_verified": Field(
                "item.spec.insecureSkipTLSVerify",
                verified,
                absent=True,
                source="https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/api-service-v1/",
            ),
        },
        namespaced=False,
    ),
)
