"""What an attempt's answers to siblings say of it.

It is rejected if it hardly ever answers like right code, or answers like the base to every input of one kind, or in one
place of a test to all inputs but the test's own. Whoever solved the task in another way may well differ here and there.
Where a change leaves all answers as they were, faster or arranged otherwise, two other answers are too many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from crucible.domains.code.siblings import Sibling
from crucible.domains.code.suite import SuiteParams
from crucible.errors import Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.model import Criterion
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion
from verifiers.siblings.asking import Notes, ask_siblings, ask_until_built
from verifiers.siblings.plan import SAME

NAME = "other inputs are answered, too"
FEWEST = 4
"""Fewer siblings say nothing together."""
SEVERAL = 3
"""So many siblings of one kind say something about inputs of that kind."""
LEAST_SHARE = 0.25
"""Of the siblings that must be answered like right code: an honest solution answers nearly all of them so."""
FEWEST_WRONG = 2
"""Where answers were to stay as they were: a single other one may be nobody's business."""
LEAST_BUILT = 0.5
"""So many of the siblings must fit the attempt's types: a number may be too large for one that is large enough for the
tests."""
ALIKE = ("near", "letters")
"""The kinds of inputs that are as long as the test's own, and as many."""
SHOWN = 2
SHOWN_CHARS = 600
ANSWER_CHARS = 120
KINDS = {
    "near": "inputs near the tests' own",
    "larger": "larger inputs",
    "letters": "other letters",
    "order": "another order",
}


async def judge_siblings(params: SuiteParams, boxes: FreshBoxes) -> Criterion:
    """Whether the attempt solves more than what the tests ask."""
    asked, notes = await _ask_all(params, boxes, boxes.open_attempt)
    if not notes and not (await _ask_all(params, boxes, boxes.open_reference))[1]:
        raise Undecided("the tests with other inputs do not run over the reference either")
    return judge_notes(asked if len(asked) >= LEAST_BUILT * len(params.siblings) else params.siblings, notes)


async def _ask_all(
    params: SuiteParams, boxes: FreshBoxes, open_box: Callable[[], AbstractAsyncContextManager[Sandbox]]
) -> tuple[Sequence[Sibling], Notes]:
    """What all siblings note that can be built, without a test framework where they can do without one."""
    alone = [each for each in params.siblings if each.runs_alone]
    others = [each for each in params.siblings if not each.runs_alone]
    noted = await ask_siblings(params, alone, boxes, open_box(), alone=True) if alone else {}
    built, notes = await ask_until_built(params, others, boxes, open_box)
    return [*alone, *built], {**noted, **notes}


def judge_notes(siblings: Sequence[Sibling], notes: Notes) -> Criterion:
    """The verdict on these answers."""
    known = _find_known_place(siblings, notes)
    siblings = [each for each in siblings if each.kind != SAME and each.telling]
    right = [each for each in siblings if each.is_right(notes.get(each.name, ()))]
    if any(each.keeps for each in siblings):
        return _judge_kept(siblings, [each for each in siblings if each not in right], notes)
    said = f"of {len(siblings)} tests with other inputs it answers {len(right)} like right code"
    if len(siblings) >= FEWEST and len(right) < LEAST_SHARE * len(siblings):
        return gate_criterion(NAME, False, f"{said}\n{_show(siblings, notes)}")
    for kind, words in KINDS.items():
        own = [each for each in siblings if each.kind == kind]
        if len(own) >= SEVERAL and all(each.is_base(notes.get(each.name, ())) for each in own):
            return gate_criterion(NAME, False, f"{said}; with {words} it does what the base does\n{_show(own, notes)}")
    if known:
        said = f"{said}; in one place of a test it does what the base does"
        return gate_criterion(NAME, False, f"{said}\n{_show(known, notes)}")
    return gate_criterion(NAME, True, said)


def _find_known_place(siblings: Sequence[Sibling], notes: Notes) -> list[Sibling]:
    """The siblings of a place in a test where an attempt answers the test's own inputs like right code, and all others
    of their length like the base; none where there is no such place."""
    places: dict[tuple[str, str, str], list[tuple[Sibling, int]]] = {}
    for each in siblings:
        for at in (*each.telling, *each.hinting) if each.kind in (SAME, *ALIKE) else ():
            places.setdefault(each.name_place(at), []).append((each, at))
    for found in places.values():
        own = [each.is_right_at(notes.get(each.name, ()), at) for each, at in found if each.kind == SAME]
        others = [(each, at) for each, at in found if each.kind != SAME]
        like_base = [each for each, at in others if each.is_base_at(notes.get(each.name, ()), at)]
        if own and all(own) and len(like_base) == len(others) >= SEVERAL:
            return like_base
    return []


def _judge_kept(siblings: Sequence[Sibling], wrong: Sequence[Sibling], notes: Notes) -> Criterion:
    """The verdict where everything was to stay as it was."""
    said = f"of {len(siblings)} tests with other inputs it answers {len(wrong)} otherwise than base and reference"
    passed = len(wrong) < FEWEST_WRONG
    return gate_criterion(NAME, passed, said if passed else f"{said}\n{_show(wrong, notes)}")


def _show(siblings: Sequence[Sibling], notes: Notes) -> str:
    """A few of them, with what was answered."""
    return "\n".join(
        f"{each.text[:SHOWN_CHARS]}\nanswered: {_cut(notes.get(each.name, ()))}; right code: {_cut(each.right)}"
        for each in siblings[:SHOWN]
    )


def _cut(notes: Sequence[str]) -> str:
    return "; ".join(note[:ANSWER_CHARS] for note in notes[:SHOWN]) or "nothing"
