"""Whether a draft of an executed answer asks for what the question asks for, and for something worth doing."""

from __future__ import annotations

import re

from crucible.errors import Rejected
from crucible.sandbox import Sandbox
from pipelines.terminal.demands import has_changed, has_link, is_copy
from pipelines.terminal.model import Draft
from pipelines.terminal.starts import find_equal
from pipelines.terminal.suggestions import asked_commands
from pipelines.terminal.ties import check_ties

IN_PLACE = re.compile(r"\b(?:sed|perl)\s+(?:-\w+\s+)*-\w*i")  # matches: sed -i 1d file


async def check_relevance(draft: Draft, box: Sandbox) -> Draft:
    """The draft with what ties it to its question; Rejected when nothing does, when it only prints a file, when the
    asker's own commands do the same, or when the point of the question cannot be seen in it."""
    selected, cases = draft.selected, draft.cases
    if all(is_copy(case) for case in cases):
        raise Rejected("trivial", f"it prints a file as it is: {draft.suggestion.text[:200]}")
    ties = check_ties(selected.thread, selected.find_original(draft.suggestion), draft.shows_result)
    if "goal: link" in ties and not any(has_link(case) for case in cases):
        raise Rejected("point_not_tested", "no folder has a link")
    asked = asked_commands(selected.thread)
    if given := await find_equal(asked, cases, draft.demands, box):
        raise Rejected("asker_has_it", given[0][:200])
    if any(IN_PLACE.search(command) for command in asked) and not any(has_changed(case) for case in cases):
        raise Rejected("point_not_tested", "the asker changes a file, the answer only prints")
    return draft.model_copy(update={"ties": ties})
