"""Gateways: what they listen for, which routes are attached to them, and what those serve to whoever asks without TLS."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors.kubernetes.within import mapping, mappings, sequence

Item = Mapping[str, Any]
CHALLENGE = "/.well-known/acme-challenge/"
"""Where certificate authorities look by plain HTTP: https://cert-manager.io/docs/configuration/acme/http01/"""


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


# ---- Gateway API


def listeners(item: Item) -> list[dict[str, Any]]:
    """The listeners of a Gateway. Routes of its own namespace may attach to one, unless it says otherwise.

    https://gateway-api.sigs.k8s.io/reference/spec/#gateway.networking.k8s.io/v1.Listener
    """
    found = []
    for raw in mappings(mapping(item.get("spec")).get("listeners")):
        allowed = mapping(raw.get("allowedRoutes"))
        namespaces = mapping(allowed.get("namespaces"))
        selector = mapping(namespaces.get("selector"))
        chosen = str(namespaces.get("from") or "Same")
        found.append(
            {
                "name": str(raw.get("name") or ""),
                "port": _number(raw.get("port")),
                "protocol": str(raw.get("protocol") or ""),
                "hostname": str(raw.get("hostname") or ""),
                "tls": str(mapping(raw.get("tls")).get("mode") or "Terminate") if raw.get("tls") is not None else "",
                # NOTE: a selector without conditions selects every namespace
                "from": "All" if chosen == "Selector" and "selector" in namespaces and not _conditions(selector) else chosen,
                "selector": dict(selector),
                "kinds": [str(k.get("kind") or "") for k in mappings(allowed.get("kinds"))],
            }
        )
    return found


def _conditions(selector: Item) -> bool:
    return bool(mapping(selector.get("matchLabels")) or sequence(selector.get("matchExpressions")))


def parents(item: Item, context: Mapping[str, str]) -> list[dict[str, Any]]:
    """The gateways that a route asks to be attached to, and to which listeners of them (empty, 0: any)."""
    return [
        {
            "namespace": str(p.get("namespace") or context["namespace"]),
            "name": str(p.get("name") or ""),
            "section": str(p.get("sectionName") or ""),
            "port": _number(p.get("port")),
        }
        for p in mappings(mapping(item.get("spec")).get("parentRefs"))
        if p.get("kind", "Gateway") == "Gateway"
    ]


def hostnames(item: Item) -> list[str]:
    """The hosts that a route is for; empty for all that the listener takes."""
    return [str(h).lower() for h in sequence(mapping(item.get("spec")).get("hostnames"))]


def serves(item: Item) -> bool:
    """Whether a route does anything but send callers to HTTPS, or answer the challenges of certificate authorities.

    https://gateway-api.sigs.k8s.io/guides/http-redirect-rewrite/
    """
    return any(not _redirects(rule) and not _answers(rule) for rule in mappings(mapping(item.get("spec")).get("rules")))


def _redirects(rule: Item) -> bool:
    redirects = [mapping(f.get("requestRedirect")) for f in mappings(rule.get("filters")) if f.get("type") == "RequestRedirect"]
    return any(r.get("scheme") == "https" for r in redirects)


def _answers(rule: Item) -> bool:
    paths = [str(mapping(m.get("path")).get("value") or "/") for m in mappings(rule.get("matches"))]
    return bool(paths) and all(p.startswith(CHALLENGE) for p in paths)


# ---- Istio

TERMINATES = frozenset({"SIMPLE", "MUTUAL", "OPTIONAL_MUTUAL"})
VERSIONS = ("1.0", "1.1", "1.2", "1.3")
PROTOCOLS: Mapping[str, str] = {f"TLSV1_{n}": f"1.{n}" for n in range(4)}


def servers(item: Item) -> list[dict[str, Any]]:
    """The servers of an Istio Gateway, as listeners.

    https://istio.io/latest/docs/reference/config/networking/gateway/#Server
    """
    found = []
    for raw in mappings(mapping(item.get("spec")).get("servers")):
        port, tls = mapping(raw.get("port")), mapping(raw.get("tls"))
        found.append(
            {
                "name": str(raw.get("name") or port.get("name") or ""),
                "port": _number(port.get("number")),
                "protocol": str(port.get("protocol") or "").upper(),
                "tls": str(tls.get("mode") or "PASSTHROUGH") if "tls" in raw and tls.keys() - {"httpsRedirect"} else "",
                "redirects": tls.get("httpsRedirect") is True,
            }
        )
    return found


def tls_versions(item: Item) -> list[str]:
    """Versions of TLS that the servers of an Istio Gateway accept that end it themselves: from 1.2 on, unless they say otherwise.

    https://istio.io/latest/docs/reference/config/networking/gateway/#ServerTLSSettings
    """
    found: set[str] = set()
    for raw in mappings(mapping(item.get("spec")).get("servers")):
        tls = mapping(raw.get("tls"))
        if tls.get("mode") in TERMINATES:
            first = VERSIONS.index(_version(tls.get("minProtocolVersion"), "1.2"))
            last = VERSIONS.index(_version(tls.get("maxProtocolVersion"), "1.3"))
            found |= set(VERSIONS[first : last + 1])
    return sorted(found)


def _version(written: Any, otherwise: str) -> str:
    """Raises KeyError where it is no version."""
    return otherwise if written in (None, "", "TLS_AUTO") else PROTOCOLS[str(written)]


def virtual_parents(item: Item, context: Mapping[str, str]) -> list[dict[str, Any]]:
    """The Istio Gateways that a VirtualService is bound to."""
    spec = mapping(item.get("spec"))
    matches = [m for p in ("http", "tls", "tcp") for r in mappings(spec.get(p)) for m in mappings(r.get("match"))]
    names = {str(g) for source in (spec, *matches) for g in sequence(source.get("gateways"))} - {"mesh"}
    return [_gateway(name, context["namespace"]) for name in sorted(names)]


def _gateway(name: str, own: str) -> dict[str, Any]:
    namespace, slash, plain = name.partition("/")
    return {"namespace": namespace if slash else own, "name": plain if slash else name, "section": "", "port": 0}


def virtual_serves(item: Item) -> bool:
    """Whether a VirtualService does anything but send callers to HTTPS.

    https://istio.io/latest/docs/reference/config/networking/virtual-service/#HTTPRedirect
    """
    spec = mapping(item.get("spec"))
    rules: Iterable[Item] = mappings(spec.get("http"))
    others = any(mappings(spec.get(p)) for p in ("tls", "tcp"))
    return others or any(mapping(r.get("redirect")).get("scheme") != "https" for r in rules)


# ---- grants


def grants_from(item: Item) -> list[dict[str, str]]:
    """Who may refer to something: kinds of objects, each in one namespace.

    https://gateway-api.sigs.k8s.io/api-types/referencegrant/
    """
    return [
        {"kind": str(f.get("kind") or ""), "namespace": str(f.get("namespace") or "")}
        for f in mappings(mapping(item.get("spec")).get("from"))
    ]


def grants_to(item: Item) -> list[dict[str, str]]:
    """To what they may refer in the namespace of the grant; an empty name is everything of the kind."""
    return [
        {"kind": str(t.get("kind") or ""), "name": str(t.get("name") or "")} for t in mappings(mapping(item.get("spec")).get("to"))
    ]
