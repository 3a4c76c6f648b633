"""Holds what a script did against what it should have done, one demand at a time."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import Literal, NamedTuple

from pydantic import Field

from crucible.domains.terminal.archives import is_archive, list_members
from crucible.domains.terminal.documents import read_document
from crucible.domains.terminal.scenes import Effect, Entry, Scene, own_entries
from crucible.record import Record

SHOWN_LINES = 40


class Demand(Record):
    """One thing that is asserted, and the sentence of the instruction that asks for it."""

    about: Literal["output", "files", "repository", "requests", "answers", "restart"]
    sentence: str
    any_order: bool = False
    """The lines may come in any order."""
    any_content: tuple[str, ...] = ()
    """Files whose content depends on the moment: that they are there counts, what they hold does not."""
    by_meaning: bool = False
    """JSON, CSV and INI files are compared by what they say, not by how they are written."""


class Case(Record):
    """A scene, and the effect that the reference has in it."""

    scene: Scene
    expected: Effect
    hidden: bool = False
    """The solver has not seen it."""


class ScriptParams(Record):
    """What a script must do."""

    script: str = "solution.sh"
    """Its path below the workdir."""
    demands: tuple[Demand, ...] = Field(min_length=1)
    cases: tuple[Case, ...] = Field(min_length=1)
    seconds: float = 10.0


class Difference(NamedTuple):
    """How an effect differs from the expected one; empty evidence: it does not."""

    demand: Demand
    evidence: str


def compare_effects(case: Case, actual: Effect, demands: tuple[Demand, ...]) -> Iterator[Difference]:
    """For each demand how far the effect is from the expected one."""
    for demand in demands:
        if demand.about == "output":
            evidence = _compare_texts(case.expected.out, actual.out, demand.any_order, "standard output")
        elif demand.about == "repository":
            evidence = "\n".join(_compare_repositories(case.expected, actual))
        elif demand.about == "requests":
            wanted, found = ("\n".join(effect.requests) for effect in (case.expected, actual))
            evidence = _compare_texts(wanted, found, demand.any_order, "what the service was sent")
        elif demand.about == "answers":
            wanted, found = ("\n".join(effect.answers) for effect in (case.expected, actual))
            evidence = _compare_texts(wanted, found, demand.any_order, "what services answer afterwards")
        elif demand.about == "restart":
            evidence = _compare_restarts(case.expected, actual)
        else:
            evidence = "\n".join(_compare_files(case, actual, demand))
        yield Difference(demand, evidence)


def ending_sentence(seconds: float) -> str:
    """What the instruction says of the script's end, which is asserted in every folder: one that is stopped may have
    left the right files already."""
    return f"It ends by itself within {seconds:g} seconds."


def are_equal(case: Case, actual: Effect, demands: tuple[Demand, ...]) -> bool:
    """Whether an effect meets every demand."""
    return not any(difference.evidence for difference in compare_effects(case, actual, demands))


def normalise_text(text: str, any_order: bool = False) -> list[str]:
    """The lines without white space at their ends; empty lines at the end do not count."""
    lines = [line.rstrip() for line in text.rstrip().splitlines()]
    return sorted(lines) if any_order else lines


def _compare_files(case: Case, actual: Effect, demand: Demand) -> Iterator[str]:
    """How the files differ: all that the reference changed, and all that it left alone."""
    expected, actually = own_entries(case.expected.entries), own_entries(actual.entries)
    for path in sorted(expected.keys() | actually.keys()):
        wanted, found = expected.get(path), actually.get(path)
        if wanted is None:
            yield f"{path} is there and should not be"
        elif found is None:
            yield f"{path} is missing"
        elif path not in demand.any_content or wanted.kind != found.kind:
            yield from _compare_entries(path, wanted, found, demand)


def _compare_restarts(expected: Effect, actual: Effect) -> str:
    """Whether the service that ran at the start was ended, or runs on, as it should."""
    if expected.restarted == actual.restarted:
        return ""
    return "the service that ran at the start " + (
        "still runs and should have been ended" if expected.restarted else "was ended and should run on"
    )


def _compare_repositories(expected: Effect, actual: Effect) -> Iterator[str]:
    """How what the repositories hold differs."""
    for folder in sorted(expected.repositories.keys() | actual.repositories.keys()):
        wanted, found = expected.repositories.get(folder), actual.repositories.get(folder)
        if wanted is None or found is None:
            yield f"{folder} is {'a' if found else 'no'} git repository and should be {'one' if wanted else 'none'}"
        elif wanted != found:
            lines = unified_diff(wanted.lines(), found.lines(), f"{folder} expected", f"{folder} found", "", "", 0, "")
            yield "\n".join(list(lines)[:SHOWN_LINES])


def _compare_entries(path: str, wanted: Entry, found: Entry, demand: Demand) -> Iterator[str]:
    if wanted.kind != found.kind:
        yield f"{path} is a {found.kind} and should be a {wanted.kind}"
    elif wanted.target != found.target:
        yield f"{path} points to {found.target} and should point to {wanted.target}"
    elif list_members(path, wanted) != list_members(path, found):
        yield f"{path} has other content than it should have"
    elif is_archive(path, wanted):
        pass  # its members are what it should have; how they are packed does not matter
    elif (wanted.sha256, wanted.data) != (found.sha256, found.data):
        yield f"{path} has other bytes than it should have"
    elif demand.by_meaning and say_the_same(path, wanted, found):
        pass
    elif difference := _compare_texts(wanted.text, found.text, demand.any_order, path):
        yield difference
    if wanted.kind != "link" and wanted.mode != found.mode:
        yield f"{path} has the mode {found.mode:o} and should have {wanted.mode:o}"


def say_the_same(path: str, one: Entry, other: Entry) -> bool:
    """Whether two files of that name are documents that say the same."""
    document = read_document(path, one.text)
    return document is not None and document == read_document(path, other.text)


def _compare_texts(wanted: str, found: str, any_order: bool, name: str) -> str:
    left, right = normalise_text(wanted, any_order), normalise_text(found, any_order)
    if left == right:
        return ""
    lines = list(unified_diff(left, right, f"{name} expected", f"{name} found", lineterm="", n=1))
    return "\n".join(lines[:SHOWN_LINES])
