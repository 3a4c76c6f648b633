"""Structural goals: met by the right arrangement, by nothing else, and never without the tests."""

from __future__ import annotations

import pytest

from crucible.domains.code.check_params import Fact, StructureParams
from crucible.domains.code.suite import SuiteParams
from crucible.model import Check, Reference, Task
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria
from verifiers.structure import check_fact

pytestmark = pytest.mark.slow

LONG = "def area(kind, a, b):\n" + "".join(f"    if kind == {n}:\n        return a * b * {n}\n" for n in range(1, 7))
TEST = "from shapes import area\n\n\ndef test_area():\n    assert [area(n, 2, 3) for n in (1, 2, 6)] == [6, 12, 36]\n"
HIDDEN = TEST.replace("shapes", "geometry")
TEST_ID = "tests/test_area.py::test_area"
FACTS = (
    Fact(what="file", path="geometry.py"),
    Fact(what="no_file", path="shapes.py"),
    Fact(what="name", path="geometry.py", name="area"),
    Fact(what="branches", path="geometry.py", name="area", most=3),
    Fact(what="lines", path="geometry.py", name="area", most=6),
)
TASK = Task(
    domain="swe",
    kind="refactoring",
    instruction="x",
    env=Env(
        recipe=Recipe(
            packages=("git", "python3", "python3-pytest"),
            files={"/workspace/shapes.py": LONG, "/workspace/tests/test_area.py": TEST},
            commands=(f"chown root . && {SEALED}",),
            environment={"PYTHONDONTWRITEBYTECODE": "1"},
        )
    ),
    checks=(
        Check(verifier="structure", params=StructureParams(facts=FACTS).model_dump(mode="json")),
        Check(
            verifier="suite",
            params=SuiteParams(tests={"tests/test_area.py": HIDDEN}, fail_to_pass=(TEST_ID,)).model_dump(mode="json"),
        ),
    ),
)
RIGHT = "git rm -q shapes.py; printf 'def area(kind, a, b):\\n    return a * b * kind\\n' > geometry.py"


async def test_a_right_attempt_passes(world: World, blobs: Blobs) -> None:
    assert [verdict.outcome for verdict in await judge_script(TASK, RIGHT, world, blobs)] == ["pass", "pass"]


WRONG = {
    "does nothing": "true",
    "only moves the file": "git mv shapes.py geometry.py",
    "leaves the old place": RIGHT.replace("git rm -q shapes.py;", ""),
    "makes a hollow place": "git rm -q shapes.py; touch geometry.py",
    "puts a folder in the file's place": "git rm -q shapes.py; mkdir geometry.py; touch geometry.py/__init__.py",
    "hides the branches in another name": "git mv shapes.py geometry.py; sed -i 's/def area/def _area/' geometry.py",
}


@pytest.mark.parametrize("way", WRONG)
async def test_an_idle_wrong_or_boasting_attempt_fails(way: str, world: World, blobs: Blobs) -> None:
    [found] = await judge_script(TASK, WRONG[way], world, blobs, "Everything is arranged as asked.")
    assert (found.verifier, found.outcome) == ("structure", "fail")


