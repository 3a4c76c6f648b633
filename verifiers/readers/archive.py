"""Reports in many files, gathered into one compressed archive by the command that ran the tests."""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterator

from verifiers.readers.bad_report import BadReport
from verifiers.readers.junit import Case, read_cases

LARGEST_UNPACKED_BYTES = 256 << 20
MOST_FILES = 20_000


def read_members(report: bytes) -> Iterator[tuple[str, bytes]]:
    """Path and content of every file. BadReport when there is none, or when it cannot be trusted to be whole."""
    count = 0
    with _open(report) as archive:
        try:
            for member in archive:
                if member.isfile():
                    count += 1
                    yield member.name.removeprefix("./"), _read_member(archive, member, count)
        except (tarfile.TarError, EOFError, OSError) as broken:
            raise BadReport(f"the report is cut off or malformed: {broken}") from None
    if not count:
        raise BadReport("no report was written")


def read_junit_members(report: bytes) -> list[Case]:
    """The test cases of every file, each of which is JUnit XML."""
    return [case for _, data in read_members(report) for case in read_cases(data)]


def _read_member(archive: tarfile.TarFile, member: tarfile.TarInfo, count: int) -> bytes:
    content = archive.extractfile(member)
    if count > MOST_FILES or content is None:
        raise BadReport(f"more than {MOST_FILES} files of reports")
    return content.read()


def _open(report: bytes) -> tarfile.TarFile:
    """The archive, unpacked up to a limit: it may be made to grow without end."""
    if not report:
        raise BadReport("no report was written")
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(report, LARGEST_UNPACKED_BYTES)
    except zlib.error as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None
    if not unpacker.eof:
        raise BadReport("the report is cut off or malformed, or too large")
    try:
        return tarfile.open(fileobj=io.BytesIO(plain), mode="r:")
    except tarfile.TarError as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None
