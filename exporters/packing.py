"""Files as one compressed archive, for formats that carry a folder in a row."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable

from crucible.exporting import File


def pack_files(files: Iterable[File]) -> bytes:
    """A compressed archive of these files. Same files, same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in files:
            info = tarfile.TarInfo(file.path)
            info.mode, info.size = 0o755 if file.executable else 0o644, len(file.data)
            archive.addfile(info, io.BytesIO(file.data))
    return gzip.compress(buffer.getvalue(), mtime=0)
