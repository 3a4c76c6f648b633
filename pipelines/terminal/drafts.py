"""The stage `draft`: executes what an answer suggests, has a model write a task, or both, as the settings say."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.mining import MiningContext
from pipelines.terminal.authoring.loop import author_draft
from pipelines.terminal.drafting.executing import UNFIT, draft_tasks
from pipelines.terminal.model import Draft, Selected
from pipelines.terminal.settings import TerminalSettings
from pipelines.terminal.statements.grading import keep_best


async def draft_thread(selected: Selected, context: MiningContext) -> Sequence[Draft]:
    """The best drafts of a thread; Rejected with the reason of whoever tried last when there is none."""
    writer = context.section(TerminalSettings).writer
    drafts: list[Draft] = []
    fault = Rejected("no_commands", "no answer has commands that can be run")
    if writer != "model" and selected.suggestions:
        try:
            drafts += await draft_tasks(selected, context)
        except Rejected as drop:
            if drop.reason in UNFIT:  # nobody can make a good task of such a question
                raise
            fault = drop
    if writer in ("model", "both") or (writer == "fallback" and not drafts and context.adviser):
        try:
            drafts.append(await author_draft(selected, context))
        except Rejected as drop:
            rules = f"; by the rules: {fault}" if writer != "model" and not drafts else ""
            fault = Rejected(drop.reason, f"{drop.detail}{rules}")
    if not drafts:
        raise fault
    return await keep_best(drafts, context)
