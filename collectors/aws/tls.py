"""Security policies of Elastic Load Balancing by name. A plan cannot ask the service what a policy accepts, so this table is dated.

As of 2026-09. Source: https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html
A name that is not here is KeyError, so what the listener accepts is unknown: neither safe nor unsafe by the looks of its name.
"""

from __future__ import annotations

from collections.abc import Iterator

AS_OF = "2026-09"
DEFAULT = "ELBSecurityPolicy-2016-08"
"""What a listener gets where nobody names a policy (API, Terraform; the console chooses another)."""

SPELLED = {"SSLv3": "ssl3", "TLSv1": "1.0", "TLSv1.1": "1.1", "TLSv1.2": "1.2", "TLSv1.3": "1.3"}
"""How AWS writes a version → as rules do."""
CBC = ("ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384", "ECDHE-RSA-AES128-SHA256", "ECDHE-RSA-AES256-SHA384")
_CBC_SHA1 = ("ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA", "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA")
_RSA = ("AES128-GCM-SHA256", "AES128-SHA256", "AES256-GCM-SHA384", "AES256-SHA256")
_RSA_SHA1 = ("AES128-SHA", "AES256-SHA")
_FS = (*CBC, *_CBC_SHA1)
_EXT1 = (*CBC, *_RSA)
_EVERY = (*_FS, *_RSA, *_RSA_SHA1)

_TLS13 = ("3", "2", "2-Res", "2-Ext0", "2-Ext1", "2-Ext2", "1", "0")
_DATES = ("2021-06", "PQ-2025-09", "FIPS-2023-04", "FIPS-PQ-2025-09")


def _tls13() -> Iterator[tuple[str, tuple[str, ...]]]:
    """`ELBSecurityPolicy-TLS13-1-<lowest version>[-<variant>]-<date>`: TLS 1.3 and all versions down to the lowest."""
    for kind in _TLS13:
        accepted = tuple(f"1.{n}" for n in range(int(kind[0]), 4))
        for date in _DATES:
            # Ext0 exists for FIPS only; there are no post-quantum policies that accept TLS 1.1
            if (kind == "2-Ext0" and "FIPS" not in date) or (kind == "1" and "PQ" in date):
                continue
            yield f"ELBSecurityPolicy-TLS13-1-{kind}-{date}", accepted


VERSIONS: dict[str, tuple[str, ...]] = {
    **dict(_tls13()),
    "ELBSecurityPolicy-FS-1-2-Res-2020-10": ("1.2",),
    "ELBSecurityPolicy-FS-1-2-Res-2019-08": ("1.2",),
    "ELBSecurityPolicy-FS-1-2-2019-08": ("1.2",),
    "ELBSecurityPolicy-FS-1-1-2019-08": ("1.1", "1.2"),
    "ELBSecurityPolicy-FS-2018-06": ("1.0", "1.1", "1.2"),
    "ELBSecurityPolicy-TLS-1-2-Ext-2018-06": ("1.2",),
    "ELBSecurityPolicy-TLS-1-2-2017-01": ("1.2",),
    "ELBSecurityPolicy-TLS-1-1-2017-01": ("1.1", "1.2"),
    "ELBSecurityPolicy-2016-08": ("1.0", "1.1", "1.2"),
    "ELBSecurityPolicy-2015-05": ("1.0", "1.1", "1.2"),
    "ELBSecurityPolicy-TLS-1-0-2015-04": ("1.0", "1.1", "1.2"),
}
"""Policy → TLS versions accepted."""

WEAK: dict[str, tuple[str, ...]] = {
    **{f"ELBSecurityPolicy-TLS13-1-{kind}-{date}": () for kind in ("3", "2-Res") for date in ("2021-06", "PQ-2025-09")},
    **{f"ELBSecurityPolicy-TLS13-1-2-{date}": CBC for date in ("2021-06", "PQ-2025-09")},
    "ELBSecurityPolicy-TLS13-1-3-FIPS-2023-04": (),
    "ELBSecurityPolicy-TLS13-1-2-Res-FIPS-2023-04": (),
    "ELBSecurityPolicy-TLS13-1-2-Ext1-2021-06": _EXT1,
    "ELBSecurityPolicy-TLS13-1-2-Ext2-2021-06": _EVERY,
    "ELBSecurityPolicy-TLS13-1-1-2021-06": _EVERY,
    "ELBSecurityPolicy-TLS13-1-0-2021-06": _EVERY,
    "ELBSecurityPolicy-FS-1-2-Res-2020-10": (),
    "ELBSecurityPolicy-FS-1-2-Res-2019-08": CBC,
    "ELBSecurityPolicy-FS-1-2-2019-08": _FS,
    "ELBSecurityPolicy-FS-1-1-2019-08": _FS,
    "ELBSecurityPolicy-FS-2018-06": _FS,
    "ELBSecurityPolicy-TLS-1-2-Ext-2018-06": _EVERY,
    "ELBSecurityPolicy-TLS-1-2-2017-01": _EXT1,
    "ELBSecurityPolicy-TLS-1-1-2017-01": _EVERY,
    "ELBSecurityPolicy-2016-08": _EVERY,
    "ELBSecurityPolicy-2015-05": _EVERY,
}
"""Policy → accepted ciphers without forward secrecy or without authenticated encryption, where they are known."""


def versions(policy: str) -> list[str]:
    """TLS versions that a policy accepts."""
    return list(VERSIONS[policy])


def weak_ciphers(policy: str) -> list[str]:
    """Ciphers without forward secrecy or authenticated encryption that a policy accepts."""
    return sorted(WEAK[policy])
