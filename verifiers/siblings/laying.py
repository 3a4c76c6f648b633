"""Lays what notes answers into a test file, or beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from verifiers.siblings.syntax_rules import sibling_rules

RECORDERS = Path(__file__).parent / "recorders"
PACKAGE = re.compile(r"^package\s+([\w.]+)", re.MULTILINE)
# matches: package shelf  package acme.shelf;

COMMENT = ("/*", "#!")


def lay_recorder(path: str, text: str, place: str) -> dict[str, str]:
    """The file with this text, and whatever else it takes that its siblings note at that place."""
    rules = sibling_rules(path)
    if rules is None:
        return {path: f"{text}\n\n\n{_read_recorder('recorder.py', place)}"}
    recorder = _read_recorder(rules.recorder, place)
    if rules.beside:
        package = PACKAGE.search(text)
        name = package[1] if package else ""
        beside = PurePosixPath(path).with_name(rules.beside.replace("PACKAGE", name))
        recorder = recorder.replace("PACKAGE", name) if name else recorder.removeprefix("package PACKAGE;")
        return {path: text, str(beside): recorder}
    added = recorder.replace("OPEN", _pick(rules.files, text))
    has_types = path.endswith(rules.typed) and not text.startswith(COMMENT)  # that of Jest must be the first
    text = rules.first + text if has_types else text
    return {path: "\n\n".join([text, _pick(rules.imports, text), added])}


def _read_recorder(name: str, place: str) -> str:
    return (RECORDERS / name).read_text(encoding="utf-8").replace("PLACE", place)


def _pick(texts: Mapping[str, str], file: str) -> str:
    """The first of these whose pattern is found in a file."""
    return next((text for pattern, text in texts.items() if re.search(pattern, file)), "")
