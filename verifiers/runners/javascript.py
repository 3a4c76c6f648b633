"""JavaScript and TypeScript: Jest, Vitest, Mocha, Jasmine, node:test, tape and node-tap, AVA.

Mocha, Jasmine and node:test have reporters of our own. Mocha's JSON reporter can write to a file only in newer
versions, and omits files; Jasmine has none that writes to a file; Node's JUnit reporter does not say which file a test
is in.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from crucible.domains.code.suite import Runner, runner
from verifiers.readers import events
from verifiers.readers import jest as jest_json
from verifiers.readers import tap as tap_text
from verifiers.runners.framework import Framework, add_time_limit, files_of

WORKER_OPTIONS = {"-i", "--runInBand", "-w", "--maxWorkers"}
"""Options of Jest that say where tests are to run."""
NODE = re.compile(r"^node\b")
# matches: the "node" of "node --test"


@runner("jest")
def jest() -> Runner:
    """Jest, by its JSON."""
    return Framework(jest_json.READERS["jest"], files_of, add_workers)


@runner("vitest")
def vitest() -> Runner:
    """Vitest, by the JSON it shares with Jest."""
    return Framework(jest_json.READERS["vitest"], files_of, add_time_limit)


@runner("mocha")
def mocha() -> Runner:
    """Mocha, by a line of JSON for each test."""
    return Framework(events.READERS["mocha"], files_of)


@runner("jasmine")
def jasmine() -> Runner:
    """Jasmine, by a line of JSON for each test."""
    return Framework(events.READERS["jasmine"], files_of)


@runner("node")
def node() -> Runner:
    """Node's own test runner, by a line of JSON for each test."""
    return Framework(events.READERS["node"], files_of, add_node_options)


@runner("tap")
def tap() -> Runner:
    """Whatever prints TAP: tape, node-tap."""
    return Framework(tap_text.READERS["tap"])


@runner("ava")
def ava() -> Runner:
    """AVA, by its TAP. A test is called `file › title`, or `title` where there is one file."""
    return Framework(tap_text.READERS["ava"], adapt=add_time_limit)


def add_workers(command: str, paths: Sequence[str]) -> str:
    """Jest's command with tests in processes of their own, unless it says where they are to run, and given time."""
    options = {word.partition("=")[0] for word in shlex.split(command)}
    return add_time_limit(command if options & WORKER_OPTIONS else f"{command} $workers", paths)


def add_node_options(command: str, paths: Sequence[str]) -> str:
    """Node's command with options before the files; where a script stands between, only the environment reaches it."""
    limit = "" if "--test-timeout" in command else " $limit"
    direct = NODE.sub(f"node $options{limit}", command)
    return direct if direct != command else f'export NODE_OPTIONS="$NODE_OPTIONS $options"; {command}'
