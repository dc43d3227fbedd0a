"""Blocks that hold for a whole account in a region: no public access to its networks, no sharing of images and snapshots."""

from __future__ import annotations

from collectors.aws import arn
from collectors.table import Call, Field, Table

NETWORKS = "https://docs.aws.amazon.com/vpc/latest/userguide/security-vpc-bpa.html"
BLOCKS = {"off": "off", "block-ingress": "ingress", "block-bidirectional": "bidirectional"}
EXCLUSIONS = {"allow-bidirectional": "bidirectional", "allow-egress": "egress"}
NOT_IN_FORCE = ("create-failed", "delete-complete", "disable-complete")
"""States of exclusions that let nothing through."""


def exclusion(mode: str, state: str | None) -> str:
    """What an exclusion lets through."""
    return "none" if state in NOT_IN_FORCE else EXCLUSIONS[mode]


NETWORK_BLOCK = Table(
    kind="account",
    native_type="AWS::EC2::VPCBlockPublicAccessOptions",
    list=Call("ec2", "describe_vpc_block_public_access_options", take="VpcBlockPublicAccessOptions"),
    id=Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:ec2:{region}:{account}:vpc-block-public-access"),
    name=Field(arn.REGION),
    facts={"internet_gateway_block": Field("item.InternetGatewayBlockMode", BLOCKS, absent="off", source=NETWORKS)},
)

NETWORK_EXCLUSIONS = Table(
    kind="account",
    native_type="AWS::EC2::VPCBlockPublicAccessExclusion",
    list=Call(
        "ec2",
        "describe_vpc_block_public_access_exclusions",
        take="VpcBlockPublicAccessExclusions",
        token=("NextToken", "NextToken"),
    ),
    id=arn.one("vpc-block-public-access-exclusion", "item.ExclusionId"),
    name=arn.named("item.ExclusionId"),
    tags=arn.tags(),
    facts={
        "excluded_id": Field("item.ResourceArn"),
        "exclusion_mode": Field(("item.InternetGatewayExclusionMode", "item.State"), exclusion),
    },
)

IMAGES = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/block-public-access-to-amis.html"
SNAPSHOTS = "https://docs.aws.amazon.com/ebs/latest/userguide/block-public-access-snapshots.html"
SHARING = {"block-all-sharing": "all", "block-new-sharing": "new", "unblocked": "none"}

IMAGE_BLOCK = Table(
    kind="account",
    native_type="AWS::EC2::ImageBlockPublicAccess",
    list=Call("ec2", "get_image_block_public_access_state"),
    id=Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:ec2:{region}:{account}:image-block-public-access"),
    name=Field(arn.REGION),
    facts={"sharing_block": Field("item.ImageBlockPublicAccessState", SHARING, source=IMAGES)},
)

SNAPSHOT_BLOCK = Table(
    kind="account",
    native_type="AWS::EC2::SnapshotBlockPublicAccess",
    list=Call("ec2", "get_snapshot_block_public_access_state"),
    id=Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:ec2:{region}:{account}:snapshot-block-public-access"),
    name=Field(arn.REGION),
    facts={"sharing_block": Field("item.State", SHARING, source=SNAPSHOTS)},
)

TABLES: tuple[Table, ...] = (NETWORK_BLOCK, NETWORK_EXCLUSIONS, IMAGE_BLOCK, SNAPSHOT_BLOCK)
