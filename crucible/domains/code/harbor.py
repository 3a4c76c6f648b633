"""Harbor task folders as both sides know them: the exporter, the importer, and the verifier that runs their tests."""

from __future__ import annotations

import base64
import hashlib
from typing import Self

from pydantic import Field

from crucible.domains.code.twins import Twin
from crucible.model import Task
from crucible.record import Record

METADATA_KEY = "crucible"
"""Where `[metadata]` of a `task.toml` holds a `FolderOrigin` as JSON."""


class HarborFile(Record):
    """One file of a folder: text where it is text."""

    text: str = ""
    base64: str = ""
    executable: bool = False

    @classmethod
    def from_bytes(cls, data: bytes, executable: bool = False) -> Self:
        """The file with this content, as text where it is UTF-8."""
        try:
            return cls(text=data.decode(), executable=executable)
        except UnicodeDecodeError:
            return cls(base64=base64.b64encode(data).decode(), executable=executable)

    @property
    def data(self) -> bytes:
        return base64.b64decode(self.base64) if self.base64 else self.text.encode()


class HarborParams(Record):
    """A `tests/test.sh` that leaves a reward: the parameters of the verifier `harbor`."""

    files: dict[str, HarborFile] = Field(min_length=1)
    """What is laid into `/tests`, by path; `test.sh` is among it."""
    timeout: float = 600.0
    twins: tuple[Twin, ...] = ()
    """Alterations of these files with which right work does not get the full reward, as seen when the task was
    proven."""


class FolderOrigin(Record):
    """What a folder of ours was made from. It counts as long as the folder's files are the ones that were written:
    whoever edits one has made another task, which is then read as anybody's."""

    task: Task
    files: dict[str, str]
    """The sha256 of every file but `task.toml`, by path."""


def sha256(data: bytes) -> str:
    """The digest of a file's content, as `FolderOrigin.files` has it."""
    return hashlib.sha256(data).hexdigest()
