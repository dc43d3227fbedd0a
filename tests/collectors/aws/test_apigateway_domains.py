from __future__ import annotations

import pytest
from botocore.session import get_session

from collectors.aws import apigateway
from collectors.table import MISSING
from tests.collectors.aws.answers import given


@pytest.mark.parametrize(
    ("policy", "versions"),
    [
        ("TLS_1_0", ["1.0", "1.1", "1.2", "1.3"]),
        ("TLS_1_2", ["1.2", "1.3"]),
        ("SecurityPolicy_TLS13_1_3_2025_09", ["1.3"]),
        ("SecurityPolicy_TLS13_1_3_FIPS_2025_09", ["1.3"]),
        ("SecurityPolicy_TLS13_1_2_FIPS_PFS_PQ_2025_09", ["1.2", "1.3"]),
        ("SecurityPolicy_TLS13_1_2_2021_06", ["1.2", "1.3"]),
        ("SecurityPolicy_TLS13_2025_EDGE", ["1.3"]),
        ("SecurityPolicy_TLS12_PFS_2025_EDGE", ["1.2", "1.3"]),
        ("SecurityPolicy_TLS12_2018_EDGE", ["1.2", "1.3"]),
    ],
)
def test_versions_are_those_of_the_family(policy, versions):
    assert apigateway.tls_versions(policy) == versions


def test_every_policy_of_the_api_is_understood():
    for policy in get_session().get_service_model("apigateway").shape_for("SecurityPolicy").enum:
        assert apigateway.tls_versions(policy)
    with pytest.raises(ValueError, match="not a known"):
        apigateway.tls_versions("SecurityPolicy_Quantum")


def test_where_no_policy_is_named():
    assert apigateway.domain_versions(None, ["EDGE"]) == ["1.0", "1.1", "1.2", "1.3"]
    assert apigateway.domain_versions(None, ["REGIONAL"]) is MISSING


def test_domain_names(boto, look):
    client = boto("apigateway")
    client.create_domain_name(
        domainName="api.example.com",
        endpointConfiguration={"types": ["REGIONAL"]},
        securityPolicy="TLS_1_2",
        tags={"Zone": "inference"},
    )
    client.create_domain_name(domainName="old.example.com", endpointConfiguration={"types": ["EDGE"]}, securityPolicy="TLS_1_0")
    client.create_domain_name(domainName="mute.example.com", endpointConfiguration={"types": ["REGIONAL"]})

    seen = look(apigateway.DOMAINS)

    assert seen.failed() == []
    good = seen.named("api.example.com")
    assert (good.id, good.tags, good.gaps) == (
        "arn:aws:apigateway:us-east-1::/domainnames/api.example.com",
        {"Zone": "inference"},
        {},
    )
    assert good.facts == {"endpoint_type": "domain", "tls": True, "tls_policy": "TLS_1_2", "tls_versions": ["1.2", "1.3"]}
    assert seen.named("old.example.com").facts["tls_versions"] == ["1.0", "1.1", "1.2", "1.3"]
    assert seen.named("mute.example.com").gaps["tls_versions"].reason == "not_offered"


def test_a_private_domain_name_has_its_own_arn():
    arn = "arn:aws:apigateway:us-east-1:123456789012:/domainnames/chat.internal+abc123"
    item = {"domainName": "chat.internal", "domainNameId": "abc123", "domainNameArn": arn, "securityPolicy": "TLS_1_2"}
    (found,) = given(apigateway.DOMAINS, answers={"apigateway:get_domain_names": {"items": [item]}}).resources
    assert found.id == arn
