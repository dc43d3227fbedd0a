"""Files of the API server: what encrypts Secrets, what is recorded, who is let in. By themselves, and for the API server that names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scanner.derive.kubernetes import audit
from scanner.derive.kubernetes.evidence import content, given
from scanner.derive.kubernetes.types import POD
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

ENCRYPTION = "apiserver.config.k8s.io/v1/EncryptionConfiguration"
AUTHENTICATION = "apiserver.config.k8s.io/v1/AuthenticationConfiguration"
AUTHORIZATION = "apiserver.config.k8s.io/v1/AuthorizationConfiguration"
AUDIT = "audit.k8s.io/v1/Policy"
TYPES = (ENCRYPTION, AUTHENTICATION, AUTHORIZATION, AUDIT)
API_SERVER = "kube-apiserver"


def _flag(pod: Resource, name: str, world: World) -> str | Gap:
    """A flag of an API server; empty where it is not set."""
    flags = world.fact(pod, "flags")
    if isinstance(flags, Gap):
        return flags
    value = flags.get(name, None if "..." in flags else "")
    lost = Gap(Reason.NOT_OFFERED, "", "Write the flag into the command line of the static pod.", f"--{name} is not known")
    return value if isinstance(value, str) else lost


def _named(pod: Resource, flag: str, path: str, native_type: str, fact: str, world: World) -> JSON | Gap:
    return content(pod, flag, path, given(world, "cluster", native_type), fact, world)


# ---- Secrets at rest


def secrets_provider(entries: Sequence[Mapping[str, Sequence[str]]]) -> str:
    """What writes Secrets: the first provider of the first entry that names them, or all of their group.

    Wildcards: https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/#understanding-the-encryption-at-rest-configuration
    """
    entry = next((e for e in entries if set(e["resources"]) & {"secrets", "secrets.", "*.", "*.*"}), None)
    return (entry["providers"] or ["identity"])[0] if entry else "identity"


def encryption(subject: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What encrypts Secrets on their way into etcd."""
    if subject.native_type == POD and subject.facts.get("component") != API_SERVER:
        return {}
    entries: JSON | Gap
    if subject.native_type == POD:
        path = _flag(subject, "encryption-provider-config", world)
        if path == "" or isinstance(path, Gap):
            return {"secrets_provider": path or "none"}
        entries = _named(subject, "encryption-provider-config", path, ENCRYPTION, "encryption_providers", world)
    else:
        entries = world.fact(subject, "encryption_providers")
    return {"secrets_provider": entries if isinstance(entries, Gap) else secrets_provider(entries)}


# ---- what is recorded


def audit_levels(subject: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the audit policy records; without one nothing is."""
    if subject.native_type == POD and subject.facts.get("component") != API_SERVER:
        return {}
    rules: JSON | Gap = []
    if subject.native_type == POD:
        path = _flag(subject, "audit-policy-file", world)
        if isinstance(path, Gap):
            return {"audit_levels": path}
        if path:
            rules = _named(subject, "audit-policy-file", path, AUDIT, "audit_rules", world)
    else:
        rules = world.fact(subject, "audit_rules")
    return {"audit_levels": rules if isinstance(rules, Gap) else audit.levels(rules)}


# ---- who is let in


def authorization(subject: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who decides on requests: AlwaysAllow where neither the flag nor a file says otherwise."""
    if subject.native_type == AUTHORIZATION:
        return {"authorization_modes": world.fact(subject, "authorizers")}
    if subject.facts.get("component") != API_SERVER:
        return {}
    path = _flag(subject, "authorization-config", world)
    if isinstance(path, Gap):
        return {"authorization_modes": path}
    if path:
        return {"authorization_modes": _named(subject, "authorization-config", path, AUTHORIZATION, "authorizers", world)}
    modes = _flag(subject, "authorization-mode", world)
    return {"authorization_modes": modes if isinstance(modes, Gap) else (modes or "AlwaysAllow").split(",")}


def anonymous(subject: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether requests without credentials are let in: they are where nothing is said; a file that speaks of them stands above the flag."""
    if subject.native_type == POD and subject.facts.get("component") != API_SERVER:
        return {}
    said: JSON | Gap = "flag"
    if subject.native_type == POD:
        path = _flag(subject, "authentication-config", world)
        if isinstance(path, Gap):
            return {"anonymous_requests": path}
        if path:
            said = _named(subject, "authentication-config", path, AUTHENTICATION, "anonymous_config", world)
    else:
        said = world.fact(subject, "anonymous_config")
    if said != "flag":
        return {"anonymous_requests": said}
    if subject.native_type != POD:
        remedy = "Scan the API server's manifest with it."
        return {"anonymous_requests": Gap(Reason.NOT_OFFERED, "", remedy, "the file does not say, so --anonymous-auth does")}
    flag = _flag(subject, "anonymous-auth", world)
    if isinstance(flag, Gap):
        return {"anonymous_requests": flag}
    return {"anonymous_requests": "off" if flag.lower() in ("false", "f", "0") else "on"}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "cluster",
        ("secrets_provider",),
        encryption,
        needs=("component", "flags", "encryption_providers"),
        reads={ENCRYPTION: ("encryption_providers",)},
        native_types=(POD, ENCRYPTION),
    ),
    Derivation(
        "cluster",
        ("audit_levels",),
        audit_levels,
        needs=("component", "flags", "audit_rules"),
        reads={AUDIT: ("audit_rules",)},
        native_types=(POD, AUDIT),
    ),
    Derivation(
        "cluster",
        ("authorization_modes",),
        authorization,
        needs=("component", "flags", "authorizers"),
        reads={AUTHORIZATION: ("authorizers",)},
        native_types=(POD, AUTHORIZATION),
    ),
    Derivation(
        "cluster",
        ("anonymous_requests",),
        anonymous,
        needs=("component", "flags", "anonymous_config"),
        reads={AUTHENTICATION: ("anonymous_config",)},
        native_types=(POD, AUTHENTICATION),
    ),
)
