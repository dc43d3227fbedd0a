"""Keys of the volumes that launch templates make."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Resource
from tests.scanner.derive.things import planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

TEMPLATE, DEFAULT = "AWS::EC2::LaunchTemplate", "AWS::EC2::EBSEncryptionByDefault"
CUSTOMER = thing("key", "c", manager="customer", aliases=["alias/data"])
PROVIDER = thing("key", "p", manager="provider", aliases=["alias/aws/ebs"])


def volume(encryption: str, key_id: str = "", device: str = "a") -> dict[str, str]:
    return {"device": device, "encryption": encryption, "key_id": key_id}


def default(encrypted: bool, key_id: str = "", **more: Any) -> Resource:  # noqa: FBT001
    return thing("account", "ebs", DEFAULT, encrypted=encrypted, key_id=key_id, **more)


def keys(*volumes: dict[str, str], others: tuple[Resource, ...] = (), gaps: dict[str, Gap] | None = None) -> Any:
    template = thing("node", "t", TEMPLATE, device_volumes=list(volumes))
    return MemoryWorld([template, CUSTOMER, PROVIDER, *others], gaps, DERIVATIONS).fact(template, "volume_keys")


def told(manager: str, device: str = "a") -> dict[str, str]:
    return {"device": device, "key_manager": manager}


@pytest.mark.parametrize(
    ("given", "by_default", "answer"),
    [
        (volume("on", CUSTOMER.id), default(False), "customer"),
        (volume("on", "alias/data"), default(False), "customer"),
        (volume("on", PROVIDER.id), default(False), "provider"),
        # encrypted without a key takes the account's default key, whether new volumes are encrypted by default or not
        (volume("on"), default(False, CUSTOMER.id), "customer"),
        (volume("on"), default(True, PROVIDER.id), "provider"),
        (volume("on"), default(True, "alias/aws/ebs"), "provider"),
        (volume("account"), default(True, CUSTOMER.id), "customer"),
        (volume("account"), default(True), "provider"),
        (volume("account"), default(False, CUSTOMER.id), "none"),
        (volume("off"), default(True, CUSTOMER.id), "none"),
    ],
)
def test_keys_of_volumes(given: dict[str, str], by_default: Resource, answer: str) -> None:
    assert keys(given, others=(by_default,)) == [told(answer)]


def test_the_key_below_an_image_is_a_gap() -> None:
    assert isinstance(keys(volume("image"), others=(default(True, CUSTOMER.id),)), Gap)


def test_what_is_wrong_is_told_whatever_else_is_unknown() -> None:
    found = keys(volume("image"), volume("off", device="b"), volume("on", CUSTOMER.id, "c"))
    assert found == [told("none", "b"), told("customer", "c")]
    assert isinstance(keys(volume("image"), volume("on", CUSTOMER.id, "c")), Gap)


def test_the_default_of_another_region_says_nothing() -> None:
    answer = keys(volume("account"), others=(default(True, CUSTOMER.id, region="eu-west-1"),))
    assert isinstance(answer, Gap)


def test_gaps_travel() -> None:
    assert keys(volume("account"), gaps={DEFAULT: DENIED}) is DENIED
    refused = thing("account", "ebs", DEFAULT, {"encrypted": DENIED, "key_id": DENIED})
    assert keys(volume("account"), others=(refused,)) is DENIED
    assert keys(volume("on"), others=(refused,)) is DENIED
    unread = thing("node", "t", TEMPLATE, {"device_volumes": DENIED})
    assert MemoryWorld([unread], None, DERIVATIONS).fact(unread, "volume_keys") is DENIED


def test_a_plan_knows_no_defaults_of_the_account() -> None:
    template = planned("node", "aws_launch_template.t", TEMPLATE, device_volumes=[volume("on")])
    assert isinstance(MemoryWorld([template], None, DERIVATIONS).fact(template, "volume_keys"), Gap)
    own = planned("account", "aws_ebs_encryption_by_default.d", DEFAULT, encrypted=True, key_id="")
    assert MemoryWorld([template, own], None, DERIVATIONS).fact(template, "volume_keys") == [told("provider")]


def test_no_volume_is_an_answer() -> None:
    assert keys() == []
