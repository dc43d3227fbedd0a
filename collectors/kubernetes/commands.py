"""Of a command line what tells something and is no value that may be a secret."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collectors.kubernetes.kept import ENV, FLAGS, WORDS
from collectors.kubernetes.marks import MARKS, PLAIN, TEMPLATE, marks_in, mask, mask_words
from collectors.kubernetes.shell import ASSIGNMENT, SCRIPT

_FLAG = re.compile(r"(--?[A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)
_SHORT = re.compile(r"-[A-Za-z]")
_REFERENCE = re.compile(r"\$(?:[({]?\w+[)}]?|[@*])")
_TOKEN = re.compile(r"[;&|\n]+|(?:\"[^\"]*\"|'[^']*'|[^\s;&|\"'])+|[\"']")
_BREAK = re.compile(r"[;&|\n]+")
_CONTINUED = re.compile(r"\\\r?\n")
ELSEWHERE = "«from elsewhere»"
"""A variable whose value comes from a Secret, a ConfigMap or the pod itself."""


def bare_words(words: Iterable[Any]) -> list[str]:
    """Arguments without what may be secret: flags, values that are settings, known words, breaks between commands, and marks.

    A word that is a script of its own stays one word, its parts apart by a space.
    """
    return list(_bare(mask_words(words), nested=True))


def bare_script(text: str) -> str:
    """A script without what may be secret, its parts apart by a space."""
    return " ".join(_bare(_parts(mask(text)), nested=False)) or PLAIN


def _parts(text: str) -> Iterator[str]:
    for found in _TOKEN.finditer(_CONTINUED.sub(" ", text)):
        word = found.group()
        yield ";" if _BREAK.fullmatch(word) and "|" not in word else "|" if _BREAK.fullmatch(word) else word


def _bare(words: Iterable[str], *, nested: bool) -> Iterator[str]:
    pattern: re.Pattern[str] | None = None
    for word in words:
        wanted, pattern = pattern, None
        flag = _FLAG.fullmatch(word)
        if word in MARKS or word in (";", "|"):
            yield word
        elif nested and SCRIPT.search(word):
            yield " ".join(_bare(_parts(word), nested=False)) or PLAIN
        elif flag and _is_flag(flag.group(1)):
            name, value = flag.groups()
            known = FLAGS.get(flag_name(name))
            if value is None:
                pattern = known
                yield name
            else:
                yield f"{name}={_value(value, known)}"
        else:
            yield _word(word, wanted)


def _is_flag(name: str) -> bool:
    """Whether a word is a flag: after one dash a password may stand (`-phunter2`), so only known ones of several letters."""
    return name.startswith("--") or _SHORT.fullmatch(name) is not None or flag_name(name) in FLAGS or flag_name(name) in WORDS


def flag_name(word: str) -> str:
    """A flag as `FLAGS` writes it."""
    return word.lstrip("-").replace("_", "-")


def _value(value: str, known: re.Pattern[str] | None) -> str:
    """The value of a flag: itself where it is a setting or names a variable, else of what class it was."""
    bare = _unquoted(value)
    if not bare or bare in MARKS or _REFERENCE.fullmatch(bare):
        return bare
    setting = _setting(bare, known)
    return marks_in(bare) if setting is None else setting


def _setting(bare: str, known: re.Pattern[str] | None) -> str | None:
    """A value that is a setting; of one that only begins with one, what the pattern calls `kept`."""
    found = known.fullmatch(bare) if known else None
    return found.group("kept" if "kept" in found.re.groupindex else 0) if found else None


def _word(word: str, wanted: re.Pattern[str] | None) -> str:
    bare = _unquoted(word)
    setting = _setting(bare, wanted)
    if setting is not None:
        return setting
    if posixpath.basename(bare) in WORDS:
        return posixpath.basename(bare)
    assigned = ASSIGNMENT.fullmatch(bare)
    if assigned and assigned.group(1) in ENV:
        return f"{assigned.group(1)}={_value(assigned.group(2), ENV[assigned.group(1)])}"
    return bare if _REFERENCE.fullmatch(bare) else marks_in(bare)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


# ---- what the tables read of a (redacted) container


def words(container: Mapping[str, Any]) -> list[str]:
    """The command line of a container, its scripts taken apart; `;` and `|` stand between commands."""
    found: list[str] = []
    for key in ("command", "args", "source", "entrypoint"):
        value = container.get(key)
        for word in [value] if isinstance(value, str) else value if isinstance(value, list) else ():
            found += str(word).split()
    return found


def flags(line: Iterable[str]) -> dict[str, str | None]:
    """Flag → its value: a setting, a mark, empty where it has none; None where it has one that is not known. The last of several wins."""
    found: dict[str, str | None] = {}
    waiting = ""
    for word in line:
        flag = _FLAG.fullmatch(word)
        if flag is None:
            if waiting and word not in (";", "|"):
                found[waiting] = _known(word)
            waiting = ""
            continue
        name, value = flag_name(flag.group(1)), flag.group(2)
        found[name] = _known(value) if value is not None else ""
        waiting = name if value is None and name in FLAGS else ""
    return found


def _known(value: str) -> str | None:
    return None if value in (PLAIN, TEMPLATE) or _REFERENCE.fullmatch(value) else value


def environment(container: Mapping[str, Any]) -> dict[str, str | None]:
    """Variable → its value: a setting, a mark, or `ELSEWHERE`; None where it has one that is not known.

    Variables that `envFrom` brings are not in it.
    """
    found: dict[str, str | None] = {}
    entries = container.get("env")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            value = entry.get("value")
            found[entry["name"]] = ELSEWHERE if isinstance(entry.get("valueFrom"), dict) else _known(str(value or ""))
    return found
