"""From a pod spec to the facts of its containers.

Every default here is the API's own: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Any

from collectors.kubernetes.marks import CLOUD, HUB, SECRET
from collectors.kubernetes.within import elements, mapping, mappings, number, one_of, part, sequence, switch, texts
from collectors.table import MISSING

Spec = Mapping[str, Any]

LISTS = (("container", "containers"), ("init", "initContainers"), ("ephemeral", "ephemeralContainers"))
ACCELERATOR = re.compile(
    r"nvidia\.com/(?:gpu|pgpu|vgpu|mig-|[A-Z])|amd\.com/gpu|google\.com/tpu|aws\.amazon\.com/neuron|habana\.ai/gaudi|gpu\.intel\.com/"
)
"""Extended resources that are accelerators; other `nvidia.com/…` resources are network devices of the Network Operator."""
RDMA = re.compile(
    r"rdma/|[^/]*/[^/]*rdma|nvidia\.com/(?!gpu|pgpu|vgpu|mig-|[A-Z])|mellanox\.com/|openshift\.io/|vpc\.amazonaws\.com/efa$"
)
NO_FABRIC = re.compile(r"(?:[^/]*\.)?kubernetes\.io/|vpc\.amazonaws\.com/|smarter-devices/|devices\.kubevirt\.io/|.*/fuse")
"""Extended resources that surely are no network devices."""
NETWORKS = "k8s.v1.cni.cncf.io/networks"
PROFILES = frozenset({"RuntimeDefault", "Localhost", "Unconfined"})
"""Of seccomp and of AppArmor."""
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"


def requested(*resources: Any) -> set[str]:
    """Names in limits and requests with a quantity other than zero."""
    found: set[str] = set()
    for entry in resources:
        for kind in ("limits", "requests"):
            found |= {str(k) for k, v in mapping(mapping(entry).get(kind)).items() if str(v) not in ("0", "", "None")}
    return found


def raw_containers(spec: Spec) -> list[tuple[str, Mapping[str, Any]]]:
    """(type, container) of all three lists. Raises TypeError where a list is none, or an element is no container."""
    found = []
    for kind, key in LISTS:
        value = spec.get(key)
        if value is not None and not isinstance(value, list):
            raise TypeError(f"{key} is not a list")
        for container in value or []:
            if not isinstance(container, Mapping):
                raise TypeError(f"{key} holds something that is no container")
            found.append((kind, container))
    return found


def containers(spec: Spec, meta: Mapping[str, Any] | None) -> Any:
    """The `containers` fact."""
    notes = mapping(mapping(meta).get("annotations"))
    found = [container(kind, raw, spec, notes) for kind, raw in raw_containers(spec)]
    return found or MISSING  # NOTE: a pod without containers does not exist: the template is filled in elsewhere


def container(kind: str, raw: Mapping[str, Any], spec: Spec, notes: Mapping[str, Any]) -> dict[str, Any]:
    """One container with the pod's settings inherited and the defaults written out. Raises ValueError where a setting is of no use."""
    own, pod = part(raw.get("securityContext"), "securityContext"), part(spec.get("securityContext"), "securityContext")
    caps = part(own.get("capabilities"), "capabilities")
    selinux = part(own.get("seLinuxOptions"), "seLinuxOptions") or part(pod.get("seLinuxOptions"), "seLinuxOptions")
    names = requested(part(raw.get("resources"), "resources"))
    limits, requests = (requested({part: mapping(raw.get("resources")).get(part)}) for part in ("limits", "requests"))
    shared = mapping(
        spec.get("resources")
    )  # pod-level resources, https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
    pod_limits, pod_requests = (requested({part: shared.get(part)}) for part in ("limits", "requests"))
    elements(raw.get("env"), "env")
    seccomp = part(own.get("seccompProfile") or pod.get("seccompProfile"), "seccompProfile")
    return {
        "name": str(raw.get("name", "")),
        "type": kind,
        "image": str(raw.get("image") or ""),
        "privileged": switch(own.get("privileged"), "privileged") is True or _host_process(own, pod),
        "allow_privilege_escalation": switch(own.get("allowPrivilegeEscalation"), "allowPrivilegeEscalation") is not False,
        "cap_add": _capabilities(caps.get("add")),
        "cap_drop": [str(n) for n in sequence(caps.get("drop"))],  # as written: to a runtime CAP_ALL is not ALL
        "run_as_non_root": switch(_inherited(own, pod, "runAsNonRoot"), "runAsNonRoot") is True,
        "run_as_user": number(_inherited(own, pod, "runAsUser"), "runAsUser"),
        "seccomp": one_of(seccomp.get("type"), PROFILES, "seccompProfile.type"),
        "apparmor": _apparmor(str(raw.get("name", "")), own, pod, notes),
        "selinux_type": str(selinux.get("type") or ""),
        "selinux_user": str(selinux.get("user") or ""),
        "selinux_role": str(selinux.get("role") or ""),
        "read_only_root": switch(own.get("readOnlyRootFilesystem"), "readOnlyRootFilesystem") is True,
        "proc_mount": str(own.get("procMount") or "Default"),
        "host_ports": _host_ports(raw),
        "accelerator": any(ACCELERATOR.match(n) for n in names),
        "rdma": _rdma(kind, raw, spec),
        "claims": bool(sequence(mapping(raw.get("resources")).get("claims"))),
        "cpu_limit": "cpu" in limits | pod_limits,
        "memory_limit": "memory" in limits | pod_limits,
        # NOTE: a request that is not written is the limit
        "cpu_request": "cpu" in limits | requests | pod_limits | pod_requests,
        **_literals(raw),
        "probe_hosts": _probe_hosts(raw),
        "args": [str(a)[:2000] for a in (*_words(raw.get("command")), *_words(raw.get("args")))],
    }


