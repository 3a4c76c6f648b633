"""A question that shows how its service is started, and an answer that restarts it, make a folder with a running
service."""

from __future__ import annotations

import pytest

from crucible.domains.terminal.scenes import Entry, Scene
from pipelines.terminal.commands.partials import partial_scripts
from pipelines.terminal.posts.examples import Shown, read_shown
from pipelines.terminal.scenes.running import add_running, find_start_command
from pipelines.terminal.scenes.varying import vary_scene

START = "python3 server.py &\necho $! > server.pid"
CONTROL = "#!/bin/sh\ncase $1 in\nstart) python3 server.py & ;;\nstop) pkill -f server.py ;;\nesac\n"
RESTART = f"sed -i s/a/b/ app.conf\nkill $(cat server.pid)\n{START}"


@pytest.mark.parametrize(
    ("script", "typed", "command"),
    [
        (RESTART, START, START),
        ("pkill -f server.py\nsleep 1\npython3 server.py > log 2>&1 &", "python3 server.py", "python3 server.py &"),
        ("kill -HUP $(cat server.pid)", START, START),
        ("./ctl.sh restart", "ls", "./ctl.sh start"),
        ("python3 server.py &\nsleep 1\ncurl localhost:80\nkill $!", "python3 server.py", ""),  # it starts what it ends
        ("kill $(cat server.pid)", START, ""),  # it is to end, and not to answer
        ("sed -i s/a/b/ app.conf", START, ""),
    ],
)
def test_a_service_runs_where_the_answer_starts_anew_what_the_question_has_started(
    script: str, typed: str, command: str
) -> None:
    shown = Shown({"ctl.sh": CONTROL}, "", typed=(typed,))
    assert find_start_command(script, shown) == command


def test_a_running_service_is_asked_at_the_addresses_of_the_question() -> None:
    body = f"<p>It was started by</p><pre><code>{START}</code></pre><p>and answers at http://localhost:80/ok.</p>"
    shown = read_shown(body.replace("&\n", "&amp;\n"))
    scene = add_running(Scene(), RESTART, shown)
    assert (scene.started, scene.asked) == (START, ("http://localhost:80/ok",))
    assert not add_running(Scene(), RESTART, shown._replace(addresses=())).started


def test_settings_of_a_running_service_have_other_words_in_the_same_lines() -> None:
    text = "[a]\ncolour=blue\nsize=12\nshape=round\nname=oak\n"
    other = vary_scene(Scene(entries={"x.ini": Entry(text=text)}, started=START), frozenset({"size", "x"}), 2)
    lines = other.entries["x.ini"].text.splitlines()
    assert [line.partition("=")[0] for line in lines][2] == "size"
    assert len(lines) == len(set(lines)) == 5


def test_what_ends_a_service_is_a_step_and_waiting_for_its_end_is_none() -> None:
    script = "kill $(cat pid)\nwhile kill -0 $(cat pid); do sleep 1; done\n./start.sh\necho $! > pid"
    assert [" ".join(part.split()) for part in partial_scripts(script, ends_service=True)] == [
        "kill $(cat pid) while kill -0 $(cat pid); do sleep 1; done echo $! > pid",
        "while kill -0 $(cat pid); do sleep 1; done ./start.sh echo $! > pid",
    ]
