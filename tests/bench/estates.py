"""Large made-up accounts, straight into a snapshot: the same seed and size give the same estate.

    python -m tests.bench.estates SNAPSHOT RESOURCES [SEED]

The mix is that of an AI factory: mostly nodes with their volumes and snapshots, then filters, keys, buckets, roles and endpoints.
Most of it is right, some is wrong, and of one fact in fifty only the gap is there.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from scanner.model import Coverage, Extent, Gap, Reason, Resource, Source
from scanner.snapshot import Snapshot

ACCOUNT = "123456789012"
REGIONS = ("us-east-1", "eu-west-1")
NOW = "2026-01-15T12:00:00Z"
PAGE = 1_000
DENIED = Gap(Reason.DENIED, "demo:Call", "Allow demo:Call.", "AccessDenied")

Facts = dict[str, Any]
Made = tuple[str, Facts]
"""Name in the ARN, and facts."""


class Maker:
    """Makes resources; the numbers of one type refer to those of others, so joins find something."""

    def __init__(self, seed: int, size: int) -> None:
        self.chance = random.Random(seed)
        self.size = size

    def mostly(self, right: Any, *wrong: Any) -> Any:
        return right if self.chance.random() < 0.85 else self.chance.choice(wrong)

    def arn(self, service: str, name: str, region: str) -> str:
        return f"arn:aws:{service}:{region}:{ACCOUNT}:{name}"

    def key_arn(self, n: int, region: str) -> str:
        return self.arn("kms", f"key/{n % max(self.size // 20, 1):08x}-0000-4000-8000-000000000000", region)

    def statement(self, principal: str, action: str, conditions: list[Facts] | None = None) -> Facts:
        return {
            "effect": "Allow", "actions": [action], "not_actions": [], "resources": ["*"], "not_resources": [],
            "principals": [principal], "not_principals": [], "conditions": conditions or [],
        }  # fmt: skip

    def key(self, n: int, region: str) -> Made:
        return f"key/{n:08x}-0000-4000-8000-000000000000", {
            "manager": "customer", "state": self.mostly("enabled", "disabled", "pending_deletion"), "algorithm": self.mostly("symmetric", "asymmetric"),
            "origin": "provider", "rotation_enabled": self.mostly(True, False), "rotation_days": self.mostly(365, 2560), "aliases": [f"alias/k{n}"],
            "policy_statements": [self.statement(self.mostly(f"AWS:arn:aws:iam::{ACCOUNT}:root", "*"), "kms:*")], "aws.multi_region": "none",
        }  # fmt: skip

    def volume(self, n: int, region: str) -> Made:
        encrypted = self.mostly(True, False)
        return f"volume/vol-{n:017x}", {
            "store_type": "volume", "encrypted": encrypted, "key_id": self.key_arn(n, region) if encrypted else "",
            "attached_to": [self.arn("ec2", f"instance/i-{n // 2:017x}", region)],
        }  # fmt: skip

    def snapshot(self, n: int, region: str) -> Made:
        encrypted = self.mostly(True, False)
        return f"snapshot/snap-{n:017x}", {
            "store_type": "snapshot", "encrypted": encrypted, "key_id": self.key_arn(n, region) if encrypted else "",
            "shared_publicly": self.mostly(False, True),
        }  # fmt: skip

    def bucket(self, n: int, region: str) -> Made:
        block = self.mostly(True, False)
        whole = [f"arn:aws:s3:::factory-{n}", f"arn:aws:s3:::factory-{n}/*"]
        deny = self.statement("*", "s3:*", [{"operator": "Bool", "key": "aws:securetransport", "values": ["false"]}]) | {
            "effect": "Deny",
            "resources": whole,
        }
        return f"factory-{n}", {
            "store_type": "bucket", "encrypted": True, "key_id": self.mostly(self.key_arn(n, region), ""), "versioning": self.mostly("enabled", "off"),
            "object_lock": self.mostly("none", "governance"), "acl_public": self.mostly(False, True), "access_logged": self.mostly(True, False),
            "policy_statements": [self.statement(self.mostly(f"AWS:arn:aws:iam::{ACCOUNT}:root", "*"), "s3:GetObject"), *self.mostly([deny], [])],
            "aws.block_public_acls": block, "aws.ignore_public_acls": block, "aws.block_public_policy": block, "aws.restrict_public_buckets": block,
            "aws.bucket_key": True, "aws.algorithm": "aws:kms",
        }  # fmt: skip

    def group(self, n: int, region: str) -> Made:
        rules = [
            {
                "protocol": "tcp",
                "from_port": port,
                "to_port": port,
                "source": self.mostly("10.0.0.0/8", "0.0.0.0/0", "::/0"),
                "source_type": "cidr",
            }
            for port in self.chance.sample((22, 443, 3389, 6379, 8000, 8265, 8888, 9090), self.chance.randint(1, 5))
        ]
        return f"security-group/sg-{n:017x}", {
            "firewall_type": "security_group", "network_id": self.network_arn(n, region), "is_default": False, "subnet_ids": [], "ingress": rules,
            "egress": [{"protocol": "all", "from_port": 0, "to_port": 65535, "source": "0.0.0.0/0", "source_type": "cidr"}],
        }  # fmt: skip

    def network_arn(self, n: int, region: str) -> str:
        return self.arn("ec2", f"vpc/vpc-{n % max(self.size // 500, 1):017x}", region)

    def network(self, n: int, region: str) -> Made:
        flow = [{"traffic": self.mostly("all", "reject"), "active": True}] if self.mostly(True, False) else []
        return f"vpc/vpc-{n:017x}", {"cidrs": [f"10.{n % 256}.0.0/16"], "is_default": False, "flow_logs": flow}

    def node(self, n: int, region: str) -> Made:
        kind = self.chance.choice(("p5.48xlarge", "p4d.24xlarge", "trn1.32xlarge", "m7i.4xlarge"))
        return f"instance/i-{n:017x}", {
            "instance_type": kind, "accelerator": not kind.startswith("m"), "efa": kind.startswith("p"),
            "public_addresses": self.mostly([], ["198.51.100.7"]), "subnet_ids": [self.arn("ec2", f"subnet/subnet-{n % 50:017x}", region)],
            "network_id": self.network_arn(n, region), "firewall_ids": [self.arn("ec2", f"security-group/sg-{n % 100:017x}", region)],
            "metadata_enabled": True, "metadata_token_required": self.mostly(True, False), "metadata_hop_limit": self.mostly(1, 2),
            "ssh_key": self.mostly("", "debug"), "volume_ids": [self.arn("ec2", f"volume/vol-{2 * n + i:017x}", region) for i in (0, 1)],
            "identity": "", "state": "running", "container_host": self.mostly(False, True),
        }  # fmt: skip

    def role(self, n: int, region: str) -> Made:
        trust = self.statement(self.mostly("Service:ec2.amazonaws.com", "AWS:arn:aws:iam::210987654321:root"), "sts:AssumeRole")
        return f"role/role-{n}", {
            "identity_type": "role", "service_linked": False, "inline_policies": [], "attached_policies": [], "boundary": "", "group_ids": [],
            "trust_statements": [trust], "created": "2025-01-01T00:00:00Z",
        }  # fmt: skip

    def listener(self, n: int, region: str) -> Made:
        tls = self.mostly(True, False)
        return f"listener/app/lb-{n}/0/{n:016x}", {
            "endpoint_type": "listener", "protocol": "https" if tls else "http", "port": 443 if tls else 80, "internet_facing": self.mostly(False, True),
            "tls": tls, "tls_versions": self.mostly(["1.2", "1.3"], ["1.0", "1.1", "1.2"]) if tls else [], "tls_weak_ciphers": [],
            "redirects_to_tls": False, "firewall_ids": [],
        }  # fmt: skip


Make = Callable[[Maker, int, str], Made]
MIX: tuple[tuple[int, str, str, str, Make], ...] = (
    (30, "data_store", "AWS::EC2::Volume", "ec2", Maker.volume),
    (16, "node", "AWS::EC2::Instance", "ec2", Maker.node),
    (16, "data_store", "AWS::EC2::Snapshot", "ec2", Maker.snapshot),
    (12, "firewall", "AWS::EC2::SecurityGroup", "ec2", Maker.group),
    (9, "identity", "AWS::IAM::Role", "iam", Maker.role),
    (6, "data_store", "AWS::S3::Bucket", "s3", Maker.bucket),
    (5, "key", "AWS::KMS::Key", "kms", Maker.key),
    (4, "endpoint", "AWS::ElasticLoadBalancingV2::Listener", "elasticloadbalancing", Maker.listener),
    (2, "network", "AWS::EC2::VPC", "ec2", Maker.network),
)
"""Parts of a hundred: kind, native type, service, maker."""


def resources(size: int, seed: int = 0) -> Iterator[Resource]:
    """About `size` resources (never fewer than one of each type)."""
    maker = Maker(seed, size)
    for part, kind, native, service, make in MIX:
        for n in range(max(size * part // 100, 1)):
            region = REGIONS[n % len(REGIONS)]
            name, facts = make(maker, n, region)
            gaps = {fact: DENIED for fact in facts if maker.chance.random() < 0.02}
            yield Resource(
                id=f"arn:aws:s3:::{name}" if service == "s3" else maker.arn(service, name, "" if service == "iam" else region), kind=kind, native_type=native, provider="aws",
                scope=ACCOUNT, region=region, name=name.rpartition("/")[2], source=f"aws:{ACCOUNT}", tags={"Project": f"p{n % 40}"},
                facts={f: v for f, v in facts.items() if f not in gaps}, gaps=gaps,
            )  # fmt: skip


def write(path: Path, size: int, seed: int = 0) -> int:
    """A finished snapshot at `path`; the number of its resources."""
    made = resources(size, seed)
    count = 0
    with Snapshot.create(path) as snapshot:
        snapshot.source(Source(f"aws:{ACCOUNT}", "live", "aws", ACCOUNT, f"arn:aws:iam::{ACCOUNT}:user/bench", NOW))
        while page := [*islice(made, PAGE)]:
            snapshot.page(page)
            count += len(page)
        for _, kind, native, _, _ in MIX:
            for region in REGIONS:
                snapshot.coverage(Coverage(native, kind, ACCOUNT, region, Extent.COMPLETE, source=f"aws:{ACCOUNT}"))
        snapshot.finish()
    return count


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0))