def _rdma(kind: str, raw: Mapping[str, Any], spec: Spec) -> bool | None:
    """Whether a container asks for RDMA devices: None where a claim or a resource of a name of its own may be one.

    Init and ephemeral containers share what the pod's others ask for.
    """
    asking = [raw] if kind == "container" else [c for _, c in raw_containers(spec)]
    names = requested(*(c.get("resources") for c in asking))
    if any(RDMA.match(n) for n in names):
        return True
    claims = any(sequence(mapping(c.get("resources")).get("claims")) for c in asking)
    foreign = any("/" in n and not ACCELERATOR.match(n) and not NO_FABRIC.match(n) for n in names)
    return None if claims or foreign else False


def rdma_settled(spec: Spec) -> Any:
    """True where it is known of every container that adds IPC_LOCK whether it asks for RDMA devices."""
    for kind, raw in raw_containers(spec):
        added = _capabilities(mapping(mapping(raw.get("securityContext")).get("capabilities")).get("add"))
        if "IPC_LOCK" in added and _rdma(kind, raw, spec) is None:
            return MISSING
    return True


def service_account(spec: Spec) -> Any:
    """Name of the service account; the second spelling is the deprecated one."""
    return spec.get("serviceAccountName") or spec.get("serviceAccount") or "default"


def _inherited(own: Mapping[str, Any], pod: Mapping[str, Any], key: str) -> Any:
    return own[key] if own.get(key) is not None else pod.get(key)


def _host_process(own: Mapping[str, Any], pod: Mapping[str, Any]) -> bool:
    mine, its = (part(context.get("windowsOptions"), "windowsOptions") for context in (own, pod))
    return switch(_inherited(mine, its, "hostProcess"), "hostProcess") is True


def _host_ports(raw: Mapping[str, Any]) -> list[int]:
    ports = (number(p.get("hostPort"), "hostPort") for p in elements(raw.get("ports"), "ports"))
    return [p for p in ports if p]


def _capabilities(names: Any) -> list[str]:
    return [n.removeprefix("CAP_") for n in texts(names, "capabilities.add")]


def _apparmor(name: str, own: Mapping[str, Any], pod: Mapping[str, Any], notes: Mapping[str, Any]) -> str:
    """`RuntimeDefault`, `Localhost`, `Unconfined`, or empty where the container has no profile of its own."""
    profile = part(own.get("appArmorProfile") or pod.get("appArmorProfile"), "appArmorProfile").get("type")
    if profile:
        return one_of(profile, PROFILES, "appArmorProfile.type")
    old = str(notes.get(APPARMOR + name) or "")  # https://kubernetes.io/docs/tutorials/security/apparmor/
    known = {"runtime/default": "RuntimeDefault", "unconfined": "Unconfined", "": ""}
    if old not in known and not old.startswith("localhost/"):
        raise ValueError("an AppArmor annotation that names no profile")
    return known.get(old, "Localhost")


def _words(value: Any) -> Sequence[Any]:
    return [value] if isinstance(value, str) else sequence(value)


