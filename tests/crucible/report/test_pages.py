"""The written report in a real browser: it opens from the disk, its tables filter, and it fits a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible import parts
from crucible.judging.judges import params_hash
from crucible.model import Check, Criterion, Observation, Step, ToolCall
from crucible.proving import Proof, Settled
from crucible.report import write_report
from crucible.report.attempt_page import make_attempt_page
from crucible.running.run import Run
from crucible.store.item import Item
from tests.crucible.report import ledgers
from tests.crucible.report.conftest import Opener, Watched

PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def rows(watched: Watched, table: str = "attempts") -> int:
    """How many the table says it shows."""
    said = await watched.page.inner_text(f"#{table} [data-count]")
    return int(said.split(" of ")[0].replace(",", ""))


async def test_a_ledger_with_nothing_in_it_has_a_page_too(run: Run, tmp_path: Path, opened: Opener) -> None:
    async with opened(write_report(run, tmp_path / "out")) as watched:
        assert "Nothing has come to any stage yet" in await watched.page.inner_text("#funnel")
        assert watched.misdeeds == []


def test_a_report_written_again_keeps_no_page_of_an_attempt_that_is_gone(run: Run, tmp_path: Path) -> None:
    ledgers.fill(run, 3)
    pages = write_report(run, tmp_path / "out").parent / "trajectories"
    (pages / "gone.html").write_text("of another ledger")
    write_report(run, tmp_path / "out")
    assert len(list(pages.iterdir())) == 3


def test_what_was_accepted_of_people_is_told_apart_from_what_models_did(run: Run, tmp_path: Path) -> None:
    ledgers.fill(run, 21)  # fourteen are accepted, two of them a model's
    assert "67% of those decided; 12 by oracle or script" in write_report(run, tmp_path / "out").read_text()


@pytest.mark.parametrize(
    ("settled", "told"),
    [
        (Settled(twins=4), "4 alterations are known that the reference fails"),
        (Settled(why="no assertion in its tests can be altered"), "Weaker than others: no altered test"),
    ],
)
def test_a_task_tells_how_well_it_knows_a_forgery(settled: Settled, told: str, run: Run, tmp_path: Path) -> None:
    ledgers.fill(run, 1)
    task = ledgers.task(0).id
    facts = {"plan": "reference", "version": 1, "key": "", "repeats": 1, "players": ()}
    proof = Proof(task_id=task, **facts, twins=settled.twins, settled=(settled,))
    run.ledger.put([Item.of("proof", proof, id="proof", parent=task)])
    [page] = (write_report(run, tmp_path / "out").parent / "trajectories").iterdir()
    assert told in page.read_text()


async def test_the_funnel_tells_every_reason_and_leads_to_the_items(run: Run, tmp_path: Path, opened: Opener) -> None:
    ledgers.fill(run, 30)
    async with opened(write_report(run, tmp_path / "out")) as watched:
        await watched.page.click("text=3 no_tests")
        assert await rows(watched, "dropped") == 3
        shown = await watched.page.inner_text("#dropped tbody")
        assert "raw#1" in shown
        assert "no test file is added or changed" in shown
        assert "raw#4" not in shown
        await watched.page.click("#dropped >> text=Clear")
        await watched.page.wait_for_function("document.querySelector('#dropped [data-count]').textContent === '5'")


async def test_the_attempts_filter_by_every_field_and_sort(run: Run, tmp_path: Path, opened: Opener) -> None:
    ledgers.fill(run, 300)
    async with opened(write_report(run, tmp_path / "out")) as watched:
        page = watched.page
        assert await rows(watched) == 300
        assert await page.locator("#attempts tbody tr").count() < 60
        await page.select_option("#attempts [data-filter=outcome]", "fail")
        assert await rows(watched) == 100
        await page.select_option("#attempts [data-filter=teacher]", "openai")
        assert await rows(watched) == 15
        await page.fill("#attempts [data-filter=text]", "SOME-model thing")
        assert await rows(watched) == 15
        await page.select_option("#attempts [data-filter=kind]", "toy / mend")
        await page.fill("#attempts [data-filter=text]", ledgers.task(7).id)
        assert await rows(watched) == 1
        kept = page.url
        await page.goto("about:blank")
        await page.goto(kept)
        assert await rows(watched) == 1
        await page.click("#attempts >> text=Clear")
        await page.click("#attempts thead >> text=Verdict")
        assert await page.inner_text("#attempts tbody tr:first-child .badge") == "fail"
        await page.click("#attempts thead >> text=Verdict")
        assert await page.inner_text("#attempts tbody tr:first-child .badge") == "pass"
        assert watched.misdeeds == []


async def test_scrolling_the_table_reaches_the_last_row(run: Run, tmp_path: Path, opened: Opener) -> None:
    ledgers.fill(run, 300)
    async with opened(write_report(run, tmp_path / "out")) as watched:
        await watched.page.evaluate("(box => { box.scrollTop = box.scrollHeight })(document.querySelector('.window'))")
        last = watched.page.locator("#attempts tbody tr:last-child")
        await watched.page.wait_for_selector("#attempts tr[aria-rowindex='301']")
        assert await last.get_attribute("aria-rowindex") == "301"
        box = await last.bounding_box()
        assert box is not None
        assert box["height"] == 60
        await last.locator("a").click()
        await watched.page.wait_for_url("**/trajectories/*.html")


async def test_a_keyboard_reaches_a_trajectory(run: Run, tmp_path: Path, opened: Opener) -> None:
    ledgers.fill(run, 3)
    async with opened(write_report(run, tmp_path / "out")) as watched:
        await watched.page.focus("#attempts [data-filter=text]")
        for _ in range(40):
            await watched.page.keyboard.press("Tab")
            if await watched.page.evaluate("document.activeElement.matches('tbody a')"):
                break
        await watched.page.keyboard.press("Enter")
        await watched.page.wait_for_url("**/trajectories/*.html")


async def test_a_trajectory_is_told_whole(run: Run, tmp_path: Path, opened: Opener) -> None:
    of = ledgers.task(1)
    diff, picture = run.blobs.put(ledgers.DIFF.encode()), run.blobs.put(PIXEL)
    one = ledgers.trajectory(of, artifacts={"diff": diff})
    ledgers.keep(run, of, [one])
    found = ledgers.verdict(one, passed=False)
    seen = found.criteria[0].model_copy(update={"attachments": {"screenshot": picture, "gone": "0" * 64}})
    run.ledger.keep_verdict(found.model_copy(update={"criteria": (seen,)}))
    first = write_report(run, tmp_path / "out")
    async with opened(first.parent / "trajectories" / f"{one.id}.html") as watched:
        page = watched.page
        text = await page.inner_text("main")
        for part in ("fail", "Mend thing number 1", "the thing is not mended", "Where is it?", "ls", "thing", "MIT"):
            assert part in text
        assert await page.inner_text(".diff .add") == "+new\n"
        assert await page.evaluate("document.querySelector('img').naturalWidth") == 1
        assert "has no blob" in text
        assert "No agent sees this" in text
        assert not await page.is_visible("text=+++ b/x >> nth=1")
        assert watched.misdeeds == []


def test_what_did_not_pass_stands_first_on_the_page_of_an_attempt(run: Run) -> None:
    ran = Check(verifier="app.execution")
    task = ledgers.task(checks=(ran, Check(verifier="suite")))
    attempt = ledgers.trajectory(task)
    version = parts.find("verifier", ran.verifier).version
    good = ledgers.verdict(attempt, verifier=ran.verifier, version=version, params_hash=params_hash(ran))
    page, end = run.blobs.put(b"the page"), run.blobs.put(b"its end")
    pictures = {"met": {"met: before": page}, "unmet": {"unmet: before": page, "unmet: after": end}}
    criteria = tuple(
        Criterion(name=name, passed=name == "met", evidence="seen", attachments=seen) for name, seen in pictures.items()
    )
    ledgers.keep(run, task, [attempt])
    for verdict in (good, ledgers.verdict(attempt, passed=False, criteria=criteria)):
        run.ledger.keep_verdict(verdict)
    first, second = make_attempt_page(run.ledger, attempt).judged
    assert (first.verdict.verifier, second.verdict.verifier) == ("suite", "app.execution")
    assert [criterion.name for criterion in first.asked] == ["unmet", "met"]
    assert [attached.name for attached in first.attachments] == ["unmet: before", "unmet: after"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_phone_scrolls_one_way_only(run: Run, tmp_path: Path, opened: Opener, scheme: str) -> None:
    ledgers.fill(run, 20)
    wide = Step(
        thinking="x" * 500,
        calls=(ToolCall(id="1", name="n" * 300, arguments='{"command": "' + "y" * 500 + '"}'),),
        observations=(Observation(call_id="1", content="z" * 900),),
    )
    of = ledgers.task(99, instruction="w" * 400)
    one = ledgers.trajectory(of, steps=(wide,), artifacts={"diff": run.blobs.put(b"+" + b"d" * 900)})
    ledgers.keep(run, of, [one])
    first = write_report(run, tmp_path / "out")
    for address in (first, first.parent / "trajectories" / f"{one.id}.html"):
        async with opened(address, width=375, scheme=scheme) as watched:
            assert await watched.page.evaluate(OVERFLOW) == 0
            assert watched.misdeeds == []


def test_the_same_ledger_twice_is_the_same_bytes(run: Run, tmp_path: Path) -> None:
    ledgers.fill(run, 5)
    first, second = (write_report(run, tmp_path / name) for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
