"""What pods refer to that proves who they are: Secrets by key, pull secrets, projected tokens, clouds. Names only; values are never read."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collectors.kubernetes.kept import Kept
from collectors.kubernetes.kept.supply import CREDENTIAL_FILES
from collectors.kubernetes.marks import TEMPLATE
from collectors.kubernetes.pods import Spec, raw_containers
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING

TOKEN_DOCS = "https://kubernetes.io/docs/concepts/storage/projected-volumes/#serviceaccounttoken"  # noqa: S105 - an address
CLOUD_KEYS = frozenset(
    {
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_KEY",
        "AZURE_CLIENT_SECRET",
        "ARM_CLIENT_SECRET",
        "AZURE_STORAGE_KEY",
    }
    | {"AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_CONNECTION_STRING", "AZURESTORAGEACCOUNTKEY", "AZURE_ACCOUNT_KEY"}
    | {"GOOGLE_CREDENTIALS", "GOOGLE_APPLICATION_CREDENTIALS_JSON", "GCP_SERVICE_ACCOUNT_KEY", "GCP_SA_KEY"}
    | {
        "KEY_JSON",
        "CREDENTIALS_JSON",
        "SERVICE_ACCOUNT_JSON",
        "SERVICE_ACCOUNT_KEY_JSON",
        "GCP_KEY_JSON",
        "SA_JSON",
        "USER_GCP_SA_JSON",
    }
)
"""Names of static keys of clouds, in capitals and with `_`, as keys of Secrets and as variables."""
AZURE_FILE = "azure-file"
_HUMP = re.compile(r"[.\-/ ]")
CSI_CLOUDS: Mapping[str, str] = {"s3.csi.aws.com": "aws", "gcsfuse.csi.storage.gke.io": "gcp"}
"""CSI drivers of inline volumes that may act as the pod.
https://github.com/awslabs/mountpoint-s3-csi-driver/blob/main/docs/CONFIGURATION.md"""
INJECTED: Mapping[str, str] = {
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "aws",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "aws",
    "AZURE_FEDERATED_TOKEN_FILE": "azure",
}
"""Variables that the webhooks of workload identities put into a pod.
https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html"""


def cloud_key(name: str) -> bool:
    """Whether a key of a Secret, or a variable, is called like a static key of a cloud."""
    return _HUMP.sub("_", name).upper() in CLOUD_KEYS


# ---- keys of Secrets


def secret_keys(spec: Spec) -> list[dict[str, str]]:
    """The `secret_keys` fact: which keys of which Secrets a pod takes, and how."""
    found = [*_by_variable(spec), *_by_volume(spec)]
    return [dict(e) for e in sorted({tuple(sorted(entry.items())) for entry in found})]


def _entry(container: str, secret: Any, key: Any, variable: Any, how: str) -> dict[str, str]:
    return {"container": container, "secret": str(secret or ""), "key": str(key or ""), "variable": str(variable or ""), "how": how}


def _by_variable(spec: Spec) -> Iterator[dict[str, str]]:
    for _, raw in raw_containers(spec):
        name = str(raw.get("name", ""))
        for entry in mappings(raw.get("env")):
            reference = mapping(entry.get("valueFrom")).get("secretKeyRef")
            if isinstance(reference, dict):
                yield _entry(name, reference.get("name"), reference.get("key"), entry.get("name"), "variable")
        for source in mappings(raw.get("envFrom")):
            if isinstance(source.get("secretRef"), dict):
                yield _entry(name, source["secretRef"].get("name"), "", "", "variables")


def _by_volume(spec: Spec) -> Iterator[dict[str, str]]:
    for volume in mappings(spec.get("volumes")):
        sources = [mapping(s.get("secret")) for s in mappings(mapping(volume.get("projected")).get("sources"))]
        for source in [mapping(volume.get("secret")), *sources]:
            secret = source.get("secretName") or source.get("name")
            if secret:
                items = mappings(source.get("items"))
                for item in items or [{}]:
                    yield _entry("", secret, item.get("key"), "", "file")
        csi = mapping(volume.get("csi"))
        in_csi = csi.get("driver") == "file.csi.azure.com" and mapping(csi.get("volumeAttributes")).get("secretName")
        shared = mapping(volume.get("azureFile")).get("secretName") or in_csi
        if shared:
            # NOTE: Azure Files over SMB takes the account's key by design, under this name
            yield _entry("", shared, "azurestorageaccountkey", "", AZURE_FILE)


def cloud_key_refs(spec: Spec) -> list[dict[str, str]]:
    """The `cloud_key_refs` fact: those of them that are static keys of a cloud."""
    files = [_entry(container, secret, "", variable, "file") for container, secret, variable in _key_files(spec)]
    named = [e for e in secret_keys(spec) if cloud_key(e["key"]) or cloud_key(e["variable"])]
    return [dict(e) for e in sorted({tuple(sorted(entry.items())) for entry in (*named, *files)})]


