"""OpenSearch domains, and serverless collections with their policies.

Policies of OpenSearch Serverless belong to an account in one region and name collections by pattern, so each is a setting of the
account; which of them apply to a collection is found in `scanner/derive/search.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import Batch, Call, Const, Field, Table

DOMAIN = "https://docs.aws.amazon.com/opensearch-service/latest/APIReference/API_DomainStatus.html"
AT_REST = "https://docs.aws.amazon.com/opensearch-service/latest/developerguide/encryption-at-rest.html"
NODES = "https://docs.aws.amazon.com/opensearch-service/latest/developerguide/ntn.html"
TLS = "https://docs.aws.amazon.com/opensearch-service/latest/APIReference/API_DomainEndpointOptions.html"
FINE = "https://docs.aws.amazon.com/opensearch-service/latest/developerguide/fgac.html"
COLLECTION_KEY = "https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-encryption.html"
POLICIES = "https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-network.html"
TAGS = "https://docs.aws.amazon.com/opensearch-service/latest/developerguide/managedomains-awsresourcetagging.html"

TLS_POLICY = re.compile(r"^Policy-Min-TLS-1-([0-3])-")
WITHOUT_TLS_13 = "Policy-Min-TLS-1-2-2019-07"
OLDEST = "Policy-Min-TLS-1-0-2019-07"
OWNED = "auto"
"""What stands for a key that AWS owns."""
GONE = ("DELETING", "FAILED")


def internet_facing(options: Mapping[str, Any] | None) -> bool:
    """A domain that is in no network of the customer answers on the internet."""
    found = options or {}
    return not (found.get("VPCId") or found.get("SubnetIds"))


def fine_grained(enabled: bool | None, anonymous: bool | None) -> bool:  # noqa: FBT001 - the answer's own types
    """Fine-grained access control asks who comes; while a domain moves to it, it may let everyone through nevertheless."""
    return bool(enabled) and not anonymous


def tls_versions(policy: str) -> list[str]:
    """Versions that a TLS policy accepts, by the family that its name states. ValueError for one that states none."""
    match = TLS_POLICY.match(policy)
    if not match:
        msg = f"not a known TLS policy: {policy}"
        raise ValueError(msg)
    last = 2 if policy in (OLDEST, WITHOUT_TLS_13) else 3
    return [f"1.{n}" for n in range(int(match[1]), last + 1)]


DOMAINS = Table(
    kind="data_store",
    native_type="AWS::OpenSearchService::Domain",
    list=Call("opensearch", "list_domain_names", take="DomainNames"),
    id=arn.one("domain", "item.DomainName", service="es"),
    name=Field("item.DomainName"),
    tags=arn.tags("tags"),
    detail={
        "domain": Batch(
            Call("opensearch", "describe_domains", take="DomainStatusList"), "DomainNames", on="item.DomainName", key="DomainName", size=5
        ),
        "tags": Call("opensearch", "list_tags", args={"ARN": "domain.ARN"}, take="TagList"),
    },
    facts={
        "store_type": Const("search"),
        "deleting": Field("domain.Deleted", absent=False, source=DOMAIN),
        "encrypted": Field("domain.EncryptionAtRestOptions.Enabled", absent=False, source=AT_REST),
        "key_id": arn.key("domain.EncryptionAtRestOptions.KmsKeyId", source=AT_REST),
        "internet_facing": Field("domain.VPCOptions", internet_facing, absent=True, source=DOMAIN),
        "fine_grained_access": Field(
            ("domain.AdvancedSecurityOptions.Enabled", "domain.AdvancedSecurityOptions.AnonymousAuthEnabled"),
            fine_grained,
            absent=False,
            source=FINE,
        ),
        "policy_statements": Field("domain.AccessPolicies", statements, absent=[], source=DOMAIN),
        "tls_required": Field("domain.DomainEndpointOptions.EnforceHTTPS", absent=False, source=TLS),
        "tls_versions": Field("domain.DomainEndpointOptions.TLSSecurityPolicy", tls_versions, absent=tls_versions(OLDEST), source=TLS),
        "internal_tls": Field("domain.NodeToNodeEncryptionOptions.Enabled", absent=False, source=NODES),
    },
)  # fmt: skip


# serverless


def exists(collection: Mapping[str, Any]) -> bool:
    """The collection holds data, or will."""
    return collection.get("status") not in GONE


def collection_key(value: str) -> str:
    """The key of a collection; empty where AWS owns it."""
    return "" if value == OWNED else value


def policy_rules(document: Any) -> list[dict[str, Any]]:
    """Rules of a network or data access policy, each with what its block says of networks or principals.

    A document is a list of blocks, as JSON or as its text. ValueError where it is something else.
    """
    blocks = json.loads(document) if isinstance(document, str) else document
    if not isinstance(blocks, list):
        msg = "a policy is a list"
        raise ValueError(msg)  # noqa: TRY004 - callers treat every malformed document alike
    return [
        {
            "resource_type": str(rule["ResourceType"]),
            "resources": sorted(rule.get("Resource") or []),
            "public": block.get("AllowFromPublic") is True,
            "sources": sorted([*(block.get("SourceVPCEs") or []), *(block.get("SourceServices") or [])]),
            "principals": sorted(block.get("Principal") or []),
            "permissions": sorted(rule.get("Permission") or []),
        }
        for block in blocks
        for rule in block["Rules"]
    ]


def _page(operation: str, take: str, **fixed: Any) -> Call:
    """A listing of OpenSearch Serverless: boto3 has no paginators for it, and its IAM prefix is `aoss`."""
    action = "".join(word.capitalize() for word in operation.split("_"))
    return Call(
        "opensearchserverless", operation, fixed=fixed, take=take, token=("nextToken", "nextToken"), actions=(f"aoss:{action}",)
    )


COLLECTIONS = Table(
    kind="data_store",
    native_type="AWS::OpenSearchServerless::Collection",
    list=_page("list_collections", "collectionSummaries"),
    keep=exists,
    id=Field("item.arn"),
    name=Field("item.name"),
    tags=arn.tags("tags"),
    detail={
        "collection": Batch(
            Call("opensearchserverless", "batch_get_collection", take="collectionDetails", actions=("aoss:BatchGetCollection",)),
            "ids",
            on="item.id",
            key="id",
        ),
        "tags": Call(
            "opensearchserverless",
            "list_tags_for_resource",
            args={"resourceArn": "item.arn"},
            take="tags",
            actions=("aoss:ListTagsForResource",),
        ),
    },
    facts={
        "store_type": Const("search"),
        "deleting": Const(value=False),
        "encrypted": Const(value=True),  # always: COLLECTION_KEY
        "key_id": Field("collection.kmsKeyArn", collection_key),
        # whom a data access policy names, it lets in; nobody else is asked
        "fine_grained_access": Const(value=False),
    },
)


def _policy_table(native: str, kind: str, listing: Call, operation: str, take: str) -> Table:
    action = "".join(word.capitalize() for word in operation.split("_"))
    return Table(
        kind="account",
        native_type=native,
        list=listing,
        id=Field((*arn.PLACE, "item.name"), lambda partition, region, account, name: f"arn:{partition}:aoss:{region}:{account}:{kind}-policy/{name}"),
        name=Field("item.name"),
        detail={
            "policy": Call(
                "opensearchserverless", operation, args={"name": "item.name", "type": "item.type"}, take=take, actions=(f"aoss:{action}",)
            ),
        },
        facts={
            "aws.policy_type": Const(kind),
            "aws.policy_rules": Field("policy.policy", policy_rules),
        },
    )  # fmt: skip


NETWORK_POLICIES = _policy_table(
    "AWS::OpenSearchServerless::SecurityPolicy",
    "network",
    _page("list_security_policies", "securityPolicySummaries", type="network"),
    "get_security_policy",
    "securityPolicyDetail",
)
ACCESS_POLICIES = _policy_table(
    "AWS::OpenSearchServerless::AccessPolicy",
    "data",
    _page("list_access_policies", "accessPolicySummaries", type="data"),
    "get_access_policy",
    "accessPolicyDetail",
)

TABLES: tuple[Table, ...] = (DOMAINS, COLLECTIONS, NETWORK_POLICIES, ACCESS_POLICIES)
