"""Token ids are stored once and come back whole."""

from __future__ import annotations

import random

from crucible.model import Step, Tokens
from crucible.token_ids import shorten_prompt, whole_prompts


def store(*pairs: tuple[tuple[int, ...], tuple[int, ...]]) -> list[Step]:
    """Steps as the loop stores them, from whole prompts and completions."""
    steps: list[Step] = []
    before: tuple[int, ...] = ()
    for prompt, completion in pairs:
        tokens = shorten_prompt(Tokens(prompt_ids=prompt, completion_ids=completion), before)
        steps.append(Step(tokens=tokens))
        before = (*prompt, *completion)
    return steps


def test_a_prompt_that_goes_on_stores_only_what_is_new() -> None:
    first, second = store(((1, 2, 3), (4, 5)), ((1, 2, 3, 4, 5, 6), (7,)))
    assert (first.tokens.resumed, first.tokens.prompt_ids) == (0, (1, 2, 3))
    assert (second.tokens.resumed, second.tokens.prompt_ids) == (5, (6,))


def test_whatever_the_prompts_are_they_come_back_whole() -> None:
    draw = random.Random(7)
    pairs = []
    history: list[int] = []
    for _ in range(40):
        kept = draw.randint(0, len(history))
        prompt = (*history[:kept], *(draw.randint(0, 3) for _ in range(draw.randint(1, 6))))
        completion = tuple(draw.randint(0, 3) for _ in range(draw.randint(0, 4)))
        pairs.append((prompt, completion))
        history = [*prompt, *completion]
    assert list(whole_prompts(store(*pairs))) == [prompt for prompt, _ in pairs]


def test_what_is_stored_grows_with_the_text_and_not_with_its_square() -> None:
    pairs = [(tuple(range(10 * n)), tuple(range(10 * n, 10 * n + 5))) for n in range(1, 201)]
    assert sum(len(step.tokens.prompt_ids) for step in store(*pairs)) <= 10 * 200


def test_an_endpoint_that_tells_no_prompt_leaves_none() -> None:
    steps = store(((), (1, 2)), ((), (3,)))
    assert [step.tokens.resumed for step in steps] == [0, 0]
    assert list(whole_prompts(steps)) == [(), ()]
