"""Collectors: one source in, Resources, Gaps and Calls out. They never judge."""
