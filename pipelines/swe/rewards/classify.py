"""What three kinds of runs, each repeated, say of every test: fail-to-pass, pass-to-pass, flaky. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from crucible.domains.code.suite import Report
from crucible.errors import Rejected
from crucible.record import Record

ARGUMENTS = re.compile(r"[\[/( ]")
# matches the sign after the name in: test_b[1]  TestB/case  test_b(int)  test_b with 1


class Runs(Record):
    """The reports of each kind of run, in order."""

    base: tuple[Report, ...] = ()
    """The base alone. Without it, a test file that does not compile before the fix would make all of its
    tests look like fail-to-pass."""
    tested: tuple[Report, ...] = ()
    """The base with the change's tests."""
    golden: tuple[Report, ...] = ()
    """The base with the change's tests and the change."""

    rewritten: frozenset[str] = frozenset()
    """Names of test functions whose own lines the change rewrote."""
    code: frozenset[str] = frozenset()
    """Files of the change that are not its tests. What is tested within them (examples in documentation) comes with
    the change itself: no attempt could have it, and any attempt could alter it."""

    def by_kind(self) -> tuple[tuple[Report, ...], ...]:
        """The reports of the base, of the base with tests, and of both with the change."""
        return self.base, self.tested, self.golden


class Split(Record):
    """The tests that make the reward, and those that were kept out of it."""

    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    flaky: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    """Tests that pass before the change and fail with it."""
    unsolved: tuple[str, ...] = ()
    """Tests that fail before the change and with it, and are not there without its tests."""


def classify(runs: Runs) -> Split:
    """Sort every test that any run has seen."""
    seen = {name for kind in runs.by_kind() for report in kind for name in report.outcomes}
    names = sorted(name for name in seen if file_of_test(name) not in runs.code)
    flaky = {name for name in names if any(len(_states(kind, name)) > 1 for kind in runs.by_kind())}
    steady = {name: tuple(_states(kind, name).pop() for kind in runs.by_kind()) for name in names if name not in flaky}
    computed = _files_with_computed_names(steady)
    fail_to_pass = {
        name
        for name, states in steady.items()
        if _is_fail_to_pass(states, _function_of_test(name) in runs.rewritten)
        and not (states[1] == "absent" and file_of_test(name) in computed)
    }
    rest = {name: states for name, states in steady.items() if name not in fail_to_pass}
    return Split(
        fail_to_pass=tuple(sorted(fail_to_pass)),
        pass_to_pass=tuple(name for name, states in rest.items() if _is_pass_to_pass(*states)),
        flaky=tuple(sorted(flaky)),
        broken=tuple(n for n, (_, before, after) in steady.items() if (before, after) == ("pass", "fail")),
        unsolved=tuple(n for n, states in steady.items() if states == ("absent", "fail", "fail")),
    )


def _files_with_computed_names(steady: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Files whose tests are called by what the code under test computes: some that pass without the change are gone
    with it. What only comes with the change is another name there, which no other solution would give."""
    return {
        file_of_test(name) for name, (_, tested, golden) in steady.items() if (tested, golden) == ("pass", "absent")
    }


def file_of_test(test: str) -> str:
    """The file that a test's id begins with: `tests/test_a.py` of `tests/test_a.py::test_b`."""
    return test.partition("::")[0]


def _is_fail_to_pass(states: tuple[str, ...], rewritten: bool) -> bool:
    """Whether a test fails until the change. One that only vanishes because its file needs the change was fine before,
    unless the change rewrote the test itself."""
    base, tested, golden = states
    if golden != "pass":
        return False
    waits = tested == "skip" and base == "absent"  # a new test that can only be skipped until the change is there
    return tested == "fail" or waits or (tested == "absent" and (base != "pass" or rewritten))


def _function_of_test(test: str) -> str:
    """The name of the function that a test's id ends with: `test_b` of `tests/test_a.py::test_b[1]`."""
    return ARGUMENTS.split(test.rpartition("::")[2], maxsplit=1)[0]


def _is_pass_to_pass(base: str, tested: str, golden: str) -> bool:
    """Whether a test passes without the change and with it; the change may have brought the test."""
    return golden == "pass" and (base, tested) in (("pass", "pass"), ("absent", "pass"), ("pass", "absent"))


def _states(reports: Sequence[Report], name: str) -> set[str]:
    """In which states a test is found by runs of one kind; more than one where it comes and goes."""
    return {_state(report, name) for report in reports}


def _state(report: Report, name: str) -> str:
    """`pass`, `fail`, `skip`, `xfail`, or `absent` where the report does not have the test."""
    known = {"passed": "pass", "failed": "fail", "skipped": "skip", "xfailed": "xfail"}
    return known.get(report.outcomes.get(name, ""), "absent")


def require_complete_runs(runs: Runs) -> None:
    """Reject when a run did not come to its end: then nothing was measured. Only with the change's tests and
    without the change may something fail to compile, or hang, or take the whole run down: the tests that are missing
    then are simply not there."""
    for kind, reports in (("base", runs.base), ("golden", runs.golden)):
        for report in reports:
            if report.broken or not report.complete:
                tail = " ".join(report.log.split())[-300:]
                raise Rejected("tests_do_not_run", f"{kind} run: {report.broken or report.why}; {tail}")


def require_nothing_broken(split: Split) -> None:
    """Reject when the change breaks a test, or when no test passes that it could break."""
    if split.broken:
        raise Rejected("golden_fails", f"the change breaks {_list_names(split.broken)}")
    if not split.pass_to_pass and not split.fail_to_pass:
        raise Rejected("no_pass_to_pass", "no test passes with the change")


def require_reward(split: Split) -> None:
    """Reject when no honest reward can be made of these tests."""
    if split.broken:
        raise Rejected("golden_fails", f"the change breaks {_list_names(split.broken)}")
    if split.fail_to_pass:
        return
    if split.flaky:
        raise Rejected("flaky", f"only tests that come and go are left: {_list_names(split.flaky)}")
    if split.unsolved:
        raise Rejected("golden_fails", f"the change does not make {_list_names(split.unsolved)} pass")
    raise Rejected("no_fail_to_pass", "no test fails before the change and passes with it")


def require_no_altered_tests(runs: Runs, split: Split) -> None:
    """Reject where tests that passed expect something else now: whoever claims to leave behaviour as it is does not
    say what."""
    if altered := altered_tests(runs, split):
        raise Rejected("behaviour_unsaid", f"other outcomes are expected of {_list_names(altered)}")


def altered_tests(runs: Runs, split: Split) -> tuple[str, ...]:
    """The fail-to-pass tests that passed before the change's tests were there."""
    return tuple(test for test in split.fail_to_pass if any(report.passed(test) for report in runs.base))


def _list_names(names: Sequence[str]) -> str:
    """The first three names, and how many more there are."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
