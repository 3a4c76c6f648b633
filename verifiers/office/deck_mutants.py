"""Ways of spoiling a good deck that the verifiers of decks must notice: `mutants.toml` of `domains/office/decks`."""

from __future__ import annotations

from pathlib import Path

from crucible.datafile import read_rows
from crucible.domains.office import decks
from crucible.domains.office.decks.params import DeckLooksParams, DeckParams
from crucible.domains.office.decks.spec import DeckMadeParams
from crucible.domains.office.world import python_command
from crucible.proving import Mutation
from crucible.record import Record

FOLDER = Path(decks.__file__).parent


class DeckMutant(Record):
    """One way."""

    verifier: str
    name: str
    criteria: tuple[str, ...]
    code: str


def list_edit_mutations(params: DeckParams) -> list[Mutation]:
    """What the verifier `deck` must notice."""
    return [make_mutation(mutant, params.path) for mutant in read_mutants("deck")]


def list_made_mutations(params: DeckMadeParams) -> list[Mutation]:
    """What the verifier `deck.made` must notice."""
    return [make_mutation(mutant, params.path) for mutant in read_mutants("deck.made")]


def list_looks_mutations(params: DeckLooksParams) -> list[Mutation]:
    """What the verifier `deck.looks` must notice."""
    return [make_mutation(mutant, params.path) for mutant in read_mutants("deck.looks")]


def make_mutation(mutant: DeckMutant, path: str) -> Mutation:
    """A mutant as a command in the box of the good work."""
    program = (FOLDER / "spoil_deck.py").read_text(encoding="utf-8")
    command = python_command(program, {"path": path, "code": mutant.code})
    return Mutation(name=mutant.name, command=command, criteria=mutant.criteria)


def read_mutants(verifier: str) -> list[DeckMutant]:
    """The ways that a verifier must notice."""
    rows = read_rows(FOLDER / "mutants.toml", "mutant", DeckMutant)
    return [row for row in rows if row.verifier == verifier]
