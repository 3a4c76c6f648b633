"""What kind of application a folder holds, by the names and marks of its files alone."""

from __future__ import annotations

import pytest

from crucible.domains.web.planning import plan_start
from crucible.domains.web.stacks import Package, Survey


def survey(*files: str, **facts: object) -> Survey:
    return Survey.model_validate({"files": files, **facts})


def node(*packages: str, **scripts: str) -> dict[str, Package]:
    return {"package.json": Package(packages=packages, scripts=scripts)}


VITE = ("index.html", "package.json", "vite.config.js")


@pytest.mark.parametrize(
    ("found", "rule", "start"),
    [
        (survey("index.html", "app.js"), "pages", "--directory ."),
        (survey("README.md", "dist/index.html"), "pages", "--directory dist"),
        (survey("my app/index.html", "my app/app.js"), "pages", "--directory 'my app'"),
        (survey(*VITE, manifests=node("vite", build="tsc && vite build")), "Vite", "npx vite preview"),
        (survey(*VITE, manifests=node("vite", start="vite --open")), "Vite", "npx vite preview"),
        (survey(*VITE, manifests=node("vite", start="node server.js")), "Vite with a server of its own", "npm start"),
        (survey("package.json", manifests=node("next", "react")), "Next", "npx next start"),
        (survey("package.json", manifests=node("express", start="node .")), "start script", "npm start"),
        (survey("index.html", "package.json", manifests=node(start="open index.html")), "pages", "--directory ."),
        (
            survey("package.json", "server.js", manifests=node("express"), marks={"server.js": {"node_server": ""}}),
            "server of Node",
            "node server.js",
        ),
        (survey("manage.py", "site/settings.py"), "Django", "python manage.py runserver"),
        (survey("app.py", marks={"app.py": {"flask": ""}}), "Flask", "flask --app app run"),
        (survey("app.py", marks={"app.py": {"flask": "", "flask_main": ""}}), "Flask program", "python app.py"),
        (survey("ui.py", marks={"ui.py": {"streamlit": ""}}), "Streamlit", "streamlit run ui.py"),
        (
            survey("Procfile", processes={"Procfile": "worker: sleep 1\nweb: ./serve $PORT"}),
            "Procfile",
            "./serve $PORT",
        ),
        (survey("start.sh", "main.go"), "start file", "bash start.sh"),
    ],
)
def test_the_kind_of_an_application_is_told_by_its_files(found: Survey, rule: str, start: str) -> None:
    plan = plan_start(found)
    assert plan is not None
    assert (plan.rule, start in plan.start) == (rule, True), plan


@pytest.mark.parametrize(
    ("pages", "others", "folder", "path"),
    [
        ({"todo.html": (), "lib/fancybox/index.html": ()}, (), ".", "/todo.html"),
        ({"lib/fancybox/index.html": (), "public/index.html": ()}, (), "public", "/"),
        ({"b.html": ("a.html",), "a.html": ()}, (), ".", "/b.html"),
        ({"views/game.html": ("login.html",), "views/login.html": ("game.html",)}, (), "views", "/login.html"),
        ({"html/index.html": ("../css/page.css",)}, ("css/page.css",), ".", "/html/"),
        ({"html/index.html": ("../css/page.css", "/app.js")}, ("css/page.css", "html/app.js"), "html", "/"),
        ({"dist/index.html": ("/css/a.css",)}, ("dist/a.css",), "dist", "/"),
    ],
)
def test_the_page_to_begin_with_is_served_with_what_it_asks_for(
    pages: dict[str, tuple[str, ...]], others: tuple[str, ...], folder: str, path: str
) -> None:
    plan = plan_start(survey(*pages, *others, pages=pages))
    assert plan is not None
    assert (plan.start.partition("--directory ")[2], plan.path) == (folder, path)


@pytest.mark.parametrize(("link", "folder", "path"), [("../../img/a.png", ".", "/html/"), ("../a.png", "html", "/")])
def test_a_page_is_served_with_what_its_style_sheets_ask_for(link: str, folder: str, path: str) -> None:
    files = ("html/index.html", "html/css/page.css", "html/a.png", "img/a.png")
    plan = plan_start(survey(*files, styles={"html/css/page.css": (link,)}))
    assert plan is not None
    assert (plan.start.partition("--directory ")[2], plan.path) == (folder, path)


