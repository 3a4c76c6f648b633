"""A task's patch on a shared image: the base is all there is, also to whoever looks for more than named commits."""

import pytest

from crucible.sandbox import Env, Recipe, World
from tests.crucible.toys import FIX

pytestmark = pytest.mark.slow

COMMIT = "git config user.name a && git config user.email a@x && git add -A && git commit -qm base && rm -rf .git/logs"
RECIPE = Recipe(
    packages=("ca-certificates", "git", "python3", "python3-venv"),
    files={"/workspace/state": "broken\n"},
    commands=(f"chown root . && git init -q -b main . && {COMMIT} && git gc -q --prune=now && chown -R agent .",),
)
INJECTED = """diff --git a/state b/state
--- a/state
+++ b/state
@@ -1 +1 @@
-the {0} answer
+wrong
"""
"""A patch that injects a bug: the line it removes is the answer, here with a word to look for."""
SEARCH = """import base64, glob, os
word = b'-the ' + b'hidden' + b' answer'
shifted = [base64.b64encode(b' ' * shift + word)[4:-4] for shift in range(3)]
def holds(data):
    return any(text in data for text in (word, *shifted))
found = []
for status in glob.glob('/proc/[0-9]*'):
    pid = status[6:]
    if pid == str(os.getpid()):
        continue
    for name in ('environ', 'cmdline'):
        try:
            found += [f'{pid} {name}'] * holds(open(f'{status}/{name}', 'rb').read())
        except OSError:
            pass
    try:
        areas = [line.split()[0].split('-') for line in open(f'{status}/maps') if ' r' in line]
        memory = open(f'{status}/mem', 'rb')
    except OSError:
        continue
    print('searched', pid)
    for begin, end in areas:
        try:
            memory.seek(int(begin, 16))
            found += [f'{pid} mem'] * holds(memory.read(int(end, 16) - int(begin, 16)))
        except (OSError, OverflowError, ValueError):
            pass
for folder in ('/workspace', '/tmp', '/var/tmp', '/home', '/run', '/dev/shm'):
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            found += [path] * (os.path.isfile(path) and holds(open(path, 'rb').read()))
print('found', found)
"""
"""Looks for the word, plain or as base64, in whatever a process of the agent can read; says where it looked."""
OBJECTS = "git cat-file --batch-all-objects --batch-check='%(objecttype)' | sort; cat state"


async def test_what_the_image_had_before_the_patch_cannot_be_found(world: World) -> None:
    async with world.open(Env(recipe=RECIPE, patch=FIX)) as box:
        found = (await box.exec(OBJECTS)).out.split()
        kept = await box.exec("git cat-file -e $(echo broken | git hash-object --stdin)")
    assert found == ["blob", "commit", "tree", "fixed"]
    assert not kept.ok


async def test_a_process_of_the_agent_finds_the_patch_nowhere(world: World) -> None:
    answer = RECIPE.model_copy(update={"files": {"/workspace/state": "the hidden answer\n"}})
    async with world.open(Env(recipe=answer, patch=INJECTED.format("hidden"))) as box:
        await box.write("/tmp/search.py", SEARCH.encode())
        done = await box.exec("cat state; stat -c %U state .git/index; python3 /tmp/search.py", timeout=60)
    *searched, found = done.out.splitlines()
    assert searched[:3] == ["wrong", "agent", "agent"]
    assert len(searched) > 4, "the shell's memory must have been readable for the search to mean anything"
    assert found == "found []"
