"""The last net for secrets: it catches them in every text, and touches nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import Reason
from scanner.redact import hinted, redact, scrub
from scanner.snapshot import Snapshot
from tests.scanner.builders import DENIED, key, write_snapshot

BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"x {BEGIN}\nMIIE\n{END} y", "x «redacted» y"),
        (f"{BEGIN}\nMIIE\ncut off", "«redacted»"),
        ("sk-proj-" + "a1B2" * 8, "«redacted»"),
        ("sk-" + "a1B2" * 12, "«redacted»"),
        ("sk-learn-training-data-bucket-prod", "sk-learn-training-data-bucket-prod"),
        ("my-sk-learn-training-data-bucket", "my-sk-learn-training-data-bucket"),
        ("postgres://me:hunter2@db/x", "postgres://«redacted»@db/x"),
        ("arn:aws:s3:::hf_" + "a1B2" * 9, "arn:aws:s3:::hf_" + "a1B2" * 9),
    ],
)
def test_texts(text, kept):
    assert redact(text) == kept


@given(st.from_regex(r"PRIVATE KEY|hf_|sk-|gh[pousr]_|github_pat_|glpat-|xox|nvapi-|eyJ|://|(?i:secret_access_key)"))
def test_what_every_secret_has_in_it_is_a_hint(text):
    assert hinted(text)


def test_odd_letters_that_a_pattern_takes_for_plain_ones_are_a_hint():
    odd = "AW\u017f_\u017fECRET_ACCE\u017f\u017f_KEY=" + "a" * 40
    assert hinted(odd)
    assert "a" * 40 not in redact(odd)


def test_two_halves_of_a_key_do_not_swallow_what_stands_between_them(tmp_path):
    """Tags and descriptions are written by whoever may create a resource."""
    hostile = key(gaps={"rotation_days": DENIED}, aliases=[BEGIN]).replace(tags={"a": BEGIN, "z": END}, name=END)
    with Snapshot.open(write_snapshot(tmp_path / "s", [hostile])) as snapshot:
        (found,) = snapshot.resources()
    assert found.facts["rotation_enabled"] is True
    assert found.gaps["rotation_days"].reason is Reason.DENIED
    assert found.tags == {"a": "«redacted»", "z": END}


def test_two_secrets_as_keys_stay_two_entries():
    assert len(scrub({"hf_" + "a" * 34: 1, "hf_" + "b" * 34: 2})) == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from((BEGIN, END, "sk-" + "x" * 40)),
    lambda c: st.lists(c) | st.dictionaries(st.text(), c),
)


def shape(value):
    if isinstance(value, dict):
        return [shape(v) for v in value.values()]
    return [shape(v) for v in value] if isinstance(value, list) else type(value)


@given(json_values)
def test_the_shape_stays(value):
    assert shape(scrub(value)) == shape(value)
    assert "PRIVATE KEY-----\\n" not in json.dumps(scrub(value))
