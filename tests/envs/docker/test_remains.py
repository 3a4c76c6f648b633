"""What a box has written over its image, read in two ways and laid in another box."""

from __future__ import annotations

import shlex
from typing import Any, cast

import pytest

from crucible.sandbox import Env, LaidFile, Network, Networks, Recipe, World
from crucible.store.blobs import Blobs
from envs.docker.engine_layer import read_by_engine
from envs.docker.layer_archive import Entry, pack_entries, read_entries
from envs.docker.remains import find_overlay, inspect_container, make_scope
from envs.docker.world import DockerWorld

USUAL = ("ca-certificates", "git", "python3", "python3-venv")
ROOT = Env(recipe=Recipe(packages=USUAL, user="root"), leaves="layer")
COMMIT = "git config user.name a && git config user.email a@x && git commit -qm base --allow-empty"
CHANGES = """
mkdir -p /opt/app/deep /opt/empty && echo hi > /opt/app/deep/file && chmod 4755 /opt/app/deep/file
ln -s /etc/passwd /opt/link && ln -s nowhere /opt/dangling && mkfifo /opt/pipe && echo x > '/opt/odd b name'
rm /etc/issue && rm -rf /etc/skel && mkdir /etc/skel && echo new > /etc/skel/file
rm -rf /etc/alternatives && ln -s /opt /etc/alternatives && rm -rf /usr/games && echo file > /usr/games
chmod 600 /etc/debian_version && chmod 711 /var/mail && chmod 777 /srv && chmod 755 /srv
echo short > /tmp/short && rm /tmp/short && mkdir /tmp/.crucible && echo ours > /tmp/.crucible/ours
"""


async def facts_of(world: World, container: str) -> Any:
    return await inspect_container(cast(DockerWorld, world)._engine, container)


async def test_the_layer_is_the_same_read_from_the_engines_folder_and_by_its_answers(world: World) -> None:
    async with world.open(ROOT) as box:
        assert (await box.exec(CHANGES)).ok
        container = cast(Any, box).container
        facts = await facts_of(world, container)
        read = (await box.collect()).archive
        told = pack_entries(read_by_engine(cast(DockerWorld, world)._engine.api, container, make_scope(ROOT, facts)))
    assert find_overlay(facts) is not None
    assert read is not None
    assert [entry.header.name for entry in read_entries(read)] == [entry.header.name for entry in read_entries(told)]
    assert read == told
    names = {entry.header.name for entry in read_entries(read)}
    assert {"etc/.wh.issue", "etc/skel/.wh..bashrc", "opt/empty", "opt/pipe", "usr/games"} <= names
    assert not {"srv", "tmp", "tmp/.crucible"} & names


LIST = "find /etc /opt /usr/games /var /srv -printf '%p %y %m %U %G %l\\n' | grep -v 'etc/host\\|resolv\\|mtab' | sort"


async def test_a_layer_that_is_laid_gives_the_same_machine(world: World) -> None:
    async with world.open(ROOT) as box:
        assert (await box.exec(CHANGES)).ok
        remains, before = (await box.collect()).archive, (await box.exec(LIST)).out
    async with world.open(ROOT, phase="grading", remains=remains) as box:
        after = (await box.exec(LIST)).out
    assert before == after


LINKS = r"""set -e
mkdir /opt/links && echo one > /opt/links/b && ln /opt/links/b /opt/links/a && ln /opt/links/b /srv/c
ln /etc/debian_version /opt/links/version && cp /usr/bin/true /opt/links/true && chown 1:1 /opt/links/true
python3 - <<'END'
import os
os.setxattr("/opt/links/b", "user.note", b"of all names \xff")
os.setxattr("/opt/links", "user.folder", b"yes")
os.setxattr("/etc/issue", "user.only", b"this")
os.setxattr("/opt/links/true", "security.capability", bytes.fromhex("0100000200040000000000000000000000000000"))
END
ln /opt/links/true /opt/links/true2
"""
TOLD = "import os\nfor path in '/opt/links/a /opt/links /etc/issue /opt/links/true2'.split():\n"
TOLD += "    print(path, [(name, os.getxattr(path, name)) for name in os.listxattr(path)])\n"
INODES = "stat -c %h /opt/links/* && stat -c %i /opt/links/a /opt/links/b /srv/c | uniq | wc -l && python3 -c "


