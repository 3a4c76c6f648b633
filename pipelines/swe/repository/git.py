"""The git command line, held at arm's length: nothing in a mined repository's own configuration is run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO

from crucible.errors import CrucibleError, EngineMissing

OVERRIDES = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.pager=cat",
    "core.quotePath=true",
    "diff.external=",
    "diff.orderFile=/dev/null",
    "diff.suppressBlankEmpty=false",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.directory=*",
    "gc.auto=0",
)
"""Settings that name a program, or change what a diff looks like, when a repository sets them."""

DIFF_OPTIONS = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-color",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--diff-algorithm=myers",
    "--ignore-submodules=none",
)
"""Options that make a diff the same bytes whoever asks."""


class GitFailed(CrucibleError):
    """git could not do it; the message is its own last line."""


def git(repo: Path, *arguments: str, data: bytes = b"", timeout: float = 600.0) -> bytes:
    """Run git in a repository and return what it printed. GitFailed otherwise."""
    return run_git(("-C", str(repo), *arguments), git_environment(repo), data=data, timeout=timeout)


def run_git(arguments: tuple[str, ...], env: Mapping[str, str], *, data: bytes = b"", timeout: float = 600.0) -> bytes:
    """Run git with exactly this environment and return what it printed. GitFailed otherwise."""
    command = [*_git_command(), *arguments]
    try:
        done = subprocess.run(command, input=data, env=dict(env), capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {_subcommand(arguments)} took longer than {timeout:.0f} s") from None
    except (ValueError, OSError) as unusable:  # a NUL in an argument, a folder that is gone
        raise GitFailed(f"git {_subcommand(arguments)}: {unusable}") from None
    if done.returncode:
        raise GitFailed(f"git {_subcommand(arguments)}: {_last_line(done.stderr) or f'exit code {done.returncode}'}")
    return done.stdout


def stream_fields(repo: Path, *arguments: str) -> Iterator[bytes]:
    """The NUL-separated fields that git prints, while it prints them: a long history need not fit into memory, nor be
    waited for."""
    with tempfile.TemporaryFile() as stderr, open_git(repo, *arguments, stderr=stderr) as process:
        assert process.stdout
        process.stdin.close() if process.stdin else None
        rest = b""
        while block := process.stdout.read(1 << 18):
            *complete, rest = (rest + block).split(b"\0")
            yield from complete
        if rest:
            yield rest
        if process.wait():
            stderr.seek(0)
            message = _last_line(stderr.read()) or f"exit code {process.returncode}"
            raise GitFailed(f"git {_subcommand(arguments)}: {message}")


@contextmanager
def open_git(
    repo: Path, *arguments: str, stderr: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """git as a process to talk with; it is gone when the block ends."""
    command = [*_git_command(), "-C", str(repo), *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=git_environment(repo), stdin=pipe, stdout=pipe, stderr=stderr) as process:
        try:
            yield process
        finally:
            process.kill()


def git_environment(repo: Path) -> dict[str, str]:
    """The environment in which git sees this repository alone: no settings of a user or the system, no repository above
    it, nothing fetched, nobody asked for a password."""
    return {
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(repo.resolve().parent),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }


def to_text(data: bytes) -> str:
    """Bytes from a repository as text that can be stored: what is not UTF-8 is shown as an escape."""
    return data.decode("utf-8", "backslashreplace")


def is_text(data: bytes) -> bool:
    """Whether the bytes are UTF-8, so that a record can hold them as text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@cache
def _git_command() -> tuple[str, ...]:
    program = shutil.which("git")
    if not program:
        raise EngineMissing("git is not installed", "install the package 'git'")
    return (program, *(word for override in OVERRIDES for word in ("-c", override)), "--no-pager")


def _subcommand(arguments: tuple[str, ...]) -> str:
    """The word of a git command line that says what git is to do: `log` of `-C folder log --raw`."""
    words = [word for place, word in enumerate(arguments) if not word.startswith("-") and arguments[place - 1] != "-C"]
    return words[0] if words else ""


def _last_line(stderr: bytes) -> str:
    lines = to_text(stderr).strip().splitlines()
    return lines[-1] if lines else ""
