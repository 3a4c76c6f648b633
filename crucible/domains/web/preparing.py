"""What comes before an application is started: its files are surveyed, its packages installed, its pages built."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import AsyncIterator, Sequence
from typing import Literal

from crucible.domains.web.content_networks import list_network_hosts
from crucible.domains.web.launching import make_script_command, read_script
from crucible.domains.web.printed import find_telling_line
from crucible.domains.web.stacks import Plan, Survey, load_stacks
from crucible.errors import Undecided
from crucible.record import Record
from crucible.sandbox import Done, Sandbox

StepName = Literal["files", "syntax", "dependencies", "build", "start", "answer"]
OUTPUT_CHARS = 2000
FAULT_CHARS = 300
BUILDING = "export CI=false; "
"""Before a build: Create React App takes every warning for a fault where CI is set otherwise."""


class Step(Record):
    """One step of bringing an application to life."""

    name: StepName
    fault: str = ""
    """Why it failed, in one line; empty when it did not."""
    command: str = ""
    """What was run; empty where there was nothing to do."""
    code: int = 0
    seconds: float = 0.0
    output: str = ""
    """The end of what was printed."""


async def survey_workdir(box: Sandbox) -> Survey:
    """What the workdir holds. Undecided where that cannot be read."""
    stacks = load_stacks()
    request = json.dumps({"skipped": stacks.skipped, "marks": stacks.marks, "hosts": list_network_hosts()})
    done = await _run_script(box, "survey.py", request, stacks.seconds.syntax)
    if not done.ok or done.truncated:
        raise Undecided(f"the workdir cannot be surveyed: {done.stopped or done.err.strip()[-FAULT_CHARS:]}")
    return Survey.model_validate_json(done.out)


async def prepare(box: Sandbox, survey: Survey, plan: Plan) -> AsyncIterator[Step]:
    """The steps before the start."""
    seconds = load_stacks().seconds
    yield await _check_syntax(box, survey, plan)
    plans = (plan, *plan.companions)
    installs = dict.fromkeys(commands for each in plans for commands in each.installs)
    if not installs:
        yield Step(name="dependencies", output="it asks for none")
    for commands in installs:
        yield await _install(box, commands, seconds.dependencies)
    builds = [_run_in(each.folder, f"{BUILDING}{each.build}") for each in plans if each.build]
    if not builds:
        yield Step(name="build", output="it needs none")
    for build in builds:
        yield await _build(box, build, seconds.build)


async def _check_syntax(box: Sandbox, survey: Survey, plan: Plan) -> Step:
    """Whether files can be read as what they are. A bundler reads scripts in its own way."""
    bundled = plan.stack == "node" and bool(plan.build)
    request = {"files": survey.files, "scripts": not bundled, "checker": read_script("scripts.cjs")}
    done = await _run_script(box, "syntax.py", json.dumps(request), load_stacks().seconds.syntax)
    faults: list[str] = json.loads(done.out) if done.ok else []
    fault = faults[0][:FAULT_CHARS] if faults else ""
    return Step(name="syntax", fault=fault, seconds=done.seconds, output="\n".join(faults)[:OUTPUT_CHARS])


async def _install(box: Sandbox, commands: tuple[str, ...], seconds: float) -> Step:
    """Install by the first command that succeeds, with an older Python where packages cannot be built for the one there
    is. A registry that is down says nothing of the attempt: Undecided."""
    for command in commands:
        step = await _run_step(box, "dependencies", command, seconds)
        if not step.fault:
            return step
    older, outages = load_stacks().older_python, load_stacks().outages
    if "pip install" in step.command and re.search(older.signs, step.output):
        again = await _run_step(box, "dependencies", f"{older.command} && {step.command}", seconds)
        if not again.fault:
            return again
    if re.search(outages.signs, step.output) and await _has_registry(box):
        ask = outages.pip if "pip install" in step.command else outages.npm
        if not (await box.exec(ask, timeout=seconds)).ok:
            raise Undecided(f"the package registry does not answer: {step.fault}")
    return step


def asks_for_gone_module(steps: Sequence[Step]) -> bool:
    """Whether a program asked for a module that Python no longer brings, and was not installed for an older one yet."""
    older = load_stacks().older_python
    is_older = any(older.command in step.command for step in steps)
    return not is_older and any(re.search(older.gone, step.output) for step in steps if step.fault)


def install_for_older_python(plan: Plan) -> Plan:
    """The plan with its packages of Python installed for the older one, which takes the place of the other at first."""
    older, places = load_stacks().older_python.command, [*plan.installs]
    first = next((place for place, commands in enumerate(places) if "pip install" in commands[0]), None)
    if first is not None:
        places[first] = tuple(f"{older} && {command}" for command in places[first])
    return plan.model_copy(update={"installs": tuple(places)})


async def _build(box: Sandbox, command: str, seconds: float) -> Step:
    """Build; typefaces that the build asks for in vain are answered with the machine's own, for nobody misses them."""
    typefaces, answers = load_stacks().typefaces, dict[str, str]()
    done = await box.exec(command, timeout=seconds)
    while not done.ok and (asked := typefaces.find_asked(done.out + done.err) - answers.keys()):
        answers |= {address: typefaces.write_style(address) for address in asked}
        await box.write(typefaces.file, json.dumps(answers).encode())
        done = await box.exec(f"export {typefaces.variable}={typefaces.file}; {command}", timeout=seconds)
    return _describe_run("build", command, done, seconds)


async def _has_registry(box: Sandbox) -> bool:
    """Whether the box was given a way to a registry; one that has none by its task installs from its image alone."""
    return bool((await box.exec("printenv HTTPS_PROXY")).out.strip())


async def _run_step(box: Sandbox, name: StepName, command: str, seconds: float) -> Step:
    return _describe_run(name, command, await box.exec(command, timeout=seconds), seconds)


def _describe_run(name: StepName, command: str, done: Done, seconds: float) -> Step:
    """What was run, and what came of it."""
    output = (done.out + done.err)[-OUTPUT_CHARS:]
    why = f"no end within {seconds:g} s" if done.stopped == "timeout" else f"exit {done.code}"
    fault = "" if done.ok else f"{why}: {find_telling_line(done.out + done.err)}"[:FAULT_CHARS]
    return Step(name=name, fault=fault, command=command, code=done.code, seconds=done.seconds, output=output)


async def _run_script(box: Sandbox, name: str, request: str, seconds: float) -> Done:
    return await box.exec(make_script_command(name), stdin=request.encode(), timeout=seconds)


def _run_in(folder: str, command: str) -> str:
    return f"cd {shlex.quote(folder)} && {command}" if folder else command
