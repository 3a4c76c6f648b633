"""Whether applications run, seen by a real browser: good ones, broken ones, and some that do their worst."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from crucible.domains.web.rubric import Rubric, Surface, Workflow
from crucible.model import Criterion
from crucible.running.run import open_run
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import OpenServices, open_services
from crucible.store.blobs import Blobs
from tests.crucible import toys
from tests.crucible.domains.web.deployments import FASTAPI, Files, open_application
from verifiers.web.app_execution import ExecutionParams, app_execution

GOOD = {
    "index.html": "<!doctype html><title>Notes</title><h1>Notes</h1><p>None yet.</p><script src='app.js'></script>",
    "app.js": "document.body.append('Ready');",
}
NETWORK = "https://unpkg.com/mitt@3/dist/mitt.umd.js"
LIBRARY = f"<script src='{NETWORK}'></script><script src='//cdnjs.cloudflare.com/no/a.js'></script>"
SERVER = """const http = require("http");
http.createServer((request, answer) => { %s }).listen(7100);
"""

ENDLESS = """answer.setHeader("Content-Type", "text/html");
    const more = () => { while (answer.write("x".repeat(1e6))); answer.once("drain", more) }; more();"""
WINDOW = """import tkinter
root = tkinter.Tk()
root.geometry("600x400")
tkinter.Label(root, text="Counter", font=("", 30)).pack()
tkinter.Button(root, text="Add one").pack()
%s
"""


@pytest_asyncio.fixture(scope="module")
async def services(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OpenServices]:
    docker = DockerSettings(pool=0, open_seconds=300)
    with open_run(Settings(home=tmp_path_factory.mktemp("execution"), docker=docker)) as run:
        async with open_services(run) as opened:
            yield opened


async def judge_files(
    services: OpenServices, blobs: Blobs, files: Files, surface: Surface = "page", workflows: tuple[Workflow, ...] = ()
) -> list[Criterion]:
    """What is found about an application of these files, up to the first gate that it fails."""
    params, task = ExecutionParams(rubric=Rubric(surface=surface, workflows=workflows)), toys.task()
    found: list[Criterion] = []
    async with open_application(await services.world("docker"), files, surface) as applications:
        given = {name: await services.get(name) for name in ("browser", "libraries")}
        given |= {"applications": applications, "blobs": blobs}
        async for criterion in app_execution(task, toys.trajectory(task), applications.box, params=params, **given):
            found.append(criterion)
            if not criterion.passed:
                break
    return found


async def test_a_good_page_passes_every_gate_and_leaves_a_picture(services: OpenServices, blobs: Blobs) -> None:
    libraries = {
        "index.html": LIBRARY + GOOD["index.html"],
        "app.js": "document.body.append(typeof mitt().emit); fetch('learn.json')",
    }
    found = await judge_files(services, blobs, libraries)
    assert [criterion.evidence for criterion in found if not criterion.passed] == []
    assert len(found) == 10
    assert blobs.get(found[-1].attachments["screenshot"]).startswith(b"\x89PNG")
    assert "mitt@3/dist/mitt.umd.js by mitt@3.0.1/dist/mitt.umd.js; out of reach: cdnjs.cl" in found[-3].evidence
    assert "serve.py" in blobs.get(found[0].attachments["steps"]).decode()


@pytest.mark.parametrize(
    ("files", "name", "evidence"),
    [
        (GOOD | {"app.js": "nothing.at.all()"}, "no uncaught error while it loads", "nothing is not defined"),
        (
            GOOD | {"app.js": "fetch('items.json').then((answer) => answer.json())"},
            "no uncaught error while it loads",
            "items.json: 404",
        ),
        (GOOD | {"app.js": "document.body.replaceChildren()"}, "its page is not blank", "100.0%"),
        ({"index.html": GOOD["index.html"]}, "everything it asks itself for is there", "/app.js: 404"),
        (GOOD | {"app.js": "("}, "its files can be read", "app.js:1"),
        (
            {"server.js": SERVER % "answer.writeHead(302, {Location: request.url + 'x'}); answer.end()"},
            "its page loads",
            "ERR_TOO_MANY_REDIRECTS",
        ),
        (
            {"server.js": SERVER % "answer.writeHead(302, {Location: 'http://example.com/'}); answer.end()"},
            "its page loads",
            "ERR_",
        ),
        (
            {"server.js": SERVER % "console.log('Error: no such view'); answer.statusCode = 500; answer.end('sorry')"},
            "its page loads",
            "status 500; it printed: Error: no such view",
        ),
    ],
)
async def test_a_broken_page_fails_the_gate_that_is_about_it(
    services: OpenServices, blobs: Blobs, files: Files, name: str, evidence: str
) -> None:
    found = await judge_files(services, blobs, files)
    assert (found[-1].name, found[-1].passed) == (name, False), found
    assert evidence in found[-1].evidence


async def test_an_application_without_a_root_is_opened_where_its_workflows_begin(
    services: OpenServices, blobs: Blobs
) -> None:
    answers = "if (request.url !== '/notes') answer.statusCode = 404; answer.setHeader('Content-Type', 'text/html'); "
    files = {"server.js": SERVER % f"{answers} answer.end('<h1>Notes</h1><p>None yet.</p>')"}
    at_root = await judge_files(services, blobs, files)
    assert (at_root[-1].name, at_root[-1].passed) == ("its page loads", False)
    found = await judge_files(services, blobs, files, workflows=(Workflow(name="it opens", start="/notes", steps=()),))
    assert [criterion.evidence for criterion in found if not criterion.passed] == []


async def test_an_interface_is_told_by_its_openapi_document(services: OpenServices, blobs: Blobs) -> None:
    files = {"main.py": FASTAPI, "requirements.txt": "fastapi\nuvicorn\n"}
    found = await judge_files(services, blobs, files, "api")
    assert (found[-1].passed, found[-1].evidence) == (True, "/openapi.json: GET /items")


@pytest.mark.slow
async def test_a_program_with_a_window_is_seen_on_its_display(services: OpenServices, blobs: Blobs) -> None:
    found = await judge_files(services, blobs, {"counter.py": WINDOW % "root.mainloop()"}, "window")
    assert [criterion.evidence for criterion in found if not criterion.passed] == []
    assert blobs.get(found[-1].attachments["screenshot"]).startswith(b"\x89PNG")


@pytest.mark.slow
async def test_a_program_that_ends_before_its_window_opens_does_not_start(services: OpenServices, blobs: Blobs) -> None:
    found = await judge_files(services, blobs, {"counter.py": WINDOW % "root.main_loop()"}, "window")
    assert (found[-1].name, found[-1].passed) == ("it starts", False)
    assert "has no attribute 'main_loop'" in found[-1].evidence


@pytest.mark.slow
async def test_a_page_of_gigabytes_never_loads_and_is_at_fault(
    services: OpenServices, blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await services.get("browser")
    monkeypatch.setattr(browser, "_settings", browser._settings.model_copy(update={"seconds": 5.0}))
    found = await judge_files(services, blobs, {"server.js": SERVER % ENDLESS})
    assert (found[-1].name, found[-1].passed) == ("its page loads", False)
