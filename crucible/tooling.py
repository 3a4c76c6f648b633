"""What a tool is: a function that does one thing in the box for a teacher, and what it is handed and gives back.

    @tool("count")
    async def count(context: ToolContext, arguments: CountArguments) -> str: ...

Everything a tool does in the box runs as the box's user, so that a tool can reach no more than a shell can: `box.read`
and `box.write` go through the engine, which may touch any file. Only a file that the user has been seen to be able
to read is fetched through the engine, to get its exact bytes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_type_hints

from pydantic import AfterValidator, Field

from crucible.errors import SettingsError
from crucible.record import Record, describe_schema
from crucible.sandbox import Done, Sandbox

OBSERVATION_CHARACTERS = 24_000
"""Characters that one observation may have."""
FILE_BYTES = 1 << 22
"""Bytes that a file may have which a tool reads, unless the tool says otherwise."""

LOCATE_SCRIPT = """p={path}
[ -d "$p" ] && exit 21; [ -e "$p" ] || exit 22; [ -f "$p" ] || exit 23; [ -r "$p" ] || exit 24
readlink -f -- "$p"
"""
LOCATE_FAULTS = {  # by the exit code of LOCATE_SCRIPT
    21: "is a directory",
    22: "does not exist",
    23: "is not a regular file",
    24: "cannot be read by this user",
}


def check_no_nul(text: str) -> str:
    """The text; ValueError when it holds a NUL, which no command line can carry."""
    if "\0" in text:
        raise ValueError("must not contain a NUL character")
    return text


BoxPath = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(check_no_nul)]
"""The path of a file in the box, absolute or from the working directory."""


class ToolFault(Exception):
    """The call made sense and could not be done; the message is the observation."""


@dataclass(frozen=True)
class Shown:
    """What a tool gives back, where that is more than a text."""

    text: str
    images: tuple[bytes, ...] = ()
    """Pictures that the teacher gets to see: the bytes of PNG, JPEG, WebP or GIF files."""
    answer: str | None = None
    """The attempt is handed in with this answer; None: it goes on."""


@dataclass(frozen=True)
class ToolContext:
    """What every tool is handed: the box, how results are shown, and how long is left."""

    box: Sandbox
    observation_format: str
    """How a command's result is shown, with `{code}`, `{output}` and `{seconds}`."""
    command_seconds: float
    """The time limit of a command that names none."""
    seconds_left: Callable[[], float]
    """Seconds until the attempt's time is up."""

    async def run(self, command: str, *, timeout: float | None = None, stdin: bytes = b"") -> Done:
        """Run a command in the box, never for longer than is left of the attempt."""
        limit = max(0.1, min(timeout or self.command_seconds, self.seconds_left()))
        return await self.box.exec(command, timeout=limit, stdin=stdin)

    async def read(self, path: str, *, limit: int = FILE_BYTES) -> bytes:
        """A file's bytes, if the box's user may read them; ToolFault when not, or when there are too many."""
        located = await self.run(LOCATE_SCRIPT.format(path=_quote_path(path)))
        if not located.ok:
            raise ToolFault(f"{path} {LOCATE_FAULTS.get(located.code, _failure_reason(located))}")
        try:
            return await self.box.read(located.out.rstrip("\n"), limit=limit)
        except ValueError:
            raise ToolFault(f"{path} is larger than {limit} bytes; look at parts of it with a command") from None
        except (FileNotFoundError, IsADirectoryError):
            raise ToolFault(f"{path} is not a regular file") from None

    async def write(self, path: str, data: bytes) -> None:
        """Write a file as the box's user, with its directories; ToolFault when that fails."""
        command = f'p={_quote_path(path)}; mkdir -p -- "$(dirname -- "$p")" && cat > "$p"'
        done = await self.run(command, stdin=data)
        if not done.ok:
            raise ToolFault(f"{path} was not written: {_failure_reason(done)}")


@cache
def arguments_record(make: Callable[..., Any]) -> type[Record]:
    """The record that a tool's second parameter, `arguments`, is annotated with: what the tool takes."""
    record = get_type_hints(make).get("arguments")
    if not (isinstance(record, type) and issubclass(record, Record)):
        where = f"{make.__module__}:{getattr(make, '__qualname__', '')}"
        raise SettingsError(f"the tool {where} does not say what it takes", "annotate `arguments` with a Record")
    return record


@cache
def arguments_schema(record: type[Record]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The JSON schema of each argument by name, without references to other schemas; and which are required."""
    whole = describe_schema(record)
    definitions = whole.get("$defs", {})
    properties = {name: _plain_schema(schema, definitions) for name, schema in whole.get("properties", {}).items()}
    return properties, tuple(whole.get("required", ()))


SCHEMA_KEYS = ("type", "description", "enum", "const")
"""What models are told of an argument; limits are checked when the tool is called, with a message that says so."""


def _plain_schema(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with its references filled in; an optional value is described as the value."""
    if "$ref" in schema:
        target = definitions[schema["$ref"].rpartition("/")[2]]
        return _plain_schema({**target, **{key: schema[key] for key in schema if key != "$ref"}}, definitions)
    choices = [choice for choice in schema.get("anyOf", ()) if choice.get("type") != "null"]
    if len(choices) == 1:
        return _plain_schema({**choices[0], **{key: schema[key] for key in schema if key != "anyOf"}}, definitions)
    plain = {key: schema[key] for key in SCHEMA_KEYS if key in schema}
    if choices:
        plain["anyOf"] = [_plain_schema(choice, definitions) for choice in choices]
    if "items" in schema:
        plain["items"] = _plain_schema(schema["items"], definitions)
    if "properties" in schema:
        inner = schema["properties"].items()
        plain["properties"] = {name: _plain_schema(value, definitions) for name, value in inner}
        plain["required"] = list(schema.get("required", ()))
    return plain


def _quote_path(path: str) -> str:
    """The path as one word of the shell; one that begins with a dash is not taken for an option."""
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def _failure_reason(done: Done) -> str:
    return done.err.strip() or done.stopped or f"exit code {done.code}"
