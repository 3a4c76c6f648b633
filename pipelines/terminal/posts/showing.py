"""A thread as a model is shown it: as a reader sees it, each post fenced as data."""

from __future__ import annotations

from crucible.asking import fence
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.bodies import read_blocks

POST_CHARS = 6000
"""Of a longer post the beginning is shown."""


def show_thread(thread: Thread, answers: int = 3) -> str:
    """The question and its best answers, the accepted one first."""
    accepted = [answer for answer in thread.answers if answer.number == thread.accepted]
    others = [answer for answer in thread.answers if answer.number != thread.accepted]
    shown = [fence("answer", _show_body(answer.body)) for answer in [*accepted, *others][:answers]]
    return "\n\n".join([fence("question", f"{thread.title}\n\n{_show_body(thread.body)}"), *shown])


def _show_body(body: str) -> str:
    blocks = [f"```\n{block.text}\n```" if block.kind == "code" else block.text for block in read_blocks(body)]
    return "\n\n".join(blocks)[:POST_CHARS]
