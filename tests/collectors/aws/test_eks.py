from __future__ import annotations

from collectors.aws import eks
from tests.collectors.aws.answers import given

PLACE = ("aws", "r", "1")


def test_the_key_of_secrets():
    key = "arn:aws:kms:r:1:key/k"
    assert eks.secrets_key(*PLACE, [{"resources": ["secrets"], "provider": {"keyArn": key}}]) == key
    assert eks.secrets_key(*PLACE, [{"resources": ["other"], "provider": {"keyArn": key}}]) == ""
    assert eks.secrets_key(*PLACE, None) == ""


def test_who_reaches_the_api():
    # https://github.com/turbot/steampipe-mod-terraform-aws-compliance/issues/78
    assert eks.api_cidrs(public=True, cidrs=None) == ["0.0.0.0/0"]
    assert eks.api_cidrs(public=None, cidrs=[]) == ["0.0.0.0/0"]
    # https://github.com/darkbitio/mkit/issues/5
    assert eks.api_cidrs(public=False, cidrs=[]) == []
    assert eks.api_cidrs(public=True, cidrs=["203.0.113.0/24", "198.51.100.0/24"]) == ["198.51.100.0/24", "203.0.113.0/24"]


def test_logs_are_the_union_of_what_is_on():
    loggings = [
        {"types": ["api", "audit"], "enabled": True},
        {"types": ["scheduler"], "enabled": False},
        {"types": ["audit", "authenticator"], "enabled": True},
    ]
    assert eks.log_types(loggings) == ["api", "audit", "authenticator"]


def test_clusters(boto, look):
    client = boto("eks")
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    role = "arn:aws:iam::123456789012:role/eks"
    made = client.create_cluster(
        name="train",
        version="1.33",
        roleArn=role,
        resourcesVpcConfig={"subnetIds": ["subnet-1", "subnet-2"], "endpointPublicAccess": False, "endpointPrivateAccess": True},
        encryptionConfig=[{"resources": ["secrets"], "provider": {"keyArn": key}}],
        logging={"clusterLogging": [{"types": ["audit", "authenticator"], "enabled": True}]},
        tags={"ai-role": "training"},
    )["cluster"]
    client.create_cluster(name="bare", version="1.33", roleArn=role, resourcesVpcConfig={"subnetIds": ["subnet-1", "subnet-2"]})

    seen = look(eks.CLUSTERS)

    assert seen.failed() == []
    cluster = seen.named("train")
    # moto does not know authentication modes
    assert (cluster.id, cluster.tags, list(cluster.gaps)) == (made["arn"], {"ai-role": "training"}, ["authentication_mode"])
    assert cluster.facts == {
        "version": "1.33",
        "encrypted": True,
        "key_id": key,
        "api_public": cluster.facts["api_public"],
        "api_cidrs": cluster.facts["api_cidrs"],
        "audit_logs": ["audit", "authenticator"],
        "aws.outpost": False,
        "node_identity": "",
    }
    assert (cluster.facts["api_public"], cluster.facts["api_cidrs"]) == (False, [])
    bare = seen.named("bare").facts
    assert (bare["key_id"], bare["api_public"], bare["api_cidrs"], bare["audit_logs"]) == ("", True, ["0.0.0.0/0"], [])


def test_who_says_who_gets_in():
    def cluster(**more):
        return {"cluster": {"name": "train", **more}}

    found = {
        mode: given(
            eks.CLUSTERS,
            answers={
                "eks:list_clusters": {"clusters": ["train"]},
                "eks:describe_cluster": cluster(
                    accessConfig={"authenticationMode": mode},
                    computeConfig={"enabled": True, "nodeRoleArn": "arn:aws:iam::123456789012:role/auto"},
                ),
            },
        )
        for mode in ("API", "API_AND_CONFIG_MAP", "CONFIG_MAP")
    }
    modes = {mode: seen.named("train").facts["authentication_mode"] for mode, seen in found.items()}
    assert modes == {"API": "entries", "API_AND_CONFIG_MAP": "both", "CONFIG_MAP": "config_map"}
    assert found["API"].named("train").facts["node_identity"] == "arn:aws:iam::123456789012:role/auto"
