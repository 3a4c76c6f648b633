"""What ties a block of an answer to its question: a goal that both speak of, commands and values that both name.

An answer's other blocks check, warn, digress, or show something of its own. A task made of one of them would ask for
something else than the question does.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from crucible.datafile import read_rows, read_words
from crucible.errors import Rejected
from crucible.record import Record
from pipelines.terminal.commands.shell import is_known, read_script, without_comments
from pipelines.terminal.model import Suggestion, Thread
from pipelines.terminal.posts.bodies import Block, read_blocks

TABLE = Path(__file__).with_name("ties.toml")
WORD = re.compile(r"[\w.-]*\w")  # matches: data.csv, 42, -name without its minus
OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")  # matches: -name, --exclude
MANY_VALUES = 3
"""So many values that both name tie them together, whatever is asked."""
NAMED_VALUE = re.compile(r"`([^`\n]+)`|\"([^\"\n]{2,40})\"|'([^'\n]{2,40})'")  # matches: `abc`, "few"


class Goal(Record):
    """Something that titles ask for, and the commands that do it."""

    name: str
    asks: tuple[str, ...]
    does: tuple[str, ...]


def find_ties(thread: Thread, suggestion: Suggestion) -> tuple[str, ...]:
    """What ties commands to a question, each with its kind: `goal: replace`, `command: sed`, `value: abc`."""
    script = without_comments(suggestion.text)
    goals = [
        f"goal: {goal.name}" for goal in _goals() if _matches(goal.asks, thread.title) and _matches(goal.does, script)
    ]
    title = set(re.findall(r"[\w-]+", thread.title.lower()))
    commands = [f"command: {name}" for name in sorted({call.name for call in read_script(script).calls} & title)]
    values = [f"value: {value}" for value in sorted(_words(script) & question_values(thread))]
    return (*goals, *commands, *values)


def count_goals(thread: Thread, suggestion: Suggestion) -> int:
    """How many of the goals that a title asks for a suggestion does."""
    return sum(tie.startswith("goal") for tie in find_ties(thread, suggestion))


def count_shared_words(thread: Thread, suggestion: Suggestion) -> int:
    """How many of the words that a question has in code or quotes a suggestion has too, whatever they mean."""
    asked = {word for text in _exact_texts(thread) for word in WORD.findall(text)}
    words = set(WORD.findall(OPTION.sub(" ", without_comments(suggestion.text))))
    return sum(word in asked and not is_known(word) for word in words)


def check_ties(thread: Thread, suggestion: Suggestion, result_agrees: bool) -> tuple[str, ...]:
    """The ties of a suggestion; Rejected when it is an aside, or does something else than what was asked for. The first
    block is the answer unless nothing ties it; later ones have to share a word with its code or quotes: else they are
    steps of something else, or other things that can be done. The result that the question shows ties everything."""
    if is_aside(suggestion):
        raise Rejected("aside", f"{suggestion.prose[-100:]!r}: {suggestion.text[:100]}")
    ties = (*find_ties(thread, suggestion), *(["result"] if result_agrees else []))
    kinds = {tie.partition(":")[0] for tie in ties}
    is_tied = (
        "result" in kinds
        or ("goal" in kinds and (suggestion.place == 0 or count_shared_words(thread, suggestion)))
        or {"command", "value"} <= kinds
        or sum(tie.startswith("value") for tie in ties) >= MANY_VALUES
    )
    if not is_tied:
        raise Rejected("not_the_question", f"ties {', '.join(ties) or 'none'}: {suggestion.text[:150]}")
    return ties


def question_values(thread: Thread) -> frozenset[str]:
    """What a question names exactly: the words of its code, and of what it quotes."""
    return frozenset(word for text in _exact_texts(thread) for word in _words(text))


def _exact_texts(thread: Thread) -> list[str]:
    """A question's code, and what it quotes."""
    blocks = [Block("text", thread.title), *read_blocks(thread.body)]
    prose = "\n".join(block.text for block in blocks if block.kind != "code")
    quoted = [value for match in NAMED_VALUE.findall(prose) for value in match if value]
    return [*quoted, *(block.text for block in blocks if block.kind == "code")]


def _words(text: str) -> frozenset[str]:
    """The words of a text that name something in particular."""
    generic = frozenset(read_words(TABLE, "generic"))
    words = (word.lstrip("-.") for word in WORD.findall(OPTION.sub(" ", text)))
    return frozenset(word for word in words if len(word) > 1 and word.lower() not in generic and not is_known(word))


def is_aside(suggestion: Suggestion) -> bool:
    """Whether a block only checks, warns, informs or digresses."""
    last = re.split(r"(?<=[.!?])\s+", suggestion.prose.strip())[-1]
    lines = [line for line in suggestion.text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    comments = "\n".join(re.findall(r"(?:^|\s)#\s*(.+)$", suggestion.text, re.MULTILINE))  # matches: # won't work
    if _matches(read_words(TABLE, "aside_prose"), last) or _matches(read_words(TABLE, "aside_comments"), comments):
        return True
    return all(_matches(read_words(TABLE, "aside_commands"), line) for line in lines)


def _matches(patterns: tuple[str, ...], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE | re.MULTILINE) for pattern in patterns)


@cache
def _goals() -> tuple[Goal, ...]:
    return read_rows(TABLE, "goal", Goal)
