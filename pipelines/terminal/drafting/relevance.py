"""Whether a draft asks for what the question asks for, and for something worth doing, whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from crucible.datafile import read_rows
from crucible.domains.terminal.comparing import Case
from crucible.domains.terminal.scenes import with_parents
from crucible.errors import Rejected
from crucible.record import Record
from crucible.sandbox import Sandbox
from pipelines.terminal.commands.shell import piped_calls, read_script
from pipelines.terminal.drafting.demands import has_changed, has_link, is_copy, writes_copy
from pipelines.terminal.drafting.effects import list_facts
from pipelines.terminal.model import Draft, Thread
from pipelines.terminal.posts.bodies import read_blocks
from pipelines.terminal.scenes.starts import find_equal
from pipelines.terminal.selection.suggestions import asked_commands
from pipelines.terminal.selection.ties import check_ties

AWKS = ("awk", "gawk", "mawk")
SORT_KEY = re.compile(
    r"\bsort\b(?![^|;\n]*(?:\s-\w*t|--field-separator))[^|;\n]*?\s-\w*k\s?(\d+)"
)  # matches: sort -nk4
FIELD_READ = re.compile(r"\$(\d+)(?!\d*\s*=[^=])")  # matches: $4, not the $6 of $6 = 1
TABLE = Path(__file__).with_name("points.toml")
IN_PLACE = re.compile(r"\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i")  # matches: sed -i 1d file


EDITORS = frozenset(
    {
        "split",
        "csplit",
        "tr",
        "sed",
        "awk",
        "gawk",
        "perl",
        "grep",
        "cut",
        "sort",
        "uniq",
        "expand",
        "unexpand",
        "iconv",
    }
)
"""Commands that are called because their result is to be another one than what they read."""
FOLLOWS_LINKS = re.compile(
    r"\bwget\b[^|;\n]*\s(?:-[a-zA-Z]*[rmpk][a-zA-Z]*|--(?:recursive|mirror|page-requisites|convert-links))\b"
)
# matches: wget -r http://localhost:8000/


PUTS_MANY = re.compile(r"-exec\s+(?:cp|mv)\s+(?:-\w+\s+)*[\"']?\{\}[\"']?\s+([^\s;+$]+)")
# matches: find . -exec cp {} target \;


class Point(Record):
    """What has to be seen where a title asks for something."""

    asks: tuple[str, ...]
    shows: tuple[str, ...] = ()
    """One of these has to be seen."""
    never: tuple[str, ...] = ()
    """None of these may be seen."""


class Deed(Record):
    """Something that is done to a folder, as its facts begin, and the words of questions that ask for it."""

    does: str
    asks: tuple[str, ...]


async def check_relevance(draft: Draft, box: Sandbox) -> Draft:
    """The draft with what ties it to its question; Rejected when nothing does, when it only prints a file, when the
    asker's own commands do the same, or when the point of the question cannot be seen in it."""
    selected, cases = draft.selected, draft.cases
    if all(is_copy(case) for case in cases):
        raise Rejected("trivial", f"it prints a file as it is: {draft.suggestion.text[:200]}")
    calls = {call.name for call in read_script(draft.suggestion.text).calls}
    if calls <= EDITORS and all(writes_copy(case) for case in cases):
        raise Rejected("point_not_tested", f"what it writes is a file as it was: {draft.suggestion.text[:200]}")
    if all(prints_twice(case) for case in cases):
        raise Rejected("point_not_tested", f"two ways to do the same: {draft.suggestion.text[:200]}")
    if (one := PUTS_MANY.search(draft.suggestion.text)) and not any(_has_folder(case, one[1]) for case in cases):
        raise Rejected("point_not_tested", f"many files are put into one: {one[1]}")
    if FOLLOWS_LINKS.search(draft.suggestion.text) and all(_has_one_page(case) for case in cases):
        raise Rejected("point_not_tested", "no page leads to another one")
    if draft.writer == "model":  # it shows results of its own: they tie it to no question
        ties = check_ties(selected.thread, draft.suggestion, result_agrees=False)
    else:
        ties = check_ties(selected.thread, selected.find_original(draft.suggestion), draft.shows_result)
    if field := missing_field(draft.suggestion.text, cases):
        raise Rejected("point_not_tested", f"no line has a field {field}")
    if "goal: link" in ties and not any(has_link(case) for case in cases):
        raise Rejected("point_not_tested", "no folder has a link")
    if cases[0].scene.repositories:
        states = [state for case in cases for state in (case.scene.repositories, case.expected.repositories)]
        facts = [line for state in states for repository in state.values() for line in repository.lines()]
        check_points(selected.thread, "repository_point", [draft.suggestion.text, *facts])
    else:
        facts = list_facts(cases)
        check_points(selected.thread, "folder_point", facts)
        check_deeds(selected.thread, facts)
    asked = asked_commands(selected.thread)
    if given := await find_equal(asked, cases, draft.demands, box):
        raise Rejected("asker_has_it", given[0][:200])
    if any(IN_PLACE.search(command) for command in asked) and not any(has_changed(case) for case in cases):
        raise Rejected("point_not_tested", "the asker changes a file, the answer only prints")
    return draft.model_copy(update={"ties": ties})


