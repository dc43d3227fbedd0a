"""Registries of images."""

from __future__ import annotations

import dataclasses
import json

import pytest

from collectors.aws import ecr
from tests.collectors.aws.answers import given
from tests.collectors.aws.conftest import ACCOUNT

KEY = f"arn:aws:kms:us-east-1:{ACCOUNT}:key/k"
ARN = f"arn:aws:ecr:us-east-1:{ACCOUNT}:repository/"
DIGEST = "sha256:" + "a" * 64
RULES = [{"signingProfileArn": "arn:aws:signer:x", "repositoryFilters": [{"filter": "train/*", "filterType": "WILDCARD_MATCH"}]}]


def policy(principal):
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": principal, "Action": "ecr:*"}]})


def repository(name, **more):
    return {"repositoryArn": ARN + name, "registryId": ACCOUNT, "repositoryName": name, **more}


ANSWERS = {
    "ecr:describe_repositories": {
        "repositories": [
            repository(
                "train/torch",
                imageTagMutability="IMMUTABLE_WITH_EXCLUSION",
                imageTagMutabilityExclusionFilters=[{"filterType": "WILDCARD", "filter": "dev*"}],
                encryptionConfiguration={"encryptionType": "KMS", "kmsKey": KEY},
            ),
            repository("hub/serve", imageTagMutability="MUTABLE", encryptionConfiguration={"encryptionType": "AES256"}),
        ]
    },
    "ecr:list_tags_for_resource": {"tags": [{"Key": "Zone", "Value": "training"}]},
    "ecr:get_repository_policy:train/torch": "RepositoryPolicyNotFoundException",
    "ecr:get_repository_policy": {"registryId": ACCOUNT, "repositoryName": "hub/serve", "policyText": policy("*")},
    "ecr:batch_get_repository_scanning_configuration": {
        "scanningConfigurations": [
            {"repositoryName": "train/torch", "scanOnPush": True, "scanFrequency": "CONTINUOUS_SCAN"},
            {"repositoryName": "hub/serve", "scanOnPush": False, "scanFrequency": "MANUAL"},
        ]
    },
    "ecr:describe_pull_through_cache_rules": {
        "pullThroughCacheRules": [{"ecrRepositoryPrefix": "hub", "upstreamRegistryUrl": "quay.io"}]
    },
    "ecr:get_signing_configuration": {"registryId": ACCOUNT, "signingConfiguration": {"rules": RULES}},
    "ecr:describe_images": {
        "imageDetails": [{"imageDigest": DIGEST, "imageTags": ["latest"], "imagePushedAt": "2026-01-01T00:00:00Z"}]
    },
}


def test_repositories():
    seen = given(ecr.REPOSITORIES, answers=ANSWERS)
    torch, serve = seen.named("train/torch"), seen.named("hub/serve")
    assert torch.gaps == serve.gaps == {}
    assert torch.tags == {"Zone": "training"}
    assert dict(torch.facts) == {
        "store_type": "registry",
        "encrypted": True,
        "key_id": KEY,
        "policy_statements": [],
        "tag_mutability": "immutable_except",
        "tag_exceptions": ["dev*"],
        "upstream": "",
        "image_scanning": "continuous",
        "image_signing": "rule",
    }
    statements = serve.facts["policy_statements"]
    assert [s["principals"] for s in statements] == [["*"]]
    assert {k: v for k, v in serve.facts.items() if k != "policy_statements"} == {
        "store_type": "registry",
        "encrypted": True,
        "key_id": "",
        "tag_mutability": "mutable",
        "tag_exceptions": [],
        "upstream": "quay.io",
        "image_scanning": "manual",
        "image_signing": "none",
    }
    # what is the registry's is asked once, images only where no rule signs them
    assert [c.operation for c in seen.asked].count("get_signing_configuration") == 1
    assert [c.operation for c in seen.asked].count("describe_images") == 1


def test_without_signing_rules_images_are_looked_at_and_refusals_are_gaps():
    seen = given(ecr.REPOSITORIES, answers=ANSWERS | {"ecr:get_signing_configuration": "SigningConfigurationNotFoundException"})
    assert seen.named("train/torch").facts["image_signing"] == "none"
    seen = given(ecr.REPOSITORIES, answers=ANSWERS | {"ecr:get_signing_configuration": "AccessDeniedException"})
    torch = seen.named("train/torch")
    assert "image_signing" not in torch.facts
    assert torch.gaps["image_signing"].reason == "denied"
    assert torch.facts["image_scanning"] == "continuous"


