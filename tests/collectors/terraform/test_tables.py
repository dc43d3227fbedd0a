"""The plan tables against the live tables and the kinds, and against the faults planted in `fixtures/plans/types/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from collectors.aws.tables import TABLES as LIVE
from collectors.aws.tls import VERSIONS, WEAK
from collectors.project import paths
from collectors.table import MISSING, Field, PlanTable
from collectors.terraform.masks import split
from collectors.terraform.plan import read_plan
from collectors.terraform.rows import MAYBE, defaulted
from collectors.terraform.tables import TABLES
from collectors.terraform.tables.accelerators import accelerated
from scanner.model import BartizanError, Resource

ROOT = Path(__file__).resolve().parents[3]
LIVE_FACTS: dict[str, set[str]] = {}
for _table in LIVE:
    LIVE_FACTS.setdefault(_table.native_type, set()).update(_table.facts)
NAMES = [f"{t.type}{':' + t.each if t.each else ''}" for t in TABLES]
each_table = pytest.mark.parametrize("table", TABLES, ids=NAMES)


def schema(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "policies" / "kinds" / f"{kind}.json").read_text())
    return found


PLAN_ONLY = {("AWS::EC2::Instance", "balanced_by")}
"""What an account tells elsewhere: there the target groups say which nodes they have."""


@each_table
def test_a_plan_table_speaks_the_live_tables_words(table: PlanTable) -> None:
    (kind,) = {t.kind for t in LIVE if t.native_type == table.native_type}
    assert table.kind == kind
    assert {f for f in table.facts if (table.native_type, f) not in PLAN_ONLY} <= LIVE_FACTS[table.native_type]
    properties = schema(table.kind)["properties"]
    assert set(table.facts) <= set(properties)
    assert not [f for f in table.facts if properties[f].get("x-derived")]


@each_table
def test_paths_are_walkable_and_start_in_a_part_of_the_row(table: PlanTable) -> None:
    parts = {"item", "parent", "context"} | set(table.joins) | {f"{p}_was" for p, j in table.joins.items() if j.many}
    for fact in (*table.facts.values(), table.name, table.tags):
        for path in paths(fact) if fact is not None else ():
            assert split(path)[0] in parts, path


@each_table
def test_every_default_names_its_source_and_only_growing_lists_are_kept_in_part(table: PlanTable) -> None:
    properties = schema(table.kind)["properties"]
    for name, fact in table.facts.items():
        if isinstance(fact, Field):
            assert fact.absent is MISSING or fact.source.startswith("https://"), name
            assert not fact.partial or properties[name].get("x-grows"), name


@each_table
def test_no_path_is_a_default_for_one_fact_and_a_plain_value_for_another(table: PlanTable) -> None:
    sure = defaulted(table)
    for name, fact in table.facts.items():
        if isinstance(fact, Field) and fact.absent is MISSING:
            mixed = {p for p in paths(fact) if p in sure and split(p)[0] != "context"}
            assert not mixed, name


def test_parts_that_facts_can_do_without_say_so_by_their_name() -> None:
    assert all(not j.many for t in TABLES for p, j in t.joins.items() if p.startswith(MAYBE))


LIVE_ONLY = {
    "AWS::Bedrock::ImportedModel",
    "AWS::IAM::RootUser",
    "AWS::Organizations::Organization",
    "AWS::SageMaker::Cluster",
    "AWS::SageMaker::ProcessingJob",
    "AWS::SageMaker::TrainingJob",
}
"""What the provider has no resource for."""


def test_every_live_type_that_terraform_can_make_has_a_table() -> None:
    assert set(LIVE_FACTS) - {t.native_type for t in TABLES} <= LIVE_ONLY


NOTHING = ("destroy-all", "outputs-and-checks", "refresh-drift")
"""Shapes with nothing to judge."""


def recorded() -> list[Path]:
    return sorted((ROOT / "fixtures").glob("*/*/**/plan.json"))


@pytest.mark.parametrize("path", recorded(), ids=lambda p: "/".join(p.parts[-3:-1]))
def test_facts_of_recorded_plans_fit_their_kinds(path: Path) -> None:
    if path.parent.name in NOTHING:
        with pytest.raises(BartizanError):
            read_plan(path)
        return
    resources = read_plan(path).resources
    assert len({(r.kind, r.id) for r in resources}) == len(resources)
    for resource in resources:
        jsonschema.validate(dict(resource.facts), schema(resource.kind))


def planted(name: str) -> dict[str, Resource]:
    found = read_plan(next((ROOT / "fixtures" / "plans" / "types").glob(f"*-{name}")) / "plan.json").resources
    return {r.id.removeprefix("plan/aws_"): r for r in found}


@pytest.mark.parametrize(
    ("name", "address", "facts"),
    [
        ("buckets", "s3_bucket.golden", {"aws.algorithm": "aws:kms", "key_id": "plan/aws_kms_key.data", "versioning": "enabled", "object_lock": "compliance",
                                         "aws.bucket_key": True, "aws.block_public_acls": True, "aws.restrict_public_buckets": True, "acl_public": False}),
        ("buckets", "s3_bucket.raw", {"aws.algorithm": "AES256", "key_id": "", "versioning": "suspended", "acl_public": True, "aws.block_public_policy": False}),
        ("buckets", "s3_bucket.managed", {"aws.algorithm": "aws:kms", "key_id": "arn:aws:kms:us-east-1:123456789012:alias/aws/s3", "versioning": "off"}),
        ("buckets", "s3_bucket.models", {"aws.algorithm": "AES256", "versioning": "enabled", "policy_statements": []}),
        ("buckets", "s3_account_public_access_block.this", {"restrict_public_buckets": False, "block_public_acls": True}),
        ("keys-secrets", "kms_key.good", {"rotation_enabled": True, "rotation_days": 90, "state": "enabled", "aliases": ["alias/heron/vault"]}),
        ("keys-secrets", "kms_key.norotation", {"rotation_enabled": False, "manager": "customer", "algorithm": "symmetric", "aws.multi_region": "none"}),
        ("keys-secrets", "kms_key.slow", {"rotation_days": 2560}),
        ("keys-secrets", "kms_key.disabled", {"state": "disabled"}),
        ("keys-secrets", "kms_key.signing", {"algorithm": "asymmetric"}),
        ("keys-secrets", "kms_key.mac", {"algorithm": "hmac"}),
        ("keys-secrets", "kms_key.org_only", {"aws.multi_region": "primary"}),
        ("keys-secrets", "kms_external_key.soon", {"origin": "external", "expires": "2026-12-05T00:00:00Z"}),
        ("keys-secrets", "kms_external_key.never", {"expires": "never"}),
        ("nodes", "instance.good", {"accelerator": True, "public_addresses": [], "ssh_key": "", "metadata_token_required": True, "metadata_hop_limit": 1}),
        ("nodes", "instance.bad", {"public_addresses": ["assigned"], "ssh_key": "heron-ops", "metadata_token_required": False, "metadata_hop_limit": 3,
                                   "subnet_ids": ["plan/aws_subnet.public"], "firewall_ids": ["plan/aws_security_group.open"]}),
        ("nodes", "instance.bad/root_block_device", {"encrypted": False, "key_id": "", "attached_to": ["plan/aws_instance.bad"]}),
        ("nodes", 'instance.good/ebs_block_device["/dev/sdf"]', {"encrypted": True, "key_id": "plan/aws_kms_key.ebs"}),
        ("nodes", "ebs_encryption_by_default.on", {"encrypted": True, "key_id": "plan/aws_kms_key.ebs"}),
        ("nodes", "ebs_volume.good", {"encrypted": True, "key_id": "plan/aws_kms_key.ebs"}),
        ("network", "vpc.training", {"flow_logs": [{"traffic": "all", "active": True}], "cidrs": ["10.50.0.0/16"]}),
        ("network", "vpc.mgmt", {"flow_logs": [{"traffic": "reject", "active": True}]}),
        ("network", "vpc_endpoint.s3", {"service": "s3", "endpoint_type": "gateway", "route_table_ids": ["plan/aws_route_table.edge", "plan/aws_route_table.gpu"]}),
        ("network", 'vpc_endpoint.iface["logs"]', {"service": "logs", "private_dns": False, "endpoint_type": "interface"}),
        ("network", "dx_connection.good", {"state": "available", "macsec_capable": True, "encryption_mode": "must_encrypt", "macsec_keys": 1}),
        ("network", "dx_lag.bad", {"state": "available"}),
        ("network", 'vpc_endpoint.iface["sts"]', {"policy_supported": True}),
        ("network", "dx_connection.bad", {"state": "available", "macsec_capable": False, "encryption_up": False, "encryption_mode": "no_encrypt", "macsec_keys": 0}),
        ("containers", "eks_cluster.good", {"key_id": "plan/aws_kms_key.k", "api_public": False, "audit_logs": ["api", "audit", "authenticator"]}),
        ("containers", "eks_cluster.bad", {"key_id": "", "api_public": True, "api_cidrs": ["0.0.0.0/0"], "audit_logs": ["scheduler"]}),
        ("containers", "eks_cluster.terse", {"key_id": "", "api_public": True, "api_cidrs": ["0.0.0.0/0"], "audit_logs": []}),
        ("containers", "eks_cluster.halves", {"api_cidrs": ["0.0.0.0/1", "128.0.0.0/1"]}),
        ("containers", "iam_role.node", {"attached_policies": [f"arn:aws:iam::aws:policy/{p}" for p in (
            "AmazonEC2ContainerRegistryReadOnly", "AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonS3FullAccess")]}),
        ("ml", "sagemaker_notebook_instance.good", {"key_id": "plan/aws_kms_key.ml", "direct_internet": False, "root_access": False}),
        ("ml", "sagemaker_notebook_instance.bad", {"key_id": "", "direct_internet": True, "root_access": True, "metadata_token_required": False}),
        ("ml", "sagemaker_endpoint_configuration.good", {"key_id": "plan/aws_kms_key.ml", "capture_enabled": True, "capture_key_id": "plan/aws_kms_key.ml"}),
        ("ml", "sagemaker_endpoint_configuration.bad", {"key_id": "", "capture_enabled": False, "local_nvme_only": False}),
        ("identity", "iam_user.bot", {"console_password": True}),
        ("identity", "iam_access_key.bot", {"active": True, "owner": "plan/aws_iam_user.bot"}),
        ("identity", "iam_access_key.bot_off", {"active": False}),
        ("identity", "iam_role.world", {"attached_policies": ["arn:aws:iam::aws:policy/AdministratorAccess"]}),
        ("identity", "iam_role.ci_good", {"boundary": "plan/aws_iam_policy.boundary"}),
        ("edge", "lb_listener.good", {"tls_versions": ["1.3"], "internet_facing": True, "firewall_ids": ["plan/aws_security_group.edge"]}),
        ("edge", "lb_listener.bad_tls", {"tls_versions": ["1.0", "1.1", "1.2"], "tls_policy": "ELBSecurityPolicy-2016-08"}),
        ("edge", "lb_listener.bad_http", {"tls": False, "redirects_to_tls": False}),
        ("edge", "lb_listener.redirect", {"tls": False, "redirects_to_tls": True}),
        ("edge", "lb_listener.nlb_tcp", {"tls": False, "internet_facing": False, "firewall_ids": []}),
        ("audit", "cloudtrail.good", {"multi_region": True, "validation": True, "management_events": "all", "key_id": "plan/aws_kms_key.logs"}),
        ("audit", "cloudtrail.bad", {"logging": False, "validation": False, "key_id": "", "bucket": "plan/aws_s3_bucket.audit_bad"}),
        ("audit", "cloudtrail.advanced", {"management_events": "none"}),
        ("audit", "s3_bucket.audit", {"object_lock": "governance", "versioning": "enabled"}),
    ],
)  # fmt: skip
def test_planted_faults_are_seen(name: str, address: str, facts: dict[str, Any]) -> None:
    resource = planted(name)[address]
    assert {f: resource.facts.get(f, resource.gaps.get(f)) for f in facts} == facts
    assert not facts.keys() & resource.gaps.keys()


@pytest.mark.parametrize(
    ("name", "address", "facts"),
    [
        ("buckets", "s3_bucket.golden", {"policy_statements"}),
        ("buckets", "s3_bucket.managed", {"aws.block_public_acls"}),
        ("nodes", "instance.terse", {"metadata_token_required", "metadata_hop_limit", "metadata_enabled", "volume_ids"}),
        ("nodes", "ebs_volume.bad", {"encrypted", "key_id"}),
        ("nodes", "ebs_snapshot.bad", {"encrypted", "key_id"}),
        ("network", "default_security_group.training", {"ingress", "egress"}),
        ("network", "network_acl.gpu", {"subnet_ids"}),
        ("network", "default_network_acl.mgmt", {"subnet_ids"}),
        ("network", "dx_lag.bad", {"macsec_capable", "encryption_mode"}),
        ("identity", "iam_role.ci_bad", {"trust_statements"}),
        ("identity", "iam_user.bot", {"mfa"}),
    ],
)
def test_what_a_plan_cannot_know_is_a_gap(name: str, address: str, facts: set[str]) -> None:
    assert facts <= planted(name)[address].gaps.keys()


def rules(name: str, address: str, direction: str = "ingress") -> list[tuple[Any, ...]]:
    return [
        (r["protocol"], r["from_port"], r["to_port"], r["source"], r["action"], r["priority"])
        for r in planted(name)[address].facts[direction]
    ]


def test_filters_of_the_network_estate() -> None:
    assert rules("network", "security_group.ray")[0] == ("tcp", 6379, 8265, "0.0.0.0/0", "allow", 0)
    assert rules("network", "security_group.all") == [
        ("all", 0, 65535, "0.0.0.0/0", "allow", 0),
        ("tcp", 3389, 3389, "::/0", "allow", 0),
    ]
    assert rules("network", "default_security_group.mgmt") == [
        ("all", 0, 65535, "plan/aws_default_security_group.mgmt", "allow", 0)
    ]
    last = ("all", 0, 65535, "0.0.0.0/0", "deny", 32767)
    assert rules("network", "network_acl.gpu") == [
        ("tcp", 22, 22, "0.0.0.0/0", "deny", 90),
        ("all", 0, 65535, "10.50.0.0/16", "allow", 100),
        last,
    ]
    assert rules("network", "network_acl.edge") == [("tcp", 20, 25, "0.0.0.0/0", "allow", 50), last]
    assert planted("network")["network_acl.edge"].facts["subnet_ids"] == ["plan/aws_subnet.edge"]
    assert planted("network")["default_network_acl.mgmt"].facts["network_id"] == "plan/aws_vpc.mgmt"


@pytest.mark.parametrize(
    ("size", "accelerates"),
    [("p5.48xlarge", True), ("p6-b200.48xlarge", True), ("g6e.xlarge", True), ("gr6.4xlarge", True), ("trn2.48xlarge", True), ("inf2.xlarge", True),
     ("dl1.24xlarge", True), ("vt1.3xlarge", True), ("f2.6xlarge", True), ("m7i-flex.large", False), ("u-6tb1.metal", False), ("hpc7g.16xlarge", False),
     ("x2idn.metal", False), ("is4gen.large", False)],
)  # fmt: skip
def test_accelerator_families(size: str, accelerates: bool) -> None:  # noqa: FBT001
    assert accelerated(size) is accelerates


@pytest.mark.parametrize("size", ["zz9.large", "p5", "", "m5.large.extra!"])
def test_an_unknown_family_is_unknown(size: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        accelerated(size)


def test_tls_table_agrees_with_the_names_and_with_recorded_answers() -> None:
    from moto.elbv2.ssl_policies import SSL_POLICIES

    words = {"TLSv1": "1.0", "TLSv1.1": "1.1", "TLSv1.2": "1.2", "TLSv1.3": "1.3"}
    checked = 0
    for name, policy in SSL_POLICIES.items():
        assert sorted(words[p] for p in policy["ssl_protocols"]) == list(VERSIONS[name])
        if name in WEAK:
            from collectors.aws.elb import STRONG

            assert sorted(c for c in policy["ciphers"] if not STRONG.match(c)) == sorted(WEAK[name])
            checked += 1
    assert checked >= 12
    assert set(WEAK) <= set(VERSIONS)
