"""Which servers pods run, and how they are set up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.redact import clean
from collectors.kubernetes.servers import image_parts
from tests.collectors.kubernetes.objects import container, deployment, one, pod, thing

VLLM = "vllm/vllm-openai:v0.8.4"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - what servers are told


def facts(*containers: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return dict(one(clean(deployment(spec={"containers": list(containers), **spec}))).facts)


def servers(image: str = "registry.example/own:1", **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = facts(container(image=image, **more))["servers"]
    return found


def server(image: str = "registry.example/own:1", **more: Any) -> dict[str, Any]:
    (found,) = servers(image, **more)
    return found


def env(**variables: str) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in variables.items()]


SECRET = {"secretKeyRef": {"name": "s", "key": "k"}}


def test_the_whole_of_one() -> None:
    assert servers(VLLM, args=["--model", "m", "--api-key", "abc", "--trust-remote-code"]) == [
        {
            "container": "main",
            "product": "vllm",
            "version": "0.8.4",
            "auth": "key",
            "listens": "all",
            "ports": [8000],
            "dev_mode": False,
            "trust_remote_code": True,
        }
    ]


@pytest.mark.parametrize(
    ("image", "more", "product"),
    [
        (VLLM, {}, "vllm"),
        ("public.ecr.aws/deep-learning-containers/vllm:0.9-gpu-py312-ec2", {}, "vllm"),
        ("nvcr.io/nvidia/vllm:25.09-py3", {"command": ["vllm", "serve", "m"]}, "vllm"),
        ("own:1", {"command": ["python3", "-m", "vllm.entrypoints.openai.api_server", "--model", "m"]}, "vllm"),
        ("own:1", {"command": ["/opt/venv/bin/vllm", "serve", "m"]}, "vllm"),
        ("own:1", {"command": ["bash", "-c", "ray start --head && vllm serve m --port 8000"]}, "vllm"),
        ("nvcr.io/nvidia/tritonserver:26.06-py3", {"args": ["tritonserver", "--model-repository=/m"]}, "triton"),
        ("ghcr.io/huggingface/text-generation-inference:3.3.6", {"args": ["--model-id", "m"]}, "tgi"),
        ("ollama/ollama", {}, "ollama"),
        ("ollama/ollama:0.12.0", {"args": ["serve"]}, "ollama"),
        ("lmsysorg/sglang:v0.5.4", {"command": ["python3", "-m", "sglang.launch_server", "--host", EVERYWHERE]}, "sglang"),
        ("ghcr.io/ggml-org/llama.cpp:server-cuda", {"args": ["-m", "/m.gguf"]}, "llama.cpp"),
        ("openmmlab/lmdeploy:v0.10.1", {"args": ["lmdeploy", "serve", "api_server", "m"]}, "lmdeploy"),
        ("pytorch/torchserve:0.12.0-gpu", {}, "torchserve"),
        ("nvcr.io/nim/meta/llama-3.1-8b-instruct:1.3.3", {}, "nim"),
        ("quay.io/jupyter/pytorch-notebook:latest", {}, "jupyter"),
        ("own:1", {"command": ["jupyter", "lab"]}, "jupyter"),
        ("quay.io/jupyterhub/k8s-singleuser-sample:4", {"args": ["jupyterhub-singleuser"]}, "jupyterhub"),
        ("ghcr.io/mlflow/mlflow:v3.6.0", {"command": ["mlflow", "server", "--host", EVERYWHERE]}, "mlflow"),
        ("quay.io/argoproj/argocli:v3.7.2", {"args": ["server"]}, "argo"),
        ("tensorflow/tensorflow:2.20.0", {"args": ["tensorboard", "--logdir", "/l", "--bind_all"]}, "tensorboard"),
        ("ghcr.io/dask/dask:latest", {"args": ["dask", "scheduler"]}, "dask"),
        ("daskdev/dask", {"args": ["dask-scheduler"]}, "dask"),
        ("apache/spark:4.0.1", {"command": ["spark-class", "org.apache.spark.deploy.master.Master"]}, "spark"),
        ("quay.io/prometheus/prometheus:v3.7.0", {"args": ["--config.file=/p.yml"]}, "prometheus"),
        ("grafana/grafana:12.2.0", {}, "grafana"),
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.0-ubuntu22.04", {}, "dcgm-exporter"),
        ("quay.io/kuberay/operator:v1.7.0", {}, "kuberay-operator"),
    ],
)
def test_recognised_by_image_and_command(image: str, more: dict[str, Any], product: str) -> None:
    assert [s["product"] for s in servers(image, **more)] == [product]


@pytest.mark.parametrize(
    ("image", "more"),
    [
        # names of objects say nothing, and neither do parts of other names
        ("registry.example/vllm-client:1", {"name": "vllm"}),
        ("registry.example/ollama-webui:1", {"name": "ollama"}),
        ("ollama/ollama:0.12.0", {"args": ["pull", "m"]}),
        (VLLM, {"command": ["ray", "start", "--address=head:6379", "--block"]}),
        ("own:1", {"command": ["vllm", "bench", "serve"]}),
        ("own:1", {"command": ["dask", "worker", "s:8786"]}),
        ("quay.io/argoproj/argocli:v3.7.2", {"args": ["lint", "."]}),
        ("own:1", {"command": ["mlflow", "run", "."]}),
    ],
)
def test_what_is_no_server(image: str, more: dict[str, Any]) -> None:
    found = facts(container(image=image, **more))["servers"]
    assert [s for s in found if s["product"] != "vllm" or s["auth"] != "unknown"] == []


def test_jobs_that_end_are_no_servers_and_sidecars_are() -> None:
    setup = container("pull", image="ollama/ollama", command=["ollama", "serve"])
    assert facts(container(), initContainers=[setup])["servers"] == []
    assert [s["container"] for s in facts(container(), initContainers=[{**setup, "restartPolicy": "Always"}])["servers"]] == [
        "pull"
    ]


@pytest.mark.parametrize(
    ("more", "auth"),
    [
        ({}, "none"),
        ({"args": ["--api-key", "abc"]}, "key"),
        ({"args": ["--api-key=$(KEY)"]}, "key"),
        ({"args": ["--api-key", "$(KEY)"]}, "key"),
        ({"args": ["--api-key", ""]}, "none"),
        ({"args": ["--api-key="]}, "none"),
        ({"args": ["--api-key", "changeme"]}, "key"),
        ({"env": env(VLLM_API_KEY="abc")}, "key"),
        ({"env": env(VLLM_API_KEY="")}, "none"),
        ({"env": [{"name": "VLLM_API_KEY", "valueFrom": SECRET}]}, "key"),
        ({"envFrom": [{"secretRef": {"name": "s"}}]}, "unknown"),
        ({"args": ["--config", "/c.yaml"]}, "unknown"),
        ({"args": ["$(EXTRA_ARGS)"]}, "unknown"),
        ({"args": ["--model", "$(MODEL)"]}, "none"),
        ({"command": ["/bin/sh", "/run.sh"]}, "unknown"),
        ({"command": ["sh", "-c", "vllm serve m \\\n  --api-key $KEY"]}, "key"),
        ({"command": ["sh", "-c", "vllm serve m; other --api-key abc"]}, "none"),
        ({"command": ["sh", "-c", "exec vllm serve m $VLLM_ARGS"]}, "unknown"),
    ],
)
def test_keys_of_vllm(more: dict[str, Any], auth: str) -> None:
    assert server(VLLM, **more)["auth"] == auth


@pytest.mark.parametrize(
    ("image", "version"),
    [
        (VLLM, "0.8.4"),
        ("docker.io/vllm/vllm-openai:v0.11.0-x86_64", "0.11.0"),
        ("mirror.example:5000/hub/vllm/vllm-openai:v0.6.3.post1@sha256:" + "a" * 64, "0.6.3.post1"),
        ("vllm/vllm-openai:latest", ""),
        ("vllm/vllm-openai:nightly-abc", ""),
        ("vllm/vllm-openai@sha256:" + "a" * 64, ""),
        ("vllm/vllm-openai", ""),
        # somebody's own build has somebody's own numbers; NVIDIA's are years and months
        ("registry.example/ai/vllm-openai:1.2.3", ""),
        ("nvcr.io/nvidia/vllm:25.09-py3", ""),
        ("nvcr.io/nvidia/tritonserver:24.05-trtllm-python-py3", "24.05"),
        ("nvcr.io/nvidia/tritonserver:24.13-py3", ""),
        ("registry.example/nvidia/tritonserver:2.60", ""),
        ("ollama/ollama:0.1.33", "0.1.33"),
        ("ollama/ollama:0.1.34-rc1", "0.1.34-rc1"),
        ("vllm/vllm-openai:v0.22.0rc1", "0.22.0rc1"),
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.0-ubuntu22.04", "4.7.0"),
    ],
)
def test_versions(image: str, version: str) -> None:
    assert server(image)["version"] == version


@pytest.mark.parametrize(
    ("image", "more", "listens", "ports"),
    [
        (VLLM, {"args": ["--host", "127.0.0.1", "--port", "9000"]}, "loopback", [9000]),
        (VLLM, {"args": ["--host=0.0.0.0"]}, "all", [8000]),
        (VLLM, {"args": ["--host=$(POD_IP)", "--port=$(PORT)"]}, "unknown", []),
        (VLLM, {"args": ["--uds", "/run/vllm.sock"]}, "loopback", [8000]),
        ("ollama/ollama", {}, "all", [11434]),
        ("own:1", {"command": ["ollama", "serve"]}, "loopback", [11434]),
        ("own:1", {"command": ["ollama", "serve"], "env": env(OLLAMA_HOST=EVERYWHERE)}, "all", [11434]),
        ("ollama/ollama", {"env": env(OLLAMA_HOST="127.0.0.1:11434")}, "loopback", [11434]),
        ("own:1", {"command": ["python", "-m", "sglang.launch_server"]}, "loopback", [30000]),
        ("own:1", {"command": ["llama-server", "--host", "::", "--port", "8081"]}, "all", [8081]),
        ("ghcr.io/ggml-org/llama.cpp:server", {}, "all", [8080]),
        ("own:1", {"command": ["mlflow", "server"]}, "loopback", [5000]),
        ("own:1", {"command": ["mlflow", "server", "-h", EVERYWHERE, "-p", "80"]}, "all", []),
        ("own:1", {"command": ["tensorboard", "--logdir=/l"]}, "loopback", [6006]),
        ("own:1", {"command": ["tensorboard", "--logdir=/l", "--bind_all"]}, "all", [6006]),
        ("own:1", {"command": ["jupyter", "lab"]}, "loopback", [8888]),
        ("own:1", {"command": ["jupyter", "lab", "--ip=*", "--port=80"]}, "all", [80]),
        ("own:1", {"command": ["start-notebook.py"]}, "all", [8888]),
        ("nvcr.io/nvidia/tritonserver:26.06-py3", {"args": ["tritonserver", "--http-port=9000"]}, "all", [8001, 9000]),
        ("quay.io/prometheus/prometheus:v3.7.0", {"args": ["--web.listen-address=127.0.0.1:9090"]}, "loopback", [9090]),
        ("ghcr.io/huggingface/text-generation-inference:3.3.6", {"env": env(PORT="8080")}, "all", [8080]),
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4.4.2-4.7.0-ubuntu22.04", {"env": env(DCGM_EXPORTER_LISTEN=":9401")}, "all", [9401]),
    ],
)
def test_where_it_listens(image: str, more: dict[str, Any], listens: str, ports: list[int]) -> None:
    found = server(image, **more)
    assert (found["listens"], found["ports"]) == (listens, ports)


TRITON = "nvcr.io/nvidia/tritonserver:26.06-py3"
HTTP = "--http-restricted-api=model-repository:admin=s3cr3t"
GRPC = "--grpc-restricted-protocol=model-repository,shared-memory:admin=s3cr3t"


@pytest.mark.parametrize(
    ("args", "mode", "protocols", "known"),
    [
        ([], "none", ["http", "grpc"], True),
        (["--model-control-mode=none"], "none", ["http", "grpc"], True),
        (["--model-control-mode", "explicit"], "explicit", ["http", "grpc"], True),
        (["--model-control-mode=explicit", HTTP], "explicit", ["grpc"], True),
        (["--model-control-mode=explicit", HTTP, GRPC], "explicit", [], True),
        (["--model-control-mode=explicit", HTTP, "--allow-grpc=false"], "explicit", [], True),
        (["--model-control-mode=explicit", "--http-restricted-api=health:a=b", HTTP, GRPC], "explicit", [], True),
        (["--model-control-mode=explicit", "--http-restricted-api=health:a=b", GRPC], "explicit", ["http"], True),
        (["--model-control-mode=explicit", "--http-restricted-api=$(R)", GRPC], "explicit", [], False),
        (["--model-control-mode=$(MODE)"], "unknown", ["http", "grpc"], True),
        (["$(ARGS)"], "unknown", ["http", "grpc"], True),
    ],
)
def test_triton(args: list[str], mode: str, protocols: list[str], known: bool) -> None:  # noqa: FBT001 - a column
    found = server(TRITON, args=["tritonserver", *args])
    assert (found["model_control"], found["open_protocols"], found["restrictions_known"]) == (mode, protocols, known)


def test_triton_in_a_script_of_its_own() -> None:
    assert server(TRITON, command=["/start.sh"])["model_control"] == "unknown"


@pytest.mark.parametrize(
    ("args", "mounts", "place"),
    [
        (["--model-repository=s3://bucket/models"], [], "remote"),
        (["--model-store=gs://bucket/models"], [], "remote"),
        (["--model-repository=/models/a"], [{"name": "m", "mountPath": "/models"}], "writable"),
        (["--model-repository=/models/a"], [{"name": "m", "mountPath": "/models", "readOnly": True}], "read-only"),
        (["--model-repository=/models"], [{"name": "m", "mountPath": "/mod"}], "unknown"),
        (["--model-repository=/opt/models"], [], "unknown"),
        (["--model-repository=$(M)"], [], "unknown"),
        (
            ["--model-repository=/a", "--model-repository=/b"],
            [{"name": "m", "mountPath": "/a", "readOnly": True}, {"name": "n", "mountPath": "/b"}],
            "writable",
        ),
    ],
)
def test_repositories(args: list[str], mounts: list[dict[str, Any]], place: str) -> None:
    assert server(TRITON, args=["tritonserver", *args], volumeMounts=mounts)["repository"] == place


NOTEBOOK = "quay.io/jupyter/base-notebook:latest"


@pytest.mark.parametrize(
    ("more", "auth"),
    [
        ({}, "key"),
        ({"args": ["start-notebook.py"]}, "key"),
        ({"args": ["start-notebook.py", "--NotebookApp.token=''"]}, "none"),
        ({"args": ["start-notebook.py", '--NotebookApp.token=""']}, "none"),
        ({"args": ["start-notebook.py", "--ServerApp.token="]}, "none"),
        ({"args": ["start-notebook.py", "--IdentityProvider.token", "''"]}, "none"),
        ({"args": ["start-notebook.py", "--IdentityProvider.token", ""]}, "none"),
        ({"command": ["sh", "-c", "jupyter lab --LabApp.token='' --ip=0.0.0.0"]}, "none"),
        ({"command": ["sh", "-c", 'jupyter lab --ServerApp.token="" --ServerApp.password=""']}, "none"),
        ({"args": ["start-notebook.py", "--ServerApp.token=abc"]}, "key"),
        ({"args": ["start-notebook.py", "--ServerApp.token=$(TOKEN)"]}, "key"),
        ({"args": ["start-notebook.py", "--ServerApp.token=", "--ServerApp.password=argon2:x"]}, "key"),
        ({"args": ["start-notebook.py", "--ServerApp.token=", "--config=/c.py"]}, "unknown"),
        ({"env": env(JUPYTER_TOKEN="")}, "key"),
        ({"command": ["/start.sh"]}, "unknown"),
    ],
)
def test_tokens_of_jupyter(more: dict[str, Any], auth: str) -> None:
    assert server(NOTEBOOK, **more)["auth"] == auth


def test_notebooks_of_kubeflow_have_no_token() -> None:
    # https://github.com/kubeflow/kubeflow/blob/master/components/example-notebook-servers/jupyter/s6/services.d/jupyterlab/run
    for image in (
        "ghcr.io/kubeflow/kubeflow/notebook-servers/jupyter-scipy:v1.10.0",
        "kubeflownotebookswg/jupyter-pytorch-cuda-full",
    ):
        assert server(image)["auth"] == "none"
    notebook = thing("kubeflow.org/v1", "Notebook", "n", spec={"template": {"spec": {"containers": [container(image=image)]}}})
    assert one(clean(notebook), "workload").facts["servers"][0]["auth"] == "none"


@pytest.mark.parametrize(
    ("more", "auth", "unguarded"),
    [
        ([], "none", []),
        (["--app-name", "basic-auth"], "key", []),
        (["--app-name=oidc-auth"], "key", []),
        (["--app-name=something-of-mine"], "unknown", []),
        (["--allowed-hosts", "*"], "none", ["any Host header"]),
        (["--allowed-hosts=mlflow.example,*"], "none", ["any Host header"]),
        (["--allowed-hosts=mlflow.example,*.mlflow.example"], "none", []),
        (
            ["--allowed-hosts", "a.example", "--app-name=basic-auth", "--disable-security-middleware"],
            "key",
            ["no security middleware"],
        ),
    ],
)
def test_mlflow(more: list[str], auth: str, unguarded: list[str]) -> None:
    found = server(command=["mlflow", "server", "--host=0.0.0.0", *more])
    assert (found["auth"], found["unguarded"]) == (auth, unguarded)


def test_mlflow_by_variables_and_by_other_means() -> None:
    variables = env(MLFLOW_SERVER_ALLOWED_HOSTS="*", MLFLOW_SERVER_DISABLE_SECURITY_MIDDLEWARE="true")
    assert server(command=["mlflow", "ui"], env=variables)["unguarded"] == ["any Host header", "no security middleware"]
    assert server("ghcr.io/mlflow/mlflow:v3.6.0", command=["gunicorn", "mlflow.server:app"])["auth"] == "unknown"


@pytest.mark.parametrize(
    ("image", "more", "auth"),
    [
        ("quay.io/argoproj/argocli:v3.7.2", {"args": ["server"]}, "key"),
        ("quay.io/argoproj/argocli:v2.12.3", {"args": ["server"]}, "none"),
        ("quay.io/argoproj/argocli:v2.12.3", {"args": ["server", "--auth-mode=sso"]}, "key"),
        ("quay.io/argoproj/argocli:v3.7.2", {"args": ["server", "--auth-mode=server"]}, "none"),
        ("quay.io/argoproj/argocli:v3.7.2", {"args": ["server", "--auth-mode", "server", "--auth-mode", "client"]}, "none"),
        ("quay.io/argoproj/argocli:v3.7.2", {"args": ["server", "--auth-mode=$(MODE)"]}, "unknown"),
        ("grafana/grafana:12.2.0", {}, "key"),
        ("grafana/grafana:12.2.0", {"env": env(GF_AUTH_ANONYMOUS_ENABLED="true")}, "none"),
        ("grafana/grafana:12.2.0", {"envFrom": [{"configMapRef": {"name": "c"}}]}, "unknown"),
        ("grafana/grafana:12.2.0", {"env": [{"name": "GF_AUTH_ANONYMOUS_ENABLED", "valueFrom": SECRET}]}, "unknown"),
        ("quay.io/prometheus/prometheus:v3.7.0", {"args": ["--web.config.file=/w.yml"]}, "unknown"),
        ("quay.io/prometheus/prometheus:v3.7.0", {}, "none"),
        ("pytorch/torchserve:0.12.0-gpu", {}, "key"),
        ("pytorch/torchserve:0.11.0-gpu", {}, "none"),
        ("pytorch/torchserve:latest-gpu", {}, "unknown"),
        ("own:1", {"command": ["torchserve", "--start", "--disable-token-auth"]}, "none"),
        ("nvcr.io/nim/meta/llama:1", {}, "none"),
        ("nvcr.io/nim/meta/llama:1", {"env": env(NIM_SSL_MODE="mTLS")}, "key"),
        ("ghcr.io/huggingface/text-generation-inference:3.3.6", {"env": [{"name": "API_KEY", "valueFrom": SECRET}]}, "key"),
        ("ghcr.io/ggml-org/llama.cpp:server", {"args": ["--api-key-file", "/k"]}, "key"),
        ("ghcr.io/ggml-org/llama.cpp:server", {}, "none"),
        ("own:1", {"command": ["lmdeploy", "serve", "api_server", "m", "--api-keys", "abc"]}, "key"),
    ],
)
def test_who_is_asked(image: str, more: dict[str, Any], auth: str) -> None:
    assert server(image, **more)["auth"] == auth


@pytest.mark.parametrize(
    ("args", "gates", "known"),
    [
        ([], [], True),
        (["--feature-gates=RayClusterMTLS=true,RayCronJob=false"], ["RayClusterMTLS"], True),
        (["--feature-gates=$(G)"], [], False),
        (["--config=/c.yaml"], [], False),
    ],
)
def test_gates_of_the_ray_operator(args: list[str], gates: list[str], known: bool) -> None:  # noqa: FBT001 - a column
    found = server("quay.io/kuberay/operator:v1.7.0", args=args)
    assert (found["gates"], found["gates_known"]) == (gates, known)


def test_gates_of_the_chart() -> None:
    # https://github.com/ray-project/kuberay/blob/master/helm-chart/kuberay-operator/templates/deployment.yaml
    found = server("quay.io/kuberay/operator:v1.7.0", command=["/manager"], args=["--feature-gates=RayClusterNetworkPolicy=true"])
    assert (found["gates"], found["gates_known"]) == (["RayClusterNetworkPolicy"], True)


def test_proxies_and_ports() -> None:
    proxy = container(
        "proxy",
        image="quay.io/oauth2-proxy/oauth2-proxy:v7.12.0",
        args=["--http-address=0.0.0.0:4180", "--upstream=http://127.0.0.1:8000"],
        ports=[{"name": "web", "containerPort": 4181, "hostPort": 80}],
    )
    found = facts(container(ports=[{"containerPort": 53, "protocol": "UDP"}]), proxy)
    assert found["proxies"] == [{"container": "proxy", "ports": [4180, 4181]}]
    assert found["container_ports"] == [
        {"container": "main", "name": "", "port": 53, "protocol": "UDP", "host_port": 0},
        {"container": "proxy", "name": "web", "port": 4181, "protocol": "TCP", "host_port": 80},
    ]


def test_a_serving_runtime_may_start_anything() -> None:
    service = thing(
        "serving.kserve.io/v1beta1", "InferenceService", "x", spec={"predictor": {"model": {"modelFormat": {"name": "a"}}}}
    )
    assert {"servers", "proxies", "container_ports"} <= set(one(service, "workload").gaps)


@pytest.mark.parametrize(
    ("meta", "status", "host"),
    [
        ({}, {"url": "https://chat.example.com/v1"}, "chat.example.com"),
        ({}, {"url": "http://chat.team.svc.cluster.local"}, ""),
        ({"labels": {"networking.kserve.io/visibility": "cluster-local"}}, {}, ""),
        ({"labels": {"networking.knative.dev/visibility": "cluster-local"}}, {"url": "http://chat.example.com"}, ""),
    ],
)
def test_what_a_serving_layer_publishes(meta: dict[str, Any], status: dict[str, Any], host: str) -> None:
    spec = {"predictor": {"containers": [container()]}}
    service = thing("serving.kserve.io/v1beta1", "InferenceService", "x", metadata=meta, status=status, spec=spec)
    assert one(service, "workload").facts["external_host"] == host
    assert "external_host" in one({**service, "metadata": {"name": "x", "namespace": "t"}, "status": {}}, "workload").gaps
    assert one(pod()).facts["external_host"] == ""


@pytest.mark.parametrize(
    ("image", "parts"),
    [
        ("a", ("a", "")),
        ("a:1", ("a", "1")),
        ("reg:5000/a", ("a", "")),
        ("reg.example/x/a:1@sha256:b", ("x/a", "1")),
        ("localhost/a:1", ("a", "1")),
        ("vllm/vllm-openai:v1", ("vllm/vllm-openai", "v1")),
        ("", ("", "")),
    ],
)
def test_images(image: str, parts: tuple[str, str]) -> None:
    assert image_parts(image) == parts


@given(st.lists(st.text(max_size=30), max_size=5), st.text(max_size=40))
def test_whatever_stands_there(words: list[str], image: str) -> None:
    for item in servers(image, args=words):
        assert item["auth"] in ("key", "none", "unknown")
    servers(VLLM, command=["sh", "-c", " ".join(words)])
