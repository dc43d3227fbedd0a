"""The live half of a twin: its account, rebuilt on an empty moto server, and what it calls the plan's resources."""

from __future__ import annotations

import base64
import http.client
import json
import urllib.parse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SCOPE = (
    "AWS4-HMAC-SHA256 Credential=testing/20260101/{region}/{service}/aws4_request, SignedHeaders=host;x-amz-date, Signature="
    + "0" * 64
)
ACCOUNT = "123456789012"
EC2 = {"aws_nat_gateway": "natgateway", "aws_ebs_snapshot": "snapshot", "aws_internet_gateway": "internet-gateway"}
"""Types whose `arn` in the state is missing or not the canonical one → resource in the ARN."""


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
        region = "us-east-1"
        if kind in EC2:
            found[plan] = f"arn:aws:ec2:{region}:{ACCOUNT}:{EC2[kind]}/{values['id']}"
        elif kind == "aws_ebs_encryption_by_default":
            found[plan] = f"arn:aws:ec2:{region}:{ACCOUNT}:ebs-encryption-by-default"
        elif kind == "aws_iam_access_key":
            found[plan] = f"{users[values['user']]}/access-key/{values['id']}"
        elif values.get("arn"):
            found[plan] = values["arn"]
        for block in ("root_block_device", "ebs_block_device"):
            for element in values.get(block) or [] if kind == "aws_instance" else []:
                suffix = f"/{block}" if block.startswith("root") else f'/{block}["{element["device_name"]}"]'
                found[plan + suffix] = f"arn:aws:ec2:{region}:{ACCOUNT}:volume/{element['volume_id']}"
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
