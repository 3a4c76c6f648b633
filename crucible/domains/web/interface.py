"""The interface of a backend, as its own OpenAPI document tells it, where it has one."""

from __future__ import annotations

import json
import shlex

from crucible.domains.web.launching import make_script_command
from crucible.record import Record
from crucible.sandbox import Sandbox

PLACES = ("/openapi.json", "/swagger.json", "/api/openapi.json", "/api-docs", "/v3/api-docs", "/docs/openapi.json")
METHODS = ("get", "put", "post", "delete", "patch")
SECONDS = 30.0


class Interface(Record):
    """What an OpenAPI document says."""

    path: str
    """Where it was found."""
    operations: tuple[str, ...] = ()
    """Method and path of each: `GET /items`."""


async def find_interface(box: Sandbox, url: str) -> Interface | None:
    """The first document that the backend gives; None where it has none."""
    words = shlex.join([url.rstrip("/"), *PLACES])
    done = await box.exec(f"{make_script_command('fetch_json.py')} {words}", timeout=SECONDS)
    found = json.loads(done.out) if done.ok else None
    return Interface(path=found["path"], operations=_list_operations(found["paths"])) if found else None


def _list_operations(paths: dict[str, list[str]]) -> tuple[str, ...]:
    return tuple(
        f"{method.upper()} {path}" for path, methods in paths.items() for method in methods if method in METHODS
    )
