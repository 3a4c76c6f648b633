"""Builds an environment for each tool and tries our exports in it: `python -m peers.run [TOOL...]`.

A tool is a folder here with a `requirements.txt` and a module `check`, which prints a line of JSON for everything it
tried: tool, format, template, ok, seen. It is handed a folder with two ledgers' exports: of made-up attempts with every
odd case, a folder for each format, and of the demo (`make demo`), in `demo`. Tools whose policies act get a task for
that, in `live`, with its episodes served. The environments are gigabytes and lie outside the checkout, in `PEERS_HOME`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console
from rich.table import Table

from peers.serving import ACTING_TOOLS, serve_live_task

HERE = Path(__file__).parent
HOME = Path(os.environ.get("PEERS_HOME", Path.home() / ".cache" / "crucible-peers"))
DEMO = Path(os.environ.get("PEERS_DEMO", HERE.parent / ".crucible" / "demo"))
"""The home of the demo, whose tasks are run in the tools that grade."""
TEMPLATE_TOOLS = ("trl", "verl", "axolotl")
"""Those that are tried with the chat templates that TRL ships."""
GRADED_FORMATS = ("harbor", "swe-bench")
DOCKER_COMMANDS = {"harbor": ("compose", "buildx"), "swebench": ("buildx",)}
"""What tools that grade ask of the Docker client beyond its own commands."""
UV = "uv==0.13.7"
"""Installs the environments: it shares what they have in common, and resolves in seconds what pip does in minutes."""
PYTHON = re.compile(r"^# python ([\d.]+)$", re.MULTILINE)
# matches, in requirements.txt: # python 3.12


def main(names: list[str]) -> int:
    tools = names or sorted(path.parent.name for path in HERE.glob("*/requirements.txt"))
    if missing := [f"{tool} needs `docker {word}`" for tool in tools for word in list_missing_commands(tool)]:
        print(f"{'; '.join(missing)}: install what is missing, or name other tools")
        return 2
    table = Table("tool", "format", "template", "", "seen", box=None)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "peers.odd_attempts", folder], check=True, cwd=HERE.parent)
        export_demo(Path(folder) / "demo")
        acts = any(tool in ACTING_TOOLS for tool in tools)
        with serve_live_task(Path(folder) / "live") if acts else nullcontext({}) as served:
            for tool in tools:
                for line in try_tool(tool, Path(folder), served):
                    known = "" if line["ok"] else find_known(tool, line)
                    state = "ok" if line["ok"] else "known" if known else "NO"
                    table.add_row(line["tool"], line["format"], line["template"], state, known or line["seen"])
                    failed += state == "NO"
    Console(width=200).print(table)
    return int(failed > 0)


def list_missing_commands(tool: str) -> list[str]:
    """The commands that the tool asks of the Docker client and that it does not have."""
    needed = DOCKER_COMMANDS.get(tool, ())
    return [word for word in needed if subprocess.run(["docker", word, "version"], capture_output=True).returncode]


def try_tool(tool: str, exports: Path, served: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """What the tool's check says of the exports; `served` says where its policies may act."""
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_CACHE": str(exports / "cache"), "PYTHONPATH": "."}
    offline |= served
    if tool in TEMPLATE_TOOLS:
        offline["PEERS_TEMPLATES"] = str(find_templates())
    command = [make_environment(tool), "-W", "ignore", "-m", f"peers.{tool}.check", str(exports)]
    done = subprocess.run(command, cwd=HERE.parent, env=offline, stdout=subprocess.PIPE, text=True, check=True)
    return (json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"tool"'))


def find_known(tool: str, line: dict[str, str]) -> str:
    """Why a tool or a template is known not to take an export; empty where it should."""
    template = line["template"].partition(",")[0]
    known = tomllib.loads((HERE / "known.toml").read_text("utf-8"))["known"]
    cases = {(case["tool"], case["format"], case["template"]): str(case["why"]) for case in known}
    return cases.get((tool, line["format"], template), "")


def find_templates() -> Path:
    """The chat templates that TRL ships, in its environment."""
    [folder] = Path(make_environment("trl")).parents[1].glob("lib/*/site-packages/trl/chat_templates")
    return folder


def export_demo(folder: Path) -> None:
    """Export the tasks of the demo in the formats that are graded."""
    if not DEMO.is_dir():
        print(f"no demo in {DEMO}, so no task is graded: `make demo`")
    for format in GRADED_FORMATS if DEMO.is_dir() else ():
        words = ["--format", format, "--all", "--authored", "--out", str(folder / format), "--set", f"home={DEMO}"]
        command = [sys.executable, "-m", "crucible", "export", *words]
        subprocess.run(command, check=True, cwd=HERE.parent, stdout=subprocess.DEVNULL)


def make_environment(tool: str) -> str:
    """The interpreter of the tool's environment, which is made where it is missing or its requirements have changed."""
    place, requirements = HOME / tool, HERE / tool / "requirements.txt"
    python, made_of = place / "bin" / "python", place / "requirements.txt"
    wanted = requirements.read_text()
    if not made_of.exists() or made_of.read_text() != wanted:
        version = PYTHON.search(wanted)
        run_uv("venv", "-q", "--clear", "--python", version[1] if version else sys.executable, str(place))
        run_uv("pip", "install", "-q", "--python", str(python), "-r", str(requirements))
        made_of.write_text(wanted)
    return str(python)


def run_uv(*words: str) -> None:
    """Run uv, which gets an environment of its own. It finds the interpreters of pyenv, too."""
    uv = HOME / "uv" / "bin" / "uv"
    if not uv.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(uv.parents[1])], check=True)
        subprocess.run([str(uv.with_name("pip")), "install", "-q", UV], check=True)
    interpreters = sorted(map(str, Path.home().glob(".pyenv/versions/*/bin")))
    found = os.environ | {"PATH": os.pathsep.join([os.environ["PATH"], *interpreters])}
    subprocess.run([str(uv), *words], check=True, env=found | {"UV_CACHE_DIR": str(HOME / "cache")})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
