from __future__ import annotations

from collectors.aws import redshift

PLACE = "us-east-1:123456789012"


def test_clusters(boto, look):
    ec2 = boto("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.1.1.0/24")["Subnet"]["SubnetId"]
    group = ec2.create_security_group(GroupName="lake", Description="x", VpcId=vpc)["GroupId"]
    client = boto("redshift")
    client.create_cluster_subnet_group(ClusterSubnetGroupName="lake", Description="x", SubnetIds=[subnet])
    client.create_cluster(
        ClusterIdentifier="lake",
        NodeType="ra3.large",
        MasterUsername="lake",
        MasterUserPassword="Passw0rd1",
        PubliclyAccessible=True,
        ClusterSubnetGroupName="lake",
        VpcSecurityGroupIds=[group],
        Tags=[{"Key": "Zone", "Value": "data"}],
    )
    seen = look(*redshift.TABLES)
    assert seen.failed() == []
    (found,) = seen.resources
    assert (found.id, found.tags, found.gaps) == (f"arn:aws:redshift:{PLACE}:cluster:lake", {"Zone": "data"}, {})
    assert found.facts == {
        "store_type": "database",
        "engine": "redshift",
        "encrypted": False,
        "key_id": "",
        "key_selectable": True,
        "internet_facing": True,
        "firewall_ids": [f"arn:aws:ec2:{PLACE}:security-group/{group}"],
        "network_id": found.facts["network_id"],
        "subnet_ids": [f"arn:aws:ec2:{PLACE}:subnet/{subnet}"],
        "port": 5439,
    }


def test_a_cluster_that_goes_is_left_out():
    assert not redshift.exists({"ClusterStatus": "deleting"})
    assert redshift.exists({"ClusterStatus": "available"})
