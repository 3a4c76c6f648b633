"""Scaffolds, read from the `.toml` files beside this module: one part for each file that has a `form`.

Seed 0 is the plain scaffold: the first of every list. Any other seed draws names, phrasings and orders
from the same lists; the same seed always gives the same bytes.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar

from agents.arguments import TAKES
from crucible import parts
from crucible.acting import Scaffold
from crucible.model import ToolSpec
from crucible.record import Json, Record

HERE = Path(__file__).parent
T = TypeVar("T")


class Words(Record):
    """What one tool or parameter may be called."""

    names: tuple[str, ...]
    descriptions: tuple[str, ...]


class ToolWords(Words):
    """A tool's words and its parameters'."""

    parameters: dict[str, Words]


class Vocabulary(Record):
    """All the words there are."""

    tools: dict[str, ToolWords]


class Plan(Record):
    """A scaffold file: lists to draw from."""

    about: str
    form: Literal["native", "text"]
    tools: tuple[str, ...]
    system: tuple[str, ...]
    prompt: tuple[str, ...]
    observation: tuple[str, ...]


class Draw:
    """Choices made by seed. Seed 0 always takes the first, in the order written."""

    def __init__(self, name: str, seed: int) -> None:
        self._random = random.Random(f"{name}:{seed}") if seed else None

    def one(self, choices: Sequence[T]) -> T:
        return self._random.choice(choices) if self._random else choices[0]

    def order(self, items: Sequence[T]) -> list[T]:
        return self._random.sample(items, len(items)) if self._random else list(items)


def build(name: str, seed: int) -> Scaffold:
    """The scaffold of that name as this seed varies it."""
    plan, draw = Plan.model_validate(_toml(f"{name}.toml")), Draw(name, seed)
    tools = tuple(_tool(does, vocabulary().tools[does], draw) for does in draw.order(plan.tools))
    return Scaffold(
        name=name,
        system=_system(_prose(draw.one(plan.system)), tools),
        prompt=_prose(draw.one(plan.prompt)),
        tools=tools,
        form=plan.form,
        observation=draw.one(plan.observation),
    )


def nudge(tools: Sequence[ToolSpec]) -> str:
    """What a teacher is told that answered without a call."""
    submit = next(tool.name for tool in tools if tool.does == "submit")
    return _prose("nudge.md").replace("{submit}", submit)


@cache
def vocabulary() -> Vocabulary:
    """The words of `vocabulary.toml`."""
    return Vocabulary.model_validate(_toml("vocabulary.toml"))


def _tool(does: str, words: ToolWords, draw: Draw) -> ToolSpec:
    schema = TAKES[does].model_json_schema()
    name, description = draw.one(words.names), draw.one(words.descriptions)
    required, properties = [], {}
    for own in draw.order(list(words.parameters)):
        shown = draw.one(words.parameters[own].names)
        properties[shown] = _parameter(
            schema["properties"][own], own, shown, draw.one(words.parameters[own].descriptions)
        )
        required += [shown] if own in schema.get("required", ()) else []
    parameters: dict[str, Json] = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(
        name=name, does=does, description=description, parameters={**parameters, "additionalProperties": False}
    )


def _parameter(schema: dict[str, Json], own: str, shown: str, description: str) -> Json:
    """The type and the description, and `x-is` where the name is not the tool's own."""
    choices = schema.get("anyOf")
    plain = choices[0] if isinstance(choices, list) else schema
    assert isinstance(plain, dict)
    given: dict[str, Json] = {"type": plain["type"], "description": description}
    return given | ({"x-is": own} if shown != own else {})


def _system(text: str, tools: Sequence[ToolSpec]) -> str:
    """Text scaffolds spell their tools out; the others leave that to the endpoint."""
    shell = next(tool for tool in tools if tool.does == "shell")
    command = next(
        name for name in _properties(shell) if name in vocabulary().tools["shell"].parameters["command"].names
    )
    text = text.replace("{example}", shell.name).replace("{arguments}", json.dumps({command: "ls -la"}))
    return text.replace("{tools}", "\n\n".join(_spelled(tool) for tool in tools))


def _spelled(tool: ToolSpec) -> str:
    lines = [f"- `{name}` ({schema['type']}): {schema['description']}" for name, schema in _properties(tool).items()]
    return "\n".join([f"## {tool.name}", tool.description, *lines])


def _properties(tool: ToolSpec) -> dict[str, dict[str, Json]]:
    return tool.parameters["properties"]  # type: ignore[return-value]  # made above, in `_tool`


def _prose(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8").strip()


def _toml(file: str) -> dict[str, Json]:
    return tomllib.loads((HERE / file).read_text(encoding="utf-8"))


def _part(name: str, about: str) -> Callable[[int], Scaffold]:
    def make(seed: int) -> Scaffold:
        return build(name, seed)

    make.__doc__ = about
    return make


for _file in sorted(HERE.glob("*.toml")):
    if "form" in (_plan := _toml(_file.name)):
        parts.scaffold(_file.stem)(_part(_file.stem, str(_plan["about"])))
