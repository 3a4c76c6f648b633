"""Near-duplicates among questions, by MinHash: what was seen is remembered band by band, so that a look-up is quick."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING

from crucible.mining import Memory
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.bodies import read_blocks

if TYPE_CHECKING:  # it loads SciPy, which takes as long as all the rest of a command's start
    from datasketch import MinHash

PERMUTATIONS, BANDS = 64, 16
WORD = re.compile(r"[a-z0-9_]+")  # matches: grep, 2nd
SHINGLE_WORDS = 3


async def remember_question(thread: Thread, memory: Memory, similarity: float) -> str:
    """The id of a question that was seen before and is nearly the same; empty where there is none, and then this one is
    remembered."""
    sketch = await asyncio.to_thread(_sketch, thread)
    bands = _band_keys(sketch)
    async with memory.alone("terminal/questions"):
        seen = await asyncio.to_thread(memory.recall_all, bands)
        for band in bands:
            before = seen.get(band)
            if before and _is_other_and_alike(thread, sketch, before, similarity):
                return str(json.loads(before)["id"])
        entry = json.dumps({"id": thread.id, "sketch": [int(value) for value in sketch.hashvalues]})
        for band in bands:
            memory.remember(band, entry)
    return ""


def _is_other_and_alike(thread: Thread, sketch: MinHash, before: str, similarity: float) -> bool:
    from datasketch import MinHash

    seen = json.loads(before)
    other = MinHash(num_perm=PERMUTATIONS, hashvalues=seen["sketch"], scheme=sketch.scheme)
    return bool(seen["id"] != thread.id and sketch.jaccard(other) >= similarity)


def _sketch(thread: Thread) -> MinHash:
    from datasketch import MinHash

    words = WORD.findall(" ".join([thread.title, *(block.text for block in read_blocks(thread.body))]).lower())
    sketch = MinHash(num_perm=PERMUTATIONS)
    for start in range(max(1, len(words) - SHINGLE_WORDS + 1)):
        sketch.update(" ".join(words[start : start + SHINGLE_WORDS]).encode())
    return sketch


def _band_keys(sketch: MinHash) -> list[str]:
    """The keys under which a question is remembered: two that are alike share one with high probability."""
    rows = PERMUTATIONS // BANDS
    values = [int(value) for value in sketch.hashvalues]
    return [
        f"terminal/band/{band}/{'-'.join(map(str, values[band * rows : (band + 1) * rows]))}" for band in range(BANDS)
    ]