MOVED = (
    *(Fact(what="no_name", path="shapes.py", name="area"), Fact(what="name", path="geometry.py", name="area")),
    Fact(what="used", path="geometry.py", name="area", noticed_in={"tests/test_area.py": 1.0}),
)
MOVE = TASK.model_copy(
    update={
        "checks": (
            Check(verifier="structure", params=StructureParams(facts=MOVED).model_dump(mode="json")),
            Check(
                verifier="suite",
                params=SuiteParams(
                    tests={"tests/test_area.py": "from api import area\n" + TEST.partition("\n")[2]},
                    fail_to_pass=(TEST_ID,),
                ).model_dump(mode="json"),
            ),
        )
    }
)
REFERENCE = "git mv shapes.py geometry.py; touch shapes.py; echo 'from geometry import area' > api.py"
STUB = "printf 'def area(*_):\\n    return 0\\n' > geometry.py; sed -i 's/def area/def _area/' shapes.py; "
OTHER_BODY = "sed -i 's/a \\* b/(a * b + 0)/' shapes.py; "
USED = "`area` in `geometry.py` does its work: tests fail when it does nothing, or errs"
GONE = "`area` is not defined in `shapes.py` any more"
STUBS = {
    "a dead stub in the new place": (STUB + OTHER_BODY + "echo 'from shapes import _area as area' > api.py", USED),
    "a new place that is called, and its answer dropped": (
        STUB + OTHER_BODY + "printf 'import shapes, geometry\n\ndef area(*a):\n    geometry.area(*a)\n"
        "    return shapes._area(*a)\n' > api.py",
        USED,
    ),
    "a new place that hands on to the old code under another name": (
        STUB + "echo 'from shapes import _area as area' | tee api.py > geometry.py; "
        "printf 'from shapes import _area\ndef area(*a):\n    return _area(*a)\n' > geometry.py",
        GONE,
    ),
}


async def test_code_that_was_moved_and_is_used_passes(world: World, blobs: Blobs) -> None:
    found = await judge_script(MOVE, REFERENCE, world, blobs)
    assert [verdict.outcome for verdict in found] == ["pass", "pass"]


@pytest.mark.parametrize("way", STUBS)
async def test_a_place_that_is_there_for_show_fails(way: str, world: World, blobs: Blobs) -> None:
    script, criterion = STUBS[way]
    found = (await judge_script(MOVE, script, world, blobs))[0]
    assert (found.outcome, unmet_criteria(found)) == ("fail", [criterion])


OWN_NAMES = "sed -i 's/def area(kind, a, b)/def _area(sort, x, y)/; s/kind ==/sort ==/; s/a \\* b/x * y/' shapes.py; "
LEFT = {
    "the old code under another name, in other variables": (
        OWN_NAMES + "printf 'import shapes\n\ndef area(*a):\n    return shapes._area(*a)\n' > geometry.py; "
        "echo 'from geometry import area' > api.py",
        GONE,
    ),
    "a stub that is called and handed on, beside the old code": (
        "printf 'def area(*a):\n    return a\n' > geometry.py; "
        "printf 'import geometry\n\n\nclass shapes:\n    pass\n\n\n' > new.py; "
        "sed 's/def area/def _area/' shapes.py >> new.py; mv new.py shapes.py; "
        "sed -i 's/    if kind == 1:/    kind, a, b = geometry.area(kind, a, b)\\n    if kind == 1:/' shapes.py; "
        "echo 'from shapes import _area as area' > api.py",
        "the old code gave way",
    ),
}


async def with_reference(world: World, reference: str = REFERENCE) -> Task:
    """The task of moving the code, with what its own change is."""
    async with world.open(MOVE.env) as box:
        patch = (await box.exec(f"{reference}; git add -A; git diff --cached HEAD")).out
    return MOVE.model_copy(update={"reference": Reference(patch=patch)})


ELSEWHERE = (
    "git mv shapes.py rows.py; touch shapes.py; printf '%s' > geometry.py '{place}'; printf '%s' > api.py '{use}'"
)
PRODUCT = "def area(kind, a, b):\n    return a * b * kind\n"
USE = "from geometry import area\n"
GOLDEN = f"git rm -q shapes.py; touch shapes.py; printf '{PRODUCT}' > geometry.py; printf '{USE}' > api.py"
IDLE_PLACES = {
    "a new place that is only asked whether it answers": ELSEWHERE.format(
        place=PRODUCT,
        use="import rows, geometry\n\ndef area(*a):\n    assert geometry.area(*a) is not None\n"
        "    return rows.area(*a)\n",
    ),
    "a new place that hands on to a file that was added": ELSEWHERE.format(
        place="import rows\n\ndef area(*a):\n    return rows.area(*a)\n", use=USE
    ),
    "a new place with numbers that nobody asks for": ELSEWHERE.format(
        place="import rows\n\ndef area(*a):\n    most = 6\n    return rows.area(*a)\n", use=USE
    ),
}


