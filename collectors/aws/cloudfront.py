"""CloudFront: distributions, and how they speak with viewers and origins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from collectors.aws import arn
from collectors.aws.tls import CBC, SPELLED
from collectors.table import Call, Const, Field, Table

VIEWER = "https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_ViewerCertificate.html"
POLICIES = (
    "https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/secure-connections-supported-viewer-protocols-ciphers.html"
)
BEHAVIOUR = "https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CacheBehavior.html"
ORIGIN = "https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CustomOriginConfig.html"

DEFAULT = "TLSv1"
"""What the certificate of `*.cloudfront.net` enforces, whatever is asked for."""
VERSIONS = ["ssl3", "1.0", "1.1", "1.2", "1.3"]
LOWEST = {
    "SSLv3": "ssl3",
    "TLSv1": "1.0",
    "TLSv1_2016": "1.0",
    "TLSv1.1_2016": "1.1",
    "TLSv1.2_2018": "1.2",
    "TLSv1.2_2019": "1.2",
    "TLSv1.2_2021": "1.2",
    "TLSv1.2_2025": "1.2",
    "TLSv1.3_2025": "1.3",
}
"""Security policy → lowest version: POLICIES."""
_RSA = ("AES128-GCM-SHA256", "AES128-SHA256", "AES256-GCM-SHA384")
WEAK = {"TLSv1.2_2018": sorted((*CBC, *_RSA)), "TLSv1.2_2019": sorted(CBC)}
"""Ciphers of TLS 1.2 policies without forward secrecy or authenticated encryption; older policies have these of 2018 and more."""
CLEAR = {"allow-all": True, "https-only": False, "redirect-to-https": False}
"""Viewer protocol policy → plain HTTP is answered: BEHAVIOUR."""
ALWAYS_CLEAR = {"http-only": True, "match-viewer": False, "https-only": False}
"""Origin protocol policy → always plain HTTP: ORIGIN."""


def tls_policy(policy: str | None, default_certificate: bool | None) -> str:  # noqa: FBT001 - the answer's own type
    """The security policy in force."""
    return DEFAULT if default_certificate or not policy else policy


def tls_versions(policy: str | None, default_certificate: bool | None) -> list[str]:  # noqa: FBT001 - the answer's own type
    """TLS versions that viewers may speak. KeyError for a policy that is not known."""
    return VERSIONS[VERSIONS.index(LOWEST[tls_policy(policy, default_certificate)]) :]


def weak_ciphers(policy: str | None, default_certificate: bool | None) -> list[str]:  # noqa: FBT001 - the answer's own type
    """Weak ciphers that viewers may speak. KeyError for a policy that is not known."""
    found = tls_policy(policy, default_certificate)
    if LOWEST[found] < "1.2" or LOWEST[found] == "ssl3":
        return WEAK["TLSv1.2_2018"]
    return WEAK.get(found, [])


def clear_paths(default: str, behaviours: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """Path patterns that answer over plain HTTP; `*` is the default behaviour. KeyError for a policy that is not known."""
    policies = [("*", default), *((b["PathPattern"], b["ViewerProtocolPolicy"]) for b in behaviours or [])]
    return sorted(path for path, policy in policies if CLEAR[policy])


def clear_origins(origins: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """Origins that are always asked over plain HTTP. KeyError for a policy that is not known."""
    return sorted(str(o["Id"]) for o in _custom(origins) if ALWAYS_CLEAR[o["CustomOriginConfig"]["OriginProtocolPolicy"]])


def origin_versions(origins: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """TLS versions spoken with origins that are asked over HTTPS. Buckets are asked in the newest that both know.

    KeyError for a version that is not known, and for an origin of which none is told: no default is documented.
    """
    found: set[str] = set()
    for origin in _custom(origins):
        config = origin["CustomOriginConfig"]
        if not ALWAYS_CLEAR[config["OriginProtocolPolicy"]]:
            told = config["OriginSslProtocols"]["Items"] or [""]
            found |= {SPELLED[v] for v in told}
    return sorted(found, key=VERSIONS.index)


def _custom(origins: Iterable[Mapping[str, Any]] | None) -> Sequence[Mapping[str, Any]]:
    return [o for o in origins or [] if o.get("CustomOriginConfig")]


_CERTIFICATE = ("item.ViewerCertificate.MinimumProtocolVersion", "item.ViewerCertificate.CloudFrontDefaultCertificate")

DISTRIBUTIONS = Table(
    kind="endpoint",
    native_type="AWS::CloudFront::Distribution",
    list=Call("cloudfront", "list_distributions", take="DistributionList.Items"),
    per="account",
    id=Field("item.ARN"),
    name=Field(("item.Aliases.Items", "item.DomainName"), lambda aliases, domain: min(aliases or [domain])),
    tags=arn.tags("tags"),
    detail={
        "tags": Call("cloudfront", "list_tags_for_resource", args={"Resource": "item.ARN"}, take="Tags.Items"),
    },
    facts={
        "endpoint_type": Const("distribution"),
        "enabled": Field("item.Enabled"),
        "internet_facing": Const(value=True),
        "tls": Const(value=True),
        "tls_policy": Field(_CERTIFICATE, tls_policy, absent=DEFAULT, source=VIEWER),
        "tls_versions": Field(_CERTIFICATE, tls_versions, absent=VERSIONS[1:], source=VIEWER),
        "tls_weak_ciphers": Field(_CERTIFICATE, weak_ciphers, absent=WEAK["TLSv1.2_2018"], source=POLICIES),
        "clear_paths": Field(("item.DefaultCacheBehavior.ViewerProtocolPolicy", "item.CacheBehaviors.Items"), clear_paths, source=BEHAVIOUR),
        "clear_origins": Field("item.Origins.Items", clear_origins, absent=[], source=ORIGIN),
        "origin_tls_versions": Field("item.Origins.Items", origin_versions, absent=[], source=ORIGIN),
    },
    redact=("CustomHeaders",),
)  # fmt: skip

TABLES: tuple[Table, ...] = (DISTRIBUTIONS,)
