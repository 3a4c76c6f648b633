"""What somebody is told to type: the blocks of commands of an answer, and of the question itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crucible.errors import Rejected
from pipelines.terminal.model import Answer, Suggestion, Thread
from pipelines.terminal.posts.bodies import Block, read_blocks
from pipelines.terminal.posts.examples import answered_files
from pipelines.terminal.posts.transcripts import is_shell, read_code
from pipelines.terminal.selection.checking import check_commands
from pipelines.terminal.selection.fragments import complete_programs
from pipelines.terminal.selection.placeholders import resolve_placeholders
from pipelines.terminal.selection.steps import Told, first_of_alternatives, join_steps
from pipelines.terminal.selection.tables import complete_tables

INLINE = re.compile(r"`([^`\n]*)`")
# matches: `chmod +x run.sh`; short spans too, or what stands between two of them would match
PRINTS = re.compile(r"\b(?:outputs?|prints?|gives?|giving|yields?|returns?|results?|produces?|get)\b", re.IGNORECASE)
# matches: which gives
LONGEST_SPAN = 200
"""Characters of a command within prose."""


def runnable_blocks(answer: Answer, thread: Thread | None = None) -> list[Suggestion]:
    """The blocks of commands of an answer that can be run, after those that write the files whose content the answer
    shows; where it shows none, the programs that it has for the file of the thread's question. Of lines of cron, what
    adds them to a table. Rejected with the first one's fault when none can."""
    blocks = read_blocks(answer.body)
    files = answered_files(blocks)
    if thread and (tables := complete_tables(thread, blocks)):
        return [_suggest(answer, table, table.text, ()) for table in tables]
    typed = command_blocks(blocks, frozenset(files.values()))
    if not typed and thread and (typed := complete_programs(thread, blocks)):
        files = {}
    if not typed:
        raise Rejected("no_commands", "the answer has no block of commands")
    runnable: list[Suggestion] = []
    faults: list[Rejected] = []
    write = "".join(_write_command(name, text) for name, text in files.items())
    for block in typed:
        try:
            text = write + resolve_placeholders(first_of_alternatives(block.text))
            runnable.append(_suggest(answer, block, text, check_commands(text)))
        except Rejected as fault:
            faults.append(fault)
    if not runnable or any(fault.reason == "destructive" for fault in faults):
        raise faults[0]
    return runnable


def _suggest(answer: Answer, told: Told, text: str, packages: tuple[str, ...]) -> Suggestion:
    return Suggestion(
        answer=answer.number, text=text, prose=told.prose, place=told.place, packages=packages, output=told.output
    )


def asked_commands(thread: Thread) -> list[str]:
    """The commands that a question itself has, as far as they can be run: what somebody has tried, or has been told."""
    blocks = read_blocks(thread.body)
    told = [*command_blocks(blocks, frozenset()), *_inline_commands(blocks)]
    return list(dict.fromkeys(script for each in told if (script := _script_or_empty(each.text))))


def _script_or_empty(text: str) -> str:
    try:
        script = resolve_placeholders(text)
        check_commands(script)
    except Rejected:
        return ""
    return script


def runnable_or_none(answer: Answer, thread: Thread) -> list[Suggestion]:
    """The blocks of an answer that can be run; none where it has a fault."""
    try:
        return runnable_blocks(answer, thread)
    except Rejected:
        return []


def command_blocks(blocks: Sequence[Block], contents: frozenset[str]) -> list[Told]:
    """What each block of code has somebody type; blocks without commands, and those that are the contents of files, are
    left out. Of an answer without such blocks, the commands within its prose."""
    typed: list[Told] = []
    prose = ""
    place = 0
    for block in blocks:
        if block.kind == "code" and block.text not in contents:
            pieces = read_code(block.text)
            text = "\n".join(piece.text for piece in pieces if piece.kind == "command")
            output = "\n".join(piece.text for piece in pieces if piece.kind == "output")
            if text.strip():
                typed.append(Told(prose, text, place, output))
            elif typed and typed[-1].place == place - 1 and PRINTS.search(prose):
                typed[-1] = typed[-1]._replace(output=typed[-1].output or block.text)
            place += 1
        prose = block.text if block.kind == "text" else ""
    return join_steps(typed) or list(_inline_commands(blocks))


def _inline_commands(blocks: Sequence[Block]) -> Iterator[Told]:
    """Commands with arguments that stand in the prose as code: `chmod +x run.sh`."""
    for block in blocks:
        if block.kind == "text":
            spans = (span.removeprefix("$ ") for span in INLINE.findall(block.text))
            commands = (span for span in spans if " " in span.strip() and len(span) < LONGEST_SPAN and is_shell(span))
            yield from (Told(block.text.partition(span)[0], span, place) for place, span in enumerate(commands))


def _write_command(name: str, text: str) -> str:
    """The command that writes a file; a program can be run. It is one step, so that none of it can be left out."""
    write = f"install -m 755 /dev/stdin {name}" if text.startswith("#!") else f"cat > {name}"
    return f"{write} <<'END_OF_FILE'\n{text}\nEND_OF_FILE\n"
