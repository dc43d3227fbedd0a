"""Credentials of users beside passwords and access keys: service-specific ones, SSH keys of CodeCommit, signing certificates.

Service-specific credentials of all users come in one listing. Of SSH keys nothing tells but a call a user. Whose signing certificates are
looked at the credential report says, which may be four hours old.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from collectors.aws import arn
from collectors.aws.iam import FLAGS, REPORT, USER_LIST
from collectors.table import Call, Const, Field, Row, Side, Table

SERVICE_CREDENTIALS = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_ServiceSpecificCredentialMetadata.html"
SSH_KEYS = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_SSHPublicKeyMetadata.html"
CERTIFICATES = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_SigningCertificate.html"
CODECOMMIT = "codecommit.amazonaws.com"
"""All that SSH keys of users open: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_ssh-keys.html"""
SIGNING = "signing.amazonaws.com"
CERTIFICATE_COLUMNS = ("cert_1_active", "cert_2_active")
STATUS = {"Active": True, "Inactive": False, "Expired": False}


def owner(partition: str, account: str, name: str, users: list[Row]) -> str:
    """The user that a credential belongs to; its path is in the listing of users alone."""
    return str(users[0]["Arn"]) if users else f"arn:{partition}:iam::{account}:user/{name}"


def valid_days(created: str, expires: str | None) -> int:
    """Days that a credential lives for, a part of a day as a whole one; 0 for ever."""
    if expires is None:
        return 0
    return max(1, math.ceil((datetime.fromisoformat(expires) - datetime.fromisoformat(created)) / timedelta(days=1)))


def has_certificate(row: Row) -> bool:
    """A row of the report has a signing certificate that works."""
    parent = row["parent"]
    return parent["user"] != "<root_account>" and any(FLAGS[parent[column]] for column in CERTIFICATE_COLUMNS)


SERVICE_SPECIFIC = Table(
    kind="credential",
    native_type="AWS::IAM::ServiceSpecificCredential",
    # without AllUsers it lists those of the caller alone
    list=Call(
        "iam",
        "list_service_specific_credentials",
        fixed={"AllUsers": True},
        take="ServiceSpecificCredentials",
        token=("Marker", "Marker"),
    ),
    per="account",
    id=Field(
        (arn.PARTITION, arn.ACCOUNT, "item.UserName", "item.ServiceSpecificCredentialId"),
        lambda partition, account, user, key: f"arn:{partition}:iam::{account}:user/{user}/service-specific-credential/{key}",
    ),
    name=Field("item.ServiceSpecificCredentialId"),
    tags=arn.tags("user[0].Tags"),
    detail={"user": Side(USER_LIST, on="item.UserName", key="UserName")},
    facts={
        "credential_type": Const("service_specific"),
        "service": Field("item.ServiceName"),
        "owner": Field((arn.PARTITION, arn.ACCOUNT, "item.UserName", "user"), owner),
        "active": Field("item.Status", STATUS),
        "created": Field("item.CreateDate"),
        "expires": Field("item.ExpirationDate", absent="never", source=SERVICE_CREDENTIALS),
        "valid_days": Field(("item.CreateDate", "item.ExpirationDate"), valid_days, source=SERVICE_CREDENTIALS),
    },
)

SSH = Table(
    kind="credential",
    native_type="AWS::IAM::SSHPublicKey",
    list=USER_LIST,
    each=Call(
        "iam",
        "list_ssh_public_keys",
        args={"UserName": "parent.UserName"},
        take="SSHPublicKeys",
        means={"NoSuchEntity": None},  # a user who is gone since has no keys
        actions=("iam:ListSSHPublicKeys",),
    ),
    per="account",
    id=Field(("parent.Arn", "item.SSHPublicKeyId"), lambda user, key: f"{user}/ssh-public-key/{key}"),
    name=Field("item.SSHPublicKeyId"),
    tags=arn.tags("parent.Tags"),
    facts={
        "credential_type": Const("ssh_key"),
        "service": Const(CODECOMMIT),
        "owner": Field("parent.Arn"),
        "active": Field("item.Status", STATUS, source=SSH_KEYS),
        "created": Field("item.UploadDate"),
        "expires": Const("never"),
        "valid_days": Const(0),
    },
)

SIGNING_CERTIFICATES = Table(
    kind="credential",
    native_type="AWS::IAM::SigningCertificate",
    # NOTE: a call a user would find none in nearly every account: X.509 certificates sign nothing that has been made since 2014
    list=REPORT,
    each=Call(
        "iam",
        "list_signing_certificates",
        args={"UserName": "parent.user"},
        take="Certificates",
        means={"NoSuchEntity": None},
        when=has_certificate,
    ),
    per="account",
    id=Field(("parent.arn", "item.CertificateId"), lambda user, key: f"{user}/signing-certificate/{key}"),
    name=Field("item.CertificateId"),
    tags=arn.tags("user[0].Tags"),
    detail={"user": Side(USER_LIST, on="parent.arn", key="Arn")},
    facts={
        "credential_type": Const("signing_certificate"),
        "service": Const(SIGNING),
        "owner": Field("parent.arn"),
        "active": Field("item.Status", STATUS, source=CERTIFICATES),
        "created": Field("item.UploadDate"),
        "expires": Const("never"),
        "valid_days": Const(0),
    },
)

TABLES: tuple[Table, ...] = (SERVICE_SPECIFIC, SSH, SIGNING_CERTIFICATES)
