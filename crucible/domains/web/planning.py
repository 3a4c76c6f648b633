"""Tells what kind of application was found in a workdir, and how it is installed, built and started."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from crucible.domains.web.rubric import Surface
from crucible.domains.web.stacks import PYTHON, SERVE, Package, Plan, Stacks, StartRule, Survey, load_stacks

PROJECTS = ("pyproject.toml", "Pipfile")
MANIFESTS = ("package.json", "requirements.txt", *PROJECTS)
PROCESS = re.compile(r"(?m)^\s*(\w+)\s*:\s*(.+?)\s*$")  # web: node server.js


def plan_start(survey: Survey, surface: Surface = "page") -> Plan | None:
    """How what was found is started; None where nothing is known to."""
    stacks = load_stacks()
    rules = stacks.windows if surface == "window" else stacks.starts
    for folder in _list_folders(survey, stacks):
        if plan := _fit_first(survey, rules, folder):
            return _add_companions(survey, stacks, plan) if surface == "page" else plan
        if not folder and "index.html" in survey.files:
            break  # the workdir is itself a page: what lies in folders below is beside it
    pages = (_fit_page(survey, stacks, rule) for rule in rules if rule.page)
    return next((plan for plan in pages if plan), None)


def _fit_first(survey: Survey, rules: Iterable[StartRule], folder: str) -> Plan | None:
    """The plan of the first rule that fits what stands in a folder, but for mere pages."""
    plans = (_fit_rule(survey, rule, folder) for rule in rules if not rule.page)
    return next((plan for plan in plans if plan), None)


def _add_companions(survey: Survey, stacks: Stacks, plan: Plan) -> Plan:
    """The plan with those of the folders beside it, where it stands in a folder itself."""
    own, _, rest = posixpath.join(plan.folder, plan.program).partition("/")
    if not (rest or plan.folder):
        return plan
    beside = (_fit_first(survey, stacks.starts, name) for name in stacks.application_folders if name != own)
    companions = tuple(other for other in beside if other)
    return plan.model_copy(update={"companions": companions, "files_only": plan.files_only and not companions})


def _list_folders(survey: Survey, stacks: Stacks) -> Iterator[str]:
    """The folders that may hold the whole application: the workdir, then those below it."""
    below = sorted({path.partition("/")[0] for path in survey.files if "/" in path})
    yield ""
    yield from (name for name in stacks.application_folders if name in below)
    yield from (name for name in below if name not in stacks.application_folders)


def _fit_rule(survey: Survey, rule: StartRule, folder: str) -> Plan | None:
    """The plan where the rule fits what stands in a folder."""
    package = survey.manifests.get(posixpath.join(folder, "package.json"), Package())
    script = package.scripts.get(rule.script, "")
    if rule.packages and not set(rule.packages) & set(package.packages):
        return None
    if rule.script and not (script and re.search(rule.matches, script)):
        return None
    fitting: str | None = ""
    if rule.files:
        fitting = next((name for name in rule.files if posixpath.join(folder, name) in survey.files), None)
    elif rule.mark:
        fitting = _choose_program(survey, rule, folder)
    if fitting is None:
        return None
    home = _find_home(survey, folder, fitting)
    package = survey.manifests.get(posixpath.join(home, "package.json"), Package())
    program = posixpath.relpath(posixpath.join(folder, fitting), home or ".") if fitting else ""
    return _make_plan(survey, rule, home, program, package)


def _find_home(survey: Survey, folder: str, file: str) -> str:
    """The folder that a program is run in: the nearest above it that says what it depends on, else the one that was
    looked at."""
    place = posixpath.dirname(posixpath.join(folder, file))
    while len(place) > len(folder):
        if any(posixpath.join(place, name) in survey.files for name in MANIFESTS):
            return place
        place = posixpath.dirname(place)
    return folder


def _find_build(rule: StartRule, script: str) -> str:
    """How it is built: by its own script where it has one. What would go on building whenever a file changes never
    ends: it is run once."""
    if rule.stack != "node" or not script:
        return rule.build
    once, endless = re.subn(load_stacks().watches, "", script)
    return f"npm exec --call {shlex.quote(once)}" if endless else "npm run build"


def _make_plan(survey: Survey, rule: StartRule, folder: str, file: str, manifest: Package) -> Plan | None:
    processes = dict(PROCESS.findall(survey.processes.get(posixpath.join(folder, file), "")))
    web = processes.get("web") or next(iter(processes.values()), "")
    if "{web}" in rule.start and not web:
        return None
    package_root, module = _find_module(survey, folder, file)
    package = module.rpartition(".")[0].replace(".", "/")
    runs_module = "{module}" in rule.start or ("{program}" in rule.start and bool(package))
    variable = survey.marks.get(posixpath.join(folder, file), {}).get(rule.mark, "")
    build = _find_build(rule, manifest.scripts.get("build", ""))
    # A program in a package finds its modules by the package's name as well as by their own.
    program = f"PYTHONPATH={shlex.quote(package)} python -m {module}" if package else f"python {shlex.quote(file)}"
    start = rule.start.format(
        web=web,
        file=shlex.quote(file),
        program=program,
        module=module,
        variable=variable,
        port=rule.port,
        python=PYTHON,
        serve=SERVE,
    )
    return Plan(
        rule=rule.name,
        stack=rule.stack,
        folder=package_root if runs_module else folder,
        installs=tuple(_list_installs(survey, rule.stack, folder)),
        build=build,
        start=start,
        port=rule.port,
        program=file,
        files_only=rule.files_only,
    )


def _choose_program(survey: Survey, rule: StartRule, folder: str) -> str | None:
    """The program with the rule's mark whose name says most that it is the one to start."""
    marked = [path for path, marks in survey.marks.items() if rule.mark in marks and _is_below(path, folder)]
    fitting = [name for path in marked if _fits_any(name := posixpath.relpath(path, folder or "."), rule.programs)]
    names = load_stacks().program_names

    def rank(name: str) -> tuple[int, int, str]:
        stem = posixpath.basename(name).partition(".")[0]
        return names.index(stem) if stem in names else len(names), name.count("/"), name

    return min(fitting, key=rank, default=None)


