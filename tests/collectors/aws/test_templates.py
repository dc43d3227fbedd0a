"""Launch templates and machine images."""

from __future__ import annotations

import base64
import json

import pytest

from collectors.aws import blocks, compute, templates
from tests.collectors.aws.answers import given
from tests.collectors.aws.conftest import ACCOUNT

ARN = f"arn:aws:ec2:us-east-1:{ACCOUNT}:launch-template/"
KEY = f"arn:aws:kms:us-east-1:{ACCOUNT}:key/k"
SCRIPT = base64.b64encode(b"#!/bin/sh\nexport DB_PASSWORD=Tr1ton-2024!\n").decode()
WHOLE = {"HttpTokens": "required", "HttpPutResponseHopLimit": 1, "HttpEndpoint": "enabled"}


def version(name="gpu", number=1, *, default=True, **data):
    return {
        "LaunchTemplateId": f"lt-{name}",
        "LaunchTemplateName": name,
        "VersionNumber": number,
        "DefaultVersion": default,
        "LaunchTemplateData": data,
    }


def answers(*versions, image=None, account=None, tags=(), **more):
    made = {
        "ec2:describe_launch_template_versions": {"LaunchTemplateVersions": list(versions)},
        "ec2:describe_launch_templates": {"LaunchTemplates": [{"LaunchTemplateId": "lt-gpu", "Tags": list(tags)}]},
        "ec2:describe_instance_types": {"InstanceTypes": [{"InstanceType": "p5.48xlarge", "GpuInfo": {"Gpus": [{"Count": 8}]}}]},
        "ec2:get_instance_metadata_defaults": {"AccountLevel": account or {}},
        "ec2:describe_images": {"Images": [image] if image else []},
    }
    return made | {f"ec2:{name}": answer for name, answer in more.items()}


def look_at(*versions, **more):
    return given(templates.TEMPLATES, answers=answers(*versions, **more))


def only(*versions, **more):
    (found,) = look_at(*versions, **more).resources
    return found


def test_a_template_that_says_everything():
    seen = look_at(
        version(
            InstanceType="p5.48xlarge",
            ImageId="ami-1",
            KeyName="ops",
            UserData=SCRIPT,
            MetadataOptions=WHOLE,
            NetworkInterfaces=[
                {
                    "DeviceIndex": 0,
                    "AssociatePublicIpAddress": True,
                    "SubnetId": "subnet-1",
                    "InterfaceType": "efa",
                    "Groups": ["sg-1"],
                }
            ],
            BlockDeviceMappings=[
                {"DeviceName": "/dev/sda1", "Ebs": {"Encrypted": True, "KmsKeyId": "k"}},
                {"DeviceName": "/dev/sdb", "VirtualName": "ephemeral0"},
                {"DeviceName": "/dev/sdc", "Ebs": {"Encrypted": False}},
            ],
        ),
        tags=[{"Key": "eks:cluster-name", "Value": "training"}, {"Key": "Zone", "Value": "training"}],
    )
    (found,) = seen.resources
    assert (found.id, found.name, found.tags["Zone"], found.gaps) == (ARN + "lt-gpu", "gpu", "training", {})
    (secret,) = found.facts["user_data_secrets"]
    assert {k: v for k, v in found.facts.items() if k != "user_data_secrets"} == {
        "instance_type": "p5.48xlarge",
        "accelerator": True,
        "metadata_enabled": True,
        "metadata_token_required": True,
        "metadata_hop_limit": 1,
        "public_addresses": ["assigned"],
        "subnet_ids": [f"arn:aws:ec2:us-east-1:{ACCOUNT}:subnet/subnet-1"],
        "efa": True,
        "efa_firewall_ids": [f"arn:aws:ec2:us-east-1:{ACCOUNT}:security-group/sg-1"],
        "ssh_key": "ops",
        "container_host": True,
        "device_volumes": [
            {"device": "/dev/sda1", "encryption": "on", "key_id": KEY},
            {"device": "/dev/sdc", "encryption": "off", "key_id": ""},
        ],
    }
    assert (secret["kind"], secret["location"]) == ("password", "line 2")
    assert not [s for s in ("Tr1ton", SCRIPT) if s in json.dumps(seen.answers)]
    assert {c.operation for c in seen.asked} == {
        "describe_launch_template_versions",
        "describe_launch_templates",
        "describe_instance_types",
        "describe_images",
    }, "the account's defaults decide nothing"


@pytest.mark.parametrize(
    ("interfaces", "answer"),
    [
        ([{"DeviceIndex": 0, "AssociatePublicIpAddress": True}], ["assigned"]),
        ([{"DeviceIndex": 0, "AssociatePublicIpAddress": False}, {"DeviceIndex": 1, "NetworkCardIndex": 1}], []),
        ([{"AssociatePublicIpAddress": False}], []),
        ([{"DeviceIndex": 0}], None),
        ([{"DeviceIndex": 0, "NetworkInterfaceId": "eni-1"}], None),
        ([], None),
    ],
)
def test_addresses_that_a_template_asks_for(interfaces, answer):
    found = only(version(MetadataOptions=WHOLE, NetworkInterfaces=interfaces))
    assert found.facts.get("public_addresses") == answer
    assert (answer is None) == ("public_addresses" in found.gaps), "the subnet decides, or the interface that exists"