def prints_twice(case: Case) -> bool:
    """Whether what the reference printed is the same lines once more."""
    lines = case.expected.out.splitlines()
    half = len(lines) // 2
    return half > 0 and len(lines) % 2 == 0 and lines[:half] == lines[half:]


def _has_folder(case: Case, path: str) -> bool:
    entry = with_parents(case.scene.entries).get(path.strip("\"'").removeprefix("./").rstrip("/"))
    return path.strip("\"'") in (".", "./", "..") or (entry is not None and entry.kind == "folder")


def _has_one_page(case: Case) -> bool:
    return case.scene.service is not None and len(case.scene.service.pages) < 2


def missing_field(script: str, cases: Sequence[Case]) -> int:
    """The number of a field, parted by blanks, that awk reads, or sort orders by, and that no line of any file has; 0:
    there is none."""
    programs = [word for call in read_script(script).calls if call.name in AWKS for word in call.arguments]
    keys = [int(number) for number in SORT_KEY.findall(script)]
    if not (programs or keys) or any(word.startswith("-F") or "FS" in word for word in programs):
        return 0
    read = [*keys, *(int(number) for word in programs for number in FIELD_READ.findall(word))]
    texts = [entry.text for case in cases for entry in case.scene.entries.values()]
    most = max((len(line.split()) for text in texts for line in text.splitlines()), default=0)
    return max(read) if read and texts and len(piped_calls(script)) == 0 and max(read) > most else 0


def check_points(thread: Thread, table: str, facts: Sequence[str]) -> None:
    """Rejected when a question is about something that no folder or repository of the draft has."""
    seen = "\n".join(facts)
    for point in read_rows(TABLE, table, Point):
        if not _matches(point.asks, thread.title):
            continue
        if point.shows and not any(re.search(pattern, seen, re.MULTILINE) for pattern in point.shows):
            raise Rejected("point_not_tested", f"nothing shows {point.shows[-1]}")
        if any(re.search(pattern, seen, re.MULTILINE) for pattern in point.never):
            raise Rejected("point_not_tested", f"it shows {point.never[-1]}")


def check_deeds(thread: Thread, facts: Sequence[str]) -> None:
    """Rejected when the reference does something to the folder that the question does not speak of."""
    prose = "\n".join([thread.title, *(block.text for block in read_blocks(thread.body) if block.kind == "text")])
    for deed in read_rows(TABLE, "deed", Deed):
        done = next((fact for fact in facts if fact.startswith(deed.does)), "")
        if done and not _matches(deed.asks, prose):
            raise Rejected("not_the_question", f"nobody asked for: {done}")


def _matches(patterns: tuple[str, ...], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)
