"""A change that adds a dependency is measured with it, in real boxes; where it cannot be had, without."""

import json
from collections.abc import Callable

import pytest

from crucible.mining import MiningContext
from crucible.sandbox import Env, World
from crucible.store.blobs import Blobs
from pipelines.swe.environment.build_inputs import gather_build_inputs
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import Candidate, PullRequest
from pipelines.swe.rewards.fail_to_pass import build_task

PROJECT = '[project]\nname = "a"\nversion = "1"\ndependencies = [{wanted}]\n[tool.setuptools]\npy-modules = ["a"]\n'
PACKAGE = {"name": "a", "version": "1.0.0", "scripts": {"test": "node --test"}}
Files = dict[str, str]
Change = Callable[[Files, Files], Candidate]

PYTHON: Files = {
    "pyproject.toml": PROJECT.format(wanted=""),
    "a.py": "def f(): return 1\n",
    "test_a.py": "import a\ndef test_f(): assert a.f() == 1\n",
}
WITH_IDNA: Files = {
    "pyproject.toml": PROJECT.format(wanted='"idna"'),
    "requirements.txt": "six\n",
    "a.py": "import idna, six\ndef f(): return 2\n",
    "test_a.py": "import a\ndef test_f(): assert a.f() == 2\n",
}
NODE: Files = {
    "package.json": json.dumps(PACKAGE),
    "index.js": "module.exports = () => 1;\n",
    "test/f.test.js": "require('node:test')('f', () => require('node:assert').equal(require('..')(), 1));\n",
}
WITH_MS: Files = {
    "package.json": json.dumps({**PACKAGE, "dependencies": {"ms": "2"}}),
    "index.js": "const ms = require('ms');\nmodule.exports = () => ms('2ms');\n",
    "test/f.test.js": "require('node:test')('f', () => require('node:assert').equal(require('..')(), 2));\n",
}


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [(PYTHON, WITH_IDNA), (NODE, WITH_MS)], ids=["python", "javascript"])
async def test_a_change_that_adds_a_dependency_is_measured_with_it(
    before: Files, after: Files, world: World, blobs: Blobs, change: Change
) -> None:
    context = MiningContext(world=world, blobs=blobs, repeats=1)
    [made] = await prepare_environment(change(before, after), context)
    built = await build_task(made, context)
    assert len(built.fail_to_pass) == 1
    async with world.open(made.env) as box:
        assert not (await box.exec("git status --porcelain")).out
        for path, content in before.items():
            assert (await box.read(path)).decode() == content
        assert not [path for path in set(after) - set(before) if (await box.exec(f"test -e {path}")).ok]


@pytest.mark.slow
async def test_a_dependency_that_cannot_be_had_leaves_the_environment_of_the_base(
    world: World, blobs: Blobs, change: Change
) -> None:
    lost: Files = {**PYTHON, "pyproject.toml": PROJECT.format(wanted='"nothing-of-that-name-anywhere-x"')}
    [made] = await prepare_environment(change(PYTHON, lost), MiningContext(world=world, blobs=blobs))
    assert "nothing-of-that-name" not in str(made.env.recipe)
    assert made.env.recipe == base_env(change(PYTHON, {"a.py": "x = 1\n"}).pull, blobs).recipe


def base_env(pull: PullRequest, blobs: Blobs) -> Env:
    inputs = gather_build_inputs(pull, blobs)
    return inputs.env(inputs.plans[0])


def test_a_change_that_declares_what_its_base_does_has_no_second_installation(blobs: Blobs, change: Change) -> None:
    inputs = gather_build_inputs(change(PYTHON, {"a.py": "x = 1\n", "Makefile": ""}).pull, blobs)
    assert inputs.change_dependencies is None


def test_files_that_another_language_installs_from_do_not_matter(blobs: Blobs, change: Change) -> None:
    both: Files = {**PYTHON, "Makefile": "\ntest:\n\ttrue\n"}
    after: Files = {"a.py": "x = 1\n", "Makefile": "\ntest:\n\tpip install x\n"}
    inputs = gather_build_inputs(change(both, after).pull, blobs)
    assert inputs.change_dependencies
    assert inputs.change_dependencies.add_to(inputs.plans[0], inputs.plans) is None


def test_what_was_mended_comes_after_the_second_installation_too(blobs: Blobs, change: Change) -> None:
    inputs = gather_build_inputs(change(NODE, WITH_MS).pull, blobs)
    mended = inputs.plans[0].model_copy(update={"commands": (*inputs.plans[0].commands, "npm install tape")})
    later = inputs.change_dependencies and inputs.change_dependencies.add_to(mended, inputs.plans)
    assert later
    assert [command.split()[:2] for command in later.commands] == [
        ["npm", "install"],
        ["npm", "install"],
        ["printf", "%s"],
        ["npm", "install"],
        ["npm", "install"],
        ["git", "checkout"],
    ]
    assert later.commands[-2] == later.commands[1] == "npm install tape"
