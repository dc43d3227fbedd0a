"""Glue: how the data catalogue of a region is encrypted, and whom its policy lets in."""

from __future__ import annotations

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import Call, Field, Table

METADATA = "https://docs.aws.amazon.com/glue/latest/dg/encrypt-glue-data-catalog.html"
PASSWORDS = "https://docs.aws.amazon.com/glue/latest/dg/encrypt-connection-passwords.html"
POLICY = "https://docs.aws.amazon.com/glue/latest/webapi/API_GetResourcePolicy.html"

MODES = {"DISABLED": False, "SSE-KMS": True, "SSE-KMS-WITH-SERVICE-ROLE": True}

CATALOGUES = Table(
    kind="account",
    native_type="AWS::Glue::DataCatalogEncryptionSettings",
    # one item a region, whether or not anybody ever set anything
    list=Call("glue", "get_data_catalog_encryption_settings", take="{settings: DataCatalogEncryptionSettings}"),
    id=Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:glue:{region}:{account}:catalog"),
    name=Field("'data catalog'"),
    detail={
        "databases": Call("glue", "get_databases", take="DatabaseList[].Name"),
        "policy": Call("glue", "get_resource_policy", take="PolicyInJson", means={"EntityNotFoundException": None}),
    },
    facts={
        "catalogue_used": Field("databases", bool, absent=False, source=METADATA),
        "encrypted": Field("item.settings.EncryptionAtRest.CatalogEncryptionMode", MODES, absent=False, source=METADATA),
        "key_id": arn.key("item.settings.EncryptionAtRest.SseAwsKmsKeyId", source=METADATA),
        "password_encrypted": Field(
            "item.settings.ConnectionPasswordEncryption.ReturnConnectionPasswordEncrypted", absent=False, source=PASSWORDS
        ),
        "password_key_id": arn.key("item.settings.ConnectionPasswordEncryption.AwsKmsKeyId", source=PASSWORDS),
        "policy_statements": Field("policy", statements, absent=[], source=POLICY),
    },
)

TABLES: tuple[Table, ...] = (CATALOGUES,)
