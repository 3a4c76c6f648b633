"""A meta-query to queries: by seed, by the rules, and in a model's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.acting import Ask, Reply
from crucible.errors import SettingsError
from crucible.model import Task
from pipelines.queries.expanding import expand, reword
from pipelines.queries.library import Library, read_library
from pipelines.queries.model import Feature


def test_the_same_number_gives_the_same_query(library: Library) -> None:
    meta = library.metas["list-page"]
    assert expand(meta, library, 7) == expand(meta, library, 7)
    assert len({expand(meta, library, number).text for number in range(50)}) > 20


def test_what_does_not_go_together_is_never_drawn(library: Library) -> None:
    meta = library.metas["list-page"]
    for number in range(200):
        entries = expand(meta, library, number).choice.entries
        assert (entries["stack"], entries["style"]) != ("Slate", "Warp")


def test_a_query_has_the_sentences_of_its_features_and_entries(library: Library) -> None:
    query = expand(library.metas["list-page"], library, 1)
    assert "- A button “Add” adds a line." in query.text
    assert query.text.endswith(query.closing[0])
    assert all(library.features[name].asks[0] in query.asks for name in query.choice.features)


def test_rules_that_leave_nothing_say_so(folder: Path, features: tuple[Feature, ...]) -> None:
    (folder / "rules.toml").write_text('[[rules]]\nwhen = ["list"]\nnever = ["list"]\nwhy = "nobody likes lists"\n')
    strict = read_library(folder, features)
    with pytest.raises(SettingsError, match="nobody likes lists"):
        expand(strict.metas["list-page"], strict, 0)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('features = ["list"]', 'features = ["lists"]'), "the feature 'lists', which is not there"),
        (("{who}", "{whom}"), "draws nothing for 'whom'"),
        (('who = "places"', 'who = "palaces"'), "from 'palaces', which holds nothing"),
    ],
)
def test_a_name_that_leads_nowhere_is_told(
    folder: Path, features: tuple[Feature, ...], change: tuple[str, str], fault: str
) -> None:
    file = folder / "metas/pages.toml"
    file.write_text(file.read_text().replace(*change))
    with pytest.raises(SettingsError, match=fault):
        read_library(folder, features)


class Wordsmith:
    """A teacher that says one thing, and keeps what it was asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[Ask] = []

    async def reply(self, task: Task, ask: Ask) -> Reply:
        self.asked.append(ask)
        return Reply(text=self.text)


async def test_a_model_words_the_opening_and_leaves_the_demands(library: Library) -> None:
    query = expand(library.metas["list-page"], library, 3)
    teacher = Wordsmith("My brother runs the mill.")
    worded = await reword(query, teacher, 1.1)
    assert worded.opening == "My brother runs the mill."
    assert (worded.asks, worded.closing, worded.id) == (query.asks, query.closing, query.id)
    assert teacher.asked[0].options == {"temperature": 1.1}


async def test_an_answer_that_is_no_opening_is_not_taken(library: Library) -> None:
    query = expand(library.metas["list-page"], library, 3)
    assert await reword(query, Wordsmith(" "), 1.0) == query
    assert await reword(query, Wordsmith("word " * 1000), 1.0) == query