def test_a_version_that_is_latest_and_default_is_one():
    seen = look_at(version(ImageId="ami-1"), version(ImageId="ami-1"))
    assert seen.ids() == [ARN + "lt-gpu"]
    assert [c.operation for c in seen.asked].count("describe_images") == 1


def test_the_volumes_of_an_image_count_beside_those_that_are_told():
    told = [{"DeviceName": "/dev/sdd", "Ebs": {"Encrypted": True, "KmsKeyId": "k"}}]
    found = only(version(ImageId="ami-1", MetadataOptions=WHOLE, BlockDeviceMappings=told), image=IMAGE)
    assert {v["device"]: v["encryption"] for v in found.facts["device_volumes"]} == {
        "/dev/sda1": "account",
        "/dev/sdb": "image",
        "/dev/sdd": "on",
    }


@pytest.mark.parametrize(("device", "beside"), [("/dev/sdd", {"the root volume": "image"}), ("/dev/xvda", {}), ("/dev/sda1", {})])
def test_a_root_volume_that_is_not_seen_is_not_forgotten(device, beside):
    told = [{"DeviceName": device, "Ebs": {"Encrypted": True, "KmsKeyId": "k"}}]
    found = only(version(MetadataOptions=WHOLE, BlockDeviceMappings=told))
    assert {v["device"]: v["encryption"] for v in found.facts["device_volumes"]} == {device: "on", **beside}


def test_a_latest_version_that_is_not_the_default_is_one_of_its_own():
    seen = look_at(version(MetadataOptions=WHOLE), version(number=4, default=False, MetadataOptions=WHOLE))
    assert seen.ids() == [ARN + "lt-gpu", ARN + "lt-gpu:4"]


V2 = {"ImageId": "ami-1", "ImdsSupport": "v2.0"}
V1 = {"ImageId": "ami-1"}


@pytest.mark.parametrize(
    ("account", "image", "tokens", "hops"),
    [
        ({"HttpTokens": "required", "HttpPutResponseHopLimit": 2}, V1, True, 2),
        ({"HttpTokens": "optional", "HttpPutResponseHopLimit": 1}, V2, False, 1),
        ({}, V2, True, 2),
        ({}, V1, False, 1),
        ({"HttpTokens": "required"}, V2, True, 2),
    ],
)
def test_what_it_leaves_out_the_account_decides_and_then_the_image(account, image, tokens, hops):
    found = only(version(ImageId="ami-1"), account=account, image=image)
    assert (found.facts["metadata_token_required"], found.facts["metadata_hop_limit"]) == (tokens, hops)
    assert found.facts["metadata_enabled"] is True


def test_the_account_may_turn_metadata_off():
    assert only(version(ImageId="ami-1"), account={"HttpEndpoint": "disabled"}, image=V1).facts["metadata_enabled"] is False


@pytest.mark.parametrize("image_id", [None, "resolve:ssm:/aws/service/ami", "ami-gone"])
def test_an_image_that_is_not_seen_is_a_gap(image_id):
    found = only(version(**({"ImageId": image_id} if image_id else {})))
    open_ = ("container_host", "public_addresses", "subnet_ids")
    assert {n: g.reason for n, g in found.gaps.items() if n not in open_} == dict.fromkeys(
        ("accelerator", "device_volumes", "instance_type", "metadata_hop_limit", "metadata_token_required"), "not_offered"
    )
    gone = only(version(ImageId="ami-1"), describe_images="InvalidAMIID.NotFound")
    assert gone.gaps["metadata_token_required"].reason == "not_offered"


def test_refusals_are_gaps_where_they_decide():
    found = only(version(ImageId="ami-1"), get_instance_metadata_defaults="UnauthorizedOperation")
    assert {n for n, g in found.gaps.items() if g.reason == "denied"} == {
        "metadata_enabled",
        "metadata_hop_limit",
        "metadata_token_required",
    }
    said = only(version(ImageId="ami-1", MetadataOptions=WHOLE), get_instance_metadata_defaults="UnauthorizedOperation")
    assert said.facts["metadata_token_required"] is True


def test_the_account_is_asked_once():
    seen = look_at(*(version(f"t{n}") for n in range(5)))
    assert [c.operation for c in seen.asked].count("get_instance_metadata_defaults") == 1


IMAGE = {
    "ImageId": "ami-1",
    "RootDeviceName": "/dev/sda1",
    "BlockDeviceMappings": [
        {"DeviceName": "/dev/sda1", "Ebs": {"SnapshotId": "snap-1", "Encrypted": False}},
        {"DeviceName": "/dev/sdb", "Ebs": {"SnapshotId": "snap-2", "Encrypted": True}},
        {"DeviceName": "/dev/sdc", "VirtualName": "ephemeral0"},
    ],
}


