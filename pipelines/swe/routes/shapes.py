"""What the shape of a change says of its kind: pure, from the files and the patch alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from crucible.datafile import row
from crucible.domains.code.patches import changes, moved_share, new_names
from crucible.errors import Rejected
from crucible.record import Record
from pipelines.swe.model import PullRequest

HERE = Path(__file__).parent

BENCHMARK_PATH = re.compile(r"(?i)(^|[/_.-])bench(mark)?s?([/_.-]|$)")
MIN_MOVED_SHARE = 0.6
"""Share of the added lines that were taken away elsewhere."""
SMALL_CHANGE_LINES = 40


class Shapes(Record):
    """How much each shape counts."""

    only_tests: float
    benchmark: float
    moved: float
    new_names: float
    new_files: float
    small: float


def shape_signs(pull: PullRequest) -> Iterator[tuple[str, float, str]]:
    """Kinds that the shape speaks for, with weight and reason."""
    weight = row(HERE / "routes.toml", "shapes", Shapes)
    sources = [file for file in pull.files if file.sort == "source"]
    if pull.files and all(file.sort == "test" for file in pull.files):
        yield "test", weight.only_tests, "only tests change"
    if not sources:
        return
    if any(BENCHMARK_PATH.search(file.path) for file in pull.files):
        yield "performance", weight.benchmark, "a benchmark is touched"
    fresh, moved = _patch_facts(pull)
    if moved >= MIN_MOVED_SHARE:
        yield "refactoring", weight.moved, f"{moved:.0%} of the added lines were there before, elsewhere"
    tested = sorted(name for name in fresh if re.search(rf"\b{re.escape(name)}\b", pull.test_patch))
    if tested:
        yield "feature", weight.new_names, f"its tests use new names ({', '.join(tested[:3])})"
    if any(file.status == "added" for file in sources):
        yield "feature", weight.new_files, "shape of a feature: new source files"
    elif not fresh and sum(file.added for file in sources) <= SMALL_CHANGE_LINES:
        yield "bugfix", weight.small, "shape of a bugfix: a small change to what was there"


def _patch_facts(pull: PullRequest) -> tuple[set[str], float]:
    try:
        changes(pull.patch)
    except Rejected:
        return set(), 0.0
    return new_names(pull.patch), moved_share(pull.patch)
