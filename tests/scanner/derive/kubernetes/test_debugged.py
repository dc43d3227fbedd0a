"""A pod into which somebody put a shell: its owner's faults are told once, and the shell's on the pod."""

from __future__ import annotations

from pathlib import Path

from collectors.kubernetes.live import collect_cluster
from scanner.evaluate import Plan, evaluate
from scanner.model import Status
from scanner.rules.library import load
from scanner.snapshot import Snapshot
from tests.collectors.kubernetes.apiserver import serving
from tests.collectors.kubernetes.objects import container, deployment, pod, thing

BAD = {"hostPID": True, "containers": [container("main", securityContext={"privileged": True})]}
OWNER = {"ownerReferences": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "u1", "controller": True}]}
SYSADMIN = container("shell", securityContext={"privileged": True, "capabilities": {"add": ["SYS_PTRACE"]}})
"""What `kubectl debug --profile=sysadmin` and `--profile=general` ask for, in one."""
RUNNING = {"ephemeralContainerStatuses": [{"name": "shell", "state": {"running": {}}}]}


def test_what_is_told_of_whom(tmp_path: Path) -> None:
    library = load()
    rules = tuple(library.rules.values())
    path = tmp_path / "s"
    with serving() as server, Snapshot.create(path) as snapshot:
        server.add(
            thing("v1", "Namespace", "team", None),
            deployment(spec=BAD, uid="u1"),
            pod("plain", BAD, **OWNER),
            {**pod("entered", {**BAD, "ephemeralContainers": [SYSADMIN]}, **OWNER), "status": RUNNING},
            {**pod("entered-too", {**BAD, "ephemeralContainers": [container("shell")]}, **OWNER), "status": RUNNING},
        )
        collect_cluster(snapshot, kubeconfig=server.kubeconfig(tmp_path), now="2026-11-30T00:00:00Z")
        snapshot.finish()
    found = evaluate(Plan(path, rules, library.modules, {r.id: r.params for r in rules if r.params})).verdicts
    told = {name: {(v.rule, v.status, v.message) for v in found if v.name == name} for name in ("plain", "entered", "entered-too")}
    runs = ("workload.debug_container", Status.FAIL, "the ephemeral container shell runs in it")
    titles = {rule: library.rules[rule].title for rule in ("workload.privileged", "workload.capabilities_added")}
    assert told == {
        "plain": set(),
        "entered": {
            runs,
            ("workload.privileged", Status.FAIL, "ephemeral container shell is privileged"),
            ("workload.capabilities_added", Status.FAIL, "ephemeral container shell adds SYS_PTRACE"),
        },
        "entered-too": {runs, *((rule, Status.PASS, title) for rule, title in titles.items())},
    }
    owner = {v.rule for v in found if v.name == "d" and v.status is Status.FAIL}
    assert {"workload.host_pid", "workload.privileged"} <= owner