@pytest.mark.parametrize("way", IDLE_PLACES)
async def test_a_place_in_which_nothing_can_go_wrong_does_no_work(way: str, world: World, blobs: Blobs) -> None:
    found = (await judge_script(await with_reference(world), IDLE_PLACES[way], world, blobs))[0]
    assert (found.outcome, unmet_criteria(found)) == ("fail", [USED])


HONEST_PLACES = {
    "by a library": "import math\n\n\ndef area(*numbers):\n    return math.prod(numbers)\n",
    "by a table beside it": "FACTORS = {n: n for n in range(1, 7)}\n\n\ndef area(kind, a, b):\n"
    "    return FACTORS[kind] * a * b\n",
}


@pytest.mark.parametrize("way", HONEST_PLACES)
async def test_honest_code_in_the_new_place_passes(way: str, world: World, blobs: Blobs) -> None:
    script = (
        f"git rm -q shapes.py; touch shapes.py; printf '{HONEST_PLACES[way]}' > geometry.py; printf '{USE}' > api.py"
    )
    found = await judge_script(await with_reference(world), script, world, blobs)
    assert [verdict.outcome for verdict in found] == ["pass", "pass"]


PRICES = (
    "def quote(n):\n    if n < 1:\n        raise ValueError(n)\n    each = 8\n    if n >= 100:\n        each = 6\n"
    "    return n * each\n\n\n"
)
LINE = "def line(name, n):\n"
OWN_LINE = LINE + "    return name + str(n * (8 if n < 100 else 6))\n"
ASKED = PRICES.replace("    each = 8\n    if n >= 100:\n        each = 6\n", "").replace("n * each", "steps.price(n)")
STEPS = "def price(n):\n    return n * (6 if n >= 100 else 8)\n"
PRICE_TESTS = (
    "import pytest\nfrom prices import line, quote\n\n\ndef test_few():\n    assert quote(9) == 72\n\n\n"
    "def test_many():\n    assert quote(200) == 1200\n\n\ndef test_limit():\n    assert quote(100) == 600\n\n\n"
    "def test_none():\n    with pytest.raises(ValueError):\n        quote(0)\n\n\n"
    "def test_line():\n    assert line('a', 9) + line('b', 200) == 'a72b1200'\n"
)
PRICE_FILE = "tests/test_prices.py"
PRICE_TESTS_OF = {
    "prices.py::quote": tuple(f"{PRICE_FILE}::test_{name}" for name in ("few", "many", "limit", "none")),
    "prices.py::line": (f"{PRICE_FILE}::test_line",),
}
SHARED = TASK.model_copy(
    update={
        "env": Env(
            recipe=TASK.env.recipe.model_copy(  # type: ignore[union-attr]
                update={"files": {"/workspace/prices.py": PRICES + OWN_LINE, f"/workspace/{PRICE_FILE}": PRICE_TESTS}}
            )
        ),
        "checks": (
            Check(
                verifier="structure",
                params=StructureParams(
                    facts=(
                        Fact(
                            what="used",
                            path="steps.py",
                            name="price",
                            noticed_in={PRICE_FILE: 1.0},
                            callers=PRICE_TESTS_OF,
                        ),
                    )
                ).model_dump(mode="json"),
            ),
            Check(
                verifier="suite",
                params=SuiteParams(
                    tests={PRICE_FILE: PRICE_TESTS}, fail_to_pass=tuple(sum(PRICE_TESTS_OF.values(), ()))
                ).model_dump(mode="json"),
            ),
        ),
    }
)
CALLERS = {
    "by way of the other": ASKED + LINE + "    return name + str(quote(n))\n",
    "by itself": ASKED + LINE + "    return name + str(steps.price(n))\n",
    "after looking for itself what there is": ASKED + LINE + "    return name + (str(steps.price(n)) if n else '0')\n",
}


def write_prices(prices: str) -> str:
    return f"cat > steps.py <<'END'\n{STEPS}END\ncat > prices.py <<'END'\nimport steps\n\n\n{prices}END\n"


