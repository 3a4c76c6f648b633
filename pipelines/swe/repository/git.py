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

# Each of these names a program, or changes what a diff looks like, when a repository sets it.
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


def git(repo: Path, *arguments: str, data: bytes = b"", timeout: float = 120.0) -> bytes:
    """Run git in a repository and return what it printed. GitFailed otherwise."""
    return run_git(("-C", str(repo), *arguments), git_environment(repo), data=data, timeout=timeout)


def run_git(arguments: tuple[str, ...], env: Mapping[str, str], *, data: bytes = b"", timeout: float = 120.0) -> bytes:
    """Run git with exactly this environment."""
    settings = [word for override in OVERRIDES for word in ("-c", override)]
    command = [_git_program(), *settings, "--no-pager", *arguments]
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
    """What git prints between NULs, as it prints it: a long history need not fit into memory, nor be waited for."""
    with tempfile.TemporaryFile() as said, open_git(repo, *arguments, stderr=said) as process:
        assert process.stdout
        process.stdin.close() if process.stdin else None
        rest = b""
        while block := process.stdout.read(1 << 18):
            *whole, rest = (rest + block).split(b"\0")
            yield from whole
        if rest:
            yield rest
        if process.wait():
            said.seek(0)
            raise GitFailed(
                f"git {_subcommand(arguments)}: {_last_line(said.read()) or f'exit code {process.returncode}'}"
            )


@contextmanager
def open_git(
    repo: Path, *arguments: str, stderr: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """git as a process to talk with; it is gone when the block ends."""
    settings = [word for override in OVERRIDES for word in ("-c", override)]
    command = [_git_program(), *settings, "--no-pager", "-C", str(repo), *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=git_environment(repo), stdin=pipe, stdout=pipe, stderr=stderr) as process:
        try:
            yield process
        finally:
            process.kill()


def git_environment(repo: Path) -> dict[str, str]:
    """No user, no system, no parent repository: only this one."""
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
def _git_program() -> str:
    found = shutil.which("git")
    if not found:
        raise EngineMissing("git is not installed", "install the package 'git'")
    return found


def _subcommand(arguments: tuple[str, ...]) -> str:
    words = [word for place, word in enumerate(arguments) if not word.startswith("-") and arguments[place - 1] != "-C"]
    return words[0] if words else ""


def _last_line(stderr: bytes) -> str:
    lines = to_text(stderr).strip().splitlines()
    return lines[-1] if lines else ""