def test_a_program_in_a_package_is_imported_from_where_the_package_begins() -> None:
    files = ("backend/app/__init__.py", "backend/app/main.py", "backend/requirements.txt")
    plan = plan_start(survey(*files, marks={"backend/app/main.py": {"fastapi": "api"}}))
    assert plan is not None
    assert (plan.folder, plan.start.split()[:4]) == ("backend", ["python", "-m", "uvicorn", "app.main:api"])


def test_a_page_in_the_workdir_is_not_taken_for_a_program_in_a_folder_beside_it() -> None:
    found = survey("index.html", "tools/server.js", marks={"tools/server.js": {"node_server": ""}})
    plan = plan_start(found)
    assert plan is not None
    assert plan.rule == "pages"


def test_caches_of_the_image_are_tried_before_the_registry() -> None:
    plan = plan_start(survey("app.py", "requirements.txt", marks={"app.py": {"flask": ""}}))
    assert plan is not None
    [(first, second)] = plan.installs
    assert ("--no-index" in first, "--no-index" in second) == (True, False)


def test_an_empty_folder_has_nothing_to_start() -> None:
    assert plan_start(survey("README.md")) is None


def test_a_page_and_its_server_in_a_folder_each_are_both_started() -> None:
    packages = {
        "client/package.json": Package(packages=("vite",)),
        "server/package.json": Package(packages=("express",)),
    }
    marks = {"server/index.js": {"node_server": ""}}
    files = ("client/index.html", "client/package.json", "server/index.js", "server/package.json")
    plan = plan_start(survey(*files, manifests=packages, marks=marks))
    assert plan is not None
    assert [(each.rule, each.folder) for each in (plan, *plan.companions)] == [
        ("server of Node", "server"),
        ("Vite", "client"),
    ]
    assert [each.installs[0][0].split()[1] for each in (plan, *plan.companions)] == ["server", "client"]


def test_what_stands_in_the_workdir_itself_runs_alone() -> None:
    found = survey("app.py", "client/package.json", manifests={"client/package.json": Package(packages=("vite",))})
    plan = plan_start(found.model_copy(update={"marks": {"app.py": {"flask": ""}}}))
    assert plan is not None
    assert plan.companions == ()


def test_a_program_of_flask_in_a_package_finds_modules_by_the_name_of_the_package_and_by_their_own() -> None:
    files = ("app/__init__.py", "app/main.py", "requirements.txt")
    plan = plan_start(survey(*files, marks={"app/main.py": {"flask": "", "flask_main": ""}}))
    assert plan is not None
    assert (plan.folder, plan.start) == ("", "PYTHONPATH=app python -m app.main")


@pytest.mark.parametrize(
    ("files", "command"),
    [
        (("package.json",), "npm install --offline"),
        (("package.json", "package-lock.json"), "npm install --offline"),
        (("package.json", "pnpm-lock.yaml"), "pnpm install"),
        (("package.json", "yarn.lock"), "yarn install"),
    ],
)
def test_packages_are_installed_by_the_program_whose_lock_file_is_there(files: tuple[str, ...], command: str) -> None:
    plan = plan_start(survey(*files, manifests=node("express", start="node .")))
    assert plan is not None
    assert command in plan.installs[0][0]


def test_a_build_that_would_go_on_for_ever_is_run_once() -> None:
    plan = plan_start(survey("package.json", manifests=node(build="babel src --out-dir public -w", start="serve")))
    assert plan is not None
    assert (plan.build, plan.start) == ("npm exec --call 'babel src --out-dir public'", "npm start")


def test_a_lock_file_above_the_folder_of_an_application_counts_for_it() -> None:
    manifests = {"web/package.json": Package(packages=("vite",)), "package.json": Package()}
    plan = plan_start(survey("pnpm-lock.yaml", "package.json", "web/package.json", manifests=manifests))
    assert plan is not None
    assert plan.installs[0][0].startswith("cd web && case $(grep -hs lockfileVersion pnpm-lock.yaml ../pnpm-lock.yaml")
