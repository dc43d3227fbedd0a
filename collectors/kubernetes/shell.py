"""Command lines as they stand, taken apart into simple commands. What is read here holds secrets: only `noted.py` looks, before redaction."""

from __future__ import annotations

import posixpath
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from collectors.kubernetes.marks import CLOUD_NAMES, HUB_NAMES, named_secret
from collectors.kubernetes.within import mapping, mappings

MOST = 128 * 1024
"""Characters of one word or script that are read."""
MOST_COMMANDS = 2000
"""Commands of one container that are read."""
LONGEST = 2000
"""Characters of a value that is filled in, and of a word that it is filled into."""
DEEPEST = 4
"""Shells within shells."""
_TOKEN = re.compile(r"\|\||&&|;;|[;&\n|]|(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\.|[^\s;&|\"'\\])+|[\"'\\]", re.DOTALL)
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*")
SCRIPT = re.compile(r"[\s;|&]")
_SHELL_FLAG = re.compile(r"-[a-z]*c")
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_REFERENCE = re.compile(r"\$(?:\((\w+)\)|\{(\w+)\}|(\w+))")
_OPENERS = re.compile(r"^(?:<\(|\$\(|[({`!]+)")
_WRAPPERS = frozenset(
    {
        "exec",
        "sudo",
        "env",
        "nohup",
        "time",
        "command",
        "then",
        "else",
        "do",
        "if",
        "while",
        "until",
        "elif",
        "tini",
        "dumb-init",
        "--",
    }
)
_TAKES = frozenset({"-u", "-g", "-n"})
"""Flags of them that take a value."""
RUNNERS = frozenset(
    {
        "timeout",
        "nice",
        "ionice",
        "chrt",
        "taskset",
        "numactl",
        "stdbuf",
        "unbuffer",
        "setsid",
        "gosu",
        "su-exec",
        "setpriv",
        "runuser",
    }
    | {"chroot", "catatonit", "xargs", "strace", "nsys", "opentelemetry-instrument", "mpirun", "mpiexec", "torchrun", "accelerate"}
    | {"uv", "conda", "mamba", "micromamba", "poetry", "pipenv", "pixi", "hatch", "pdm"}
)
"""Programs that run another one, which stands somewhere behind their own flags."""
SCRIPT_FILE = re.compile(r".*\.(?:sh|bash)")
PYTHON = re.compile(r"python(?:3(?:\.\d+)?)?")
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ash", "ksh"})


@dataclass(slots=True)
class Command:
    """One simple command."""

    words: list[str] = field(default_factory=list)
    piped: bool = False
    """What it writes goes to the next one."""
    substituted: bool = False
    """What it writes is taken as code or as words: `$(…)`, `<(…)`."""
    env: Mapping[str, str | None] = field(default_factory=dict)
    """The variables that it sees."""

    @property
    def program(self) -> str:
        """The name of the program, without its folder; empty where there is none before the first flag."""
        first = self.words[0] if self.words else ""
        return "" if first.startswith("-") else posixpath.basename(first)

    @property
    def rest(self) -> list[str]:
        """What is behind the program."""
        return self.words[1:] if self.program else self.words


def run_by(command: Command, known: Callable[[str], bool]) -> tuple[str, list[str]]:
    """The program and what is behind it; of a runner or a script that gets a `known` program by its arguments, that one."""
    if command.program in RUNNERS or SCRIPT_FILE.fullmatch(command.program):
        for at, word in enumerate(command.words[1:], 1):
            if known(posixpath.basename(word)):
                return posixpath.basename(word), command.words[at + 1 :]
    return command.program, command.rest


def variables(container: Mapping[str, Any]) -> dict[str, str | None]:
    """Variable → its literal value; None where it comes from elsewhere."""
    found: dict[str, str | None] = {}
    for entry in mappings(container.get("env")):
        if isinstance(entry.get("name"), str):
            value = entry.get("value")
            found[entry["name"]] = None if isinstance(entry.get("valueFrom"), dict) else str("" if value is None else value)
    for key in ("envVars", "env_vars"):
        found |= {str(name): str(value) for name, value in mapping(container.get(key)).items()}
    return found


