"""What is timed of a performance task: those of the change's own tests that pass before and after, and only they."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Sequence

from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.model import Candidate, Overlay
from pipelines.swe.rewards.classify import Split, file_of_test

MOST_TESTS = 100
"""Tests that are timed at most; in Go, of each package."""
BUILD_FOLDER = "/tmp/timed"
"""Where the test programs of Go are built in the box."""
GO_TEST = re.compile(r"^func (Test\w+)\(", re.MULTILINE)
# matches the beginning of: func TestTotal(t *testing.T) {


class TimedTests(Record):
    """How the timed tests are run."""

    command: str
    """What is timed."""
    suite: Suite
    """What is built first, and how the tests are run to see which lines they execute."""
    build_tests: str = ""
    """What compiles the tests once they are laid."""
    paths: tuple[str, ...] = ()


def choose_timed_tests(candidate: Candidate, tests: Overlay, split: Split) -> TimedTests | None:
    """The tests of the change that pass before and after; None where there are none, or where this runner's tests
    cannot be timed one by one."""
    choose = CHOOSERS.get(candidate.suite.runner)
    return choose(candidate.suite, tests, split.pass_to_pass) if choose else None


def _choose_pytest(suite: Suite, tests: Overlay, passing: Sequence[str]) -> TimedTests | None:
    chosen = [test for test in passing if file_of_test(test) in tests.tests][:MOST_TESTS]
    if not chosen:
        return None
    files = sorted({file_of_test(test) for test in chosen})
    command = f"{suite.command} -q -p no:cacheprovider {shlex.join(chosen)}"
    return TimedTests(command=command, suite=suite, paths=tuple(files))


def _choose_go(suite: Suite, tests: Overlay, passing: Sequence[str]) -> TimedTests | None:
    """The tests of each package of Go are built first: to build them may take longer than to run them."""
    packages: dict[str, list[str]] = defaultdict(list)
    for path, text in sorted(tests.tests.items()):
        folder = posixpath.dirname(path)
        names = GO_TEST.findall(text) if path.endswith("_test.go") else []
        packages[folder] += [name for name in names if any(_is_go_test(test, folder, name) for test in passing)]
    chosen = [(folder, f"^({'|'.join(names[:MOST_TESTS])})$") for folder, names in packages.items() if names]
    if not chosen or "./..." not in suite.command:
        return None
    builds, runs = [], []
    for number, (folder, pattern) in enumerate(chosen):
        program = f"{BUILD_FOLDER}/{number}"
        builds.append(suite.command.replace("./...", f"-vet=off -c -o {program} ./{folder}"))
        runs.append(f"(cd ./{folder} && {program} -test.run '{pattern}')")
    traced = [f"-run '{'|'.join(pattern for _, pattern in chosen)}'", *(f"./{folder}" for folder, _ in chosen)]
    command = suite.command.replace("./...", " ".join(traced))
    return TimedTests(
        command=" && ".join(runs),
        suite=suite.model_copy(update={"command": command}),
        build_tests=" && ".join(builds),
    )


def _is_go_test(test: str, folder: str, name: str) -> bool:
    """Whether a test, called by its import path, is the one of this name in this folder."""
    package, _, test_name = test.partition("::")
    return test_name == name and f"/{package}".endswith(f"/{folder}" if folder else "")


CHOOSERS: dict[str, Callable[[Suite, Overlay, Sequence[str]], TimedTests | None]] = {
    "pytest": _choose_pytest,
    "go": _choose_go,
}
"""By runner."""
