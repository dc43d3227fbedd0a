"""EKS access, static credentials and the organisation."""

from __future__ import annotations

from typing import Any

from collectors.aws import eks_access, iam_credentials
from collectors.table import MISSING, Const, Field, PlanTable
from collectors.terraform.tables.accelerators import accelerated
from collectors.terraform.tables.identity import owner
from collectors.terraform.tables.shared import TAGS, docs, many, one

ASSOCIATION = docs("aws_eks_access_policy_association")
POD = docs("aws_eks_pod_identity_association")
GROUP = docs("aws_eks_node_group")
SERVICE_SPECIFIC = docs("aws_iam_service_specific_credential")
SSH_KEY = docs("aws_iam_user_ssh_key")
CERTIFICATE = docs("aws_iam_signing_certificate")
STATUS = {"Active": True, "Inactive": False}


# clusters


def access_policies(policy: str, scope: Any) -> list[dict[str, Any]]:
    """The one policy that an association gives."""
    return eks_access.access_policies([{"policyArn": policy, "accessScope": s} for s in scope])


def label(*parts: Any) -> str:
    """A name from the parts that are known."""
    return "/".join(str(p).rpartition("/")[2] for p in parts if p)


# NOTE: an entry without a policy gives nothing by itself, and one entry may have several: an association is what is judged
ACCESS_ENTRIES = PlanTable(
    "grant",
    "AWS::EKS::AccessEntry",
    "aws_eks_access_policy_association",
    {
        "cluster_id": one("cluster", "item.cluster_name", service="eks"),
        "principal": Field("item.principal_arn"),
        "access_policies": Field(("item.policy_arn", "item.access_scope"), access_policies, source=ASSOCIATION),
    },
    name=Field(("item.cluster_name", "item.principal_arn"), label),
    tags=None,
)

POD_IDENTITIES = PlanTable(
    "grant",
    "AWS::EKS::PodIdentityAssociation",
    "aws_eks_pod_identity_association",
    {
        "cluster_id": one("cluster", "item.cluster_name", service="eks"),
        "namespace": Field("item.namespace"),
        "cluster_wide": Const(value=False),
        "subjects": Field(("item.namespace", "item.service_account"), eks_access.subjects),
        "identity": Field("item.role_arn"),
        "target_identity": Field("item.target_role_arn", absent="", source=POD),
        "session_tags": Field("item.disable_session_tags", {True: False, False: True}, absent=True, source=POD),
    },
    name=Field(("item.cluster_name", "item.namespace", "item.service_account"), label),
    tags=TAGS,
)


def of_group(image: str | None, size: str | None) -> Any:
    """The nodes of a group have accelerators: by their image, else by the first of their sizes."""
    if image and eks_access.ACCELERATED.search(image):
        return True
    return accelerated(size) if size else MISSING


def reached_from(blocks: Any) -> bool:
    """Whether anybody reaches the nodes' SSH."""
    return any(eks_access.reached_from(b.get("ec2_ssh_key"), b.get("source_security_group_ids")) for b in blocks)


NODE_GROUPS = PlanTable(
    "node",
    "AWS::EKS::Nodegroup",
    "aws_eks_node_group",
    {
        "instance_type": Field("item.instance_types[0]"),
        "accelerator": Field(("item.ami_type", "item.instance_types[0]"), of_group),
        "subnet_ids": many("subnet", "item.subnet_ids", source=GROUP),
        "identity": Field("item.node_role_arn"),
        "container_host": Const(value=True),
        "ssh_key": Field("item.remote_access[0].ec2_ssh_key", absent="", source=GROUP),
        "ssh_open": Field("item.remote_access", reached_from, absent=False, source=GROUP),
    },
    name=Field(("item.cluster_name", "item.node_group_name"), label),
    tags=TAGS,
)


# credentials


def expires(end: str | None, days: int | None) -> Any:
    """When a credential ends, `never` where it was made without an end."""
    return end or (MISSING if days else "never")


def _owner(path: str) -> Field:
    return Field(("context.partition", "context.account", path), owner)


SERVICE_CREDENTIALS = PlanTable(
    "credential",
    "AWS::IAM::ServiceSpecificCredential",
    "aws_iam_service_specific_credential",
    {
        "credential_type": Const("service_specific"),
        "service": Field("item.service_name"),
        "owner": _owner("item.user_name"),
        "active": Field("item.status", STATUS, absent=True, source=SERVICE_SPECIFIC),
        "created": Field("item.create_date"),
        "expires": Field(("item.expiration_date", "item.credential_age_days"), expires, absent="never", source=SERVICE_SPECIFIC),
        "valid_days": Field("item.credential_age_days", absent=0, source=SERVICE_SPECIFIC),
    },
    name=Field("item.service_specific_credential_id"),
    tags=None,
)

SSH_KEYS = PlanTable(
    "credential",
    "AWS::IAM::SSHPublicKey",
    "aws_iam_user_ssh_key",
    {
        "credential_type": Const("ssh_key"),
        "service": Const(iam_credentials.CODECOMMIT),
        "owner": _owner("item.username"),
        "active": Field("item.status", STATUS, absent=True, source=SSH_KEY),
        "expires": Const("never"),
        "valid_days": Const(0),
    },
    name=Field("item.ssh_public_key_id"),
    tags=None,
)

SIGNING_CERTIFICATES = PlanTable(
    "credential",
    "AWS::IAM::SigningCertificate",
    "aws_iam_signing_certificate",
    {
        "credential_type": Const("signing_certificate"),
        "service": Const(iam_credentials.SIGNING),
        "owner": _owner("item.user_name"),
        "active": Field("item.status", STATUS, absent=True, source=CERTIFICATE),
        "expires": Const("never"),
        "valid_days": Const(0),
    },
    name=Field("item.certificate_id"),
    tags=None,
)

TABLES: tuple[PlanTable, ...] = (
    ACCESS_ENTRIES,
    POD_IDENTITIES,
    NODE_GROUPS,
    SERVICE_CREDENTIALS,
    SSH_KEYS,
    SIGNING_CERTIFICATES,
)
