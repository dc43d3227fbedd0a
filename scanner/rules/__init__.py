"""Rules as data: read from Rego METADATA, selected, scaffolded, tested."""
