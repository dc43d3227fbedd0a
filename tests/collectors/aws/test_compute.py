from __future__ import annotations

import pytest

from collectors.aws import compute
from collectors.project import Parts, read
from tests.collectors.aws.answers import given

EC2 = "arn:aws:ec2:us-east-1:123456789012:"


@pytest.mark.parametrize(
    ("tag", "hosts"),
    [
        ("kubernetes.io/cluster/train", True),
        ("eks:nodegroup-name", True),
        ("aws:eks:cluster-name", True),
        ("karpenter.sh/nodepool", True),
        ("aws:ecs:clusterName", True),
        ("AmazonECSManaged", True),
        ("AWSBatchServiceTag", True),
        ("Name", False),
        ("team:eks:owner", False),
    ],
)
def test_container_host(tag, hosts):
    assert compute.container_host("i-1", [{"Key": tag, "Value": "-"}]) is hosts


def test_no_tags_is_no_container_host():
    assert compute.container_host("i-1", None) is False


def test_addresses_of_all_interfaces():
    interfaces = [
        {
            "Association": {"PublicIp": "3.3.3.3"},
            "PrivateIpAddresses": [{"Association": {"PublicIp": "4.4.4.4"}}, {"PrivateIpAddress": "10.0.0.1"}],
            "Ipv6Addresses": [{"Ipv6Address": "2600:1f18::1"}, {"Ipv6Address": "fd00::1"}],
        },
        {},
    ]
    assert compute.public_addresses(interfaces, "3.3.3.3", None) == ["2600:1f18::1", "3.3.3.3", "4.4.4.4"]
    assert compute.public_addresses(None, None, None) == []


@pytest.mark.parametrize(
    ("kinds", "found"), [(["interface"], False), (["interface", "efa"], True), (["efa-only"], True), ([], False)]
)
def test_efa(kinds, found):
    assert compute.efa([{"InterfaceType": k} for k in kinds]) is found


def test_groups_of_efa_interfaces():
    made = [("interface", "sg-a"), ("efa", "sg-b"), ("efa-only", "sg-c")]
    row = {
        "item": {"NetworkInterfaces": [{"InterfaceType": kind, "Groups": [{"GroupId": group}]} for kind, group in made]},
        "context": {"partition": "aws", "region": "r", "account": "1"},
    }
    value, gap = read(compute.INSTANCES.facts["efa_firewall_ids"], Parts(row))
    assert gap is None
    assert value == ["arn:aws:ec2:r:1:security-group/sg-b", "arn:aws:ec2:r:1:security-group/sg-c"]


def test_volumes_on_their_way_out_are_gone():
    assert [compute.usable({"State": s}) for s in ("in-use", "available", "deleting", "deleted")] == [True, True, False, False]


def test_an_fpga_is_an_accelerator():
    row = {"type": {"InstanceType": "f2.6xlarge", "FpgaInfo": {"Fpgas": [{"Name": "VU47P"}]}}}
    assert read(compute.INSTANCES.facts["accelerator"], Parts(row)) == (True, None)


def test_accelerators_of_every_maker():
    assert compute.accelerator("p5.48xlarge", [{"Name": "H100"}], None, None, None) is True
    assert compute.accelerator("trn2.48xlarge", None, [{"Name": "Trainium2"}], None, None) is True
    assert compute.accelerator("inf1.xlarge", None, None, [{"Name": "Inferentia"}], None) is True
    assert compute.accelerator("vt1.3xlarge", None, None, None, [{"Name": "U30"}]) is True
    assert compute.accelerator("m5.large", None, None, None, None) is False


def test_gone_instances_are_no_resources():
    assert compute.exists({"State": {"Name": "stopped"}})
    assert not compute.exists({"State": {"Name": "terminated"}})


def test_shared_with_all():
    assert compute.shared_with_all([{"UserId": "2"}, {"Group": "all"}]) is True
    assert compute.shared_with_all([{"UserId": "2"}]) is False


def image(ec2):
    return ec2.register_image(Name="dlami", RootDeviceName="/dev/xvda", VirtualizationType="hvm")["ImageId"]


