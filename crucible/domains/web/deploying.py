"""Brings an application that an attempt made to life in the box of its check: installed, built, started, answering.

Every check of an application begins here; what is done already in the same box is not done again. Which kind of
application it is, is told by rules (`stacks.toml`); what goes wrong is the attempt's doing and is told as a fault, but
for a package registry that does not answer, which leaves the check undecided.

    deployed = await deploy(applications)
    if deployed.fault: ...                  # the attempt's doing, told in one line
    await page.goto(deployed.url)
"""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import AsyncIterator
from typing import Literal
from urllib.parse import urlsplit

from crucible.domains.web.content_networks import list_network_hosts
from crucible.domains.web.launching import (
    Answer,
    Launched,
    ask_addresses,
    end,
    launch,
    list_listeners,
    read_exit,
    read_log,
    read_script,
    wait_for_answer,
)
from crucible.domains.web.planning import plan_start
from crucible.domains.web.rubric import Surface
from crucible.domains.web.stacks import PYTHON, Plan, Survey, load_stacks
from crucible.domains.web.windows import DISPLAY, open_display, wait_for_window, wait_until_gone
from crucible.errors import Undecided
from crucible.judging.applications import Applications
from crucible.record import Record
from crucible.sandbox import Done, Sandbox

StepName = Literal["files", "syntax", "dependencies", "build", "start", "answer"]
OUTPUT_CHARS = 2000
FAULT_CHARS = 300
BUILDING = "export CI=false; "
"""Before a build: Create React App takes every warning for a fault where CI is set otherwise."""
TELLING = re.compile(r"(?i)error|not found|no matching|cannot|failed|denied|refused|missing")
NPM_ERROR = re.compile(r"npm (?:error|ERR!) \S")
NOT_TELLING = re.compile(
    r"complete log of this run|npm (?:error|ERR!) (?:code|path|Lifecycle)|npm notice|^\s*at |not a problem with pip"
    r"|error: subprocess-exited-with-error|^\s*Failed to compile\.\s*$"
    r"|^> Build failed because of webpack errors|code \d{3}, message |\" 5\d\d Internal Server Error"
    r"|^\(Background on this error at: |^ERROR: \"[^\"]+\" exited with \d+"
    r"|\[ERROR\] (?:Worker \(pid|Exception in worker|Shutting down|Reason: Worker failed to boot)"
    r"|^\s+(?:[a-z]\w*|\[Symbol\(\w+\)\]): (?:'[^']*'|undefined|\d+|\{\}),?$"  # Node tells:  name: 'MongoError',
)
COLOURS = re.compile(r"\x1b\[[\d;]*m")  # matches what turns a word red on a terminal
BUILDS = (
    ("subprocess-exited-with-error", re.compile(r"(?m)^\s*Collecting (\S+)")),
    ("command failed", re.compile(r"npm (?:error|ERR!) path \S*/node_modules/(\S+)")),
    ("ERESOLVE", re.compile(r"(?m)^npm (?:error|ERR!) +(peer \S+ from \S+)")),
)
"""What pip and npm print when a package cannot be built, or not beside another, and where they name it."""
# matches: Collecting bottle==0.12.7 (from -r requirements.txt)    npm error path /workspace/node_modules/node-sass
# npm error peer vite@"^5.0.0" from plugin@2.0.0


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


class Deployed(Record):
    """What became of an application."""

    stack: str
    """What kind of application it was taken for: `static`, `node`, `python`, `procfile`; empty for none of them."""
    url: str = ""
    """Where a browser beside the box, and the box itself, find it."""
    fault: str = ""
    """Why it does not run, in one line: which step failed, and what was printed last."""
    log: str = ""
    """The end of what it printed since it was started."""
    status: int = 0
    """The HTTP status of its first page; 0 where it gave no answer."""
    steps: tuple[Step, ...] = ()
    """What was done, in order, up to the first that failed."""
    plan: Plan | None = None
    launched: Launched | None = None
    addresses: tuple[str, ...] = ()
    """Addresses of content networks that its texts name."""

    @property
    def serves_files_only(self) -> bool:
        """Whether nothing that is done in one page can be seen in another: pages may be used at the same time."""
        return self.plan is not None and self.plan.files_only


