"""Which servers a pod runs: told by the image's name and by the program that its command line starts, never by what an object is called.

Defaults are the products' own; each stands beside the page that documents it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from collectors.kubernetes.commands import ELSEWHERE, environment, flags, words
from collectors.kubernetes.within import mapping, mappings, sequence
from scanner.model import frozen

KEY, NONE, UNKNOWN = "key", "none", "unknown"
LOOPBACK = re.compile(r"(?:https?://)?(?:127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)(?::\d+)?")
_REFERENCE = re.compile(r"\$[({]?\w+[)}]?|\$[@*]")
_PORT = re.compile(r":(\d{1,5})$")
ON = frozenset({"true", "1", "yes", "on"})


@frozen
class Line:
    """How a server is started."""

    image: str
    tag: str
    words: Sequence[str]
    """What follows the program, to the end of the command."""
    env: Mapping[str, str | None]
    sure: bool = True
    """False where the program was told by the image alone, and something else starts it."""
    more: bool = False
    """Variables that may hold further arguments, or that come as a whole from elsewhere."""
    volumes: Mapping[str, str] = field(default_factory=dict)
    """Path of a mount → `read-only` or `writable`."""

    @property
    def flags(self) -> Mapping[str, str | None]:
        """See `commands.flags`."""
        return flags(self.words)

    def given(self, names: Sequence[str] = (), env: Sequence[str] = ()) -> bool:
        """Whether one of these flags or variables has a value, whatever it is."""
        found = self.flags
        return any(found.get(n, "") != "" for n in names) or any(self.env.get(n, "") != "" for n in env)

    def every(self, name: str) -> list[str | None]:
        """The values of a flag that may be given several times."""
        found = []
        for index, word in enumerate(self.words):
            if word.lstrip("-").partition("=")[0].replace("_", "-") == name and word.startswith("-"):
                found.append(flags(self.words[index : index + 2]).get(name))
        return found


def _keyed(line: Line, names: Sequence[str], env: Sequence[str] = (), config: Sequence[str] = ()) -> str:
    """`key` where a credential is asked for; `unknown` where it may stand in what is not seen."""
    if line.given(names, env):
        return KEY
    return UNKNOWN if line.more or not line.sure or any(c in line.flags for c in config) else NONE


def _vllm(line: Line) -> dict[str, Any]:
    found: dict[str, Any] = {"auth": _keyed(line, ("api-key",), ("VLLM_API_KEY",), ("config",))}
    mode = line.env.get("VLLM_SERVER_DEV_MODE", None if line.more else "")
    if mode is not None and mode != ELSEWHERE:
        found["dev_mode"] = mode.lower() in ON
    trusts = "trust-remote-code" in line.flags
    if trusts or (line.sure and not line.more and "config" not in line.flags):
        found["trust_remote_code"] = trusts
    return found


def _triton(line: Line) -> dict[str, Any]:
    """https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/customization_guide/deploy.html ."""
    found = line.flags
    mode = found.get("model-control-mode", "none" if line.sure and not line.more else None)
    open_ = []
    for protocol, flag in (("http", "http-restricted-api"), ("grpc", "grpc-restricted-protocol")):
        allowed = found.get(f"allow-{protocol}", "true")
        if not _off(allowed):
            restricted = [a for v in line.every(flag) for a in (v or "").split(",")]
            unread = allowed is None or None in line.every(flag)
            if "model-repository" not in restricted:
                open_.append(f"{protocol}?" if unread else protocol)
    return {
        "auth": NONE if line.sure else UNKNOWN,
        "model_control": mode if mode in ("none", "explicit", "poll") else UNKNOWN,
        "open_protocols": [p for p in open_ if not p.endswith("?")],
        "restrictions_known": not any(p.endswith("?") for p in open_),
        "repository": _repository(line),
    }


def _off(value: str | None) -> bool:
    return (value or "").lower() in ("false", "0", "no", "off")


def _repository(line: Line) -> str:
    """Where models come from: `remote`, `writable`, `read-only`, or `unknown`. The worst of several."""
    found = {_place(v, line) for name in ("model-repository", "model-store") for v in line.every(name)}
    return next((p for p in ("remote", "writable", UNKNOWN, "read-only") if p in found), UNKNOWN)


def _place(path: str | None, line: Line) -> str:
    if not path or "://" in path:
        return "remote" if path else UNKNOWN
    mounts = [m for m in line.volumes if path == m or path.startswith(m.rstrip("/") + "/")]
    return line.volumes[max(mounts, key=len)] if mounts else UNKNOWN


JUPYTER_TOKENS = ("ServerApp.token", "NotebookApp.token", "IdentityProvider.token", "LabApp.token")
JUPYTER_PASSWORDS = ("ServerApp.password", "NotebookApp.password", "PasswordIdentityProvider.hashed-password")
JUPYTER_PORTS = ("port", "ServerApp.port", "NotebookApp.port")
JUPYTER_ADDRESSES = ("ip", "ServerApp.ip", "NotebookApp.ip")
KUBEFLOW_NOTEBOOK = re.compile(r"(?:^|/)(?:kubeflownotebookswg|notebook-servers)/jupyter[\w.-]*$")
"""Images that start Jupyter without a token, on purpose.

