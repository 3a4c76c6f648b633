"""Values that an answer writes into its commands, lifted into files: then the result depends on an input.

Answers about strings and arguments show a value in the commands themselves: `name='My text'`, `echo 1:2 | cut -d: -f1`.
Run as they are they do the same everywhere. Here the value moves into a file of the folder, and the commands read it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from tree_sitter import Node

from pipelines.terminal.commands.shell import parse_script, read_text, walk_nodes
from pipelines.terminal.selection.placeholders import SHELL_VARIABLES

PLAIN_VALUE = re.compile(r"[\w .,:;/@+-]{1,80}")  # matches: My long string; not ^[0-9]+$
SETTINGS = re.compile(r"(?:LC_\w+|LANG|TZ|PS\d|HOME|PATH|[A-Z]*FS|DEBUG)")  # matches: LC_ALL, OFS
LITERALS = ("raw_string", "string", "word", "number", "concatenation")
EXPANDED = re.compile(r"[$`\\!]")
"""What means something else within double quotes."""
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}
ESCAPE = re.compile(r"\\([nt\\])")  # matches: \n of printf 'a\nb'
NO_TEXT = re.compile(r"\\[^nt\\]")  # matches: \0 of printf 'a\0b'
ARGUMENTS_FILE = "arguments.txt"
VALUE_FILE = "value.txt"
ARGUMENTS = ("report.txt", "two words", "42")
"""What a script is given that works on its arguments."""


SAMPLE_VALUE = "Amber Basil 42"
"""The value of a variable that an answer uses without giving it one."""


GIVEN = re.compile(r"^\s*(?:declare |export )?(\w+)=(?:\"([^\"$`\n]+)\"|'([^'\n]+)'|([\w.,:;@/+-]+))\s*$", re.MULTILINE)
# matches: text="a;b;c"


GIVEN_LIST = re.compile(r"^\s*(?:declare -a |export )?(\w+)=\(([^()$`]+)\)\s*$", re.MULTILINE)
# matches: names=("one two" three)


class Asked(NamedTuple):
    """What a question gives."""

    values: Mapping[str, str] = {}
    """Values of variables by name; under the empty name the only line that it shows."""
    lists: Mapping[str, Sequence[str]] = {}
    """The elements of lists by name."""
    files: Mapping[str, str] = {}
    """The contents that it shows by name; under the empty name one that is called nothing."""


NOTHING_ASKED = Asked()


class Lifted(NamedTuple):
    """Commands that read their values from files."""

    script: str
    files: dict[str, str]
    """Contents by name."""
    sentences: tuple[str, ...]
    """What a solver has to be told of the files."""
    as_asked: bool = False
    """All contents are those that the question gives."""


class _Change(NamedTuple):
    begin: int
    end: int
    text: str
    file: str
    content: str
    sentence: str
    as_asked: bool = False


def lift_constants(script: str, asked: Asked = NOTHING_ASKED) -> Lifted | None:
    """The commands with their values in files; None when they have no value that could be an input."""
    source = script.encode()
    root = parse_script(script)
    changes = sorted(_find_changes(root, asked), key=lambda change: -change.begin)
    changes = [change for change in changes if not any(_is_within(change, other) for other in changes)]
    if not changes:
        return None
    for change in changes:
        source = source[: change.begin] + change.text.encode() + source[change.end :]
    changes.reverse()
    files = {change.file: change.content for change in changes}
    if any(files[change.file] != change.content for change in changes):
        return None  # two different texts to work on cannot both be the one in the file
    sentences = tuple(dict.fromkeys(change.sentence for change in changes))
    return Lifted(source.decode(), files, sentences, all(change.as_asked for change in changes))


def given_values(code: str) -> dict[str, str]:
    """The values that code gives to variables."""
    return {name: next(filter(None, values)) for name, *values in GIVEN.findall(code)}


def given_lists(code: str) -> dict[str, list[str]]:
    """The elements of the lists that code gives to variables."""
    lists = {}
    for name, words in GIVEN_LIST.findall(code):
        with suppress(ValueError):  # a quotation mark without its other half
            lists[name] = shlex.split(words, comments=True)
    return lists


def _is_within(change: _Change, other: _Change) -> bool:
    return change != other and other.begin <= change.begin and change.end <= other.end


def _find_changes(root: Node, asked: Asked) -> Iterator[_Change]:
    """The values at the top of the script that are set once, the text that is piped into a command, the arguments."""
    assigned = [_name_of(node) for node in walk_nodes(root) if node.type == "variable_assignment"]
    for node in root.named_children:
        declared = [child for child in node.named_children if child.type == "variable_assignment"]
        inner = declared[0] if node.type == "declaration_command" and len(declared) == 1 else node
        if inner.type == "variable_assignment" and assigned.count(_name_of(inner)) == 1:
            yield from _lift_assignment(node, inner, asked)
        elif node.type == "command" and read_text(node).startswith("set -- "):
            yield _lift_arguments(node)
    for node in walk_nodes(root):
        if node.type == "pipeline" and (value := _echoed_value(node.named_children[0], asked)):
            yield _lift_text(node.named_children[0], value, "cat {}", asked)
        elif node.type == "herestring_redirect" and (value := _text_value(node.named_children[-1], asked)):
            yield _lift_text(node, value, "< {}", asked)


def _lift_assignment(node: Node, assignment: Node, asked: Asked) -> Iterator[_Change]:
    name, value = _name_of(assignment), assignment.child_by_field_name("value")
    if value is None or name in SHELL_VARIABLES or SETTINGS.fullmatch(name):
        return
    items = [_literal(item) for item in value.named_children] if value.type == "array" else []
    is_asked = read_text(value) == name and name in asked.lists
    items = list(asked.lists[name]) if is_asked else items
    if items and all(items):
        sentence = f"The elements of `{name}` are read from `{name}.txt`, one on each line."
        text = f"mapfile -t {name} < {name}.txt"
        content = "\n".join(items) + "\n"
        yield _Change(node.start_byte, node.end_byte, text, f"{name}.txt", content, sentence, is_asked)
    elif literal := _literal(value):
        sentence = f"The value of `{name}` is read from `{name}.txt`: it is another one in every folder."
        text = f"{name}=$(cat {name}.txt)"
        literal = asked.values.get(name) or asked.values.get("", SAMPLE_VALUE) if literal == name else literal
        yield _Change(node.start_byte, node.end_byte, text, f"{name}.txt", literal + "\n", sentence)


def _lift_text(node: Node, value: str, command: str, asked: Asked) -> _Change:
    """The change to commands that are given a text: they read a file, that of the question where it shows the text."""
    own = next((name for name, text in asked.files.items() if text.strip() == value.strip()), None)
    file = own or VALUE_FILE
    shown = f", `{value}` in the first example," if "\n" not in value and "`" not in value else ""
    sentence = f"The text to work on{shown} is read from `{file}`."
    return _Change(
        node.start_byte, node.end_byte, command.format(file), file, f"{value.rstrip()}\n", sentence, own is not None
    )


def _lift_arguments(node: Node) -> _Change:
    sentence = f"It is given its arguments in `{ARGUMENTS_FILE}`, one on each line, and not on the command line."
    text = f'mapfile -t arguments < {ARGUMENTS_FILE}; set -- "${{arguments[@]}}"'
    content = "\n".join(ARGUMENTS) + "\n"
    return _Change(node.start_byte, node.end_byte, text, ARGUMENTS_FILE, content, sentence)


def _echoed_value(node: Node, asked: Asked) -> str:
    """What `echo` or `printf` is given, where it is one value without expansions; else empty."""
    arguments = node.children_by_field_name("argument")
    name = node.child_by_field_name("name")
    if node.type != "command" or name is None or len(arguments) != 1 or read_text(name) not in ("echo", "printf"):
        return ""
    value = _text_value(arguments[0], asked)
    if read_text(name) == "echo":
        return value
    return "" if "%" in value or NO_TEXT.search(value) else ESCAPE.sub(lambda match: ESCAPES[match[1]], value)


def _text_value(node: Node, asked: Asked) -> str:
    """A text that commands are given: one in quotes without expansions, or a plain word."""
    quoted = read_text(node)
    if len(quoted) > 1 and quoted[0] == quoted[-1] == "'":
        return quoted[1:-1] if quoted[1:-1].strip() else ""
    value = quoted[1:-1] if len(quoted) > 1 and quoted[0] == quoted[-1] == '"' else ""
    is_shown = any(text.strip() == value.strip() for text in asked.files.values())
    return value if value.strip() and (is_shown or not EXPANDED.search(value)) else _literal(node)


def _literal(node: Node) -> str:
    """The plain value of a word or a string without expansions; empty: it is none."""
    text = read_text(node)
    if node.type not in LITERALS or any(child.type != "string_content" for child in node.named_children):
        return ""
    value = text[1:-1] if text[:1] in "'\"" and text[:1] == text[-1:] and len(text) > 1 else text
    return value if PLAIN_VALUE.fullmatch(value) and value.strip() else ""


def _name_of(assignment: Node) -> str:
    return read_text(assignment.child_by_field_name("name"))
