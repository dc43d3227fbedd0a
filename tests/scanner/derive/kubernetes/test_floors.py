"""From which version on a product has the fixes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.derive.kubernetes.floors import Floor, _data, as_of, below, numbers
from scanner.model import Gap

BULLETIN = "https://github.com/NVIDIA/product-security/tree/main/2026/5850"


@pytest.mark.parametrize(
    ("product", "version", "fixed"),
    [
        ("nvidia-container-toolkit", "v1.19.1", None),
        ("nvidia-container-toolkit", "1.20", None),
        ("nvidia-container-toolkit", "1.9.0", "1.19.1"),
        ("nvidia-container-toolkit", "v1.19.0-ubi8", "1.19.1"),
        ("nvidia-container-toolkit", "v1.19.1-ubuntu20.04", None),
        # what comes before a release has not its fixes for certain
        ("nvidia-container-toolkit", "v1.19.1-rc.1", "1.19.1"),
        ("nvidia-gpu-operator", "v26.3.1", "26.3.2"),
        ("nvidia-gpu-operator", "v26.3.2", None),
        ("nvidia-driver", "535.309.01", None),
        ("nvidia-driver", "570.211.01", ""),
        ("nvidia-dcgm-exporter", "4.8.3", None),
        ("triton", "26.06", "26.07"),
        ("triton", "26.07", None),
        ("vllm", "0.22.0-rc1", "0.22.0"),
    ],
)
def test_floors(product: str, version: str, fixed: str | None) -> None:
    found = below(product, version)
    assert not isinstance(found, Gap)
    assert (found.fixed if found else None) == fixed


def test_what_a_version_lacks() -> None:
    assert below("nvidia-container-toolkit", "1.17.5") == Floor(
        "nvidia-container-toolkit", "1.19.1", ("CVE-2025-23266", "CVE-2025-23267", "CVE-2026-24260"), BULLETIN
    )


@pytest.mark.parametrize(
    ("product", "version"),
    [
        ("something", "1.0"),
        ("nvidia-container-toolkit", ""),
        ("nvidia-container-toolkit", "latest"),
        ("nvidia-container-toolkit", "sha256:00"),
        ("nvidia-container-toolkit", "7d865e9"),
        ("nvidia-driver", "700.1"),
        ("nvidia-driver", "580"),
    ],
)
def test_nobody_can_tell(product: str, version: str) -> None:
    assert isinstance(below(product, version), Gap)


@given(st.sampled_from(sorted(_data())), st.text(max_size=20))
def test_no_text_breaks_it(product: str, version: str) -> None:
    below(product, version)


@pytest.mark.parametrize("product", sorted(_data()))
def test_the_data(product: str) -> None:
    """Every floor has its source, is a version, and passes itself: no row contradicts another."""
    assert len(as_of()) == len("2026-11-30")
    for floor in _data()[product]:
        assert set(floor) <= {"branch", "date", "fixed", "from", "ids", "source"}
        assert floor.get("date", as_of()) <= as_of()
        assert floor["source"].startswith("https://")
        assert floor["ids"]
        assert numbers(floor["fixed"])
        assert floor.get("branch", "") in ("", floor["fixed"].partition(".")[0])
    highest = max(_data()[product], key=lambda f: numbers(f["fixed"]))
    assert below(product, highest["fixed"]) is None
