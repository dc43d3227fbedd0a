"""Credentials in clear text among settings: what kind of secret stands where. The secret itself never leaves this module.

A detector takes a name and a value (a variable of an environment, a hyperparameter, a script) and answers kinds, lines and
fingerprints. Kinds with a form of their own are told by it; a value without one counts where its name says that it is a secret
and it looks like one. References (`arn:…`, `{{resolve:…}}`, `${VAR}`), paths, addresses, placeholders and the example keys of
documentations do not count. Entropy alone proves nothing: https://github.com/Yelp/detect-secrets/issues/266
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scanner.model import frozen

MOST = 1 << 20
"""Characters that are looked at. No service takes a setting as long; only what was packed is."""
SHAPE = {"kind", "location", "fingerprint"}
SHOWN = 20
"""Findings kept of one resource."""


@frozen
class Found:
    """A secret, told without its value."""

    kind: str
    """What it opens: `GitHub token`."""
    line: int
    """Line of the value that it stands on, from 1."""
    fingerprint: str
    """Start of the SHA-256 of the secret: the same secret elsewhere has the same one."""


def _form(pattern: str) -> re.Pattern[str]:
    """A token that stands by itself."""
    return re.compile(rf"(?<![A-Za-z0-9_-])(?:{pattern})(?![A-Za-z0-9_-])")


FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("AWS access key id", _form(r"AKIA[A-Z2-7]{16}")),
    ("Hugging Face token", _form(r"(?:hf|api_org)_[A-Za-z0-9]{34}")),
    ("GitHub token", _form(r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}")),
    ("GitLab token", _form(r"gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_.-]{20,300}")),
    ("Slack token", _form(r"xox[abeoprs]-[A-Za-z0-9-]{10,250}")),
    ("Anthropic key", _form(r"sk-ant-[a-z0-9]{3,12}-[A-Za-z0-9_-]{20,200}")),
    (
        "OpenAI key",
        _form(r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,250}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48}"),
    ),
    ("NVIDIA key", _form(r"nvapi-[A-Za-z0-9_-]{32,200}")),
    ("Weights & Biases key", _form(r"wandb_v1_[A-Za-z0-9_]{40,200}")),
    ("Docker token", _form(r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,64}")),
    ("Google API key", _form(r"AIza[A-Za-z0-9_-]{35}")),
    ("JSON Web Token", _form(r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{16,1000}")),
)
"""Kinds whose tokens are told by their form alone, as their makers publish it for scanners of secrets."""

_BREAK = r"(?:\\[rnt]|[\s\"',+\\|>]){0,64}"
_PEM = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----"
    rf"{_BREAK}(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\r\n\\]{{0,120}}{_BREAK}){{0,3}}([A-Za-z0-9+/=]{{24,20000}})"
)
_PACKED_PEM = re.compile(r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{24,20000}={0,2}")
_SERVICE_ACCOUNT = re.compile(r'"type\\?"\s{0,4}:\s{0,4}\\?"service_account')
_URL = re.compile(
    r"(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,80}:([^\s/@\"'<>]{6,200})@[A-Za-z0-9\[]", re.IGNORECASE
)

_NAME = re.compile(
    r"(?:password|passwd|passphrase|passcode|pwd|secret|token|(?:api|access|secret|private|auth)[_-]?key|(?:^|[_-])pass)$",
    re.IGNORECASE,
)
_WANDB = re.compile(r"wandb[A-Za-z0-9_-]{0,20}key$", re.IGNORECASE)
_AWS_SECRET = re.compile(r"aws[A-Za-z0-9_-]{0,20}secret[A-Za-z0-9_-]{0,20}key$|secret[_-]?access[_-]?key$", re.IGNORECASE)
_PASSWORD = re.compile(r"(?:pass(?:word|wd|phrase)|pwd)$", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9_$/.-])(?:--?)?([A-Za-z][A-Za-z0-9_.-]{0,80})[\"']?[ \t]{0,4}(?:=|:=|:(?=[ \t]))[ \t]{0,4}"
    r"(?:\"([^\"\r\n]{1,4000})\"|'([^'\r\n]{1,4000})'|([^\s\"'#;|&<>()\[\]{}]{1,4000}+)(?![(\[{]))"
)
"""`NAME=value`, `--name=value`, `name: value`; a flag whose value is the next word is told by `_FLAG`."""
_FLAG = re.compile(r"(?<![A-Za-z0-9_-])--([a-z][a-z0-9_-]{0,60})[ \t]{1,4}[\"']?([^\s\"'#;|&<>()-][^\s\"'#;|&<>()]{0,4000})")

_REFERENCE = re.compile(
    r"^(?:arn:|!(?:Ref|GetAtt|Sub|ImportValue|Join)\b|ssm:|vault:|secretsmanager:|aws-?sm:|env:|file:|s3://|gs://|https?://[^@]*$|[$`%<{(\[@*&]|\.{0,2}/|~/|[A-Za-z]:\\)"
    r"|\$\{|\$\(|\{\{|<[A-Za-z_ -]+>|%[A-Za-z_]+%"
)
_PLACEHOLDER = re.compile(
    r"example|placeholder|not[_-]?(?:needed|required|used|set)|no[_-]?key|token-abc123|change[_-]?(?:me|it)|replace[_-]?me|redacted|dummy|your[_-]|my[_-]?(?:token|secret|key|password)"
    r"|xxxx|\*\*\*|\.\.\.|^(?:true|false|yes|no|none|null|nil|undefined|todo|tbd|disabled|enabled|default|empty|test|auto"
    r"|required|optional|token|secret|string|password)$|-change-me|insert[_-]|to[_-]?be[_-]",
    re.IGNORECASE,
)
_WORDS = re.compile(r"^(?:[A-Za-z]+\d{0,3}|\d{1,4}[A-Za-z]{0,3})(?:[-_/.:@ ](?:[A-Za-z]+\d{0,3}|\d{1,4}[A-Za-z]{0,3}))*$")
_CALLED = re.compile(r"secret|token|passw|credential|key|auth", re.IGNORECASE)
_WORD = 8
"""Fewer letters are no secret, unless they are a password and not only words."""
_ADDRESS = re.compile(r"^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?:/|$)")
_FILE = re.compile(r"\.(?:json|ya?ml|txt|pem|key|crt|env|conf|cfg|ini|toml|py|sh|model|bin|safetensors)$", re.IGNORECASE)
_HEX40 = re.compile(r"^[0-9a-f]{40}$")
_AWS40 = re.compile(r"^[A-Za-z0-9/+]{40}$")


def find(name: str, value: str) -> list[Found]:
    """The secrets in `value`, which is called `name`. Never raises, and never gives back any part of the value."""
    text = value[:MOST] if isinstance(value, str) else ""
    found = {f for part in _layers(text) for f in _typed(part)}
    told = {f.fingerprint for f in found}
    kind = _named(name, text.strip())
    named = [Found(kind, 1, _mark(text.strip()))] if kind and not found else []
    written = [f for f in _written(text) if f.fingerprint not in told]
    return sorted({*found, *named, *(() if named else written)}, key=lambda f: (f.line, f.kind, f.fingerprint))


def findings(env: Any) -> list[dict[str, str]]:
    """The secrets in an environment (name → value), each with the name of its variable; of scripts with the line as well."""
    if _told(env):
        return list(env)
    made = []
    for name, value in (env or {}).items():
        lines = isinstance(value, str) and "\n" in value.strip()
        made += [_shown(f, f"{name}, line {f.line}" if lines else str(name)) for f in find(str(name), value)]
    return sorted(made, key=lambda f: (f["location"], f["kind"], f["fingerprint"]))[:SHOWN]


def pairs(entries: Any) -> list[dict[str, str]]:
    """As `findings`, of a list of `{name, value}`. Raises where it is none."""
    if _told(entries):
        return list(entries)
    return findings({str(e["name"]): e.get("value") or "" for e in entries})


def words(arguments: Any) -> list[dict[str, str]]:
    """As `findings`, of the words of a command line. Raises where they are no list."""
    if _told(arguments):
        return list(arguments)
    told = [a for a in arguments if isinstance(a, str)]
    text = "\n".join([" ".join(told).replace("\n", " ") if len(told) > 1 else "", *told])
    seen = {(f.kind, f.fingerprint): f for f in find("", text)}
    return [_shown(f, "command line") for f in sorted(seen.values(), key=lambda f: (f.kind, f.fingerprint))][:SHOWN]


def script(text: str) -> list[dict[str, str]]:
    """As `findings`, of a script: located by its lines."""
    return [_shown(f, f"line {f.line}") for f in find("", text)][:SHOWN]


def user_data(value: Any) -> list[dict[str, str]]:
    """As `script`, of the user data of a machine: base64, perhaps packed by gzip, perhaps MIME of many parts.

    Raises ValueError where it cannot be read, or not all of it: nothing can be said of it then.
    """
    if _told(value):
        return list(value)
    if isinstance(value, Mapping):
        value = value.get("Value")
    if not value:
        return []
    try:
        packed = base64.b64decode("".join(value.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        msg = "user data that is not base64"
        raise ValueError(msg) from error
    return plain_user_data(packed)


def encoded(value: Any) -> list[dict[str, str]]:
    """As `script`, of a script in base64."""
    return user_data(value)


def plain_user_data(value: str | bytes) -> list[dict[str, str]]:
    """As `user_data`, already out of its base64."""
    text = _unpacked(value) if isinstance(value, bytes) else value
    if len(text) > MOST:
        msg = "user data that unpacks to more than is looked at"
        raise ValueError(msg)
    made = script(text)
    told = {f["fingerprint"] for f in made}
    for number, part in enumerate(_mime(text), 1):
        made += [{**f, "location": f"part {number}, {f['location']}"} for f in script(part) if f["fingerprint"] not in told]
    return made[:SHOWN]


def listed(*values: Any) -> list[dict[str, str]]:
    """Findings that stand in the place of what they were found in, put together. TypeError where something else stands there."""
    made: list[dict[str, str]] = []
    for value in values:
        if not value:
            continue
        if not isinstance(value, list):
            msg = "what it says could not be read"
            raise TypeError(msg)
        made += value
    return made


def within(place: str, found: list[dict[str, str]]) -> list[dict[str, str]]:
    """Findings whose location gets a place in front."""
    return [{**f, "location": f"{place}, {f['location']}"} for f in listed(found)]


REDUCE: Mapping[str, Callable[[Any], Any]] = {"UserData": user_data}
"""User data, for `Call.reduce`."""


# ---- what a value holds


def _told(value: Any) -> bool:
    """It is what a detector made: an answer that was kept may be read again."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) and v.keys() == SHAPE for v in value)


