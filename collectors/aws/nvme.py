"""Which sizes of SageMaker instances keep their data on local NVMe disks, which take no customer key.

"You can't request a KmsKeyId when using an instance type with local storage":
https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateEndpointConfig.html
Families that SageMaker offers and their disks, as of 2026-09: https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html and the pages
beside it. A family in neither set is unknown, not "without disks".
"""

from __future__ import annotations

LOCAL = frozenset(
    (
        *("c5d", "c5ad", "c6gd", "c6id", "c7gd", "c8gd", "m5d", "m5ad", "m5dn", "m6gd", "m6id", "m6idn", "m7gd", "m8gd"),
        *("r5d", "r5ad", "r5dn", "r6gd", "r6id", "r6idn", "r7gd", "r8gd", "i3en", "i4i", "i7ie", "x2idn", "x2iedn"),
        *("dl1", "g4dn", "g4ad", "g5", "g5g", "g6", "g6e", "g6f", "gr6", "g7", "g7e"),
        *("p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200", "trn1", "trn1n", "trn2"),
    )
)
"""Nitro families with instance store in every size."""

NETWORK_ONLY = frozenset(
    (
        *(
            "t2",
            "t3",
            "t3a",
            "m4",
            "m5",
            "m5a",
            "m5n",
            "m6a",
            "m6g",
            "m6i",
            "m6in",
            "m7a",
            "m7g",
            "m7i",
            "m7i-flex",
            "m8a",
            "m8g",
            "m8i",
        ),
        *("c4", "c5", "c5n", "c6a", "c6g", "c6gn", "c6i", "c6in", "c7a", "c7g", "c7gn", "c7i", "c7i-flex", "c8a", "c8g", "c8i"),
        *("r5", "r5a", "r5n", "r6a", "r6g", "r6i", "r6in", "r7a", "r7g", "r7i", "r7iz", "r8g", "r8i"),
        *("inf1", "inf2", "p2", "p3"),
    )
)
"""Families whose storage is EBS only, or that are not on Nitro: all take a key."""


def local_nvme(instance_type: str) -> bool:
    """Whether the size has local NVMe; KeyError for a family that is in no table."""
    family = instance_type.removeprefix("ml.").rpartition(".")[0]
    if family in LOCAL:
        return True
    if family in NETWORK_ONLY:
        return False
    raise KeyError(family)
