"""RSpec, by its JSON."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.bad_report import BadReport, check_size
from verifiers.readers.reader import Reader, Reading, worst_outcomes
from verifiers.readers.rooted import parse_json, require_objects

STATUS: dict[str, Status] = {"passed": "passed", "failed": "failed", "pending": "skipped"}
UNLOADED = re.compile(r"An error occurred while loading (\S+\.rb)\b")
# matches: "An error occurred while loading ./spec/a_spec.rb."


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every example. Files that do not load are failed under their path: then RSpec runs nothing."""
    check_size(report)
    content = parse_json(report)
    if not isinstance(content, dict) or not isinstance(content.get("summary"), dict):
        raise BadReport("the report has another shape than the framework gives it")
    examples = require_objects(content.get("examples"))
    if content["summary"].get("example_count") != len(examples):
        raise BadReport("the report counts other examples than it holds")
    messages = "\n".join(map(str, content.get("messages") or ()))
    unloaded = [_plain_path(path) for path in UNLOADED.findall(messages)]
    return Reading(outcomes=worst_outcomes([*map(_read_example, examples), *((path, "failed") for path in unloaded)]))


def _read_example(example: dict[str, Any]) -> tuple[str, Status]:
    """The id and outcome of an example. One that is marked as pending, ran and failed, as it should, is `pending`."""
    status = STATUS.get(str(example.get("status")), "failed")
    return f"{_plain_path(str(example.get('file_path')))}::{example.get('full_description')}", status


def _plain_path(path: str) -> str:
    return str(PurePosixPath(path.removeprefix("./")))


READERS = {"rspec": Reader("rspec", read)}
