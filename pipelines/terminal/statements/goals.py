"""What the asker wants, in the asker's own words: the question without chatter and without what was tried."""

from __future__ import annotations

import re
from pathlib import Path

from crucible.datafile import read_words
from crucible.errors import Rejected
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.bodies import Block
from pipelines.terminal.posts.examples import block_roles
from pipelines.terminal.selection.placeholders import use_local_host

HERE = Path(__file__).parent
LONGEST_GOAL = 2500
LONGEST_BLOCK_LINES = 30
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`(])")
# splits: I have a file. How can I sort it?

EXACT = re.compile(r"```\n(.*?)\n```|`([^`\n]+)`|[\"“]([^\"”\n]+)[\"”]|'([^'\n]+)'", re.DOTALL)
# matches: `abc`, "few", and blocks of code


def write_goal(thread: Thread) -> str:
    """The question without chatter and without what was tried; Rejected when too little or too much is left."""
    parts = [f"# {use_local_host(thread.title.strip())}"]
    for block, tried in block_roles(use_local_host(thread.body)):
        if _ends(block):
            break
        if block.kind == "code" and not tried and len(block.text.splitlines()) <= LONGEST_BLOCK_LINES:
            parts.append(f"```\n{block.text}\n```")
        elif block.kind == "text" and (text := _without_chatter(block.text)):
            parts.append(text)
    goal = "\n\n".join(_drop_dangling(parts))
    if len(goal) > LONGEST_GOAL:
        raise Rejected("goal_too_long", f"{len(goal)} characters")
    return goal


def _drop_dangling(parts: list[str]) -> list[str]:
    """The parts but for a text that announces code which is not there."""
    followers = [*parts[1:], ""]
    return [
        part for part, after in zip(parts, followers, strict=True) if not part.endswith(":") or after.startswith("```")
    ]


def _without_chatter(text: str) -> str:
    sentences = [sentence for sentence in SENTENCE.split(text) if not _is_chatter(sentence)]
    return " ".join(sentences).strip()


def _is_chatter(sentence: str) -> bool:
    patterns = read_words(HERE / "chatter.toml", "sentences")
    return any(re.search(pattern, sentence, re.IGNORECASE) for pattern in patterns)


def _ends(block: Block) -> bool:
    patterns = read_words(HERE / "chatter.toml", "ends")
    return block.kind == "text" and any(re.search(pattern, block.text, re.IGNORECASE) for pattern in patterns)


def names_in(goal: str) -> str:
    """What a goal says exactly: its code, and what it quotes."""
    return "\n".join(part for match in EXACT.findall(goal) for part in match if part)


def is_named(value: str, goal: str) -> bool:
    """Whether a goal names a value exactly, as a whole word; a word that could be meant otherwise has to be quoted."""
    text = goal if re.search(r"\w[._/]\w", value) else names_in(goal)
    return bool(value) and bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text))
