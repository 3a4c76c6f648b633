"""Token ids without repetition: a step stores what its prompt adds to all that the step before saw and sampled.

An attempt of n steps shows its whole history n times; stored whole, its token ids would grow with the square of n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from crucible.model import Step, Tokens


def shorten_prompt(tokens: Tokens, before: Sequence[int]) -> Tokens:
    """The tokens with the prompt shortened to what it adds to `before`: all that the step before saw and sampled."""
    if not tokens.prompt_ids:
        return tokens
    common = count_common(before, tokens.prompt_ids)
    return tokens.model_copy(update={"resumed": common, "prompt_ids": tokens.prompt_ids[common:]})


def whole_prompts(steps: Iterable[Step]) -> Iterator[tuple[int, ...]]:
    """The prompt of every step in turn, whole; empty where the endpoint did not tell it."""
    before: tuple[int, ...] = ()
    for step in steps:
        prompt = (*before[: step.tokens.resumed], *step.tokens.prompt_ids)
        yield prompt
        before = (*prompt, *step.tokens.completion_ids)


def count_common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens two sequences have in common at their beginnings."""
    least = min(len(one), len(other))
    if tuple(one[:least]) == tuple(other[:least]):
        return least
    return next(at for at in range(least) if one[at] != other[at])
