"""Policies of every engine, as one model."""
