"""Finds out, while a task is proven, on which other inputs right code and the base answer differently."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from crucible.domains.code.siblings import RAISED, Sibling, read_answer
from crucible.domains.code.suite import SuiteParams
from crucible.judging.fresh_boxes import FreshBoxes
from verifiers.siblings.alone import find_interpreter
from verifiers.siblings.asking import Notes, ask_siblings, ask_until_built, select_siblings
from verifiers.siblings.drafting import draft_siblings
from verifiers.siblings.plan import KINDS, SAME

MOST_OF_A_KIND = 8
"""How many are kept, of each kind."""
OF_A_TEST = 3
"""So many of each are kept of every test: fewer say nothing of it (`SEVERAL` in `judging.py`)."""
KEEPING = ("performance", "refactoring")
"""The kinds of task that leave all answers as they were. With other kinds what differs was not noted: a helper of the
tests' own asserts it."""
USUAL = ("near", "larger", "order")
"""What code does with other letters may be nobody's business: they may mean nothing."""
EMPTY = ('["str","\'\'"]', '["str",""]', '["list",[]]', '["dict",[]]', '["tuple",[]]')
PLAIN = frozenset({"0", "1", "-1", '"None"', '"undefined"', *EMPTY})
"""Without spaces. Answers that wrong code gives by chance: they tell nothing where the base gives none at all."""


async def settle_siblings(params: SuiteParams, boxes: FreshBoxes) -> list[Sibling]:
    """Those that tell right code from the base. `boxes` have the reference's tree."""
    made = draft_siblings(params) if select_siblings(params.suite) else []
    drafted, right = await ask_until_built(params, made, boxes, boxes.open_attempt)
    if not right:
        return []
    base, (again, alone) = await asyncio.gather(
        ask_siblings(params, drafted, boxes, boxes.open_base()), _ask_again(params, drafted, right, boxes)
    )
    told = select_telling(drafted, base, right, again)
    if boxes.task.kind not in KEEPING:
        told = [each for each in told if not each.keeps]
    return [each.model_copy(update={"runs_alone": each.name in alone}) for each in told]


async def _ask_again(
    params: SuiteParams, drafted: Sequence[Sibling], right: Notes, boxes: FreshBoxes
) -> tuple[Notes, Collection[str]]:
    """What right code answers the second time, and the names of those that it answers without a test framework as it
    does with one; the others are asked with one again."""
    alone: Notes = {}
    if find_interpreter(params.suite):
        alone = await ask_siblings(params, drafted, boxes, boxes.open_attempt(), alone=True)
    like = {name: notes for name, notes in alone.items() if notes == right.get(name)}
    rest = [each for each in drafted if each.name not in like]
    more = await ask_siblings(params, rest, boxes, boxes.open_attempt()) if rest else {}
    return {**like, **more}, like


def select_telling(drafted: Sequence[Sibling], base: Notes, right: Notes, again: Notes) -> list[Sibling]:
    """Those over which right code comes to its end twice with the same answers, and the base answers otherwise, in a
    place where it does so with the test's own inputs, too; and one with a test's own inputs for each of their tests."""
    noted = [
        each.model_copy(update={"base": base.get(each.name, ()), "right": right.get(each.name, ())})
        for each in drafted
        if right.get(each.name) == again.get(each.name)
    ]
    steady = [each for each in noted if _is_sound(each)]
    same = [each for each in steady if each.kind == SAME]
    if same and all(each.base == each.right for each in same):
        return _limit_kinds(_select_kept(steady))
    fixed = {place for each in same for place in map(each.name_place, _find_telling(each))}
    known = {(each.name_test(), note) for each in same for note in each.right}
    told = [each for each in (_mark_notes(one, fixed, known) for one in steady) if each.telling or each.hinting]
    kept = _limit_kinds([each for each in told if each.kind != SAME])
    own = {each.name_test(): each for each in reversed(told) if each.kind == SAME}
    return [*kept, *(own[test] for test in dict.fromkeys(each.name_test() for each in kept) if test in own)]


def _mark_notes(
    sibling: Sibling, fixed: Collection[tuple[str, str, str]], known: Collection[tuple[tuple[str, str], str]]
) -> Sibling:
    """With the notes that tell something, in these places; where one value alone is altered, not those that its test
    has as well."""
    found = [at for at in _find_telling(sibling) if sibling.name_place(at) in fixed]
    if sibling.alters_one:
        found = [at for at in found if (sibling.name_test(), sibling.right[at]) not in known]
    chance = {at for at in found if _is_chance(sibling, at)}
    return sibling.model_copy(
        update={"telling": tuple(at for at in found if at not in chance), "hinting": tuple(sorted(chance))}
    )


def _select_kept(steady: Sequence[Sibling]) -> list[Sibling]:
    """Of a change that leaves all answers as they were: those with inputs of the tests' kind, over which they are."""
    return [
        each.model_copy(update={"keeps": True, "telling": telling})
        for each in steady
        if each.kind in USUAL and each.base == each.right
        if (telling := tuple(at for at, note in enumerate(each.right) if not note.endswith(" null")))
    ]


def _limit_kinds(siblings: Sequence[Sibling]) -> list[Sibling]:
    """A few of each kind, of every test as many."""
    turns = {each.name: sum(_is_alike(each, other) for other in siblings[:at]) for at, each in enumerate(siblings)}
    kept: set[str] = set()
    for kind in KINDS:
        own = sorted((each for each in siblings if each.kind == kind), key=lambda each: turns[each.name])
        kept |= {each.name for at, each in enumerate(own) if at < MOST_OF_A_KIND or turns[each.name] < OF_A_TEST}
    return [each for each in siblings if each.name in kept]


def _is_alike(one: Sibling, other: Sibling) -> bool:
    return (one.kind, one.name_test()) == (other.kind, other.name_test())


def _is_sound(sibling: Sibling) -> bool:
    """Whether right code answered, and no exception left the test."""
    return bool(sibling.right) and not any(note.startswith(f"{RAISED} ") for note in sibling.right)


def _find_telling(sibling: Sibling) -> list[int]:
    """The notes of plain data that the base does not have."""
    notes = enumerate(sibling.right)
    return [at for at, note in notes if not note.endswith(" null") and not sibling.is_base_at(sibling.right, at)]


def _is_chance(sibling: Sibling, at: int) -> bool:
    """Whether the base gives no answer, and right code one that wrong code gives by chance."""
    answer = sibling.right[at].partition(" ")[2].replace(" ", "")
    return answer in PLAIN and not read_answer(sibling.base, at)