def _shown(found: Found, location: str) -> dict[str, str]:
    return {"kind": found.kind, "location": location[:200], "fingerprint": found.fingerprint}


def _mark(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()[:8]


def _layers(text: str) -> Iterator[str]:
    """The text, and private keys in base64 opened where they stand, so that lines stay as they are."""
    yield text
    opened = _PACKED_PEM.sub(_open, text)
    if opened != text:
        yield opened


def _open(match: re.Match[str]) -> str:
    packed = match[0].rstrip("=")
    try:
        plain = base64.b64decode(packed[: len(packed) // 4 * 4]).decode("latin-1")
    except (binascii.Error, ValueError):
        return ""
    return plain.replace("\n", "\\n").replace("\r", "")


def _typed(text: str) -> Iterator[Found]:
    for kind, pattern in FORMS:
        for match in pattern.finditer(text):
            if _real(match[0]):
                yield Found(kind, _line(text, match.start()), _mark(match[0]))
    google = bool(_SERVICE_ACCOUNT.search(text))
    for match in _PEM.finditer(text):
        if len(set(match[1])) > 6:  # noqa: PLR2004 - fewer different letters are filling
            yield Found("Google service account key" if google else "private key", _line(text, match.start()), _mark(match[1]))
    for match in _URL.finditer(text):
        if _literal(match[1]):
            yield Found("password in an address", _line(text, match.start()), _mark(match[1]))


def _written(text: str) -> Iterator[Found]:
    """Secrets that a script or command line gives a name."""
    for match in _ASSIGNED.finditer(text):
        value = next(g for g in match.groups()[1:] if g is not None).strip()
        kind = _named(match[1], value)
        if kind:
            yield Found(kind, _line(text, match.start(1)), _mark(value))
    for match in _FLAG.finditer(text):
        kind = _named(match[1], match[2])
        if kind:
            yield Found(kind, _line(text, match.start(1)), _mark(match[2]))


def _named(name: str, value: str) -> str:
    """What a value is by its name and looks; empty for no secret."""
    name, value = name[-120:], value.strip("\"'")
    if _WANDB.search(name) and _HEX40.match(value) and _real(value):
        return "Weights & Biases key"
    if not _literal(value):
        return ""
    if _AWS_SECRET.search(name) and _AWS40.match(value):
        return "AWS secret access key"
    if not _NAME.search(name) or value.isdigit() or _ADDRESS.match(value) or _FILE.search(value):
        return ""
    password = bool(_PASSWORD.search(name))
    if _WORDS.match(value):
        one = value.isalnum()
        if "/" in value or _CALLED.search(value) or len(value) < _WORD or (one and not password and not _random(value)):
            return ""  # more like the name of a secret, a mode or a switch
    elif not password and len(value) < _WORD:
        return ""
    return "password" if password else "credential"


def _real(token: str) -> bool:
    """Not an example of some documentation, nor filling."""
    return len(set(token[4:])) > 6 and not _PLACEHOLDER.search(token)  # noqa: PLR2004 - fewer different letters are filling


def _literal(value: str) -> bool:
    """A value that may be a secret itself: not a reference to one, not a placeholder."""
    short = 6
    if not short <= len(value) <= 4_000 or any(c.isspace() for c in value):  # noqa: PLR2004 - longer ones are documents
        return False
    return not _REFERENCE.search(value) and not _PLACEHOLDER.search(value) and len(set(value)) > 3  # noqa: PLR2004 - filling


def _random(value: str) -> bool:
    """It looks made by a machine: long enough, letters and digits mixed, many different ones."""
    long, different = 12, 2.9
    mixed = any(c.isdigit() for c in value) + any(c.islower() for c in value) + any(c.isupper() for c in value)
    return len(value) >= long and mixed > 1 and _entropy(value) >= different


def _entropy(value: str) -> float:
    """Bits a letter."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


# ---- what user data is wrapped in


def _unpacked(data: bytes) -> str:
    """The text of user data, out of gzip (within bounds)."""
    if data[:2] == b"\x1f\x8b":
        opener = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            data = opener.decompress(data, MOST + 1)
        except zlib.error as error:
            msg = "user data that is not gzip"
            raise ValueError(msg) from error
    return data.decode("utf-8", "replace")


def _mime(text: str) -> Iterator[str]:
    """Parts of MIME user data that are encoded or packed again; plain ones stand in the text as they are."""
    if "content-type:" not in text[:4_000].lower():
        return
    from email import message_from_string  # noqa: PLC0415 - few user data have parts

    message = message_from_string(text)
    for part in message.walk():
        encoded_part = str(part.get("Content-Transfer-Encoding", "")).lower() in ("base64", "quoted-printable")
        payload = part.get_payload(decode=True) if encoded_part and not part.is_multipart() else None
        if isinstance(payload, bytes):
            yield _unpacked(payload)[:MOST]