def commands(container: Mapping[str, Any], env: dict[str, str | None]) -> list[Command]:
    """The simple commands of a container, the first `MOST_COMMANDS`. `env` gets what they assign, and fills in what they refer to."""
    words: list[str] = []
    for key in ("command", "args", "source", "entrypoint"):
        value = container.get(key)
        if isinstance(value, str):
            words += ["\n", *_tokens(value)] if key in ("source", "entrypoint") else [value]
        elif isinstance(value, list):
            words += [str(word)[:MOST] for word in value]
    return list(islice(_split(list(_flat(words, 0)), env), MOST_COMMANDS))


def script(text: str, env: dict[str, str | None]) -> list[Command]:
    """The simple commands of a script."""
    return list(_split(list(_tokens(text)), env))


def _tokens(text: str) -> Iterator[str]:
    text = _COMMENT.sub("", text[:MOST].replace("\\\n", " "))
    yield from _flat([m.group() for m in _TOKEN.finditer(text)], 1, quoted=True)


def _flat(words: Sequence[str], depth: int, *, quoted: bool = False) -> Iterator[str]:
    """Words, with those that are scripts of their own taken apart."""
    before = ""
    for index, word in enumerate(words):
        bare = unquoted(word) if quoted else word
        code = _SHELL_FLAG.fullmatch(before) is not None or before == "eval" or (index == 0 and not quoted)
        if depth < DEEPEST and SCRIPT.search(bare) and (code or (not quoted and re.search(r"[\n;|]|&&", bare))):
            yield "\n"
            yield from _tokens(bare) if depth < DEEPEST - 1 else [bare]
            yield "\n"
        else:
            yield bare
        before = bare


def unquoted(text: str) -> str:
    """A word without its quotes."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def _split(words: Sequence[str], env: dict[str, str | None]) -> Iterator[Command]:
    now = Command()
    seen: Mapping[str, str | None] | None = None  # what `env` was for the last command, as long as nothing is assigned
    for word in [*words, "\n"]:
        if word not in ("\n", ";", ";;", "&", "&&", "||", "|"):
            now.words.append(word)
            continue
        made, own = _made(now, env)
        if made.words:
            seen = dict(env) if seen is None else seen
            made.env = {**seen, **own} if own else seen
            made.piped = word == "|"
            yield made
        else:
            seen = None
        now = Command()


def _made(raw: Command, env: dict[str, str | None]) -> tuple[Command, Mapping[str, str | None]]:
    """A command without what stands before its program, and the variables that are its alone."""
    made = Command()
    own: dict[str, str | None] = {}
    local = ChainMap(own, env)
    words = iter(raw.words)
    wrapped = False
    for word in words:
        opened = _OPENERS.sub("", word)
        made.substituted = made.substituted or word.startswith(("$(", "<(", "`"))
        assigned = ASSIGNMENT.fullmatch(opened)
        if opened == "export":
            _export(words, env)
            return made, {}
        if opened in _WRAPPERS:
            wrapped = True
        elif wrapped and word.startswith("-"):
            if word in _TAKES:
                next(words, "")
        elif assigned:
            _assign(assigned, local)
        elif opened:
            made.words = [resolved(w, local) for w in (opened, *words)]
    if not made.words:
        env.update(own)  # a line of its own sets them for what follows
    made.words = [w for w in made.words if w not in (")", "}", "fi", "done")]
    return made, own


def _export(words: Iterator[str], env: dict[str, str | None]) -> None:
    for word in words:
        assigned = ASSIGNMENT.fullmatch(word)
        if assigned:
            _assign(assigned, env)


def _assign(assigned: re.Match[str], env: MutableMapping[str, str | None]) -> None:
    name, value = assigned.groups()
    env[name] = resolved(unquoted(value), env)[:LONGEST]


def resolved(word: str, env: Mapping[str, str | None]) -> str:
    """A word with the variables filled in whose values are known.

    https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/
    """

    def put(match: re.Match[str]) -> str:
        name = next(g for g in match.groups() if g)
        value = None if secret(name) else env.get(name)
        return match.group() if value is None else value[:LONGEST]

    return _REFERENCE.sub(put, word, count=20) if "$" in word and len(word) <= LONGEST else word


def secret(name: str) -> bool:
    """Whether a variable is called like a secret: it is filled in nowhere, so that what is shown of a word cannot be it."""
    return name in CLOUD_NAMES or name in HUB_NAMES or named_secret(name)


def open_ended(word: str) -> bool:
    """Whether a word is not settled: a variable that is not known, or a template's parameter."""
    return "$" in word or "{{" in word
