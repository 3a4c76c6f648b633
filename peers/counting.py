"""What was trained, counted by the words of `peers.odd_attempts`: every `said-` once, no `seen-`, no `wrong-`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path

WORD = re.compile(r"(?:said|seen|wrong)-[a-z]+(?:-[a-z0-9]+)+")
# matches: said-nudged-1-call0


Finding = dict[str, object]
Row = tuple[Sequence[int], Sequence[bool]]
"""The tokens of a row, and which of them are trained."""


def judge(
    shards: Path,
    decode: Callable[[list[int]], str],
    rows: Iterable[Row],
    thinking: bool = True,
    beside_calls: bool = True,
) -> Finding:
    """Whether a tool trains what it should of an export, and what was seen. Without `thinking` or `beside_calls`, the
    chat template has no place for it, or for what is said beside a call."""
    tokenised, words = list(rows), read_words(shards)
    wanted = words if beside_calls else words - words_beside_calls(words)
    found = list_faults(wanted, [trained_text(decode, row) for row in tokenised], thinking)
    seen = f"{len(tokenised)} rows, {sum(map(sum, (masks for _, masks in tokenised)))} tokens trained"
    note = "" if beside_calls else "; the template drops what is said beside calls"
    return {"ok": not found, "seen": "; ".join(found[:4]) or seen + note}


def words_beside_calls(words: set[str]) -> set[str]:
    """The words of texts that stand in one answer with a call."""
    return {word for word in words if word.endswith("-text") and f"{word.removesuffix('text')}call0" in words}


def trained_text(decode: Callable[[list[int]], str], row: Row) -> str:
    """The text of the trained tokens, with a gap where others stand between them."""
    runs = groupby(zip(*row, strict=True), key=lambda pair: bool(pair[1]))
    return " ".join(decode([token for token, _ in run]) for is_trained, run in runs if is_trained)


def read_words(shards: Path) -> set[str]:
    """The words that the shards hold and a model should learn."""
    import pyarrow.parquet as pq

    table = pq.read_table(sorted((shards / "data").glob("train-*.parquet")))
    text = json.dumps(table.to_pylist(), default=str)
    return {word for word in WORD.findall(text) if word.startswith("said-")}


def list_faults(wanted: set[str], trained: Iterable[str], thinking: bool = True) -> list[str]:
    """Words trained twice or never, and words that nobody should learn."""
    counts = Counter(word for said in trained for word in WORD.findall(said))
    missing = [word for word in wanted - counts.keys() if thinking or not word.endswith("-thought")]
    twice = [f"{word} trained {count} times" for word, count in counts.items() if count > 1]
    strange = [f"{word} trained" for word in counts if not word.startswith("said-")]
    return sorted([*twice, *strange, *(f"{word} not trained" for word in missing)])