def _key_files(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """(container, Secret, variable) where a variable names a file of a mounted Secret: velero, thanos and the like."""
    secrets = {str(v.get("name")): str(mapping(v.get("secret")).get("secretName") or "") for v in mappings(spec.get("volumes"))}
    for _, raw in raw_containers(spec):
        mounts = {posixpath.normpath(str(m.get("mountPath") or "/")): str(m.get("name")) for m in mappings(raw.get("volumeMounts"))}
        for entry in mappings(raw.get("env")):
            path = str(entry.get("value") or "")
            if entry.get("name") in CREDENTIAL_FILES and path.startswith("/"):
                place = next(
                    (p for p in sorted(mounts, key=len, reverse=True) if path == p or path.startswith(f"{p.rstrip('/')}/")), ""
                )
                secret = secrets.get(mounts.get(place, ""), "")
                if secret:
                    yield str(raw.get("name", "")), secret, str(entry["name"])


def secret_keys_settled(spec: Spec) -> Any:
    """True where every Secret is taken by the names of its keys; not known where all of one are taken: its keys are not read."""
    taken = {(e["container"], e["secret"]) for e in secret_keys(spec) if not e["key"]}
    known = {secret for _, secret, _ in _key_files(spec)}
    return MISSING if any(secret not in known for _, secret in taken) else True


# ---- projected tokens


def literals_settled(spec: Spec) -> Any:
    """True where no variable called like a credential waits for a template (`${HF_TOKEN}`, which envsubst or Flux fills in)."""
    values = (entry.get("value") for _, raw in raw_containers(spec) for entry in mappings(raw.get("env")))
    return MISSING if TEMPLATE in values else True


def projected_tokens(spec: Spec) -> list[dict[str, Any]]:
    """The `projected_tokens` fact. A token lives an hour where nothing is said."""
    mounts = [m for _, c in raw_containers(spec) for m in mappings(c.get("volumeMounts"))]
    found = []
    for volume in mappings(spec.get("volumes")):
        for source in mappings(mapping(volume.get("projected")).get("sources")):
            token = source.get("serviceAccountToken")
            if not isinstance(token, dict):
                continue
            name, path = str(volume.get("name", "")), str(token.get("path") or "")
            places = sorted({posixpath.join(str(m.get("mountPath") or "/"), path) for m in mounts if m.get("name") == name})
            seconds = token.get("expirationSeconds")
            if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int)):
                raise TypeError("expirationSeconds is not a number")
            found.append(
                {
                    "volume": name,
                    "paths": places,
                    "audience": str(token.get("audience") or ""),
                    "seconds": 3600 if seconds is None else seconds,
                }
            )
    return found


# ---- clouds


def kept(container: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was noted of a container before it was redacted."""
    found = container.get("kept")
    return found if isinstance(found, Kept) else {}


def cloud_uses(spec: Spec) -> list[dict[str, str]]:
    """The `cloud_uses` fact: which clouds a pod's arguments, variables and volumes speak of."""
    found = {
        (str(raw.get("name", "")), cloud, how) for _, raw in raw_containers(spec) for cloud, how in kept(raw).get("clouds", ())
    }
    for volume in mappings(spec.get("volumes")):
        driver = str(mapping(volume.get("csi")).get("driver") or "")
        if driver in CSI_CLOUDS:
            found.add(("", CSI_CLOUDS[driver], driver))
    return [{"container": c, "cloud": cloud, "how": how} for c, cloud, how in sorted(found)]


def injected_identity(spec: Spec) -> list[str]:
    """The `injected_identity` fact: clouds whose workload identity stands in the pod spec itself."""
    names = {str(e.get("name")) for _, raw in raw_containers(spec) for e in mappings(raw.get("env"))}
    return sorted({cloud for name, cloud in INJECTED.items() if name in names})


def account_pull_secrets(item: Mapping[str, Any]) -> list[str]:
    """The pull secrets of a service account."""
    return sorted({str(mapping(s).get("name")) for s in sequence(item.get("imagePullSecrets")) if mapping(s).get("name")})


_FORMS: Sequence[tuple[str, str, re.Pattern[str]]] = (
    ("eks.amazonaws.com/role-arn", "aws", re.compile(r"arn:aws[a-z-]*:iam::\d{12}:role/.+")),
    ("iam.gke.io/gcp-service-account", "gcp", re.compile(r"[a-z0-9-]+@[a-z0-9.:-]+\.iam\.gserviceaccount\.com")),
    ("azure.workload.identity/client-id", "azure", re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")),
)
"""(annotation, cloud, how its value looks)."""


def identity_form(item: Mapping[str, Any]) -> dict[str, bool]:
    """Cloud → whether the annotation that binds an account to an identity of it is well formed; clouds without one are not in it."""
    notes = mapping(mapping(item.get("metadata")).get("annotations"))
    return {cloud: form.fullmatch(str(notes[name])) is not None for name, cloud, form in _FORMS if notes.get(name)}
