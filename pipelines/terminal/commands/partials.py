"""Solutions with one step left out: each must fail, or the step is not tested."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tree_sitter import Node

from pipelines.terminal.commands.programs import SUBSTITUTE
from pipelines.terminal.commands.shell import parse_script, read_text, walk_nodes

IMPOSSIBLE = {"sed": "$^", "perl": "(?!)"}
"""A pattern that nothing matches, by the command that reads it."""
EDITOR = re.compile(r"(?<![\w./-])(sed|perl)(?=\s)")  # matches: sed of `-exec sed -i`
WAITERS = frozenset({"kill", "wait", "sleep"})
WAITS_IN_LOOP = WAITERS | {"cat", "true", ":"}
"""What a loop that waits until a process has ended calls."""
GUARD = re.compile(
    r"(?:\[\[? [^\n;|&]* \]\]?|test [^\n;|&]*) \|\| (?:exit|return)(?: \d+)?"
)  # matches: [ -f "$1" ] || exit 1
NOTES_PROCESS = re.compile(r"echo \"?\$!\"?\s*>\s*\S+")  # matches: echo $! > server.pid, whose content does not count
STEPS = ("pipeline", "list", "program", "do_group", "compound_statement")
"""Nodes whose parts are steps."""


def partial_scripts(text: str, ends_service: bool = False) -> list[str]:
    """The script with each of its steps left out in turn: a command of several, a part of a pipe, the conditions of a
    `find`, what a program of sed or perl replaces; and what ends processes, where a service is to be ended."""
    source = text.encode()
    root = parse_script(text)
    shortened = [
        *(
            _without(source, parent, step)
            for parent, step in _steps(root)
            if not (ends_service and NOTES_PROCESS.fullmatch(read_text(step)))
        ),
        *(_without(source, root, step) for step in root.named_children if ends_service and _calls(step, {"kill"})),
        *_bare_finds(source, root),
        *_single_branches(source, root),
        *_idle_substitutions(text),
    ]
    return [script for script in dict.fromkeys(shortened) if script.strip() and script.strip() != text.strip()]


def _steps(node: Node) -> Iterator[tuple[Node, Node]]:
    """Every step that has others beside it, with the node they are in."""
    if GUARD.fullmatch(read_text(node)):
        return
    steps = [child for child in node.named_children if child.type not in ("comment", "heredoc_body")]
    if node.type in STEPS and len(steps) > 1:
        yield from ((node, step) for step in steps if step.type != "variable_assignment" and not _needs_no_test(step))
    for child in node.named_children:
        yield from _steps(child)


def _needs_no_test(step: Node) -> bool:
    """Whether a step waits for a process or ends one, since what is left running and how long it took is not compared;
    or whether it only ends the script where something is wrong, which nobody asked for."""
    if GUARD.fullmatch(read_text(step)):
        return True
    calls = [node for node in walk_nodes(step) if node.type == "command"]
    waits = step.type == "while_statement" and any(_calls(call, {"sleep"}) for call in calls)
    return _calls(step, WAITERS) or (waits and all(_calls(call, WAITS_IN_LOOP) for call in calls))


def _calls(step: Node, names: Collection[str]) -> bool:
    """Whether a step is a call of one of these commands."""
    name = step.child_by_field_name("name") if step.type == "command" else None
    return name is not None and read_text(name) in names


def _bare_finds(source: bytes, root: Node) -> Iterator[str]:
    """The script with a `find` that lists all there is, for each `find` that only lists."""
    for node in walk_nodes(root):
        words = [(word.text or b"") for word in node.named_children] if node.type == "command" else []
        if words and words[0] == b"find" and not {b"-exec", b"-execdir", b"-delete"} & set(words):
            conditions = [word for word in node.named_children[1:] if (word.text or b"")[:1] in b"-\\!("]
            if conditions:
                yield (source[: conditions[0].start_byte] + source[node.end_byte :]).decode(errors="replace")


def _single_branches(source: bytes, root: Node) -> Iterator[str]:
    """The script with a branch of an `if` in the place of all of it, for each branch."""
    for node in walk_nodes(root):
        if node.type != "if_statement":
            continue
        marks = [child for child in node.children if child.type in ("then", "fi", "else_clause", "elif_clause")]
        bodies = [(marks[0].end_byte, marks[1].start_byte)] if len(marks) > 1 else []
        bodies += [(mark.start_byte + len("else"), mark.end_byte) for mark in marks if mark.type == "else_clause"]
        for begin, end in bodies:
            body = source[begin:end].strip().rstrip(b";") + b"\n"
            yield (source[: node.start_byte] + body + source[node.end_byte :]).decode(errors="replace")


def _idle_substitutions(text: str) -> Iterator[str]:
    """The script with a substitution that finds nothing, for each of sed's and perl's."""
    bare = text.replace("'", " ").replace('"', " ")  # a program may begin with its substitution
    for match in SUBSTITUTE.finditer(bare):
        editors = EDITOR.findall(bare[: match.start()])
        if editors:
            never = IMPOSSIBLE[editors[-1]]
            yield f"{text[: match.start(2)]}{never}{match[1]}{text[match.end(3) :]}"


def _without(source: bytes, parent: Node, step: Node) -> str:
    """The text without a step, and without the sign that joined it to its neighbour."""
    begin, end = step.start_byte, step.end_byte
    if parent.type in ("pipeline", "list"):
        siblings = parent.children
        place = next(number for number, child in enumerate(siblings) if child.id == step.id)
        if place + 1 < len(siblings):
            end = siblings[place + 1].end_byte
        elif place > 0:
            begin = siblings[place - 1].start_byte
    return (source[:begin] + source[end:]).decode(errors="replace")
