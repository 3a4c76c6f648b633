"""Ruby: RSpec by its JSON, minitest and test-unit by reporters of our own, which are found in Ruby's path."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners import events
from verifiers.runners.framework import Found, Framework, everything, files_of, merged
from verifiers.runners.junit import LARGEST, BadReport
from verifiers.runners.rooted import loaded, objects

STATUS: dict[str, Status] = {"passed": "passed", "failed": "failed", "pending": "skipped"}
UNLOADED = re.compile(r"An error occurred while loading (\S+\.rb)\b")


@runner("rspec")
def rspec() -> Runner:
    """RSpec. A test is called `file::full description`."""
    return Framework("rspec", read, files_of, canaries.appended("rspec"))


@runner("minitest")
def minitest() -> Runner:
    """Minitest. A test is called `file::Class#method`. What is run is the command's own business."""
    return Framework("minitest", events.read, everything, canaries.appended("minitest"))


@runner("test-unit")
def test_unit() -> Runner:
    """test-unit. A test is called `file::Class#method`. What is run is the command's own business."""
    return Framework("test-unit", events.read, everything, canaries.appended("test-unit"))


def read(report: bytes, done: Done) -> Found:
    """Files that do not load are failed under their path: then RSpec runs nothing."""
    if not report or len(report) > LARGEST:
        raise BadReport("the report is too large" if report else "no report was written")
    whole = loaded(report)
    if not isinstance(whole, dict) or not isinstance(whole.get("summary"), dict):
        raise BadReport("the report has another shape than the framework gives it")
    examples = objects(whole.get("examples"))
    if whole["summary"].get("example_count") != len(examples):
        raise BadReport("the report counts other examples than it holds")
    unloaded = [_path(path) for path in UNLOADED.findall("\n".join(map(str, whole.get("messages") or ())))]
    return Found(outcomes=merged([*map(_example, examples), *((path, "failed") for path in unloaded)]))


def _example(example: dict[str, Any]) -> tuple[str, Status]:
    """An example marked as pending that ran and failed, as it should, was expected to."""
    status = STATUS.get(str(example.get("status")), "failed")
    return f"{_path(str(example.get('file_path')))}::{example.get('full_description')}", status


def _path(path: str) -> str:
    return str(PurePosixPath(path.removeprefix("./")))
