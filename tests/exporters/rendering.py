"""Chat templates in the manner of public families, rendered as tokenizers render them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from jinja2.sandbox import ImmutableSandboxedEnvironment

FAMILIES = ("chatml", "headers", "items")
HERE = Path(__file__).parent / "templates"


def rendered(family: str, messages: list[dict[str, Any]], tools: list[Any] | None, **options: bool) -> str:
    """The text that would be tokenised."""
    world = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    world.filters["tojson"] = lambda value, **_: json.dumps(value, ensure_ascii=False)
    world.globals["raise_exception"] = _refuse
    return world.from_string((HERE / f"{family}.jinja").read_text()).render(messages=messages, tools=tools, **options)


def row_messages(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The conversation of a row as its trainer hands it to the template: no nulls, arguments as mappings."""
    messages: list[dict[str, Any]] = _plain(row["messages"] if "messages" in row else row["prompt"] + row["completion"])
    return messages


def row_tools(row: dict[str, Any]) -> list[Any] | None:
    """The tools of a row as its trainer hands them to the template."""
    tools = row["tools"]
    return json.loads(tools) if isinstance(tools, str) else tools


def _plain(value: Any, key: str = "") -> Any:
    if key == "arguments":
        return json.loads(value) if isinstance(value, str) else value
    if isinstance(value, dict):
        return {k: _plain(v, k) for k, v in value.items() if v is not None}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _refuse(why: str) -> NoReturn:
    raise ValueError(why)
