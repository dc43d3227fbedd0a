"""Service models of botocore, which take some MiB each, cut down to what the tables ask and kept for the services asked lately.

boto3 reads a model whole, its documentation and hundreds of operations with it, and keeps every one that it ever read: 45 services are
135 MiB in one region, and 12 MiB more in each further one.
"""

from __future__ import annotations

import gc
import gzip
import json
import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

MOST = 12
"""Services whose models are kept: as many as there are listings under way by default."""
SWEEP = 6
"""Services let go between two sweeps: clients hold each other in circles, which only the collector of garbage opens."""


class Models:
    """The loaders of models, one a service. Accounts that are scanned together share them.

    `asked` holds, by service, the methods (`list_keys`) that will be called; of a service that is not in it the whole model is read.
    """

    def __init__(self, asked: Mapping[str, Collection[str]] | None = None, most: int = MOST) -> None:
        self._asked = asked or {}
        self._most = most
        self._loaders: OrderedDict[str, Any] = OrderedDict()
        self._gone = 0
        self._first: Any = None
        self._lock = threading.Lock()

    def use(self, service: str) -> Collection[str]:
        """Mark a service as asked just now: the services that are kept."""
        with self._lock:
            self._loaders.setdefault(service, None)
            self._loaders.move_to_end(service)
            if len(self._loaders) <= self._most:
                return self._loaders.keys()
            while len(self._loaders) > self._most:
                self._loaders.popitem(last=False)
                self._gone += 1
            sweep, self._gone = (True, 0) if self._gone >= SWEEP else (False, self._gone)
            kept = tuple(self._loaders)
        if sweep:
            gc.collect()
        return kept

    def load(self, service: str, session: Any) -> None:
        """Make a boto3 session read models through the loader of a service, until it is told of another."""
        from botocore.loaders import create_loader  # noqa: PLC0415 - the SDK is an extra, imported when asked for

        inner = session._session  # noqa: SLF001 - boto3 offers no public way to its botocore session
        with self._lock:
            loader = self._loaders.get(service)
            if loader is None:
                loader = create_loader(inner.get_config_variable("data_path"))
                # NOTE: which services there are is read off a thousand folders: once is enough
                self._first = self._first or loader
                loader.list_available_services = self._first.list_available_services
                if service in self._asked:
                    loader.file_loader = _Files(loader.file_loader, self._asked[service])
                self._loaders[service] = loader
        inner.register_component("data_loader", loader)


class _Files:
    """botocore's way to its data files, with service models cut down. See `botocore.loaders.JSONFileLoader`."""

    def __init__(self, files: Any, methods: Collection[str]) -> None:
        self._files = files
        self._methods = methods
        self._shapes: Collection[str] = ()

    def exists(self, path: str) -> bool:
        """There is such a file; `path` has no ending."""
        return bool(self._files.exists(path))

    def load_file(self, path: str) -> Any:
        """What it holds, None where there is none."""
        if path.endswith("service-2.sdk-extras"):
            return self._extras(self._files.load_file(path))
        if not path.endswith("service-2"):
            return self._files.load_file(path)
        for ending, opened in ((".json", open), (".json.gz", gzip.open)):
            if Path(path + ending).is_file():
                with opened(path + ending, "rb") as file:
                    model = slim(json.load(file, object_pairs_hook=_undocumented), self._methods)
                    self._shapes = model["shapes"].keys()
                    return model
        return None

    def _extras(self, extras: Any) -> Any:
        """What boto3 adds to a model: nothing to shapes that are not there, which would be half shapes."""
        merged = (extras or {}).get("merge", {})
        if "shapes" not in merged:
            return extras
        shapes = {name: shape for name, shape in merged["shapes"].items() if name in self._shapes}
        return {**extras, "merge": {**merged, "shapes": shapes}}


def _undocumented(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # NOTE: a member may be called `documentation` as well: that one is a reference to its shape
    # and botocore reads the one of a client's parameter, which has nothing but a type besides
    kept = {key for key, _ in pairs} == {"documentation", "type"}
    return {
        key: "" if key == "documentation" and isinstance(value, str) else value
        for key, value in pairs
        if kept or key != "documentation" or not isinstance(value, str)
    }


def slim(model: dict[str, Any], methods: Collection[str]) -> dict[str, Any]:
    """A service model with the operations of `methods` and the shapes that they reach."""
    from botocore import xform_name  # noqa: PLC0415 - the SDK is an extra, imported when asked for

    operations = {name: operation for name, operation in model["operations"].items() if xform_name(name) in methods}
    shapes: dict[str, Any] = {}
    todo = list(_references(operations))
    while todo:
        name = todo.pop()
        if name not in shapes:
            shapes[name] = model["shapes"][name]
            todo += _references(shapes[name])
    return {**model, "operations": operations, "shapes": {name: shape for name, shape in model["shapes"].items() if name in shapes}}


def _references(value: Any) -> list[str]:
    """Names of the shapes that a part of a model refers to."""
    if isinstance(value, list):
        return [name for each in value for name in _references(each)]
    if not isinstance(value, dict):
        return []
    own = [value["shape"]] if isinstance(value.get("shape"), str) else []
    return own + [name for each in value.values() for name in _references(each)]
