"""Who manages the keys of the volumes that a launch template makes."""

from __future__ import annotations

from collections.abc import Mapping

from scanner.derive.keys import KEY, manager
from scanner.derive.names import unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

TEMPLATE, DEFAULT = "AWS::EC2::LaunchTemplate", "AWS::EC2::EBSEncryptionByDefault"
IMAGE = "Say `encrypted` and a key in the template."


def volume_keys(template: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """`customer`, `provider` or `none` of each volume; those that are known, where one of them is not the customer's."""
    volumes = world.fact(template, "device_volumes")
    if isinstance(volumes, Gap):
        return {"volume_keys": volumes}
    found = [(str(v["device"]), _manager(v, template, world)) for v in volumes]
    known: list[JSON] = [{"device": device, "key_manager": m} for device, m in found if not isinstance(m, Gap)]
    gap = next((m for _, m in found if isinstance(m, Gap)), None)
    wrong = any(m in ("none", "provider") for _, m in found)
    return {"volume_keys": known if wrong or gap is None else gap}


def _manager(volume: Mapping[str, JSON], template: Resource, world: World) -> JSON | Gap:
    by = volume["encryption"]
    if by == "off":
        return "none"
    if by == "on" and volume["key_id"]:
        return manager(str(volume["key_id"]), template, world)
    if by == "image":
        return Gap(Reason.NOT_OFFERED, "", IMAGE, f"{volume['device']} takes the key of a snapshot, which was not seen")
    return _by_account(template, world, asked=by == "on")


def _by_account(template: Resource, world: World, *, asked: bool) -> JSON | Gap:
    """What the account's default makes of a volume for which no key is named; `asked`: the template asks for encryption."""
    default = world.memo("templates.defaults", lambda: _defaults(world)).get((template.scope, template.region))
    if default is None:
        return unseen(world, DEFAULT, template, "the account's default encryption of volumes")
    encrypted, key_id = world.fact(default, "encrypted"), world.fact(default, "key_id")
    if not asked and (isinstance(encrypted, Gap) or not encrypted):
        return encrypted if isinstance(encrypted, Gap) else "none"
    return key_id if isinstance(key_id, Gap) else manager(str(key_id), default, world)


def _defaults(world: World) -> dict[tuple[str, str], Resource]:
    return {(r.scope, r.region): r for r in world.all("account") if r.native_type == DEFAULT}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "node",
        ("volume_keys",),
        volume_keys,
        needs=("device_volumes",),
        reads={DEFAULT: ("encrypted", "key_id"), KEY: ("manager", "aliases")},
        native_types=(TEMPLATE,),
    ),
)
