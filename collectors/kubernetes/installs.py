"""What containers install when they start, and how little is known of it.

https://pip.pypa.io/en/stable/topics/secure-installs/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from collectors.kubernetes.shell import PYTHON, SCRIPT_FILE, SHELLS, Command, open_ended, run_by
from collectors.kubernetes.within import mapping, sequence

PUBLIC = re.compile(
    r"(?:.*\.)?(?:pypi\.org|pythonhosted\.org|pypi\.python\.org|pytorch\.org|pypi\.nvidia\.com|pypi\.ngc\.nvidia\.com|wheels\.vllm\.ai"
    r"|flashinfer\.ai|tuna\.tsinghua\.edu\.cn|aliyun\.com|ustc\.edu\.cn|douban\.com|github\.io|github\.com|gitlab\.com|huggingface\.co)"
)
"""Hosts of package indexes that are open to everyone. Any other is taken for an index of one's own."""
FLAWS: Mapping[str, str] = {
    "unchecked": "medium",
    "packages": "medium",
    "script": "medium",
    "repository": "high",
    "clear_text": "high",
    "untrusted": "high",
}
"""How something is installed → how bad it is: from a public index without hashes, by the system's package manager, a script piped into a
shell, straight from a source repository, over plain HTTP, with the checks of certificates or signatures off."""
_PIP = re.compile(r"pip(?:3(?:\.\d+)?)?")
_REPOSITORY = re.compile(r"(?:^|@\s*)(?:git|hg|svn|bzr)\+")
_COMMIT = re.compile(r"@[0-9a-f]{40}(?:#|$)")
_HASH = re.compile(r"#(?:.*&)?sha(?:256|384|512)=[0-9a-f]{64,128}")
_LOCAL = re.compile(r"\.{0,2}/|~|file:|\.$|\.\[")
_TRUE = frozenset({"1", "true", "yes", "on", "y"})
_TAKES = frozenset(
    {
        "-r",
        "--requirement",
        "-c",
        "--constraint",
        "-i",
        "--index-url",
        "--pypi-url",
        "--extra-index-url",
        "--default-index",
        "--index",
    }
    | {"-f", "--find-links", "--trusted-host", "--allow-insecure-host", "-t", "--target", "--prefix", "--root", "-e", "--editable"}
    | {"--cache-dir", "--src", "--platform", "--python-version", "--implementation", "--abi", "--upgrade-strategy", "--timeout"}
    | {"--retries", "--proxy", "--cert", "--client-cert", "--progress-bar", "--log", "--report", "--root-user-action", "-C"}
    | {
        "--config-settings",
        "--global-option",
        "--no-binary",
        "--only-binary",
        "--python",
        "-p",
        "--index-strategy",
        "--extra",
        "--group",
    }
)
_SYSTEM: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("apt-get", "apt", "aptitude", "yum", "dnf", "microdnf", "tdnf", "zypper"), frozenset({"install", "in"})),
    "apk": frozenset({"add"}),
    **dict.fromkeys(("conda", "mamba", "micromamba"), frozenset({"install", "create", "update"})),
    **dict.fromkeys(("npm", "pnpm"), frozenset({"install", "i", "add"})),
    **dict.fromkeys(("gem", "go", "cargo", "pipx"), frozenset({"install"})),
}
_SYSTEM_TAKES = frozenset(
    {"-o", "--option", "-c", "--config-file", "-t", "--target-release", "-n", "--name", "-p", "--prefix", "-X", "--repository"}
    | {"-C", "--cwd", "--installroot", "--releasever", "--setopt"}
)
_UNSIGNED = frozenset({"--allow-unauthenticated", "--force-yes", "--nogpgcheck", "--no-gpg-checks", "--allow-untrusted"})


def found(commands: Sequence[Command]) -> list[dict[str, str]]:
    """`{tool, how}` of all installations on a command line that nothing checks."""
    made = [entry for command, taker in zip(commands, _takers(commands), strict=True) for entry in _of(command, taker)]
    return [dict(e) for e in sorted({tuple(sorted(m.items())) for m in made})]


def unseen(commands: Sequence[Command]) -> bool:
    """Whether a script is run that stands elsewhere, or a program that is not known."""
    return any(_elsewhere(c) or (_PIP.fullmatch(c.program) and any(map(open_ended, c.rest))) for c in commands)


