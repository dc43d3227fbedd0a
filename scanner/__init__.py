"""The core of Bartizan: nouns, snapshot, rules, engine, judge, reports, command. It knows no cloud."""

__version__ = "0.1.0"
