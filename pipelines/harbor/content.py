"""A folder's files in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crucible.errors import Rejected


@dataclass(frozen=True)
class Content:
    """Files by path, and which of them can be executed."""

    files: Mapping[str, bytes]
    programs: frozenset[str] = frozenset()

    def below(self, folder: str) -> Content:
        """The files of a folder, by their path in it."""
        start = f"{folder}/"
        files = {path.removeprefix(start): data for path, data in sorted(self.files.items()) if path.startswith(start)}
        return Content(files, frozenset(path.removeprefix(start) for path in self.programs if path.startswith(start)))

    def text(self, path: str) -> str:
        """The text of a file. Rejected when it is not UTF-8."""
        try:
            return self.files[path].decode()
        except UnicodeDecodeError as broken:
            raise Rejected("not_text", f"{path}: {broken}") from broken