async def deploy(applications: Applications, surface: Surface = "page") -> Deployed:
    """Find out what the workdir holds and bring it to life. A fault is told of, and is the attempt's."""
    box, known = applications.box, applications.kept.get("deployed")
    if isinstance(known, Deployed):
        if known.fault or known.plan is None or await _is_running(box, known):
            return known
        before = tuple(step for step in known.steps if step.name not in ("start", "answer"))
        deployed = await _start(box, known.plan, surface, before)
        deployed = deployed.model_copy(update={"addresses": known.addresses})
    else:
        deployed = await _deploy(box, surface)
    applications.kept["deployed"] = deployed
    return deployed


async def restart(applications: Applications) -> Deployed:
    """Start a program with a window anew, as if for the first time; files that it wrote stay."""
    known = await deploy(applications, "window")
    if known.fault or known.plan is None or known.launched is None:
        return known
    await end(applications.box, known.launched)
    await wait_until_gone(applications.box)
    before = tuple(step for step in known.steps if step.name != "start")
    applications.kept["deployed"] = deployed = await _start(applications.box, known.plan, "window", before)
    return deployed


async def _deploy(box: Sandbox, surface: Surface) -> Deployed:
    survey = await _survey_workdir(box)
    plan = plan_start(survey, surface)
    if plan is None:
        shown = ", ".join(survey.files[:20]) or "nothing"
        sought = "no page, no start script, no program that listens"
        fault = f"there is nothing that could be started ({sought}): the workdir holds {shown}"[:FAULT_CHARS]
        return Deployed(stack="", fault=f"files: {fault}", steps=(Step(name="files", fault=fault),))
    steps = [Step(name="files", output=f"{plan.rule}: {plan.start}\n{len(survey.files)} files")]
    async for step in _prepare(box, survey, plan):
        steps.append(step)
        if step.fault:
            return Deployed(stack=plan.stack, fault=f"{step.name}: {step.fault}", steps=tuple(steps), plan=plan)
    deployed = await _start(box, plan, surface, tuple(steps))
    return deployed.model_copy(update={"addresses": survey.addresses})


async def _survey_workdir(box: Sandbox) -> Survey:
    stacks = load_stacks()
    request = json.dumps({"skipped": stacks.skipped, "marks": stacks.marks, "hosts": list_network_hosts()})
    done = await _run_script(box, "survey.py", request, stacks.seconds.syntax)
    if not done.ok or done.truncated:
        raise Undecided(f"the workdir cannot be surveyed: {done.stopped or done.err.strip()[-FAULT_CHARS:]}")
    return Survey.model_validate_json(done.out)


async def _prepare(box: Sandbox, survey: Survey, plan: Plan) -> AsyncIterator[Step]:
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


async def _is_running(box: Sandbox, known: Deployed) -> bool:
    """Whether what was deployed still is: it listens where it did, or its program has not ended."""
    if known.url:
        return urlsplit(known.url).netloc in await list_listeners(box)
    return known.launched is not None and not await read_exit(box, known.launched)


async def _start(box: Sandbox, plan: Plan, surface: Surface, before: tuple[Step, ...]) -> Deployed:
    """Start the application and wait until it answers, or shows its window."""
    if surface == "window":
        return await _open_window(box, plan, before)
    began, seconds = time.monotonic(), load_stacks().seconds.ready
    launched = await launch(box, plan)
    for companion in plan.companions:
        await launch(box, companion)
    answer = await wait_for_answer(box, launched, plan, surface, seconds)
    if answer and answer.status == 404 and surface == "page":
        plan, answer = await _follow_printed(box, launched, plan, answer)
    took = round(time.monotonic() - began, 3)
    listening = [address for address in await list_listeners(box) if address not in launched.before]
    start = await _describe_start(box, plan, launched, took, "" if answer or listening else "it listens at no port")
    steps = (*before, start)
    if not start.fault:
        unanswered = f"it listens at {', '.join(listening[:5])} and gives no HTTP answer within {seconds:g} s"
        told = f"status {answer.status}, {answer.kind or 'no content type'}" if answer else start.output
        steps = (*steps, Step(name="answer", fault="" if answer else unanswered, output=told))
    return _sum_up(plan, launched, steps, answer)


