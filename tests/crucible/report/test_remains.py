"""What a page tells of what an attempt left."""

from __future__ import annotations

import io
import tarfile

from crucible.report.clip import clip
from crucible.report.remains import list_lines, read_remains
from crucible.store.blobs import Blobs


def pack(*members: tuple[str, bytes, bytes]) -> bytes:
    """An archive of names, kinds and contents; what follows a link's name is its target."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind, data in members:
            header = tarfile.TarInfo(name)
            header.type, header.size = kind, len(data) if kind == tarfile.REGTYPE else 0
            header.linkname = data.decode() if kind == tarfile.SYMTYPE else ""
            archive.addfile(header, io.BytesIO(data))
    return buffer.getvalue()


def test_files_links_and_what_is_gone_are_listed_where_no_diff_was_kept(blobs: Blobs) -> None:
    archive = pack(
        ("etc", tarfile.DIRTYPE, b""),
        ("etc/app.conf", tarfile.REGTYPE, b"x" * 1200),
        ("etc/.wh.old.conf", tarfile.REGTYPE, b""),
        ("etc/current", tarfile.SYMTYPE, b"app.conf"),
    )
    told = read_remains(blobs, {"layer": blobs.put(archive)})
    assert list(list_lines(clip(told))) == [
        ("add", "+ etc/"),
        ("add", "+ etc/app.conf (1,200 bytes)"),
        ("del", "- etc/old.conf"),
        ("add", "+ etc/current -> app.conf"),
    ]


def test_an_archive_that_is_none_and_one_that_is_gone_say_so(blobs: Blobs) -> None:
    assert "cannot be read" in read_remains(blobs, {"files": blobs.put(b"no archive at all")})
    assert read_remains(blobs, {"files": "0" * 64})
    assert read_remains(blobs, {}) == ""
