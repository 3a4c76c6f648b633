"""What a draft's cases show, as lines for rules to look at: what folders have, and what the reference did to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.scenes import Entry, own_entries, with_parents

CONTENT_FACTS = {
    "a tab": re.compile(r"\t"),
    "blanks in a row": re.compile(r"\S {2,}\S"),
    "an empty line": re.compile(r"^\s*$", re.MULTILINE),
    "a line that ends with a blank": re.compile(r"[ \t]$", re.MULTILINE),
    "a line that begins with a blank": re.compile(r"^[ \t]+\S", re.MULTILINE),
    "a carriage return": re.compile(r"\r"),
    "a quotation mark": re.compile(r"[\"']"),
    "a comment": re.compile(r"^\s*(?:#|//|;)", re.MULTILINE),
    "a sign beyond ASCII": re.compile(r"[^\x00-\x7f]"),
}
"""What a text may have that questions are about."""


def list_facts(cases: Sequence[Case]) -> list[str]:
    """The facts of all cases, one in a line: `removed a.txt`, `before file 644 sub/b.txt`, `text with a tab`."""
    return list(dict.fromkeys(fact for case in cases for fact in _facts_of(case)))


def _facts_of(case: Case) -> Iterator[str]:
    before = own_entries(with_parents(case.scene.entries))
    changed = case.expected.changed_entries(case.scene)
    for path, entry in before.items():
        yield f"before {entry.kind} {entry.mode:o} {path}"
        if path not in changed:
            yield f"kept {path}"
        if entry.kind == "file" and not (entry.text or entry.data or entry.sha256):
            yield "before an empty file"
    if sum(entry.kind == "file" for entry in before.values()) > 1:
        yield "before several files"
    texts = [entry.text for entry in (*before.values(), *filter(None, changed.values()))]
    text = "\n\0\n".join([*(text.rstrip("\n") for text in texts if text), case.expected.out.rstrip("\n")])
    yield from (f"text with {name}" for name, pattern in CONTENT_FACTS.items() if pattern.search(text))
    if any(len(lines) > len(set(lines)) for lines in (text.splitlines() for text in texts)):
        yield "text with the same line twice"
    printed = case.expected.out.splitlines()[:1]
    if printed and any(text.splitlines()[:1] == printed for text in texts if text):
        yield "prints the first line of a file"
    for line in dict.fromkeys(line.removeprefix("./").rstrip("/") for line in case.expected.out.splitlines()):
        if line in before:
            yield f"prints {before[line].kind} {line}"
    yield from _changes_of(before, changed)


def _changes_of(before: dict[str, Entry], changed: dict[str, Entry | None]) -> Iterator[str]:
    """What became of each path. A file that is gone while another has its content was moved."""
    made = {path: entry for path, entry in changed.items() if entry is not None and path not in before}
    for path, entry in changed.items():
        there = before.get(path)
        if entry is None:
            is_moved = there is not None and any(_same_content(there, other) for other in made.values())
            yield f"{'moved' if is_moved else 'removed'} {path}"
        elif there is None:
            yield f"{'linked' if entry.kind == 'link' else 'made'} {path}"
        elif entry.mode != there.mode and _same_content(entry, there):
            yield f"mode of {path}"
        else:
            yield f"edited {path}"


def _same_content(one: Entry, other: Entry) -> bool:
    return (one.kind, one.text, one.data, one.sha256, one.target) == (
        other.kind,
        other.text,
        other.data,
        other.sha256,
        other.target,
    )
