"""prime-rl's SFT: messages and tools, both plain Parquet."""

from __future__ import annotations

from collections.abc import Iterator

from crucible.exporting import Accepted
from crucible.parts import exporter
from exporters.trl import Conversation, trl


@exporter("prime-rl")
def prime_rl(accepted: Accepted) -> Iterator[Conversation]:
    """prime-rl SFT: `messages`, and `tools` as JSON text."""
    yield from trl(accepted)