https://github.com/kubeflow/kubeflow/blob/master/components/example-notebook-servers/jupyter/s6/services.d/jupyterlab/run
"""


def _jupyter(line: Line) -> dict[str, Any]:
    """A random token, unless it is set: https://jupyter-server.readthedocs.io/en/latest/operators/security.html ."""
    found = line.flags
    if line.given((*JUPYTER_TOKENS, *JUPYTER_PASSWORDS)):
        return {"auth": KEY}
    off = any(found.get(name) == "" for name in JUPYTER_TOKENS) or (line.sure and KUBEFLOW_NOTEBOOK.search(line.image))
    if not line.sure or "config" in found or (line.more and not off):
        return {"auth": UNKNOWN}
    return {"auth": NONE if off else KEY}


def _mlflow(line: Line) -> dict[str, Any]:
    """https://mlflow.org/docs/latest/self-hosting/security/network ."""
    found = line.flags
    auth = KEY if found.get("app-name") else _keyed(line, ())
    if "app-name" in found and not found["app-name"]:
        auth = UNKNOWN
    hosts = "*" in (found.get("allowed-hosts"), line.env.get("MLFLOW_SERVER_ALLOWED_HOSTS"))
    middleware = "disable-security-middleware" in found or (
        (line.env.get("MLFLOW_SERVER_DISABLE_SECURITY_MIDDLEWARE") or "").lower() in ON
    )
    off = [what for what, is_off in (("any Host header", hosts), ("no security middleware", middleware)) if is_off]
    return {"auth": auth, "unguarded": off}


def _argo(line: Line) -> dict[str, Any]:
    """`client`; before 3.0 it was `server`: https://argo-workflows.readthedocs.io/en/latest/argo-server-auth-mode/ ."""
    modes = line.every("auth-mode")
    old = re.match(r"v?[012]\.", line.tag) is not None
    if "server" in modes or (not modes and old and line.sure):
        return {"auth": NONE}
    return {"auth": UNKNOWN if None in modes or not line.sure or (line.more and not modes) else KEY}


def _grafana(line: Line) -> dict[str, Any]:
    """https://grafana.com/docs/grafana/latest/setup-grafana/configure-access/configure-authentication/anonymous-auth/ ."""
    value = line.env.get("GF_AUTH_ANONYMOUS_ENABLED", "false")
    if value is None or value == ELSEWHERE or (line.more and "GF_AUTH_ANONYMOUS_ENABLED" not in line.env):
        return {"auth": UNKNOWN}
    return {"auth": NONE if value.lower() in ON else KEY}


def _torchserve(line: Line) -> dict[str, Any]:
    """A token since 0.11.1: https://pytorch.org/serve/token_authorization_api.html ."""
    if "disable-token-auth" in line.flags or (line.env.get("TS_DISABLE_TOKEN_AUTHORIZATION") or "").lower() in ON:
        return {"auth": NONE}
    number = re.match(r"(\d+)\.(\d+)\.(\d+)", line.tag)
    if number is None or not line.sure or line.more or "ts-config" in line.flags:
        return {"auth": UNKNOWN}
    return {"auth": KEY if tuple(map(int, number.groups())) >= (0, 11, 1) else NONE}


