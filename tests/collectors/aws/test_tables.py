from __future__ import annotations

from collections import Counter

from collectors.aws.tables import TABLES

# what moto 5.2 has no answer for; everything else that the tables ask, it knows
NOT_IN_MOTO = ["ec2:get_ebs_default_kms_key_id"]


def test_an_empty_account_answers_every_question(look):
    seen = look(*TABLES)
    assert [text.split(" ")[0] for text in seen.failed()] == NOT_IN_MOTO
    assert {c.extent for c in seen.coverages} == {"complete"}
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
