"""A report leaves the box of a test run so that nothing the tests left behind can change it."""

from collections.abc import AsyncIterator

import pytest

from crucible.domains.code.report_pipes import ReportPipes
from crucible.domains.code.suite import Report, Suite, find_runner, run_suite
from crucible.sandbox import Env, Recipe, Sandbox, World
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED

pytestmark = pytest.mark.slow

FAILING = "import calc\n\n" + "\n".join(f"def test_{name}():\n    assert calc.one() == 1\n" for name in ("one", "two"))
RECIPE = Recipe(
    packages=("git", "python3", "python3-pytest"),
    files={"/workspace/calc.py": "def one():\n    return 2\n", "/workspace/test_calc.py": FAILING},
    commands=(f"chown root . && {SEALED}",),
    environment={"PYTHONDONTWRITEBYTECODE": "1"},
)


@pytest.fixture
async def box(world: World) -> AsyncIterator[Sandbox]:
    async with world.open(Env(recipe=RECIPE)) as opened:
        yield opened


async def run_with(box: Sandbox, calc: str) -> Report:
    await box.write("calc.py", calc.encode())
    return await run_suite(box, find_runner("pytest"), Suite(timeout=HUNG))


async def test_what_arrived_is_read_whole_whoever_wrote_it_and_however_often(box: Sandbox) -> None:
    pipes = ReportPipes(box)
    assert (await pipes.open()).ok
    done = await box.exec(f"head -c 3000000 /dev/zero > {pipes.report}; echo last >> {pipes.report}")
    await pipes.close(done)
    assert await pipes.read("report") == bytes(3_000_000) + b"last\n"
    assert await pipes.read("events") == b""


async def test_what_is_written_after_the_end_is_not_read(box: Sandbox) -> None:
    pipes = ReportPipes(box)
    await pipes.open()
    late = f"(while :; do echo late > {pipes.report}; sleep 0.01; done) >/dev/null 2>&1 &"
    done = await box.exec(f"echo right > {pipes.report}; {late}")
    await pipes.close(done)
    told = await pipes.read("report")
    assert told.startswith(b"right\n")
    assert told == await pipes.read("report")
    assert not (await box.exec("pgrep -f late")).ok


async def test_nobody_in_the_box_can_take_a_report_back(box: Sandbox) -> None:
    pipes = ReportPipes(box)
    await pipes.open()
    folder = pipes.report.rpartition("/")[0]
    tries = "rm -f report; mv report x; : > report.taken; cat report.taken; kill -9 -- $(cat report.reader)"
    done = await box.exec(f"echo failed > {pipes.report}; cd {folder}; {tries}; mv {folder} {folder}x; true")
    await pipes.close(done)
    assert await pipes.read("report") == b"failed\n"


async def test_an_honest_run_is_read_as_it_was(box: Sandbox) -> None:
    report = await run_with(box, "def one():\n    return 1\n")
    assert report.complete
    assert not report.disputed
    assert report.outcomes == {"test_calc.py::test_one": "passed", "test_calc.py::test_two": "passed"}


LEFT_BEHIND = """
import subprocess, sys
CODE = '''
import glob, re, time
while True:
    for path in glob.glob("/tmp/*/report"):
        try:
            text = open(path).read()
            open(path, "w").write(re.sub("<failure.*?</failure>", "", text, flags=16))
        except OSError:
            pass
    time.sleep(0.01)
'''
subprocess.Popen([sys.executable, "-c", CODE], start_new_session=True, stdout=-3, stderr=-3, stdin=-3)


def one():
    return 2
"""


async def test_a_process_that_was_left_behind_does_not_rewrite_the_report(box: Sandbox) -> None:
    report = await run_with(box, LEFT_BEHIND)
    assert not report.complete or set(report.outcomes.values()) == {"failed"}
    assert not (await box.exec("pgrep -f glob.glob")).ok


FORGED_AT_THE_END = """
import atexit, glob

CASE = '<testcase classname="test_calc" name="test_{}" file="test_calc.py"/>'
CASES = CASE.format("one") + CASE.format("two")
WHOLE = f"<testsuites><testsuite>{CASES}</testsuite></testsuites>"


def forge():
    import os
    for path in glob.glob("/tmp/*/report"):
        open(path, "w").write(WHOLE)
    os._exit(0)


atexit.register(forge)


def one():
    return 2
"""


async def test_a_second_report_after_the_frameworks_own_spoils_both(box: Sandbox) -> None:
    report = await run_with(box, FORGED_AT_THE_END)
    assert not report.complete


FORGED_EARLY = FORGED_AT_THE_END.replace("atexit.register(forge)", "").replace("    return 2", "    forge()")


async def test_a_report_of_tests_that_were_not_seen_to_pass_is_disputed(box: Sandbox) -> None:
    report = await run_with(box, FORGED_EARLY)
    assert report.disputed == ("test_calc.py::test_one", "test_calc.py::test_two")
    assert set(report.outcomes.values()) == {"failed"}


async def test_what_a_build_leaves_running_is_gone_before_the_tests_start(box: Sandbox) -> None:
    await box.write("calc.py", b"import os\n\n\ndef one():\n    return 1 + os.path.exists('/tmp/beat')\n")
    beat = "(while :; do touch /tmp/beat; sleep 0.1; done) >/dev/null 2>&1 & sleep 0.5"
    suite = Suite(timeout=HUNG, build=beat, command="sh -c 'rm -f /tmp/beat; sleep 0.5; exec python3 -m pytest $0 $@'")
    report = await run_suite(box, find_runner("pytest"), suite)
    assert set(report.outcomes.values()) == {"passed"}, report.log
