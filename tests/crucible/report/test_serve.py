"""The served report: this machine only, by its own name only, whole and current."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from crucible.errors import SettingsError
from crucible.report import index
from crucible.report.serve import serve_report, server_address
from crucible.running.run import Run
from tests.crucible.report import ledgers
from tests.crucible.report.conftest import Opener
from tests.crucible.report.test_hostile import harmless
from tests.crucible.report.test_pages import rows
from tests.patience import HUNG


@pytest.fixture
def site(run: Run) -> Iterator[str]:
    with serve_report(run.ledger) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server_address(server)
        server.shutdown()
        thread.join()


def ask(site: str, path: str, method: str = "GET", **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
    port = int(site.rpartition(":")[2].strip("/"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HUNG)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


async def test_the_first_page_follows_the_ledger(run: Run, site: str, opened: Opener) -> None:
    ledgers.fill(run, 10)
    async with opened(site) as watched:
        assert await rows(watched) == 10
        extra = ledgers.trajectory(ledgers.task(0), seed=77)
        ledgers.keep(run, ledgers.task(0), [extra])
        await watched.page.reload()
        assert await rows(watched) == 11
        await watched.page.select_option("#attempts [data-filter=outcome]", "unjudged")
        await watched.page.click("#attempts tbody a")
        await watched.page.wait_for_url(f"**/trajectory/{extra.id}")
        assert "Nobody has judged this attempt yet" in await watched.page.inner_text("#verdicts")
        await watched.page.goto(site)
        await watched.page.click("text=3 no_tests")
        await watched.page.click("#dropped tbody a")
        assert "no test file is added" in await watched.page.inner_text("main")
        assert watched.misdeeds == []


async def test_rows_that_found_no_room_are_still_found(
    run: Run, site: str, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "ROWS", 10)
    ledgers.fill(run, 100)
    async with opened(site) as watched:
        page = watched.page
        assert "90 older attempts found no room" in await page.inner_text("#attempts")
        assert await rows(watched) == 10
        await page.select_option("#attempts [data-filter=outcome]", "fail")
        await page.fill("#attempts [data-filter=text]", "SOME-model number")
        assert await rows(watched) < 5
        await page.click("text=Search them too")
        await page.wait_for_url("**/?table=attempts&*")
        assert await rows(watched) == 5
        assert "outcome=fail" in await page.inner_text("#attempts .cut")
        await page.click("text=Show all")
        await page.wait_for_url(site)
        assert watched.misdeeds == []


async def test_a_hostile_ledger_is_served_harmless(run: Run, site: str, opened: Opener) -> None:
    made, evil = ledgers.hostile(run), quote(ledgers.ATTACK, safe="")
    for path in ("", f"?table=attempts&teacher={evil}", f"trajectory/{quote(made.id, safe='')}", f"item/{evil}"):
        async with opened(site + path) as watched:
            await harmless(watched)
            assert "window.pwned=1" in await watched.page.inner_text("main")


HOSTS = ("evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{port}", "")


@pytest.mark.parametrize("host", HOSTS)
def test_another_name_for_this_machine_is_refused(run: Run, site: str, host: str) -> None:
    ledgers.fill(run, 1)
    status, _, page = ask(site, "/", Host=host.format(port=site.rpartition(":")[2].strip("/")))
    assert status == 421
    assert "Mend" not in page


def test_only_the_loopback_address_answers(site: str) -> None:
    port = int(site.rpartition(":")[2].strip("/"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        outside = probe.getsockname()[0]
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((outside, port), timeout=HUNG).close()


def test_every_answer_carries_the_policy(run: Run, site: str) -> None:
    ledgers.fill(run, 1)
    for path in ("/", "/nosuch", "/item/raw%231"):
        _, headers, page = ask(site, path)
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert policy.removesuffix("; frame-ancestors 'none'").replace("'", "&#39;") in page
        assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/nosuch", "There is no such page"),
        ("/trajectory/", "There is no such page"),
        ("/trajectory/nosuch", "The ledger has no trajectory nosuch"),
        ("/item/%3Cscript%3E%00%FF", "The ledger has no item &lt;script&gt;\\x00"),
        ("/trajectory/../../etc/passwd", "The ledger has no trajectory ../../etc/passwd"),
        ("//evil.example/x", "There is no such page"),
    ],
)
def test_what_is_not_there_is_a_clear_404(site: str, path: str, said: str) -> None:
    status, _, page = ask(site, path)
    assert status == 404
    assert said in page


def test_it_only_shows(site: str) -> None:
    assert ask(site, "/", "POST")[0] == 501
    status, headers, page = ask(site, "/", "HEAD")
    assert (status, page) == (200, "")
    assert int(headers["Content-Length"]) > 1000


def test_a_taken_port_is_one_line(run: Run, site: str) -> None:
    taken = int(site.rpartition(":")[2].strip("/"))
    with pytest.raises(SettingsError, match="cannot be had"), serve_report(run.ledger, taken):
        pass


def test_the_verb_serves_until_interrupted(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "crucible", "view", "--no-browser", "--json"]
    with subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = "".join(iter(process.stdout.readline, "}\n")) + "}"
        assert ask(json.loads(told)["address"], "/")[0] == 200
        os.kill(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=HUNG)
    assert process.returncode == 0, told
    assert "Traceback" not in told
