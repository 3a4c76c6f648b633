"""The stage `select`: the rules that a thread must meet, and what is known of those that do.

What is left has a block of commands that can be run in a box without network, screen or root, whose result does not
depend on the moment: scriptable, for a terminal, verifiable, for Linux, and of moderate size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.datafile import read_rows
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.terminal.accounts.steps import tell_script
from pipelines.terminal.commands.shell import read_script
from pipelines.terminal.model import Annotation, Answer, Selected, Suggestion, Thread
from pipelines.terminal.posts.bodies import read_blocks
from pipelines.terminal.posts.chatter import count_questions, states_goal
from pipelines.terminal.posts.examples import read_shown, shows_result
from pipelines.terminal.posts.taxonomy import category_of, is_material
from pipelines.terminal.selection.checking import TABLE, limits
from pipelines.terminal.selection.duplicates import remember_question
from pipelines.terminal.selection.suggestions import runnable_blocks, runnable_or_none
from pipelines.terminal.selection.ties import check_ties, count_goals, count_shared_words, is_aside


class TextRule(Record):
    """A drop by what a question's title or tags say."""

    reason: str
    title: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


async def select_thread(thread: Thread, context: MiningContext) -> Sequence[Selected]:
    """The thread with its runnable blocks; Rejected, with the reason, where a rule is not met."""
    answer = check_thread(thread)
    own = own_suggestions(thread, answer)
    others = [block for other in thread.answers if other != answer for block in runnable_or_none(other, thread)]
    twin = await remember_question(thread, context.memory, limits().duplicate_similarity)
    if twin:
        raise Rejected("near_duplicate", f"of {twin}")
    suggestions = (*own, *others)
    return [Selected(thread=thread, suggestions=suggestions, annotation=annotate(thread, answer, suggestions))]


def own_suggestions(thread: Thread, answer: Answer) -> list[Suggestion]:
    """What the accepted answer suggests. Where nothing of it can be run, none, as long as other answers can be and the
    question shows the result that decides; else Rejected with the accepted one's fault."""
    try:
        return tied_suggestions(thread, runnable_blocks(answer, thread))
    except Rejected as fault:
        others = (runnable_or_none(other, thread) for other in thread.answers if other != answer)
        if fault.reason == "destructive" or not shows_result(thread.body) or not any(others):
            raise
        return []


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
    if count_asked(thread) > limits().most_questions:
        raise Rejected("several_questions", f"{count_asked(thread)} in a list")
    if not states_goal(thread.title, thread.body):
        raise Rejected("no_goal", thread.title)
    if (asked := count_questions(thread.body)) > limits().most_asked:
        raise Rejected("several_questions", f"{asked} sentences ask for something")
    for rule in read_rows(TABLE, "patterns", TextRule):
        if word := _find_word(thread, rule):
            raise Rejected(rule.reason, word)
    return answer


def count_asked(thread: Thread) -> int:
    """How many items of a question's lists are questions."""
    return sum(block.depth > 0 and block.text.rstrip().endswith("?") for block in read_blocks(thread.body))


def _find_word(thread: Thread, rule: TextRule) -> str:
    """What of a thread's title or tags a rule drops it for; empty: nothing."""
    tag = next((tag for tag in thread.tags if tag in rule.tags), "")
    match = next((match for pattern in rule.title if (match := re.search(pattern, thread.title, re.IGNORECASE))), None)
    return match[0] if match else tag


def tied_suggestions(thread: Thread, suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Those of the suggestions that do what the question asks for; Rejected with the first one's fault when none does.
    Where the question shows a result, that decides later on, and where it shows an input, what the answer's first block
    is shown to print of it."""
    if shows_result(thread.body):
        return [each for each in suggestions if not is_aside(each)] or list(suggestions)
    tied: list[Suggestion] = []
    faults: list[Rejected] = []
    has_input = bool(read_shown(thread.body).files)
    for suggestion in suggestions:
        may_agree = has_input and bool(suggestion.output) and suggestion.place == 0
        try:
            check_ties(thread, suggestion, result_agrees=may_agree)
            tied.append(suggestion)
        except Rejected as fault:
            faults.append(fault)
    if not tied:
        raise faults[0]
    tied = tied if has_input or _says_more(thread) else tellable_suggestions(tied)
    return sorted(tied, key=lambda each: (-count_shared_words(thread, each), -count_goals(thread, each), each.place))


def tellable_suggestions(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Those of the suggestions that can be told whole; Rejected with what of the first one cannot when there is none: a
    title alone tells no solver what such commands do."""
    untold = [tell_script(suggestion.text).untold for suggestion in suggestions]
    told = [suggestion for suggestion, parts in zip(suggestions, untold, strict=True) if not parts]
    if not told:
        raise Rejected("cannot_be_told", f"{', '.join(untold[0])}: {suggestions[0].text[:150]}")
    return told


def _says_more(thread: Thread) -> bool:
    """Whether a question says something beside its title."""
    prose = " ".join(block.text for block in read_blocks(thread.body) if block.kind == "text")
    return len(prose.split()) >= limits().least_prose


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
