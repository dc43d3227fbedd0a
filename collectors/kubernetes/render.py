"""Helm charts and Kustomize overlays, rendered by their own tools where those are on PATH.

The tools get no network: their proxies lead nowhere, and Git may use no transport. They get no cluster and no home folder either.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from collectors.kubernetes.files import Folder, Problem, decoded
from collectors.kubernetes.overlays import overlay_file
from collectors.repository import joined
from scanner.model import frozen

SECONDS = 60.0
"""How long one rendering may take."""
NOWHERE = "http://127.0.0.1:9"
_SOURCE = re.compile(r"^# Source: ([^\n]+)\n", re.MULTILINE)


@frozen
class Rendered:
    """What a tool made of a chart's template or of an overlay. Its lines are not those of any file."""

    name: str
    """The template, or the overlay's own file, as reports call it."""
    text: str
    own: str = ""
    """The same, relative to the folder that was named."""


def render(folder: Folder, max_bytes: int, values: Sequence[str] = ()) -> Iterator[Rendered | Problem]:
    """What a chart or an overlay comes to; `values` are files of values for Helm."""
    helm = folder.chart
    command = _helm(folder.path, values) if helm else _kustomize()
    shown = folder.name or folder.path.resolve().name
    if command is None:
        what, tools, by_hand = (
            ("a Helm chart", "helm is not", "helm template")
            if helm
            else ("a Kustomize overlay", "neither kustomize nor kubectl is", "kubectl kustomize")
        )
        yield Problem(
            shown, f"{what}, and {tools} on PATH: install it, or scan what `{by_hand}` prints (`… | bartizan scan manifests -`)"
        )
        return
    text = _run(command, folder.path, shown, max_bytes)
    if isinstance(text, Problem):
        yield text
    elif helm:
        yield from _by_template(text, folder)
    else:
        yield _rendered(folder, overlay_file(folder.path), text)


def _helm(folder: Path, values: Sequence[str]) -> list[str] | None:
    tool = shutil.which("helm")
    if tool is None:
        return None
    release = re.sub(r"[^a-z0-9-]", "-", folder.resolve().name.lower()).strip("-")[:53] or "release"
    files = [word for file in values for word in ("--values", str(Path(file).resolve()))]
    return [tool, "template", release, ".", "--include-crds", "--skip-tests", *files]


def _kustomize() -> list[str] | None:
    for name, words in (("kustomize", ("build", ".")), ("kubectl", ("kustomize", "."))):
        tool = shutil.which(name)
        if tool:
            return [tool, *words]
    return None


def _run(command: Sequence[str], folder: Path, shown: str, max_bytes: int) -> str | Problem:
    """The output of a tool, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="bartizan-render-") as home, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - a tool that the user has on PATH, on a folder that the user named
            command, cwd=folder, env=_environment(home), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
        )
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(SECONDS, stop)
        timer.start()
        try:
            assert process.stdout is not None  # noqa: S101 - a pipe was asked for
            data = process.stdout.read(max_bytes + 1)
            if len(data) > max_bytes:
                process.kill()
            status = process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
        errors.seek(0)
        said = " ".join(errors.read(4000).decode(errors="replace").split())[:500]
    tool = Path(command[0]).name
    if late.is_set():
        return Problem(shown, f"{tool} was stopped after {SECONDS:g} seconds; not read")
    if len(data) > max_bytes:
        return Problem(shown, f"{tool} prints more than {max_bytes} bytes; not read")
    if status:
        return Problem(shown, f"{tool} could not render it: {said or f'exit status {status}'}")
    return decoded(shown, data, max_bytes)


def _environment(home: str) -> Mapping[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": home,
        "TMPDIR": home,
        "KUBECONFIG": os.devnull,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), NOWHERE),
    }


def _rendered(folder: Folder, name: str, text: str) -> Rendered:
    return Rendered(joined(folder.name, name), text, joined(folder.own, name))


def _by_template(text: str, folder: Folder) -> Iterator[Rendered]:
    """Helm names the template of every document: `# Source: chart/templates/x.yaml`."""
    found = list(_SOURCE.finditer(text))
    ends = [m.start() for m in found[1:]] + [len(text)]
    for match, end in zip(found, ends, strict=False):
        _, _, template = match.group(1).partition("/")
        yield _rendered(folder, template.lstrip("/"), text[match.end() : end])
