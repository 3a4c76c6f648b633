"""Reports in many files, gathered into one compressed archive by the command that ran the tests."""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterator

from verifiers.runners.junit import BadReport, Case, cases

LARGEST = 256 << 20
MOST_FILES = 20_000


def members(report: bytes) -> Iterator[tuple[str, bytes]]:
    """Every file, by its path. BadReport when there is none, or when it cannot be trusted to be whole."""
    count = 0
    with _opened(report) as archive:
        try:
            for member in archive:
                if member.isfile():
                    count += 1
                    yield member.name.removeprefix("./"), _content(archive, member, count)
        except (tarfile.TarError, EOFError, OSError) as broken:
            raise BadReport(f"the report is cut off or malformed: {broken}") from None
    if not count:
        raise BadReport("no report was written")


def junit(report: bytes) -> list[tuple[str, Case]]:
    """The test cases of every file, with the file's path."""
    return [(name, case) for name, data in members(report) for case in cases(data)]


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, count: int) -> bytes:
    content = archive.extractfile(member)
    if count > MOST_FILES or content is None:
        raise BadReport(f"more than {MOST_FILES} files of reports")
    return content.read()


def _opened(report: bytes) -> tarfile.TarFile:
    """The archive unpacked up to a limit: it may be made to grow without end."""
    if not report:
        raise BadReport("no report was written")
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(report, LARGEST)
    except zlib.error as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None
    if not unpacker.eof:
        raise BadReport("the report is cut off or malformed, or too large")
    try:
        return tarfile.open(fileobj=io.BytesIO(plain), mode="r:")
    except tarfile.TarError as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None
