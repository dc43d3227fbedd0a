"""Kubernetes, live or as manifests: the same tables read both."""
