"""Whether a draft asks for what the question asks for, and for something worth doing, whoever wrote it."""

from __future__ import annotations

import re
from pathlib import Path

from crucible.datafile import read_rows
from crucible.errors import Rejected
from crucible.record import Record
from crucible.sandbox import Sandbox
from pipelines.terminal.drafting.demands import has_changed, has_link, is_copy
from pipelines.terminal.model import Draft, Thread
from pipelines.terminal.scenes.starts import find_equal
from pipelines.terminal.selection.suggestions import asked_commands
from pipelines.terminal.selection.ties import check_ties

TABLE = Path(__file__).with_name("points.toml")
IN_PLACE = re.compile(r"\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i")  # matches: sed -i 1d file


class Point(Record):
    """What has to be seen where a title asks for something."""

    asks: tuple[str, ...]
    shows: tuple[str, ...]


async def check_relevance(draft: Draft, box: Sandbox) -> Draft:
    """The draft with what ties it to its question; Rejected when nothing does, when it only prints a file, when the
    asker's own commands do the same, or when the point of the question cannot be seen in it."""
    selected, cases = draft.selected, draft.cases
    if all(is_copy(case) for case in cases):
        raise Rejected("trivial", f"it prints a file as it is: {draft.suggestion.text[:200]}")
    if draft.writer == "model":  # it shows results of its own: they tie it to no question
        ties = check_ties(selected.thread, draft.suggestion, result_agrees=False)
    else:
        ties = check_ties(selected.thread, selected.find_original(draft.suggestion), draft.shows_result)
    if "goal: link" in ties and not any(has_link(case) for case in cases):
        raise Rejected("point_not_tested", "no folder has a link")
    if cases[0].scene.repositories:
        check_points(selected.thread, draft)
    asked = asked_commands(selected.thread)
    if given := await find_equal(asked, cases, draft.demands, box):
        raise Rejected("asker_has_it", given[0][:200])
    if any(IN_PLACE.search(command) for command in asked) and not any(has_changed(case) for case in cases):
        raise Rejected("point_not_tested", "the asker changes a file, the answer only prints")
    return draft.model_copy(update={"ties": ties})


def check_points(thread: Thread, draft: Draft) -> None:
    """Rejected when a question about a repository is about something that no repository of the draft has."""
    states = [state for case in draft.cases for state in (case.scene.repositories, case.expected.repositories)]
    facts = [line for state in states for repository in state.values() for line in repository.lines()]
    seen = "\n".join([draft.suggestion.text, *facts])
    for point in read_rows(TABLE, "point", Point):
        asks = any(re.search(pattern, thread.title, re.IGNORECASE) for pattern in point.asks)
        if asks and not any(re.search(pattern, seen, re.MULTILINE) for pattern in point.shows):
            raise Rejected("point_not_tested", f"no repository has {point.shows[-1]}")
