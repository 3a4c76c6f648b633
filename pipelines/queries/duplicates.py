"""Near-duplicates among very many texts in linear time: MinHash, computed for a batch at once.

A text is the set of its runs of three words. Of each set a sketch of 64 numbers is kept; the share of numbers that two
sketches have in common estimates how alike the sets are. Sketches are cut into bands, and two texts are compared only
if they agree on a whole band. datasketch computes the same one text at a time, at a fifth of the speed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"\w+")  # matches: grep, naïve, 2nd
RUN = 3
NUMBERS, BANDS = 64, 16
BATCH = 500
"""Texts that are sketched at once: more need more memory and are no faster."""

Sketches = NDArray[np.uint32]


class WordNumbers(dict[str, int]):
    """A number for each word: the same in every process."""

    def __missing__(self, word: str) -> int:
        number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        self[word] = number
        return number


class SeenTexts:
    """The texts that were seen, as far as it takes to know one that is nearly the same."""

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity
        self._numbers = WordNumbers()
        draw = np.random.default_rng(1)
        self._places = draw.integers(0, 1 << 63, size=RUN, dtype=np.uint64) | np.uint64(1)
        self._factors = draw.integers(0, 1 << 32, size=NUMBERS, dtype=np.uint32) | np.uint32(1)
        self._masks = draw.integers(0, 1 << 32, size=NUMBERS, dtype=np.uint32)
        self._bands: dict[bytes, tuple[str, NDArray[np.uint32]]] = {}

    def add_all(self, texts: Sequence[tuple[str, str]]) -> list[str]:
        """For each text, given by name, the name of an earlier one that it nearly repeats; empty, and then it is
        remembered, where there is none."""
        twins: list[str] = []
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            sketches = self._sketch([text for _, text in batch])
            twins += [self._add(name, sketch) for (name, _), sketch in zip(batch, sketches, strict=True)]
        return twins

    def _add(self, name: str, sketch: NDArray[np.uint32]) -> str:
        width = sketch.nbytes // BANDS
        data = sketch.tobytes()
        keys = [bytes([band]) + data[band * width : (band + 1) * width] for band in range(BANDS)]
        for key in keys:
            if key in self._bands:
                twin, other = self._bands[key]
                if np.count_nonzero(sketch == other) >= self._similarity * NUMBERS:
                    return twin
        for key in keys:
            self._bands.setdefault(key, (name, sketch))
        return ""

    def _sketch(self, texts: Sequence[str]) -> Sketches:
        """The smallest number of each permutation over each text's runs of words."""
        words = [list(map(self._numbers.__getitem__, WORD.findall(text.lower()))) for text in texts]
        for numbers in words:
            numbers += [1] * (RUN - len(numbers))
        joined = np.fromiter(chain.from_iterable(words), dtype=np.uint64)
        starts = np.cumsum([0, *map(len, words)])
        runs = self._hash_runs(joined, starts)
        firsts = starts[:-1] - (RUN - 1) * np.arange(len(texts))
        sketches = np.empty((len(texts), NUMBERS), dtype=np.uint32)
        for place, (factor, mask) in enumerate(zip(self._factors, self._masks, strict=True)):
            sketches[:, place] = np.minimum.reduceat((runs ^ mask) * factor, firsts)
        return sketches

    def _hash_runs(self, numbers: NDArray[np.uint64], starts: NDArray[np.int64]) -> NDArray[np.uint32]:
        """A number for each run of words; runs that reach from one text into the next are left out."""
        count = len(numbers) - RUN + 1
        runs = numbers[:count] * self._places[0]
        for at in range(1, RUN):
            runs += numbers[at : count + at] * self._places[at]
        inside = np.ones(count, dtype=bool)
        for before in range(1, RUN):
            inside[starts[1:-1] - before] = False
        upper: NDArray[np.uint32] = (runs[inside] >> np.uint64(32)).astype(np.uint32)
        return upper
