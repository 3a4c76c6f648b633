"""How far rules and judge agree is told by counts and by Cohen's kappa, beside the funnel."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.facts import ANNOTATION, AnnotationPair
from crucible.report import write_report
from crucible.report.agreement import compare_words, read_agreement
from crucible.running.run import Run
from crucible.store.item import Item
from tests.crucible.report.conftest import Opener


def test_kappa_is_what_is_left_of_agreement_beyond_chance() -> None:
    words = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    row = compare_words("scriptable", words)
    assert (row.items, row.agreed, row.share) == (50, 35, 0.7)
    assert row.kappa == pytest.approx(0.4)


def test_there_is_no_kappa_where_both_always_say_the_same_word() -> None:
    row = compare_words("scriptable", [("yes", "yes")] * 7)
    assert (row.agreed, row.kappa) == (7, None)


async def test_only_what_both_speak_of_is_compared_and_the_page_shows_it(
    run: Run, tmp_path: Path, opened: Opener
) -> None:
    facts = {"pipeline": "terminal", "judge": "judge v1", "evidence": {}}
    pairs = [
        AnnotationPair(by_rules={"quality": "low"}, by_judge={"quality": "high", "moderate": "yes"}, **facts),
        AnnotationPair(by_rules={"quality": "low"}, by_judge={"quality": "low", "moderate": "no"}, **facts),
    ]
    assert [pair.disagreements for pair in pairs] == [("quality",), ()]
    run.ledger.put([Item.of(ANNOTATION, pair, id=str(number)) for number, pair in enumerate(pairs)])
    run.ledger.put([Item.of("raw", pairs[0], id="thread", pipeline="terminal")], "terminal.select")
    [agreement] = read_agreement(run.ledger)
    assert [(row.attribute, row.agreed, row.items) for row in agreement.rows] == [("quality", 1, 2)]
    async with opened(write_report(run, tmp_path / "out")) as watched:
        assert "1 of 2" in await watched.page.inner_text("#funnel .agreement")
        assert watched.misdeeds == []
