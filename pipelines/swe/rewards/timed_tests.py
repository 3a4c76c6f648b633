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
from pipelines.swe.rewards.classify import Split

MOST = 100
"""Tests that are timed."""
BUILT = "/tmp/timed"
GO_TEST = re.compile(r"^func (Test\w+)\(", re.MULTILINE)


class Timed(Record):
    """How these tests are run."""

    command: str
    """As it is timed."""
    suite: Suite
    """As it is built first, and watched."""
    paths: tuple[str, ...] = ()


def timed(candidate: Candidate, tests: Overlay, split: Split) -> Timed | None:
    """None where nothing can be timed."""
    how = HOW.get(candidate.suite.runner)
    return how(candidate.suite, tests, split.pass_to_pass) if how else None


def _pytest(suite: Suite, tests: Overlay, passing: Sequence[str]) -> Timed | None:
    chosen = [test for test in passing if test.partition("::")[0] in tests.tests][:MOST]
    if not chosen:
        return None
    files = sorted({test.partition("::")[0] for test in chosen})
    command = f"{suite.command} -q -p no:cacheprovider {shlex.join(chosen)}"
    return Timed(command=command, suite=suite, paths=tuple(files))


def _go(suite: Suite, tests: Overlay, passing: Sequence[str]) -> Timed | None:
    """Each package's tests are built first: to build them may take longer than to run them."""
    packages: dict[str, list[str]] = defaultdict(list)
    for path, text in sorted(tests.tests.items()):
        folder = posixpath.dirname(path)
        names = GO_TEST.findall(text) if path.endswith("_test.go") else []
        packages[folder] += [name for name in names if any(_is(test, folder, name) for test in passing)]
    chosen = [(folder, f"^({'|'.join(names[:MOST])})$") for folder, names in packages.items() if names]
    if not chosen or "./..." not in suite.command:
        return None
    build = [
        suite.command.replace("./...", f"-vet=off -c -o {BUILT}/{n} ./{folder}") for n, (folder, _) in enumerate(chosen)
    ]
    run = [f"(cd ./{folder} && {BUILT}/{n} -test.run '{names}')" for n, (folder, names) in enumerate(chosen)]
    watched = [f"-run '{'|'.join(names for _, names in chosen)}'", *(f"./{folder}" for folder, _ in chosen)]
    return Timed(
        command=" && ".join(run),
        suite=suite.model_copy(
            update={
                "build": " && ".join([*([suite.build] if suite.build else []), *build]),
                "command": suite.command.replace("./...", " ".join(watched)),
            }
        ),
    )


def _is(test: str, folder: str, name: str) -> bool:
    """Whether a test, called by its import path, is the one of this name in this folder."""
    package, _, called = test.partition("::")
    return called == name and f"/{package}".endswith(f"/{folder}" if folder else "")


HOW: dict[str, Callable[[Suite, Overlay, Sequence[str]], Timed | None]] = {"pytest": _pytest, "go": _go}
"""By runner."""
