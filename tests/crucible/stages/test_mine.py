"""What a source gave is kept, also when it has to stop."""

from collections.abc import AsyncIterator

import pytest

from crucible.errors import CrucibleError
from crucible.record import Record
from crucible.stages.mine import _collect_chunks


class Stone(Record):
    """A raw item."""

    number: int


async def vein(length: int) -> AsyncIterator[Record]:
    for number in range(length):
        yield Stone(number=number)
    raise CrucibleError("come back at noon")


async def test_a_source_that_stops_early_loses_nothing() -> None:
    kept: list[Record] = []

    async def dig() -> None:
        async for chunk in _collect_chunks(vein(130), None):
            kept.extend(chunk)

    with pytest.raises(CrucibleError, match="noon"):
        await dig()
    assert len(kept) == 130
