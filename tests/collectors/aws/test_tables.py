from __future__ import annotations

from collections import Counter

from collectors.aws.tables import TABLES

NOT_IN_MOTO = {
    "ec2:describe_vpc_block_public_access_options": "AWS::EC2::VPCBlockPublicAccessOptions",
    "ec2:describe_vpc_block_public_access_exclusions": "AWS::EC2::VPCBlockPublicAccessExclusion",
    "cloudtrail:list_event_data_stores": "AWS::CloudTrail::EventDataStore",
    "bedrock:list_imported_models": "AWS::Bedrock::ImportedModel",
    "bedrock:list_guardrails": "AWS::Bedrock::Guardrail",
    "accessanalyzer:list_analyzers": "AWS::AccessAnalyzer::Analyzer",
    "cloudfront:list_vpc_origins": "AWS::CloudFront::VpcOrigin",
    "globalaccelerator:list_accelerators": "AWS::GlobalAccelerator::Listener",
    "globalaccelerator:list_custom_routing_accelerators": "AWS::GlobalAccelerator::CustomRoutingListener",
    "ec2:describe_vpc_encryption_controls": "",
    "ec2:get_ebs_default_kms_key_id": "",
    "ec2:get_image_block_public_access_state": "AWS::EC2::ImageBlockPublicAccess",
    "ec2:get_snapshot_block_public_access_state": "AWS::EC2::SnapshotBlockPublicAccess",
    "ecr-public:describe_repositories": "AWS::ECR::PublicRepository",
    "fsx:describe_data_repository_associations": "AWS::FSx::DataRepositoryAssociation",
    "iam:list_service_specific_credentials": "AWS::IAM::ServiceSpecificCredential",
    "network-firewall:list_firewall_policies": "AWS::NetworkFirewall::FirewallPolicy",
    "network-firewall:list_rule_groups": "AWS::NetworkFirewall::RuleGroup",
    "opensearchserverless:list_access_policies": "AWS::OpenSearchServerless::AccessPolicy",
    "sagemaker:list_notebook_instance_lifecycle_configs": "AWS::SageMaker::NotebookInstanceLifecycleConfig",
}
"""What moto 5.2 has no answer for; everything else that the tables ask, it knows. Question → native type that it lists, if it does."""


def test_an_empty_account_answers_every_question(look):
    seen = look(*TABLES)
    assert sorted({text.split(" ")[0] for text in seen.failed()}) == sorted(NOT_IN_MOTO)
    assert {c.native_type for c in seen.coverages if c.extent != "complete"} == set(NOT_IN_MOTO.values()) - {""}
    assert len(seen.coverages) == len(TABLES)


def test_ids_are_arns_and_unique(look):
    seen = look(*TABLES, regions=("us-east-1", "eu-west-1"))
    assert all(r.id.startswith("arn:aws:") for r in seen.resources)
    assert [key for key, n in Counter((r.kind, r.id) for r in seen.resources).items() if n > 1] == []


def test_references_are_arns(look):
    """Every fact that names another resource holds its id."""
    names = ("network_id", "subnet_ids", "firewall_ids", "volume_ids", "route_table_ids", "network_ids", "attached_to")
    held = [
        value
        for r in look(*TABLES).resources
        for name in names
        for value in ([r.facts[name]] if isinstance(r.facts.get(name), str) else r.facts.get(name, []))
    ]
    assert len(held) > 10
    assert all(value.startswith("arn:aws:ec2:us-east-1:123456789012:") for value in held)


def test_a_type_is_written_by_one_module():
    kinds = {(t.native_type, t.kind) for t in TABLES}
    assert len({native for native, _ in kinds}) == len(kinds)