def _literals(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Where the container holds credentials as literal text: names of variables, or `args[2]`. The values are gone by now."""
    marks: dict[str, str] = {}
    devices = ""
    for entry in mappings(raw.get("env")):
        name, value = str(entry.get("name", "")), entry.get("value")
        if isinstance(value, str) and value in (CLOUD, HUB, SECRET):
            marks[name] = value
        if name == "NVIDIA_VISIBLE_DEVICES" and isinstance(value, str):
            devices = value
    for key in ("command", "args", "source", "runtimeEnvYAML", "serveConfigV2", "entrypoint"):
        for index, word in enumerate(_words(raw.get(key))):
            mark = next((m for m in (CLOUD, HUB, SECRET) if m in str(word)), "")
            if mark:
                marks[f"{key}[{index}]"] = mark
    return {
        "secret_env": sorted(marks),
        "cloud_keys": sorted(n for n, m in marks.items() if m == CLOUD),
        "hub_tokens": sorted(n for n, m in marks.items() if m == HUB),
        "visible_devices": devices,
    }


def _probe_hosts(raw: Mapping[str, Any]) -> list[str]:
    lifecycle = mapping(raw.get("lifecycle"))
    handlers = [raw.get(k) for k in ("livenessProbe", "readinessProbe", "startupProbe")] + [
        lifecycle.get(k) for k in ("postStart", "preStop")
    ]
    hosts = [mapping(mapping(h).get(how)).get("host") for h in handlers for how in ("httpGet", "tcpSocket")]
    return sorted({str(h) for h in hosts if h})


def any_device(spec: Spec, pattern: re.Pattern[str]) -> Any:
    """Whether some container asks for a device of a class; not known where only a claim says of which."""
    found = [mapping(raw.get("resources")) for _, raw in raw_containers(spec)]
    if not found:
        return MISSING
    if any(pattern.match(name) for resources in found for name in requested(resources)):
        return True
    claims = sequence(spec.get("resourceClaims")) or any(sequence(resources.get("claims")) for resources in found)
    return MISSING if claims else False


def host_paths(spec: Spec) -> list[dict[str, Any]]:
    """The `host_paths` fact: `..`, `//` and trailing `/` resolved; read-only where every mount of the volume is."""
    mounts = [m for _, c in raw_containers(spec) for m in mappings(c.get("volumeMounts"))]
    found = []
    for volume in elements(spec.get("volumes"), "volumes"):
        if volume.get("hostPath") is None:
            continue
        name = str(volume.get("name", ""))
        uses = [m.get("readOnly") is True for m in mounts if m.get("name") == name]
        path = posixpath.normpath("/" + str(mapping(volume["hostPath"]).get("path") or "/")).replace("//", "/")
        found.append({"path": path, "read_only": bool(uses) and all(uses), "volume": name})
    return found


def secret_refs(spec: Spec) -> list[str]:
    """Names of the Secrets that volumes and variables refer to."""
    names: list[Any] = []
    for volume in mappings(spec.get("volumes")):
        names.append(mapping(volume.get("secret")).get("secretName"))
        names += [mapping(s.get("secret")).get("name") for s in mappings(mapping(volume.get("projected")).get("sources"))]
        names.append(mapping(mapping(volume.get("csi")).get("nodePublishSecretRef")).get("name"))
    for _, raw in raw_containers(spec):
        names += [mapping(mapping(e.get("valueFrom")).get("secretKeyRef")).get("name") for e in mappings(raw.get("env"))]
        names += [mapping(e.get("secretRef")).get("name") for e in mappings(raw.get("envFrom"))]
    return sorted({str(n) for n in names if n})


def projects_token(spec: Spec) -> bool:
    """Whether a volume projects a token for the API server itself: no audience is named, or the one of the server."""
    sources = [s for v in mappings(spec.get("volumes")) for s in mappings(mapping(v.get("projected")).get("sources"))]
    return any(_for_the_server(s.get("serviceAccountToken")) for s in sources)


def _for_the_server(token: Any) -> bool:
    """An issuer is the server's audience unless `--api-audiences` says otherwise; in clusters of one's own it is called so."""
    audience = str(mapping(token).get("audience") or "")
    return isinstance(token, dict) and (not audience or "kubernetes.default.svc" in audience)


def networks(meta: Mapping[str, Any] | None) -> list[str]:
    """Secondary networks (Multus), as `namespace/name` or `name`.

    https://github.com/k8snetworkplumbingwg/multi-net-spec
    """
    value = mapping(mapping(meta).get("annotations")).get(NETWORKS)
    if not isinstance(value, str) or not value.strip():
        return []
    if not value.lstrip().startswith("["):
        return [n.strip().partition("@")[0] for n in value.split(",") if n.strip()]
    try:
        entries = mappings(json.loads(value))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    names = [(str(n.get("namespace") or ""), str(n.get("name", ""))) for n in entries]
    return [f"{ns}/{name}" if ns else name for ns, name in names]


DEBUGGING = "ephemeral container"
"""What a pod has that no template can have."""


def hazards(spec: Spec) -> frozenset[str]:
    """What a pod spec asks of the host, as a set: a pod that asks for more than its owner's template was changed on the way."""
    found = {key for key in ("hostPID", "hostIPC", "hostNetwork") if spec.get(key) is True}
    try:
        found |= {f"hostPath {v['path']}" for v in host_paths(spec)}
        pod = part(spec.get("securityContext"), "securityContext")
        for kind, raw in raw_containers(spec):
            if kind == "ephemeral":
                found.add(f"{DEBUGGING} {raw.get('name')}")
                continue
            own = part(raw.get("securityContext"), "securityContext")
            found |= {f"capability {c}" for c in _capabilities(part(own.get("capabilities"), "capabilities").get("add"))}
            if switch(own.get("privileged"), "privileged") is True or _host_process(own, pod):
                found.add("privileged")
            if spec.get("hostNetwork") is not True:  # the API server copies the ports of a pod on the host's network
                found |= {f"hostPort {p}" for p in _host_ports(raw)}
    except (TypeError, ValueError):
        found.add("unreadable")
    return frozenset(found)