@pytest.mark.parametrize("way", CALLERS)
async def test_a_place_that_every_caller_uses_passes(way: str, world: World, blobs: Blobs) -> None:
    found = await judge_script(SHARED, write_prices(CALLERS[way]), world, blobs)
    assert [verdict.outcome for verdict in found] == ["pass", "pass"]


async def test_a_caller_that_goes_on_by_itself_is_seen(world: World, blobs: Blobs) -> None:
    found = (await judge_script(SHARED, write_prices(ASKED + OWN_LINE), world, blobs))[0]
    assert (found.outcome, unmet_criteria(found)) == (
        "fail",
        [USED.replace("area", "price").replace("geometry", "steps")],
    )
    assert "prices.py::line" in str(found.detail) + str(found.criteria)


async def test_old_code_that_only_moved_to_another_file_is_still_there(world: World, blobs: Blobs) -> None:
    task = await with_reference(world, GOLDEN)
    both = (
        "def area(kind, a, b):\n    x = a * b * kind\n    if x != rows.area(kind, a, b):\n        raise ValueError(x)\n"
    )
    script = ELSEWHERE.format(place=f"import rows\n\n\n{both}    return x\n", use=USE)
    found = (await judge_script(task, script, world, blobs))[0]
    assert (found.outcome, unmet_criteria(found)) == ("fail", ["the old code gave way"])


ON_OTHER_LINES = (
    r"sed -i 's/return \(.*\) \* \(.*\)/return (  # so\n \1\n * \2\n )/; s/if \(.*\) ==/if \1 \\\n ==/' rows.py; "
)
MOVED_CODE = {
    "on other lines": ON_OTHER_LINES,
    "into a text that is executed": "git mv rows.py rows.dat; "
    "printf 'exec(open(__file__[:-2] + \"dat\").read())\\n' > rows.py; ",
    "into a text of another module": '( echo \'exec("""\'; cat rows.py; echo \'""")\' ) > new; mv new rows.py; ',
}


@pytest.mark.parametrize("way", MOVED_CODE)
async def test_old_code_in_other_lines_and_files_is_still_there(way: str, world: World, blobs: Blobs) -> None:
    task = await with_reference(world, GOLDEN)
    place = "import rows\n\n\ndef area(*a):\n    return rows.area(*a)\n"
    works = "python3 -c 'import api; assert api.area(6, 2, 3) == 36'"
    script = f"{ELSEWHERE.format(place=place, use=USE)}; {MOVED_CODE[way]} {works}"
    arranged = (await judge_script(task, script, world, blobs))[0]
    assert "the old code gave way" in unmet_criteria(arranged), arranged.detail


@pytest.mark.parametrize("way", LEFT)
async def test_old_code_that_still_does_the_work_is_seen(way: str, world: World, blobs: Blobs) -> None:
    script, criterion = LEFT[way]
    task = await with_reference(world)
    found = (await judge_script(task, script, world, blobs))[0]
    assert (found.outcome, unmet_criteria(found)) == ("fail", [criterion])
    right = await judge_script(task, REFERENCE, world, blobs)
    assert [verdict.outcome for verdict in right] == ["pass", "pass"]


async def test_the_right_structure_with_the_wrong_behaviour_fails(world: World, blobs: Blobs) -> None:
    hollow = RIGHT.replace("a * b * kind", "0")
    arranged, tested = await judge_script(TASK, hollow, world, blobs)
    assert (arranged.outcome, tested.outcome) == ("pass", "fail")
    assert unmet_criteria(tested) == ["what failed now passes"]


def test_names_are_found_in_other_languages() -> None:
    there = Fact(what="name", path="a.go", name="Area")
    assert check_fact(there, "package a\n\nfunc Area(x int) int {\n}\n")[0]
    assert not check_fact(there, "package a\n\n// func Area\n")[0]
    assert check_fact(Fact(what="no_name", path="a.ts", name="area"), "export const volume = (a) => a\n")[0]
