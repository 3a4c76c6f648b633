"""The account of a script: its commands in order, each told whole; and what of it no sentence tells.

Nothing is taken for granted: a command, an option, a part of a program or a construct of the shell that is not known
here is untold, and a draft with untold parts is no task unless its question shows what it has and what it wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from pipelines.terminal.accounts.calls import tell_call
from pipelines.terminal.accounts.naming import AWKS, name_glob, name_word
from pipelines.terminal.accounts.words import tell_word
from pipelines.terminal.commands.options import unquote_word
from pipelines.terminal.commands.schedules import ADDING, describe_added
from pipelines.terminal.commands.shell import (
    Called,
    parse_script,
    piped_calls,
    read_calls,
    read_text,
    walk_nodes,
    without_comments,
)
from pipelines.terminal.commands.sought import GREPS
from pipelines.terminal.commands.values import quote_value

WAYS = frozenset(
    {
        "program",
        "list",
        "pipeline",
        "redirected_statement",
        "do_group",
        "command_substitution",
        "subshell",
        "compound_statement",
    }
)
"""Constructs that only hold others."""
CONSTANT = re.compile(
    r"^(\w+)=(\"[\w./ -]+\"|'[\w./ -]+'|[\w./-]+)[ \t]*(?:;|$)", re.MULTILINE
)  # matches: dir="my folder"
COMPARED = re.compile(r"\[\[?\s+[\"']?\$\{?(\w+)\}?[\"']?\s+==?\s+(\*?)[\"']?([\w .,:/-]+?)[\"']?(\*?)\s+\]\]?")
# matches: [[ $text == *"word"* ]]
HOW = {
    (False, False): "is {}",
    (True, True): "has {} in it",
    (True, False): "ends with {}",
    (False, True): "begins with {}",
}
ORDERED = frozenset({"head", "tail", "nl", "paste", "tac", "uniq", "column"})
"""Commands whose result depends on the order of what they read."""
UNQUOTED = re.compile(r"\s\$\{?\w+")  # matches: the $line of printf '%s' $line, which the shell takes apart
READS = re.compile(r"(?:IFS=['\"]?([^'\"\\\s]?)['\"]? )?read (?:-r )?(\w+(?: \w+)*);?")  # matches: IFS=, read -r a b
SPLIT = re.compile(
    r"IFS=['\"]?([^'\"\\]+)['\"]? read (?:-r )?-a ?(\w+)(?:\s*<<<.*)?"
)  # matches: IFS=',' read -r -a list


class Account(NamedTuple):
    """What a script does."""

    steps: tuple[str, ...]
    untold: tuple[str, ...]


def tell_script(script: str) -> Account:
    """The steps of a script in words, and what of it they do not tell."""
    text = put_constants(without_comments(script))
    if ADDING.search(text):  # a job for cron, which is told whole
        return Account(tuple(sentence for _, sentence in describe_added(text)), ())
    steps: list[str] = []
    untold: list[str] = []
    _tell_node(parse_script(text), steps, untold)
    if any(takes_some_of_a_heap(pipe) for pipe in piped_calls(text)):
        untold.append("which of them come first")
    return Account(tuple(_join_heads(filter(None, steps))), tuple(dict.fromkeys(untold)))


def takes_some_of_a_heap(pipe: Sequence[Called]) -> bool:
    """Whether a pipe takes the first, or the last, of lines that come in no order, as those of a search do, or numbers
    or joins them."""
    is_heap = False
    for call in pipe:
        words = " ".join(call.arguments)
        if call.name == "find" or (call.name in GREPS and any(re.match(r"-\w*[rR]", word) for word in call.arguments)):
            is_heap = True
        elif call.name == "sort":
            is_heap = False
        elif is_heap and (
            call.name in ORDERED or (call.name in AWKS and "NR" in words) or (call.name == "tr" and "\\n" in words)
        ):
            return True
    return False


def put_constants(text: str) -> str:
    """A script with the values of variables that are set once, to a plain word, in the place of their names."""
    for name, value in CONSTANT.findall(text) if not re.search(r"\[\[? ", text) else ():
        if len(re.findall(rf"\b{name}=|\b(?:read|let|for)\b[^;\n]*\b{name}\b", text)) == 1:
            rest = re.sub(rf"^{name}=[^\n;]*(?:;|\n|$)", "", text, count=1, flags=re.MULTILINE)
            plain = value.strip("\"'").replace("\\", r"\\")
            put = re.sub(rf"\$\{{{name}\}}|\${name}\b", plain, rest)
            text = put if f"{{{name}" not in put and put.strip() else text
    return text


def _join_heads(steps: Iterable[str]) -> Iterator[str]:
    """The steps, with one that leads to others (`For each of them:`) and the first of those as one."""
    head = ""
    for step in steps:
        if step.endswith(":"):
            head = f"{head}{step} "
        else:
            yield f"{head}{step}"
            head = ""


def _tell_node(node: Node, steps: list[str], untold: list[str]) -> None:
    if node.type == "command":
        if split := SPLIT.fullmatch(read_text(node)):
            signs = ", ".join(map(quote_value, split[1]))
            steps.append(f"A text is parted at each of these characters: {signs}; its parts are the list `{split[2]}`.")
            return
        _tell_within(node, steps, untold)
        calls = list(read_calls(node))
        if calls and calls[0].name == "printf" and UNQUOTED.search(read_text(node)):
            untold.append("what is printed")
        if calls and calls[0].name == "xargs":
            calls = list(_hand_on(calls))
            untold += [] if len(calls) > 1 else ["what xargs does"]
        for call in calls:
            sentence, parts = tell_call(call, _reads_pipe(node), _is_given(node))
            steps.append(sentence.replace("Printed is", "Taken is") if _feeds_pipe(node) else sentence)
            untold += parts
        globs = [read_text(child) for child in node.children_by_field_name("argument") if child.type == "word"]
        told = " ".join(steps)
        for word in (word for word in globs if re.match(r"[^-$\\]*\*", word) and f"`{word}`" not in told):
            if (named := name_glob(word)).lower() not in told.lower():
                steps[-1:] = [f"{' '.join(steps[-1:])} This is done with {named}."]
    elif node.type == "for_statement":
        words = [read_text(child) for child in node.children_by_field_name("value")]
        name = read_text(node.child_by_field_name("variable"))
        named = " and ".join(map(name_glob, words))
        verb = "are" if len(words) > 1 else "is"
        head = f"{named[:1].upper()}{named[1:]} {verb} taken one by one, each as `{name}`. For each of them:"
        untold += [f"what `{word}` is for" for word in words if re.search(r"[$`]", word) or "{" in name_glob(word)]
        _tell_body(head, [node.child_by_field_name("body") or node], steps, untold)
    elif node.type == "variable_assignment":
        _tell_assignment(node, steps, untold)
    elif node.type == "while_statement" and (read := READS.fullmatch(read_text(node.child_by_field_name("condition")))):
        names = [f"`{name}`" for name in read[2].split()]
        parted = f", parted at {quote_value(read[1])}" if read[1] else ", parted at blanks" if len(names) > 1 else ""
        rest = "; the last has all that is left of it" if len(names) > 1 else ""
        taken = f"its parts{parted}, are {' and '.join(names)}{rest}" if len(names) > 1 else f"it is {names[0]}"
        head = f"One after the other, each line is taken; {taken}. For each of them:"
        _tell_body(head, [node.child_by_field_name("body") or node], steps, untold)
    elif node.type == "if_statement":
        _tell_condition(node, steps, untold)
    elif node.type in WAYS:
        untold += [f"what `{child.type}` is for" for child in node.children if child.type in ("||", "&")]
        if node.type in ("subshell", "compound_statement") and _feeds_pipe(node) and len(node.named_children) > 1:
            untold.append("what all of these give")
        for child in node.named_children:
            if child.type == "file_redirect":
                _tell_target(read_text(child), steps, untold)
            elif child.type == "heredoc_redirect":
                untold.append("the text that it is given")
            elif child.type not in ("comment", "herestring_redirect"):
                _tell_node(child, steps, untold)
    elif node.type == "declaration_command":
        for child in node.named_children:
            if child.type == "variable_assignment":
                _tell_assignment(child, steps, untold)
    elif node.type not in ("comment", "variable_name"):
        untold.append(f"what `{node.type.removesuffix('_statement')}` is for")


def _hand_on(calls: Sequence[Called]) -> Iterator[Called]:
    """The calls of `xargs`: itself with its own options alone, and the one that it makes with what it hands on."""
    xargs, *others = calls
    if not others:
        yield xargs
        return
    own = xargs.arguments[: len(xargs.arguments) - len(others[0].arguments) - 1]
    yield Called("xargs", own)
    sign = next((own[place + 1] for place, word in enumerate(own[:-1]) if word == "-I"), "")
    sign = sign or next((word[2:] for word in own if re.match(r"-I\S", word)), "")
    for call in others:
        words = tuple(word.replace(sign, "{}") if sign else word for word in call.arguments)
        yield Called(call.name, words if any("{}" in word for word in words) else (*words, "{}"))


def _tell_body(head: str, nodes: Iterable[Node], steps: list[str], untold: list[str]) -> None:
    """What is done again and again, or in one case only, as one step."""
    inner: list[str] = []
    for node in nodes:
        _tell_node(node, inner, untold)
    first, *others = [*_join_heads(filter(None, inner)), ""][: max(1, len(list(filter(None, inner))))]
    steps.append(" ".join([head, first, *(f"Then: {step}" for step in others)]).strip())


def _tell_target(redirect: str, steps: list[str], untold: list[str]) -> None:
    """Where what a command gives is written."""
    match = re.fullmatch(r"(\d?)(>>?|&>|>\||<)\s*(\S+)", redirect)
    if redirect.startswith("<") and "(" in redirect:
        untold.append(f"what `{redirect}` gives")
    if redirect.startswith("<") and "$" in redirect and "(" not in redirect:
        steps.append(f"What is read is the file called {name_word(unquote_word(redirect[1:].strip()))}.")
    if redirect.startswith("<") or redirect in ("2>&1", ">&2", "1>&2") or redirect.endswith("/dev/null"):
        return
    if match is None:
        untold.append(f"where `{redirect}` leads")
        return
    name = name_word(unquote_word(match[3]))
    if match[1] == "2" or name is None:
        untold.append(redirect)
        return
    steps.append(
        f"What comes of that is put at the end of {name}."
        if match[2] == ">>"
        else f"What comes of that is written to {name}."
    )


def _tell_condition(node: Node, steps: list[str], untold: list[str]) -> None:
    """A test of one file, or of one value, with what is done in either case."""
    condition = read_text(node.child_by_field_name("condition"))
    is_file = re.fullmatch(r"\[\[?\s+(!?)\s*-([efd])\s+[\"']?([\w./-]+)[\"']?\s+\]\]?", condition)
    is_value = COMPARED.fullmatch(condition)
    head = ""
    if is_file:
        there = "is not there" if is_file[1] else "is there"
        head = f"If the {'folder' if is_file[2] == 'd' else 'file'} `{is_file[3]}` {there}:"
    elif is_value:
        how = HOW[(bool(is_value[2]), bool(is_value[4]))]
        head = f"If the value of `{is_value[1]}` {how.format(f'`{is_value[3]}`')}:"
    else:
        untold.append("what is tested")
    rest = [child for child in node.named_children if child != node.child_by_field_name("condition")]
    _tell_body(head, [child for child in rest if not child.type.endswith("_clause")], steps, untold)
    for child in rest:
        if child.type == "else_clause":
            _tell_body("Otherwise:", child.named_children, steps, untold)
        elif child.type == "elif_clause":
            untold.append("what else is tested")


def _tell_within(node: Node, steps: list[str], untold: list[str]) -> None:
    """The commands whose output is part of a command's words."""
    for child in walk_nodes(node):
        if child is not node and child.type in ("command_substitution", "process_substitution"):
            if read_text(child).startswith("$(basename "):
                continue
            for inner in child.named_children:
                _tell_node(inner, steps, untold)
        elif child.type in ("arithmetic_expansion", "subscript") and not read_text(child).endswith(("[@]", "[*]")):
            untold.append(f"what `{read_text(child)}` is for")


