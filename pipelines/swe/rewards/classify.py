"""What three kinds of runs, each repeated, say of every test: fail-to-pass, pass-to-pass, flaky. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from crucible.domains.code.suite import Report
from crucible.errors import Rejected
from crucible.record import Record


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

    def all(self) -> tuple[tuple[Report, ...], ...]:
        return self.base, self.tested, self.golden


class Split(Record):
    """The tests that make the reward, and those that were kept out of it."""

    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    flaky: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    """They pass before the change and fail with it."""
    unsolved: tuple[str, ...] = ()
    """They fail before the change and with it, and are not there without its tests."""


def classify(runs: Runs) -> Split:
    """Sort every test that any run has seen."""
    seen = {name for kind in runs.all() for report in kind for name in report.outcomes}
    names = sorted(name for name in seen if _file(name) not in runs.code)
    flaky = {name for name in names if any(len(_states(kind, name)) > 1 for kind in runs.all())}
    steady = {name: tuple(_states(kind, name).pop() for kind in runs.all()) for name in names if name not in flaky}
    computed = _computed(steady)
    fixed = {
        name
        for name, states in steady.items()
        if _is_fixed(states, _function(name) in runs.rewritten)
        and not (states[1] == "absent" and _file(name) in computed)
    }
    return Split(
        fail_to_pass=tuple(sorted(fixed)),
        pass_to_pass=tuple(name for name, states in steady.items() if name not in fixed and _is_kept(*states)),
        flaky=tuple(sorted(flaky)),
        broken=tuple(n for n, (_, before, after) in steady.items() if (before, after) == ("pass", "fail")),
        unsolved=tuple(n for n, states in steady.items() if states == ("absent", "fail", "fail")),
    )


def _computed(steady: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Files whose tests are called by what the code under test computes: some that pass without the change are gone
    with it. What only comes with the change is another name there, which no other solution would give."""
    return {_file(name) for name, (_, tested, golden) in steady.items() if (tested, golden) == ("pass", "absent")}


def _file(test: str) -> str:
    return test.partition("::")[0]


def _is_fixed(states: tuple[str, ...], rewritten: bool) -> bool:
    """It fails until the change. One that only vanishes because its file needs the change was fine before, unless
    the change rewrote the test itself."""
    base, tested, golden = states
    if golden != "pass":
        return False
    waits = tested == "skip" and base == "absent"  # a new test that can only be skipped until the change is there
    return tested == "fail" or waits or (tested == "absent" and (base != "pass" or rewritten))


def _function(test: str) -> str:
    """The name of the function that a test's id ends with."""
    return re.split(r"[\[/( ]", test.rpartition("::")[2], maxsplit=1)[0]


def _is_kept(base: str, tested: str, golden: str) -> bool:
    """It passes without the change and with it; the change may have brought it."""
    return golden == "pass" and (base, tested) in (("pass", "pass"), ("absent", "pass"), ("pass", "absent"))


def _states(reports: Sequence[Report], name: str) -> set[str]:
    return {_state(report, name) for report in reports}


def _state(report: Report, name: str) -> str:
    if report.passed(name):
        return "pass"
    return {"failed": "fail", "skipped": "skip"}.get(report.outcomes.get(name, ""), "absent")


def require_complete(runs: Runs) -> None:
    """Reject when a run did not come to its end: then nothing was measured. Only with the change's tests and
    without the change may something fail to compile, or hang, or take the whole run down: the tests that are missing
    then are simply not there."""
    for kind, reports in (("base", runs.base), ("golden", runs.golden)):
        for report in reports:
            if report.broken or not report.complete:
                tail = " ".join(report.log.split())[-300:]
                raise Rejected("tests_do_not_run", f"{kind} run: {report.broken or report.why}; {tail}")


def require_kept(split: Split) -> None:
    """Reject when the change breaks something, or when nothing is there that it could break."""
    if split.broken:
        raise Rejected("golden_fails", f"the change breaks {_some(split.broken)}")
    if not split.pass_to_pass and not split.fail_to_pass:
        raise Rejected("no_pass_to_pass", "no test passes with the change")


def require_reward(split: Split) -> None:
    """Reject when no honest reward can be made of these tests."""
    if split.broken:
        raise Rejected("golden_fails", f"the change breaks {_some(split.broken)}")
    if split.fail_to_pass:
        return
    if split.flaky:
        raise Rejected("flaky", f"only tests that come and go are left: {_some(split.flaky)}")
    if split.unsolved:
        raise Rejected("golden_fails", f"the change does not make {_some(split.unsolved)} pass")
    raise Rejected("no_fail_to_pass", "no test fails before the change and passes with it")


def require_new(runs: Runs, split: Split) -> None:
    """Reject where tests that passed must say something else now: whoever claims to leave behaviour as it is does not
    say what."""
    if changed := altered(runs, split):
        raise Rejected("behaviour_unsaid", f"other outcomes are expected of {_some(changed)}")


def altered(runs: Runs, split: Split) -> tuple[str, ...]:
    """Tests that must pass, and did before the change's tests were there."""
    return tuple(test for test in split.fail_to_pass if any(report.passed(test) for report in runs.base))


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
