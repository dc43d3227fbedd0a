"""Model servers on command lines: what they load, from where, and what they let it do.

What is read here holds secrets: only `noted.py` looks, before redaction, and keeps references of the shapes below.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from collectors.kubernetes.marks import mask
from collectors.kubernetes.shell import PYTHON, Command, open_ended, run_by

VLLM, SGLANG, TGI, TEI, TRITON, LLAMA, OLLAMA, NIM = "vLLM", "SGLang", "TGI", "TEI", "Triton", "llama.cpp", "Ollama", "NIM"
KSERVE, HUB, LMDEPLOY, TRTLLM = "KServe", "Hugging Face CLI", "LMDeploy", "TensorRT-LLM"
PROGRAMS: Mapping[str, str] = {
    "vllm": VLLM, "vllm.entrypoints.openai.api_server": VLLM, "vllm.entrypoints.api_server": VLLM, "dynamo.vllm": VLLM,
    "sglang": SGLANG, "sglang.launch_server": SGLANG, "dynamo.sglang": SGLANG, "text-generation-launcher": TGI,
    "text-embeddings-router": TEI, "tritonserver": TRITON, "llama-server": LLAMA, "llama-cli": LLAMA, "llama_cpp.server": LLAMA,
    "ollama": OLLAMA, "huggingfaceserver": KSERVE, "sklearnserver": "sklearn", "trtllm-serve": TRTLLM, "lmdeploy": LMDEPLOY,
    "huggingface-cli": HUB, "hf": HUB, "torchserve": "TorchServe",
}  # fmt: skip
"""Programs and Python modules that load models."""
IMAGES: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern), server)
    for pattern, server in (
        (r".*/vllm-openai[\w.-]*|(?:.*/)?vllm/vllm-[\w.-]+", VLLM),
        (r"(?:.*/)?lmsysorg/sglang", SGLANG),
        (r".*/text-generation-inference", TGI),
        (r".*/text-embeddings-inference", TEI),
        (r".*/tritonserver", TRITON),
        (r".*/llama\.cpp", LLAMA),
        (r"(?:.*/)?ollama/ollama", OLLAMA),
        (r"(?:.*/)?nim/.+", NIM),
        (r".*/huggingfaceserver", KSERVE),
        (r".*/sklearnserver", "sklearn"),
    )
]
"""Repositories of images whose entrypoint is a model server: arguments without a program are its."""
MODEL_FLAGS = (
    "model", "model-id", "model-path", "model-name-or-path", "pretrained-model-name-or-path", "model-tag", "tokenizer", "tokenizer-path",
    "hf-repo", "hf", "model-url",
)  # fmt: skip
"""Flags that name what is loaded; `model-dir` and the like name folders only."""
MODEL_ENV: Mapping[str, tuple[str, ...]] = {
    TGI: ("MODEL_ID",), TEI: ("MODEL_ID",), KSERVE: ("MODEL_ID", "HF_MODEL_ID"), LLAMA: ("LLAMA_ARG_HF_REPO", "LLAMA_ARG_MODEL_URL"),
    NIM: ("NIM_MODEL_NAME",), SGLANG: ("MODEL_PATH",), "": ("HF_MODEL_ID", "MODEL_ID"),
}  # fmt: skip
REVISION_FLAGS = ("revision", "model-revision")
REVISION_ENV = ("REVISION", "HF_REVISION", "HF_MODEL_REVISION", "MODEL_REVISION")
TRUST_FLAG = "trust-remote-code"
TRUST_ENV = ("TRUST_REMOTE_CODE", "HF_MODEL_TRUST_REMOTE_CODE", "HF_TRUST_REMOTE_CODE")
OFFLINE_ENV = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
PICKLED_ENV = "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"
"""https://docs.pytorch.org/docs/stable/notes/serialization.html"""
TRUE = frozenset({"1", "true", "yes", "y", "on", "t"})
FALSE = frozenset({"0", "false", "no", "n", "off", "f", "none"})
PICKLED = frozenset({"pt", "npcache"})
"""Formats of vLLM and SGLang that are read by unpickling: https://docs.vllm.ai/en/latest/api/vllm/config/load.html"""
SAFE = frozenset(
    {"safetensors", "gguf", "mistral", "fastsafetensors", "runai_streamer", "runai_streamer_sharded", "sharded_state", "dummy"}
)
SAFE_SERVERS = frozenset({LLAMA, OLLAMA, HUB})
"""They load GGUF only, or load nothing into memory."""
PICKLE_FILE = re.compile(r".*\.(?:pkl|pickle|joblib|pt|pth|bin|ckpt|mar)", re.IGNORECASE)
SAFE_FILE = re.compile(r".*\.(?:safetensors|gguf|onnx)(?::[\w.-]+)?", re.IGNORECASE)
_HUB = re.compile(r"(?![A-Za-z0-9/+]{40}$)([A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95})(?::([\w.-]{1,80}))?")
_FOLDERS = frozenset(
    {"models", "model", "data", "mnt", "workspace", "app", "weights", "checkpoints", "opt", "srv", "tmp", "output", "outputs"}
)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]{1,15})://(.*)", re.DOTALL)
_STORES = frozenset(
    {"s3", "gs", "gcs", "abfs", "abfss", "az", "as", "wasb", "wasbs", "azureml", "hdfs", "webhdfs", "mlflow", "runai", "ngc"}
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DIGEST = re.compile(r".*@sha256:[0-9a-f]{64}", re.DOTALL)
_INSIDE = re.compile(r"[\w-]+|.*\.(?:svc|local|internal|cluster\.local|corp|lan|intra|private)")
_FLAG = re.compile(r"--?([A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)


@dataclass(slots=True)
class Server:
    """One command that loads a model."""

    name: str = ""
    flags: dict[str, str] = field(default_factory=dict)
    """Flag → value, empty where it has none; `-` for `_`."""
    positional: list[str] = field(default_factory=list)
    env: Mapping[str, str | None] = field(default_factory=dict)
    open: bool = False
    """Some of its arguments are not known."""
    more: bool = False
    """It gets variables from a ConfigMap as well."""


def servers(commands: Sequence[Command], repository: str, env: Mapping[str, str | None], known: str = "") -> list[Server]:
    """The model servers of a container, which is `known` to be one. One whose program is not known has `open` set."""
    by_image = known or next((server for pattern, server in IMAGES if pattern.fullmatch(repository)), "")
    made = [s for c in commands if (s := _server(c, by_image)) is not None]
    if by_image and not made:
        made = [Server(by_image, env=env, open=bool(commands))]
    return made


def _loads(program: str) -> bool:
    return program in PROGRAMS or PYTHON.fullmatch(program) is not None


def _server(command: Command, by_image: str) -> Server | None:
    program, words = run_by(command, _loads)
    if PYTHON.fullmatch(program) and "-m" in words:
        at = words.index("-m")
        program, words = (words[at + 1 : at + 2] or [""])[0], words[at + 2 :]
    name = PROGRAMS.get(program, "") if program else by_image
    if not name or (name == HUB and "download" not in words) or (name == OLLAMA and words[:1] not in (["pull"], ["run"])):
        return None
    made = Server(name, env=command.env, open=any(map(open_ended, words)))
    read(made, words)
    if program in ("vllm", "lmdeploy", "sglang", "hf", "huggingface-cli", "ollama", "trtllm-serve"):
        made.positional = [
            w for w in made.positional if w not in ("serve", "download", "pull", "run", "api_server", "launch_server")
        ]
    return made


def read(made: Server, words: Sequence[str]) -> None:
    """Flags and positional words. What stands behind a flag is taken for its value."""
    waiting = ""
    for word in words:
        flag = _FLAG.fullmatch(word)
        if flag is None:
            if waiting and (waiting != TRUST_FLAG or word.lower() in TRUE | FALSE):
                made.flags[waiting] = word
            elif not word.startswith("-"):  # a password may be glued to a flag: `-phunter2/x`
                made.positional.append(word)
            waiting = ""
            continue
        name = flag.group(1).replace("_", "-")
        value = flag.group(2)
        made.flags[name] = value if value is not None else ""
        waiting = name if value is None else ""


# ---- models


def models(server: Server, version: str) -> Iterator[dict[str, Any]]:
    """What a server loads: `{model, origin, flaw}`; the flaw is empty for none, and `unknown` where it cannot be told."""
    for reference in _named(server):
        yield model(reference, _revision(server), server, version)


def _named(server: Server) -> Iterator[str]:
    seen = [server.flags[f] for f in MODEL_FLAGS if server.flags.get(f)]
    if server.name == LLAMA:
        seen += [server.flags[f] for f in ("m", "hfr", "mu") if server.flags.get(f)]
    if server.name == TRITON:
        seen += [server.flags[f] for f in ("model-repository", "model-store") if server.flags.get(f)]
    if server.name in (VLLM, HUB, LMDEPLOY, TRTLLM, OLLAMA):
        seen += server.positional[:1]
    if server.name == KSERVE and server.flags.get("model-dir"):
        seen.append(server.flags["model-dir"])
    for name in MODEL_ENV.get(server.name, ()) if not seen else ():
        value = server.env.get(name)
        if value:
            seen.append(value)
    yield from dict.fromkeys(seen)


def unnamed(server: Server) -> bool:
    """Whether it is not seen what a server loads."""
    return server.open or (not list(_named(server)) and server.name not in (NIM, HUB))


def _revision(server: Server) -> str | None:
    """The revision that is asked for, empty for none; None where it is not known."""
    value = next((server.flags[f] for f in REVISION_FLAGS if f in server.flags), None)
    if value is None and server.name in (TGI, TEI, KSERVE, ""):
        name = next((n for n in REVISION_ENV if n in server.env), "")
        value = server.env[name] if name else ""
        if value is None:
            return None
    value = value or ""
    return None if open_ended(value) else value


def model(reference: str, revision: str | None, server: Server, version: str = "") -> dict[str, Any]:
    """One reference, judged."""
    scheme = _SCHEME.fullmatch(reference)
    if open_ended(reference):
        return _model("", "unknown", "unknown")
    if scheme:
        return _by_scheme(scheme.group(1), scheme.group(2), revision, server)
    if server.name == OLLAMA:
        return _model(_shown(reference), "hub", "unpinned")
    if reference.startswith(("/", "./", "../", "~")) or SAFE_FILE.fullmatch(reference) or PICKLE_FILE.fullmatch(reference):
        return _model("", "local", "")
    hub = _HUB.fullmatch(reference)
    if hub is None or reference.partition("/")[0] in _FOLDERS or mask(reference) != reference:
        return _model("", "unknown", "unknown")
    return _of_hub(hub.group(1), revision, server, version)


def _of_hub(name: str, revision: str | None, server: Server, version: str = "") -> dict[str, Any]:
    shown = _shown(name)
    offline = _offline(server)
    if offline:
        return _model(shown, "hub", "")
    if _own_hub(server.env.get("HF_ENDPOINT", "")):
        return _model(shown, "mirror", "")
    if revision is not None and _COMMIT.fullmatch(revision):
        flaw = _artifacts(version) if server.name == VLLM else ""
    else:
        flaw = "unknown" if revision is None else "branch" if revision else "unpinned"
    return _model(shown, "hub", "unknown" if offline is None and flaw else flaw)


def _artifacts(version: str) -> str:
    """Before 0.22.0 vLLM loads some files of a repository from its main branch all the same.

    https://nvd.nist.gov/vuln/detail/CVE-2026-47155
    """
    told = re.match(r"v?(\d+)\.(\d+)", version)
    if told is None:
        return "unknown"
    return "artifacts" if (int(told.group(1)), int(told.group(2))) < (0, 22) else ""


def _offline(server: Server) -> bool | None:
    """Whether nothing is asked of the hub; None where it is not known.

    https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables#hfhuboffline
    """
    values = [server.env[n] for n in OFFLINE_ENV if n in server.env]
    if any(v is not None and v.lower() in TRUE for v in values):
        return True
    return None if None in values or server.more else False


def _by_scheme(scheme: str, rest: str, revision: str | None, server: Server) -> dict[str, Any]:
    if scheme in ("hf", "modelscope", "ms"):
        hub = _HUB.fullmatch(rest)
        if hub is None:
            return _model("", "unknown", "unknown")
        return _of_hub(
            hub.group(1), hub.group(2) or revision, server if scheme == "hf" else Server(env=server.env, more=server.more)
        )
    if scheme == "oci":
        return _model("", "image", "" if _DIGEST.fullmatch(rest) else "tag")
    if scheme in ("http", "https"):
        return _web(f"{scheme}://{rest}")
    if scheme in ("pvc", "file", "local"):
        return _model("", "local", "")
    return _model("", "store" if scheme in _STORES else "unknown", "" if scheme in _STORES else "unknown")


def _web(url: str) -> dict[str, Any]:
    host = _host(url)
    if host is None:
        return _model("", "unknown", "unknown")
    if host.endswith(
        (".blob.core.windows.net", ".file.core.windows.net", ".dfs.core.windows.net", ".amazonaws.com", "storage.googleapis.com")
    ):
        return _model("", "store", "")
    return _model(_shown(host), "mirror" if _inside(host) else "web", "" if _inside(host) else "web")


def _own_hub(endpoint: str | None) -> bool:
    host = _host(endpoint or "")
    return host is not None and _inside(host)


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _inside(host: str) -> bool:
    """Whether a host is one of the own network."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return _INSIDE.fullmatch(host) is not None


def _model(shown: str, origin: str, flaw: str) -> dict[str, Any]:
    return {"model": shown, "origin": origin, "flaw": flaw}


def _shown(text: str) -> str:
    """A reference as a report may show it: only of the shape of a name."""
    return text if re.fullmatch(r"(?![A-Za-z0-9/+]{40}$)[\w./:-]{1,160}", text) and mask(text) == text else ""


# ---- what they let it do


def trusts(server: Server) -> bool | None:
    """Whether code that comes with the model is run; None where it is not known."""
    if f"no-{TRUST_FLAG}" in server.flags:
        return False
    if TRUST_FLAG in server.flags:
        value = server.flags[TRUST_FLAG].lower()
        return None if open_ended(value) else value not in FALSE
    told = trusts_by_env(server.env)
    return None if told is False and server.more and server.name in (TGI, TEI) else told


def trusts_by_env(env: Mapping[str, str | None]) -> bool | None:
    """As `trusts`, of variables alone."""
    values = [env[n] for n in TRUST_ENV if n in env]
    if any(v is not None and v.lower() in TRUE for v in values):
        return True
    return None if None in values else False


def overrides(server: Server, version: str) -> bool:
    """Versions of vLLM that run the code of two families whatever they are told.

    https://nvd.nist.gov/vuln/detail/CVE-2026-27893
    """
    told = re.match(r"v?(\d+)\.(\d+)(?:\.(\d+))?", version)
    if server.name != VLLM or told is None:
        return False
    number = tuple(int(g or 0) for g in told.groups())
    names = "".join(_named(server)).lower()
    return (0, 10, 1) <= number < (0, 18, 0) and re.search(r"nemotron.{0,40}vl|kimi-?k2\.?5", names) is not None


def formats(server: Server) -> str:
    """How the weights are read: `safe`, `unknown`, or by what they are unpickled."""
    told = server.flags.get("load-format", "")
    if told in PICKLED:
        return f"--load-format {told}"
    if server.name in ("sklearn", "TorchServe"):
        return f"{server.name} server"
    named = list(_named(server))
    pickled = next((PICKLE_FILE.fullmatch(n) for n in named if PICKLE_FILE.fullmatch(n)), None)
    if pickled and server.name != HUB:
        return f"a file *.{named[0].rpartition('.')[2].lower()[:8] if len(named) == 1 else 'bin'}"
    if told in SAFE or server.name in SAFE_SERVERS or (named and all(SAFE_FILE.fullmatch(n) for n in named)):
        return "safe"
    return "unknown"


def true(value: str | None) -> bool:
    """Whether a variable is a yes."""
    return value is not None and value.lower() in TRUE


def first(values: Iterable[str]) -> str:
    """The first that is not empty."""
    return next((v for v in values if v), "")
