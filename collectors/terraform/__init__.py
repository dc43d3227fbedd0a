"""Terraform and OpenTofu plans (`terraform show -json`) as a source: what will be, before it is."""
