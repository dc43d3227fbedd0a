from __future__ import annotations

import pytest

from collectors.aws import certificates
from tests.collectors.aws.answers import given

ARN = "arn:aws:acm:us-east-1:123456789012:certificate/"
JUNE = "2026-06-01T00:00:00Z"


@pytest.mark.parametrize(
    ("kind", "eligible", "status", "expected"),
    [
        ("IMPORTED", None, None, "manual"),
        ("AMAZON_ISSUED", "INELIGIBLE", None, "manual"),
        ("AMAZON_ISSUED", "ELIGIBLE", None, "automatic"),
        ("AMAZON_ISSUED", "ELIGIBLE", "SUCCESS", "automatic"),
        ("AMAZON_ISSUED", "ELIGIBLE", "PENDING_AUTO_RENEWAL", "automatic"),
        ("AMAZON_ISSUED", "ELIGIBLE", "PENDING_VALIDATION", "waiting"),
        ("PRIVATE", "ELIGIBLE", "FAILED", "failed"),
    ],
)
def test_renewal(kind, eligible, status, expected):
    assert certificates.renewal(kind, eligible, status) == expected


def test_only_what_acm_renews_and_something_uses_is_asked_about():
    def summary(name, **more):
        return {"CertificateArn": f"{ARN}{name}", "DomainName": name, "NotAfter": JUNE, **more}

    seen = given(
        certificates.CERTIFICATES,
        answers={
            "acm:list_certificates": {
                "CertificateSummaryList": [
                    summary("imported", Type="IMPORTED", InUse=True),
                    summary("idle", Type="AMAZON_ISSUED", InUse=False, RenewalEligibility="ELIGIBLE"),
                    summary("stuck", Type="AMAZON_ISSUED", InUse=True, RenewalEligibility="ELIGIBLE", KeyAlgorithm="EC_prime256v1"),
                    summary("unseen", Type="AMAZON_ISSUED", InUse=True, RenewalEligibility="ELIGIBLE"),
                    {"CertificateArn": f"{ARN}new", "DomainName": "new", "Type": "AMAZON_ISSUED", "InUse": False},
                ]
            },
            f"acm:describe_certificate:{ARN}stuck": {
                "Certificate": {
                    "RenewalSummary": {"RenewalStatus": "PENDING_VALIDATION", "DomainValidationOptions": [], "UpdatedAt": JUNE}
                }
            },
            f"acm:describe_certificate:{ARN}unseen": "AccessDeniedException",
        },
    )
    found = {r.name: r for r in seen.resources}
    stuck = found["stuck"]
    assert (stuck.id, stuck.gaps) == (f"{ARN}stuck", {})
    assert stuck.facts == {
        "credential_type": "certificate",
        "expires": "2026-06-01T00:00:00Z",
        "in_use": True,
        "renewal": "waiting",
    }
    assert {n: r.facts.get("renewal") for n, r in found.items()} == {
        "imported": "manual",
        "idle": "automatic",
        "stuck": "waiting",
        "unseen": None,
        "new": "automatic",
    }
    assert found["unseen"].gaps["renewal"].call == "acm:DescribeCertificate"
    assert found["new"].gaps["expires"].reason == "not_offered"


def test_certificates_with_every_sort_of_key_are_asked_for():
    """Without the filter ACM leaves out all but RSA of 1024 and 2048 bits."""
    from botocore.session import get_session

    known = get_session().get_service_model("acm").shape_for("KeyAlgorithm").enum
    assert certificates.CERTIFICATES.list.fixed == {"Includes": {"keyTypes": sorted(known, key=certificates.EVERY_KEY.index)}}


def test_a_requested_certificate(boto, look):
    arn = boto("acm").request_certificate(DomainName="chat.example.com")["CertificateArn"]
    seen = look(certificates.CERTIFICATES)
    assert seen.failed() == []
    (made,) = seen.resources
    assert (made.id, made.name, made.facts["in_use"], made.facts["renewal"]) == (arn, "chat.example.com", False, "manual")


def test_server_certificates_of_iam():
    made = {
        "Path": "/",
        "ServerCertificateName": "triton",
        "ServerCertificateId": "ASCA",
        "Arn": "arn:aws:iam::123456789012:server-certificate/triton",
        "UploadDate": "2024-06-01T00:00:00Z",
        "Expiration": JUNE,
    }
    seen = given(
        certificates.SERVER_CERTIFICATES, answers={"iam:list_server_certificates": {"ServerCertificateMetadataList": [made]}}
    )
    (found,) = seen.resources
    assert (found.id, found.name, found.region) == (made["Arn"], "triton", "global")
    assert found.facts == {
        "credential_type": "certificate",
        "created": "2024-06-01T00:00:00Z",
        "expires": "2026-06-01T00:00:00Z",
        "renewal": "manual",
    }