@pytest.mark.parametrize(
    ("mappings", "answer"),
    [
        ([], {"/dev/sda1": "account", "/dev/sdb": "image"}),
        ([{"DeviceName": "/dev/sda1", "Ebs": {"VolumeSize": 9}}], {"/dev/sda1": "account", "/dev/sdb": "image"}),
        ([{"DeviceName": "/dev/sdb", "NoDevice": ""}], {"/dev/sda1": "account"}),
        (
            [{"DeviceName": "/dev/sdd", "Ebs": {"SnapshotId": "snap-9"}}],
            {"/dev/sda1": "account", "/dev/sdb": "image", "/dev/sdd": "image"},
        ),
        (
            [{"DeviceName": "/dev/sda1", "Ebs": {"Encrypted": True}}, {"DeviceName": "/dev/sdd", "Ebs": {"VolumeSize": 9}}],
            {"/dev/sda1": "on", "/dev/sdb": "image", "/dev/sdd": "account"},
        ),
    ],
)
def test_volumes_of_template_and_image(mappings, answer):
    found = only(version(ImageId="ami-1", MetadataOptions=WHOLE, BlockDeviceMappings=mappings), image=IMAGE)
    assert {v["device"]: v["encryption"] for v in found.facts["device_volumes"]} == answer


@pytest.mark.parametrize(
    ("requirements", "answer"),
    [
        ({"AcceleratorCount": {"Min": 1}}, True),
        ({"AcceleratorCount": {"Min": 0, "Max": 0}}, False),
        ({"AcceleratorTypes": ["gpu"]}, None),
        ({}, None),
    ],
)
def test_sizes_that_are_chosen_at_launch(requirements, answer):
    found = only(version(MetadataOptions=WHOLE, InstanceRequirements=requirements))
    assert found.facts.get("accelerator") is answer
    assert (answer is None) == ("accelerator" in found.gaps)


def test_tags_of_what_it_starts_tell_a_container_host():
    told = [{"ResourceType": "instance", "Tags": [{"Key": "karpenter.sh/nodepool", "Value": "gpu"}]}]
    assert only(version(MetadataOptions=WHOLE, TagSpecifications=told)).facts["container_host"] is True
    assert "container_host" in only(version(MetadataOptions=WHOLE)).gaps, "what else it is used for, it does not tell"


def test_user_data_that_cannot_be_read_are_unknown_and_not_kept():
    seen = look_at(version(MetadataOptions=WHOLE, UserData="no base64!"))
    (found,) = seen.resources
    assert found.gaps["user_data_secrets"].reason == "unparsable"
    assert "no base64!" not in json.dumps(seen.answers)


def test_own_images():
    seen = given(
        templates.OWN_IMAGES,
        answers={
            "ec2:describe_images": {
                "Images": [
                    {"ImageId": "ami-1", "Name": "gpu-golden", "Public": True},
                    {"ImageId": "ami-2", "Name": "plain", "Public": False, "Tags": [{"Key": "Name", "Value": "bastion"}]},
                ]
            }
        },
    )
    assert [(r.id, r.name, dict(r.facts)) for r in seen.resources] == [
        ("arn:aws:ec2:us-east-1::image/ami-1", "gpu-golden", {"store_type": "image", "shared_publicly": True}),
        ("arn:aws:ec2:us-east-1::image/ami-2", "bastion", {"store_type": "image", "shared_publicly": False}),
    ]


@pytest.mark.parametrize(
    ("table", "operation", "member", "answers_"),
    [
        (
            blocks.IMAGE_BLOCK,
            "get_image_block_public_access_state",
            "ImageBlockPublicAccessState",
            {"block-new-sharing": "new", "unblocked": "none"},
        ),
        (
            blocks.SNAPSHOT_BLOCK,
            "get_snapshot_block_public_access_state",
            "State",
            {"block-all-sharing": "all", "block-new-sharing": "new", "unblocked": "none"},
        ),
    ],
    ids=["images", "snapshots"],
)
def test_blocks_of_sharing(table, operation, member, answers_):
    for state, answer in answers_.items():
        (found,) = given(table, answers={f"ec2:{operation}": {member: state}}).resources
        assert dict(found.facts) == {"sharing_block": answer}
        assert found.id.startswith(f"arn:aws:ec2:us-east-1:{ACCOUNT}:")


def test_user_data_of_instances(boto, look):
    client = boto("ec2")
    image = client.register_image(Name="golden")["ImageId"]
    made = {"ImageId": image, "MinCount": 1, "MaxCount": 1, "InstanceType": "t3.micro"}
    names = {
        name: client.run_instances(**made, **more)["Instances"][0]["InstanceId"]
        for name, more in {
            "bad": {"UserData": base64.b64decode(SCRIPT).decode()},
            "none": {},
            "good": {"UserData": "#!/bin/sh"},
        }.items()
    }
    seen = look(compute.INSTANCES)
    found = {name: seen.named(identity).facts["user_data_secrets"] for name, identity in names.items()}
    assert [(s["kind"], s["location"]) for s in found["bad"]] == [("password", "line 2")]
    assert (found["none"], found["good"]) == ([], [])
    assert "Tr1ton" not in json.dumps(seen.answers, default=str)
    assert SCRIPT not in json.dumps(seen.answers, default=str)
