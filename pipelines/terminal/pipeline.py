"""The terminal pipeline: which stages a thread goes through, in order."""

from __future__ import annotations

from crucible.mining import Pipeline, Stage
from crucible.parts import pipeline
from pipelines.terminal.drafts import draft_thread
from pipelines.terminal.model import Draft, Selected, Thread
from pipelines.terminal.selection.annotating import select_and_annotate
from pipelines.terminal.settings import writer_name
from pipelines.terminal.writing import write_tasks


@pipeline("terminal")
def terminal() -> Pipeline:
    """Stack Exchange threads to terminal tasks that are proven by execution."""
    return Pipeline(
        name="terminal",
        source="stack-exchange",
        teacher_of=writer_name,
        samples=("sample_data/terminal",),
        target="pipelines/terminal/target.toml",
        demo_items=2,
        stages=(
            Stage("select", Thread, select_and_annotate),
            Stage("draft", Selected, draft_thread),
            Stage("write", Draft, write_tasks),
        ),
    )
