"""The form of a result, read off what the reference printed or wrote in all scenes: how many lines, of which kind, in
which order, with which fixed texts. Said in the instruction, so that nobody has to guess it from the examples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from crucible.domains.terminal.archives import is_archive, list_members
from crucible.domains.terminal.comparing import Case, normalise_text
from crucible.domains.terminal.scenes import own_entries, with_parents

NUMBER = re.compile(r"\s*-?\d+(?:\.\d+)?")  # matches: 42
SEPARATORS = {"\t": "a tab", ",": "`,`", ";": "`;`", ":": "`:`", "|": "`|`"}
ONE_LINE = "That is one line."
MOST_FORMS = 4
"""Lines of more forms than these are no list, and not described."""
TOKEN = re.compile(r"[^\W_]+")  # matches: maple, 42
WORD = re.compile(r"[^\W\d_]{2,}")  # matches: total, Größe


PARTS = re.compile(r"\b[ef]?grep\b[^|;\n]*\s-\w*o")  # matches: grep -oE
SORTED = re.compile(r"\b(?:sort|ls|comm)\b")  # matches: sort a
SORTED_OTHERWISE = re.compile(r"\bsort\b[^|;\n]*\s-\w*[nkgVhM]|\bls\s+-\w*[tSv]")  # matches: sort -rn


class Result(NamedTuple):
    """What was printed, or written to a file, in one case."""

    case: Case
    text: str

    @property
    def lines(self) -> list[str]:
        return normalise_text(self.text)


def describe_form(results: Sequence[Result], any_order: bool, script: str = "", is_told: bool = False) -> str:
    """What all the results have in common because of what `script` does, in sentences; empty when there is nothing to
    say. What they share only because their folders do is left out: it would read as a demand. `is_told`: what the
    script does is told whole, so that nobody has to know what its lines look like."""
    filled = [result for result in results if result.lines]
    if not filled:
        return ""
    order, fixed = _describe_order(filled, any_order, script), _describe_fixed(filled, script)
    finds_parts = bool(PARTS.search(script))
    number = _describe_number(filled, may_have_fields=not order and not fixed and not finds_parts)
    if is_told:
        number = "" if number.startswith("Each line") else number
        fixed = "" if fixed.startswith("Each line") else fixed
    if (any_order or finds_parts) and number == ONE_LINE:  # how many are found is how many there are
        number = ""
    sentences = [number, order, fixed]
    if len(filled) < len(results):
        sentences.append("Where there is nothing to print, it prints nothing.")
    return " ".join(sentence for sentence in sentences if sentence)


def _describe_number(results: Sequence[Result], may_have_fields: bool) -> str:
    many = "one line" if all(len(result.lines) == 1 for result in results) else "lines"
    lines = [line for result in results for line in result.lines]
    if all(NUMBER.fullmatch(line) for line in lines):
        return "That is one number." if many == "one line" else "Each line is a number."
    if many == "one line":  # how many fields it has is how many things were to be joined
        return "" if all(_is_taken(result) for result in results) else ONE_LINE
    separator = _find_separator(results) if may_have_fields else ""
    return (
        f"Each line has {len(lines[0].split(separator))} fields parted by {SEPARATORS[separator]}." if separator else ""
    )


def _is_taken(result: Result) -> bool:
    """Whether the lines of a result are some of those of a file that has more: of another file it could be more."""
    files = (entry for entry in own_entries(result.case.scene.entries).values() if entry.kind == "file")
    return any(len(lines) > 1 and set(result.lines) <= set(lines) for lines in (normalise_text(e.text) for e in files))


def _find_separator(results: Sequence[Result]) -> str:
    """The sign that parts every line into the same number of fields; empty: there is none, too few lines to tell, or a
    file of the folder has as many in its lines."""
    lines = [line for result in results for line in result.lines]
    for sign in SEPARATORS:
        counts = {line.count(sign) for line in lines}
        if len(lines) > 2 and len(counts) == 1 and counts != {0}:
            is_given = all(counts in _counts_in_files(result.case, sign) for result in results)
            return "" if is_given else sign
    return ""


def _counts_in_files(case: Case, sign: str) -> list[set[int]]:
    """How often a sign is in the lines of each file of a scene."""
    files = (entry for entry in own_entries(case.scene.entries).values() if entry.kind == "file")
    return [{line.count(sign) for line in normalise_text(entry.text) if line} for entry in files]


def _describe_order(results: Sequence[Result], any_order: bool, script: str) -> str:
    if any_order or all(len(result.lines) < 2 for result in results):
        return ""
    path = next(
        (path for path in results[0].case.scene.entries if all(_keeps_order(each, path) for each in results)), ""
    )
    if path:
        return f"They are in the order in which they stand in `{path}`."
    if "*" in script and all(_follows_names(each) for each in results):
        return "Files come in the order of their names."
    if not SORTED.search(script) or SORTED_OTHERWISE.search(script):
        return ""
    if all(result.lines == sorted(result.lines) for result in results):
        return "They are in the order of their characters."
    if all(result.lines == sorted(result.lines, reverse=True) for result in results):
        return "They are in the reverse order of their characters."
    return ""


def _follows_names(result: Result) -> bool:
    """Whether every line begins with, or ends with, the name of a file of the scene, and the names are in order."""
    paths = sorted(with_parents(own_entries(result.case.scene.entries)), key=len, reverse=True)
    named = [
        next((path for path in paths if re.search(rf"(?:^|[\s/]){re.escape(path)}(?:$|[:\s])", line)), "")
        for line in result.lines
    ]
    return all(named) and named == sorted(named)


def _keeps_order(result: Result, path: str) -> bool:
    """Whether the lines are lines of a file of the scene, in the order in which they stand there."""
    entry = result.case.scene.entries.get(path)
    there = iter(normalise_text(entry.text)) if entry is not None and entry.kind == "file" else iter(())
    return all(line in there for line in result.lines)


def _describe_fixed(results: Sequence[Result], script: str) -> str:
    """The form of the lines where they have words of their own; else how paths begin."""
    fixed = _fixed_chunks(results, script)
    lines = [line for result in results for line in result.lines]
    if len(set(lines)) == 1 and "`" not in lines[0]:
        return f"The line is `{lines[0]}`."
    forms = list(dict.fromkeys(_form_of(line, fixed) for line in lines))
    if len(forms) <= MOST_FORMS and "…" not in forms and any(WORD.search(form) for form in forms):
        dots = "; `…` stands for what differs" if any("…" in form for form in forms) else ""
        return f"Each line has the form {' or '.join(f'`{form}`' for form in forms)}{dots}."
    return "Every line begins with `./`." if all(line.startswith("./") for line in lines) else ""


def _fixed_chunks(results: Sequence[Result], script: str) -> frozenset[str]:
    """Words of the lines that come from no folder: those of the script that are in several results, one of them not
    hidden, and others that are in all of them and not even parts of what the folders have."""
    known = "\n".join(scene_text(result.case) for result in results).lower()
    words = set(TOKEN.findall(known))
    chunks = [{chunk for line in result.lines for chunk in line.split()} for result in results]
    shown = set[str]().union(*(each for each, result in zip(chunks, results, strict=True) if not result.case.hidden))
    often = {chunk for chunk in shown if sum(chunk in each for each in chunks) > 1}
    told = {chunk for chunk in often if chunk in script and not words & set(TOKEN.findall(chunk.lower()))}
    others = {chunk for chunk in often - told if all(chunk in each for each in chunks)}
    others = {chunk for chunk in others if not any(token in known for token in TOKEN.findall(chunk.lower()))}
    return frozenset(chunk for chunk in told | others if not any(token.isdigit() for token in TOKEN.findall(chunk)))


def _form_of(line: str, fixed: frozenset[str]) -> str:
    """The line with `…` in the place of all that is not fixed."""
    chunks = [chunk if chunk in fixed else "…" for chunk in line.split()]
    kept = [chunk for place, chunk in enumerate(chunks) if chunk != "…" or place == 0 or chunks[place - 1] != "…"]
    return " ".join(kept).replace("`", "'")


def collect_results(cases: Sequence[Case]) -> dict[str, list[Result]]:
    """What the reference printed, under the empty name, and the texts that it wrote, by their paths, as far as it wrote
    them in every case, and found none there."""
    changes = [case.expected.changed_entries(case.scene) for case in cases]
    results = {"": [Result(case, case.expected.out) for case in cases]}
    for path in dict.fromkeys(path for change in changes for path in change):
        entries = [change.get(path) for change in changes]
        is_new = not any(path in case.scene.entries for case in cases)
        if is_new and all(entry is not None and entry.text for entry in entries):
            texts = [entry.text for entry in entries if entry is not None]
            results[path] = [Result(case, text) for case, text in zip(cases, texts, strict=True)]
    return {path: each for path, each in results.items() if any(result.text.strip() for result in each)}


def describe_new_names(cases: Sequence[Case], script: str) -> str:
    """How the names of what the script makes end, or what it is called, where the paths are others in every case. An
    ending that the script does not have is an accident of the folders."""
    made = [
        {path for path, entry in case.expected.changed_entries(case.scene).items() if entry is not None}
        - case.scene.entries.keys()
        for case in cases
    ]
    names = sorted({path for each in made for path in each if not all(path in other for other in made)})
    last = {name.rpartition("/")[2] for name in names}
    if len(names) > 1 and len(last) == 1:
        return f" What it makes is called `{last.pop()}`."
    ending = re.search(r"[._-][\w.-]+$", _common_end(names)) if len(names) > 1 else None  # matches: .text, _old.txt
    return f" The names of the files that it makes end with `{ending[0]}`." if ending and ending[0] in script else ""


def _common_end(names: Sequence[str]) -> str:
    columns = takewhile(lambda column: len(set(column)) == 1, zip(*(name[::-1] for name in names), strict=False))
    return "".join(column[0] for column in columns)[::-1]


def untold_words(results: Sequence[Result], told: str) -> list[str]:
    """Words that are in every result, stand in no file of any scene, and are not told: nobody could know them but by
    copying. Of what archives hold nothing is known."""
    if any(is_archive(path, entry) for result in results for path, entry in result.case.scene.entries.items()):
        return []
    common = set.intersection(*(set(WORD.findall(result.text)) for result in results)) if results else set()
    known = "\n".join([told, *(scene_text(result.case) for result in results)]).lower()
    return sorted(word for word in common if word.lower() not in known)


def scene_text(case: Case) -> str:
    """All that a script finds in a scene: names, contents, pages."""
    entries = own_entries(case.scene.entries)
    pages = case.scene.service.pages if case.scene.service else {}
    repositories = [line for each in case.scene.repositories.values() for line in each.lines()]
    archives = [
        member
        for path, entry in entries.items()
        if is_archive(path, entry)
        for member in map(str, list_members(path, entry) or ())
    ]
    texts = (entry.text for entry in entries.values())
    return "\n".join([*entries, *texts, *pages.values(), *repositories, *archives])
