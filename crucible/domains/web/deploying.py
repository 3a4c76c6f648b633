"""Brings an application that an attempt made to life in the box of its check: installed, built, started, answering.

Every check of an application begins here; what is done already in the same box is not done again. Which kind of
application it is, is told by rules (`stacks.toml`); what goes wrong is the attempt's doing and is told as a fault, but
for a package registry that does not answer, which leaves the check undecided.

    deployed = await deploy(applications)
    if deployed.fault: ...                  # the attempt's doing, told in one line
    await page.goto(deployed.url)
"""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from crucible.domains.web.launching import (
    Answer,
    Launched,
    ask_addresses,
    end,
    launch,
    list_listeners,
    read_exit,
    read_log,
    wait_for_answer,
)
from crucible.domains.web.planning import plan_start
from crucible.domains.web.preparing import (
    FAULT_CHARS,
    Step,
    asks_for_gone_module,
    install_for_older_python,
    prepare,
    survey_workdir,
)
from crucible.domains.web.printed import find_printed_path, find_telling_line
from crucible.domains.web.rubric import Surface
from crucible.domains.web.stacks import Plan, Survey, load_stacks
from crucible.domains.web.windows import DISPLAY, open_display, wait_for_window, wait_until_gone
from crucible.judging.applications import Applications
from crucible.record import Record
from crucible.sandbox import Sandbox


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
    survey = await survey_workdir(box)
    plan = plan_start(survey, surface)
    if plan is None:
        shown = ", ".join(survey.files[:20]) or "nothing"
        sought = "no page, no start script, no program that listens"
        fault = f"there is nothing that could be started ({sought}): the workdir holds {shown}"[:FAULT_CHARS]
        return Deployed(stack="", fault=f"files: {fault}", steps=(Step(name="files", fault=fault),))
    deployed = await _bring_to_life(box, survey, plan, surface)
    if deployed.fault and asks_for_gone_module(deployed.steps):
        if deployed.launched:
            await end(box, deployed.launched)
        deployed = await _bring_to_life(box, survey, install_for_older_python(plan), surface)
    return deployed.model_copy(update={"addresses": survey.addresses})


async def _bring_to_life(box: Sandbox, survey: Survey, plan: Plan, surface: Surface) -> Deployed:
    """Carry out a plan, up to the first step that fails."""
    steps = [Step(name="files", output=f"{plan.rule}: {plan.start}\n{len(survey.files)} files")]
    async for step in prepare(box, survey, plan):
        steps.append(step)
        if step.fault:
            return Deployed(stack=plan.stack, fault=f"{step.name}: {step.fault}", steps=tuple(steps), plan=plan)
    return await _start(box, plan, surface, tuple(steps))


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
        printed = f": {find_telling_line(start.output)}" if start.output.strip() else ""
        unanswered = f"it listens at {', '.join(listening[:5])} and gives no HTTP answer within {seconds:g} s{printed}"
        told = f"status {answer.status}, {answer.kind or 'no content type'}" if answer else start.output
        steps = (*steps, Step(name="answer", fault="" if answer else unanswered[:FAULT_CHARS], output=told))
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
