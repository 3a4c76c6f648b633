"""Shell text taken apart by its grammar: which commands it calls, which variables it reads, and whether it is shell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

WRAPPERS = frozenset({"sudo", "env", "time", "nice", "nohup", "command", "exec", "timeout", "xargs", "builtin", "then"})
"""Commands whose arguments are a command."""


class Called(NamedTuple):
    """A command that a script calls."""

    name: str
    arguments: tuple[str, ...] = ()


class Script(NamedTuple):
    """A piece of shell text."""

    text: str
    broken: bool
    """It does not follow the grammar."""
    calls: tuple[Called, ...]
    functions: frozenset[str]
    """Functions that it defines itself."""
    assigned: frozenset[str]
    """Variables that it sets."""
    used: frozenset[str]
    """Variables that it reads."""

    @property
    def unset(self) -> frozenset[str]:
        """Variables that it reads and does not set."""
        return self.used - self.assigned


@cache
def _bash() -> Language:
    return Language(tree_sitter_bash.language())


def parse_script(text: str) -> Node:
    """The root of the grammar's tree of a text."""
    return Parser(_bash()).parse(text.encode()).root_node


def read_script(text: str) -> Script:
    """The script in a text."""
    root = parse_script(text)
    nodes = list(walk_nodes(root))
    return Script(
        text=text,
        broken=root.has_error,
        calls=tuple(call for node in nodes if node.type == "command" for call in read_calls(node)),
        functions=frozenset(_name_in(node, "word") for node in nodes if node.type == "function_definition"),
        assigned=frozenset(_assigned_names(nodes)),
        used=frozenset(read_text(node) for node in nodes if node.type == "variable_name" and _is_expansion(node)),
    )


def piped_calls(text: str) -> list[list[Called]]:
    """The commands of each pipe, in order."""
    root = parse_script(text)
    pipes = [node for node in walk_nodes(root) if node.type == "pipeline"]
    return [
        [call for node in walk_nodes(pipe) if node.type == "command" for call in read_calls(node)] for pipe in pipes
    ]


def find_words(text: str) -> list[tuple[int, str]]:
    """The words of a shell text that stand outside quotes, each with the byte where it begins."""
    root = parse_script(text)
    return [(node.start_byte, read_text(node)) for node in walk_nodes(root) if node.type == "word"]


def statement_kinds(text: str) -> list[str]:
    """The kinds of the statements that a shell text has one after the other, wherever they write to: `command`,
    `pipeline`, `for_statement`."""
    root = parse_script(text)
    nodes = [node for node in root.named_children if node.type != "comment"]
    bodies = [(node.type == "redirected_statement" and node.child_by_field_name("body")) or node for node in nodes]
    return [node.type for node in bodies]


def split_statements(text: str) -> list[str]:
    """The statements at the top of a shell text."""
    root = parse_script(text)
    return [read_text(node) for node in root.named_children if node.type != "comment"]


def without_comments(text: str) -> str:
    """The text without its comments."""
    return _without_nodes(text, "comment")


def without_documents(text: str) -> str:
    """The text without its comments, and without the contents of files that it has within."""
    return _without_nodes(without_comments(text), "heredoc_body")


def _without_nodes(text: str, kind: str) -> str:
    source = text.encode()
    root = parse_script(text)
    for node in reversed([node for node in walk_nodes(root) if node.type == kind]):
        source = source[: node.start_byte] + source[node.end_byte :]
    return source.decode(errors="replace")


def walk_nodes(node: Node) -> Iterator[Node]:
    """A node and all that is in it."""
    yield node
    for child in node.children:
        yield from walk_nodes(child)


def read_calls(node: Node) -> Iterator[Called]:
    """The command of a node, and the one that its arguments are, if they are one."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    words = [_unquote(read_text(argument)) for argument in node.children_by_field_name("argument")]
    yield from _unwrap(_unquote(read_text(name)), words)


def _unwrap(name: str, words: list[str]) -> Iterator[Called]:
    yield Called(name, tuple(words))
    if name == "find":
        starts = [place + 1 for place, word in enumerate(words) if word in ("-exec", "-execdir", "-ok")]
        executed = [_up_to_end(words[start:]) for start in starts]
    else:
        executed = [words] if name in WRAPPERS else []
    for rest in executed:
        while rest and (rest[0].startswith("-") or "=" in rest[0] or rest[0].replace(".", "").isdigit()):
            rest = rest[1:]
        if rest:
            yield from _unwrap(rest[0], rest[1:])


def _up_to_end(words: list[str]) -> list[str]:
    """What `find` executes; behind the sign that ends it stand words of its own again."""
    ends = [place for place, word in enumerate(words) if word in ("\\;", ";", "+")]
    return words[: ends[0] + 1] if ends else words


def _assigned_names(nodes: list[Node]) -> Iterator[str]:
    for node in nodes:
        if node.type in ("variable_assignment", "for_statement", "select_statement"):
            yield _name_in(node, "variable_name")
        elif node.type == "command":
            for call in read_calls(node):
                if call.name in ("read", "mapfile", "readarray", "local", "declare", "export", "getopts", "printf"):
                    yield from (word.partition("=")[0] for word in call.arguments if not word.startswith("-"))
        elif node.type == "declaration_command":
            yield from (read_text(child) for child in node.children if child.type == "variable_name")


def _name_in(node: Node, kind: str) -> str:
    return next((read_text(child) for child in walk_nodes(node) if child.type == kind), "")


def _is_expansion(node: Node) -> bool:
    parent = node.parent
    if parent is not None and parent.type == "subscript":  # the list of ${list[@]}
        parent = parent.parent
    return parent is not None and parent.type in ("simple_expansion", "expansion")


def read_text(node: Node | None) -> str:
    """The text of a node; empty where there is none."""
    return (node.text or b"").decode(errors="replace") if node is not None else ""


def _unquote(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "'\"" else word


@cache
def packages_by_command() -> Mapping[str, str]:
    """The Debian package that brings each known command; `base`: every box has it."""
    return {name: package for package, names in _tables()["packages"].items() for name in names}


@cache
def traits_by_command() -> Mapping[str, str]:
    """What a command does that a task cannot have, by the command."""
    return {name: trait for trait, names in _tables()["traits"].items() for name in names}


@cache
def _tables() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))


@cache
def talk_patterns() -> tuple[str, ...]:
    """How calls begin that print nothing but what they are doing, or nothing at all."""
    return (*_tables()["talk"]["chatty"], *_tables()["talk"]["silent"])


def is_known(name: str) -> bool:
    """Whether a word is the name of a command that somebody may call."""
    return name in packages_by_command() or name in traits_by_command()
