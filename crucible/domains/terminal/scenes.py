"""Scenes and effects: a folder with files in it, and what was printed and left there once a script had run.

Both are data, so that what a reference did in one box can be held against what an attempt does in another.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import Field

from crucible.domains.terminal.repositories import Repository, forget_stat_data, is_inside_git
from crucible.domains.terminal.services import WebService
from crucible.record import Record

LONGEST_CONTENT = 256 << 10
"""Bytes of a file that are kept; of a longer one only the hash is."""
FIXED_MTIME = 1_704_067_200
"""When every file of a scene was changed."""


class Entry(Record):
    """A file, a folder or a link of a scene."""

    kind: Literal["file", "folder", "link"] = "file"
    text: str = ""
    """The content of a file that is text."""
    data: str = ""
    """The content of a file that is no text, in base64."""
    sha256: str = ""
    """The hash of a file whose content is too long to be kept."""
    mode: int = 0o644
    target: str = ""
    """Where a link points."""

    @property
    def content(self) -> bytes:
        """The bytes of a file."""
        return b64decode(self.data) if self.data else self.text.encode(errors="surrogateescape")


class Scene(Record):
    """What is there when a script starts."""

    entries: dict[str, Entry] = Field(default_factory=dict)
    """By path below the scene's folder."""
    repositories: dict[str, Repository] = Field(default_factory=dict)
    """What the git repositories among the entries hold, by folder; the scene's own folder is `.`."""
    stdin: str = ""
    service: WebService | None = None
    """What answers on this machine while the script runs."""
    asked: tuple[str, ...] = ()
    """Addresses of this machine that are asked once the script has ended: services that it starts answer there."""
    started: str = ""
    """The command that starts a service of the folder before the script is run; it answers at what is asked."""


class Effect(Record):
    """What a script did in a scene."""

    code: int
    out: str = ""
    entries: dict[str, Entry] = Field(default_factory=dict)
    """All that is in the scene's folder afterwards."""
    repositories: dict[str, Repository] = Field(default_factory=dict)
    """As in the scene."""
    requests: tuple[str, ...] = ()
    """What was sent to the scene's service."""
    answers: tuple[str, ...] = ()
    """What the addresses that are asked answered, each with its status."""
    restarted: bool = False
    """Whether of the service that was started before the script no process runs any more."""

    def changed_entries(self, scene: Scene) -> dict[str, Entry | None]:
        """What is new or other than in the scene, by path; None where something is gone. Git's own files are left out:
        what they hold is told by the repositories."""
        before = with_parents(own_entries(scene.entries))  # the folders that files lie in are there from the start
        after = own_entries(self.entries)
        gone: dict[str, Entry | None] = {path: None for path in before if path not in after}
        return gone | {path: entry for path, entry in after.items() if before.get(path) != entry}

    def changed_facts(self, scene: Scene) -> list[str]:
        """What is true of the repositories and was not before, and the other way round."""
        before, after = _facts(scene.repositories), _facts(self.repositories)
        return [*(f"- {fact}" for fact in sorted(before - after)), *(f"+ {fact}" for fact in sorted(after - before))]


def own_entries(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """The entries but for git's own files."""
    return {path: entry for path, entry in entries.items() if not is_inside_git(path)}


def _facts(repositories: Mapping[str, Repository]) -> set[str]:
    return {f"{folder}: {fact}" for folder, repository in repositories.items() for fact in repository.lines()}


def pack_scenes(scenes: Sequence[Scene]) -> bytes:
    """A tar archive with a folder for each scene, `0`, `1`, and so on, and its standard input as `0.in`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for number, scene in enumerate(scenes):
            _add(tar, str(number), Entry(kind="folder", mode=0o755))
            _add(tar, f"{number}.in", Entry(text=scene.stdin))
            for path, entry in with_parents(scene.entries).items():
                _add(tar, f"{number}/{path}", entry)
    return buffer.getvalue()


def with_parents(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """The entries and the folders they lie in, folders first."""
    folders = {
        "/".join(parts[:depth]): Entry(kind="folder", mode=0o755)
        for path in entries
        for parts in [path.split("/")]
        for depth in range(1, len(parts))
    }
    return dict(sorted({**folders, **entries}.items()))


def _add(tar: tarfile.TarFile, path: str, entry: Entry) -> None:
    info = tarfile.TarInfo(path)
    info.mode, info.mtime = entry.mode, FIXED_MTIME
    if entry.kind == "folder":
        info.type = tarfile.DIRTYPE
    elif entry.kind == "link":
        info.type, info.linkname = tarfile.SYMTYPE, entry.target
    else:
        info.size = len(entry.content)
    tar.addfile(info, io.BytesIO(entry.content) if entry.kind == "file" else None)


def read_entries(archive: bytes, folder: str) -> dict[str, Entry]:
    """What a tar archive has below a folder of it, by path below that folder."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return dict(sorted(_entries_below(tar, folder.strip("/") + "/")))


def _entries_below(tar: tarfile.TarFile, folder: str) -> Iterator[tuple[str, Entry]]:
    for info in tar:
        path = info.name.lstrip("./").rstrip("/")
        if not path.startswith(folder):
            continue
        mode = info.mode & 0o7777
        if info.isdir():
            yield path.removeprefix(folder), Entry(kind="folder", mode=mode)
        elif info.issym():
            yield path.removeprefix(folder), Entry(kind="link", mode=0o777, target=info.linkname)
        elif info.isreg() or info.islnk():
            stream = tar.extractfile(info)  # of a hard link: the content of the file, which may lie outside the folder
            data = stream.read() if stream else b""
            data = forget_stat_data(data) if path.endswith(".git/index") else data
            yield path.removeprefix(folder), _file_entry(data, mode)


def _file_entry(data: bytes, mode: int) -> Entry:
    """A file's entry: its text, else its bytes, or the hash of what is too long."""
    if len(data) > LONGEST_CONTENT:
        return Entry(sha256=hashlib.sha256(data).hexdigest(), mode=mode)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Entry(data=b64encode(data).decode(), mode=mode)
    return Entry(data=b64encode(data).decode(), mode=mode) if "\0" in text else Entry(text=text, mode=mode)