def _nim(line: Line) -> dict[str, Any]:
    """https://docs.nvidia.com/nim/large-language-models/latest/configuration.html ."""
    mode = line.env.get("NIM_SSL_MODE", "")
    if mode is None or mode == ELSEWHERE or line.more or not line.sure:
        return {"auth": UNKNOWN}
    return {"auth": KEY if mode.lower() == "mtls" else NONE}


def _kuberay(line: Line) -> dict[str, Any]:
    """Feature gates that are on: https://github.com/ray-project/kuberay/blob/master/ray-operator/pkg/features/features.go ."""
    given = line.every("feature-gates")
    known = line.sure and not line.more and None not in given and "config" not in line.flags
    gates = [g.partition("=") for v in given for g in (v or "").split(",") if g]
    return {"auth": UNKNOWN, "gates": sorted({n for n, _, on in gates if on == "true"}), "gates_known": known}


def by_key(*names: str, env: Sequence[str] = ()) -> Callable[[Line], dict[str, Any]]:
    """A server that asks for a key where it is given one."""
    return lambda line: {"auth": _keyed(line, names, env, ("config",))}


def openly(*config: str) -> Callable[[Line], dict[str, Any]]:
    """A server that knows no callers, unless its configuration teaches it."""
    return lambda line: {"auth": UNKNOWN if not line.sure or any(c in line.flags for c in config) else NONE}


OPENLY = openly()


@frozen
class Product:
    """A server that is recognised."""

    name: str
    programs: tuple[tuple[str, ...], ...]
    """Words that stand one after the other and start it."""
    images: str = r"(?!)"
    """Names of images (the path without registry host and tag) that it is."""
    read: Callable[[Line], dict[str, Any]] = OPENLY
    ports: tuple[int, ...] = ()
    port_flags: tuple[str, ...] = ("port",)
    port_env: tuple[str, ...] = ()
    host: str = "all"
    """Where it listens unless it is told."""
    image_host: str = "all"
    """As `host`, of its own image."""
    host_flags: tuple[str, ...] = ("host",)
    host_env: tuple[str, ...] = ()
    official: str = r"(?!)"
    """Images whose tag begins with its version."""
    version: str = r"v?(\d+\.\d+(?:\.\d+)*(?:[-.]?(?:post|rc|alpha|beta|dev)[-.]?\d*)?)(?:[-+_].*)?"
    argument: str = ""
    """What its own image must be told to serve; empty where it does so anyhow."""
    command: str = ""
    """What starts it in its own image, and anything in others."""
    starts: str = ""
    """Those of its images (by path and tag) that start it without a command; the others start something else."""


