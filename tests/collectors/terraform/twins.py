"""The live half of a twin: its account, rebuilt on an empty moto server, and what it calls the plan's resources."""

from __future__ import annotations

import base64
import http.client
import json
import urllib.parse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collectors.aws.collect import Options, collect_account
from scanner.model import Resource
from tests.collectors.aws.conftest import Seen

SCOPE = (
    "AWS4-HMAC-SHA256 Credential=testing/20260101/{region}/{service}/aws4_request, SignedHeaders=host;x-amz-date, Signature="
    + "0" * 64
)
ACCOUNT = "123456789012"
REGION = "us-east-1"
EC2 = {
    "aws_nat_gateway": "natgateway",
    "aws_ebs_snapshot": "snapshot",
    "aws_internet_gateway": "internet-gateway",
    "aws_vpc_peering_connection": "vpc-peering-connection",
}
"""Types whose `arn` in the state is missing or not the canonical one → resource in the ARN."""
ARNS = {
    "aws_db_cluster_snapshot": "db_cluster_snapshot_arn",
    "aws_db_snapshot": "db_snapshot_arn",
    "aws_ecs_task_definition": "arn_without_revision",
}
"""Types whose canonical ARN stands elsewhere → attribute."""
SETTINGS = {
    "aws_ebs_encryption_by_default": f"arn:aws:ec2:{REGION}:{ACCOUNT}:ebs-encryption-by-default",
    "aws_config_configuration_recorder": f"arn:aws:config:{REGION}:{ACCOUNT}:configuration-recorder",
    "aws_ecr_registry_policy": f"arn:aws:ecr:{REGION}:{ACCOUNT}:registry-policy",
    "aws_guardduty_detector": f"arn:aws:guardduty:{REGION}:{ACCOUNT}:detector",
    "aws_glue_data_catalog_encryption_settings": f"arn:aws:glue:{REGION}:{ACCOUNT}:catalog",
    "aws_s3_account_public_access_block": f"arn:aws:s3::{ACCOUNT}:account-public-access-block",
}
"""Settings of an account, of which there is one → id."""
CREDENTIALS = {
    "aws_iam_access_key": ("user", "access-key", "id"),
    "aws_iam_user_ssh_key": ("username", "ssh-public-key", "ssh_public_key_id"),
    "aws_iam_signing_certificate": ("user_name", "signing-certificate", "certificate_id"),
}
"""Credentials of users → attribute of the user's name, word in the id, attribute of their own."""


MOTO = {
    ("AWS::S3::Bucket", "encrypted"): "has no default encryption; S3 has, since 2023",
    ("AWS::S3::Bucket", "aws.algorithm"): "as encrypted",
    ("AWS::S3::Bucket", "inventory"): "forgets the optional fields in the listing",
    ("AWS::S3::Bucket", "replica_keys"): "forgets the criteria of the source",
    ("AWS::KMS::Key", "rotation_days"): "forgets the period",
    ("AWS::RDS::DBCluster", "key_id"): "names a key of clusters that are not encrypted",
    ("AWS::EC2::Instance", "tenancy"): "says default of all",
    ("AWS::EC2::Instance", "interfaces"): "says ids and addresses, which are not there before",
    ("AWS::EC2::NetworkAcl", "ingress"): "has no last entry in ACLs that one makes",
    ("AWS::EC2::NetworkAcl", "egress"): "as ingress",
    ("AWS::EC2::VPNConnection", "tunnels"): "forgets what is asked of tunnels",
    ("AWS::SageMaker::Model", "network_isolation"): "forgets it",
    ("AWS::EKS::Nodegroup", "ssh_key"): "makes one up where there is a launch template",
    ("AWS::EKS::Nodegroup", "ssh_open"): "as ssh_key",
    ("AWS::CertificateManager::Certificate", "renewal"): "says of all that they cannot be renewed",
    ("AWS::CloudFront::Distribution", "tls_policy"): "says of all that they have CloudFront's own certificate",
    ("AWS::CloudFront::Distribution", "tls_versions"): "as tls_policy",
    ("AWS::CloudFront::Distribution", "tls_weak_ciphers"): "as tls_policy",
}
"""Facts that moto tells otherwise than AWS does → how."""


