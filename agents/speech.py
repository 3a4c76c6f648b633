"""Between the tools' own language and a scaffold's: what a teacher wrote is understood, what a part plays is spoken.

A scaffold may call the shell `terminal` and its command `cmd`. `ToolSpec.does` leads back to the tool, and
`x-is` on a parameter's schema leads back to the parameter where its name was changed.
"""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Iterator, Sequence

from pydantic import Field, ValidationError

from agents import fenced
from agents.arguments import TAKES, Arguments
from crucible.acting import Ask, Reply
from crucible.errors import TeacherError
from crucible.model import ToolCall, ToolSpec
from crucible.record import Json, Record

PIECE = 45_000
"""Bytes of a file in one shell command, where there is no tool to write it with."""


class Misspoken(Exception):
    """The call cannot be carried out as written; the message tells the teacher why."""


class Call(Record):
    """A call in the tools' own language. One of another name is played exactly as it is written."""

    tool: str
    arguments: dict[str, Json] = Field(default_factory=dict)


class Turn(Record):
    """One authored answer."""

    thinking: str = ""
    text: str = ""
    calls: tuple[Call | ToolCall, ...] = ()


def understand(call: ToolCall, tools: Sequence[ToolSpec]) -> Arguments:
    """The arguments of the tool behind the call. Misspoken when there is no making sense of it."""
    spec = _named(call.name, tools)
    try:
        given = call.mapping()
    except ValueError as fault:
        raise Misspoken(f"the arguments of {spec.name} are not a JSON object: {fault}") from None
    names = aliases(spec)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise Misspoken(f"{spec.name} takes no {', '.join(unknown)}; it takes: {', '.join(names)}")
    try:
        return TAKES[spec.does].model_validate({names[name]: value for name, value in given.items()})
    except ValidationError as fault:
        raise Misspoken(_complaint(spec, fault)) from None


def aliases(spec: ToolSpec) -> dict[str, str]:
    """The tool's own parameter names by the names the scaffold gave them."""
    properties = spec.parameters.get("properties")
    assert isinstance(properties, dict)
    return {name: str(schema.get("x-is", name)) for name, schema in properties.items() if isinstance(schema, dict)}


def say(turn: Turn, ask: Ask) -> Reply:
    """The turn as this scaffold's teacher would put it."""
    calls = tuple(_numbered(turn, ask))
    if ask.form == "native":
        return Reply(thinking=turn.thinking, text=turn.text, calls=calls)
    blocks = [fenced.block(call) for call in calls]
    return Reply(thinking=turn.thinking, text="\n\n".join(part for part in (turn.text, *blocks) if part))


def canonical(call: ToolCall, tools: Sequence[ToolSpec]) -> Call | ToolCall:
    """A recorded call in the tools' own language; itself when it never made sense."""
    try:
        arguments = understand(call, tools)
    except Misspoken:
        return call
    does = _named(call.name, tools).does
    return Call(tool=does, arguments=arguments.model_dump(mode="json", exclude_unset=True))


def _numbered(turn: Turn, ask: Ask) -> Iterator[ToolCall]:
    spoken = [call for one in turn.calls for call in _speak(one, ask.tools)]
    for number, call in enumerate(spoken):
        yield call.model_copy(update={"id": f"call-{len(ask.steps)}-{number}"})


def _speak(call: Call | ToolCall, tools: Sequence[ToolSpec]) -> Iterator[ToolCall]:
    if isinstance(call, ToolCall):
        yield call
        return
    spec = next((tool for tool in tools if tool.does == call.tool), None)
    if spec is None:
        for plain in _through_the_shell(call):
            yield from _speak(plain, tools)
        return
    names = {own: shown for shown, own in aliases(spec).items()}
    given = {names.get(name, name): value for name, value in call.arguments.items()}
    yield ToolCall(id="", name=spec.name, arguments=json.dumps(given))


def _through_the_shell(call: Call) -> Iterator[Call]:
    """The same with commands only, for scaffolds that have nothing but a shell."""
    path = shlex.quote(str(call.arguments.get("path", "")))
    match call.tool:
        case "write":
            data = str(call.arguments.get("content", "")).encode()
            yield _command(f'mkdir -p -- "$(dirname -- {path})" && : > {path}')
            for at in range(0, len(data), PIECE):
                piece = base64.b64encode(data[at : at + PIECE]).decode()
                yield _command(f"echo {piece} | base64 -d >> {path}")
        case "read":
            first, last = call.arguments.get("first") or 1, call.arguments.get("last") or "$"
            yield _command(f"sed -n '{first},{last}p' {path}")
        case _:
            raise TeacherError(f"this scaffold has no '{call.tool}'", "play the script under the scaffold 'native'")


def _command(command: str) -> Call:
    return Call(tool="shell", arguments={"command": command})


def _named(name: str, tools: Sequence[ToolSpec]) -> ToolSpec:
    for tool in tools:
        if tool.name == name:
            return tool
    raise Misspoken(f"there is no tool '{name}'; the tools are: {', '.join(tool.name for tool in tools)}")


def _complaint(spec: ToolSpec, fault: ValidationError) -> str:
    """What pydantic found, in the scaffold's names."""
    shown = {own: name for name, own in aliases(spec).items()}
    faults = [f"{shown.get(str(error['loc'][0]), error['loc'][0])}: {error['msg']}" for error in fault.errors()]
    return f"wrong arguments for {spec.name}: {'; '.join(faults)}"
