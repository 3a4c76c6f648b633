"""A scene's web service answers while a script runs, and what is sent to it is seen; services that a script leaves
running are asked once it has ended."""

from __future__ import annotations

import pytest

from crucible.domains.terminal import services
from crucible.domains.terminal.comparing import Case, Demand, are_equal, compare_effects
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from crucible.domains.terminal.services import ServiceNotStarted, WebService
from crucible.domains.terminal.trials import Trial, run_trials
from crucible.sandbox import Sandbox, World
from pipelines.terminal.drafting.environment import make_env
from tests.crucible.domains.terminal import restarts

SERVICE = WebService(port=8000, pages={"/a.txt": "alpha\n", "/index.html": "<h1>hi</h1>\n"})
OTHER = WebService(port=8000, pages={"/a.txt": "beta\n"})


async def run(box: Sandbox, script: str, service: WebService) -> Effect:
    await box.write("/tmp/script.sh", script.encode())
    [outcome] = await run_trials(box, [Trial("/tmp/script.sh", Scene(service=service))], 60)
    return outcome.effect


async def run_asked(box: Sandbox, script: str) -> Effect:
    """What a script does in a folder with one page, whose services are asked once it has ended."""
    await box.write("/tmp/script.sh", script.encode())
    addresses = tuple(f"http://localhost:8123/{page}" for page in ("a.txt", "none"))
    scene = Scene(entries={"a.txt": Entry(text="alpha\n")}, asked=addresses)
    [outcome] = await run_trials(box, [Trial("/tmp/script.sh", scene)], 60)
    return outcome.effect


async def test_a_service_answers_with_the_pages_of_its_scene_and_cannot_be_ended_or_deceived(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = "curl -s http://localhost:8000/a.txt; curl -s -o /dev/null -w '%{http_code}\\n' http://localhost:8000/none"
    post = "curl -s -d name=ann http://localhost:8000/people; curl -s http://127.0.0.1:8000/ > page.html"
    async with world.open(make_env(())) as box:
        assert (await run(box, fetch, SERVICE)).out == "alpha\n404\n"
        assert (await run(box, fetch, OTHER)).out == "beta\n404\n"
        sent = await run(box, post, SERVICE)
        cheat = "pkill -f serve.py; echo '{}' >> /tmp/.services/log; kill -9 -1"
        assert (await run(box, f"({cheat}) 2> /dev/null; true", SERVICE)).requests == ()
        asked = await run_asked(box, "python3 -m http.server 8123 > /dev/null 2>&1 &")
        monkeypatch.setattr(services, "START_SECONDS", 0.1)
        idle = await run_asked(box, "true")
    assert sent.requests == ("POST /people name=ann",)
    assert sent.entries["page.html"].text == "<h1>hi</h1>\n"
    assert asked.answers == ("200 alpha\n", "404")
    assert idle.answers == ("no answer", "no answer")
    answers = (Demand(about="answers", sentence="A service answers."),)
    assert are_equal(Case(scene=Scene(), expected=asked), asked, answers)
    assert not are_equal(Case(scene=Scene(), expected=asked), idle, answers)
    demands = (Demand(about="requests", sentence="It sends the name."),)
    assert are_equal(Case(scene=Scene(), expected=sent), sent, demands)
    assert not are_equal(Case(scene=Scene(), expected=sent), sent.model_copy(update={"requests": ()}), demands)


async def test_a_service_has_to_be_edited_and_restarted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "START_SECONDS", 2.0)
    seen, hidden = restarts.PARAMS.cases
    wrong_here = [name for name in restarts.SCRIPTS if name not in ("restarts it", "answers with a fixed page")]
    pairs = [
        *((name, seen) for name in wrong_here),
        *((name, hidden) for name in ("restarts it", "answers with a fixed page")),
    ]
    async with world.open(make_env(()), phase="grading") as box:
        for name, _ in pairs:
            await box.write(f"/tmp/{name}.sh", restarts.SCRIPTS[name].encode())
        outcomes = await run_trials(box, [Trial(f"/tmp/{name}.sh", case.scene) for name, case in pairs], 60)
    faults = {
        name: {
            fault.demand.about for fault in compare_effects(case, outcome.effect, restarts.DEMANDS) if fault.evidence
        }
        for (name, case), outcome in zip(pairs, outcomes, strict=True)
    }
    assert faults == {
        "restarts it": set(),
        "has it reload": {"restart"},
        "edits and does not restart": {"answers", "restart"},
        "restarts and does not edit": {"files", "answers"},
        "prints the answer": {"files", "answers", "restart"},
        "does nothing": {"files", "answers", "restart"},
        "answers with a fixed page": {"answers"},
    }


async def test_a_service_that_does_not_start_is_no_fault_of_the_script(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "FIRST_START_SECONDS", 0.1)
    async with world.open(make_env(())) as box:
        await box.write("/tmp/script.sh", b"true")
        scene = Scene(started="true", asked=("http://localhost:8091/",))
        with pytest.raises(ServiceNotStarted):
            await run_trials(box, [Trial("/tmp/script.sh", scene)], 60)