async def test_hard_links_and_extended_attributes_are_kept_and_laid(world: World) -> None:
    env = ROOT.model_copy(update={"capabilities": ("SETFCAP", "CHOWN", "FOWNER", "DAC_OVERRIDE")})
    ask = INODES + shlex.quote(TOLD)
    async with world.open(env) as box:
        assert (await box.exec(LINKS)).ok
        remains, before = await box.collect(), await box.exec(ask)
        told = await tell_by_engine(world, cast(Any, box).container, env)
    assert (before.code, remains.detail) == (0, "")
    assert "user.note" in before.out
    assert remains.archive is not None
    links = {entry.path: entry.header.linkname for entry in read_entries(remains.archive) if entry.header.islnk()}
    assert links == {
        "opt/links/b": "opt/links/a",
        "srv/c": "opt/links/a",
        "opt/links/version": "etc/debian_version",
        "opt/links/true2": "opt/links/true",
    }
    async with world.open(env, phase="grading", remains=remains.archive) as box:
        assert (await box.exec(ask)).out == before.out
        again = await box.collect()
    assert again.archive == remains.archive
    assert not any(entry.header.islnk() for entry in told)
    assert {entry.data for entry in told if entry.path in ("opt/links/a", "opt/links/b", "srv/c")} == {b"one\n"}


async def test_what_the_engine_does_not_tell_is_recorded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envs.docker.remains.find_overlay", lambda facts: None)
    async with world.open(ROOT) as box:
        await box.exec("echo one > /opt/a && ln /opt/a /opt/b")
        remains = await box.collect()
    assert "hard links as copies" in remains.detail
    assert remains.archive is not None
    assert [entry.data for entry in read_entries(remains.archive) if entry.header.isreg()] == [b"one\n"] * 2


async def tell_by_engine(world: World, container: str, env: Env) -> list[Entry]:
    """What the engine's answers tell of a box."""
    scope = make_scope(env, await facts_of(world, container))
    return read_by_engine(cast(DockerWorld, world)._engine.api, container, scope)


async def test_an_idle_box_leaves_nothing(world: World) -> None:
    async with world.open(ROOT) as box:
        await box.exec("cat", stdin=b"given")
        remains = await box.collect()
    assert remains.archive is not None
    assert read_entries(remains.archive) == []


async def test_what_the_agent_links_to_is_never_read(world: World) -> None:
    env = Env(recipe=Recipe(packages=USUAL), leaves="files", outputs=("**/*.txt",))
    async with world.open(env) as box:
        await box.exec("ln -s /etc/shadow secret.txt; mkdir out; ln -s / out/all; echo mine > out/own.txt")
        remains = (await box.collect()).archive
    assert remains is not None
    entries = {entry.path: entry for entry in read_entries(remains)}
    assert set(entries) == {"workspace", "workspace/out", "workspace/out/own.txt", "workspace/secret.txt"}
    assert entries["workspace/secret.txt"].header.linkname == "/etc/shadow"
    assert entries["workspace/secret.txt"].data == b""


async def test_folders_too_deep_to_be_named_are_lost_and_nobody_hangs(world: World) -> None:
    deep = "import os\nfor n in range(60): os.mkdir('d' * 200); os.chdir('d' * 200)\nopen('end', 'w')"
    async with world.open(ROOT) as box:
        assert (await box.exec(f'python3 -c "{deep}"')).ok
        remains = await box.collect()
    assert (remains.left, remains.archive) == ("lost", None)


async def test_laid_files_belong_to_the_commit_that_a_diff_is_taken_from(world: World, blobs: Blobs) -> None:
    recipe = Recipe(packages=USUAL, commands=(f"chown root . && git init -q . && {COMMIT} && chown -R agent .",))
    files = {
        "data/book.xlsx": LaidFile(blob=blobs.put(b"PK\0\xff"), mode=0o600),
        "/opt/key": LaidFile(blob=blobs.put(b"k"), owner="root", mode=0o640),
    }
    async with world.open(Env(recipe=recipe, files=files)) as box:
        done = await box.exec("git status --porcelain; git ls-files; stat -c '%a %U' data/book.xlsx data /opt/key")
        assert done.out == "data/book.xlsx\n600 agent\n755 agent\n640 root\n"
        assert await box.read("data/book.xlsx") == b"PK\0\xff"


async def test_a_box_has_the_capabilities_that_are_named_and_no_others(world: World) -> None:
    named = ROOT.model_copy(update={"capabilities": ("CHOWN", "NET_BIND_SERVICE")})
    look = "grep -E 'CapEff|NoNewPrivs' /proc/self/status"
    async with world.open(named) as box, world.open(ROOT) as bare:
        assert (await box.exec(look)).out.split() == ["CapEff:", f"{1 | 1 << 10:016x}", "NoNewPrivs:", "1"]
        assert (await bare.exec(look)).out.split() == ["CapEff:", "0" * 16, "NoNewPrivs:", "1"]


async def test_the_phase_chooses_the_network(world: World, plain: Env) -> None:
    env = plain.model_copy(update={"networks": Networks(serving=Network(mode="internal"))})
    async with world.open(env) as box, world.open(env, phase="serving") as serving:
        assert not box.address
        assert serving.address
        async with world.open(env, phase="grading") as grading:
            assert not grading.address


async def test_root_has_no_tools_to_trust_while_it_attempts(world: World) -> None:
    async with world.open(ROOT) as box:
        with pytest.raises(Exception, match="only while it is graded"):
            await box.exec("true", trusted=True)
