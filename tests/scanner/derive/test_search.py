"""Which parts of a search store answer on the internet, and whether its policies let everyone in."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.search import ACCESS, COLLECTION, DOMAIN, NETWORK, everyone
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import ACCOUNT, AFTER, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

OWN = [f"arn:aws:iam::{ACCOUNT}:role/bedrock"]


def rule(kind: str, *resources: str, public: bool = False, principals: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "resource_type": kind,
        "resources": list(resources),
        "public": public,
        "sources": [],
        "principals": list(principals),
        "permissions": [],
    }


def policy(native: str, name: str, *rules: dict[str, Any], **more: Any) -> Resource:
    return thing(
        "account", name, native, id=f"arn:aws:aoss:us-east-1:{ACCOUNT}:policy/{name}", aws__policy_rules=list(rules), **more
    )


COLLECTED = thing("data_store", "docs", COLLECTION)


def facts(store: Resource, *policies: Resource, gaps: dict[str, Gap] | None = None) -> tuple[object, object]:
    world = MemoryWorld([store, *policies], gaps, DERIVATIONS)
    return world.fact(store, "internet_parts"), world.fact(store, "policy_public")


def test_a_domain_answers_where_it_stands() -> None:
    def parts(**more: Any) -> object:
        return facts(thing("data_store", "d", DOMAIN, policy_statements=[], **more))[0]

    assert parts(internet_facing=True) == ["domain"]
    assert parts(internet_facing=False) == []
    assert parts(gaps={"internet_facing": DENIED}) == DENIED


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("collection/docs", ["collection"]),
        ("collection/*", ["collection"]),
        ("collection/d*", ["collection"]),
        ("collection/doc", []),
        ("collection/docs-other", []),
        ("docs", []),
    ],
)
def test_network_policies_name_collections_by_pattern(pattern: str, parts: list[str]) -> None:
    assert facts(COLLECTED, policy(NETWORK, "n", rule("collection", pattern, public=True)))[0] == parts


def test_the_public_policy_wins_and_dashboards_are_a_part_of_their_own() -> None:
    private = policy(NETWORK, "a", rule("collection", "collection/docs"), rule("dashboard", "collection/docs"))
    dashboards = policy(NETWORK, "b", rule("dashboard", "collection/*", public=True))
    everything = policy(NETWORK, "c", rule("collection", "collection/*", public=True))
    assert facts(COLLECTED, private)[0] == []
    assert facts(COLLECTED, private, dashboards)[0] == ["dashboard"]
    assert facts(COLLECTED, private, dashboards, everything)[0] == ["collection", "dashboard"]


def test_a_collection_that_no_network_policy_fits_is_shut() -> None:
    assert facts(COLLECTED) == ([], "no")


def test_policies_of_other_regions_and_accounts_do_not_count() -> None:
    public = rule("collection", "collection/*", public=True)
    assert (
        facts(COLLECTED, policy(NETWORK, "eu", public, region="eu-west-1"), policy(NETWORK, "theirs", public, scope="2"))[0] == []
    )


def test_what_is_not_seen_matters_unless_what_is_seen_settles_it() -> None:
    public = policy(NETWORK, "p", rule("collection", "collection/*", public=True))
    unread = thing("account", "u", NETWORK, {"aws.policy_rules": DENIED}, id="arn:aws:aoss:us-east-1:1:policy/u")
    assert facts(COLLECTED, gaps={NETWORK: DENIED})[0] == DENIED
    assert facts(COLLECTED, unread)[0] == DENIED
    assert facts(COLLECTED, unread, public)[0] == ["collection"]
    assert facts(COLLECTED, public, gaps={NETWORK: DENIED})[0] == ["collection"]
    assert facts(COLLECTED, gaps={ACCESS: DENIED}) == ([], DENIED)


@pytest.mark.parametrize(
    ("principal", "anyone"),
    [
        ("*", True),
        ("arn:aws:iam::*:role/bedrock", True),
        ("arn:aws:sts::*:assumed-role/x/*", True),
        (f"arn:aws:iam::{ACCOUNT}:role/*", False),
        (f"arn:aws:iam::{ACCOUNT}:root", False),
        (f"saml/{ACCOUNT}/okta/group/*", False),
    ],
)
def test_everyone(principal: str, anyone: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert everyone(principal) is anyone


@pytest.mark.parametrize(
    ("kind", "pattern", "answer"),
    [
        ("index", "index/docs/*", "yes"),
        ("index", "index/docs/contracts", "yes"),
        ("index", "index/*/*", "yes"),
        ("index", "index/d*/contracts", "yes"),
        ("index", "index/other/*", "no"),
        ("collection", "collection/docs", "yes"),
        ("collection", "collection/other", "no"),
    ],
)
def test_data_access_for_everyone(kind: str, pattern: str, answer: str) -> None:
    assert facts(COLLECTED, policy(ACCESS, "a", rule(kind, pattern, principals=(*OWN, "*"))))[1] == answer
    assert facts(COLLECTED, policy(ACCESS, "a", rule(kind, pattern, principals=tuple(OWN))))[1] == "no"


def test_a_plan_shows_what_opens_a_collection_but_not_that_nothing_does() -> None:
    made = planned("data_store", "docs", COLLECTION)
    public = planned("account", "net", NETWORK, aws__policy_rules=[rule("collection", "collection/docs", public=True)])
    private = planned("account", "net", NETWORK, aws__policy_rules=[rule("collection", "collection/docs")])
    late = planned("account", "net", NETWORK, {"aws.policy_rules": AFTER})
    assert facts(made, public)[0] == ["collection"]
    for other in (private, late):
        parts, granted = facts(made, other)
        assert isinstance(parts, Gap)
        assert isinstance(granted, Gap)
        assert parts.reason is Reason.NOT_OFFERED
        assert "account" in parts.remedy


def test_a_catalogues_passwords_have_a_key_of_their_own() -> None:
    key = thing("key", "c", manager="customer", aliases=[])
    native = "AWS::Glue::DataCatalogEncryptionSettings"

    def manager(**more: Any) -> object:
        catalogue = thing("account", "catalog", native, **more)
        return MemoryWorld([catalogue, key], None, DERIVATIONS).fact(catalogue, "password_key_manager")

    assert manager(password_encrypted=True, password_key_id=key.id) == "customer"
    assert manager(password_encrypted=True, password_key_id="") == "provider"
    assert manager(password_encrypted=False, password_key_id="") == "none"
    assert manager(gaps={"password_encrypted": DENIED}) == DENIED
    assert manager(password_encrypted=True, gaps={"password_key_id": DENIED}) == DENIED
