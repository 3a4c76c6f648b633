"""The verifier `app.visual`: how an application looks, at three widths, as it loads and after its workflows.

One criterion for each rule of looks and each category of axe-core, met or not, with the place marked in a picture; one
that is met to a degree, for the page as a whole; and one for each question, where a model is configured that can see.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from crucible.asking import Judge
from crucible.browsing import Browser
from crucible.domains.looks.marking import mark_findings
from crucible.domains.web.deploying import deploy
from crucible.domains.web.libraries import Packages
from crucible.domains.web.looks.audit import Violation, rule_violations
from crucible.domains.web.looks.facts import Seen
from crucible.domains.web.looks.inspecting import StateLooks, inspect_application
from crucible.domains.web.looks.limits import load_table
from crucible.domains.web.looks.questions import ask_about_looks
from crucible.domains.web.looks.rules import Ruled, apply_rules, rate_whole
from crucible.domains.web.mutants import spoil_visual
from crucible.domains.web.opening import open_window
from crucible.domains.web.playing import make_address
from crucible.domains.web.rubric import Quality, Rubric
from crucible.errors import PageFailed, Undecided
from crucible.judging.applications import Applications
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion


class VisualParams(Record):
    """What an application is to look like beside what is asked of every page."""

    rubric: Rubric = Rubric()


@verifier(
    "app.visual",
    version=2,
    layer="visual",
    shares="box",
    needs=("applications", "browser", "libraries", "blobs"),
    wants=("judge",),
    mutants=spoil_visual,
)
async def app_visual(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: VisualParams,
    applications: Applications,
    browser: Browser,
    libraries: Packages,
    blobs: BlobStore,
    judge: Judge | None = None,
) -> AsyncIterator[Criterion]:
    """The application looks as it should: readable, aligned, whole at three widths, and usable on a phone."""
    rubric = params.rubric
    check_rules(rubric.qualities)
    deployed = await deploy(applications)
    if deployed.fault:
        yield gate_criterion("it runs", False, deployed.fault)
        return
    try:
        window, _ = await open_window(applications, browser, libraries, deployed)
        kept = applications.kept.get("looks")
        looks, violations = await inspect_application(
            window,
            deployed.url,
            rubric.workflows,
            trajectory.digest,
            home=make_address(deployed.url, rubric.home),
            at_once=deployed.serves_files_only,
            kept=kept if isinstance(kept, StateLooks) else None,
        )
        criteria = await asyncio.to_thread(judge_looks, looks, violations, rubric.qualities, blobs)
    except PageFailed as lost:
        yield gate_criterion("the page can be looked at", False, lost.line())
        return
    shown = any(not seen.is_blank for seen in looks)
    yield gate_criterion("there is something to see", shown, f"{len(looks)} looks at {deployed.url}")
    for criterion in criteria:
        yield criterion
    if judge:
        async for criterion in ask_judge(judge, looks, rubric.qualities, blobs):
            yield criterion


def check_rules(qualities: Sequence[Quality]) -> None:
    """Undecided where a rubric names a rule that there is not."""
    known = load_table().rules
    for quality in qualities:
        if quality.rule and quality.rule not in known:
            raise Undecided(f"there is no rule of looks '{quality.rule}'; there are: {', '.join(known)}")


def judge_looks(
    looks: Sequence[Seen], violations: Sequence[Violation], qualities: Sequence[Quality], blobs: BlobStore
) -> list[Criterion]:
    """What the rules say. A rule that the rubric names counts for more."""
    ruled = [*apply_rules(looks), *rule_violations(violations, looks[0])]
    ruled.append(rate_whole(looks, ruled))
    extra = {rule.rule: sum(each.weight for each in qualities if each.rule == rule.rule) for rule in ruled}
    return [make_criterion(rule, extra[rule.rule], blobs) for rule in ruled]


def make_criterion(ruled: Ruled, extra_weight: float, blobs: BlobStore) -> Criterion:
    """A rule's finding with its evidence: where it is not met, the picture with the places marked."""
    evidence = ruled.evidence
    if ruled.findings:
        evidence += ": " + "; ".join(finding.what for finding in ruled.findings[:5])
    attachments = {}
    if not ruled.passed:
        name = f"{ruled.rule} at {ruled.worst.width} px"
        attachments[name] = blobs.put(mark_findings(ruled.worst.picture, ruled.findings))
    return Criterion(
        name=ruled.asks,
        passed=ruled.passed,
        evidence=evidence,
        gate=ruled.grave,
        share=ruled.share if ruled.passed else 1.0,
        weight=ruled.weight + extra_weight,
        attachments=attachments,
    )


async def ask_judge(
    judge: Judge, looks: Sequence[Seen], qualities: Sequence[Quality], blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """What a model says that sees the pictures: the questions of every page, then those of the rubric."""
    pictures = {f"{seen.width} px wide {seen.state}".strip(): blobs.put(seen.picture) for seen in looks}
    questions = [(question, 1.0) for question in load_table().questions]
    for question, weight in (*questions, *((each.question, each.weight) for each in qualities if each.question)):
        answer = await ask_about_looks(judge, question, pictures)
        yield Criterion(name=question, passed=answer.met, evidence=answer.evidence, weight=weight, attachments=pictures)
