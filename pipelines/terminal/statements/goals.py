"""What the asker wants, in the asker's own words: the question without chatter and without what was tried."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import takewhile

from crucible.domains.terminal.comparing import normalise_text
from crucible.errors import Rejected
from pipelines.terminal.accounts.steps import Account, tell_script
from pipelines.terminal.commands.values import describe_values
from pipelines.terminal.drafting.forms import scene_text
from pipelines.terminal.model import Draft, Thread
from pipelines.terminal.posts.bodies import Block
from pipelines.terminal.posts.chatter import EXACT, SENTENCE, has_word, without_chatter, without_links
from pipelines.terminal.posts.examples import block_roles, wanted_blocks
from pipelines.terminal.posts.transcripts import ELLIPSIS
from pipelines.terminal.selection.placeholders import use_local_host
from pipelines.terminal.statements.titles import unmet_words

LONGEST_GOAL = 2500
LONGEST_BLOCK_LINES = 30
ANNOUNCES = re.compile(
    r",?\s+(?:so that|such that|like(?: this| so)?|as follows|for example|e\.g\.?|i\.e\.?)\s*[:,]?$", re.IGNORECASE
)
# matches: and put it into a variable, so that
LEADS_ON = re.compile(
    r"\b(?:to|was|is|as|with|using|by|commands?|code|script|this|following|got|get|be|run|ran|used?|from|into|like|but|and)$",
    re.IGNORECASE,
)
# matches: so I refined my command to
OBSERVED = "# What the examples show\n\nWhat is to be done is told below, step by step, and shown by the examples."
"""The goal where the asker's own words ask for something else, or for more, than what the commands were seen to do."""
STEPS_COUNT = "How that is meant is told below, step by step: this counts, whatever else the title might ask for."
"""What is said under a title that is the goal."""
LEAST_PROSE = 8
"""A question that says something beside its title has so many words, and more."""
LEAST_WORDS = 3
"""What is left of a sentence has to have so many words."""


def goal_of(draft: Draft) -> str:
    """The goal of a draft: what a model wrote, else the asker's own words, as far as they say what was observed. A
    result that the question shows and that is not what the examples have, to the letter, is left out: it would
    contradict them."""
    if draft.goal:
        return draft.goal
    goal = _in_own_words(draft)
    account = account_of(draft)
    if account is None or account.untold:
        return goal
    title, _, text = goal.partition("\n")
    facts = [fact.sentence for fact in describe_values(draft.suggestion.text)]
    told = " ".join([*account.steps, *facts, *draft.inputs])
    seen = "\n".join(
        [draft.suggestion.text, *map(scene_text, draft.cases), *(case.expected.out for case in draft.cases)]
    )
    if text.strip() and speaks_of_folder(draft, goal):
        return goal
    return OBSERVED if unmet_words(title.lstrip("# "), told, seen) else f"{title}\n\n{STEPS_COUNT}"


def account_of(draft: Draft) -> Account | None:
    """What the reference does, told step by step; None where that is not needed: a model wrote the goal, the question
    shows what it has and what it wants, or it is about a service or a job."""
    scene = draft.cases[0].scene
    if draft.writer == "model" or draft.shows_result or scene.started or scene.asked:
        return None
    return tell_script(draft.suggestion.text)


def speaks_of_folder(draft: Draft, goal: str) -> bool:
    """Whether a question, beside its title, names at least half of the files and folders that the reference names."""
    if len(goal.partition("\n")[2].split()) < LEAST_PROSE:
        return False
    words = set(re.findall(r"[\w.-]+", draft.suggestion.text))
    paths = {
        part
        for case in draft.cases
        for path in (*case.scene.entries, *case.expected.entries)
        for part in path.split("/")
    }
    named = {part for part in paths & words if len(part) > 1}
    return bool(named) and 2 * sum(part in goal for part in named) >= len(named)


def _in_own_words(draft: Draft) -> str:
    shown = [case for case in draft.cases if not case.hidden]
    written = [entry for case in shown for entry in case.expected.changed_entries(case.scene).values() if entry]
    texts = [*(case.expected.out for case in shown), *(entry.text for entry in written)]
    results = [normalise_text(text.lstrip("\n")) for text in texts]
    wanted = wanted_blocks(use_local_host(draft.selected.thread.body))
    return write_goal(draft.selected.thread, without=[text for text in wanted if not _is_given(text, results)])


def _is_given(wanted: str, results: Sequence[Sequence[str]]) -> bool:
    """Whether a text is one of the results, but for lines that points stand for."""
    lines = normalise_text(wanted.lstrip("\n"))
    return lines in results or any(ELLIPSIS.match(line) for line in lines)


def write_goal(thread: Thread, without: Collection[str] = ()) -> str:
    """The question without chatter, without what was tried, and `without` some blocks of code; Rejected when too much
    is left."""
    roles = list(takewhile(lambda role: not _ends(role[0]), block_roles(use_local_host(thread.body))))
    codes = [_write_code(block, tried, without) for block, tried in roles]
    parts = [f"# {use_local_host(thread.title.strip())}"]
    for (block, _), code, next_code in zip(roles, codes, [*codes, ""][1:], strict=True):
        if block.kind == "code":
            parts.append(code)
        elif block.kind == "text":
            parts.append(without_chatter(block.text, leads_to_code=bool(next_code)))
    neighbours = zip(parts, parts[1:], [*parts[2:], "."], strict=False)
    kept = [parts[0], *(_without_loose_ends(*each) for each in neighbours)]
    goal = "\n\n".join(filter(None, kept))
    if len(goal) > LONGEST_GOAL:
        raise Rejected("goal_too_long", f"{len(goal)} characters")
    return goal


def _write_code(block: Block, tried: bool, without: Collection[str]) -> str:
    """A block of code as a goal has it; empty: it is none, or left out."""
    is_left_out = tried or block.text in without or len(block.text.splitlines()) > LONGEST_BLOCK_LINES
    return f"```\n{block.text}\n```" if block.kind == "code" and not is_left_out else ""


def _without_loose_ends(before: str, text: str, after: str) -> str:
    """A text without what only leads to code, or a list, that does not follow (`so that:`), and without what goes on
    from code that was left out (`which gives nothing.`). An empty neighbour is such code."""
    if text.startswith("```"):
        return text
    sentences = SENTENCE.split(text)
    if not before:
        sentences = without_links(sentences)
    if not sentences or after.startswith(("```", "- ", "1. ")):
        return " ".join(sentences)
    *others, last = sentences
    cut = ANNOUNCES.sub(".", last) if not after or last.endswith(":") else last
    is_whole = cut == last or len(cut.split()) >= LEAST_WORDS
    is_loose = cut.endswith(":") or (not after and LEADS_ON.search(cut))
    return " ".join([*others, cut] if is_whole and not is_loose else others)


def _ends(block: Block) -> bool:
    return block.kind == "text" and has_word(block.text, "ends")


def names_in(goal: str) -> str:
    """What a goal says exactly: its code, and what it quotes."""
    return "\n".join(part for match in EXACT.findall(goal) for part in match if part)


def is_named(value: str, goal: str) -> bool:
    """Whether a goal names a value exactly, as a whole word; a word that could be meant otherwise has to be quoted."""
    if not re.search(r"\w", value):  # a sign stands in all code: only alone does it say anything
        return value in names_in(goal).split("\n")
    text = goal if re.search(r"\w[._/]\w", value) else names_in(goal)
    return bool(value) and bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text))
