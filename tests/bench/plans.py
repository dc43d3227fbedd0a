"""A pull request's wait: a made-up plan of 2,000 resources, end to end, against Checkov on the same file in the same run.

Checkov comes from an environment of its own, since its pins are not ours: `python -m venv .cache/checkov` and
`.cache/checkov/bin/pip install checkov==3.3.8`, or BARTIZAN_BENCH_CHECKOV with the path of its program.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.measure import Cost, once

ROOT = Path(__file__).resolve().parents[2]
SIZE = 2_000
LARGE = 100_000
"""Resources of a plan whose memory is looked at: about 140 MB of text."""
POLICY = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}]})
FULL = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})
TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
    }
)
BLOCK = {"block_public_acls": True, "block_public_policy": True, "ignore_public_acls": True, "restrict_public_buckets": True}


def unit(number: int) -> Iterator[tuple[str, dict[str, Any], dict[str, str]]]:
    """(type, values, attribute → what it refers to) of ten resources; every third team lets something slip."""
    yield from (platform if number % 2 else team)(f"t{number}", good=number % 3 != 0)


def team(name: str, *, good: bool) -> Iterator[tuple[str, dict[str, Any], dict[str, str]]]:
    """What a team computes with, and where its data are."""
    yield "aws_kms_key", {"enable_key_rotation": good}, {}
    yield "aws_s3_bucket", {"bucket": f"data-{name}", "force_destroy": False}, {}
    yield "aws_s3_bucket_public_access_block", {**BLOCK, "block_public_acls": good}, {"bucket": f"aws_s3_bucket.{name}.id"}
    yield "aws_vpc", {"cidr_block": "10.0.0.0/16"}, {}
    yield "aws_subnet", {"cidr_block": "10.0.1.0/24", "map_public_ip_on_launch": not good}, {"vpc_id": f"aws_vpc.{name}.id"}
    rule = {"from_port": 22, "to_port": 22, "protocol": "tcp", "cidr_blocks": ["10.0.0.0/8" if good else "0.0.0.0/0"]}
    yield "aws_security_group", {"name": name, "ingress": [rule]}, {"vpc_id": f"aws_vpc.{name}.id"}
    yield "aws_instance", {"ami": "ami-1", "instance_type": "p5.48xlarge"}, {"subnet_id": f"aws_subnet.{name}.id"}
    yield "aws_ebs_volume", {"size": 1000, "encrypted": good}, {"kms_key_id": f"aws_kms_key.{name}.arn"}
    yield "aws_iam_role", {"name": name, "assume_role_policy": TRUST}, {}
    yield "aws_iam_policy", {"name": name, "policy": POLICY if good else FULL}, {}


def platform(name: str, *, good: bool) -> Iterator[tuple[str, dict[str, Any], dict[str, str]]]:
    """What teams share."""
    mesh, bucket = f"aws_subnet.{name}.id", f"aws_s3_bucket.{name}.id"
    algorithm = [{"sse_algorithm": "aws:kms" if good else "AES256", "kms_master_key_id": f"arn:aws:kms:us-east-1:1:key/{name}"}]
    encryption = [{"apply_server_side_encryption_by_default": algorithm, "bucket_key_enabled": True}]
    yield "aws_s3_bucket", {"bucket": f"shared-{name}", "force_destroy": False}, {}
    yield (
        "aws_s3_bucket_versioning",
        {"versioning_configuration": [{"status": "Enabled" if good else "Suspended"}]},
        {"bucket": bucket},
    )
    yield "aws_s3_bucket_server_side_encryption_configuration", {"rule": encryption}, {"bucket": bucket}
    yield "aws_lb", {"name": name, "internal": good, "load_balancer_type": "application", "drop_invalid_header_fields": good}, {}
    listener = {
        "port": 443 if good else 80,
        "protocol": "HTTPS" if good else "HTTP",
        "ssl_policy": "ELBSecurityPolicy-TLS13-1-2-2021-06",
    }
    yield "aws_lb_listener", {**listener, "default_action": [{"type": "forward"}]}, {"load_balancer_arn": f"aws_lb.{name}.arn"}
    yield (
        "aws_db_instance",
        {"identifier": name, "engine": "postgres", "storage_encrypted": good, "publicly_accessible": not good},
        {},
    )
    yield "aws_sagemaker_notebook_instance", {"name": name, "direct_internet_access": "Disabled" if good else "Enabled"}, {}
    yield "aws_fsx_lustre_file_system", {"storage_capacity": 1200, "deployment_type": "PERSISTENT_2"}, {"subnet_ids": mesh}
    yield (
        "aws_eks_cluster",
        {"name": name, "vpc_config": [{"endpoint_public_access": not good, "endpoint_private_access": True}]},
        {},
    )
    yield (
        "aws_iam_role_policy_attachment",
        {"role": name, "policy_arn": f"arn:aws:iam::aws:policy/{'ReadOnly' if good else 'Administrator'}Access"},
        {},
    )


def plan(size: int) -> dict[str, Any]:
    """The JSON of a plan of so many resources."""
    changes, entries, planned = [], [], []
    for number in range(size // 10):
        for kind, values, references in unit(number):
            at = {"address": f"{kind}.t{number}", "mode": "managed", "type": kind, "name": f"t{number}"}
            provider = {"provider_name": "provider.example/hashicorp/aws"}
            late = {"id": True, "arn": True, **dict.fromkeys(references, True)}
            change = {"actions": ["create"], "before": None, "after": values, "after_unknown": late, "after_sensitive": {}}
            expressions = {
                **{k: {"constant_value": v} for k, v in values.items()},
                **{k: {"references": [v, v.rpartition(".")[0]]} for k, v in references.items()},
            }
            changes.append({**at, **provider, "change": change})
            entries.append({**at, "provider_config_key": "aws", "expressions": expressions, "schema_version": 0})
            planned.append({**at, **provider, "schema_version": 0, "values": values})
    region = {"aws": {"name": "aws", "expressions": {"region": {"constant_value": "us-east-1"}}}}
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "planned_values": {"root_module": {"resources": planned}},
        "resource_changes": changes,
        "configuration": {"provider_config": region, "root_module": {"resources": entries}},
    }


def cpu(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Processor seconds of a command: what other work on the machine disturbs least."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bench() -> Iterator[str]:
    yield from against_checkov()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "plan.json")
        file.write_text(json.dumps(plan(LARGE)), encoding="utf-8")
        size = file.stat().st_size / (1 << 20)
        large = once(
            [sys.executable, "-m", "scanner", "collect", "plan", str(file), "--snapshot", f"{folder}/s"], {"PYTHONPATH": str(ROOT)}
        )
        yield f"{LARGE} resources in {size:.0f} MiB: {large.seconds:.0f} s and {large.mebibytes:.0f} MiB to collect, status {large.status}"


def against_checkov() -> Iterator[str]:
    """The same file in the same minute."""
    checkov = Path(os.environ.get("BARTIZAN_BENCH_CHECKOV") or ROOT / ".cache" / "checkov" / "bin" / "checkov")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "plan.json")
        file.write_text(json.dumps(plan(SIZE)), encoding="utf-8")
        here = {"PYTHONPATH": str(ROOT)}
        ours = [sys.executable, "-m", "scanner", "scan", "plan", str(file), "-o", f"json={folder}/report.json", "--quiet"]
        once(ours, here)  # NOTE: the first run compiles what the second imports
        own: Cost = once(ours, here)
        own_cpu = cpu(ours, here)
        yield f"{SIZE} resources: {own.seconds:.2f} s, {own_cpu:.2f} s of processor, {own.mebibytes:.0f} MiB, status {own.status}"
        if not checkov.exists():
            yield f"Checkov is not compared with: no {checkov}; see the top of tests/bench/plans.py"
            return
        theirs = [str(checkov), "-f", str(file), "-o", "json", "--compact", "--quiet"]
        other, other_cpu = once(theirs), cpu(theirs, {})
        yield f"Checkov: {other.seconds:.2f} s, {other_cpu:.2f} s of processor, {other.mebibytes:.0f} MiB, status {other.status}"
        yield f"that is {other.seconds / own.seconds:.1f} times our time, {other_cpu / own_cpu:.1f} times our processor time"
