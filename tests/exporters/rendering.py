"""Chat templates of two public families' manner, rendered as tokenizers render them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from jinja2.sandbox import ImmutableSandboxedEnvironment

FAMILIES = ("chatml", "headers")
HERE = Path(__file__).parent / "templates"


def rendered(family: str, messages: list[dict[str, Any]], tools: list[Any]) -> str:
    """The text that would be tokenised."""
    world = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    world.filters["tojson"] = lambda value, **_: json.dumps(value, ensure_ascii=False)
    world.globals["raise_exception"] = _refuse
    return world.from_string((HERE / f"{family}.jinja").read_text()).render(messages=messages, tools=tools)


def plain(value: Any) -> Any:
    """As the dataset card tells readers to: without Arrow's nulls, arguments as mappings."""
    if isinstance(value, dict):
        return {k: json.loads(v) if k == "arguments" else plain(v) for k, v in value.items() if v is not None}
    return [plain(one) for one in value] if isinstance(value, list) else value


def _refuse(why: str) -> NoReturn:
    raise ValueError(why)
