"""Go's own tests."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.code.suite import Runner, runner
from verifiers.readers import go as go_events
from verifiers.runners.framework import Framework, files_of

ALL_PACKAGES = re.compile(r"(?<=\s)\./\.\.\.(?=\s|$)")
# matches: the "./..." of "go test ./..."
GO_TEST = re.compile(r"\bgo\s+test\b")
# matches: "go test"


@runner("go")
def go() -> Runner:
    """Go's own tests. A test is called `import/path::TestName/subtest`."""
    return Framework(go_events.READERS["go"], files_of, add_options)


def add_options(command: str, paths: Sequence[str]) -> str:
    """The command with options before the packages; packages to run take the place of `./...`. What a newer Go finds
    fault with in tests that compile is no outcome of theirs, so `vet` is off."""
    if paths:
        command = ALL_PACKAGES.sub("", command)
    return GO_TEST.sub("go test -json -count=1 -vet=off", command, count=1)
