"""Tests that have conditions alone, asked about what other tests ask: most of them want something refused.

Code that refuses whatever such a test asks passes it, and fails it as right code does where its condition is turned
round. With what another test wants read in the place of what this one wants refused, right code refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from random import Random

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.places import python_tests, syntax_tests
from verifiers.twins.places.place import Draft, Text
from verifiers.twins.values.literals import UNTOUCHABLE

ERROR = re.compile(r"(?<!['\"`])[A-Z]\w+")
# matches what is raised, not in quotes: ValueError


def exchange_inputs(params: SuiteParams, random: Random) -> list[Twin]:
    """In each test that has conditions and names of errors alone, what it hands to functions exchanged for what other
    tests of its file hand to the same ones, and its other texts for theirs, by chance; nothing where there are none."""
    files = {**params.tests, **params.inline}
    groups = group_by_test(params.twins)
    closed = {key: twins for key, twins in groups.items() if _has_conditions_alone(twins, files[key[0]])}
    found: list[Twin] = []
    for (path, test), twins in closed.items():
        inputs = _find_inputs(path, files[path], random)
        others = [each for each in inputs if (path, each.test) not in closed]
        own = [each for each in inputs if each.test == test]
        changes = list(_exchange(path, files[path], own, others, random))
        fails = {"fails": twins[0].fails, "gone": twins[0].gone}
        found += [twin.model_copy(update=fails) for twin in changes[:1]] + changes[1:]
    return found


def _exchange(path: str, file: str, own: Sequence[Text], others: Sequence[Text], random: Random) -> Iterator[Twin]:
    """The inputs of a test, each exchanged for another one of its kind, whole: of parts of several nobody knows whether
    right code reads them. What names the test stays, and so do messages: compilers look into them."""
    end = 0
    for each in sorted(own, key=lambda text: (text.start, -text.end)):
        before = file[each.start : each.end]
        alike = {file[other.start : other.end] for other in others if other.handed_to == each.handed_to} - {before}
        is_message = not each.handed_to and UNTOUCHABLE.search(before)
        is_name = before.strip("'\"") in each.test
        if alike and each.start >= end and not (is_message or is_name):
            line, end = file.count("\n", 0, each.start) + 1, each.end
            new = random.choice(sorted(alike))
            yield Twin(path=path, start=each.start, end=each.end, text=new, test=each.test, line=line)


def _has_conditions_alone(twins: Sequence[Twin], file: str) -> bool:
    """Whether nothing of a test was altered but conditions and names of errors."""
    return all(not twin.is_value or ERROR.fullmatch(file, twin.start, twin.end) for twin in twins)


def _find_inputs(path: str, file: str, random: Random) -> list[Text]:
    """What is handed to functions, and then all texts."""
    draft = Draft(path, file, random)
    reader = python_tests if PurePosixPath(path).suffix == ".py" else syntax_tests
    return [*reader.find_handed(draft), *reader.find_texts(draft)]
