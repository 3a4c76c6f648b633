"""A canary in any language runs with the tests it stands beside, and fails."""

import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crucible.domains.code.suite import Canary, Report, Suite
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import get_runner
from verifiers.canaries.templates import make_canary

GO = 'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {}\n'
JEST = "describe('sum', () => {\n  it('adds', () => {});\n});\n"
NODE = "const { test } = require('node:test');\n\ntest('adds', () => {});\n"
PERL = "use Test::More tests => 1;\nok(1, 'adds');\n"
UNPLANNED = "use Test::More;\nok(1, 'adds');\ndone_testing();\n"
RUST = "#[test]\nfn adds() {}\n"
JAVA = "package acme;\n\nimport org.junit.jupiter.api.Test;\n\nclass SumTest {\n    @Test void adds() {}\n}\n"
OLD_JAVA = "package acme;\n\nimport org.junit.Test;\n\npublic class SumTest {\n    @Test public void adds() {}\n}\n"
RSPEC = "RSpec.describe 'Sum' do\n  it('adds') { }\nend\n"
MINITEST = "require 'minitest/autorun'\nclass SumTest < Minitest::Test\n  def test_adds; end\nend\n"
PHP = "<?php\n\nnamespace Acme\\Tests;\n\nfinal class SumTest extends TestCase\n{\n}\n"
BUSTED = "describe('sum', function()\n  it('adds', function() end)\nend)\n"
TAPE = "const test = require('tape');\ntest('adds', (t) => t.end());\n"
UNITTEST = "import unittest\n\n\nclass TestSum(unittest.TestCase):\n    def test_adds(self): pass\n"
AVA = "import test from 'ava';\ntest('adds', (t) => t.pass());\n"

