"""A terminal task, made of a thread as the pipeline makes them."""

from __future__ import annotations

from crucible.mining import BlobStore, MiningContext
from crucible.model import Task
from crucible.sandbox import World
from pipelines.terminal.drafting.executing import draft_tasks
from pipelines.terminal.model import Answer, Thread
from pipelines.terminal.selection.selecting import select_thread
from pipelines.terminal.writing import write_tasks

COMMANDS = "cut -d' ' -f1 sales.txt | sort -u > sorted.txt\nchmod 444 sorted.txt"
BODY = (
    "<p>I have a file sales.txt:</p><pre><code>north 12\nsouth 7\nnorth 30\neast 5\nsouth 11</code></pre>"
    "<p>I want each region once, in order, in a file sorted.txt that nobody can write.</p>"
)
THREAD = Thread(
    site="unix.example.org",
    number=1,
    title="Sort a file and keep each region once",
    body=BODY,
    tags=("sort",),
    score=5,
    author="Asker",
    created="2019-03-01T10:00:00.000",
    licence="CC BY-SA 4.0",
    accepted=2,
    answers=(
        Answer(
            number=2,
            body=f"<pre><code>{COMMANDS}</code></pre>",
            author="Answerer",
            created="2012-03-01T10:00:00.000",
            edited="2013-01-01T10:00:00.000",
            licence="CC BY-SA 3.0",
        ),
    ),
)


GIT_COMMANDS = "git branch -m topic feature"
GIT_THREAD = THREAD.model_copy(
    update={
        "title": "Rename a branch",
        "body": "<p>How do I rename the branch topic to feature?</p>",
        "tags": ("git",),
        "answers": (THREAD.answers[0].model_copy(update={"body": f"<pre><code>{GIT_COMMANDS}</code></pre>"}),),
    }
)


async def make_tasks(world: World, blobs: BlobStore, thread: Thread = THREAD) -> list[Task]:
    """The thread's tasks, one for each level of hints."""
    context = MiningContext(world, blobs)
    [selected] = await select_thread(thread, context)
    [drafted] = await draft_tasks(selected, context)
    return list(await write_tasks(drafted, context))