def _tell_assignment(node: Node, steps: list[str], untold: list[str]) -> None:
    value = node.child_by_field_name("value")
    name = read_text(node.child_by_field_name("name"))
    if (
        value is None
        or name in ("IFS", "LC_ALL", "LANG")
        or re.fullmatch(r"\"?\$\(cat \w+\.txt\)\"?", read_text(value))
    ):
        return
    inner = [child for child in walk_nodes(value) if child.type == "command_substitution"]
    if inner and unquote_word(read_text(value)).strip("()") != read_text(inner[0]).strip("()"):
        untold.append(f"what `{read_text(node)}` is for")
    if inner:
        for child in inner[0].named_children:
            _tell_node(child, steps, untold)
        steps.append(f"The result of that is `{name}`.")
        return
    told = tell_word(unquote_word(read_text(value)))
    if told is None:
        untold.append(f"what `{read_text(node)}` is for")
    else:
        steps.append(f"`{name}` is {told}.")


def _reads_pipe(node: Node) -> bool:
    """Whether a command reads what another one gives, or a file that is put there."""
    parent = node.parent
    if parent is not None and parent.type == "redirected_statement":
        if any(
            child.type in ("herestring_redirect", "heredoc_redirect") or read_text(child).startswith("<")
            for child in parent.children[1:]
        ):
            return True
        node, parent = parent, parent.parent
    return parent is not None and parent.type == "pipeline" and parent.named_children[0] != node


def _is_given(node: Node) -> bool:
    """Whether what a command gives is printed: nothing reads it, and it is written nowhere."""
    parent = node.parent
    return not _feeds_pipe(node) and parent is not None and parent.type in ("program", "do_group", "list", "pipeline")


def _feeds_pipe(node: Node) -> bool:
    """Whether what a command gives is read by another one."""
    parent = node.parent
    if parent is not None and parent.type == "redirected_statement":
        node, parent = parent, parent.parent
    return parent is not None and parent.type == "pipeline" and parent.named_children[-1] != node
