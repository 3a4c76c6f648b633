"""The box of application tasks: its repository, and packages that install without a network."""

from __future__ import annotations

import json

from crucible.domains.web.world import app_env
from crucible.sandbox import World

PACKAGE = {"name": "x", "private": True, "dependencies": {"express": "^5.0.0"}}


async def test_usual_packages_install_without_a_network_and_are_not_part_of_what_is_left(world: World) -> None:
    async with world.open(app_env()) as box:
        await box.write("package.json", json.dumps(PACKAGE).encode())
        await box.write("requirements.txt", b"flask\n")
        installed = await box.exec(
            "npm install --offline && pip install -q --no-index -r requirements.txt", timeout=300
        )
        assert installed.ok, installed.out + installed.err
        assert (await box.exec("node -e \"require('express')\" && python -c 'import flask'")).ok
        left = await box.exec("git status --porcelain --untracked-files=all")
        assert left.out.split() == ["??", "package-lock.json", "??", "package.json", "??", "requirements.txt"]
