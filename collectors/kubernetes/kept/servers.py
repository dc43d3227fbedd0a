"""Of model servers, notebooks and the tools around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_ADDRESS = r"(?:https?://)?(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|\*|\[[0-9a-fA-F:]{2,39}\]|[0-9a-fA-F]{0,4}::[0-9a-fA-F:]{0,30})?(?::\d{1,5})?"
"""Where something listens: an address, a port, or both."""
_SWITCH = r"(?i:true|false|yes|no|on|off|0|1)"
_EMPTY = ""
"""Of a credential: nothing but that it is empty."""
_RESTRICTED = r"(?P<kept>[a-z-]{3,20}(?:,[a-z-]{3,20})*)(?::.*)?"
"""`--http-restricted-api=model-repository,logging:header=value`: the APIs, never the header."""
_ANY_HOST = r"(?:[^,]{0,253},){0,50}\s*(?P<kept>\*)\s*(?:,.*)?"
"""Of a list of hosts nothing but that any is among them."""
FLAGS: Mapping[str, str] = {
    "host": _ADDRESS,
    "h": _ADDRESS,
    "hostname": _ADDRESS,
    "server-name": _ADDRESS,
    "ip": _ADDRESS,
    "ServerApp.ip": _ADDRESS,
    "NotebookApp.ip": _ADDRESS,
    "http-address": _ADDRESS,
    "grpc-address": _ADDRESS,
    "https-address": _ADDRESS,
    "secure-listen-address": _ADDRESS,
    "web.listen-address": _ADDRESS,
    "port": r"\d{1,5}",
    "server-port": r"\d{1,5}",
    "http-port": r"\d{1,5}",
    "grpc-port": r"\d{1,5}",
    "metrics-port": r"\d{1,5}",
    "ServerApp.port": r"\d{1,5}",
    "NotebookApp.port": r"\d{1,5}",
    "api-key": _EMPTY,
    "api-keys": _EMPTY,
    "admin-api-key": _EMPTY,
    "api-key-file": _EMPTY,
    "ServerApp.token": _EMPTY,
    "NotebookApp.token": _EMPTY,
    "IdentityProvider.token": _EMPTY,
    "LabApp.token": _EMPTY,
    "ServerApp.password": _EMPTY,
    "NotebookApp.password": _EMPTY,
    "PasswordIdentityProvider.hashed-password": _EMPTY,
    "model-control-mode": r"none|explicit|poll",
    "model-repository": r"(?:s3|gs|as)://[\w./:-]{0,200}|/[\w./-]{0,200}",
    "model-store": r"(?:s3|gs|as)://[\w./:-]{0,200}|/[\w./-]{0,200}",
    "http-restricted-api": _RESTRICTED,
    "grpc-restricted-protocol": _RESTRICTED,
    "allow-http": _SWITCH,
    "allow-grpc": _SWITCH,
    "allow-metrics": _SWITCH,
    "app-name": r"[a-z]{1,12}-auth",
    "allowed-hosts": _ANY_HOST,
    "auth-mode": r"server|client|sso|header|hybrid",
    "feature-gates": r"[A-Za-z]\w{2,60}=(?:true|false)(?:,[A-Za-z]\w{2,60}=(?:true|false))*,?",
}
ENV: Mapping[str, str] = {
    "VLLM_SERVER_DEV_MODE": _SWITCH,
    "OLLAMA_HOST": _ADDRESS,
    "LLAMA_ARG_HOST": _ADDRESS,
    "LLAMA_ARG_PORT": r"\d{1,5}",
    "MLFLOW_HOST": _ADDRESS,
    "MLFLOW_PORT": r"\d{1,5}",
    "MLFLOW_SERVER_ALLOWED_HOSTS": _ANY_HOST,
    "MLFLOW_SERVER_DISABLE_SECURITY_MIDDLEWARE": _SWITCH,
    "TS_DISABLE_TOKEN_AUTHORIZATION": _SWITCH,
    "NIM_SSL_MODE": r"(?i:disabled|tls|mtls)",
    "NIM_HTTP_API_PORT": r"\d{1,5}",
    "NIM_SERVER_PORT": r"\d{1,5}",
    "PORT": r"\d{1,5}",
    "GF_AUTH_ANONYMOUS_ENABLED": _SWITCH,
    "RAY_USE_TLS": r"0|1",
    "SPARK_MODE": r"master|worker",
    "DCGM_EXPORTER_LISTEN": _ADDRESS,
}
WORDS: frozenset[str] = frozenset(
    {
        "vllm",
        "serve",
        "vllm.entrypoints.openai.api_server",
        "vllm.entrypoints.api_server",
        "tritonserver",
        "text-generation-launcher",
        "ollama",
        "sglang",
        "sglang.launch_server",
        "llama-server",
        "lmdeploy",
        "torchserve",
        "jupyter",
        "jupyter-lab",
        "jupyter-notebook",
        "jupyter-server",
        "lab",
        "notebook",
        "start-notebook.sh",
        "start-notebook.py",
        "start-singleuser.sh",
        "start-singleuser.py",
        "jupyterhub-singleuser",
        "mlflow",
        "server",
        "ui",
        "argo",
        "ray",
        "start",
        "tensorboard",
        "dask",
        "dask-scheduler",
        "scheduler",
        "org.apache.spark.deploy.master.Master",
        "org.apache.spark.deploy.history.HistoryServer",
        "start-master.sh",
        "start-history-server.sh",
        "prometheus",
        "grafana",
        "grafana-server",
        "manager",
        "oauth2-proxy",
        "kube-rbac-proxy",
    }
)
"""Programs, and what some of them are told to do."""
ANNOTATIONS: frozenset[str] = frozenset(
    {
        "alb.ingress.kubernetes.io/auth-type",
        "alb.ingress.kubernetes.io/scheme",
        "kubernetes.io/ingress.class",
        "nginx.ingress.kubernetes.io/auth-tls-verify-client",
        "prometheus.io/port",
        "prometheus.io/scrape",
    }
)
SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {}
