"""Reports whose first line is the folder the tests ran in: frameworks name files by absolute paths, ids do not. And the
JSON that such reports hold."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

from verifiers.readers.bad_report import BadReport, check_size


def split_root(report: bytes) -> tuple[str, bytes]:
    """The folder of the first line, and the report below it."""
    check_size(report)
    root, _, body = report.partition(b"\n")
    if not root.startswith(b"/"):
        raise BadReport("the report does not say where the tests ran")
    if not body.strip():
        raise BadReport("no report was written")
    return root.decode("utf-8", errors="replace"), body


def relative_path(root: str, path: str) -> str:
    """The path as the repository names it; as it is when it lies elsewhere."""
    pure = PurePosixPath(path.removeprefix("file://"))
    return str(pure.relative_to(root)) if pure.is_relative_to(root) else str(pure)


def parse_json(data: bytes | str) -> Any:
    """JSON; BadReport when it was cut off, or nested until the parser gives up."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None


def require_objects(value: Any) -> list[dict[str, Any]]:
    """The value, if it is a list of JSON objects; otherwise BadReport."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadReport("the report has another shape than the framework gives it")
    return value
