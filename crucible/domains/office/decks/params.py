"""What is asked of decks: the parameters of the verifiers of decks."""

from __future__ import annotations

from crucible.record import Record


class DeckParams(Record):
    """What is asked of one deck that an attempt edits (verifier `deck`)."""

    path: str
    """Where it lies; a relative path is below the workdir."""
    given: str
    """The digest of the deck that the task begins with."""
    gold: str
    """The digest of a deck in which everything was done that is asked for, and nothing else."""


class DeckLooksParams(Record):
    """What a deck must look like (verifier `deck.looks`)."""

    path: str
    before: tuple[str, ...] = ()
    """For an edit: the digests of the given and of the right deck. What is wrong in them may stay."""
    questions: tuple[str, ...] = ()
    """What a model is asked, where one is configured: of a deck that was made also what `looks.toml` asks."""
