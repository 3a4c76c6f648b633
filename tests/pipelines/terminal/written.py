"""Tasks as a model would write them, and a mining context whose teacher is a real endpoint with scripted answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from crucible import parts
from crucible.acting import TeacherSettings
from crucible.asking import TeacherJudge
from crucible.mining import BlobStore, MiningContext
from crucible.sandbox import World
from crucible.serving import GivenServices
from crucible.settings import Settings
from pipelines.terminal.model import Annotation, Answer, Selected, Suggestion, Thread
from pipelines.terminal.settings import TerminalSettings
from tests.agents.endpoint import Endpoint, Play

SOLUTION = "cut -d' ' -f1 sales.txt | sort -u"
GOAL = (
    "The file `sales.txt` has lines of a region and an amount, with one blank between them. "
    "Print each region once, one on a line, in alphabetical order."
)
LINKS = [{"about": "output", "sentence": "Print each region once, one on a line, in alphabetical order."}]
SALES = ("north 12\nsouth 7\nnorth 30\n", "west 1\neast 5\nwest 9\n", "south 4\nmiddle 8\nsouth 2\nmiddle 6\n")
REGIONS = ("north\nsouth\n", "east\nwest\n", "middle\nsouth\n")


def folder(sales: str, output: str, **expected: Any) -> dict[str, Any]:
    return {"files": [{"path": "sales.txt", "text": sales}], "expected": {"output": output, **expected}}


FOLDERS = [folder(sales, regions) for sales, regions in zip(SALES, REGIONS, strict=True)]


def written(**changes: Any) -> str:
    """The answer of a model that writes a good task, or one with changes."""
    task = {"goal": GOAL, "links": LINKS, "packages": [], "folders": FOLDERS, "solution": SOLUTION}
    return json.dumps(task | changes)


def thread(commands: str = "frobnicate sales.txt", title: str = "Sort, each region once") -> Thread:
    return Thread(
        site="x.example",
        number=1,
        title=title,
        body="<p>I have a file sales.txt with a region and an amount on each line. How do I get each region once?</p>",
        tags=("sort",),
        score=5,
        accepted=2,
        answers=(Answer(number=2, body=f"<pre><code>{commands}</code></pre>"),),
    )


def selected(commands: str = "cut --no-such-option sales.txt", asked: Thread | None = None) -> Selected:
    """A thread that was selected, whose commands fail."""
    annotation = Annotation(
        quality=5,
        task_type="transform",
        verifiability="execution",
        category="text",
        complexity=1,
        packages=(),
        alternatives=0,
    )
    return Selected(
        thread=asked or thread(commands), suggestions=(Suggestion(answer=2, text=commands),), annotation=annotation
    )


@asynccontextmanager
async def writing(
    world: World,
    blobs: BlobStore,
    *plays: Play,
    judge: tuple[Play, ...] = (),
    price: float = 0.0,
    judge_price: float = 0.0,
    **options: Any,
) -> AsyncIterator[tuple[MiningContext, Endpoint]]:
    """A context whose teacher, and judge where it has plays, answer as scripted over HTTP. Prices are for a million
    tokens; an answer has 20."""
    async with Endpoint(plays) as endpoint, Endpoint(judge) as judging:
        asked = TeacherSettings(base_url=endpoint.url, model="writer", retries=0, price_out=price)
        judged = TeacherSettings(base_url=judging.url, model="judge", retries=0, price_out=judge_price)
        settings = Settings(
            teacher=asked, sections={"terminal": TerminalSettings.model_validate({"teacher": "openai", **options})}
        )
        make = parts.find("teacher", "openai").make
        async with make(settings) as teacher, make(settings.model_copy(update={"teacher": judged})) as second:
            services = GivenServices({"judge": TeacherJudge(second)} if judge else {})
            yield MiningContext(world, blobs, teacher=teacher, settings=settings, services=services), endpoint
