"""Applications of every kind, brought to life in real boxes without a network."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from crucible.domains.web import deploying
from crucible.domains.web.deploying import deploy
from crucible.domains.web.printed import CAUSED, TRACEBACK, find_telling_line
from crucible.domains.web.world import NETWORKS
from crucible.errors import Undecided
from crucible.sandbox import Network, Networks, World
from tests.crucible.domains.web.deployments import (
    EXPRESS,
    FASTAPI,
    FLASK,
    NODE_SERVER,
    PAGE,
    PYTHON_SERVER,
    VITE,
    Files,
    deploy_files,
    open_application,
    package,
)

SURVEY = Path(deploying.__file__).parent / "box" / "survey.py"
FETCH = "/usr/bin/python3 -c 'import urllib.request as r; print(r.urlopen(\"{url}\").read().decode())'"


@pytest.mark.parametrize(
    ("files", "stack", "shown"),
    [
        ({"dist/index.html": PAGE, "dist/app.js": "let a = 1;"}, "static", "Notes"),
        (
            {"index.html": PAGE, "script.js": "new MutationObserver(draw).observe(document.body, {});"},
            "static",
            "Notes",
        ),
        ({"server.js": NODE_SERVER % "7001"}, "node", "Hello"),
        ({"app.py": FLASK, "requirements.txt": "flask\n"}, "python", "Flask"),
        ({"Procfile": "web: python3 -m http.server $PORT", "index.html": PAGE, "app.js": ""}, "procfile", "Notes"),
    ],
)
async def test_an_application_is_started_by_what_it_is(world: World, files: Files, stack: str, shown: str) -> None:
    async with open_application(world, files) as applications:
        deployed = await deploy(applications)
        assert (deployed.stack, deployed.fault, deployed.status) == (stack, "", 200), deployed
        assert shown in (await applications.box.exec(FETCH.format(url=deployed.url))).out


async def test_an_application_that_is_built_for_a_folder_is_opened_there(world: World) -> None:
    server = """require("http").createServer((asked, answer) => {
        answer.writeHead(asked.url.startsWith("/notes/") ? 200 : 404, { "content-type": "text/html" }).end("Notes");
    }).listen(7002, () => console.log("Local: http://localhost:7002/notes/"));"""
    deployed = await deploy_files(world, {"server.js": server})
    assert (deployed.fault, deployed.url, deployed.status) == ("", "http://localhost:7002/notes/", 200)


BUILT = """<!doctype html><link rel="manifest" href="/a/notes/manifest.json"><h1>Built</h1>
    <script src='/a/notes/static/app.js'></script>"""


@pytest.mark.parametrize(
    "scripts",
    [
        {"@vue/cli-service": "mkdir -p dist && cp -r public/* dist"},
        {"react-scripts": "mkdir -p build && cp -r public/* build"},
    ],
)
async def test_pages_that_are_built_for_a_folder_are_served_there_and_draw_what_has_no_file(
    world: World, scripts: dict[str, str]
) -> None:
    [(bundler, build)] = scripts.items()
    files = {
        "package.json": package(dependencies={bundler: "^0"}, scripts={"build": build, "serve": "sleep 99"}),
        f"node_modules/{bundler}/package.json": package(version="0.9.5"),
        "public/index.html": BUILT,
        "public/static/app.js": "let a = 1;",
        "public/manifest.json": "{}",
    }
    async with open_application(world, files) as applications:
        deployed = await deploy(applications)
        assert (deployed.fault, deployed.url) == ("", "http://localhost:8000/")
        shown = {"": "Built", "about": "Built", "a/notes/static/app.js": "let a", "static/app.js": "let a"}
        for path, text in shown.items():
            assert text in (await applications.box.exec(FETCH.format(url=deployed.url + path))).out
        assert not (await applications.box.exec(FETCH.format(url=deployed.url + "static/b.js"))).ok


async def test_packages_that_a_page_asks_for_by_their_folder_are_installed(world: World) -> None:
    script = "node_modules/vue/dist/vue.global.js"
    files = {"index.html": f"<script src='{script}'></script>", "package.json": package(dependencies={"vue": "^3"})}
    async with open_application(world, files) as applications:
        deployed = await deploy(applications)
        assert "Vue" in (await applications.box.exec(FETCH.format(url=deployed.url + script))).out


async def test_a_page_that_asks_for_a_file_where_it_is_not_is_built_for_no_folder(world: World) -> None:
    page = "<link href='/css/page.css' rel='stylesheet'>"
    async with open_application(world, {"index.html": page, "page.css": ""}) as applications:
        deployed = await deploy(applications)
        assert not (await applications.box.exec(FETCH.format(url=deployed.url + "css/page.css"))).ok


@pytest.mark.slow
async def test_an_application_of_vite_is_installed_built_and_served(world: World) -> None:
    deployed = await deploy_files(world, VITE)
    assert (deployed.fault, deployed.url) == ("", "http://localhost:4173/")
    assert [step.name for step in deployed.steps] == ["files", "syntax", "dependencies", "build", "start", "answer"]


async def test_an_interface_without_a_page_answers_too(world: World) -> None:
    files = {"app/__init__.py": "", "app/main.py": FASTAPI, "requirements.txt": "fastapi\nuvicorn\n"}
    deployed = await deploy_files(world, files, "api")
    assert (deployed.fault, deployed.status) == ("", 404)


async def test_packages_of_node_are_installed_from_the_images_cache(world: World) -> None:
    files = {"package.json": package(type="module", dependencies={"express": "^5"}), "server.js": EXPRESS}
    deployed = await deploy_files(world, files)
    assert (deployed.fault, deployed.url) == ("", "http://localhost:3456/")


async def test_a_build_is_not_told_to_take_warnings_for_faults(world: World) -> None:
    """As Create React App does where CI is set."""
    build = "node -e 'process.exit(process.env.CI === `true` ? 1 : 0)'"
    scripts = {"build": build, "start": "node server.js"}
    deployed = await deploy_files(world, {"package.json": package(scripts=scripts), "server.js": NODE_SERVER % "7002"})
    assert deployed.fault == ""


async def test_typefaces_that_a_build_asks_for_in_vain_are_answered(world: World) -> None:
    """As Next does, which names them one after the other."""
    address = "https://fonts.googleapis.com/css2?family=Open+Sans:wght@100..900&display=swap"
    build = f"""const told = process.env.NEXT_FONT_GOOGLE_MOCKED_RESPONSES, styles = told ? require(told) : {{}};
        const wanted = ["{address}", "{address}".replace("Open+Sans", "Inter")];
        for (const each of wanted) if (!styles[each]) throw new Error("Failed to fetch: " + each);
        if (!styles[wanted[0]].includes("font-family: 'Open Sans'")) throw new Error(styles[wanted[0]]);"""
    scripts = {"build": "node build.js", "start": "node server.js"}
    files = {"package.json": package(scripts=scripts), "build.js": build, "server.js": NODE_SERVER % "7002"}
    assert (await deploy_files(world, files)).fault == ""


async def test_what_is_deployed_is_found_by_the_next_check_and_started_again_where_it_ended(world: World) -> None:
    async with open_application(world, {"index.html": PAGE, "app.js": ""}) as applications:
        first = await deploy(applications)
        assert await deploy(applications) is first
        await applications.box.end_processes()
        again = await deploy(applications)
        assert (again.fault, again.url) == ("", first.url)
        assert [step.name for step in again.steps] == [step.name for step in first.steps]


@pytest.mark.parametrize(
    ("address", "port", "late"),
    [("0.0.0.0", 7011, 0), ("::1", 7012, 0), ("127.0.0.1", 7013, 2), ("127.0.0.2", 7014, 0)],
)
async def test_an_application_is_found_wherever_it_listens(world: World, address: str, port: int, late: int) -> None:
    program = PYTHON_SERVER % (late, address, port)
    if ":" in address:
        program = "import http.server, socket\nhttp.server.HTTPServer.address_family = socket.AF_INET6\n" + program
    deployed = await deploy_files(world, {"server.py": program})
    assert (deployed.fault, deployed.status) == ("", 200), deployed
    assert deployed.url.endswith(f":{port}/")


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"README.md": "# Soon"}, "files: there is nothing that could be started"),
        ({"index.html": PAGE, "app.js": "let a = ;"}, "syntax: app.js:1: Unexpected token"),
        ({"index.html": "<h1>x</h1>\n<script>\nif (</script>"}, "syntax: index.html:3: Unexpected"),
        ({"index.html": "<h1>x</h1><script>let a = 1;"}, "syntax: index.html:1: <script> is never closed"),
        ({"app.py": "from flask import Flask\napp = Flask(\n"}, "syntax: app.py:2: '(' was never closed"),
        ({"package.json": "{,}", "server.js": NODE_SERVER % 1}, "syntax: package.json:1: "),
        ({"app.py": FLASK, "requirements.txt": "flaskk-of-nobody==9"}, "dependencies: exit 1: ERROR: No matching"),
        ({"app.py": FLASK}, "start: it ended with exit 1: "),
        ({"package.json": package(scripts={"build": "false", "start": "node ."})}, "build: exit 1"),
    ],
)
async def test_a_fault_names_the_step_that_failed(world: World, files: Files, fault: str) -> None:
    deployed = await deploy_files(world, files)
    assert deployed.fault.startswith(fault), deployed.fault
    assert deployed.steps[-1].fault


async def test_what_the_image_does_not_have_comes_from_the_registry(world: World) -> None:
    files = {"app.py": FLASK + "import cowsay\n", "requirements.txt": "flask\ncowsay\n"}
    async with open_application(world, files, networks=NETWORKS) as applications:
        deployed = await deploy(applications)
        assert (deployed.fault, deployed.status) == ("", 200), deployed


async def test_what_a_pipfile_asks_for_is_installed(world: World) -> None:
    pipfile = '[packages]\nflask = ">=3"\njinja2 = {version = "*"}\n\n[dev-packages]\nnobody-has-this = "*"\n'
    deployed = await deploy_files(world, {"app.py": FLASK, "Pipfile": pipfile})
    assert (deployed.fault, deployed.status) == ("", 200), deployed


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ('"^0.101.0"', "lamp>=0.101.0,<0.102"),
        ('"^2.1"', "lamp>=2.1,<3"),
        ('"^0.0.6"', "lamp>=0.0.6,<0.0.7"),
        ('"~1.4.2"', "lamp>=1.4.2,<1.5"),
        ('"~=1.4"', "lamp~=1.4"),
        ('">=1.2, <2"', "lamp>=1.2,<2"),
        ('">= 1.2 <2"', "lamp>=1.2,<2"),
        ('"=1.2"', "lamp==1.2"),
        ('"1.2.x"', "lamp"),
        ('"1.2.*"', "lamp==1.2.*"),
        ('"*"', "lamp"),
        ('"^1 || ^2"', "lamp"),
        ('{ version = "^3.1", extras = ["oil"] }', "lamp[oil]>=3.1,<4"),
        ('{ git = "https://host.example/lamp" }', "lamp"),
        ('[{ version = "^1", python = "<3.8" }, { version = "^2", python = ">=3.8" }]', "lamp"),
    ],
)
def test_pip_is_told_of_the_versions_that_poetry_allows(here: Path, asked: str, told: str) -> None:
    assert read_requirements(here, asked) == [told]


def test_what_poetry_has_locked_is_installed_with_all_that_it_needs_and_nothing_else(here: Path) -> None:
    other = """pane = {version = '*', markers = 'python_version < "3.9"'}"""
    packages = {"Lamp": ("1.2", "wick_oil = '*'"), "wick-oil": ("0.3", f"lamp = '*'\n{other}"), "pane": ("1", "")}
    (here / "poetry.lock").write_text(
        "\n".join(
            f"[[package]]\nname = '{name}'\nversion = '{version}'\n[package.dependencies]\n{needs}"
            for name, (version, needs) in packages.items()
        )
    )
    assert read_requirements(here, '"^1"') == ["lamp==1.2", "wick-oil==0.3"]
    assert read_requirements(here, '"^1"\nlantern = "*"') == ["lamp==1.2", "wick-oil==0.3", "lantern"]
    (here / "poetry.lock").write_text("[[package")
    assert read_requirements(here, '"^1"') == ["lamp>=1,<2"]


def read_requirements(here: Path, asked: str) -> object:
    """What a project asks for that says this to Poetry of the package `lamp`."""
    (here / "pyproject.toml").write_text(f'[tool.poetry.dependencies]\npython = "^3.10"\nlamp = {asked}\n')
    request = json.dumps({"skipped": [], "marks": {}, "hosts": ["cdn.example"]})
    surveyed = subprocess.run([sys.executable, "-I", SURVEY], input=request, capture_output=True, text=True, check=True)
    return json.loads(surveyed.stdout)["requirements"]["pyproject.toml"]


@pytest.mark.parametrize(
    ("module", "wanted"), [("orjson", "flask==3.0.3\norjson==3.10.4\n"), ("cgi", "flask==3.0.3\n")]
)
async def test_what_needs_an_older_python_is_installed_for_that(world: World, module: str, wanted: str) -> None:
    files = {"app.py": f"{FLASK}import {module}\n", "requirements.txt": wanted}
    async with open_application(world, files, networks=NETWORKS) as applications:
        deployed = await deploy(applications)
        assert (deployed.fault, deployed.status) == ("", 200), deployed
        assert (await applications.box.exec("python --version")).out.startswith("Python 3.11")


@pytest.mark.slow
async def test_a_registry_that_does_not_answer_is_no_fault_of_the_attempt(world: World) -> None:
    unreachable = Networks(serving=Network(mode="allow", hosts=("localhost",)))
    files = {"app.py": FLASK, "requirements.txt": "flask\ncowsay\n"}
    async with open_application(world, files, networks=unreachable) as applications:
        with pytest.raises(Undecided, match="registry does not answer"):
            await deploy(applications)


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (
            "Collecting flask\nCollecting bottle==0.12.7 (from -r list.txt)\nerror: subprocess-exited-with-error\n"
            "    ImportError: cannot import name 'getargspec'\nnote: This error is likely not a problem with pip.\n",
            "bottle==0.12.7: ImportError: cannot import name 'getargspec'",
        ),
        (
            "npm error code 1\nnpm error path /workspace/node_modules/node-sass\nnpm error command failed\n",
            "node-sass: npm error command failed",
        ),
        (
            "npm error code 1\nnpm error path /workspace/node_modules/mongo\nnpm error command failed\n"
            "npm error command sh -c node ./postinstall.js\nnpm error mongo: checking its cache\n"
            "npm error Error: Download: md5 check is failed\nnpm error     at Download.check (mongo.js:133:15)\n",
            "mongo: npm error Error: Download: md5 check is failed",
        ),
        (
            'ys):\n  File "a.py", line 3, in <module>\n    S()\n    ~^^\n'
            "pydantic_core.ValidationError: 1 validation error for Settings\nDATABASE_URL\n  Field required\n"
            "    For further information visit https://errors.pydantic.dev/2.10/v/missing\n",
            "pydantic_core.ValidationError: 1 validation error for Settings DATABASE_URL Field required",
        ),
        (
            "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error Found: vite@4\n"
            'npm error Could not resolve dependency:\nnpm error peer vite@"^5.0.0" from plugin@2.0.0\n',
            'peer vite@"^5.0.0" from plugin@2.0.0: npm error ERESOLVE unable to resolve dependency tree',
        ),
        (
            "[9] [ERROR] Exception in worker process\nRuntimeError: DATABASE_URI must be set\n"
            "[7] [ERROR] Worker (pid:9) exited with code 3.\n[7] [ERROR] Reason: Worker failed to boot.\n",
            "RuntimeError: DATABASE_URI must be set",
        ),
        (
            "Failed to compile.\n\nModule not found: Error: Can't resolve './list'\n",
            "Module not found: Error: Can't resolve './list'",
        ),
        (
            "sqlalchemy.exc.OperationalError: (2003) Can't connect to MySQL server\n"
            "(Background on this error at: https://sqlalche.me/e/20/e3q8)\n",
            "sqlalchemy.exc.OperationalError: (2003) Can't connect to MySQL server",
        ),
        (
            'app.ts(6,23): \x1b[31merror\x1b[0m TS7016: no declaration file\nERROR: "type-check" exited with 2.\n',
            "app.ts(6,23): error TS7016: no declaration file",
        ),
        (
            "Error: Failed to resolve /src/main.jsx from /workspace/index.html\n    at Object.build (cli.js:776:3) {\n"
            "  errors: [Getter/Setter]\n}",
            "Error: Failed to resolve /src/main.jsx from /workspace/index.html",
        ),
        (
            "MongoNetworkError: failed to connect to server [localhost:27017]\n    at Pool.emit (node:events:519) {\n"
            "  name: 'MongoNetworkError',\n  code: undefined,\n  [Symbol(mongoErrorContextSymbol)]: {}\n}\n",
            "MongoNetworkError: failed to connect to server [localhost:27017]",
        ),
        (
            "Failed to fetch `Inter` from Google Fonts.\n\n> Build failed because of webpack errors\n",
            "Failed to fetch `Inter` from Google Fonts.",
        ),
        (
            'KeyError: no such table\n127.0.0.1 - - "POST /add HTTP/1.1" 500 Internal Server Error\n'
            "127.0.0.1 - - code 500, message Internal Server Error\n",
            "KeyError: no such table",
        ),
        (
            f"{TRACEBACK}:\nModuleNotFoundError: No module named 'cgi'\n\n{CAUSED}\n\n{TRACEBACK}:\n"
            "ImportError: Couldn't import Django.\n",
            "ModuleNotFoundError: No module named 'cgi'",
        ),
        (
            f"{TRACEBACK}:\nKeyError: 'a'\n\n{CAUSED}\n\n{TRACEBACK}:\nValueError: b\n{TRACEBACK}:\nTypeError: c\n",
            "TypeError: c",
        ),
        (
            "Collecting nosuch\nERROR: No matching distribution found for nosuch\n",
            "ERROR: No matching distribution found for nosuch",
        ),
    ],
)
def test_of_an_output_the_line_that_says_why_is_told(output: str, told: str) -> None:
    assert find_telling_line(output) == told
