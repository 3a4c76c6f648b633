"""Reads one file that a box has written straight from the engine's folder: a millisecond, where the engine takes fifty.

Processes of the box may run meanwhile, and lay links to lead us out of it: so each folder on the way is opened within
the one before, never through a link, and nothing is opened for reading but a regular file.
"""

from __future__ import annotations

import os
import stat


def read_upper_file(upper: str, path: str, limit: int) -> bytes | None:
    """The bytes of a regular file at this absolute path; None when the engine must be asked: it is not there, not
    regular, behind a link, or the image's. ValueError past `limit`."""
    try:
        handle = _open_beneath(upper, path.strip("/").split("/"))
    except OSError:
        return None
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            return None
        if facts.st_size > limit:
            raise ValueError(f"{path} is larger than {limit} bytes")
        with open(f"/proc/self/fd/{handle}", "rb") as file:  # noqa: PTH123 - a path that only `open` understands
            return file.read(limit)
    finally:
        os.close(handle)


def _open_beneath(folder: str, parts: list[str]) -> int:
    """A handle of what is at the path beneath a folder, for asking what it is; OSError behind a link."""
    handle = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    for number, part in enumerate(parts, start=1):
        kind = os.O_DIRECTORY if number < len(parts) else 0
        try:
            inner = os.open(part, os.O_PATH | os.O_NOFOLLOW | kind, dir_fd=handle)
        finally:
            os.close(handle)
        handle = inner
    return handle
