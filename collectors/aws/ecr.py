"""Elastic Container Registry: repositories, the policy of the registry, and public repositories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.project import tag_list
from collectors.table import EVERY, Batch, Call, Const, Field, Side, Table

AT_REST = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/encryption-at-rest.html"
MUTABILITY = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/image-tag-mutability.html"
POLICIES = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-policies.html"
REGISTRY_POLICY = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/registry-permissions.html"
SCANNING = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/image-scanning.html"
SIGNING = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/managed-signing.html"
CACHES = "https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache.html"
PUBLIC = "https://docs.aws.amazon.com/AmazonECR/latest/public/what-is-ecr.html"

TAG_MUTABILITY = {
    "MUTABLE": "mutable",
    "IMMUTABLE": "immutable",
    "MUTABLE_WITH_EXCLUSION": "mutable_except",
    "IMMUTABLE_WITH_EXCLUSION": "immutable_except",
}
FREQUENCIES = {"SCAN_ON_PUSH": "on_push", "CONTINUOUS_SCAN": "continuous", "MANUAL": "manual"}
HOME = "'us-east-1'"
"""Public registries are asked there, whatever region they serve."""

Rules = Iterable[Mapping[str, Any]] | None


def upstream(name: str, rules: Rules) -> str:
    """The registry that a repository caches, empty for none; of several prefixes the longest counts."""
    found = {r["ecrRepositoryPrefix"]: r["upstreamRegistryUrl"] for r in rules or []}
    # NOTE: under the prefix ROOT only what the cache itself made is one, which nothing here tells; so it is none
    fits = [p for p in found if name == p or name.startswith(f"{p}/")]
    return str(found[max(fits, key=len)]) if fits else ""


def scanning(on_push: bool | None, frequency: str | None, own: bool | None = None) -> str:  # noqa: FBT001 - the answer's own type
    """What registry and repository come to together; `own` is the repository's old setting. KeyError for an unknown frequency."""
    told = FREQUENCIES[frequency or "MANUAL"]
    return "on_push" if told == "manual" and (on_push or own) else told


def covered(name: str, rules: Rules) -> bool:
    """Some rule of the registry signs what is pushed to the repository."""
    return any(fnmatchcase(name, _pattern(f["filter"])) for r in rules or [] for f in r.get("repositoryFilters") or [])


def _pattern(text: str) -> str:
    """Only `*` is a wildcard there."""
    return text.replace("[", "[[]").replace("?", "[?]")


def signing(name: str, rules: Rules, images: Iterable[Mapping[str, Any]] | None) -> str:
    """How the images of a repository are signed; of several images the newest with a tag of its own counts."""
    if covered(name, rules):
        return "rule"
    found = list(images or [])
    signed = {s for i in found for s in _signs(i)}
    plain = [i for i in found if not _is_signature(i)]
    if not plain:
        return "empty"
    newest = max(plain, key=lambda i: (bool(i.get("imageTags")), str(i.get("imagePushedAt") or "")))
    return "image" if newest["imageDigest"] in signed else "none"


def _is_signature(image: Mapping[str, Any]) -> bool:
    tags = image.get("imageTags") or []
    return bool(image.get("subjectManifestDigest")) or any(t.startswith("sha256-") for t in tags)


def _signs(image: Mapping[str, Any]) -> list[str]:
    """Digests that an image of the repository is a signature of.

    Notation and new versions of cosign refer to their subject, old ones name it in a tag: `sha256-DIGEST.sig`. What else refers to
    an image (SBOMs, attestations) signs nothing.
    """
    kind = f"{image.get('artifactMediaType')} {image.get('imageManifestMediaType')}".lower()
    subject = image.get("subjectManifestDigest")
    by_tag = [f"sha256:{t[7:-4]}" for t in image.get("imageTags") or [] if t.startswith("sha256-") and t.endswith(".sig")]
    return by_tag + ([str(subject)] if subject and ("signature" in kind or "sigstore" in kind or "cosign" in kind) else [])


