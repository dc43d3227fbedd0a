"""Elastic Kubernetes Service: clusters as AWS sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.table import Call, Field, Table

ENCRYPTION = "https://docs.aws.amazon.com/eks/latest/userguide/envelope-encryption.html"
ENDPOINT = "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html"
LOGS = "https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html"

ACCESS = "https://docs.aws.amazon.com/eks/latest/userguide/setting-up-access-entries.html"
ACCESS_DEFAULT = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAccessConfigRequest.html"
"""What a cluster gets that is made through the API and does not say."""
AUTO_MODE = "https://docs.aws.amazon.com/eks/latest/APIReference/API_ComputeConfigResponse.html"
OUTPOSTS = "https://docs.aws.amazon.com/eks/latest/userguide/eks-outposts-local-cluster-overview.html"

AUTHENTICATION = {"API": "entries", "API_AND_CONFIG_MAP": "both", "CONFIG_MAP": "config_map"}
ANYWHERE = ["0.0.0.0/0"]
"""Who may reach a public API server where nobody says otherwise."""


def secrets_key(partition: str, region: str, account: str, configs: list[Mapping[str, Any]] | None) -> str:
    """The key that envelope-encrypts secrets; empty where the provider's own does."""
    named = [c for c in configs or [] if "secrets" in (c.get("resources") or [])]
    return next((arn.key_arn(partition, region, account, c["provider"]["keyArn"]) for c in named), "")


def api_cidrs(public: bool | None, cidrs: list[str] | None) -> list[str]:  # noqa: FBT001 - the answer's own type
    """CIDRs that may reach the public address; none where there is no public address."""
    return sorted(cidrs or []) or (ANYWHERE if public is not False else [])


def log_types(loggings: list[Mapping[str, Any]]) -> list[str]:
    """Log types of every entry that is on."""
    return sorted({t for entry in loggings if entry.get("enabled") for t in entry.get("types") or []})


CLUSTERS = Table(
    kind="cluster",
    native_type="AWS::EKS::Cluster",
    list=Call("eks", "list_clusters", take="clusters"),
    id=arn.one("cluster", "item", service="eks"),
    name=Field("item"),
    tags=arn.tags("cluster.tags"),
    detail={"cluster": Call("eks", "describe_cluster", args={"name": "item"}, take="cluster")},
    facts={
        "version": Field("cluster.version"),
        # the disks of etcd always are, whatever else is: https://docs.aws.amazon.com/eks/latest/userguide/envelope-encryption.html
        "encrypted": Field("cluster.name", lambda _: True, source=ENCRYPTION),
        "key_id": Field((*arn.PLACE, "cluster.encryptionConfig"), secrets_key, source=ENCRYPTION),
        "aws.outpost": Field("cluster.outpostConfig", lambda _: True, absent=False, source=OUTPOSTS),
        "api_public": Field("cluster.resourcesVpcConfig.endpointPublicAccess", absent=True, source=ENDPOINT),
        "api_cidrs": Field(
            ("cluster.resourcesVpcConfig.endpointPublicAccess", "cluster.resourcesVpcConfig.publicAccessCidrs"),
            api_cidrs,
            absent=ANYWHERE,
            source=ENDPOINT,
        ),
        "authentication_mode": Field("cluster.accessConfig.authenticationMode", AUTHENTICATION, source=ACCESS),
        "node_identity": Field("cluster.computeConfig.nodeRoleArn", absent="", source=AUTO_MODE),
        "audit_logs": Field("cluster.logging.clusterLogging", log_types, absent=[], source=LOGS),
    },
)

TABLES: tuple[Table, ...] = (CLUSTERS,)