def _fits_any(name: str, patterns: Iterable[str]) -> bool:
    """Whether a path fits a pattern of as many folders; tests are no programs to start."""
    return not posixpath.basename(name).startswith(("test", "conftest")) and any(
        name.count("/") == pattern.count("/") and fnmatchcase(name, pattern) for pattern in patterns
    )


def _find_module(survey: Survey, folder: str, file: str) -> tuple[str, str]:
    """The folder from which a program of Python is imported, and its name there: packages begin where the first
    `__init__.py` stands."""
    parts = posixpath.splitext(file)[0].split("/")
    first = len(parts) - 1
    while first and posixpath.join(folder, *parts[:first], "__init__.py") in survey.files:
        first -= 1
    module = ".".join(parts[first:]).removesuffix(".__init__")
    return posixpath.join(folder, *parts[:first]), module


def _fit_page(survey: Survey, stacks: Stacks, rule: StartRule) -> Plan | None:
    """Static files: the first page of the likeliest folder, served with what it asks for beside that."""
    page = _choose_page(survey, stacks)
    if page is None:
        return None
    folder, name = posixpath.split(page)
    if _asks_for_outer(survey, page):
        folder, name = "", page
    path = f"/{name.removesuffix('index.html')}"
    start = rule.start.format(serve=SERVE, port=rule.port, folder=shlex.quote(folder or "."))
    asks_for_packages = any("node_modules/" in link for links in survey.pages.values() for link in links)
    return Plan(
        rule=rule.name,
        stack=rule.stack,
        installs=tuple(_list_installs(survey, "node", folder)) if asks_for_packages else (),
        start=start,
        port=rule.port,
        path=path,
        files_only=rule.files_only,
    )


def _choose_page(survey: Survey, stacks: Stacks) -> str | None:
    """The page to begin with: an index in the workdir or in a folder where pages usually stand, else any page in the
    workdir, which a library's folder may have more of."""
    pages = [path for path in survey.files if path.endswith((".html", ".htm"))]
    usual = [posixpath.join(folder, "index.html") for folder in stacks.page_folders]
    indexes = [path for path in pages if posixpath.basename(path) == "index.html"]
    first = next((path for path in usual if path in indexes), None)
    in_workdir = [path for path in pages if "/" not in path]
    groups = ([first] if first else [], in_workdir, indexes, pages)
    candidates = next((group for group in groups if group), [])
    linked = {link for page in pages for link in _resolve_links(survey, page) if link != page}

    def rank(page: str) -> tuple[int, int, bool]:
        stem = posixpath.splitext(posixpath.basename(page))[0]
        names = stacks.page_names
        return page.count("/"), names.index(stem) if stem in names else len(names), page in linked

    return min(candidates, key=rank, default=None)


def _resolve_links(survey: Survey, page: str) -> list[str]:
    """What a page names by a path that begins at its own folder."""
    return [_resolve(page, link) for link in survey.pages.get(page, ()) if not link.startswith("/")]


def _resolve(path: str, link: str) -> str:
    """The file that a path in a file means."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _asks_for_outer(survey: Survey, page: str) -> bool:
    """Whether a page, or a style sheet in its folder, asks for files beside that, and the page for none from its folder
    as the root of its host."""
    folder = posixpath.dirname(page)
    rooted = (posixpath.join(folder, link.strip("/")) for link in survey.pages.get(page, ()) if link.startswith("/"))
    styled = (
        _resolve(path, link) for path, links in survey.styles.items() if _is_below(path, folder) for link in links
    )
    outer = (link for link in (*_resolve_links(survey, page), *styled) if not _is_below(link, folder))
    return not any(link in survey.files for link in rooted) and any(link in survey.files for link in outer)


def _list_installs(survey: Survey, stack: str, folder: str) -> Iterator[tuple[str, ...]]:
    """What installs an application's dependencies, from the image's caches first: they need no registry."""
    for place in dict.fromkeys((folder, "")):
        go = f"cd {shlex.quote(place)} && " if place else ""
        package = survey.manifests.get(posixpath.join(place, "package.json"))
        if stack != "python" and package and package.packages:
            yield tuple(f"{go}{command}" for command in _choose_node_installs(survey, place))
        if stack != "node" and posixpath.join(place, "requirements.txt") in survey.files:
            yield f"{go}pip install --no-index -r requirements.txt", f"{go}pip install --retries 2 -r requirements.txt"
        elif stack != "node" and (wanted := _list_wanted(survey, place)):
            names = shlex.join(wanted)
            yield f"pip install --no-index {names}", f"pip install --retries 2 {names}"


def _list_wanted(survey: Survey, place: str) -> tuple[str, ...]:
    """What the first file of a folder asks for that asks for packages of Python."""
    asked = (survey.requirements.get(posixpath.join(place, name), ()) for name in PROJECTS)
    return next(filter(None, asked), ())


def _choose_node_installs(survey: Survey, place: str) -> tuple[str, ...]:
    """What the lock file is for, which may be that of a folder above; without one, npm."""
    installers = load_stacks().installers
    locks = ((posixpath.join(above, each.lock), each) for above in (place, "") for each in installers)
    return next((each.commands for lock, each in locks if lock in survey.files), installers[-1].commands)


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")
