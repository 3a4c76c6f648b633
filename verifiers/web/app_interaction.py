"""The verifier `app.interaction`: an application is used as its rubric says, and must do what a user would see.

what an attempt may try                   what stops it
show a result that is always the same     values are drawn for each playing, from the hash of the whole attempt
say that it was saved                     what was saved must be there after a reload, in another playing with others
keep a button that does nothing           its workflow fails; those of no workflow are clicked by the sweep
answer to the names of elements           an element counts only if it is visible and can be used
put its own functions in the way          elements are looked for in a world that its scripts cannot reach
hang, pop up, loop, leave                 every call has a limit; what cannot be used has not been shown to work

There is one criterion for each element, workflow and address of the rubric, one for the back button where there are
addresses, and one for dead controls: as many as the rubric says, whatever the application does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from crucible import parts
from crucible.browsing import Browser
from crucible.domains.web.deploying import deploy
from crucible.domains.web.launching import read_log
from crucible.domains.web.libraries import Packages
from crucible.domains.web.looks.inspecting import StateLooks
from crucible.domains.web.mutants import spoil_interaction
from crucible.domains.web.opening import open_window
from crucible.domains.web.rubric import Rubric
from crucible.domains.web.using import ApplicationUse
from crucible.domains.web.window_use import judge_window
from crucible.judging.applications import Applications
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.sandbox import Sandbox


@parts.verifier(
    "app.interaction",
    version=13,
    layer="interaction",
    cost="minutes",
    needs=("applications", "browser", "libraries", "blobs"),
    mutants=spoil_interaction,
    shares="box",
)
async def interaction(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: Rubric,
    applications: Applications,
    browser: Browser,
    libraries: Packages,
    blobs: BlobStore,
) -> AsyncIterator[Criterion]:
    """The application has what its rubric lists, and does what its workflows say with values it cannot know."""
    deployed = await deploy(applications, params.surface)
    if deployed.fault:
        yield Criterion(name="the application runs", passed=False, evidence=deployed.fault, gate=True)
        return
    if params.surface == "window":
        async for criterion in judge_window(applications, params, trajectory.digest, blobs):
            yield criterion
        return
    window, found = await open_window(applications, browser, libraries, deployed)
    use = ApplicationUse(window, deployed.url, params, trajectory.digest, blobs, at_once=deployed.serves_files_only)
    use.unreached = found.reasons
    if deployed.launched:
        use.read_log = partial(read_log, applications.box, deployed.launched)
    if applications.followed_by == "app.visual":
        use.looks = applications.kept["looks"] = StateLooks()
    async for criterion in use.judge():
        yield criterion
