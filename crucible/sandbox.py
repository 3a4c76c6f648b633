"""The box an agent works in, and the world that opens boxes: protocols and the data they take.

A *world* is a kind of place (Docker); a *box* is one running instance of it. A failed command is
a `Done`; a broken box is a `SandboxError`; an occupant that used up its box is a `BoxExhausted`.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol, runtime_checkable

from pydantic import Field

from crucible.record import Record


class Recipe(Record):
    """How an image is made, as data. Its tag is the hash of this data."""

    base: str = "debian"
    """A base named in `envs/images/bases.toml`, or any image reference."""
    packages: tuple[str, ...] = ()
    """System packages."""
    tools: tuple[str, ...] = ()
    """Shell commands that need no file of the recipe (a compiler, a package manager), as root with network, before
    files and archives are there: recipes that agree on them share their layers."""
    files: dict[str, str] = Field(default_factory=dict)
    """Text files by absolute path."""
    archives: dict[str, str] = Field(default_factory=dict)
    """Tar archives by the directory they unpack into: digests of blobs."""
    commands: tuple[str, ...] = ()
    """Shell commands, in order, as root with network; each is one layer."""
    environment: dict[str, str] = Field(default_factory=dict)
    user: str = "agent"
    """Who works in the box; made by the build when the image lacks it."""
    network: Literal["packages", "none"] = "packages"
    """What the build's commands reach: package indexes and nothing of this machine, or nothing at all."""


class Limits(Record):
    """What an occupant may use before its box stops it."""

    cpus: float = 1.0
    memory_mb: int = 2048
    pids: int = 256
    disk_mb: int = 2048
    """What may be written over the image."""
    inodes: int = 200_000
    """How many files and folders may be made over the image."""
    remains_mb: int = 64
    """What an attempt may leave behind to be judged; more than this is a fact of its own."""
    output_kb: int = 256
    """What is kept of each stream of one command; the rest is drained and counted."""
    seconds: float = 120.0
    """Default limit of one command."""


class Network(Record):
    """What the box can reach. `none`: nothing. `internal`: nothing, but the host reaches the box.
    `allow`: the hosts listed, through a proxy. `packages`: the same, and the registries that the image's own package
    managers install from."""

    mode: Literal["none", "internal", "allow", "packages"] = "none"
    hosts: tuple[str, ...] = ()


class Networks(Record):
    """What a box can reach, by what it is open for. What a build reaches is the recipe's."""

    attempting: Network = Network()
    serving: Network = Network()
    """While an application that the attempt made is running to be looked at."""
    grading: Network = Network()


class LaidFile(Record):
    """A file that is laid when a box opens, so that tasks with other inputs share one image."""

    blob: str
    """The digest of its bytes."""
    mode: int = 0o644
    owner: str = ""
    """A user of the image; empty: the recipe's user."""


class Env(Record):
    """The place a task runs in: a world's name and what to open there."""

    name: str = "docker"
    recipe: Recipe = Recipe()
    patch: str = ""
    """A git patch laid over the workdir when a box opens, so that many tasks share one image."""
    workdir: str = "/workspace"
    files: dict[str, LaidFile] = Field(default_factory=dict)
    """Files of any bytes laid when a box opens, by path; a relative path is below the workdir."""
    limits: Limits = Limits()
    networks: Networks = Networks()
    capabilities: tuple[str, ...] = ()
    """Kernel capabilities that a task for root gets, by name (`CHOWN`); none unless named."""
    leaves: Literal["diff", "layer", "files"] = "diff"
    """What is kept of an attempt: the workdir's changes as a git patch, every path that differs from the image,
    or the files named in `outputs`."""
    outputs: tuple[str, ...] = ()
    """Where `leaves` is `files`: their paths, with `*` and `**`; a relative path is below the workdir."""


Phase = Literal["attempting", "serving", "grading"]
"""What a box is open for; it decides which of the env's networks the box gets."""

Left = Literal["unknown", "changed", "unchanged", "absent", "too_large", "lost"]
"""What an attempt left of what its environment asks for. `absent`: no such file, or no repository to compare with;
`too_large`: more than its limit; `lost`: the attempt made it unreadable. `unknown`: a recording that does not say."""