MADE = {
    "go": ("example.com/mod/calc::TestAdd", "calc/calc_test.go", GO),
    "jest": ("src/a.test.js::sum > adds", "src/a.test.js", JEST),
    "vitest": ("src/a.test.ts::sum > adds", "src/a.test.ts", JEST),
    "mocha": ("test/a.js::sum adds", "test/a.js", JEST),
    "jasmine": ("spec/a.js::sum adds", "spec/a.js", JEST),
    "node": ("test/a.test.js::adds", "test/a.test.js", NODE),
    "tap": ("adds", "test/a.js", TAPE),
    "ava": ("a › adds", "test/a.js", AVA),
    "cargo": ("it::tests/it.rs::adds", "crates/x/tests/it.rs", RUST),
    "maven": ("acme.SumTest::adds", "core/src/test/java/acme/SumTest.java", JAVA),
    "gradle": ("acme.SumTest::adds", "core/src/test/java/acme/SumTest.java", OLD_JAVA),
    "rspec": ("spec/a_spec.rb::Sum adds", "spec/a_spec.rb", RSPEC),
    "minitest": ("test/a_test.rb::SumTest#test_adds", "test/a_test.rb", MINITEST),
    "phpunit": ("tests/SumTest.php::Acme\\Tests\\SumTest::testAdds", "tests/SumTest.php", PHP),
    "busted": ("spec/a_spec.lua::sum adds", "spec/a_spec.lua", BUSTED),
    "prove": ("t/a.t::adds", "t/a.t", PERL),
    "unittest": ("tests.test_a.TestSum::test_adds", "tests/test_a.py", UNITTEST),
}
RUN = {
    "go": ("go test ./...", {"go.mod": "module example.com/mod\n\ngo 1.20\n"}),
    "node": ("node --test", {}),
    "prove": ("prove -r", {}),
    "unittest": (f"{sys.executable} -m unittest discover -t . tests", {"tests/__init__.py": ""}),
    "cargo": ("cargo test --offline", {"Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n', "src/lib.rs": ""}),
}


@pytest.mark.parametrize("name", MADE)
def test_it_goes_beside_the_test_and_its_text_is_whole(name: str) -> None:
    test, path, content = MADE[name]
    canary = make_canary(name, [test], {"README": "adds", path: content})
    assert canary is not None
    assert Path(canary.path).parent == Path(path).parent
    assert name == "go" or canary.path == path
    assert name in ("go", "prove") or set(content.split()) <= set(canary.content.split())
    assert not any(field in canary.content + canary.test for field in ("{hex}", "{name}", "{word}", "{package}"))


@pytest.mark.parametrize("name", MADE)
def test_nobody_can_guess_its_name(name: str) -> None:
    test, path, content = MADE[name]
    first, second = make_canary(name, [test], {path: content}), make_canary(name, [test], {path: content})
    assert first
    assert second
    assert first.test != second.test


@pytest.mark.parametrize("name", MADE)
def test_none_is_made_where_the_file_does_not_show_how(name: str) -> None:
    test, path, _ = MADE[name]
    assert make_canary(name, [test], {path: "nothing of the kind\n"}) is None
    assert make_canary(name, [test], {}) is None


@pytest.mark.parametrize("name", RUN)
def test_it_runs_with_the_tests_and_fails(name: str, tmp_path: Path) -> None:
    if not shutil.which(program := RUN[name][0].split()[0]):
        pytest.skip(f"{program} is not installed")
    test, path, content = MADE[name]
    path = path.removeprefix("crates/x/")
    canary = get_runner(name).canary([test], {path: content})
    assert canary
    report = run(name, canary, [test], {path: content, **RUN[name][1]}, tmp_path)
    assert report.complete, report.why
    assert (report.outcomes[test], report.outcomes[canary.test]) == ("passed", "failed")
    assert canary.fails_in(report)


@pytest.mark.skipif(not shutil.which("cargo"), reason="needs Rust")
@pytest.mark.parametrize("leaf", ["tests::adds", "adds"])
def test_one_is_made_within_a_source_file(leaf: str, tmp_path: Path) -> None:
    inline = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}" if "::" in leaf else RUST
    test = f"x::src/lib.rs::{leaf}"
    canary = get_runner("cargo").canary([test], {"src/lib.rs": inline})
    assert canary
    report = run("cargo", canary, [test], RUN["cargo"][1], tmp_path)
    assert report.outcomes == {test: "passed", canary.test: "failed"}


@pytest.mark.skipif(not shutil.which("prove"), reason="needs Perl")
def test_it_comes_before_the_line_that_ends_a_perl_test(tmp_path: Path) -> None:
    canary = get_runner("prove").canary(["t/a.t::adds"], {"t/a.t": UNPLANNED})
    assert canary
    assert canary.fails_in(run("prove", canary, ["t/a.t::adds"], {"t/a.t": UNPLANNED}, tmp_path))


def test_a_file_of_two_classes_gets_none() -> None:
    assert (
        make_canary("maven", ["acme.SumTest::adds"], {"src/test/java/acme/SumTest.java": f"{JAVA}class Other {{\n}}\n"})
        is None
    )


def run(name: str, canary: Canary, tests: list[str], files: dict[str, str], folder: Path) -> Report:
    """Run the tests and the canary for real."""
    for path, content in {**files, canary.path: canary.content}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    report = folder / secrets.token_hex(4) / "report"
    Path(f"{report}.d").mkdir(parents=True)
    runner = get_runner(name)
    command = runner.command(Suite(command=RUN[name][0]), str(report), runner.paths([*tests, canary.test]))
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    return runner.reader.parse(report.read_bytes(), Done(code=done.returncode, out=done.stdout, err=done.stderr))


def test_a_test_that_is_reported_under_another_file_gets_none() -> None:
    content = "it('quotes strings with # without need', function () {});\n"
    test = "test/all.js::Issues quotes strings with # without need"
    assert make_canary("mocha", [test], {"test/issues/1.js": content}) is None
    assert make_canary("mocha", [test], {"test/all.js": content}) is not None
