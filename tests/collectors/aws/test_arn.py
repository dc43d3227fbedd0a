from __future__ import annotations

from collectors.aws import arn
from collectors.table import MISSING

PLACE = ("aws-us-gov", "us-gov-west-1", "1")


def test_bare_ids_get_the_partition_region_and_account():
    assert arn.arn("ec2", "vpc", *PLACE, "vpc-1") == "arn:aws-us-gov:ec2:us-gov-west-1:1:vpc/vpc-1"
    assert arn.arn("ec2", "vpc", *PLACE, "arn:aws:ec2:x:2:vpc/vpc-1") == "arn:aws:ec2:x:2:vpc/vpc-1"


def test_nothing_named_is_missing_or_the_default():
    assert arn.arn("ec2", "vpc", *PLACE, None) is MISSING
    assert arn.arn("ec2", "vpc", *PLACE, "", "") == ""


def test_lists_are_flat_sorted_and_without_repeats():
    found = arn.arns("ec2", "subnet", *PLACE, "b", ["a", None, "b"], None)
    assert found == ["arn:aws-us-gov:ec2:us-gov-west-1:1:subnet/a", "arn:aws-us-gov:ec2:us-gov-west-1:1:subnet/b"]
    assert arn.arns("ec2", "subnet", *PLACE, None) == []


def test_keys_by_id_alias_and_arn():
    assert arn.key_arn("aws", "r", "1", "1234") == "arn:aws:kms:r:1:key/1234"
    assert arn.key_arn("aws", "r", "1", "mrk-1") == "arn:aws:kms:r:1:key/mrk-1"
    assert arn.key_arn("aws", "r", "1", "alias/aws/ebs") == "arn:aws:kms:r:1:alias/aws/ebs"
    assert arn.key_arn("aws", "r", "1", "arn:aws:kms:r:2:key/9") == "arn:aws:kms:r:2:key/9"
    assert arn.key_arn("aws", "r", "1", None) == ""
    assert arn.key_arn("aws", None, "1", "1234") == "1234"


def test_label():
    assert arn.label([{"Key": "Name", "Value": "train"}], "vpc-1") == "train"
    assert arn.label([{"Key": "Name", "Value": ""}], "vpc-1") == "vpc-1"
    assert arn.label(None, "vpc-1") == "vpc-1"
