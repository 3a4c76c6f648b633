"""node:test, by a reporter of our own: Node's JUnit reporter does not say which file a test is in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.code.suite import Runner, runner
from verifiers import canaries
from verifiers.runners import events
from verifiers.runners.framework import Framework, files_of


@runner("node")
def node() -> Runner:
    """Node's own test runner, by a line of JSON for each test."""
    return Framework("node", events.read, files_of, canaries.appended("node"), _options)


def _options(command: str, paths: Sequence[str]) -> str:
    """Options go before the files; where a script stands between, only the environment reaches Node."""
    limit = "" if "--test-timeout" in command else " $limit"
    direct = re.sub(r"^node\b", f"node $options{limit}", command)
    return direct if direct != command else f'export NODE_OPTIONS="$NODE_OPTIONS $options"; {command}'
