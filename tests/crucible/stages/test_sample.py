"""Samples are drawn to a target that stands in a file: the same with the same seed, and never what is unfit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from crucible import parts
from crucible.errors import SettingsError
from crucible.facts import CALIBRATION, Calibration, Draw
from crucible.filters import parse_task_filter
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.mining import Pipeline
from crucible.model import Difficulty, Provenance, Task
from crucible.report import write_report
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.stages import sample
from crucible.stages.drawing import Candidate, Target, draw, read_target
from crucible.store.item import Item
from crucible.store.lookup import latest_item, list_items

TARGET = Target(category={"text": 3, "git": 1}, difficulty={"easy": 1, "hard": 1})
TOML = """per_source = 1
[category]
text = 3
git = 1
[difficulty]
easy = 1
hard = 1
[rates]
easy = 0.5
hard = 0.0
[hints]
1 = "easy"
4 = "hard"
"""


def candidates(n: int) -> list[Candidate]:
    cells = [(category, difficulty) for category in ("text", "git", "odd") for difficulty in ("easy", "hard")]
    return [Candidate(f"{c}-{d}-{i}", f"{c}-{d}-{i}", c, d) for c, d in cells for i in range(n)]


def test_shares_are_met_where_there_is_enough_and_nothing_else_is_drawn() -> None:
    fates = draw(candidates(20), TARGET, 16, seed=0)
    drawn = [name for name, why in fates.items() if not why]
    assert Counter(name.split("-")[0] for name in drawn) == {"text": 12, "git": 4}
    assert Counter(name.split("-")[1] for name in drawn) == {"easy": 8, "hard": 8}


def test_the_same_seed_draws_the_same_and_another_draws_others() -> None:
    assert draw(candidates(20), TARGET, 8, seed=1) == draw(list(reversed(candidates(20))), TARGET, 8, seed=1)
    assert draw(candidates(20), TARGET, 8, seed=1) != draw(candidates(20), TARGET, 8, seed=2)


def test_where_something_lacks_the_rest_is_drawn_from_what_there_is() -> None:
    fates = draw([each for each in candidates(20) if each.category != "git"], TARGET, 16, seed=0)
    assert sum(not why for why in fates.values()) == 16


def test_of_one_source_no_more_are_drawn_than_the_target_allows() -> None:
    variants = [Candidate(f"text-{level}", "thread", "text", level) for level in ("easy", "hard")]
    assert sorted(draw(variants, TARGET, 2, seed=0).values()) == ["", "same_source"]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


def task(number: int, category: str, level: int) -> Task:
    return Task(
        domain="toy",
        kind="script",
        instruction=f"{number}",
        provenance=Provenance(source=f"thread-{number}"),
        labels={"category": category},
        difficulty=Difficulty(hint_level=level),
    )


def put(run: Run, *tasks: Task) -> None:
    run.ledger.put([Item.of("task", each, pipeline="toy") for each in tasks])


def calibrate(run: Run, of: Task, rate: float, band: str) -> None:
    found = Calibration(
        task_id=of.id,
        solver="x",
        session="s",
        attempts=4,
        passed=int(4 * rate),
        pass_rate=rate,
        low=0,
        high=1,
        band=band,
        hint_level=of.difficulty.hint_level,
    )
    run.ledger.put([Item.of(CALIBRATION, found, id=f"{of.id}-c", parent=of.id)])


async def test_a_sample_is_kept_beside_the_tasks_and_shown_against_its_target(run: Run, tmp_path: Path) -> None:
    (tmp_path / "target.toml").write_text(TOML)
    line = Pipeline("toy", stages=(), target=str(tmp_path / "target.toml"))
    tasks = [task(number, "text" if number % 4 else "git", 1 + 3 * (number % 2)) for number in range(12)]
    put(run, *tasks)
    calibrate(run, tasks[0], 1.0, "too_easy")
    calibrate(run, tasks[1], 0.75, "usable")
    made = await sample(run, line, size=4, seed=3)
    assert (made.drawn, {row.name: row.drawn for row in made.rows}) == (4, {"text": 3, "git": 1, "easy": 2, "hard": 2})
    assert made.left == {"surplus": 7, "too_easy": 1}
    fates = {item.record(Draw).task_id: item.record(Draw) for item in list_items(run.ledger, "draw")}
    assert fates[tasks[0].id].why == "too_easy"
    assert fates[tasks[1].id].difficulty == "easy"  # measured, whatever its hints say
    kept = parse_task_filter("draw.kept")
    assert sum(kept(each, LedgerTaskFacts(run.ledger, each.id)) for each in tasks) == 4
    assert (await sample(run, line, size=4, seed=3)).rows == made.rows
    assert latest_item(run.ledger, "draw", tasks[0].id) is not None
    page = write_report(run, tmp_path / "report").read_text()
    assert "toy: target against sample, by category" in page
    assert "x: solved by level of hints" in page


async def test_a_report_without_a_measured_solver_says_so_in_one_line(run: Run, tmp_path: Path) -> None:
    assert "No solver was measured" in write_report(run, tmp_path / "report").read_text()


async def test_a_target_that_cannot_be_read_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="has no target"):
        await sample(run, Pipeline("toy", stages=()), size=1)
    (tmp_path / "odd.toml").write_text("category = 3")
    with pytest.raises(SettingsError, match=r"odd\.toml"):
        await sample(run, Pipeline("toy", stages=()), size=1, target=str(tmp_path / "odd.toml"))


def test_the_terminal_pipelines_target_names_its_categories() -> None:
    line: Pipeline = parts.find("pipeline", "terminal").make()
    target = read_target(Path(line.target))
    assert "text" in target.category
    assert set(target.hints.values()) <= set(target.difficulty)
