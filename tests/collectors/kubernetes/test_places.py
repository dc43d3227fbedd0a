"""A fact of a manifest has the line and column of the key that it is read from."""

from __future__ import annotations

from pathlib import Path

from collectors.kubernetes.manifests import read_manifests
from scanner.model import Resource

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {a: b}}
spec:
  hostPID: true
  automountServiceAccountToken: true
  securityContext:
    runAsNonRoot: true
  volumes:
    - name: run
      hostPath: {path: /run}
  containers:
    - image: registry.example/a
      name: main
      securityContext:
        capabilities:
          add: [SYS_ADMIN]
        privileged: true
    - name: other
  initContainers:
    - {name: first, args: [a], securityContext: {}}
---
apiVersion: v1
kind: Service
metadata:
  name: s
spec:
  ports: []
  type: NodePort
"""


def read(tmp_path: Path, text: str) -> dict[str, Resource]:
    (tmp_path / "a.yaml").write_text(text)
    return {r.name: r for r in read_manifests([tmp_path]).resources}


def test_places(tmp_path: Path) -> None:
    found = read(tmp_path, POD)
    pod = {name: (w.line, w.column) for name, w in found["p"].places.items()}
    expected = {
        "host_pid": (5, 3),
        "token_mounted": (6, 3),
        "automount_token": (6, 3),
        "host_paths": (9, 3),
        "pod_labels": (3, 21),
        "sysctls": (7, 3),
        "containers": (12, 3),
        "containers[main]": (14, 7),
        "containers[main].image": (13, 7),
        "containers[main].privileged": (18, 9),
        "containers[main].cap_add": (17, 11),
        "containers[main].cap_drop": (16, 9),
        "containers[main].run_as_non_root": (15, 7),
        "containers[other]": (19, 7),
        "containers[first].args": (21, 21),
        "containers[first].privileged": (21, 32),
    }
    assert {name: pod.get(name) for name in expected} == expected
    assert "containers[other].image" not in pod
    service = {name: (w.line, w.column) for name, w in found["s"].places.items()}
    assert service["service_type"] == (29, 3)
    assert {w.file for r in found.values() for w in r.places.values()} == {"a.yaml"}


def test_json_of_one_line_has_columns(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"hostIPC": true, "containers": [{"name": "c"}]}}',
    )
    assert (found["p"].places["host_ipc"].line, found["p"].places["host_ipc"].column) == (1, 73)
