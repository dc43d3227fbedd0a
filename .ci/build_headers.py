"""When a wheel (or an editable checkout) is built: the headers of the rules, parsed. See scanner/rules/headers.py."""

import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Headers(BuildHookInterface):
    """A custom hook: https://hatch.pypa.io/latest/plugins/build-hook/custom/."""

    def initialize(self, version: str, build_data: dict) -> None:  # noqa: ARG002 - the interface's
        """Before anything is packed."""
        sys.path.insert(0, self.root)
        try:
            from scanner.rules.headers import write  # noqa: PLC0415 - found only now

            write(Path(self.root, "policies"))
        finally:
            sys.path.remove(self.root)