PRODUCTS: tuple[Product, ...] = (
    Product(
        # https://docs.vllm.ai/en/stable/usage/security/
        "vllm",
        (("vllm", "serve"), ("vllm.entrypoints.openai.api_server",), ("vllm.entrypoints.api_server",)),
        r"(?:^|/)vllm(?:-openai)?(?:-[\w-]+)?$",
        _vllm,
        (8000,),
        official=r"(?:^|/)vllm/vllm-openai(?:-[\w-]+)?$|(?:^|/)deep-learning-containers/vllm$",
        starts=r"vllm-openai|deep-learning-containers/",  # NVIDIA's starts a shell
    ),
    Product(
        "triton",
        (("tritonserver",),),
        r"(?:^|/)tritonserver$",
        _triton,
        (8000, 8001),
        port_flags=("http-port", "grpc-port"),
        host_flags=("http-address",),
        official=r"(?:^|/)nvidia/tritonserver$",
        version=r"(\d\d\.(?:0[1-9]|1[0-2]))(?:[-.].*)?",
        starts=r"(?!)",  # its image starts a shell
    ),
    Product(
        # https://huggingface.co/docs/text-generation-inference/reference/launcher
        "tgi",
        (("text-generation-launcher",),),
        r"(?:^|/)text-generation-inference$",
        by_key("api-key", env=("API_KEY",)),
        (80, 3000),
        port_env=("PORT",),
        host_flags=("hostname",),
        official=r"(?:^|/)text-generation-inference$",
    ),
    Product(
        # https://github.com/ollama/ollama/issues/1053 ; https://docs.ollama.com/faq
        "ollama",
        (("ollama", "serve"),),
        r"(?:^|/)ollama$",
        openly(),
        (11434,),
        host="loopback",
        host_env=("OLLAMA_HOST",),
        official=r"(?:^|/)ollama/ollama$",
        argument="serve",
    ),
    Product(
        # https://docs.sglang.ai/advanced_features/server_arguments.html
        "sglang",
        (("sglang.launch_server",), ("sglang", "serve")),
        r"(?:^|/)lmsysorg/sglang$",
        by_key("api-key", "admin-api-key"),
        (30000,),
        host="loopback",
        official=r"(?:^|/)lmsysorg/sglang$",
        starts=r"(?!)",
    ),
    Product(
        # https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
        "llama.cpp",
        (("llama-server",),),
        r"(?:^|/)llama\.cpp$",
        by_key("api-key", "api-key-file", env=("LLAMA_API_KEY",)),
        (8080,),
        port_env=("LLAMA_ARG_PORT",),
        host="loopback",
        host_env=("LLAMA_ARG_HOST",),
        starts=r":server",
    ),
    Product(
        # https://lmdeploy.readthedocs.io/en/latest/llm/api_server.html
        "lmdeploy",
        (("lmdeploy", "serve"),),
        r"(?!)",
        by_key("api-keys"),
        (23333,),
        port_flags=("server-port",),
        host_flags=("server-name",),
    ),
    Product(
        "torchserve",
        (("torchserve",),),
        r"(?:^|/)torchserve$",
        _torchserve,
        (8080, 8081),
        port_flags=(),
        host_flags=(),
        host="unknown",
        official=r"(?:^|/)pytorch/torchserve$",
    ),
    Product(
        "nim",
        (),
        r"(?:^|/)nim/[\w.-]+/[\w.-]+$",
        _nim,
        (8000,),
        port_flags=(),
        port_env=("NIM_HTTP_API_PORT", "NIM_SERVER_PORT"),
        host_flags=(),
    ),
    Product(
        "jupyterhub",
        (("start-singleuser.sh",), ("start-singleuser.py",), ("jupyterhub-singleuser",)),
        read=lambda _: {"auth": KEY},
        ports=(8888,),
        host_flags=("ip",),
    ),
    Product(
        # what the images of the Docker Stacks are started by, which listens everywhere
        "jupyter",
        (("start-notebook.sh",), ("start-notebook.py",)),
        read=_jupyter,
        ports=(8888,),
        port_flags=JUPYTER_PORTS,
        host_flags=JUPYTER_ADDRESSES,
    ),
    Product(
        "jupyter",
        (
            ("jupyter", "lab"),
            ("jupyter", "notebook"),
            ("jupyter", "server"),
            ("jupyter-lab",),
            ("jupyter-notebook",),
            ("jupyter-server",),
        ),
        # https://jupyter-docker-stacks.readthedocs.io/en/latest/using/selecting.html
        rf"(?:^|/)jupyter/(?:base|minimal|scipy|pytorch|tensorflow|datascience|pyspark|all-spark|r|julia)-notebook$|{KUBEFLOW_NOTEBOOK.pattern}",
        _jupyter,
        (8888,),
        port_flags=JUPYTER_PORTS,
        host="loopback",
        host_flags=JUPYTER_ADDRESSES,
    ),
    Product(
        "mlflow",
        (("mlflow", "server"), ("mlflow", "ui")),
        r"(?:^|/)mlflow$",
        _mlflow,
        (5000,),
        port_env=("MLFLOW_PORT",),
        host="loopback",
        host_flags=("host", "h"),
        host_env=("MLFLOW_HOST",),
        starts=r"(?!)",
    ),
    Product("argo", (("argo", "server"),), r"(?:^|/)argocli$", _argo, (2746,), host_flags=(), argument="server"),
    Product("tensorboard", (("tensorboard",),), ports=(6006,), host="loopback"),
    Product("dask", (("dask-scheduler",), ("dask", "scheduler")), ports=(8786, 8787)),
    Product(
        "spark",
        (
            ("org.apache.spark.deploy.master.Master",),
            ("org.apache.spark.deploy.history.HistoryServer",),
            ("start-master.sh",),
            ("start-history-server.sh",),
        ),
        ports=(8080, 7077, 18080),
        port_flags=(),
    ),
    Product(
        "prometheus",
        (("prometheus",),),
        r"(?:^|/)(?:prom|prometheus)/prometheus$",
        openly("web.config.file"),
        (9090,),
        port_flags=("web.listen-address",),
        host_flags=("web.listen-address",),
    ),
    Product(
        "grafana", (("grafana-server",), ("grafana", "server")), r"(?:^|/)grafana/grafana(?:-enterprise|-oss)?$", _grafana, (3000,)
    ),
    Product(
        "dcgm-exporter",
        (("dcgm-exporter",),),
        r"(?:^|/)dcgm-exporter$",
        openly("web-config-file"),
        (9400,),
        port_env=("DCGM_EXPORTER_LISTEN",),
        official=r"(?:^|/)nvidia/k8s/dcgm-exporter$|(?:^|/)dcgm-exporter$",
        version=r"\d+\.\d+\.\d+-(\d+\.\d+\.\d+)(?:-.*)?",
    ),
    Product("kuberay-operator", (), r"(?:^|/)kuberay/operator$", _kuberay, (8080,), command="manager"),
)