def _elsewhere(command: Command) -> bool:
    program, words = command.program, [w for w in command.rest if not w.startswith("-")]
    if program in (*SHELLS, "source", "."):
        return bool(words) and not command.substituted and not words[0].startswith(("<(", "$("))
    return SCRIPT_FILE.fullmatch(program) is not None or (
        bool(command.words) and open_ended(command.words[0]) and "(" not in program
    )


def _installs(program: str) -> bool:
    return program in (*_SYSTEM, "uv") or any(pattern.fullmatch(program) for pattern in (_PIP, PYTHON))


def _entry(tool: str, how: str) -> dict[str, str]:
    return {"tool": tool, "how": how, "grade": FLAWS[how]}


def _takers(commands: Sequence[Command]) -> list[str]:
    """For each command the interpreter at the end of its pipe, empty for none."""
    found: list[str] = []
    behind, taker = "", ""
    for command in reversed(commands):
        taker = "" if not command.piped else behind if behind in SHELLS or PYTHON.fullmatch(behind) else taker
        found.append(taker)
        behind = command.program
    return found[::-1]


def _of(command: Command, taker: str) -> Iterator[dict[str, str]]:
    program, words = (command.program, command.rest) if command.program in ("uv", *_SYSTEM) else run_by(command, _installs)
    if PYTHON.fullmatch(program) and "-m" in words:
        at = words.index("-m")
        program, words = (words[at + 1 : at + 2] or [""])[0], words[at + 2 :]
    if program in ("curl", "wget"):
        yield from _download(command, taker)
    elif program in SHELLS and any(w.startswith(("<(curl", "<(wget", "$(curl", "$(wget", "`curl", "`wget")) for w in words):
        yield _entry(program, "clear_text" if _clear(words) else "script")
    elif _PIP.fullmatch(program) or program == "uv":
        yield from _python("uv" if program == "uv" else "pip", words, command.env)
    elif program in _SYSTEM:
        yield from _system(program, words)
    elif program in ("uvx", "npx"):
        yield _entry(program, "unchecked")


def _clear(words: Sequence[str]) -> bool:
    return any(w.strip("\"')`").startswith("http://") for w in words)


def _download(command: Command, taker: str) -> Iterator[dict[str, str]]:
    """What is loaded and handed to an interpreter at once."""
    if command.substituted and not taker:
        taker = "sh" if command.words and len(command.words) > 1 else ""
    if taker:
        yield _entry(command.program, "clear_text" if _clear(command.words) else "script")


def _system(program: str, words: Sequence[str]) -> Iterator[dict[str, str]]:
    """The package managers of distributions and of other languages."""
    told = _told(words, _SYSTEM_TAKES)
    told = told[1:] if program == "conda" and told[:1] == ["env"] else told
    if not told or told[0] not in _SYSTEM[program]:
        return
    if _UNSIGNED & set(words) or _clear(words):
        yield _entry(program, "untrusted" if _UNSIGNED & set(words) else "clear_text")
    elif program == "conda" and "--offline" in words:
        return
    else:
        yield _entry(program, "packages")


def _told(words: Sequence[str], takes: frozenset[str]) -> list[str]:
    """The words that are neither flags nor values of flags."""
    return [w for before, w in zip(("", *words), words, strict=False) if not w.startswith("-") and before not in takes]


def _python(tool: str, words: Sequence[str], env: Mapping[str, str | None]) -> Iterator[dict[str, str]]:
    """`pip install`, and what `uv` installs."""
    told = _told(words, _TAKES)
    verb = told[:2] if tool == "uv" and told[:1] in (["pip"], ["tool"]) else told[:1]
    if verb in (["sync"], ["run"], ["add"]):
        if tool == "uv" and not {"--frozen", "--locked", "--offline", "--no-sync"} & set(words):
            yield _entry(tool, "unchecked")
        return
    if not verb or verb[-1] not in ("install", "sync"):
        return
    how = judged(words[words.index(verb[-1]) + 1 :], env)
    if how:
        yield _entry(tool, how)


