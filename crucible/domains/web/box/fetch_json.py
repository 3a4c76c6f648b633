"""Runs in the box of an application: looks for an OpenAPI document at the usual places.

    python3 -I fetch_json.py URL PATH...

Prints `{"path": ..., "paths": {path: [method, ...]}}` for the first that is one, else `null`.
"""

from __future__ import annotations

import json
import sys
import urllib.request

MOST_BYTES, MOST_PATHS, SECONDS = 2_000_000, 200, 5


def fetch(url: str) -> object:
    """The JSON at an address; None where there is none."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=SECONDS) as answer:
            found: object = json.loads(answer.read(MOST_BYTES))
            return found
    except (OSError, ValueError):
        return None


def describe(path: str, document: object) -> dict[str, object] | None:
    """What a document says, if it is one."""
    if not isinstance(document, dict) or not ("openapi" in document or "swagger" in document):
        return None
    paths = document.get("paths")
    listed = list(paths.items())[:MOST_PATHS] if isinstance(paths, dict) else []
    return {"path": path, "paths": {name: [*item] if isinstance(item, dict) else [] for name, item in listed}}


def main() -> None:
    found = (describe(path, fetch(sys.argv[1] + path)) for path in sys.argv[2:])
    print(json.dumps(next((each for each in found if each), None)))


main()
