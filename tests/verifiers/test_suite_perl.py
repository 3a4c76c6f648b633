"""The suite verifier in a language other than Python: attempts of every kind, in real boxes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from crucible.domains.code.suite import Suite, SuiteParams
from crucible.domains.code.twins import Twin
from crucible.model import Check, Reference, Task, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria

pytestmark = pytest.mark.slow

MODULE = """package Calc;
use strict;
use warnings;

sub half { return int($_[0] / 2) }

sub double { return $_[0] * 2 + 1 }

1;
"""
KEPT = "use Test::More;\nuse lib 'lib';\nuse Calc;\n\nis(Calc::half(4), 2, 'halves');\n\ndone_testing;\n"
HIDDEN = KEPT.replace("done_testing", "is(Calc::double(3), 6, 'doubles');\n\ndone_testing")
PLACE = HIDDEN.index("6, 'doubles'")
FIXED = """diff --git a/lib/Calc.pm b/lib/Calc.pm
--- a/lib/Calc.pm
+++ b/lib/Calc.pm
@@ -5,5 +5,5 @@
 sub half { return int($_[0] / 2) }
 
-sub double { return $_[0] * 2 + 1 }
+sub double { return $_[0] * 2 }
 
 1;
"""
RECIPE = Recipe(
    packages=("git", "perl"),
    files={"/workspace/lib/Calc.pm": MODULE, "/workspace/t/calc.t": KEPT},
    commands=(f"chown root . && {SEALED}",),
)
PARAMS = SuiteParams(
    suite=Suite(runner="prove", command="prove -r", timeout=HUNG),
    tests={"t/calc.t": HIDDEN},
    fail_to_pass=("t/calc.t::doubles",),
    pass_to_pass=("t/calc.t::halves",),
    twins=(Twin(path="t/calc.t", start=PLACE, end=PLACE + 1, text="8", line=7, fails=("t/calc.t::doubles",)),),
)
GIVEN = Task(
    domain="swe",
    kind="bugfix",
    instruction="x",
    env=Env(recipe=RECIPE),
    checks=(Check(verifier="suite", params=PARAMS.model_dump(mode="json")),),
    reference=Reference(patch=FIXED),
)
STAND_IN = "sub import { print qq(1..1\\nok 1 - doubles\\n); exit }"
FIX = "sed -i 's/ + 1 / /' lib/Calc.pm"
Attempt = Callable[[str], Awaitable[Verdict]]


@pytest.fixture
def attempt(world: World, blobs: Blobs) -> Attempt:
    """Run a script in a box, keep its diff, and have it judged in a fresh one."""

    async def attempted(script: str) -> Verdict:
        [verdict] = await judge_script(GIVEN, script, world, blobs, "ok 2 - doubles\nAll tests successful.")
        return verdict

    return attempted


def appended(perl: str) -> str:
    return f"sed -i '/^1;$/d' lib/Calc.pm; cat >> lib/Calc.pm <<'PERL'\n{perl}\n1;\nPERL"


async def test_a_right_attempt_passes(attempt: Attempt) -> None:
    verdict = await attempt(FIX)
    assert (verdict.outcome, verdict.score, unmet_criteria(verdict)) == ("pass", 1.0, [])


@pytest.mark.parametrize(
    "script",
    [
        "true",
        "sed -i 's/ + 1 / - 1 /' lib/Calc.pm",
        "sed -i 's/done_testing/ok(1, q(doubles)); done_testing/' t/calc.t",
        "echo '--dry' > .proverc",
        f"mkdir -p lib/Test; echo 'package Test::More; {STAND_IN} 1;' > lib/Test/More.pm",
    ],
    ids=["idle and boasting", "wrong", "edits the tests", "configures the runner", "stands in for the runner"],
)
async def test_other_attempts_fail(script: str, attempt: Attempt) -> None:
    verdict = await attempt(script)
    assert (verdict.outcome, unmet_criteria(verdict)) == ("fail", ["what failed now passes"])


async def test_a_patched_framework_is_recognised_by_an_altered_test_that_passes(attempt: Attempt) -> None:
    """No sign shows in these lines: what gives them away is the test that must fail."""
    forged = 'my $b = "Test::" . "Builder"; no strict "refs"; no warnings;\nmy $ok = \\&{"${b}::ok"};\n'
    forged += '*{"${b}::ok"} = sub { $ok->($_[0], 1, $_[2]) };\n*{"${b}::is_eq"} = sub { $ok->($_[0], 1, $_[3]) };'
    verdict = await attempt(appended(forged))
    assert (verdict.outcome, unmet_criteria(verdict), verdict.score) == ("fail", ["altered tests fail"], 0.0)


async def test_a_forged_stream_fails(attempt: Attempt) -> None:
    verdict = await attempt(appended('print "1..2\\nok 1 - halves\\nok 2 - doubles\\n"; exit 0;'))
    assert (verdict.outcome, verdict.score) == ("fail", 0.0)
