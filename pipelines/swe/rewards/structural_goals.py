"""The structural goal of a refactoring, read off its own change: facts that are false before and true after. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crucible.domains.code.check_params import Fact
from crucible.domains.code.definitions import Definition, is_public, outline

MOST = 12
"""Facts that are asked for."""
SHORTER, SHORTER_BY = 0.7, 5
SIMPLER_BY = 3

Texts = Mapping[str, str | None]
"""Files by path; None for one that is not there."""


def goals(before: Texts, after: Texts) -> tuple[Fact, ...]:
    """What the change arranged, the coarse first. `before` and `after` hold the same paths."""
    found = [fact for path in sorted(before) for fact in _of_file(path, before[path], after[path])]
    ranks = ("file", "no_file", "no_name", "name", "lines", "branches")
    return tuple(sorted(found, key=lambda fact: (ranks.index(fact.what), fact.path, fact.name))[:MOST])


def _of_file(path: str, before: str | None, after: str | None) -> Iterator[Fact]:
    if before is None and after is not None:
        yield Fact(what="file", path=path)
    if after is None and before is not None:
        yield Fact(what="no_file", path=path)
        return
    old, new = outline(path, before or ""), outline(path, after or "")
    yield from (Fact(what="no_name", path=path, name=name) for name in old.keys() - new.keys() if _public(name))
    yield from (Fact(what="name", path=path, name=name) for name in new.keys() - old.keys() if _public(name))
    for name in sorted(old.keys() & new.keys()):
        yield from _smaller(path, old[name], new[name])


def _smaller(path: str, old: Definition, new: Definition) -> Iterator[Fact]:
    """Half way between what it was and what it became is asked for: there is more than one way."""
    if new.lines and new.lines <= SHORTER * old.lines and old.lines - new.lines >= SHORTER_BY:
        yield Fact(what="lines", path=path, name=old.name, most=(old.lines + new.lines) // 2)
    if old.branches - new.branches >= SIMPLER_BY:
        yield Fact(what="branches", path=path, name=old.name, most=(old.branches + new.branches) // 2)


def _public(name: str) -> bool:
    return all(is_public(part) or part.startswith("__") for part in name.split("."))
