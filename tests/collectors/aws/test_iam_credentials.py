from __future__ import annotations

import pytest

from collectors.aws import iam_credentials as credentials
from collectors.terraform.plan import read_plan
from tests.collectors.aws.answers import SCANNER, given
from tests.conftest import ROOT

PLAN = ROOT / "fixtures" / "plans" / "types" / "08-identity" / "plan.json"
IAM = "arn:aws:iam::123456789012:"
START = "2026-01-01T00:00:00Z"
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"


def test_days_that_a_credential_lives():
    # https://github.com/prowler-cloud/prowler/issues/8231 - without an end it lives for ever
    assert credentials.valid_days(START, None) == 0
    assert credentials.valid_days(START, "2026-01-31T00:00:00Z") == 30
    assert credentials.valid_days(START, "2026-01-31T00:00:01Z") == 31
    assert credentials.valid_days(START, "2026-01-01T08:00:00Z") == 1
    with pytest.raises(ValueError, match="Invalid isoformat"):
        credentials.valid_days(START, "soon")


def user(name, path="/", **more):
    return {"UserName": name, "Path": path, "Arn": f"{IAM}user{path}{name}", "CreateDate": START, "GroupList": [], **more}


def details(*users):
    return {"UserDetailList": list(users), "IsTruncated": False}


def credential(name, key, service="bedrock.amazonaws.com", **more):
    return {
        "UserName": name,
        "ServiceName": service,
        "ServiceSpecificCredentialId": key,
        "Status": "Active",
        "CreateDate": START,
        **more,
    }


def test_service_specific_credentials_of_all_users():
    answers = {
        "iam:list_service_specific_credentials": [
            {
                "ServiceSpecificCredentials": [
                    credential("BedrockAPIKey-1", "ACCA1"),
                    credential("ann", "ACCA2", Status="Expired"),
                ],
                "IsTruncated": True,
                "Marker": "2",
            },
            {
                "ServiceSpecificCredentials": [
                    credential(
                        "ann", "ACCA3", "logs.amazonaws.com", ExpirationDate="2026-04-01T00:00:00Z", ServiceCredentialAlias="x"
                    ),
                ],
                "IsTruncated": False,
            },
        ],
        "iam:get_account_authorization_details": details(user("ann", "/ml/", Tags=[{"Key": "team", "Value": "ml"}])),
    }
    seen = given(credentials.SERVICE_SPECIFIC, answers=answers)
    key = seen.named("ACCA3")
    assert (key.id, key.region, key.tags, key.gaps) == (
        f"{IAM}user/ann/service-specific-credential/ACCA3",
        "global",
        {"team": "ml"},
        {},
    )
    assert key.facts == {
        "credential_type": "service_specific",
        "service": "logs.amazonaws.com",
        "owner": f"{IAM}user/ml/ann",
        "active": True,
        "created": START,
        "expires": "2026-04-01T00:00:00Z",
        "valid_days": 90,
    }
    forever = seen.named("ACCA1").facts
    assert (forever["expires"], forever["valid_days"], forever["owner"]) == ("never", 0, f"{IAM}user/BedrockAPIKey-1")
    assert seen.named("ACCA2").facts["active"] is False


def test_credentials_of_everybody_are_asked_for():
    # without it only those of the caller are listed
    assert credentials.SERVICE_SPECIFIC.list.fixed == {"AllUsers": True}


def test_credentials_that_may_not_be_listed():
    seen = given(credentials.SERVICE_SPECIFIC, answers={"iam:list_service_specific_credentials": "AccessDenied"})
    (coverage,) = seen.coverages
    assert (coverage.extent, coverage.gap.remedy) == ("absent", f"Allow iam:ListServiceSpecificCredentials to {SCANNER}.")


