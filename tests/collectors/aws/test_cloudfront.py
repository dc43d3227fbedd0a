from __future__ import annotations

import pytest
from botocore.session import get_session

from collectors.aws import cloudfront
from tests.collectors.aws.answers import given

MODEL = get_session().get_service_model("cloudfront")


def test_every_policy_and_protocol_of_the_api_is_known():
    assert set(MODEL.shape_for("MinimumProtocolVersion").enum) == set(cloudfront.LOWEST)
    assert set(MODEL.shape_for("SslProtocol").enum) <= set(cloudfront.SPELLED)


@pytest.mark.parametrize(
    ("policy", "default", "versions", "weak"),
    [
        ("TLSv1.2_2021", False, ["1.2", "1.3"], 0),
        ("TLSv1.2_2025", None, ["1.2", "1.3"], 0),
        ("TLSv1.3_2025", False, ["1.3"], 0),
        ("TLSv1.2_2019", False, ["1.2", "1.3"], 4),
        ("TLSv1.2_2018", False, ["1.2", "1.3"], 7),
        ("TLSv1.1_2016", False, ["1.1", "1.2", "1.3"], 7),
        ("SSLv3", False, ["ssl3", "1.0", "1.1", "1.2", "1.3"], 7),
        # the certificate of cloudfront.net forces TLSv1, whatever is asked for
        ("TLSv1.2_2021", True, ["1.0", "1.1", "1.2", "1.3"], 7),
        (None, True, ["1.0", "1.1", "1.2", "1.3"], 7),
    ],
)
def test_viewers(policy, default, versions, weak):
    assert cloudfront.tls_versions(policy, default) == versions
    assert len(cloudfront.weak_ciphers(policy, default)) == weak


def test_a_policy_that_is_not_known_is_unreadable():
    with pytest.raises(KeyError):
        cloudfront.tls_versions("TLSv2_2040", False)


def summary(**more):
    made = {
        "Id": "E1",
        "ARN": "arn:aws:cloudfront::123456789012:distribution/E1",
        "DomainName": "d1.cloudfront.net",
        "Enabled": True,
        "DefaultCacheBehavior": {"TargetOriginId": "api", "ViewerProtocolPolicy": "https-only"},
    }
    return {**made, **more}


def origin(name, policy, *versions):
    config = {
        "HTTPPort": 80,
        "HTTPSPort": 443,
        "OriginProtocolPolicy": policy,
        "OriginSslProtocols": {"Quantity": len(versions), "Items": list(versions)},
    }
    return {"Id": name, "DomainName": "o.example.com", "CustomOriginConfig": config}


def looked(*summaries):
    listing = {"Marker": "", "MaxItems": 100, "IsTruncated": False, "Quantity": len(summaries), "Items": list(summaries)}
    answers = {
        "cloudfront:list_distributions": {"DistributionList": listing},
        "cloudfront:list_tags_for_resource": {"Tags": {"Items": [{"Key": "Zone", "Value": "inference"}]}},
    }
    return given(cloudfront.DISTRIBUTIONS, answers=answers).resources


def test_a_right_distribution():
    (made,) = looked(
        summary(
            Aliases={"Quantity": 1, "Items": ["models.example.com"]},
            ViewerCertificate={
                "ACMCertificateArn": "c",
                "MinimumProtocolVersion": "TLSv1.2_2021",
                "CloudFrontDefaultCertificate": False,
            },
            Origins={
                "Quantity": 2,
                "Items": [
                    origin("api", "https-only", "TLSv1.2"),
                    {"Id": "weights", "DomainName": "b.s3.amazonaws.com", "S3OriginConfig": {"OriginAccessIdentity": ""}},
                ],
            },
        )
    )
    assert (made.name, made.region, made.tags, made.gaps) == ("models.example.com", "global", {"Zone": "inference"}, {})
    assert made.facts == {
        "endpoint_type": "distribution",
        "enabled": True,
        "internet_facing": True,
        "tls": True,
        "tls_policy": "TLSv1.2_2021",
        "tls_versions": ["1.2", "1.3"],
        "tls_weak_ciphers": [],
        "clear_paths": [],
        "clear_origins": [],
        "origin_tls_versions": ["1.2"],
    }


def test_every_behaviour_and_origin_counts():
    (made,) = looked(
        summary(
            CacheBehaviors={
                "Quantity": 2,
                "Items": [
                    {"PathPattern": "/models/*", "TargetOriginId": "api", "ViewerProtocolPolicy": "allow-all"},
                    {"PathPattern": "/chat", "TargetOriginId": "api", "ViewerProtocolPolicy": "redirect-to-https"},
                ],
            },
            Origins={
                "Quantity": 2,
                "Items": [origin("api", "http-only", "TLSv1"), origin("old", "match-viewer", "SSLv3", "TLSv1.1", "TLSv1.2")],
            },
        )
    )
    facts = made.facts
    assert (facts["clear_paths"], facts["clear_origins"], facts["origin_tls_versions"]) == (
        ["/models/*"],
        ["api"],
        ["ssl3", "1.1", "1.2"],
    )
    assert (facts["tls_policy"], facts["tls_versions"]) == ("TLSv1", ["1.0", "1.1", "1.2", "1.3"]), "no certificate of its own"
    assert made.name == "d1.cloudfront.net"


def test_headers_that_origins_are_asked_with_are_not_kept():
    header = {"HeaderName": "x-origin-secret", "HeaderValue": "s3cr3t"}
    one = origin("api", "https-only", "TLSv1.2") | {"CustomHeaders": {"Quantity": 1, "Items": [header]}}
    listing = {
        "Marker": "",
        "MaxItems": 100,
        "IsTruncated": False,
        "Quantity": 1,
        "Items": [summary(Origins={"Quantity": 1, "Items": [one]})],
    }
    seen = given(
        cloudfront.DISTRIBUTIONS,
        answers={"cloudfront:list_distributions": {"DistributionList": listing}, "cloudfront:list_tags_for_resource": {"Tags": {}}},
    )
    assert "s3cr3t" not in str(seen.answers)
    assert seen.resources[0].facts["origin_tls_versions"] == ["1.2"]


def test_policies_of_behaviours_and_origins_that_are_not_known_are_unreadable():
    assert set(MODEL.shape_for("ViewerProtocolPolicy").enum) == set(cloudfront.CLEAR)
    assert set(MODEL.shape_for("OriginProtocolPolicy").enum) == set(cloudfront.ALWAYS_CLEAR)
    (made,) = looked(
        summary(
            DefaultCacheBehavior={"TargetOriginId": "api", "ViewerProtocolPolicy": "maybe"},
            Origins={"Quantity": 1, "Items": [origin("api", "perhaps", "TLSv1.2")]},
        )
    )
    assert {"clear_paths", "clear_origins", "origin_tls_versions"} <= made.gaps.keys()


def test_an_origin_that_tells_no_version_is_unknown():
    (made,) = looked(summary(Origins={"Quantity": 1, "Items": [origin("api", "https-only")]}))
    assert "origin_tls_versions" in made.gaps
