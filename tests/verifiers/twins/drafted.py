"""What tests of drafting ask: the alterations of one text, and whether a text still reads as its language."""

from __future__ import annotations

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.twins import Twin
from verifiers.twins import apply_twins, draft_twins
from verifiers.twins.places.syntax_rules import load_grammar


def altered_texts(path: str, text: str, seed: str = "seed") -> list[str]:
    """The file with each of its alterations alone."""
    files = {path: text}
    return [apply_twins(files, [twin])[path] for twin in draft_twins(files, seed=seed)]


def replacements(path: str, text: str) -> list[tuple[str, str]]:
    """What each alteration takes away, and what it puts there."""
    return [(text[twin.start : twin.end], twin.text) for twin in draft_twins({path: text}, seed="seed")]


def parses_like(path: str, text: str, altered: str) -> bool:
    """Whether the altered text is read without an error wherever the text was."""
    if path.endswith(".py"):
        parse_python(altered)
        return True
    grammar = load_grammar(path)
    if grammar is None:
        return True
    before, after = (grammar.parser.parse(version.encode()).root_node.has_error for version in (text, altered))
    return before or not after


def differs_in_one_place(twin: Twin, text: str, altered: str) -> bool:
    """Whether only the altered place is another."""
    return altered != text and altered == text[: twin.start] + twin.text + text[twin.end :]
