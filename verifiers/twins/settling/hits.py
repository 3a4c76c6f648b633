"""Which alterations made tests fail, as the reports of runs tell."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.answers import note_shown
from verifiers.twins.copies.spreading import CopiedTest
from verifiers.twins.names import is_in_test, name_failures
from verifiers.twins.settling.trying import TwinRun


def find_hits(params: SuiteParams, runs: Sequence[TwinRun], known: frozenset[str]) -> list[Twin]:
    """The alterations that made tests fail, with what the logs show of them."""
    laid = [[twin for twin in run.draw if not isinstance(twin, CopiedTest)] for run in runs]
    failed = [select_failing(params, draw, run.report, known) for draw, run in zip(laid, runs, strict=True)]
    files = {**params.tests, **params.inline}
    logs = [run.report.log for run in runs]
    return [note_shown(hit, files[hit.path], logs) for hit in join_hits(list(zip(laid, failed, strict=True)))]


def select_failing(
    params: SuiteParams, draw: Sequence[Twin], report: Report, known: Collection[str] = ()
) -> list[Twin]:
    """The alterations in whose tests a report has a failure, each with the tests that fail. One that is named after
    what was altered fails under a name that is not `known`, and its own is gone."""
    if not report.complete:
        return []
    wanted = [*params.fail_to_pass, *params.pass_to_pass]
    failing = [test for test, status in report.outcomes.items() if status == "failed"]
    gone = [test for test in wanted if test not in report.outcomes]
    named = name_failures(draw, [test for test in wanted if test in failing])
    missing: dict[Twin, tuple[str, ...]] = {}
    for twin in draw:
        new = [test for test in failing if test not in {*wanted, *known} and is_in_test(twin, test)]
        old = [test for test in gone if is_in_test(twin, test)]
        if not named[twin] and new and len(new) == len(old):
            named[twin], missing[twin] = tuple(new), tuple(old)
    found = [(twin, {"fails": tests, "gone": missing.get(twin, ())}) for twin, tests in named.items() if tests]
    return [twin.model_copy(update=update) for twin, update in found]


def join_hits(runs: Sequence[tuple[Sequence[Twin], Sequence[Twin]]]) -> list[Twin]:
    """The alterations that failed in every run that they were laid into, with the tests that failed in all of these.
    `runs` are what each had laid into it, and what of that failed."""
    laid = [twin.place for draw, _ in runs for twin in draw]
    failed: dict[tuple[str, int, int, str], list[Twin]] = {}
    for hit in (hit for _, hits in runs for hit in hits):
        failed.setdefault(hit.place, []).append(hit)
    joined = [
        same[0].model_copy(update={"fails": tuple(t for t in same[0].fails if all(t in hit.fails for hit in same))})
        for place, same in failed.items()
        if len(same) == laid.count(place)
    ]
    return [hit for hit in joined if hit.fails]


def fails_somewhere(params: SuiteParams, reports: Sequence[Report]) -> bool:
    """Whether a test of the task fails in every run that is whole."""
    wanted = [*params.fail_to_pass, *params.pass_to_pass]
    return any(all(report.complete and report.outcomes.get(test) == "failed" for report in reports) for test in wanted)


def keep_best(params: SuiteParams, found: Sequence[Twin]) -> list[Twin]:
    """Of the alterations of each test those that make a test fail which must start to pass, if there are any."""
    groups = group_by_test(found).values()
    return [twin for group in groups for twin in [t for t in group if makes_new_test_fail(params, t)] or group]


def makes_new_test_fail(params: SuiteParams, twin: Twin) -> bool:
    """Whether it makes a test fail that must start to pass, or is in none: of a test with many cases others may fail.
    Code that pleases a single case passes the tests, and fails an alteration of any other."""
    is_in_new = any(is_in_test(twin, test) for test in params.fail_to_pass)
    return not is_in_new or any(test in params.fail_to_pass for test in twin.touched)
