"""The stage `select`: the rules that a thread must meet, and what is known of those that do.

What is left has a block of commands that can be run in a box without network, screen or root, whose result does not
depend on the moment: scriptable, for a terminal, verifiable, for Linux, and of moderate size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from crucible.datafile import read_row, read_rows
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.terminal.bodies import Block, read_blocks
from pipelines.terminal.duplicates import remember_question
from pipelines.terminal.examples import answered_files
from pipelines.terminal.model import Annotation, Answer, Selected, Suggestion, Thread
from pipelines.terminal.placeholders import resolve_placeholders
from pipelines.terminal.shell import Script, is_known, packages_by_command, read_script, traits_by_command
from pipelines.terminal.steps import Told, join_steps
from pipelines.terminal.taxonomy import category_of, is_material
from pipelines.terminal.transcripts import is_shell, read_code

INLINE = re.compile(r"`([^`\n]{4,200})`")  # matches: `chmod +x run.sh`
TABLE = Path(__file__).with_name("selection.toml")


class Limits(Record):
    """What a thread's sizes and votes must be."""

    least_score: int
    least_answer_score: int
    longest_body: int
    most_commands: int
    duplicate_similarity: float


class TextRule(Record):
    """A drop by what a question's title or tags say."""

    reason: str
    title: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class CommandRule(Record):
    """A drop by what a block of commands says."""

    reason: str
    text: tuple[str, ...]


async def select_thread(thread: Thread, context: MiningContext) -> Sequence[Selected]:
    """The thread with its runnable blocks; Rejected, with the reason, where a rule is not met."""
    answer = check_thread(thread)
    accepted = runnable_blocks(answer)
    others = [block for other in thread.answers if other != answer for block in _runnable_or_none(other)]
    twin = await remember_question(thread, context.memory, limits().duplicate_similarity)
    if twin:
        raise Rejected("near_duplicate", f"of {twin}")
    suggestions = (*accepted, *others)
    return [Selected(thread=thread, suggestions=suggestions, annotation=annotate(thread, answer, suggestions))]


def check_thread(thread: Thread) -> Answer:
    """The accepted answer of a thread that is worth looking at; Rejected otherwise."""
    if thread.fault:
        raise Rejected("broken_row", thread.fault)
    if not is_material(thread.tags):
        raise Rejected("other_subject", ", ".join(thread.tags))
    if not thread.accepted:
        raise Rejected("no_accepted_answer")
    answer = thread.accepted_answer
    if answer is None:
        raise Rejected("accepted_answer_gone", str(thread.accepted))
    if thread.score < limits().least_score or answer.score < limits().least_answer_score:
        raise Rejected("low_score", f"question {thread.score}, answer {answer.score}")
    if max(len(thread.body), len(answer.body)) > limits().longest_body:
        raise Rejected("too_long", f"question {len(thread.body)}, answer {len(answer.body)} characters")
    for rule in read_rows(TABLE, "patterns", TextRule):
        if word := _find_word(thread, rule):
            raise Rejected(rule.reason, word)
    return answer


def _find_word(thread: Thread, rule: TextRule) -> str:
    """What of a thread's title or tags a rule drops it for; empty: nothing."""
    tag = next((tag for tag in thread.tags if tag in rule.tags), "")
    match = next((match for pattern in rule.title if (match := re.search(pattern, thread.title, re.IGNORECASE))), None)
    return match[0] if match else tag


def runnable_blocks(answer: Answer) -> list[Suggestion]:
    """The blocks of commands of an answer that can be run, after those that write the files whose content the answer
    shows; Rejected with the first one's fault when none can."""
    blocks = read_blocks(answer.body)
    files = answered_files(blocks)
    typed = command_blocks(blocks, frozenset(files.values()))
    if not typed:
        raise Rejected("no_commands", "the accepted answer has no block of commands")
    runnable: list[Suggestion] = []
    faults: list[Rejected] = []
    write = "".join(_write_command(name, text) for name, text in files.items())
    for block in typed:
        try:
            text = write + resolve_placeholders(block)
            runnable.append(Suggestion(answer=answer.number, text=text, packages=check_commands(text)))
        except Rejected as fault:
            faults.append(fault)
    if not runnable or any(fault.reason == "destructive" for fault in faults):
        raise faults[0]
    return runnable


