"""Hostile trajectories: the pages stay valid and short, and nothing in them runs, asks, or drives a terminal."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest

from crucible.model import Observation, Provenance, Step, ToolCall
from crucible.pictures import data_uri, identify_picture
from crucible.report import write_report
from crucible.running.run import Run
from crucible.store.item import Item
from tests.crucible.report import ledgers
from tests.crucible.report.conftest import Opener, Watched
from tests.crucible.report.test_pages import OVERFLOW, PIXEL

ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202e\u2028\ud800-\udfff]")
FOREIGN = "iframe, form:not(.filters), [onload], [onerror], [http-equiv=refresh], [href^='javascript:'], main script"


async def harmless(watched: Watched) -> None:
    page = watched.page
    await page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    await page.wait_for_timeout(100)
    assert await page.evaluate("window.pwned") is None
    assert await page.locator(FOREIGN).count() == 0
    assert await page.evaluate(OVERFLOW) == 0
    assert ACTING.search(await page.inner_text("body")) is None
    assert watched.misdeeds == []


async def test_nothing_in_a_hostile_ledger_runs(run: Run, tmp_path: Path, opened: Opener) -> None:
    ledgers.hostile(run)
    first = write_report(run, tmp_path / "out")
    async with opened(first) as watched:
        await harmless(watched)
        assert "window.pwned=1" in await watched.page.inner_text("#dropped tbody")
        await watched.page.click("#funnel .chip >> nth=0")
        await harmless(watched)
        await watched.page.click("#attempts tbody a")
        await watched.page.wait_for_url("**/trajectories/*.html")
        await harmless(watched)
        assert "\\x1b]0;title" in await watched.page.inner_text("main")


def test_a_hostile_id_stays_within_the_folder(run: Run, tmp_path: Path) -> None:
    ledgers.hostile(run)
    first = write_report(run, tmp_path / "out")
    made = {path.relative_to(tmp_path / "out") for path in (tmp_path / "out").rglob("*.html")}
    assert first.name == "index.html"
    assert len(made) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"home", "out"}
    for path in (tmp_path / "out").rglob("*.html"):
        assert not re.search("[\x00-\x08\x0b-\x1f]", path.read_text("utf-8"))


async def test_what_got_in_all_the_same_would_not_run_or_ask(run: Run, tmp_path: Path, opened: Opener) -> None:
    ledgers.fill(run, 2)
    inject = """address => {
        document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='window.pwned=1'>");
        const script = document.createElement("script");
        script.textContent = "window.pwned = 2";
        document.body.append(script);
        new Image().src = address;
        return fetch(address, {mode: "no-cors"}).then(() => "answered", () => "refused");
    }"""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.5)
        async with opened(write_report(run, tmp_path / "out")) as watched:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            assert await watched.page.evaluate(inject, address) == "refused"
            assert await watched.page.evaluate("window.pwned") is None
            with pytest.raises(TimeoutError):
                listener.accept()


def test_a_hundred_megabytes_are_clipped_and_the_page_says_so(run: Run, tmp_path: Path) -> None:
    of = ledgers.task()
    flood = Step(observations=(Observation(call_id="", content="<x>\x1b" + "y" * 100_000_000 + "the end"),))
    one = ledgers.trajectory(of, steps=(flood,))
    ledgers.keep(run, of, [one])
    page = (write_report(run, tmp_path / "out").parent / "trajectories" / f"{one.id}.html").read_text("utf-8")
    assert len(page) < 100_000
    assert "99,980,012 characters left out" in page
    assert "the end</pre>" in page


def test_thousands_of_long_steps_make_one_page_of_bearable_size(run: Run, tmp_path: Path) -> None:
    of = ledgers.task()
    step = Step(thinking="t" * 20_000, observations=(Observation(call_id="", content="o" * 20_000),))
    one = ledgers.trajectory(of, steps=(step,) * 2000)
    ledgers.keep(run, of, [one])
    page = (write_report(run, tmp_path / "out").parent / "trajectories" / f"{one.id}.html").read_text("utf-8")
    assert len(page) < 3_000_000
    assert "1,600 steps left out" in page


def test_a_megabyte_is_nobodys_name(run: Run, tmp_path: Path) -> None:
    long = "n" * 1_000_000
    of = ledgers.task(provenance=Provenance(source=long, licence=long, url=long))
    call = ToolCall(id="1", name=long, arguments=json.dumps({long: long}))
    one = ledgers.trajectory(of, steps=(Step(calls=(call,)),), detail=long)
    ledgers.keep(run, of, [one])
    ledgers.drop(run, [long], long, long, stage=long)
    for page in write_report(run, tmp_path / "out").parent.rglob("*.html"):
        assert page.stat().st_size < 100_000


def test_a_record_that_cannot_be_read_is_a_page_that_says_so(run: Run, tmp_path: Path) -> None:
    run.ledger.put([Item(noun="trajectory", id="broken", body='{"task_id": "<script>"}')])
    out = write_report(run, tmp_path / "out").parent
    assert "broken cannot be read" in (out / "trajectories" / "broken.html").read_text("utf-8")
    assert "unreadable" in (out / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"GIF89a",
        PIXEL[:20],
        PIXEL[:16] + b"\x00\x00\xff\xff\x00\x00\xff\xff" + PIXEL[24:],
        PIXEL + b"\0" * 3_000_000,
        b"\xff\xd8\xff\xe0\x00\x00" + b"\xff" * 100,
        b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff",
    ],
    ids=["svg", "gif", "cut", "bomb", "large", "endless", "jpeg-bomb"],
)
def test_only_pictures_that_a_browser_can_take_are_shown(data: bytes) -> None:
    assert data_uri(data) == ""


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"GIF89a\x10\x00\x10\x00", "gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x10\x00\x10\x00", "webp"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f\x0f\xc0\x03\x00" + b"\0" * 8, "webp"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8X\x00\x00\x00\x00\x00\x00\x00\x00\x0f\x00\x00\x0f\x00\x00", "webp"),
    ],
)
def test_gif_and_webp_are_known_by_their_bytes(data: bytes, kind: str) -> None:
    assert identify_picture(data) == (kind, 16, 16)


def test_what_the_teacher_saw_is_shown_once_and_never_a_drawing_that_can_run(run: Run, tmp_path: Path) -> None:
    png = run.blobs.put(PIXEL)
    svg = run.blobs.put(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    seen = Observation(call_id="1", content="two pictures", images=(svg, png, "0" * 64))
    of = ledgers.task(images=(png,))
    steps = (Step(calls=(ToolCall(id="1", name="view"),), observations=(seen,)),)
    ledgers.keep(run, of, [ledgers.trajectory(of, images=(png,), steps=steps)])
    [page] = (write_report(run, tmp_path / "out").parent / "trajectories").glob("*.html")
    text = page.read_text("utf-8")
    assert text.count("data:image/png;base64,") == 1
    assert "onload" not in text
    assert "data:image/svg" not in text
    assert "no PNG, JPEG, WebP or GIF" in text
    assert f"picture {png[:12]}: shown above" in text


def test_png_and_jpeg_are_known_by_their_bytes() -> None:
    assert data_uri(PIXEL).startswith("data:image/png;base64,")
    frame = b"\xff\xd8\xff\xe0\x00\x04JF\xff\xc0\x00\x11\x08\x00\x10\x00\x10"
    assert data_uri(frame).startswith("data:image/jpeg;base64,")