def image_parts(image: str) -> tuple[str, str]:
    """(path without registry host, tag; empty for none) of an image."""
    named, _, _ = image.partition("@")
    path, colon, tag = named.rpartition(":")
    if not colon or "/" in tag:
        path, tag = named, ""
    host, slash, rest = path.partition("/")
    return (rest if slash and ("." in host or ":" in host or host == "localhost") else path), tag


def servers(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The `servers` fact."""
    found = []
    for raw in serving(spec):
        for product, line in recognised(raw):
            found.append(
                {"container": str(raw.get("name", "")), "product": product.name, **_common(product, line), **product.read(line)}
            )
    return found


def serving(spec: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Containers that stay: the pod's own, and init containers that are sidecars."""
    yield from mappings(spec.get("containers"))
    yield from (c for c in mappings(spec.get("initContainers")) if c.get("restartPolicy") == "Always")


def recognised(raw: Mapping[str, Any]) -> Iterator[tuple[Product, Line]]:
    """The servers that a container starts: by its commands, else by its image."""
    path, tag = image_parts(str(raw.get("image") or ""))
    env = environment(raw)
    volumes = {
        str(m.get("mountPath", "")): "read-only" if m.get("readOnly") is True else "writable"
        for m in mappings(raw.get("volumeMounts"))
    }
    told = False
    for command in _commands(words(raw)):
        for product in PRODUCTS:
            after = next((a for p in product.programs if (a := _after(command, p)) is not None), None)
            if after is not None:
                told = True
                yield product, Line(path, tag, after, env, more=_more(after, raw), volumes=volumes)
                break
        told = told or _after(command, ("ray", "start")) is not None
    if told:
        return
    own = bool(sequence(raw.get("command")))
    args = [w for w in words({"args": raw.get("args")}) if w not in (";", "|")]
    for product in PRODUCTS:
        if re.search(product.images, path):
            if not own and product.argument and args and product.argument not in args:
                return
            sure = not own and re.search(product.starts, f"{path}:{tag}") is not None
            started = _after(words(raw), (product.command,)) if own and product.command else None
            if started is not None:
                sure, args = True, started
            yield product, Line(path, tag, args, env, sure=sure, more=_more(args, raw), volumes=volumes)
            return


def _commands(line: Sequence[str]) -> Iterator[list[str]]:
    """The commands of a line, which `;` and `|` part."""
    command: list[str] = []
    for word in line:
        if word in (";", "|"):
            yield command
            command = []
        else:
            command.append(word)
    yield command


def _after(command: Sequence[str], program: tuple[str, ...]) -> list[str] | None:
    """What follows a program; None where the command does not start it."""
    size = len(program)
    at = next((i for i in range(len(command) - size + 1) if tuple(command[i : i + size]) == program), None)
    return None if at is None else list(command[at + size :])


def _more(line: Sequence[str], raw: Mapping[str, Any]) -> bool:
    """Whether further arguments or variables may come from what is not seen."""
    bare = (w for before, w in zip(["", *line], line, strict=False) if not (before.startswith("-") and "=" not in before))
    return bool(raw.get("envFrom")) or any(_REFERENCE.fullmatch(w) for w in bare)


def _common(product: Product, line: Line) -> dict[str, Any]:
    found = re.fullmatch(product.version, line.tag) if re.search(product.official, line.image) else None
    return {"version": found.group(1) if found else "", "listens": _listens(product, line), "ports": _ports(product, line)}


def _listens(product: Product, line: Line) -> str:
    """`all`, `loopback` or `unknown`."""
    found = line.flags
    if "uds" in found:
        return "loopback"
    told = [found[n] for n in product.host_flags if n in found] + [
        line.env[n] for n in product.host_env if line.env.get(n, "") != ""
    ]
    if "bind-all" in found:
        return "all"
    if told:
        first = told[0]
        return UNKNOWN if first is None or first == ELSEWHERE else "loopback" if LOOPBACK.fullmatch(first) else "all"
    if not line.sure or line.more:
        return UNKNOWN if product.host != "all" else "all"
    return product.image_host if re.search(product.images, line.image) else product.host


def _ports(product: Product, line: Line) -> list[int]:
    """The ports that it answers on, empty where they are not known."""
    found = line.flags
    told = [found[n] for n in product.port_flags if n in found] + [line.env[n] for n in product.port_env if n in line.env]
    if "p" in found:
        return []
    if not told:
        return list(product.ports)
    numbers = [_number(t) for t in told]
    if None in numbers:
        return []
    if product.name == "triton":
        defaults = dict(zip(product.port_flags, product.ports, strict=True))
        return sorted({_number(found.get(flag)) or port for flag, port in defaults.items()})
    return [n for n in numbers if n is not None] or list(product.ports)


def _number(text: str | None) -> int | None:
    if text is None or text == ELSEWHERE:
        return None
    if text.isdigit():
        return int(text)
    found = _PORT.search(text)
    return int(found.group(1)) if found else None


PROXY = re.compile(
    r"(?:^|/)(?:oauth2-proxy|kube-rbac-proxy|ose-oauth-proxy|oauth-proxy|kube-auth-proxy|gatekeeper|pomerium|authelia)$"
)
"""Images of proxies that let only those pass who have proven who they are."""
PROXY_FLAGS = ("http-address", "https-address", "secure-listen-address")


def proxies(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Authenticating proxies among the containers, and the ports that are theirs."""
    found = []
    for raw in serving(spec):
        path, _ = image_parts(str(raw.get("image") or ""))
        line = words(raw)
        if PROXY.search(path) or _after(line, ("oauth2-proxy",)) is not None or _after(line, ("kube-rbac-proxy",)) is not None:
            told = {n for name in PROXY_FLAGS if (n := _number(flags(line).get(name)))}
            declared = {p["containerPort"] for p in mappings(raw.get("ports")) if isinstance(p.get("containerPort"), int)}
            found.append({"container": str(raw.get("name", "")), "ports": sorted(told | declared)})
    return found


def container_ports(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The ports that containers declare, their names, and the port of the host that is theirs (0 for none)."""
    return [
        {
            "container": str(raw.get("name", "")),
            "name": str(port.get("name") or ""),
            "port": port["containerPort"],
            "protocol": str(port.get("protocol") or "TCP"),
            "host_port": port["hostPort"] if isinstance(port.get("hostPort"), int) else 0,
        }
        for raw in serving(spec)
        for port in mappings(mapping(raw).get("ports"))
        if isinstance(port.get("containerPort"), int)
    ]
