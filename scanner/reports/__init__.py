"""The reporters: each renders a `Report` in one format and computes nothing of its own. `formats.py` is the list of them."""
