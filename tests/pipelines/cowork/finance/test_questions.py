"""Questions follow from their traces, and from nothing less: shown by running the tools over the sample files."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.collecting import Dropped
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from crucible.sandbox import World
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from pipelines.cowork.finance.model import Call, Dataset, Input, Origin, Trace, Trail
from pipelines.cowork.finance.necessity import list_superfluous, require_unseen
from pipelines.cowork.finance.questions import ask_questions, read_tables
from pipelines.cowork.finance.source import finance_files
from pipelines.cowork.finance.tables import Table, read_table
from pipelines.cowork.finance.tracing import Underivable, replay
from pipelines.cowork.finance.writing import make_answer_task
from pipelines.cowork.settings import CoworkSettings

SAMPLES = "sample_data/cowork/finance"


@pytest.fixture
def context(tmp_path: Path, world: World) -> MiningContext:
    settings = Settings(home=tmp_path, sections={"cowork": CoworkSettings(plans=99)})
    return MiningContext(world=world, blobs=Blobs(str(tmp_path / "blobs")), settings=settings)


async def read_sets(context: MiningContext) -> dict[str, Dataset]:
    return {each.name: each async for each in finance_files(SAMPLES, context) if isinstance(each, Dataset)}


async def ask(context: MiningContext, name: str) -> tuple[list[Trail], dict[str, Table], list[Record]]:
    """The questions about a set, its tables by file, and what was refused."""
    dataset = (await read_sets(context))[name]
    found = await ask_questions(dataset, context)
    files = {dataset.roles[role]: table for role, table in read_tables(dataset, context).items()}
    return (
        [each for each in found if isinstance(each, Trail)],
        files,
        [each for each in found if isinstance(each, Dropped)],
    )


@pytest.mark.parametrize("name", ["tallis", "prices", "fund", "treasury", "venture", "deals"])
async def test_an_answer_follows_from_the_files_and_nothing_in_its_trace_is_superfluous(
    name: str, context: MiningContext
) -> None:
    trails, files, _ = await ask(context, name)
    assert trails
    for trail in trails:
        last = trail.trace.calls[-1].output
        assert isinstance(last, float)
        assert replay(trail.trace, files) == pytest.approx(last)
        assert list(list_superfluous(trail.trace, files, last)) == []
        for missing in trail.trace.files:
            with pytest.raises(Underivable):
                replay(trail.trace, {file: table for file, table in files.items() if file != missing})


async def test_of_two_files_with_prices_every_question_names_its_own(context: MiningContext) -> None:
    trails, _, _ = await ask(context, "prices")
    assert trails
    for trail in trails:
        assert all(trail.trace.files[0] in question for question in trail.questions.values()), trail.questions


async def test_both_ways_of_asking_share_what_is_checked(context: MiningContext) -> None:
    trails, _, _ = await ask(context, "deals")
    exact, plain = (make_answer_task(trails[0], level) for level in (0, 1))
    assert exact.instruction != plain.instruction
    assert (exact.env, exact.checks, exact.reference) == (plain.env, plain.checks, plain.reference)
    assert str(exact.checks[0].params["unit"]) in plain.instruction


async def test_a_damaged_file_is_refused_with_the_reason(context: MiningContext) -> None:
    with pytest.raises(Rejected, match="unreadable_file"):
        await ask(context, "damaged")


def read_of(name: str, place: str) -> Input:
    return Input(origins=(Origin(kind="file", name=name, place=place),), value=None)


FILES = {"a.json": Table({"x": 8.0, "y": 2.0, "z": 5.0}, {})}
HALF = Call(id="half", tool="quotient", inputs={"a": read_of("a.json", "x"), "b": read_of("a.json", "y")}, output=4.0)
IDLE = Call(id="idle", tool="product", inputs={"a": read_of("a.json", "z"), "b": read_of("a.json", "z")}, output=25.0)


def test_a_call_that_the_answer_does_not_need_is_found() -> None:
    assert not list(list_superfluous(Trace(given={}, calls=(HALF,)), FILES, 4.0))
    found = list(list_superfluous(Trace(given={}, calls=(IDLE, HALF)), FILES, 4.0))
    assert found == ["the call idle", "the output of idle", "the value at a.json z"]


def test_a_value_that_cancels_out_is_found() -> None:
    both = Input(origins=(Origin(kind="call", name="one"),), value=None)
    one = Call(id="one", tool="product", inputs={"a": read_of("a.json", "x"), "b": read_of("a.json", "y")}, output=16)
    back = Call(id="back", tool="quotient", inputs={"a": both, "b": both}, output=1.0)
    assert "the value at a.json x" in list(list_superfluous(Trace(given={}, calls=(one, back)), FILES, 1.0))


def test_an_answer_that_a_file_shows_is_not_asked_for() -> None:
    with pytest.raises(Rejected, match="answer_in_files"):
        require_unseen(FILES, 5.004, 0.005)
    require_unseen(FILES, 5.1, 0.005)


def test_tables_are_read_as_people_write_them() -> None:
    lines = (
        "Ash Ltd",
        "Amounts in EUR thousand",
        "",
        "line,note,2020,2021",
        'Sales,1,"1,200",n/a',
        'Sales (restated),1,"1,150",',
        "Loss,,(30),–",
        "Margin,,12.5%,",
    )
    table = read_table("a.csv", "\n".join(lines).encode())
    assert table.values["unit"] == 1000
    assert table.values[table.find_place("Sales", "2020")] == 1150  # line 6, not line 5
    assert table.values["7:2020"] == -30
    assert table.values["8:2020"] == 0.125
    assert "5:2021" not in table.values
