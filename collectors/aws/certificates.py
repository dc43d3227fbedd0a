"""Certificates of ACM and IAM."""

from __future__ import annotations

from collectors.table import Call, Const, Field, Row, Table

RENEWAL = "https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html"
SUMMARY = "https://docs.aws.amazon.com/acm/latest/APIReference/API_CertificateSummary.html"

EVERY_KEY = ["RSA_1024", "RSA_2048", "RSA_3072", "RSA_4096", "EC_prime256v1", "EC_secp384r1", "EC_secp521r1"]
"""Without a list of key types the answer leaves out all but RSA of 1024 and 2048 bits: API_Filters."""
STATES = {"SUCCESS": "automatic", "PENDING_AUTO_RENEWAL": "automatic", "PENDING_VALIDATION": "waiting", "FAILED": "failed"}


def is_renewed(row: Row) -> bool:
    """Something uses it and ACM renews it: how that goes is worth a question."""
    item = row["item"]
    return bool(item.get("InUse")) and item.get("Type") != "IMPORTED" and item.get("RenewalEligibility") != "INELIGIBLE"


def renewal(kind: str, eligible: str | None, status: str | None) -> str:
    """Who renews a certificate, and whether that waits for somebody or has failed. KeyError for a state that is not known."""
    if kind == "IMPORTED" or eligible == "INELIGIBLE":
        return "manual"
    return STATES[status] if status else "automatic"


# NOTE: no tags, which would take a call a certificate
CERTIFICATES = Table(
    kind="credential",
    native_type="AWS::CertificateManager::Certificate",
    list=Call("acm", "list_certificates", fixed={"Includes": {"keyTypes": EVERY_KEY}}, take="CertificateSummaryList"),
    id=Field("item.CertificateArn"),
    name=Field("item.DomainName"),
    detail={
        "detail": Call(
            "acm",
            "describe_certificate",
            args={"CertificateArn": "item.CertificateArn"},
            take="Certificate",
            when=is_renewed,
            needs=("item",),
        ),
    },
    facts={
        "credential_type": Const("certificate"),
        "expires": Field("item.NotAfter"),
        "in_use": Field("item.InUse"),
        "renewal": Field(("item.Type", "item.RenewalEligibility", "detail.RenewalSummary.RenewalStatus"), renewal, source=RENEWAL),
    },
)

SERVER_CERTIFICATES = Table(
    kind="credential",
    native_type="AWS::IAM::ServerCertificate",
    list=Call("iam", "list_server_certificates", take="ServerCertificateMetadataList"),
    per="account",
    id=Field("item.Arn"),
    name=Field("item.ServerCertificateName"),
    facts={
        "credential_type": Const("certificate"),
        "created": Field("item.UploadDate"),
        "expires": Field("item.Expiration"),
        "renewal": Const("manual"),
    },
)

TABLES: tuple[Table, ...] = (CERTIFICATES, SERVER_CERTIFICATES)