def collected(endpoint: str, demand: Mapping[str, frozenset[str]]) -> dict[str, Resource]:
    """What the account tells of some facts of some native types: id → resource."""
    seen = Seen()
    collect_account(Options(regions=(REGION,), endpoint=endpoint), seen, now="2026-11-01T00:00:00Z", demand=demand)
    return {r.id: r for r in seen.resources}


def replay(requests: Path, endpoint: str) -> list[str]:
    """Send the recorded requests; the ones that were answered otherwise than when they were recorded."""
    url = urllib.parse.urlsplit(endpoint)
    differ = []
    for line in requests.read_text().splitlines():
        r = json.loads(line)
        _send(url, "POST", f"/moto-api/seed?a={r['n']}", {}, b"")
        body = base64.b64decode(r["body_base64"]) if "body_base64" in r else r.get("body", "").encode()
        headers = {**r["headers"], "Authorization": SCOPE.format(**r), "X-Amz-Date": "20260101T000000Z"}
        status = _send(url, r["method"], r["path"] + (f"?{r['query']}" if r["query"] else ""), headers, body)
        if status != r["status"]:
            differ.append(f"{r['n']} {r['action']}: {r['status']} became {status}")
    return differ


def _send(url: urllib.parse.SplitResult, method: str, target: str, headers: Mapping[str, str], body: bytes) -> int:
    connection = http.client.HTTPConnection(str(url.hostname), url.port or 80, timeout=60)
    try:
        connection.request(method, target, body=body, headers=dict(headers))
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def state_resources(state: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All resources of `terraform show -json` of a state."""
    pending = [state["values"]["root_module"]]
    while pending:
        module = pending.pop()
        yield from module.get("resources", [])
        pending += module.get("child_modules", [])


def live_ids(state: Mapping[str, Any]) -> dict[str, str]:
    """Canonical id in the plan → canonical id in the account."""
    found = {}
    users = {r["values"]["name"]: r["values"]["arn"] for r in state_resources(state) if r["type"] == "aws_iam_user"}
    for resource in state_resources(state):
        values, kind, plan = resource["values"], resource["type"], f"plan/{resource['address']}"
        if kind in EC2:
            found[plan] = f"arn:aws:ec2:{REGION}:{ACCOUNT}:{EC2[kind]}/{values['id']}"
        elif kind in SETTINGS:
            found[plan] = SETTINGS[kind]
        elif kind in CREDENTIALS:
            user, word, own = CREDENTIALS[kind]
            found[plan] = f"{users[values[user]]}/{word}/{values[own]}"
        elif values.get(ARNS.get(kind, "arn")):
            found[plan] = values[ARNS.get(kind, "arn")]
        for block in ("root_block_device", "ebs_block_device"):
            for element in values.get(block) or [] if kind == "aws_instance" else []:
                suffix = f"/{block}" if block.startswith("root") else f'/{block}["{element["device_name"]}"]'
                found[plan + suffix] = f"arn:aws:ec2:{REGION}:{ACCOUNT}:volume/{element['volume_id']}"
    return found


def translated(value: Any, ids: Mapping[str, str]) -> Any:
    """A fact with the plan's ids replaced by the account's, and lists of texts in one order."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        made = [translated(v, ids) for v in value]
        return sorted(made) if all(isinstance(v, str) for v in made) else made
    if isinstance(value, dict):
        return {k: translated(v, ids) for k, v in value.items()}
    return value


def compared(planned: Resource, live: Resource, ids: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The facts that both sources know, and how they differ; the facts of MOTO, and those that plans alone have, are left out."""
    different = [
        f"{name}: plan {getattr(planned, name)}, live {getattr(live, name)}"
        for name in ("kind", "native_type", "region", "tags")
        if getattr(planned, name) != getattr(live, name)
    ]
    facts = [f for f in planned.facts if f in live.facts and f not in planned.gaps.keys() | live.gaps.keys()]
    for fact in facts:
        want, got = translated(planned.facts[fact], ids), translated(live.facts[fact], {})
        if want != got and not (want == ["assigned"] and got) and (planned.native_type, fact) not in MOTO:
            different.append(f"{fact}: plan {want}, live {got}")
    return facts, different
