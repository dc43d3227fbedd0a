"""Facts that need more than one resource, made after collection and before evaluation."""
