"""Near-duplicates across repositories: forks, and code that several of them carry. MinHash, in time that does not grow.

A signature of the changed lines is cut into bands, and each band leads to the first pull request that had it. Whoever
comes first is kept; the memory is the ledger's, so that this holds over runs and machines. Within one repository
`repeated_changes.py` compares exactly, and the earlier number wins.
"""

from __future__ import annotations

import asyncio
import hashlib

import numpy as np

from crucible.mining import Memory
from crucible.record import Record
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.changes import changed_lines

PERMUTATIONS = 64
"""How many values a signature has."""
BANDS = 16
"""Four values to a band: changes that share four lines of five meet in at least one with a chance of 0.9998."""
MIN_LINES = 6
"""Changes of fewer lines are alike by chance."""


class Signature(Record):
    """What is remembered of a pull request: its MinHash."""

    id: str
    repo: str
    values: tuple[int, ...]

    def likeness(self, other: Signature) -> float:
        """An estimate of the share of lines that both change."""
        return sum(a == b for a, b in zip(self.values, other.values, strict=True)) / PERMUTATIONS


async def find_copy_elsewhere(pull: PullRequest, memory: Memory, share: float) -> str:
    """The id of the pull request of another repository that was seen first with nearly the same change; empty when
    there is none."""
    lines = set(changed_lines(pull.patch + pull.test_patch))
    if len(lines) < MIN_LINES:
        return ""
    signature = await asyncio.to_thread(_signature, pull, lines)
    keys = _band_keys(signature)
    async with memory.alone("swe/copies"):  # of two forks that come at once, the second must see the first
        seen = await asyncio.to_thread(memory.recall_all, keys)
        for key in keys:
            other = Signature.model_validate_json(seen[key]) if key in seen else signature
            if other.repo != signature.repo and signature.likeness(other) >= share:
                return other.id
        for key in keys:
            memory.remember(key, signature.model_dump_json())
    return ""


def _signature(pull: PullRequest, lines: set[str]) -> Signature:
    from datasketch import MinHash  # it loads SciPy, which takes as long as all the rest of a command's start

    sketch = MinHash(num_perm=PERMUTATIONS, seed=1)
    sketch.update_batch([line.encode() for line in lines])
    return Signature(id=pull.id, repo=pull.repo, values=tuple(int(value) for value in sketch.hashvalues))


def _band_keys(signature: Signature) -> list[str]:
    rows = np.array(signature.values, dtype="<u8").reshape(BANDS, -1)
    return [f"minhash:{band}:{hashlib.sha256(row.tobytes()).hexdigest()[:16]}" for band, row in enumerate(rows)]
