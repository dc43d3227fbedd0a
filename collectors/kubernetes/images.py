"""Image references, as container runtimes read them.

https://pkg.go.dev/github.com/distribution/reference
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.pods import Spec, raw_containers
from collectors.kubernetes.within import mapping, mappings
from collectors.table import MISSING
from scanner.model import frozen

PULL_DOCS = "https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting"
_TAG = re.compile(r"\w[\w.-]{0,127}")
_DIGEST = re.compile(r"[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}")
_PINNED = re.compile(r"sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}")
_DOMAIN = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?"
)
_PATH = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*")
_FLOATING = re.compile(r"(?:^|[._-])(?:latest|nightly)(?:$|[._-])")
DOCKER = "docker.io"
_DOCKER = frozenset({"index.docker.io", "registry-1.docker.io", "registry.hub.docker.com"})
LONGEST = 1024


@frozen
class Image:
    """A reference, with the defaults written out."""

    registry: str
    repository: str
    tag: str
    digest: str

    @property
    def pinned(self) -> bool:
        """It names its content."""
        return _PINNED.fullmatch(self.digest) is not None

    @property
    def floating(self) -> bool:
        """Its tag is made to be moved: none, `latest`, a nightly build."""
        return not self.digest and (not self.tag or _FLOATING.search(self.tag) is not None)


def parse(text: str) -> Image | None:
    """The parts of a reference; None where it is none (a template's parameter, a name in capitals).

    A colon before the last slash belongs to a port: `host:5000/repo` has no tag.
    """
    name, at, digest = text.strip()[:LONGEST].partition("@")
    if at and not _DIGEST.fullmatch(digest):
        return None
    head, slash, last = name.rpartition("/")
    last, colon, tag = last.partition(":")
    if colon and not _TAG.fullmatch(tag):
        return None
    registry, repository = _placed(f"{head}{slash}{last}")
    if not _DOMAIN.fullmatch(registry) or not _PATH.fullmatch(repository):
        return None
    # NOTE: a name without a dot is a registry by its capitals alone
    return Image(registry.lower() if {".", ":"} & {*registry} else registry, repository, tag, digest)


def _placed(name: str) -> tuple[str, str]:
    """(registry, repository): Docker Hub where no registry is named."""
    first, slash, rest = name.partition("/")
    named = slash and ("." in first or ":" in first or first == "localhost" or first != first.lower())
    registry, repository = (first, rest) if named else (DOCKER, name)
    registry = DOCKER if registry.lower() in _DOCKER else registry
    return registry, f"library/{repository}" if registry == DOCKER and "/" not in repository else repository


def pull_policy(written: Any, image: Image) -> str:
    """When the kubelet asks the registry: `Always` for `:latest` and for no tag, else `IfNotPresent`."""
    if written:
        return str(written)
    return "Always" if image.tag == "latest" or not (image.tag or image.digest) else "IfNotPresent"


def _written(spec: Spec) -> Iterator[tuple[str, str, Mapping[str, Any], str]]:
    """(name, type, where the policy stands, reference) of every image of a pod, those that are volumes as well.

    https://kubernetes.io/docs/concepts/storage/volumes/#image
    """
    for kind, raw in raw_containers(spec):
        yield str(raw.get("name", "")), kind, {"policy": raw.get("imagePullPolicy")}, str(raw.get("image") or "")
    for volume in mappings(spec.get("volumes")):
        if isinstance(volume.get("image"), dict):
            image = mapping(volume["image"])
            yield str(volume.get("name", "")), "volume", {"policy": image.get("pullPolicy")}, str(image.get("reference") or "")


def image_refs(spec: Spec) -> list[dict[str, Any]]:
    """The `image_refs` fact."""
    found = []
    for name, kind, where, text in _written(spec):
        image = parse(text)
        if image is not None:
            found.append(
                {
                    "container": name,
                    "type": kind,
                    "image": text.strip(),
                    "registry": image.registry,
                    "repository": image.repository,
                    "digest": image.pinned,
                    "floating": image.floating,
                    "policy": pull_policy(where["policy"], image),
                }
            )
    return found


def images_settled(spec: Spec) -> Any:
    """True where every image is written; not known where one is a template's parameter, or comes from elsewhere."""
    written = list(_written(spec))
    return True if written and all(parse(text) is not None for _, _, _, text in written) else MISSING
