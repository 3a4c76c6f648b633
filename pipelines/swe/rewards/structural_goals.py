"""The structural goal of a refactoring, read off its own change: facts that are false before and true after. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crucible.domains.code.check_params import Fact
from crucible.domains.code.definitions import Definition, is_public, outline_file
from crucible.domains.code.voiding import definition_lines

MOST_FACTS = 12
"""Facts that one task asks for at most."""
SHORTER_SHARE = 0.7
"""A definition counts as shorter when it has at most this share of the lines it had."""
SHORTER_BY = 5
"""Lines that a definition must lose to count as shorter."""
SIMPLER_BY = 3
"""Branches that a definition must lose to count as simpler."""
RANKS = ("file", "no_file", "no_name", "name", "lines", "branches")
"""Kinds of facts, the coarse first."""

Texts = Mapping[str, str | None]
"""Files by path; None for one that is not there."""
Place = tuple[str, str]
"""A file, and the name of a definition in it."""


def find_goals(before: Texts, after: Texts) -> tuple[Fact, ...]:
    """What the change arranged, the coarse first. `before` and `after` hold the same paths."""
    facts = [fact for path in sorted(before) for fact in _file_facts(path, before[path], after[path])]
    return tuple(sorted(facts, key=lambda fact: (RANKS.index(fact.what), fact.path, fact.name))[:MOST_FACTS])


def find_altered(before: Texts, after: Texts) -> list[Place]:
    """The definitions that were there and are still, and read otherwise; not those that only have such members."""
    places: list[Place] = []
    for path in sorted(before):
        old, new = before[path] or "", after[path] or ""
        names = sorted(outline_file(path, old).keys() & outline_file(path, new).keys())
        altered = [name for name in names if _text_of(path, old, name) != _text_of(path, new, name)]
        spans = {name: definition_lines(path, new, name) for name in altered}
        places += [(path, name) for name in altered if not any(_is_around(spans[name], own) for own in spans.values())]
    return places


def _is_around(outer: Sequence[range], inner: Sequence[range]) -> bool:
    """Whether one definition's lines hold all of another's, and more."""
    return inner != outer and bool(inner) and all(any({*lines} <= {*around} for around in outer) for lines in inner)


def _text_of(path: str, text: str, name: str) -> list[str]:
    lines = text.splitlines()
    return [line for span in definition_lines(path, text, name) for line in lines[span.start - 1 : span.stop - 1]]


def _file_facts(path: str, before: str | None, after: str | None) -> Iterator[Fact]:
    if before is None and after is not None:
        yield Fact(what="file", path=path)
    if after is None and before is not None:
        yield Fact(what="no_file", path=path)
        return
    old, new = outline_file(path, before or ""), outline_file(path, after or "")
    yield from (Fact(what="no_name", path=path, name=name) for name in old.keys() - new.keys() if _is_public(name))
    yield from (Fact(what="name", path=path, name=name) for name in new.keys() - old.keys() if _is_public(name))
    for name in sorted(old.keys() & new.keys()):
        yield from _size_facts(path, old[name], new[name])


def _size_facts(path: str, old: Definition, new: Definition) -> Iterator[Fact]:
    """That a definition became shorter or simpler. Half way between what it was and what it became is asked for: there
    is more than one way."""
    if new.lines and new.lines <= SHORTER_SHARE * old.lines and old.lines - new.lines >= SHORTER_BY:
        yield Fact(what="lines", path=path, name=old.name, most=(old.lines + new.lines) // 2)
    if old.branches - new.branches >= SIMPLER_BY:
        yield Fact(what="branches", path=path, name=old.name, most=(old.branches + new.branches) // 2)


def _is_public(name: str) -> bool:
    """Whether every part of a dotted name is public, or one of Python's own (`__init__`)."""
    return all(is_public(part) or part.startswith("__") for part in name.split("."))
