"""The verifier `app.execution`: an application that an attempt made can be installed, built, started and looked at.

One gate for each step, in order, with what the step printed. A page must load without an uncaught error, find its own
files, and show something; an interface without a page must answer requests; a program with a window must open one.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

from crucible.browsing import Browser, Exchange, Loading, Window
from crucible.datafile import read_file
from crucible.domains.web.blankness import measure_blankness
from crucible.domains.web.deploying import Deployed, deploy
from crucible.domains.web.interface import find_interface
from crucible.domains.web.launching import read_log
from crucible.domains.web.libraries import Libraries, Packages
from crucible.domains.web.mutants import spoil_execution
from crucible.domains.web.opening import open_window
from crucible.domains.web.playing import make_address
from crucible.domains.web.preparing import Step
from crucible.domains.web.printed import find_telling_line
from crucible.domains.web.rubric import Rubric
from crucible.domains.web.unreached import describe_unreached
from crucible.domains.web.windows import take_picture
from crucible.errors import PageFailed
from crucible.judging.applications import Applications
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion

STEP_NAMES = {
    "files": "there is an application",
    "syntax": "its files can be read",
    "dependencies": "its dependencies install",
    "build": "it builds",
    "start": "it starts",
    "answer": "it answers",
}
SHOWN = 5
"""How many of many faults stand in the evidence."""


class ExecutionParams(Record):
    """What kind of application is expected."""

    rubric: Rubric = Rubric()


class Tolerance(Record):
    """The file `app_execution.toml`."""

    unmissed: str
    expected_statuses: tuple[int, ...]


@verifier(
    "app.execution",
    version=6,
    layer="execution",
    cost="seconds",
    gate=True,
    weight=0,
    shares="box",
    needs=("applications", "browser", "libraries", "blobs"),
    mutants=spoil_execution,
)
async def app_execution(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: ExecutionParams,
    applications: Applications,
    browser: Browser,
    libraries: Packages,
    blobs: BlobStore,
) -> AsyncIterator[Criterion]:
    """The application runs: it installs, builds, starts, answers, and shows something."""
    surface = params.rubric.surface
    deployed = (
        await deploy_beside_browser(applications, browser) if surface == "page" else await deploy(applications, surface)
    )
    steps = {"steps": blobs.put(describe_steps(deployed).encode())}
    for step in deployed.steps:
        yield gate_criterion(
            STEP_NAMES[step.name], not step.fault, step.fault or describe_step(step), attachments=steps
        )
    if deployed.fault:
        return
    if surface == "api":
        async for criterion in judge_interface(box, deployed):
            yield criterion
        return
    if surface == "window":
        yield judge_picture("its window is not blank", await take_picture(box), blobs)
        return
    window, found = await open_window(applications, browser, libraries, deployed)
    url = make_address(deployed.url, params.rubric.home)
    async for criterion in judge_page(window, url, deployed, box, blobs, found):
        yield criterion


async def deploy_beside_browser(applications: Applications, browser: Browser) -> Deployed:
    """Bring a page to life while the browser that will look at it starts."""
    opening = asyncio.create_task(applications.open_window(browser))
    try:
        return await deploy(applications)
    finally:
        await opening


async def judge_interface(box: Sandbox, deployed: Deployed) -> AsyncIterator[Criterion]:
    """What answers is no error of the server; its OpenAPI document, if it has one, names what it can do."""
    well = deployed.status < 500
    yield gate_criterion("its answer is no error of the server", well, f"{deployed.url}: status {deployed.status}")
    if interface := await find_interface(box, deployed.url):
        evidence = f"{interface.path}: {', '.join(interface.operations[:20]) or 'no operation'}"
        yield gate_criterion("its OpenAPI document names what it can do", bool(interface.operations), evidence)


async def judge_page(
    window: Window, url: str, deployed: Deployed, box: Sandbox, blobs: BlobStore, libraries: Libraries
) -> AsyncIterator[Criterion]:
    """The first page loads without a fault and shows something."""
    try:
        loaded = await load_page(window, url, used=deployed.serves_files_only)
    except PageFailed as failed:
        yield gate_criterion("its page loads", False, f"{url}: {failed.line()}"[:500])
        return
    picture = {"screenshot": blobs.put(loaded.picture)}
    outside = urlsplit(loaded.url).netloc != urlsplit(url).netloc
    evidence = f"{loaded.url}: status {loaded.status}" + (", which is another host" if outside else "")
    if loaded.status >= 500 and deployed.launched:
        evidence += f"; it printed: {find_telling_line(await read_log(box, deployed.launched))}"[:500]
    yield gate_criterion("its page loads", loaded.status < 400 and not outside, evidence, attachments=picture)
    unreached = describe_unreached(loaded.exchanges, loaded.url, libraries.reasons)
    exceptions = tuple(error.removeprefix("exception: ") for error in loaded.errors if error.startswith("exception: "))
    refused = find_refused(loaded.exchanges, loaded.url)
    missing = f"; not there: {' | '.join(refused[:SHOWN])}" if refused else ""
    yield gate_criterion(
        "no uncaught error while it loads",
        not exceptions,
        list_faults(exceptions) + (missing if exceptions else describe_libraries(libraries)) + unreached,
        attachments=picture,
    )
    yield gate_criterion("everything it asks itself for is there", not refused, list_faults(refused))
    seen = judge_picture("its page is not blank", loaded.picture, blobs)
    yield seen if seen.passed else seen.model_copy(update={"evidence": seen.evidence + unreached})


def describe_libraries(libraries: Libraries) -> str:
    """Which files of packages stood in for content networks."""
    told = [f"{address} by {origin}" for address, origin in libraries.origins.items()]
    return f"; provided: {', '.join(told[:SHOWN])}" if told else ""


def judge_picture(name: str, picture: bytes, blobs: BlobStore) -> Criterion:
    """There is something to see in a picture."""
    blankness = measure_blankness(picture)
    measured = f"{blankness.dominant:.1%} of the picture has one shade, {blankness.edges:.2%} are edges"
    return gate_criterion(name, not blankness.is_blank, measured, attachments={"screenshot": blobs.put(picture)})


async def load_page(window: Window, url: str, *, used: bool = False) -> Loading:
    """The page once it has loaded; with `used` it is cleared later and used again. With a browser that was lost it is
    tried again: that may not be its doing."""
    try:
        async with window.open_page(used=used) as page:
            return await page.load(url)
    except PageFailed as failed:
        if "browser was lost" not in str(failed):
            raise
        async with window.open_page() as page:
            return await page.load(url)


def find_refused(exchanges: tuple[Exchange, ...], url: str) -> tuple[str, ...]:
    """Requests of a page to its own host that were answered with an error, but for those that nobody misses."""
    tolerance = read_file(Path(__file__).with_suffix(".toml"), Tolerance)
    own = urlsplit(url).netloc
    return tuple(
        f"{exchange.method} {exchange.url}: {exchange.status}"
        for exchange in exchanges
        if exchange.status >= 400
        and urlsplit(exchange.url).netloc == own
        and exchange.status not in tolerance.expected_statuses
        and not re.search(tolerance.unmissed, urlsplit(exchange.url).path)
    )


def list_faults(faults: tuple[str, ...]) -> str:
    """Faults as evidence: the first of them, and how many there are."""
    return f"{len(faults)}: {' | '.join(faults[:SHOWN])}"[:1000] if faults else "none"


def describe_step(step: Step) -> str:
    """A step that went well: what was run, or why nothing was."""
    return step.command or (step.output.splitlines() or ["nothing to do"])[0]


def describe_steps(deployed: Deployed) -> str:
    """Every step with its command, exit, time and the end of its output."""
    heads = (
        f"== {step.name}: {step.command or '-'} (exit {step.code}, {step.seconds:.1f} s)" for step in deployed.steps
    )
    texts = (f"{head}\n{step.fault}\n{step.output}" for head, step in zip(heads, deployed.steps, strict=True))
    return "\n\n".join(texts)
