"""A project of Gradle's, built for real by the Gradle that the system's packages hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import Candidate
from pipelines.swe.rewards.fail_to_pass import build_task

MAIN, TEST = "src/main/java/a/Half.java", "src/test/java/a/HalfTest.java"
PROJECT = {
    "build.gradle": (
        "apply plugin: 'java'\nrepositories { mavenCentral() }\ndependencies { testCompile 'junit:junit:4.13.2' }\n"
    ),
    MAIN: "package a;\npublic class Half { public static int of(int n) { return n; } }\n",
    TEST: (
        "package a;\nimport org.junit.Test;\nimport static org.junit.Assert.assertEquals;\n"
        "public class HalfTest { @Test public void zero() { assertEquals(0, Half.of(0)); } }\n"
    ),
}
MENDED = {
    MAIN: PROJECT[MAIN].replace("return n;", "return n / 2;"),
    TEST: PROJECT[TEST].replace("} }", "}\n@Test public void four() { assertEquals(2, Half.of(4)); } }"),
}


@pytest.mark.slow
async def test_a_change_to_a_project_of_gradles_is_measured(
    world: World, blobs: Blobs, change: Callable[[Mapping[str, str], Mapping[str, str]], Candidate]
) -> None:
    context = MiningContext(world=world, blobs=blobs, repeats=1)
    [made] = await prepare_environment(change(PROJECT, MENDED), context)
    assert made.suite.runner == "gradle"
    built = await build_task(made, context)
    assert [test.rpartition("::")[2] for test in built.fail_to_pass] == ["four"]