def test_repositories_of_moto(boto, look):
    client = boto("ecr")
    client.create_repository(repositoryName="aa", imageScanningConfiguration={"scanOnPush": True}, imageTagMutability="IMMUTABLE")
    client.set_repository_policy(repositoryName="aa", policyText=policy({"AWS": f"arn:aws:iam::{ACCOUNT}:root"}))
    client.create_repository(repositoryName="bb", encryptionConfiguration={"encryptionType": "KMS", "kmsKey": KEY})
    told = {n: f for n, f in ecr.REPOSITORIES.facts.items() if n not in ("image_signing", "upstream")}  # moto knows neither
    seen = look(dataclasses.replace(ecr.REPOSITORIES, facts=told), ecr.REGISTRY_POLICIES)
    a, b = seen.named("aa"), seen.named("bb")
    assert (a.id, a.facts["image_scanning"], a.facts["tag_mutability"], a.facts["key_id"]) == (
        ARN + "aa",
        "on_push",
        "immutable",
        "",
    )
    assert (b.facts["key_id"], b.facts["policy_statements"], b.facts["image_scanning"]) == (KEY, [], "manual")
    (registry,) = (r for r in seen.resources if r.kind == "account")
    assert dict(registry.facts) == {"policy_statements": []}, "no policy is an answer"
    statement = {"Effect": "Allow", "Principal": "*", "Action": ["ecr:ReplicateImage"], "Resource": f"{ARN}*"}
    client.put_registry_policy(policyText=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))
    (registry,) = look(ecr.REGISTRY_POLICIES).resources
    assert registry.id == f"arn:aws:ecr:us-east-1:{ACCOUNT}:registry-policy"
    assert [s["principals"] for s in registry.facts["policy_statements"]] == [["*"]]


def test_public_repositories_are_asked_for_at_home():
    arn = f"arn:aws:ecr-public::{ACCOUNT}:repository/model"
    seen = given(
        ecr.PUBLIC_REPOSITORIES,
        answers={
            "ecr-public:describe_repositories": {"repositories": [{"repositoryArn": arn, "repositoryName": "model"}]},
            "ecr-public:list_tags_for_resource": {"tags": []},
        },
        regions=("eu-west-1", "us-east-1"),
    )
    (found,) = seen.resources
    assert (found.id, dict(found.facts)) == (arn, {"store_type": "registry", "shared_publicly": True})
    assert {c.region for c in seen.asked} == {"us-east-1"}


@pytest.mark.parametrize(
    ("name", "answer"), [("hub/a", "x"), ("hub", "x"), ("hubris/a", ""), ("hub/deep/a", "y"), ("other/a", ""), ("ROOT/a", "z")]
)
def test_upstream(name, answer):
    rules = [
        {"ecrRepositoryPrefix": prefix, "upstreamRegistryUrl": url}
        for prefix, url in (("hub", "x"), ("hub/deep", "y"), ("ROOT", "z"))
    ]
    assert ecr.upstream(name, rules) == answer
    assert ecr.upstream(name, None) == ""


@pytest.mark.parametrize(
    ("frequency", "on_push", "own", "answer"),
    [
        ("MANUAL", False, None, "manual"),
        ("MANUAL", True, None, "on_push"),
        # the repository's own setting is deprecated, but still one: https://github.com/prowler-cloud/prowler/issues/2228
        ("MANUAL", False, True, "on_push"),
        ("SCAN_ON_PUSH", True, False, "on_push"),
        ("CONTINUOUS_SCAN", False, False, "continuous"),
        (None, None, None, "manual"),
    ],
)
def test_scanning(frequency, on_push, own, answer):
    assert ecr.scanning(on_push, frequency, own) == answer


def test_a_frequency_that_is_not_known_is_no_answer():
    with pytest.raises(KeyError):
        ecr.scanning(True, "HOURLY")


def image(digest, *tags, pushed="2026-01-01", **more):
    return {"imageDigest": digest, "imageTags": list(tags), "imagePushedAt": pushed, **more}


NOTATION = {"artifactMediaType": "application/vnd.cncf.notary.signature"}


@pytest.mark.parametrize(
    ("images", "answer"),
    [
        ([], "empty"),
        ([image(DIGEST, "v1")], "none"),
        ([image(DIGEST, "v1"), image("sha256:s", f"sha256-{'a' * 64}.sig")], "image"),
        ([image(DIGEST, "v1"), image("sha256:s", subjectManifestDigest=DIGEST, **NOTATION)], "image"),
        # an SBOM that refers to the image signs nothing
        ([image(DIGEST, "v1"), image("sha256:s", subjectManifestDigest=DIGEST, artifactMediaType="application/spdx+json")], "none"),
        ([image(DIGEST, "v1"), image("sha256:s", f"sha256-{'b' * 64}.sig")], "none"),
        # the newest image counts, and an old signature is not its
        (
            [image(DIGEST, "v1"), image("sha256:n", "v2", pushed="2026-02-01"), image("sha256:s", f"sha256-{'a' * 64}.sig")],
            "none",
        ),
        # ... of those with a tag
        ([image(DIGEST, "v1"), image("sha256:n", pushed="2026-02-01"), image("sha256:s", f"sha256-{'a' * 64}.sig")], "image"),
    ],
)
def test_signing(images, answer):
    assert ecr.signing("serve", RULES, images) == answer
    assert ecr.signing("train/torch", RULES, images) == "rule"


def test_only_the_star_is_a_wildcard_of_filters():
    assert not ecr.covered("trail", [{"repositoryFilters": [{"filter": "tra[ij]l"}]}])
    assert not ecr.covered("trail", [{"repositoryFilters": [{"filter": "tra?l"}]}])
    assert ecr.covered("a/prod", [{"repositoryFilters": [{"filter": "x"}, {"filter": "*/prod"}]}])
    assert not ecr.covered("a", [{}])
    assert not ecr.covered("a", None)
