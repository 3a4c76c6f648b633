"""What a solver is told: the asker's own words without chatter, what is asserted, and the hints of its level.

    1  the commands with their options      3  the goal with exact paths
    2  the tools by name                    4  the goal in the asker's own terms

All levels ask for the same: the sentences behind the assertions and the examples are in each of them.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import join

from crucible.datafile import read_words
from crucible.domains.terminal.comparing import ScriptParams, ending_sentence
from crucible.domains.terminal.scenes import own_entries
from crucible.errors import Rejected
from pipelines.terminal.bodies import Block
from pipelines.terminal.examples import block_roles
from pipelines.terminal.model import Draft, Thread
from pipelines.terminal.services import use_local_host
from pipelines.terminal.shell import Called, read_script
from pipelines.terminal.workspace import written_names

HERE = Path(__file__).parent
LEVELS = (1, 2, 3, 4)
LONGEST_GOAL = 2500
LONGEST_BLOCK_LINES = 30
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`(])")
# splits: I have a file. How can I sort it?


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


def write_instruction(draft: Draft, params: ScriptParams, level: int, workdir: str, has_listing: bool) -> str:
    """The instruction of one level."""
    prints = any(demand.about == "output" for demand in draft.demands)
    words = {
        "goal": draft.goal or write_goal(draft.selected.thread),
        "script": join(workdir, params.script),
        "workdir": workdir,
        "paths": "".join(f" {sentence}" for sentence in draft.inputs) + (_name_paths(draft) if level <= 3 else ""),
        "demands": "\n".join(f"- {sentence}" for sentence in asserted_sentences(params)),
        "output": ", with what it must print in `output.txt`" if prints else "",
        "listing": " `before.txt` and `after.txt` list every path with its kind and mode." if has_listing else "",
        "hint": _write_hint(draft, level),
    }
    template = (HERE / "instructions" / "task.md").read_text("utf-8").strip()
    return re.sub(r"\{(\w+)\}", lambda hole: words[hole[1]], template)  # matches: {goal}


def asserted_sentences(params: ScriptParams) -> list[str]:
    """The sentences that what is asserted rests on."""
    return [*(demand.sentence for demand in params.demands), ending_sentence(params.seconds)]


def determines_all(instruction: str, params: ScriptParams) -> bool:
    """Whether an instruction still has every sentence that something asserted rests on."""
    return all(sentence in instruction for sentence in asserted_sentences(params))


def _name_paths(draft: Draft) -> str:
    """Which files the reference reads and writes, by name."""
    script = draft.suggestion.text
    written = sorted(name for name in written_names(script) if not name.startswith("/"))
    there = own_entries(draft.cases[0].scene.entries)
    read = sorted(path for path in there if path in script and path not in written)
    said = [f" It reads {_join_names(read)}."] if read else []
    said += [f" It writes {_join_names(written)}."] if written else []
    return "".join(said)


def _join_names(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _write_hint(draft: Draft, level: int) -> str:
    if level > 2:
        return ""
    calls = [call for call in read_script(draft.suggestion.text).calls if call.name not in ("set", "cd", "[", ":")]
    named = [_with_options(call) if level == 1 else call.name for call in calls]
    return f"\n\nHint: it can be done with {_join_names(list(dict.fromkeys(named)))}." if named else ""


def _with_options(call: Called) -> str:
    """A command with its options, without what it is given."""
    return " ".join([call.name, *(word for word in call.arguments if re.fullmatch(r"--?[A-Za-z][\w-]*", word))])
