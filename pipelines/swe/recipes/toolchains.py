"""Compilers and interpreters, and where they come from: `toolchains.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from crucible.datafile import read_rows
from crucible.errors import SettingsError
from crucible.record import Record
from crucible.sandbox import Limits

HERE = Path(__file__).parent


class Toolchain(Record):
    """One row of `toolchains.toml`: the versions that are installed in one way."""

    name: str
    versions: tuple[str, ...]
    base: str = "debian"
    packages: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    """Commands, as root, before the repository's files are there; `{version}` is filled in."""
    environment: dict[str, str] = Field(default_factory=dict)
    limits: Limits = Limits()


@cache
def _rows() -> tuple[Toolchain, ...]:
    return read_rows(HERE / "toolchains.toml", "toolchains", Toolchain)


def toolchain_versions(name: str) -> list[str]:
    """The versions in which a toolchain can be had, the usual one first."""
    return [version for row in _rows() if row.name == name for version in row.versions]


def find_toolchain(name: str, version: str = "") -> Toolchain:
    """The toolchain of that name in one version, `{version}` filled in; without a version, in the usual one."""
    for row in _rows():
        if row.name == name and (not version or version in row.versions):
            tools = tuple(command.replace("{version}", version or row.versions[0]) for command in row.tools)
            return row.model_copy(update={"tools": tools})
    raise SettingsError(
        f"toolchains.toml has no {name} {version}; it has: {', '.join(toolchain_versions(name)) or 'none'}"
    )
