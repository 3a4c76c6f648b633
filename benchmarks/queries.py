"""How fast near-duplicates are found among queries.

python -m benchmarks.queries [COUNT]
"""

from __future__ import annotations

import json
import sys
import time
from random import Random

from pipelines.queries.duplicates import SeenTexts

WORDS = 4000
WORDS_OF_A_QUERY = 90
"""A query of the sample is about as long."""
REPEATED = 0.2


def main(count: int = 100_000) -> None:
    """Draw queries, a fifth of them repeated with one word changed, and time their de-duplication."""
    texts = draw_texts(count, Random(1))
    seen = SeenTexts(0.8)
    started, worked = time.perf_counter(), time.process_time()
    found = sum(map(bool, seen.add_all(texts)))
    seconds, worked = time.perf_counter() - started, time.process_time() - worked
    told = {"queries": count, "duplicates": found, "seconds": round(seconds, 2), "per_second": round(count / seconds)}
    # On a busy machine only the processor's seconds tell anything.
    print(json.dumps({**told, "processor_seconds": round(worked, 2)}))


def draw_texts(count: int, random: Random) -> list[tuple[str, str]]:
    """Texts by name."""
    vocabulary = [f"word{number}" for number in range(WORDS)]
    texts: list[list[str]] = []
    for _ in range(count):
        if texts and random.random() < REPEATED:
            words = [*random.choice(texts)]
            words[random.randrange(len(words))] = random.choice(vocabulary)
        else:
            words = random.choices(vocabulary, k=WORDS_OF_A_QUERY)
        texts.append(words)
    return [(str(number), " ".join(words)) for number, words in enumerate(texts)]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