async def _follow_printed(box: Sandbox, launched: Launched, plan: Plan, answer: Answer) -> tuple[Plan, Answer]:
    """Where there is no first page but the application names another folder, as one that is built for a folder of a
    host does, that is its first page."""
    path = find_printed_path(await read_log(box, launched), answer.address)
    answers = await ask_addresses(box, [answer.address], path) if path else []
    pages = [(plan.model_copy(update={"path": path}), page) for page in answers if page.is_page]
    return pages[0] if pages else (plan, answer)


async def _open_window(box: Sandbox, plan: Plan, before: tuple[Step, ...]) -> Deployed:
    """Start a program on a display of its own and wait until there is something to see."""
    await open_display(box)
    began, seconds = time.monotonic(), load_stacks().seconds.ready
    launched = await launch(box, plan, f"DISPLAY={DISPLAY}")
    shows = await wait_for_window(box, launched, seconds)
    took = round(time.monotonic() - began, 3)
    start = await _describe_start(box, plan, launched, took, "" if shows else "it shows no window")
    return _sum_up(plan, launched, (*before, start), None)


async def _describe_start(box: Sandbox, plan: Plan, launched: Launched, took: float, missing: str) -> Step:
    """The step of the start, with why it failed where something is missing."""
    log, code = await read_log(box, launched), await read_exit(box, launched)
    how = f"it ended with exit {code}" if code else f"{missing} after {load_stacks().seconds.ready:g} s"
    fault = f"{how}: {find_telling_line(log)}"[:FAULT_CHARS] if missing else ""
    number = int(code) if code.isdigit() else 0
    return Step(name="start", fault=fault, command=plan.start, code=number, seconds=took, output=log)


def _sum_up(plan: Plan, launched: Launched, steps: tuple[Step, ...], answer: Answer | None) -> Deployed:
    return Deployed(
        stack=plan.stack,
        url=f"http://{answer.address}{plan.path}" if answer else "",
        fault=next((f"{step.name}: {step.fault}" for step in steps if step.fault), ""),
        log=next((step.output for step in steps if step.name == "start"), ""),
        status=answer.status if answer else 0,
        steps=steps,
        plan=plan,
        launched=launched,
    )


async def _run_script(box: Sandbox, name: str, request: str, seconds: float) -> Done:
    command = f"{PYTHON} -c {shlex.quote(read_script(name))}"
    return await box.exec(command, stdin=request.encode(), timeout=seconds)


def _run_in(folder: str, command: str) -> str:
    return f"cd {shlex.quote(folder)} && {command}" if folder else command


def find_printed_path(output: str, address: str) -> str:
    """The folder at which an application says that it is to be opened; empty where it names none."""
    local = rf"http://(?:localhost|127\.0\.0\.1):{address.rpartition(':')[2]}(/[\w./-]+/)"
    named = re.search(local, COLOURS.sub("", output))  # matches: http://localhost:4173/notes/
    return named[1] if named else ""


def find_telling_line(output: str) -> str:
    """The line of an output that says most about why a command failed, after the package that could not be built."""
    packages = [package for sign, named in BUILDS if sign in output for package in named.findall(output)[-1:]]
    plain = COLOURS.sub("", output).splitlines()
    lines = [line.strip() for line in plain if line.strip() and not NOT_TELLING.search(line)]
    npm = [line for line in lines if NPM_ERROR.match(line)]  # says first what is wrong, then what one might do
    telling = [line for line in lines if TELLING.search(line)]
    line = npm[0] if npm else telling[-1] if telling else lines[-1] if lines else "it printed nothing"
    return ": ".join([*packages, line])
