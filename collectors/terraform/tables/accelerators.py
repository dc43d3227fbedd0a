"""Families of EC2 instances with accelerators. A plan cannot ask the service, so this table is dated.

As of 2026-09. Source: https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html (current generation) and
https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html (how names are made). A family is matched by its letters
and generation, so new variants (`p5en`, `g6e`, `trn2u`) count; a series of letters that is neither here nor among the known
families without accelerators is unknown.
"""

from __future__ import annotations

import re
from typing import Any

from collectors.table import MISSING

AS_OF = "2026-09"
ACCELERATED = frozenset(("p", "g", "gr", "trn", "inf", "dl", "vt", "f"))
"""Series whose every size has GPUs, Trainium, Inferentia, Gaudi, video or FPGA accelerators."""
PLAIN = frozenset(("a", "c", "d", "h", "hpc", "i", "im", "is", "m", "mac", "r", "t", "u", "x", "z"))
"""Series without."""

ENCRYPTED = frozenset(
    (
        *("dl1", "dl2q", "f2", "g4ad", "g4dn", "g5", "g6", "g6e", "g6f", "g7e", "gr6", "gr6f", "inf1", "inf2"),
        *("p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200", "trn1", "trn1n", "trn2", "trn2u", "vt1"),
    )
)
"""Families with accelerators that encrypt the traffic between each other: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/data-protection.html"""
CLEAR = frozenset(("f1", "g3", "g3s", "g5g", "p2", "p3"))
"""Families with accelerators that do not."""

_NAME = re.compile(r"^([a-z]+?)(?:-\d+tb|\d+)[a-z0-9-]*\.[a-z0-9-]+$")


def fabric_encrypted(instance_type: str) -> Any:
    """The size encrypts traffic between machines. Not told of a family that is in neither table, those without accelerators included."""
    family = instance_type.partition(".")[0]
    return family in ENCRYPTED if family in ENCRYPTED | CLEAR else MISSING


def accelerated(instance_type: str) -> bool:
    """The size has accelerators. ValueError for a name that is not understood, KeyError for a series that is in neither table."""
    match = _NAME.match(instance_type)
    if match is None:
        msg = f"not an instance type: {instance_type}"
        raise ValueError(msg)
    series = match[1]
    if series in ACCELERATED:
        return True
    if series in PLAIN:
        return False
    raise KeyError(series)