def judged(words: Sequence[str], env: Mapping[str, str | None]) -> str:
    """What is wrong with the arguments of an installation of Python packages; empty for nothing."""
    options, packages, switches = _sorted(words)
    packages += options.get("-e", []) + options.get("--editable", [])
    sources = [p for p in packages if _REPOSITORY.search(p) and not _COMMIT.search(p)]
    links = options.get("-f", []) + options.get("--find-links", [])
    extra = options.get("--extra-index-url", []) + options.get("--index", []) + _of_env(env, "EXTRA_INDEX_URL")
    own = [v for k in ("-i", "--index-url", "--pypi-url", "--default-index") for v in options.get(k, [])]
    own = own or _of_env(env, "INDEX_URL") or _of_env(env, "DEFAULT_INDEX")
    trusted = options.get("--trusted-host", []) + options.get("--allow-insecure-host", []) + _of_env(env, "TRUSTED_HOST")
    if trusted:
        return "untrusted"
    if sources:
        return "repository"
    if any(u.startswith("http://") for u in (*packages, *links, *extra, *own)) or any("@ http://" in p for p in packages):
        return "clear_text"
    if "--require-hashes" in switches or _on(env, "PIP_REQUIRE_HASHES"):
        return ""
    loose = [p for p in packages if "://" in p and not _HASH.search(p) and not _private(p)]
    if loose:
        return "unchecked"
    if {"--no-index", "--offline"} & switches or _on(env, "PIP_NO_INDEX") or _on(env, "UV_OFFLINE"):
        return ""
    local = bool(packages) and not options.keys() & {"-r", "--requirement"} and all(_LOCAL.match(p) or "://" in p for p in packages)
    if local and "--no-deps" in switches:
        return ""
    return "" if own and all(map(_private, (*own, *extra))) else "unchecked"


def _sorted(words: Sequence[str]) -> tuple[dict[str, list[str]], list[str], set[str]]:
    """(options with their values, packages, switches)."""
    options: dict[str, list[str]] = {}
    packages: list[str] = []
    switches: set[str] = set()
    waiting = ""
    for word in words:
        name, equal, value = word.partition("=")
        if waiting:
            options.setdefault(waiting, []).append(word)
            waiting = ""
        elif not word.startswith("-"):
            packages.append(word)
        elif equal:
            options.setdefault(name, []).append(value)
        elif word in _TAKES:
            waiting = word
        else:
            switches.add(word)
    return options, packages, switches


def _of_env(env: Mapping[str, str | None], name: str) -> list[str]:
    values = [env.get(f"{tool}_{name}") for tool in ("PIP", "UV")]
    return [word for value in values if value for word in value.split()]


def _on(env: Mapping[str, str | None], name: str) -> bool:
    return (env.get(name) or "").lower() in _TRUE


def _private(url: str) -> bool:
    """An index of one's own. Where the host is not known, nothing is said against it."""
    url = url.rpartition("@ ")[2]
    try:
        host = urlsplit(url.removeprefix("git+")).hostname
    except ValueError:
        return False
    return host is None or PUBLIC.fullmatch(host) is None


# ---- runtime environments of Ray: https://docs.ray.io/en/latest/ray-core/handling-dependencies.html#api-reference


def of_runtime_env(env: Any) -> list[dict[str, str]]:
    """As `found`, of a runtime environment."""
    made: list[dict[str, str]] = []
    told = mapping(env)
    variables = {str(k): str(v) for k, v in mapping(told.get("env_vars")).items()}
    for tool, options in (("pip", "pip_install_options"), ("uv", "uv_pip_install_options")):
        entry = told.get(tool)
        packages = entry if isinstance(entry, list) else sequence(mapping(entry).get("packages"))
        words = [str(p) for p in packages] + [str(o) for o in sequence(mapping(entry).get(options))]
        if isinstance(entry, str) or isinstance(mapping(entry).get("packages"), str):
            words += ["-r", "requirements.txt"]
        how = judged(words, variables) if words else ""
        if how:
            made.append(_entry(f"runtime_env {tool}", how))
    if told.get("conda"):
        made.append(_entry("runtime_env conda", "packages"))
    places = [told.get("working_dir"), *sequence(told.get("py_modules"))]
    if any(str(p).startswith(("https://", "http://", "git+")) for p in places if p):
        made.append(
            _entry("runtime_env working_dir", "clear_text" if any(str(p).startswith("http://") for p in places) else "unchecked")
        )
    return made
