"""The report of ten thousand trajectories in a browser: `python -m benchmarks.report`.

A synthetic ledger is filled and its report written; then Chromium opens the first page from the disk, and the
clock stops when the first row of the table of attempts is painted. Against it stands an empty page, which is
what the browser itself takes.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.async_api import Browser, async_playwright
from rich.console import Console
from rich.table import Table

from crucible import parts
from crucible.judging.judges import params_hash
from crucible.model import Agent, Check, Criterion, Observation, Step, Task, ToolCall, Trajectory, Verdict
from crucible.report import write_report
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.store.item import Item

Row = tuple[str, str, str]
"""What, how much, what is wanted."""

TRAJECTORIES = 10_000
"""Attempts in the ledger."""
TASKS = 500
"""Tasks that they are attempts at."""
ROUNDS = 5
"""How often each page is opened."""
CHECK = Check(verifier="suite")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run")


async def main() -> None:
    chromium = shutil.which("chromium")
    if not chromium:
        sys.exit("benchmarks.report: chromium is not installed; `crucible doctor` says how to get it")
    with tempfile.TemporaryDirectory() as folder, open_run(Settings(home=Path(folder) / "home")) as run:
        fill_ledger(run)
        started = time.perf_counter()
        first = write_report(run, Path(folder) / "report")
        written = time.perf_counter() - started
        empty = Path(folder) / "empty.html"
        empty.write_text("<!doctype html><title>empty</title><table><tbody><tr><td>row</table>")
        async with async_playwright() as play:
            browser = await play.chromium.launch(executable_path=chromium, args=FLAGS)
            opens = await measure_first_paint(browser, first, "#attempts tbody a")
            nothing = await measure_first_paint(browser, empty, "td")
            await browser.close()
        pages = [path.stat().st_size for path in first.parent.rglob("trajectories/*.html")]
        size = first.stat().st_size
    print_table(
        [
            (f"first page of {len(pages):,} trajectories: first row painted", f"{opens:.2f} s", "under 2 s"),
            ("an empty page, for comparison", f"{nothing:.2f} s", ""),
            ("first page", f"{size / 1e6:.2f} MB", ""),
            ("all trajectory pages", f"{sum(pages) / 1e6:.1f} MB", ""),
            ("written in", f"{written:.1f} s ({written / len(pages) * 1e3:.1f} ms a page)", ""),
        ]
    )


async def measure_first_paint(browser: Browser, page: Path, row: str) -> float:
    """Seconds from asking for a page until its first row can be seen; the median, each in a context of its own."""
    seconds = []
    for _ in range(ROUNDS):
        context = await browser.new_context(viewport={"width": 1280, "height": 900})
        tab = await context.new_page()
        started = time.perf_counter()
        await tab.goto(page.as_uri())
        await tab.locator(row).first.wait_for(state="visible")
        await tab.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        seconds.append(time.perf_counter() - started)
        await context.close()
    return statistics.median(seconds)


def fill_ledger(run: Run) -> None:
    """Put small trajectories and their verdicts into the ledger; one in three fails."""
    tasks = [
        Task(domain="bench", kind="mend", instruction=f"Mend thing number {n}", checks=(CHECK,)) for n in range(TASKS)
    ]
    run.ledger.put([Item.of("task", task, pipeline="bench") for task in tasks])
    attempts = list(make_trajectories(tasks))
    run.ledger.put([Item.of("trajectory", attempt, pipeline="bench") for attempt in attempts], "verify")
    for n, attempt in enumerate(attempts):
        run.ledger.keep_verdict(make_verdict(attempt, n % 3 != 0))


def make_trajectories(tasks: list[Task]) -> Iterator[Trajectory]:
    call = ToolCall(id="1", name="shell", arguments='{"command": "ls -l"}')
    step = Step(thinking="Where is it?", calls=(call,), observations=(Observation(call_id="1", content="here\n" * 20),))
    for n in range(TRAJECTORIES):
        agent = Agent(scaffold="native", teacher=f"teacher-{n % 4}", options={"model": f"model-{n % 9}"}, seed=n)
        prompt = tasks[n % TASKS].instruction
        steps = (step,) * (1 + n % 6)
        yield Trajectory(
            task_id=tasks[n % TASKS].id, agent=agent, system="", prompt=prompt, steps=steps, ended="submitted"
        )


def make_verdict(on: Trajectory, passed: bool) -> Verdict:
    return Verdict(
        trajectory_id=on.id,
        trajectory_digest=on.digest,
        verifier=CHECK.verifier,
        version=parts.find("verifier", CHECK.verifier).version,
        params_hash=params_hash(CHECK),
        outcome="pass" if passed else "fail",
        score=1.0 if passed else 0.4,
        criteria=(Criterion(name="what failed now passes", passed=passed, evidence="3 of 5 tests"),),
        detail="" if passed else f"what failed now passes: {on.id[-4:]} of 5 tests do not pass",
    )


def print_table(rows: list[Row]) -> None:
    table = Table("what", "measured", "wanted", box=None)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
