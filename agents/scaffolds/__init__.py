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

from agents.arguments import ARGUMENTS_BY_TOOL
from crucible import parts
from crucible.acting import Scaffold
from crucible.model import ToolSpec
from crucible.record import Json, Record

HERE = Path(__file__).parent
T = TypeVar("T")


class Words(Record):
    """The names and descriptions that one tool or parameter may be given."""

    names: tuple[str, ...]
    descriptions: tuple[str, ...]


class ToolWords(Words):
    """The names and descriptions that a tool may be given, and those of its parameters."""

    parameters: dict[str, Words]


class Vocabulary(Record):
    """The names and descriptions that scaffolds draw from, by the tool they are of."""

    tools: dict[str, ToolWords]


class ScaffoldFile(Record):
    """A scaffold's `.toml` file: the lists that a seed draws from; prompts are names of files."""

    about: str
    form: Literal["native", "text"]
    tools: tuple[str, ...]
    system: tuple[str, ...]
    prompt: tuple[str, ...]
    observation: tuple[str, ...]


class SeededChoice:
    """Makes choices by a seed. Seed 0 takes the first of every list and leaves orders as they are written."""

    def __init__(self, name: str, seed: int) -> None:
        self._random = random.Random(f"{name}:{seed}") if seed else None

    def choose(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return self._random.choice(choices) if self._random else choices[0]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """All of the items, in an order of the seed's."""
        return self._random.sample(items, len(items)) if self._random else list(items)


def build_scaffold(name: str, seed: int) -> Scaffold:
    """The scaffold of that name as this seed varies it."""
    file, choice = ScaffoldFile.model_validate(_read_toml(f"{name}.toml")), SeededChoice(name, seed)
    tools = tuple(_make_tool_spec(does, load_vocabulary().tools[does], choice) for does in choice.shuffle(file.tools))
    return Scaffold(
        name=name,
        system=_fill_system_prompt(_read_prose(choice.choose(file.system)), tools),
        prompt=_read_prose(choice.choose(file.prompt)),
        tools=tools,
        form=file.form,
        observation=choice.choose(file.observation),
    )


def render_nudge(tools: Sequence[ToolSpec]) -> str:
    """The text that a teacher gets which answered without a call."""
    submit = next(tool.name for tool in tools if tool.does == "submit")
    return _read_prose("nudge.md").replace("{submit}", submit)


@cache
def load_vocabulary() -> Vocabulary:
    """The words of `vocabulary.toml`."""
    return Vocabulary.model_validate(_read_toml("vocabulary.toml"))


def _make_tool_spec(does: str, words: ToolWords, choice: SeededChoice) -> ToolSpec:
    """The tool as the scaffold shows it, under names and descriptions that the seed chose."""
    schema = ARGUMENTS_BY_TOOL[does].model_json_schema()
    name, description = choice.choose(words.names), choice.choose(words.descriptions)
    required, properties = [], {}
    for own in choice.shuffle(list(words.parameters)):
        alias = choice.choose(words.parameters[own].names)
        properties[alias] = _make_parameter(
            schema["properties"][own], own, alias, choice.choose(words.parameters[own].descriptions)
        )
        required += [alias] if own in schema.get("required", ()) else []
    parameters: dict[str, Json] = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(
        name=name, does=does, description=description, parameters={**parameters, "additionalProperties": False}
    )


def _make_parameter(schema: dict[str, Json], own: str, alias: str, description: str) -> Json:
    """A parameter's schema: its type, its description, and `x-is` where its name is not the tool's own."""
    choices = schema.get("anyOf")
    plain = choices[0] if isinstance(choices, list) else schema
    assert isinstance(plain, dict)
    parameter: dict[str, Json] = {"type": plain["type"], "description": description}
    return parameter | ({"x-is": own} if alias != own else {})


def _fill_system_prompt(text: str, tools: Sequence[ToolSpec]) -> str:
    """The system prompt with its example and its list of tools filled in; a native scaffold's has no such places."""
    shell = next(tool for tool in tools if tool.does == "shell")
    command = next(
        name for name in _properties(shell) if name in load_vocabulary().tools["shell"].parameters["command"].names
    )
    text = text.replace("{example}", shell.name).replace("{arguments}", json.dumps({command: "ls -la"}))
    return text.replace("{tools}", "\n\n".join(_describe_tool(tool) for tool in tools))


def _describe_tool(tool: ToolSpec) -> str:
    """A tool and its parameters, spelled out for a prompt."""
    lines = [f"- `{name}` ({schema['type']}): {schema['description']}" for name, schema in _properties(tool).items()]
    return "\n".join([f"## {tool.name}", tool.description, *lines])


def _properties(tool: ToolSpec) -> dict[str, dict[str, Json]]:
    return tool.parameters["properties"]  # type: ignore[return-value]  # made above, in `_make_tool_spec`


def _read_prose(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8").strip()


def _read_toml(file: str) -> dict[str, Json]:
    return tomllib.loads((HERE / file).read_text(encoding="utf-8"))


def _scaffold_part(name: str, about: str) -> Callable[[int], Scaffold]:
    """The function that is registered for the scaffold of that name; `about` is its docstring."""

    def make(seed: int) -> Scaffold:
        return build_scaffold(name, seed)

    make.__doc__ = about
    return make


for _file in sorted(HERE.glob("*.toml")):
    if "form" in (_fields := _read_toml(_file.name)):
        parts.scaffold(_file.stem)(_scaffold_part(_file.stem, str(_fields["about"])))
