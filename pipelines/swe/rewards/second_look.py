"""The second look at a route, once its tests have run: what was taken for a fix may be something new, and the
other way round. Pure."""

from __future__ import annotations

import re

from crucible.domains.code.patches import new_names
from crucible.mining import Route
from pipelines.swe.model import Overlay, PullRequest
from pipelines.swe.rewards.classify import Runs, Split


def reconsider_route(route: Route, pull: PullRequest, tests: Overlay, runs: Runs, split: Split) -> Route:
    """The route that the tests' outcome speaks for; a change is said in its reason."""
    fresh = new_names(pull.patch)
    if route.kind in ("bugfix", "other") and _needs_new_names(split.fail_to_pass, fresh, tests, runs):
        return _rerouted(route, "feature", f"every test that must pass needs something new ({_list_names(fresh)})")
    if route.kind in ("feature", "other") and not fresh and _failed_before(split.fail_to_pass, runs):
        return _rerouted(route, "bugfix", "the tests that must pass were there before and failed, and no name is new")
    return route


def _rerouted(route: Route, kind: str, why: str) -> Route:
    return Route(kind=kind, confidence=route.confidence, why=f"{why}; routed {route.kind} at first: {route.why}")


def _needs_new_names(wanted: tuple[str, ...], fresh: set[str], tests: Overlay, runs: Runs) -> bool:
    """Whether each test is new and either could not even be loaded without the change or uses a new name."""
    if any(test in report.outcomes for test in wanted for report in runs.base):
        return False
    return bool(fresh) and all(_uses(test, fresh, tests) or _is_unloadable(test, tests, runs) for test in wanted)


def _uses(test: str, fresh: set[str], tests: Overlay) -> bool:
    """By the source of the test itself where it can be found, else by its file."""
    text = _test_source(test, tests)
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in fresh)


def _test_source(test: str, tests: Overlay) -> str:
    bare = re.sub(r"\[.*\]$| with data set .*$", "", test, flags=re.DOTALL)
    path, name = bare.partition("::")[0], re.split(r"::|\s>\s|\s›\s|#", bare)[-1].strip()
    name = re.sub(r"^(Test\w*)/.*", r"\1", name, flags=re.DOTALL)
    files = [tests.texts[path]] if path in tests.texts else list(tests.texts.values())
    return next((found for file in files if (found := _find_block(file, name))), "\n".join(files))


def _find_block(content: str, name: str) -> str:
    """The function of that name, or the call with that title, told by how far its lines are indented."""
    lines = content.splitlines()
    starts = re.compile(rf"\b{re.escape(name)}\s*\(|(?P<sign>['\"`]){re.escape(name)}(?P=sign)")
    start = next((n for n, line in enumerate(lines) if starts.search(line)), None)
    if start is None:
        return ""
    indent = len(lines[start]) - len(lines[start].lstrip())
    within = re.compile(rf"\s*$|\s{{{indent + 1}}}|\s*[{{)]")
    end = next((n for n, line in enumerate(lines[start + 1 :], start + 1) if not within.match(line)), len(lines))
    return "\n".join(lines[start:end])


def _is_unloadable(test: str, tests: Overlay, runs: Runs) -> bool:
    """Its file was collected as one failure, or did not compile: the change brings what it imports."""
    path = test.partition("::")[0]
    absent = all(test not in report.outcomes for report in runs.tested)
    failed = any(report.broken or report.outcomes.get(path) == "failed" for report in runs.tested)
    return absent and failed


def _failed_before(wanted: tuple[str, ...], runs: Runs) -> bool:
    return all(report.outcomes.get(test) == "failed" for test in wanted for report in runs.base)


def _list_names(names: set[str]) -> str:
    return ", ".join(sorted(names)[:3])
