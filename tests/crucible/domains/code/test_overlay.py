"""A task's files take the place of whatever the attempt left there, and patches apply whatever their size."""

import base64

import pytest

from crucible.box_patch import INLINE_BYTES, apply_patch
from crucible.domains.code.overlay import lay_files
from crucible.sandbox import Env, World

ODD = bytes(range(256))


@pytest.mark.parametrize("size", [10, INLINE_BYTES + 1], ids=["in one command", "one by one"])
async def test_files_are_laid_whatever_stands_in_their_place(world: World, plain: Env, size: int) -> None:
    text = "é" + "x" * size
    tests = {"tests/a b.py": text, "tests/deep/er.py": "", "top.py": "END\n$HOME `id`\n", "linked/c.py": "c"}
    async with world.open(plain) as box:
        await box.exec("mkdir -p 'tests/a b.py/inner' /tmp/away && ln -s /tmp/away linked && ln -s /etc/passwd top.py")
        await lay_files(box, tests, {"tests/odd.bin": base64.b64encode(ODD).decode()})
        assert {path: (await box.read(path)).decode() for path in tests} == tests
        assert await box.read("tests/odd.bin") == ODD
        assert (await box.exec("stat -c %a top.py; ls /tmp/away")).out == "644\n"


@pytest.mark.parametrize("lines", [1, INLINE_BYTES], ids=["small", "large"])
async def test_a_patch_applies_and_one_that_does_not_says_so(world: World, plain: Env, lines: int) -> None:
    added = "".join(f"+{number}\n" for number in range(lines))
    patch = f"diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,{lines} @@\n{added}"
    async with world.open(plain) as box:
        assert (await apply_patch(box, patch.encode())).ok
        assert len((await box.read("new")).splitlines()) == lines
        again = await apply_patch(box, patch.encode())
        assert not again.ok
        assert "already exists" in again.err