def unsigned(row: Mapping[str, Any]) -> bool:
    """No rule of the registry signs its images, so that they have to be looked at."""
    return not covered(row["item"]["repositoryName"], row.get("rules"))


REPOSITORIES = Table(
    kind="data_store",
    native_type="AWS::ECR::Repository",
    list=Call("ecr", "describe_repositories", take="repositories"),
    id=Field("item.repositoryArn"),
    name=Field("item.repositoryName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "tags": Call("ecr", "list_tags_for_resource", args={"resourceArn": "item.repositoryArn"}, take="tags"),
        "policy": Call(
            "ecr",
            "get_repository_policy",
            args={"repositoryName": "item.repositoryName"},
            take="policyText",
            means={"RepositoryPolicyNotFoundException": None},
        ),
        "scanning": Batch(
            Call("ecr", "batch_get_repository_scanning_configuration", take="scanningConfigurations"),
            parameter="repositoryNames",
            on="item.repositoryName",
            key="repositoryName",
            size=25,
        ),
        # an endpoint that does not know the question has no such caches
        "caches": Side(
            Call("ecr", "describe_pull_through_cache_rules", take="pullThroughCacheRules", means={"UnknownOperationException": []}),
            on=EVERY,
            key=EVERY,
        ),
        "rules": Side(
            Call(
                "ecr",
                "get_signing_configuration",
                take="signingConfiguration.rules",
                means={"SigningConfigurationNotFoundException": []},
            ),
            on=EVERY,
            key=EVERY,
        ),
        "images": Call(
            "ecr",
            "describe_images",
            args={"repositoryName": "item.repositoryName"},
            take="imageDetails",
            when=unsigned,
            needs=("rules",),
        ),
    },
    facts={
        "store_type": Const("registry"),
        "encrypted": Field("item.repositoryName", lambda _: True, source=AT_REST),
        # NOTE: with KMS and no key of one's own the answer names the provider's
        "key_id": arn.key("item.encryptionConfiguration.kmsKey", source=AT_REST),
        "policy_statements": Field("policy", statements, absent=[], source=POLICIES),
        "tag_mutability": Field("item.imageTagMutability", TAG_MUTABILITY, absent="mutable", source=MUTABILITY),
        "tag_exceptions": Field("item.imageTagMutabilityExclusionFilters[].filter", sorted, absent=[], source=MUTABILITY),
        "upstream": Field(("item.repositoryName", "caches"), upstream, source=CACHES),
        "image_scanning": Field(
            ("scanning.scanOnPush", "scanning.scanFrequency", "item.imageScanningConfiguration.scanOnPush"),
            scanning,
            source=SCANNING,
        ),
        "image_signing": Field(("item.repositoryName", "rules", "images"), signing, source=SIGNING),
    },
)

REGISTRY_POLICIES = Table(
    kind="account",
    native_type="AWS::ECR::RegistryPolicy",
    list=Call("ecr", "get_registry_policy", means={"RegistryPolicyNotFoundException": {"policyText": ""}}),
    id=Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:ecr:{region}:{account}:registry-policy"),
    name=Field(arn.REGION),
    facts={"policy_statements": Field("item.policyText", statements, absent=[], source=REGISTRY_POLICY)},
)

PUBLIC_REPOSITORIES = Table(
    kind="data_store",
    native_type="AWS::ECR::PublicRepository",
    list=Call("ecr-public", "describe_repositories", take="repositories", region=HOME),
    per="account",
    id=Field("item.repositoryArn"),
    name=Field("item.repositoryName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "tags": Call("ecr-public", "list_tags_for_resource", args={"resourceArn": "item.repositoryArn"}, take="tags", region=HOME)
    },
    facts={
        "store_type": Const("registry"),
        # what it is for: https://docs.aws.amazon.com/AmazonECR/latest/public/public-repositories.html
        "shared_publicly": Field("item.repositoryName", lambda _: True, source=PUBLIC),
    },
)

TABLES: tuple[Table, ...] = (REPOSITORIES, REGISTRY_POLICIES, PUBLIC_REPOSITORIES)