def test_instances(boto, look):
    ec2 = boto("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.1.0/24")["Subnet"]["SubnetId"]
    group = ec2.create_security_group(GroupName="nodes", Description="-", VpcId=vpc)["GroupId"]
    ec2.create_key_pair(KeyName="ops")
    iam = boto("iam")
    profile = iam.create_instance_profile(InstanceProfileName="node")["InstanceProfile"]["Arn"]
    tags = [{"Key": "Name", "Value": "gpu-1"}, {"Key": "eks:cluster-name", "Value": "train"}]
    gpu = ec2.run_instances(
        ImageId=image(ec2),
        InstanceType="p5.48xlarge",
        MinCount=1,
        MaxCount=1,
        SubnetId=subnet,
        SecurityGroupIds=[group],
        KeyName="ops",
        IamInstanceProfile={"Arn": profile},
        UserData="export SECRET=hunter2",
        MetadataOptions={"HttpTokens": "required", "HttpPutResponseHopLimit": 1, "HttpEndpoint": "enabled"},
        TagSpecifications=[{"ResourceType": "instance", "Tags": tags}],
    )["Instances"][0]
    web = ec2.run_instances(ImageId=image(ec2), InstanceType="m5.large", MinCount=1, MaxCount=1, SubnetId=subnet)["Instances"][0]
    address = ec2.allocate_address(Domain="vpc")
    ec2.associate_address(AllocationId=address["AllocationId"], InstanceId=web["InstanceId"])
    gone = ec2.run_instances(ImageId=image(ec2), InstanceType="m5.large", MinCount=1, MaxCount=1, SubnetId=subnet)["Instances"][0]
    ec2.terminate_instances(InstanceIds=[gone["InstanceId"]])

    seen = look(compute.INSTANCES, compute.VOLUMES)

    assert seen.failed() == []
    node = seen.named("gpu-1")
    (volume,) = (m["Ebs"]["VolumeId"] for m in gpu["BlockDeviceMappings"])
    assert node.gaps == {}
    assert node.facts == {
        "instance_type": "p5.48xlarge",
        "accelerator": True,
        "fabric_encrypted": True,
        "efa": False,
        "efa_firewall_ids": [],
        "interfaces": [
            {
                "id": f"{EC2}network-interface/{gpu['NetworkInterfaces'][0]['NetworkInterfaceId']}",
                "subnet_id": f"{EC2}subnet/{subnet}",
                "firewall_ids": [f"{EC2}security-group/{group}"],
                "public_addresses": [],
                "ipv6_addresses": [],
                "private_addresses": [gpu["PrivateIpAddress"]],
            }
        ],
        "public_addresses": [],
        "subnet_ids": [f"{EC2}subnet/{subnet}"],
        "network_id": f"{EC2}vpc/{vpc}",
        "firewall_ids": [f"{EC2}security-group/{group}"],
        "metadata_enabled": True,
        "metadata_token_required": True,
        "metadata_hop_limit": 1,
        "ssh_key": "ops",
        "volume_ids": [f"{EC2}volume/{volume}"],
        "identity": profile,
        "state": "running",
        "container_host": True,
        "user_data_secrets": [],
        "tenancy": "default",
        "bare_metal": False,
    }
    other = seen.named(web["InstanceId"]).facts
    assert [i["public_addresses"] for i in other["interfaces"]] == [[address["PublicIp"]]]
    assert (other["accelerator"], other["public_addresses"], other["ssh_key"], other["identity"], other["container_host"]) == (
        False,
        [address["PublicIp"]],
        "",
        "",
        False,
    )
    assert not [r for r in seen.resources if gone["InstanceId"] in r.id]
    assert seen.named(volume).facts == {"store_type": "volume", "encrypted": False, "key_id": "", "attached_to": [node.id]}
    assert sum(c.operation == "describe_instance_types" for c in seen.asked) == 1
    assert "hunter2" not in str(seen.answers)


def test_volumes_and_snapshots(boto, look):
    ec2 = boto("ec2")
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    volume = ec2.create_volume(AvailabilityZone="us-east-1a", Size=1, Encrypted=True, KmsKeyId=key)["VolumeId"]
    private = ec2.create_snapshot(VolumeId=volume)["SnapshotId"]
    public = ec2.create_snapshot(VolumeId=volume)["SnapshotId"]
    ec2.modify_snapshot_attribute(SnapshotId=public, Attribute="createVolumePermission", OperationType="add", GroupNames=["all"])

    seen = look(compute.VOLUMES, compute.SNAPSHOTS)

    assert seen.failed() == []
    assert seen.named(volume).facts == {"store_type": "volume", "encrypted": True, "key_id": key, "attached_to": []}
    shared = {"store_type": "snapshot", "encrypted": True, "key_id": key, "shared_publicly": True}
    assert seen.named(public).facts | {"key_id": key} == shared
    assert seen.named(private).facts["shared_publicly"] is False


def test_encryption_by_default(boto, look):
    boto("ec2", "eu-west-1").enable_ebs_encryption_by_default()
    seen = look(compute.ENCRYPTION_DEFAULT, regions=("us-east-1", "eu-west-1"))
    found = {r.region: r for r in seen.resources}
    assert found["eu-west-1"].id == "arn:aws:ec2:eu-west-1:123456789012:ebs-encryption-by-default"
    assert {region: r.facts["encrypted"] for region, r in found.items()} == {"us-east-1": False, "eu-west-1": True}
    # moto has no GetEbsDefaultKmsKeyId: the key is then unknown, not the provider's
    assert {region: list(r.gaps) for region, r in found.items()} == {"us-east-1": ["key_id"], "eu-west-1": ["key_id"]}


def test_only_snapshots_that_everyone_may_use_are_asked_about_one_by_one():
    found = [{"SnapshotId": f"snap-{n}", "Encrypted": True} for n in range(5)]
    seen = given(
        compute.SNAPSHOTS,
        answers={
            "ec2:describe_snapshots:all": {"Snapshots": found[1:2]},
            "ec2:describe_snapshots": {"Snapshots": found},
            "ec2:describe_snapshot_attribute": {"CreateVolumePermissions": [{"Group": "all"}]},
        },
    )
    assert {r.id.rpartition("/")[2] for r in seen.resources if r.facts["shared_publicly"]} == {"snap-1"}
    assert [c.operation for c in seen.asked].count("describe_snapshot_attribute") == 1
    denied = given(
        compute.SNAPSHOTS,
        answers={"ec2:describe_snapshots:all": "UnauthorizedOperation", "ec2:describe_snapshots": {"Snapshots": found}},
    )
    assert {r.gaps["shared_publicly"].reason for r in denied.resources} == {"denied"}
