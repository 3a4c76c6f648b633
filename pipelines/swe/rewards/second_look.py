"""The second look at a route, once its tests have run: what was taken for a fix may be something new, and the
other way round. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.code.patches import new_names
from crucible.mining import Route
from pipelines.swe.model import Overlay, PullRequest
from pipelines.swe.rewards.classify import Runs, Split

PARAMETERS = re.compile(r"\[.*\]$| with data set .*$", re.DOTALL)
# matches the end of: tests/t.py::test_a[1-2]  tests/T.php::T::test_b with data set #1
NAME_SEPARATOR = re.compile(r"::|\s>\s|\s›\s|#")  # splits: tests/t.py::T::test_b  tests/t.js > a > b is old
GO_SUBTEST = re.compile(r"^(Test\w*)/.*", re.DOTALL)  # matches: TestB/sub


def reconsider_route(route: Route, pull: PullRequest, tests: Overlay, runs: Runs, split: Split) -> Route:
    """The route that the tests' outcome speaks for; where it is another one, its reason says so."""
    added = new_names(pull.patch)
    if route.kind in ("bugfix", "other") and _needs_new_names(split.fail_to_pass, added, tests, runs):
        listed = ", ".join(sorted(added)[:3])
        return _rerouted(route, "feature", f"every test that must pass needs something new ({listed})")
    if route.kind in ("feature", "other") and not added and _failed_before(split.fail_to_pass, runs):
        return _rerouted(route, "bugfix", "the tests that must pass were there before and failed, and no name is new")
    return route


def _rerouted(route: Route, kind: str, why: str) -> Route:
    return Route(kind=kind, confidence=route.confidence, why=f"{why}; routed {route.kind} at first: {route.why}")


def _needs_new_names(fail_to_pass: Sequence[str], added: set[str], tests: Overlay, runs: Runs) -> bool:
    """Whether each test is new and either could not even be loaded without the change or uses a name that it adds."""
    if any(test in report.outcomes for test in fail_to_pass for report in runs.base):
        return False
    return bool(added) and all(_uses_name(test, added, tests) or _is_unloadable(test, runs) for test in fail_to_pass)


def _uses_name(test: str, names: set[str], tests: Overlay) -> bool:
    """Whether one of these names stands in the source of a test, or in its file where the source cannot be found."""
    text = _test_source(test, tests)
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)


def _test_source(test: str, tests: Overlay) -> str:
    """The source of a test by its id, or all of the file or files that it may be in."""
    id = PARAMETERS.sub("", test)
    path, name = id.partition("::")[0], NAME_SEPARATOR.split(id)[-1].strip()
    name = GO_SUBTEST.sub(r"\1", name)
    files = [tests.texts[path]] if path in tests.texts else list(tests.texts.values())
    return next((block for file in files if (block := _find_block(file, name))), "\n".join(files))


def _find_block(content: str, name: str) -> str:
    """The lines of the function of that name, or of the call with that title, up to the first that is indented no
    further; empty when there is none."""
    lines = content.splitlines()
    head = re.compile(rf"\b{re.escape(name)}\s*\(|(?P<quote>['\"`]){re.escape(name)}(?P=quote)")
    # matches in: def test_b():  it('b is old', () => {
    start = next((n for n, line in enumerate(lines) if head.search(line)), None)
    if start is None:
        return ""
    indent = len(lines[start]) - len(lines[start].lstrip())
    inside = re.compile(rf"\s*$|\s{{{indent + 1}}}|\s*[{{)]")  # matches: an empty line, a deeper one, a bracket
    end = next((n for n, line in enumerate(lines[start + 1 :], start + 1) if not inside.match(line)), len(lines))
    return "\n".join(lines[start:end])


def _is_unloadable(test: str, runs: Runs) -> bool:
    """Whether a test's file was collected as one failure, or did not compile: the change brings what it imports."""
    path = test.partition("::")[0]
    absent = all(test not in report.outcomes for report in runs.tested)
    failed = any(report.broken or report.outcomes.get(path) == "failed" for report in runs.tested)
    return absent and failed


def _failed_before(fail_to_pass: Sequence[str], runs: Runs) -> bool:
    return all(report.outcomes.get(test) == "failed" for test in fail_to_pass for report in runs.base)
