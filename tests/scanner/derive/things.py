"""Short ways to make resources of an account, and of a plan."""

from __future__ import annotations

from typing import Any

from scanner.model import Gap, Reason, Resource

ACCOUNT, REGION = "111111111111", "us-east-1"
AFTER = Gap(Reason.KNOWN_AFTER_APPLY, "x", "Apply, then scan.")
NATIVE = {
    "key": "AWS::KMS::Key", "network": "AWS::EC2::VPC", "subnet": "AWS::EC2::Subnet", "node": "AWS::EC2::Instance",
    "route_table": "AWS::EC2::RouteTable", "gateway": "AWS::EC2::InternetGateway", "private_endpoint": "AWS::EC2::VPCEndpoint",
    "firewall": "AWS::EC2::SecurityGroup", "permission_set": "AWS::IAM::ManagedPolicy", "identity": "AWS::IAM::Role",
    "audit_log": "AWS::CloudTrail::Trail", "account": "AWS::IAM::RootUser", "data_store": "AWS::S3::Bucket",
}  # fmt: skip


def arn(kind: str, name: str, region: str = REGION) -> str:
    service = {"key": "kms"}.get(kind, "ec2")
    return f"arn:aws:{service}:{region}:{ACCOUNT}:{'key' if kind == 'key' else kind.replace('_', '-')}/{name}"


def thing(kind: str, name: str, native: str = "", gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    """A resource of the account. `aws.x` facts are written `aws__x`."""
    known = {k.replace("__", "."): v for k, v in facts.items() if k not in ("id", "scope", "region", "tags")}
    return Resource(
        id=facts.get("id", arn(kind, name)),
        kind=kind,
        native_type=native or NATIVE[kind],
        provider="aws",
        scope=facts.get("scope", ACCOUNT),
        region=facts.get("region", REGION),
        name=name,
        tags=facts.get("tags", {}),
        facts=known,
        gaps=gaps or {},
    )


def planned(kind: str, address: str, native: str = "", gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    """A resource of a plan."""
    return thing(kind, address, native, gaps, id=f"plan/{address}", scope="network", region="", **facts)
