"""All tables of AWS."""

from __future__ import annotations

from collectors.aws import cloudtrail, compute, directconnect, eks, elb, iam, kms, network, s3, sagemaker
from collectors.table import Table

TABLES: tuple[Table, ...] = (
    *kms.TABLES,
    *s3.TABLES,
    *network.TABLES,
    *compute.TABLES,
    *iam.TABLES,
    *elb.TABLES,
    *eks.TABLES,
    *directconnect.TABLES,
    *cloudtrail.TABLES,
    *sagemaker.TABLES,
)