class Remains(Record):
    """What was found in a box at the end of an attempt; without an archive where `left` says that there is none."""

    left: Left
    archive: bytes | None = None
    """A git patch (`diff`), or a tar in the form of an image's layer (`layer`, `files`): the same remains give the
    same bytes."""
    detail: str = ""
    """Why there is no archive, or what it lacks."""


class Stat(Record):
    """What one path of a box is, links not followed."""

    kind: Literal["file", "folder", "link", "other"]
    mode: int
    """The permission bits, with those for set-user-id, set-group-id and sticky."""
    uid: int
    gid: int
    size: int = 0
    target: str = ""
    """Where a link points."""


class Done(Record):
    """A command that ended."""

    code: int
    out: str = ""
    err: str = ""
    truncated: bool = False
    """Some output was drained and not kept."""
    seconds: float = 0.0
    stopped: Literal["", "timeout", "output", "killed"] = ""
    """Why it did not end by itself. `killed`: it took its own box's shell down with it."""

    @property
    def ok(self) -> bool:
        return self.code == 0 and not self.stopped


@runtime_checkable
class Sandbox(Protocol):
    """One box. Open it with `async with world.open(env) as box`."""

    @property
    def address(self) -> str:
        """Where the host reaches the box's services (network `internal`), else empty."""

    async def exec(
        self,
        command: str,
        *,
        timeout: float | None = None,
        user: str | None = None,
        stdin: bytes = b"",
        trusted: bool = False,
    ) -> Done:
        """Run a shell command in the workdir, as the recipe's user unless told otherwise. `trusted`: as root, in `/`,
        by a shell and tools that the attempt cannot have replaced; only in a box for grading."""

    async def read(self, path: str, *, limit: int = 1 << 24) -> bytes:
        """A file's bytes, through the engine: processes in the box cannot forge the answer.
        FileNotFoundError, IsADirectoryError, or ValueError when larger than `limit`."""

    async def write(self, path: str, data: bytes, *, mode: int = 0o644, user: str | None = None) -> None:
        """Put a file, with its parent directories, owned by the recipe's user unless told otherwise."""

    async def stat(self, path: str) -> Stat:
        """What is at the path, through the engine, without following a link there. FileNotFoundError if nothing is."""

    async def lay_original(self, folder: str, place: str) -> None:
        """Put a folder as the box was opened with it at another place, through the engine, whatever has become of it
        since. FileNotFoundError if there was none, ValueError if it is too large."""

    async def changed_paths(self) -> tuple[str, ...]:
        """The absolute path of all that differs from what the box was opened from, through the engine: files, links,
        empty folders, and what is gone."""

    async def end_processes(self) -> None:
        """End every process that commands have left running; files stay as they are."""

    async def collect(self) -> Remains:
        """What the env's `leaves` asks for, `layer` or `files`, through the engine, while no process of the box runs.
        Whether it differs from what was laid in the box at its opening is the caller's to compare."""

    def fork(self) -> AbstractAsyncContextManager[Sandbox]:
        """A second box from this one's files as its commands left them; no process comes along."""


@runtime_checkable
class World(Protocol):
    """A kind of place that opens boxes."""

    def open(
        self, env: Env, *, phase: Phase = "attempting", remains: bytes | None = None
    ) -> AbstractAsyncContextManager[Sandbox]:
        """A fresh box, ready for its first command. SandboxError or RecipeError if it cannot be had. `remains` is what
        `collect` found in another box of this env; it is laid by root before any process runs."""

    def open_beside(self, box: Sandbox, env: Env) -> AbstractAsyncContextManager[Sandbox]:
        """A fresh box that shares the network of another and nothing else: what one serves on `localhost`, the other
        reaches. It is closed before the other is."""

    async def prepare(self, env: Env | None = None, *, boxes: int = 0) -> str:
        """Make sure the image exists (build it once, however many ask); returns its tag. Without an env:
        get ready whatever images are commonly built on. At least so many boxes of it will be opened soon."""

    async def sweep(self, keep: Collection[Env], dry_run: bool = False) -> list[str]:
        """Remove what dead processes left, and images over budget but for those of `keep`; a line for each."""
