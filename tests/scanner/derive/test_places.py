"""A derived fact stands where the fact is written that it is read from: only where that is one, and the source tells blocks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from scanner.derive.over import SnapshotWorld
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource, Where
from scanner.snapshot import Snapshot
from tests.scanner.builders import write_snapshot

BLOCK = Where("main.tf", 1, 1, block=(1, 9))
FIRST, SECOND = Where("main.tf", 2, 3), Where("main.tf", 3, 3)


def nothing(_resource: Resource, _world: World) -> Mapping[str, JSON | Gap]:
    return {"key_manager": "none", "wide": True}


MADE = [
    Derivation("data_store", ("key_manager",), nothing, needs=("encrypted", "key_id")),
    Derivation("data_store", ("wide",), nothing, needs=("key_manager", "store_type")),
]


@pytest.mark.parametrize(
    ("where", "places", "fact", "place"),
    [
        (BLOCK, {"key_id": FIRST}, "key_manager", FIRST),
        (BLOCK, {"encrypted": FIRST}, "key_manager", FIRST),
        (BLOCK, {"encrypted": FIRST, "key_id": SECOND}, "key_manager", SECOND),
        (BLOCK, {"encrypted": FIRST, "key_id": SECOND}, "wide", SECOND),
        (BLOCK, {"store_type": FIRST}, "wide", None),
        (BLOCK, {"other": FIRST}, "key_manager", None),
        (Where("pod.yaml", 1, 1), {"key_id": FIRST}, "key_manager", None),
    ],
)
def test_place(tmp_path: Path, where: Where, places: dict[str, Where], fact: str, place: Where | None) -> None:
    write_snapshot(tmp_path / "s", [])
    with Snapshot.open(tmp_path / "s") as snapshot:
        world = SnapshotWorld(snapshot, MADE)
        store = Resource("plan/a.b", "data_store", "AWS::S3::Bucket", "aws", "p", "", "b", where=where, places=places)
        assert world.complete(store, [fact]).places.get(fact) == place
