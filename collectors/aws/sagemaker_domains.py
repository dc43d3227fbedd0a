"""SageMaker domains: Studio and its spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.sagemaker import GONE, REDACT, tags_of
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

DOMAIN = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateDomain.html"
SHARING = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_SharingSettings.html"
AT_REST = "https://docs.aws.amazon.com/sagemaker/latest/dg/encryption-at-rest-studio.html"


def exists(domain: Mapping[str, Any]) -> bool:
    """The domain is one that people work in."""
    return domain.get("Status") not in GONE


def key(partition: str, region: str, account: str, named: str | None, formerly: str | None) -> str:
    """The key of the homes and spaces; an old member of the answer names it as well."""
    return arn.key_arn(partition, region, account, named or formerly)


DOMAINS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::Domain",
    list=Call("sagemaker", "list_domains", take="Domains"),
    keep=exists,
    id=Field("item.DomainArn"),
    name=Field("item.DomainName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "domain": Call("sagemaker", "describe_domain", args={"DomainId": "item.DomainId"}),
        "tags": tags_of("item.DomainArn"),
    },
    facts={
        "service_type": Const("domain"),
        "identities": Field(
            ("domain.DomainId", "domain.DefaultUserSettings.ExecutionRole", "domain.DefaultSpaceSettings.ExecutionRole"),
            lambda _, *roles: sorted({r for r in roles if r}),
        ),
        "encrypted": Field("domain.DomainId", lambda _: True, source=AT_REST),
        "key_id": Field((*arn.PLACE, "domain.KmsKeyId", "domain.HomeEfsFileSystemKmsKeyId"), key, source=AT_REST),
        "direct_internet": Field(
            "domain.AppNetworkAccessType", {"PublicInternetOnly": True, "VpcOnly": False}, absent=True, source=DOMAIN
        ),
        "network_id": arn.one("vpc", "domain.VpcId", absent=""),
        "subnet_ids": arn.many("subnet", "domain.SubnetIds"),
        "firewall_ids": arn.many("security-group", "domain.DefaultUserSettings.SecurityGroups"),
        "output_written": Field(
            "domain.DefaultUserSettings.SharingSettings.NotebookOutputOption",
            {"Allowed": True, "Disabled": False},
            absent=False,
            source=SHARING,
        ),
        "output_key_id": arn.key("domain.DefaultUserSettings.SharingSettings.S3KmsKeyId", source=SHARING),
        "managed_by": Field("domain.DomainSettings.UnifiedStudioSettings.DomainId", absent="", source=DOMAIN),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (DOMAINS,)