def test_ssh_keys(boto, look):
    client = boto("iam")
    client.create_user(UserName="ann", Tags=[{"Key": "team", "Value": "ml"}])
    client.create_user(UserName="bob")
    first = client.upload_ssh_public_key(UserName="ann", SSHPublicKeyBody="ssh-ed25519 AAAA one")["SSHPublicKey"]
    second = client.upload_ssh_public_key(UserName="ann", SSHPublicKeyBody="ssh-ed25519 AAAA two")["SSHPublicKey"]
    client.update_ssh_public_key(UserName="ann", SSHPublicKeyId=second["SSHPublicKeyId"], Status="Inactive")

    seen = look(credentials.SSH)

    assert seen.failed() == []
    key = seen.named(first["SSHPublicKeyId"])
    assert (key.id, key.tags, key.gaps) == (f"{IAM}user/ann/ssh-public-key/{first['SSHPublicKeyId']}", {"team": "ml"}, {})
    assert key.facts == {
        "credential_type": "ssh_key",
        "service": "codecommit.amazonaws.com",
        "owner": f"{IAM}user/ann",
        "active": True,
        "created": key.facts["created"],
        "expires": "never",
        "valid_days": 0,
    }
    assert seen.named(second["SSHPublicKeyId"]).facts["active"] is False


def report(*rows):
    columns = "user,arn,cert_1_active,cert_2_active"
    return {"Content": "\n".join([columns, *rows]).encode(), "ReportFormat": "text/csv"}


def test_signing_certificates():
    answers = {
        "iam:get_account_authorization_details": details(user("ann"), user("bob")),
        "iam:get_credential_report": report(
            "<root_account>,arn:aws:iam::123456789012:root,true,false",
            f"ann,{IAM}user/ann,false,true",
            f"bob,{IAM}user/bob,true,false",
            f"cid,{IAM}user/cid,false,false",
        ),
        "iam:list_signing_certificates:bob": "NoSuchEntity",
        "iam:list_signing_certificates:ann": {
            "Certificates": [
                {"UserName": "ann", "CertificateId": "C1", "CertificateBody": CERTIFICATE, "Status": "Active", "UploadDate": START},
                {"UserName": "ann", "CertificateId": "C2", "CertificateBody": CERTIFICATE, "Status": "Inactive"},
            ],
            "IsTruncated": False,
        },
    }
    seen = given(credentials.SIGNING_CERTIFICATES, answers=answers)
    found = seen.named("C1")
    assert (found.id, found.gaps) == (f"{IAM}user/ann/signing-certificate/C1", {})
    assert found.facts == {
        "credential_type": "signing_certificate",
        "service": "signing.amazonaws.com",
        "owner": f"{IAM}user/ann",
        "active": True,
        "created": START,
        "expires": "never",
        "valid_days": 0,
    }
    assert seen.named("C2").facts["active"] is False
    (coverage,) = seen.coverages
    assert coverage.extent == "complete", "bob is gone since the report, and cid has none"


def test_certificates_that_may_not_be_listed():
    answers = {
        "iam:get_account_authorization_details": details(user("bob")),
        "iam:get_credential_report": report(f"bob,{IAM}user/bob,true,false"),
        "iam:list_signing_certificates:bob": "AccessDenied",
    }
    (coverage,) = given(credentials.SIGNING_CERTIFICATES, answers=answers).coverages
    assert (coverage.extent, coverage.gap.remedy) == ("absent", f"Allow iam:ListSigningCertificates to {SCANNER}.")


def test_a_plan_says_the_same_of_an_ssh_key(boto, look):
    after = next(r for r in read_plan(PLAN).resources if r.id == "plan/aws_iam_user_ssh_key.bot")
    client = boto("iam")
    client.create_user(UserName="crane-bot")
    key = client.upload_ssh_public_key(UserName="crane-bot", SSHPublicKeyBody="ssh-ed25519 AAAA bot")["SSHPublicKey"]
    live = look(credentials.SSH).named(key["SSHPublicKeyId"])
    told = after.facts.keys() - {"owner"}
    assert {f: live.facts[f] for f in told} == {f: after.facts[f] for f in told}
    assert live.facts.keys() - after.facts.keys() == {"created"}, "a plan knows no moment"
