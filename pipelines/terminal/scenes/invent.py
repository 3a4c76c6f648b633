"""Invented contents and folders: the same seed gives the same text."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from crucible.datafile import read_row, read_rows
from crucible.domains.terminal.scenes import Entry
from crucible.record import Record
from pipelines.terminal.commands.pattern_examples import Example

TOKEN = re.compile(r"https?://[\w.]+(?::\d+)?|\\[A-Za-z]|%[0-9A-Fa-f]{2}|[A-Za-z]+|\d+")
# matches: maple, 42; and as a whole: http://localhost:80, \t, %C3
TABLE = Path(__file__).with_name("templates.toml")


class Template(Record):
    """How the content of a file is invented."""

    endings: tuple[str, ...]
    line: str
    lines: int
    head: str = ""
    tail: str = ""


class Words(Record):
    """What invented contents are made of."""

    words: tuple[str, ...]
    names: tuple[str, ...]
    levels: tuple[str, ...]
    folder: tuple[str, ...]
    """The files of a folder that nobody has shown."""


@cache
def vocabulary() -> Words:
    return read_row(TABLE, "vocabulary", Words)


@cache
def templates() -> tuple[Template, ...]:
    return read_rows(TABLE, "template", Template)


def invent_text(path: str, seed: int, sought: Sequence[Example] = ()) -> str:
    """The content of a file that nobody has shown. Texts that are `sought` in it are in some of its lines."""
    chance = random.Random(f"{path} {seed}")
    template = next(each for each in templates() if any(path.endswith(ending) for ending in each.endings))
    rows = [_fill(template.line, chance) for _ in range(template.lines)]
    for number, example in enumerate(sought[: len(rows) // 2]):
        for place in {number, (number + len(rows) // 2) % len(rows)}:
            rows[place] = _with_example(rows[place], example)
    return (
        "\n".join([*([template.head] if template.head else []), *rows, *([template.tail] if template.tail else [])])
        + "\n"
    )


def _with_example(row: str, example: Example) -> str:
    """The row with a text where it has to stand; else in the place of the first word, or between two words where the
    text has none."""
    text = example.text
    if example.at_start and example.at_end:
        return text
    if example.at_end:
        return f"{row.rpartition(' ')[0]} {text}" if text[:1].isalnum() else f"{row}{text}"
    if example.at_start:
        return f"{text} {row}" if text[-1:].isalnum() else f"{text}{row}"
    if not TOKEN.search(text):
        return row.replace(" ", text if text.isspace() else f" {text}", 1)
    return TOKEN.sub(lambda match: text, row, count=1)


def pick_words(seed: str, number: int) -> list[str]:
    """Different words, the same for the same seed."""
    return random.Random(seed).sample(vocabulary().words, number)


def _fill(line: str, chance: random.Random) -> str:
    values = {
        "{word}": chance.choice(vocabulary().words),
        "{name}": chance.choice(vocabulary().names),
        "{number}": str(chance.randint(1, 500)),
        "{small}": f"{chance.randint(0, 59):02}",
        "{hour}": str(chance.randint(0, 23)),
        "{weekday}": chance.choice(("*", "1-5", "0", "6")),
        "{day}": f"{chance.randint(1, 28):02}",
        "{level}": chance.choice(vocabulary().levels),
    }
    for mark, value in values.items():
        line = line.replace(mark, value)
    return line


def invent_folder(path: str, seed: int, sought: Sequence[Example] = ()) -> dict[str, Entry]:
    """The entries of a folder that nobody has shown; what is sought is in every second file."""
    return {
        f"{path}/{name}": Entry(text=invent_text(name, seed, sought if number % 2 == 0 else ()))
        for number, name in enumerate(vocabulary().folder)
    }
