"""Direct Connect: connections and link aggregation groups, and their layer-2 encryption (MACsec)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.table import MISSING, Call, Const, Field, Table

MACSEC = "https://docs.aws.amazon.com/directconnect/latest/UserGuide/MACsec.html"
CONNECTION = "https://docs.aws.amazon.com/directconnect/latest/APIReference/API_Connection.html"

MODES = ("must_encrypt", "should_encrypt", "no_encrypt")
TOKEN = ("nextToken", "nextToken")
REDACT = ("ckn", "secretARN", "authKey")
"""The key's name and the address of its secret: no rule needs them."""


def encryption_mode(capable: bool | None, mode: str | None) -> str:  # noqa: FBT001 - the answer's own type
    """The mode; a port that cannot encrypt has none. What AWS answers besides the documented modes is `unknown`."""
    if mode is None and not capable:
        return "no_encrypt"
    return mode if mode in MODES else "unknown"


def state(value: str) -> Any:
    """The state. `unknown` is one of AWS's own words: nobody knows then whether the link is in use."""
    return MISSING if value == "unknown" else value


def up(status: str) -> bool:
    """A port's encryption is up. Any other text than the two documented ones is KeyError."""
    return {"encryption up": True, "encryption down": False}[status.lower()]


def connection_up(capable: bool | None, status: str | None) -> Any:  # noqa: FBT001 - the answer's own type
    """MACsec is up on the port; where a capable port does not say (some in a bundle), it is not known."""
    if status:
        return up(status)
    return MISSING if capable else False


def bundle_up(members: list[Mapping[str, Any]]) -> Any:
    """MACsec is up on every member. A bundle without members, or with one that does not say, tells nothing."""
    states = [connection_up(m.get("macSecCapable"), m.get("portEncryptionStatus")) for m in members]
    if False in states:
        return False
    return MISSING if not states or MISSING in states else True


def live_keys(keys: list[Mapping[str, Any]]) -> int:
    """Keys that are associated, not those on their way in or out."""
    return sum(k.get("state") == "associated" for k in keys)


CONNECTIONS = Table(
    kind="link",
    native_type="AWS::DirectConnect::Connection",
    list=Call("directconnect", "describe_connections", take="connections", token=TOKEN),
    id=arn.one("dxcon", "item.connectionId", service="directconnect"),
    name=arn.named("item.connectionName", "item.tags"),
    tags=arn.tags("item.tags"),
    facts={
        "link_type": Const("circuit"),
        "state": Field("item.connectionState", state, source=CONNECTION),
        "macsec_capable": Field("item.macSecCapable", absent=False, source=CONNECTION),
        "encryption_mode": Field(
            ("item.macSecCapable", "item.encryptionMode"), encryption_mode, absent="no_encrypt", source=MACSEC
        ),
        "encryption_up": Field(("item.macSecCapable", "item.portEncryptionStatus"), connection_up, absent=False, source=MACSEC),
        "macsec_keys": Field("item.macSecKeys", live_keys, absent=0, source=MACSEC),
        "bundle_id": arn.one("dxlag", "item.lagId", service="directconnect", absent=""),
        "bandwidth": Field("item.bandwidth"),
    },
    redact=REDACT,
)

BUNDLES = Table(
    kind="link",
    native_type="AWS::DirectConnect::Lag",
    list=Call("directconnect", "describe_lags", take="lags", token=TOKEN),
    id=arn.one("dxlag", "item.lagId", service="directconnect"),
    name=arn.named("item.lagName", "item.tags"),
    tags=arn.tags("item.tags"),
    facts={
        "link_type": Const("bundle"),
        "state": Field("item.lagState", state, source=CONNECTION),
        "macsec_capable": Field("item.macSecCapable", absent=False, source=CONNECTION),
        "encryption_mode": Field(
            ("item.macSecCapable", "item.encryptionMode"), encryption_mode, absent="no_encrypt", source=MACSEC
        ),
        "encryption_up": Field("item.connections", bundle_up),
        "macsec_keys": Field("item.macSecKeys", live_keys, absent=0, source=MACSEC),
        "bundle_id": Const(""),
        "bandwidth": Field("item.connectionsBandwidth"),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (CONNECTIONS, BUNDLES)