def _runnable_or_none(answer: Answer) -> list[Suggestion]:
    try:
        return runnable_blocks(answer)
    except Rejected:
        return []


def command_blocks(blocks: Sequence[Block], contents: frozenset[str]) -> list[str]:
    """What each block of code has somebody type; blocks without commands, and those that are the contents of files, are
    left out. Of an answer without such blocks, the commands within its prose."""
    typed: list[Told] = []
    prose = ""
    for block in blocks:
        if block.kind == "code" and block.text not in contents:
            text = "\n".join(piece.text for piece in read_code(block.text) if piece.kind == "command")
            typed += [Told(prose, text)] if text.strip() else []
        prose = block.text if block.kind == "text" else ""
    return join_steps(typed) or list(_inline_commands(blocks))


def _inline_commands(blocks: Sequence[Block]) -> Iterator[str]:
    """Commands with arguments that stand in the prose as code: `chmod +x run.sh`."""
    for block in blocks:
        if block.kind == "text":
            spans = (span.removeprefix("$ ") for span in INLINE.findall(block.text))
            yield from (span for span in spans if " " in span and is_shell(span))


def _write_command(name: str, text: str) -> str:
    """The command that writes a file; a program can be run. It is one step, so that none of it can be left out."""
    write = f"install -m 755 /dev/stdin {name}" if text.startswith("#!") else f"cat > {name}"
    return f"{write} <<'END_OF_FILE'\n{text}\nEND_OF_FILE\n"


def check_commands(text: str, any_size: bool = False) -> tuple[str, ...]:
    """The packages that a block's commands need; Rejected when it cannot be run in a box. `any_size`: however many
    commands it has."""
    script = read_script(text)
    if script.broken:
        raise Rejected("not_shell", text[:200])
    for reason, sign in _command_faults(script):
        if reason == "too_many_commands" and any_size:
            continue
        raise Rejected(reason, f"{sign}: {text[:200]}")
    names = {call.name for call in script.calls}
    return tuple(sorted({package for name in names if (package := packages_by_command().get(name, "base")) != "base"}))


def _command_faults(script: Script) -> Iterator[tuple[str, str]]:
    for rule in read_rows(TABLE, "commands", CommandRule):
        for pattern in rule.text:
            if match := re.search(pattern, script.text, re.MULTILINE):
                yield rule.reason, match[0]
    for call in script.calls:
        if call.name in traits_by_command():
            yield traits_by_command()[call.name], call.name
        elif not is_known(call.name) and call.name not in script.functions and not _is_path(call.name, script):
            yield "unknown_command", call.name
    if len(script.calls) > limits().most_commands:
        yield "too_many_commands", str(len(script.calls))
    if not script.calls:
        yield "no_commands", "nothing is called"


def _is_path(name: str, script: Script) -> bool:
    """Whether a command is called by its path, or by a variable that the script itself gives a value."""
    variable = name.strip('"').removeprefix("$").strip("{}")
    return "/" in name or (variable != name and variable in script.assigned)


def annotate(thread: Thread, answer: Answer, suggestions: Sequence[Suggestion]) -> Annotation:
    """What the rules say of a thread's seven attributes."""
    first = suggestions[0]
    shown = [block for block in read_blocks(thread.body) if block.kind == "code"]
    return Annotation(
        quality=thread.score + answer.score,
        task_type="change"
        if re.search(r"\b(?:mv|cp|rm|ln|mkdir|chmod|touch|tar|zip|git|-i|tee)\b|>", first.text)
        else "transform",
        verifiability="example" if len(shown) > 1 else "execution",
        category=category_of(thread.tags),
        complexity=len(read_script(first.text).calls),
        packages=first.packages,
        alternatives=len(suggestions) - 1,
    )


@cache
def limits() -> Limits:
    return read_row(TABLE, "limits", Limits)
