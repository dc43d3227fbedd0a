from __future__ import annotations

import json

import pytest

from collectors.aws import opensearch
from tests.collectors.aws.answers import given

KEY = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
POLICY = {"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "es:*", "Resource": "*"}]}


@pytest.mark.parametrize(
    ("policy", "versions"),
    [
        ("Policy-Min-TLS-1-0-2019-07", ["1.0", "1.1", "1.2"]),
        ("Policy-Min-TLS-1-2-2019-07", ["1.2"]),
        ("Policy-Min-TLS-1-2-PFS-2023-10", ["1.2", "1.3"]),
        ("Policy-Min-TLS-1-2-RFC9151-FIPS-2024-08", ["1.2", "1.3"]),
        ("Policy-Min-TLS-1-2-FIPS-PQ-2026-10", ["1.2", "1.3"]),
        ("Policy-Min-TLS-1-3-2030-01", ["1.3"]),
    ],
)
def test_versions_are_those_of_the_family(policy, versions):
    assert opensearch.tls_versions(policy) == versions


def test_a_policy_without_a_version_is_unreadable():
    with pytest.raises(ValueError, match="not a known"):
        opensearch.tls_versions("Policy-Quantum")


@pytest.mark.parametrize(
    ("options", "facing"),
    [
        (None, True),
        ({}, True),
        ({"SubnetIds": []}, True),
        ({"VPCId": "vpc-1"}, False),
        ({"SubnetIds": ["subnet-1"]}, False),
    ],
)
def test_internet_facing(options, facing):
    assert opensearch.internet_facing(options) is facing


@pytest.mark.parametrize(
    ("enabled", "anonymous", "asks"), [(True, None, True), (True, False, True), (True, True, False), (False, None, False)]
)
def test_fine_grained_access(enabled, anonymous, asks):
    assert opensearch.fine_grained(enabled, anonymous) is asks


def test_domains(boto, look):
    client = boto("opensearch")
    client.create_domain(
        DomainName="good",
        VPCOptions={"SubnetIds": ["subnet-1"]},
        EncryptionAtRestOptions={"Enabled": True, "KmsKeyId": KEY},
        NodeToNodeEncryptionOptions={"Enabled": True},
        DomainEndpointOptions={"EnforceHTTPS": True, "TLSSecurityPolicy": "Policy-Min-TLS-1-2-PFS-2023-10"},
        AdvancedSecurityOptions={"Enabled": True},
        TagList=[{"Key": "Zone", "Value": "inference"}],
    )
    for n in range(6):
        client.create_domain(
            DomainName=f"bad{n}",
            AccessPolicies=json.dumps(POLICY),
            EncryptionAtRestOptions={"Enabled": False},
            NodeToNodeEncryptionOptions={"Enabled": False},
            DomainEndpointOptions={"EnforceHTTPS": False, "TLSSecurityPolicy": "Policy-Min-TLS-1-0-2019-07"},
        )

    seen = look(opensearch.DOMAINS)

    assert seen.failed() == []
    good = seen.named("good")
    assert (good.id, good.tags, good.gaps) == ("arn:aws:es:us-east-1:123456789012:domain/good", {"Zone": "inference"}, {})
    assert good.facts == {
        "store_type": "search",
        "deleting": False,
        "encrypted": True,
        "key_id": KEY,
        "internet_facing": False,
        "fine_grained_access": True,
        "policy_statements": [],
        "tls_required": True,
        "tls_versions": ["1.2", "1.3"],
        "internal_tls": True,
    }
    bad = seen.named("bad3").facts
    assert (bad["encrypted"], bad["key_id"], bad["internet_facing"], bad["fine_grained_access"]) == (False, "", True, False)
    assert (bad["tls_required"], bad["tls_versions"], bad["internal_tls"]) == (False, ["1.0", "1.1", "1.2"], False)
    assert bad["policy_statements"][0]["principals"] == ["*"]
    assert sum(c.operation == "describe_domains" for c in seen.asked) == 2, "five domains a call"


def test_domains_that_may_not_be_described_are_unknown_and_those_on_their_way_out_say_so():
    named = {"opensearch:list_domain_names": {"DomainNames": [{"DomainName": "a", "EngineType": "OpenSearch"}]}}
    seen = given(opensearch.DOMAINS, answers={**named, "opensearch:describe_domains": "AccessDeniedException"})
    (domain,) = seen.resources
    assert domain.id == "arn:aws:es:us-east-1:123456789012:domain/a"
    assert set(domain.gaps) == set(opensearch.DOMAINS.facts) - {"store_type"} | {"tags"}
    assert domain.gaps["internet_facing"].remedy.startswith("Allow es:DescribeDomains")

    status = {"DomainName": "a", "ARN": "arn:aws:es:us-east-1:123456789012:domain/a", "ClusterConfig": {}, "Deleted": True}
    seen = given(
        opensearch.DOMAINS,
        answers={**named, "opensearch:describe_domains": {"DomainStatusList": [status]}, "opensearch:list_tags": {"TagList": []}},
    )
    (domain,) = seen.resources
    assert (domain.facts["deleting"], domain.facts["internet_facing"], domain.facts["encrypted"]) == (True, True, False)


# serverless


def test_policy_rules():
    document = [
        {
            "Rules": [
                {"ResourceType": "collection", "Resource": ["collection/b*", "collection/a"]},
                {"ResourceType": "dashboard", "Resource": ["collection/a"]},
            ],
            "AllowFromPublic": False,
            "SourceVPCEs": ["vpce-1"],
            "SourceServices": ["bedrock.amazonaws.com"],
        },
        {
            "Rules": [{"ResourceType": "index", "Resource": ["index/a/*"], "Permission": ["aoss:*"]}],
            "Principal": ["arn:aws:iam::1:root"],
        },
    ]
    private = {"public": False, "sources": ["bedrock.amazonaws.com", "vpce-1"], "principals": [], "permissions": []}
    expected = [
        {"resource_type": "collection", "resources": ["collection/a", "collection/b*"], **private},
        {"resource_type": "dashboard", "resources": ["collection/a"], **private},
        {
            "resource_type": "index",
            "resources": ["index/a/*"],
            "public": False,
            "sources": [],
            "principals": ["arn:aws:iam::1:root"],
            "permissions": ["aoss:*"],
        },
    ]
    assert opensearch.policy_rules(document) == expected
    assert opensearch.policy_rules(json.dumps(document)) == expected
    with pytest.raises(ValueError, match="list"):
        opensearch.policy_rules({"Rules": []})


def test_collections_and_their_network_policies(boto, look):
    client = boto("opensearchserverless")
    for name, key in (("good", KEY), ("owned", "auto")):
        policy = {"Rules": [{"ResourceType": "collection", "Resource": [f"collection/{name}"]}], "KmsARN": key}
        client.create_security_policy(name=name, type="encryption", policy=json.dumps(policy))
        client.create_collection(name=name, type="VECTORSEARCH", tags=[{"key": "Zone", "value": "inference"}])
    network = [{"Rules": [{"ResourceType": "collection", "Resource": ["collection/*"]}], "AllowFromPublic": True}]
    client.create_security_policy(name="open", type="network", policy=json.dumps(network))

    seen = look(opensearch.COLLECTIONS, opensearch.NETWORK_POLICIES)

    assert seen.failed() == []
    good = seen.named("good")
    assert (good.id.rsplit("/", 1)[0], good.tags, good.gaps) == (
        "arn:aws:aoss:us-east-1:123456789012:collection",
        {"Zone": "inference"},
        {},
    )
    assert good.facts == {
        "store_type": "search",
        "deleting": False,
        "encrypted": True,
        "key_id": KEY,
        "fine_grained_access": False,
    }
    assert seen.named("owned").facts["key_id"] == ""
    policy = seen.named("open")
    assert (policy.id, policy.kind) == ("arn:aws:aoss:us-east-1:123456789012:network-policy/open", "account")
    rule = {
        "resource_type": "collection",
        "resources": ["collection/*"],
        "public": True,
        "sources": [],
        "principals": [],
        "permissions": [],
    }
    assert policy.facts == {"aws.policy_type": "network", "aws.policy_rules": [rule]}


def test_collections_that_are_gone_and_policies_of_data_access():
    gone = {"id": "g", "name": "gone", "arn": "arn:aws:aoss:us-east-1:123456789012:collection/g", "status": "DELETING"}
    seen = given(
        opensearch.COLLECTIONS,
        opensearch.ACCESS_POLICIES,
        answers={
            "opensearchserverless:list_collections": {"collectionSummaries": [gone]},
            "opensearchserverless:list_access_policies": [
                {"accessPolicySummaries": [{"name": "a", "type": "data"}], "nextToken": "2"},
                {"accessPolicySummaries": [{"name": "b", "type": "data"}]},
            ],
            "opensearchserverless:get_access_policy:a": {
                "accessPolicyDetail": {
                    "policy": [{"Rules": [{"ResourceType": "index", "Resource": ["index/*/*"]}], "Principal": ["*"]}]
                }
            },
            "opensearchserverless:get_access_policy:b": "AccessDeniedException",
        },
    )
    assert [(r.native_type, r.name) for r in seen.resources] == [
        ("AWS::OpenSearchServerless::AccessPolicy", "a"),
        ("AWS::OpenSearchServerless::AccessPolicy", "b"),
    ]
    first, second = seen.resources
    assert first.facts["aws.policy_rules"][0]["principals"] == ["*"]
    assert "aoss:GetAccessPolicy" in second.gaps["aws.policy_rules"].remedy
