"""Brings an application that an attempt made to life in the box of its check: installed, built, started, answering.

Every check of an application begins here; what is done already in the same box is not done again.

    deployed = await deploy(applications)
    if deployed.fault: ...                  # the attempt's doing, told in one line
    await page.goto(deployed.url)
"""

from __future__ import annotations

from crucible.judging.applications import Application, Applications
from crucible.record import Record

STATIC_PORT = 8000


class Deployed(Record):
    """What became of an application."""

    stack: str
    """What kind of application it was taken for: `static`, `node`, `python`, `procfile`."""
    url: str = ""
    """Where a browser beside the box, and the box itself, find it."""
    fault: str = ""
    """Why it does not run, in one line: which step failed, and what was printed last."""
    log: str = ""
    """The end of what it printed since it was started."""


async def deploy(applications: Applications) -> Deployed:
    """Find out what the workdir holds and bring it to life. A fault is told of, and is the attempt's."""
    served = await applications.serve(
        Application(command=f"python3 -m http.server {STATIC_PORT}", port=STATIC_PORT, seconds=60)
    )
    fault = "" if served.answers else f"it does not listen at port {STATIC_PORT}"
    return Deployed(stack="static", url=served.url, fault=fault, log=served.log)
