"""The source `stack-exchange`: threads of a dump (`Posts.xml`, or the `.7z` it comes in) or of answers of the API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.parts import source
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.dump import read_api_file, read_broken_row, read_thread, site_of
from pipelines.terminal.posts.index import open_index
from pipelines.terminal.posts.rows import MEMBER, RawRow
from pipelines.terminal.posts.taxonomy import is_material

WHAT_TO_NAME = f"name a {MEMBER}, the .7z it comes in, or a .json file of the API"


@source("stack-exchange")
async def stack_exchange_threads(origin: str, context: MiningContext) -> AsyncIterator[Thread]:
    """Questions with their answers, out of a Stack Exchange dump or the API's JSON."""
    stopped_at = int(context.cursor.read() or 0)
    folder = context.settings.home / "sources" / "stack-exchange"
    threads = read_threads(find_dump(Path(origin)), folder, stopped_at)
    while (thread := await asyncio.to_thread(next, threads, None)) is not None:
        yield thread
        if thread.number:
            context.cursor.advance(str(thread.number))


def find_dump(origin: Path) -> Path:
    """The file that an origin names: itself, or the posts in a folder."""
    for path in (origin, origin / MEMBER, origin / "api.json"):
        if path.is_file():
            return path
    raise SettingsError(f"{origin} is no dump", WHAT_TO_NAME)


def read_threads(path: Path, folder: Path, after: int = 0) -> Iterator[Thread]:
    """The threads about work in a terminal behind a number, in the order of their numbers."""
    if path.suffix == ".json":
        threads = sorted(read_api_file(path), key=lambda thread: thread.number)
        yield from (thread for thread in threads if thread.number > after and is_material(thread.tags))
        return
    with open_index(path, folder) as index:
        index.fill(path, _is_material_row)
        if not index.has_rows:
            raise SettingsError(
                f"{path} has no posts", f"name a {MEMBER}, the .7z it comes in, or a .json file of the API"
            )
        yield from (read_broken_row(site_of(path), end, text) for end, text in index.broken_rows() if not after)
        yield from (read_thread(site_of(path), indexed) for indexed in index.threads(after))


def _is_material_row(row: RawRow) -> bool:
    return is_material(row.tags)
