"""Applications that do their worst: each is contained, and what becomes of it is its own doing, told in one line."""

from __future__ import annotations

import pytest

from crucible.domains.web import deploying
from crucible.domains.web.deploying import deploy
from crucible.domains.web.stacks import Seconds, load_stacks
from crucible.domains.web.world import LIMITS, app_env
from crucible.errors import BoxExhausted
from crucible.judging.applications import Applications
from crucible.sandbox import World
from tests.crucible.domains.web.deployments import NODE_SERVER, Files, deploy_files, open_application

SHORT = Seconds(syntax=60, dependencies=60, build=60, ready=4)
"""What never comes is not waited for as long as in use."""


@pytest.fixture
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    stacks = load_stacks().model_copy(update={"seconds": SHORT})
    monkeypatch.setattr(deploying, "load_stacks", lambda: stacks)


SERVER = """import http.server, os, sys, threading, time
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Type", "text/html"); self.end_headers()
        self.wfile.write(b"<h1>Hello</h1>")
        %s
%s
http.server.ThreadingHTTPServer(("127.0.0.1", 7200), Handler).serve_forever()
"""
BURN = "for _ in range(8): threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"
PRINT = "threading.Thread(target=lambda: [print('x' * 1000) for _ in iter(int, 1)], daemon=True).start()"
ENDLESS = """        while True: self.wfile.write(b"x" * (1 << 20))"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(SERVER % ("", PRINT), id="prints without end"),
        pytest.param(SERVER % ("", BURN), id="uses all CPU"),
        pytest.param(SERVER % (ENDLESS.strip(), ""), id="serves a page without end"),
        pytest.param(SERVER % ("", "if os.fork(): os._exit(0)\ntime.sleep(1)"), id="goes to the background"),
    ],
)
async def test_an_application_that_is_merely_a_nuisance_runs(world: World, program: str) -> None:
    deployed = await deploy_files(world, {"server.py": program})
    assert (deployed.fault, deployed.status) == ("", 200), deployed
    assert len(deployed.log) <= 2000


@pytest.mark.usefixtures("_short_waits")
@pytest.mark.parametrize(
    ("files", "fault"),
    [
        pytest.param({"server.py": "# serve_forever\nimport time; time.sleep(1000)"}, "start: it listens", id="never"),
        pytest.param(
            {
                "server.py": "import socket, time # wsgiref\nprint('Error: no database', flush=True)\n"
                "s = socket.create_server(('', 7201)); time.sleep(999)"
            },
            "answer: it listens at localhost:7201 and gives no HTTP answer within 4 s: Error: no database",
            id="never answers",
        ),
        pytest.param(
            {"start.sh": "b() { b | b & }; b; sleep 999"}, "start: ", id="forks without end", marks=pytest.mark.slow
        ),
        pytest.param({"server.js": NODE_SERVER % "7202).close(process.exit()"}, "start: it ended", id="ends at once"),
    ],
)
async def test_an_application_that_never_answers_is_at_fault(world: World, files: Files, fault: str) -> None:
    deployed = await deploy_files(world, files)
    assert deployed.fault.startswith(fault), deployed


async def test_an_application_that_ends_after_its_first_answer_is_started_again(world: World) -> None:
    program = SERVER % ("self.wfile.flush(); os._exit(0)", "")
    async with open_application(world, {"server.py": program}) as applications:
        first = await deploy(applications)
        again = await deploy(applications)
        assert (first.fault, again.fault, again.url) == ("", "", first.url)


async def test_an_application_that_fills_its_disk_has_used_up_its_box(world: World) -> None:
    fill = "while :; do dd if=/dev/zero of=/tmp/fill-$(date +%N) bs=1M count=50 2>/dev/null; done"
    small = app_env().model_copy(update={"limits": LIMITS.model_copy(update={"disk_mb": 200})})
    async with world.open(small, phase="serving") as box:
        await box.write("start.sh", fill.encode())
        with pytest.raises(BoxExhausted):
            await deploy(Applications(box))


async def test_odd_names_and_endless_lines_do_not_keep_an_application_from_being_found(world: World) -> None:
    many = "seq -f '%0150.0f.txt' 3000 | xargs touch; printf 'x' > \"$(printf 'a\\377\\n')\""
    async with open_application(world, {"app.py": "\n" * 150_000 + "create_app" * 5000}) as applications:
        assert (await applications.box.exec(many)).ok
        await applications.box.write("index.html", b"<h1>Here</h1>")
        deployed = await deploy(applications)
        assert (deployed.fault, deployed.status) == ("", 200), deployed
