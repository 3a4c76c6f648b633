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
from verifiers.twins import python_tests, syntax_tests
from verifiers.twins.literals import UNTOUCHABLE
from verifiers.twins.place import Draft, Text

ERROR = re.compile(r"(?<!['\"`])[A-Z]\w+")
# matches what is raised, not in quotes: ValueError


def exchange_inputs(params: SuiteParams, random: Random) -> list[Twin]:
    """In each test that has conditions and names of errors alone, all its texts exchanged for those of other tests of
    its file, by chance; nothing where there are none."""
    files = {**params.tests, **params.inline}
    groups = group_by_test(params.twins)
    closed = {key: twins for key, twins in groups.items() if _has_conditions_alone(twins, files[key[0]])}
    found: list[Twin] = []
    for (path, test), twins in closed.items():
        texts = _find_texts(path, files[path], random)
        others = sorted({files[path][text.start : text.end] for text in texts if (path, text.test) not in closed})
        own = [text for text in texts if text.test == test]
        changes = list(_exchange(path, files[path], own, others, random))
        fails = {"fails": twins[0].fails, "gone": twins[0].gone}
        found += [twin.model_copy(update=fails) for twin in changes[:1]] + changes[1:]
    return found


def _exchange(path: str, file: str, own: Sequence[Text], others: Sequence[str], random: Random) -> Iterator[Twin]:
    """The texts of a test, each exchanged for another one. What names the test stays, and so do messages: compilers
    look into them."""
    for text in own:
        before = file[text.start : text.end]
        new = [other for other in others if other != before]
        if new and before.strip("'\"") not in text.test and not UNTOUCHABLE.search(before):
            line = file.count("\n", 0, text.start) + 1
            yield Twin(path=path, start=text.start, end=text.end, text=random.choice(new), test=text.test, line=line)


def _has_conditions_alone(twins: Sequence[Twin], file: str) -> bool:
    """Whether nothing of a test was altered but conditions and names of errors."""
    return all(not twin.is_value or ERROR.fullmatch(file, twin.start, twin.end) for twin in twins)


def _find_texts(path: str, file: str, random: Random) -> list[Text]:
    draft = Draft(path, file, random)
    return python_tests.find_texts(draft) if PurePosixPath(path).suffix == ".py" else syntax_tests.find_texts(draft)
