"""Reports whose first line is the folder the tests ran in: frameworks name files by absolute paths, ids do not."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

from verifiers.runners.junit import LARGEST, BadReport


def split(report: bytes) -> tuple[str, bytes]:
    """The folder, and the report proper."""
    if not report:
        raise BadReport("no report was written")
    if len(report) > LARGEST:
        raise BadReport("the report is too large")
    root, _, body = report.partition(b"\n")
    if not root.startswith(b"/"):
        raise BadReport("the report does not say where the tests ran")
    if not body.strip():
        raise BadReport("no report was written")
    return root.decode("utf-8", errors="replace"), body


def below(root: str, path: str) -> str:
    """The path as the repository names it."""
    pure = PurePosixPath(path.removeprefix("file://"))
    return str(pure.relative_to(root)) if pure.is_relative_to(root) else str(pure)


def loaded(data: bytes | str) -> Any:
    """JSON that may have been cut off, or nested until the parser gives up."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None


def objects(value: Any) -> list[dict[str, Any]]:
    """A list of JSON objects, and nothing else."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadReport("the report has another shape than the framework gives it")
    return value
