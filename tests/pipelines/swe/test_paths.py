"""A path says what sort of file it is, in every language the pipeline is for."""

import pytest

from pipelines.swe.paths import is_changelog, sort_of

SORTS = {
    "test": (
        "pkg/a_test.go pkg/testdata/in.txt lib/a.test.ts lib/a.spec.mjs src/__tests__/a.js spec/a_spec.rb test_a.rb "
        "t/basic.t spec/a_spec.lua src/test/java/A.java src/ATest.java src/ATests.java src/AIT.java ATest.php "
        "a_test.cc ATests.cs Tests/ATests.swift tests/fixtures/a.json src/__snapshots__/a.snap test_a.py test.py "
        "test_files/a.txt a/test-cases/b.txt testsuite/a.c testing/bench.py src/ReaderTestCase.php "
        "vitest.config.mts phpunit.xml.dist .mocharc.json lib/__tests/a.js fixtures/ast/a.json "
        "tests.c test.cpp test.js spec/lib/a_spec.rb test/lib/a.rb lib/test/a.js src/test/java/org/test/A.java"
    ),
    "source": (
        "lib/fixtures/a.py "
        "a.go lib/a.ts lib/a.rb lib/A.php src/TestCase.php lib/testing/a.py "
        "src/main/java/A.java src/Latest.java a.rs A.swift contest/a.py a.lua "
        "lib/A.pm src/a.kt a.c lib/rack/test/jar.rb lib/Test/Deep.pm lib/mini/test_task.rb a/src/main/java/test/A.java"
    ),
    "lock": "Cargo.lock composer.lock Gemfile.lock mix.lock packages.lock.json go.sum package-lock.json uv.lock",
    "vendored": "vendor/a/b.go node_modules/a/index.js third_party/a.c",
    "generated": "a_pb2.py a.pb.go app.min.js dist/app.js",
    "doc": "README.md docs/a.rst CHANGELOG.md NEWS COPYING newsfragments/12.bugfix",
    "other": "Makefile .github/workflows/ci.yml package.json",
}


@pytest.mark.parametrize(("path", "sort"), [(path, sort) for sort, paths in SORTS.items() for path in paths.split()])
def test_a_path_has_its_sort(path: str, sort: str) -> None:
    assert sort_of(path) == sort


def test_a_name_with_a_line_break_is_one_name() -> None:
    assert sort_of("tests/a\nb.py") == "test"
    assert sort_of("a\nb.py") == "source"


def test_changelogs_are_known() -> None:
    assert all(map(is_changelog, ("CHANGELOG.md", "docs/changelog.rst", "NEWS", "changelog.d/12.md")))
    assert not is_changelog("README.md")
