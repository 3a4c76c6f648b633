"""What tests notice of a definition, with runs that a table stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from unittest.mock import AsyncMock

import pytest

from crucible.domains.code import use
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.use import Use, UseTrial

TESTS = ("a.py::test_one", "a.py::test_two", "b.py::test_three")
CODE = {
    "work.py": "class Work:\n    def do(self):\n        return 3 + 4\n",
    "work.go": "package a\n\nfunc Do() int {\n\treturn 3 + 4\n}\n",
}


class Runs:
    """Runs that fail these tests, by a word of the altered file; the others pass all."""

    def __init__(self, **failing: str) -> None:
        self.failing = failing
        self.asked: list[str] = []
        self.seen: list[Sequence[str]] = []

    async def run(self, _box: object, _params: object, _path: str, text: str, tests: Sequence[str]) -> Report:
        self.asked.append(text)
        self.seen.append(tests)
        ends = dict.fromkeys(tests, "passed")
        for word, test in self.failing.items():
            ends |= {test: "failed"} if word in text else {}
        return Report(outcomes=ends, complete=True)  # type: ignore[arg-type]


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> UseTrial:
    box = AsyncMock()
    box.read.side_effect = lambda path: CODE[path].encode()
    return UseTrial(box, SuiteParams(fail_to_pass=TESTS))


async def test_one_run_tells_whether_a_definition_is_used_and_by_which_tests(
    trial: UseTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(**{"return None": TESTS[1]})
    monkeypatch.setattr(use, "_run_with", runs.run)
    assert await trial.see_use("work.py", "Work") == Use("used", frozenset({TESTS[1]}))
    assert len(runs.asked) == 1
    assert await trial.see_use("work.py", "Work.do") == Use("used", frozenset({TESTS[1]}))
    assert len(runs.asked) == 1, "a class of one method and that method are void alike"


async def test_the_whole_run_is_ended_only_where_no_test_notices_that_nothing_is_answered(
    trial: UseTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(panic=TESTS[0])
    monkeypatch.setattr(use, "_run_with", runs.run)
    assert await trial.see_use("work.go", "Do") == Use("used", frozenset())
    assert ["panic" in text for text in runs.asked] == [False, True]
    noticed = Runs(**{"new(int)": TESTS[2]})
    monkeypatch.setattr(use, "_run_with", noticed.run)
    assert await UseTrial(trial.box, trial.params).see_use("work.go", "Do") == Use("used", frozenset({TESTS[2]}))
    assert len(noticed.asked) == 1


async def test_faults_are_shown_to_the_files_of_tests_that_are_asked_about_alone(
    trial: UseTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(**{"3 - 4": TESTS[2]})
    monkeypatch.setattr(use, "_run_with", runs.run)
    seen = await trial.find_noticing_files("work.py", "Work.do", "x", 8, ["b.py"], None)
    assert seen.files == Counter({"b.py": 1})
    assert {*runs.seen} == {(TESTS[2],)}
    count = len(runs.asked)
    assert await trial.find_noticing_files("work.py", "Work", "x", 8, ["b.py"], None) == seen
    assert len(runs.asked) == count, "a class has the faults of its methods"
