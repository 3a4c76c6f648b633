"""What the shape of a change says of its kind: pure, from the files and the patch alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from crucible.datafile import read_row
from crucible.domains.code.patches import changes, moved_share, new_names
from crucible.errors import Rejected
from crucible.record import Record
from pipelines.swe.model import PullRequest

TABLE = Path(__file__).with_name("routes.toml")

BENCHMARK_PATH = re.compile(r"(?i)(^|[/_.-])bench(mark)?s?([/_.-]|$)")  # matches in: benchmarks/a.py  bench_sort.go
MIN_MOVED_SHARE = 0.6
"""Of a refactoring at least this share of the added lines was taken away elsewhere."""
SMALL_CHANGE_LINES = 40
"""A fix adds at most so many lines to the source."""


class Shapes(Record):
    """The table `shapes` of `routes.toml`: how much each shape counts."""

    only_tests: float
    benchmark: float
    moved: float
    new_names: float
    new_files: float
    small: float


def shape_signs(pull: PullRequest) -> Iterator[tuple[str, float, str]]:
    """The kinds that the shape of a change speaks for, each with weight and reason."""
    weight = read_row(TABLE, "shapes", Shapes)
    sources = [file for file in pull.files if file.sort == "source"]
    if pull.files and all(file.sort == "test" for file in pull.files):
        yield "test", weight.only_tests, "only tests change"
    if not sources:
        return
    if any(BENCHMARK_PATH.search(file.path) for file in pull.files):
        yield "performance", weight.benchmark, "a benchmark is touched"
    added_names, moved = _patch_facts(pull)
    if moved >= MIN_MOVED_SHARE:
        yield "refactoring", weight.moved, f"{moved:.0%} of the added lines were there before, elsewhere"
    tested = sorted(name for name in added_names if re.search(rf"\b{re.escape(name)}\b", pull.test_patch))
    if tested:
        yield "feature", weight.new_names, f"its tests use new names ({', '.join(tested[:3])})"
    if any(file.status == "added" for file in sources):
        yield "feature", weight.new_files, "shape of a feature: new source files"
    elif not added_names and sum(file.added for file in sources) <= SMALL_CHANGE_LINES:
        yield "bugfix", weight.small, "shape of a bugfix: a small change to what was there"


def _patch_facts(pull: PullRequest) -> tuple[set[str], float]:
    """The names that a patch adds, and the share of its lines that moved; neither where it cannot be read."""
    try:
        changes(pull.patch)
    except Rejected:
        return set(), 0.0
    return new_names(pull.patch), moved_share(pull.patch)
