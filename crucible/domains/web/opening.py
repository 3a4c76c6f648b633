"""Opens the browser beside an application, with the libraries that its pages take from public content networks."""

from __future__ import annotations

from crucible.browsing import Browser, Window
from crucible.domains.web.deploying import Deployed
from crucible.domains.web.libraries import Libraries, Packages, gather_libraries
from crucible.judging.applications import Applications


async def open_window(
    applications: Applications, browser: Browser, packages: Packages, deployed: Deployed
) -> tuple[Window, Libraries]:
    """The browser of all checks that share the box, and what became of the libraries: fetched by who asks first."""
    window = await applications.open_window(browser)
    known = applications.kept.get("libraries")
    if isinstance(known, Libraries):
        return window, known
    libraries = await gather_libraries(deployed.addresses, packages)
    if libraries.provided:
        await window.provide(list(libraries.provided.values()))
    applications.kept["libraries"] = libraries
    return window, libraries
