"""What is noted of containers and runtime environments before they are redacted: classes, names of tools, references to models.

Everything here reads what may hold secrets. What it gives back are words of its own, and references that have the shape of a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collectors.kubernetes import installs, models
from collectors.kubernetes.images import parse
from collectors.kubernetes.kept import Kept
from collectors.kubernetes.models import Server
from collectors.kubernetes.shell import MOST, MOST_COMMANDS, Command, commands, open_ended, variables
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.kubernetes.yamldoc import Bounds, Document, documents

STARTS = ("args", "env", "envFrom", "source", "entrypoint", "envVars", "runtimeEnvYAML", "serveConfigV2")
_STARTS = frozenset(STARTS)
BOUNDS = Bounds(depth=20, nodes=20_000)
"""Of YAML that stands in a text."""
_HINTS = (
    *(
        "://",
        "core.windows.net",
        "model",
        "tokenizer",
        "nim/",
        "llama",
        "ollama",
        "vllm",
        "sglang",
        "text-",
        "triton",
        "torchserve",
    ),
    *(
        "sklearnserver",
        "huggingface",
        "hf",
        "pip",
        "uv",
        "apt",
        "yum",
        "dnf",
        "zypper",
        "apk",
        "conda",
        "mamba",
        "pm",
        "npx",
        "gem",
        "go",
    ),
    *("cargo", "curl", "wget", "$", "source", "sh", "\n. ", "trust", "torch_force"),
)
"""Without one of these nothing can be told: most containers have none."""
_CLOUDS: Sequence[tuple[re.Pattern[str], str, str]] = (
    (re.compile(r"(?<![\w+.-])s3a?://", re.IGNORECASE), "aws", "s3://"),
    (re.compile(r"(?<![\w+.-])gs://", re.IGNORECASE), "gcp", "gs://"),
    (re.compile(r"(?<![\w+.-])(?:abfss?|wasbs?)://", re.IGNORECASE), "azure", "abfs://"),
    (re.compile(r"https://[\w-]{3,63}\.(?:blob|dfs|file)\.core\.windows\.net", re.IGNORECASE), "azure", "blob.core.windows.net"),
)
_TRUSTING = re.compile(r"trust_remote_code[\"']?[ \t]{0,8}[=:][ \t]{0,8}[Tt]rue\b")
"""In a program or a mapping on the command line: `LLM(model, trust_remote_code=True)`."""
_OTHER_S3 = frozenset(
    {"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "S3_ENDPOINT", "S3_ENDPOINT_URL", "AWS_S3_ENDPOINT", "MLFLOW_S3_ENDPOINT_URL"}
    | {"MINIO_ENDPOINT", "S3_HOST", "AWS_S3_ENDPOINT_URL", "BUCKET_ENDPOINT"}
)
"""Variables that name an object store; where it is none of AWS, `s3://` means no cloud."""
_OTHER_S3_FLAG = re.compile(r"--(?:s3[-_.])?endpoint(?:[-_]url)?(?:=(.*))?", re.DOTALL)


def noted(node: Mapping[str, Any]) -> Kept | None:
    """What is kept of a mapping that starts something, empty for nothing; None of any other."""
    if _STARTS.isdisjoint(node) and not ("command" in node and ("image" in node or "name" in node)):
        return None
    if "image" in node and not isinstance(node["image"], str):
        return None
    env = variables(node)
    text = _text(node, env)
    lowered = text.lower()
    yaml = [node[key] for key in ("runtimeEnvYAML", "serveConfigV2") if isinstance(node.get(key), str)]
    if not yaml and not any(hint in lowered for hint in _HINTS):
        return Kept()
    lines = commands(node, env)
    image = parse(str(node.get("image") or ""))
    found = Kept(
        clouds=sorted(_clouds(text, lines, env)),
        installs=installs.found(lines),
        installs_unseen=installs.unseen(lines),
        **_models(node, lines, env, f"{image.registry}/{image.repository}" if image else "", image.tag if image else ""),
    )
    if _TRUSTING.search(text) and "trust_remote_code" not in found["remote_code"]:
        found["remote_code"].append("trust_remote_code")
    for config in yaml:
        _add(found, config)
    if len(lines) == MOST_COMMANDS or _cut(node):  # what stands behind it may do anything
        found |= {key: True for key in found if key.endswith("_unseen")}
    return found if any(found.values()) else Kept()


def _text(node: Mapping[str, Any], env: Mapping[str, str | None]) -> str:
    """Everything that may tell something, a line each."""
    found = [f"{name}={(value or '')[:MOST]}" for name, value in env.items()]
    for key in ("image", "command", "args", *STARTS[3:]):
        value = node.get(key)
        found += [str(word)[:MOST] for word in (value if isinstance(value, list) else [value or ""])]
    return "\n".join(found)


def _cut(node: Mapping[str, Any]) -> bool:
    """Whether a part of a command line is too long to be read to its end."""
    values = [node.get(key) for key in ("command", "args", "source", "entrypoint")]
    return any(len(str(word)) > MOST for value in values for word in (value if isinstance(value, list) else [value or ""]))


def _clouds(text: str, lines: Sequence[Command], env: Mapping[str, str | None]) -> set[tuple[str, str]]:
    found = {(cloud, how) for pattern, cloud, how in _CLOUDS if pattern.search(text)}
    return {(cloud, how) for cloud, how in found if cloud != "aws"} if _own_store(lines, env) else found


def _own_store(lines: Sequence[Command], env: Mapping[str, str | None]) -> bool:
    """Whether `s3://` is another object store than that of AWS, or may be."""
    if any(name in env and ".amazonaws.com" not in (env[name] or "") for name in _OTHER_S3):
        return True
    for line in lines:
        for word, following in zip(line.words, [*line.words[1:], ""], strict=True):
            flag = _OTHER_S3_FLAG.fullmatch(word)
            if flag and ".amazonaws.com" not in (flag.group(1) or following):
                return True
    return False


# ---- models


def _models(
    node: Mapping[str, Any], lines: Sequence[Command], env: Mapping[str, str | None], repository: str, tag: str
) -> dict[str, Any]:
    served = not repository and any(key in node for key in ("modelFormat", "storageUri", "protocolVersion"))
    found = models.servers(lines, repository, env, models.KSERVE if served else "") or _by_idiom(lines, env)
    more = any("configMapRef" in source for source in mappings(node.get("envFrom")))
    version = tag if re.search(r"(?:^|/)vllm[\w.-]*$", repository) else ""
    for server in found:
        server.more = more
    told = of_servers(found, version)
    return told | _everywhere(lines, env, told)


def of_servers(found: Sequence[Server], version: str) -> dict[str, Any]:
    """What is kept of model servers."""
    loaded = [m for server in found for m in models.models(server, version)]
    trusted = [(s, models.trusts(s)) for s in found]
    read = {models.formats(s) for s in found}
    remote = {"trust_remote_code" for _, told in trusted if told}
    remote |= {"CVE-2026-27893" for s, told in trusted if not told and models.overrides(s, version)}
    return {
        "servers": sorted({s.name for s in found if s.name}),
        "models": [m for m in _distinct(loaded) if m["flaw"] != "unknown"],
        "models_unseen": any(m["flaw"] == "unknown" for m in loaded) or any(map(models.unnamed, found)),
        "remote_code": sorted(remote),
        "remote_unseen": any(told is None or (told is False and (s.open or "config" in s.flags)) for s, told in trusted),
        "unsafe": sorted(read - {"safe", "unknown"}),
        "formats_unseen": "unknown" in read,
    }


def _by_idiom(lines: Sequence[Command], env: Mapping[str, str | None]) -> list[Server]:
    """Containers that name a model as the libraries of Hugging Face do, whatever program they run."""
    names = ("model-name-or-path", "pretrained-model-name-or-path")
    made = []
    for line in lines:
        server = Server(env=line.env)
        models.read(server, line.rest)
        if any(server.flags.get(name) for name in names):
            server.flags = {k: v for k, v in server.flags.items() if k in (*names, *models.REVISION_FLAGS, models.TRUST_FLAG)}
            made.append(server)
    return made or ([Server(env=env)] if env.get("HF_MODEL_ID") else [])


def _everywhere(lines: Sequence[Command], env: Mapping[str, str | None], told: Mapping[str, Any]) -> dict[str, Any]:
    """What is wrong whatever program it is."""
    remote, unsafe = set(told["remote_code"]), set(told["unsafe"])
    for line in lines:
        server = Server(env={})
        models.read(server, line.rest)
        if models.trusts(server):
            remote.add("trust_remote_code")
    if models.trusts_by_env(env):
        remote.add("trust_remote_code")
    if models.true(env.get(models.PICKLED_ENV)):
        unsafe.add(models.PICKLED_ENV)
    return {"remote_code": sorted(remote), "unsafe": sorted(unsafe)}


def _distinct(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [dict(e) for e in sorted({tuple(sorted(entry.items())) for entry in entries})]


# ---- YAML that stands in a text: https://docs.ray.io/en/latest/serve/llm/index.html


def _add(found: Kept, text: str) -> None:
    """What a runtime environment or the configuration of Ray Serve tells."""
    value = loaded(text)
    if value is None:
        for key in ("installs_unseen", "models_unseen", "remote_unseen", "formats_unseen"):
            found[key] = True
        return
    nodes = list(_mappings(value))
    environments = [value, *(n["runtime_env"] for n in nodes if isinstance(n.get("runtime_env"), dict))]
    found["installs"] = _distinct([*found["installs"], *(e for env in environments for e in installs.of_runtime_env(env))])
    served = [_llm(n) for n in nodes if isinstance(n.get("model_loading_config"), dict)]
    told = of_servers(served, "")
    for key, entry in told.items():
        found[key] = (found[key] or entry) if isinstance(entry, bool) else [*found[key], *(e for e in entry if e not in found[key])]
    if any(n.get("trust_remote_code") is True for n in nodes) and "trust_remote_code" not in found["remote_code"]:
        found["remote_code"].append("trust_remote_code")
    if any(isinstance(c, str) for n in nodes for c in sequence(n.get("llm_configs"))):
        found.update(models_unseen=True, remote_unseen=True, formats_unseen=True)
        found["servers"] = sorted({*found["servers"], "Ray Serve LLM"})


def loaded(text: str) -> Any:
    """The first document of a text; None where it is broken, too long or too deep."""
    if len(text) > MOST or open_ended(text[:2]):
        return None
    first = next(documents(text, BOUNDS), None)
    return first.value if isinstance(first, Document) and isinstance(first.value, dict | list) else {} if first is None else None


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            yield node
            todo += node.values()
        elif isinstance(node, list):
            todo += node


def _llm(node: Mapping[str, Any]) -> Server:
    """An `LLMConfig` of Ray Serve: what vLLM is told."""
    loading, engine = mapping(node.get("model_loading_config")), mapping(node.get("engine_kwargs"))
    source = loading.get("model_source") or loading.get("model_id")
    if isinstance(source, dict):
        source = source.get("bucket_uri") or "s3://"
    flags = {str(k).replace("_", "-"): "" if v is True else str(v) for k, v in engine.items() if not isinstance(v, dict | list)}
    flags.pop("model", None)
    env = {str(k): str(v) for k, v in mapping(mapping(node.get("runtime_env")).get("env_vars")).items()}
    return Server(models.VLLM, flags={**flags, "model": str(source or "")}, env=env)
