"""Plans for Java and its kin: Maven, or Gradle by the project's own wrapper."""

from __future__ import annotations

from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import toolchain_versions
from pipelines.swe.recipes.tree import Tree

HERE = Path(__file__).parent


class Rules(Record):
    """`java.toml`."""

    dependencies: tuple[str, ...]
    quiet: str
    maven: tuple[str, ...]
    maven_command: str
    maven_test: str
    surefire_test: str
    """How Maven tests where no file of the project names the plugin for it: the one that comes along is too old."""
    gradle: tuple[str, ...]
    gradle_command: str


def write_plans(tree: Tree) -> list[Plan]:
    """A plan for each build system of the repository with each Java there is, the newest first."""
    rules = read_file(HERE / "java.toml", Rules)
    proposed = []
    if tree.has("pom.xml"):
        proposed += [
            _plan("maven", version, rules.maven, rules.maven_command) for version in toolchain_versions("java")
        ]
    if tree.has("build.gradle", "build.gradle.kts"):
        proposed += [
            _plan("gradle", version, rules.gradle, rules.gradle_command) for version in toolchain_versions("java")
        ]
    program = "./gradlew" if tree.has("gradlew") else "gradle"
    poms = map(tree.text, tree.matching("**/pom.xml"))
    test = rules.maven_test if any("surefire" in pom or "<parent>" in pom for pom in poms) else rules.surefire_test
    return [_fill_in(plan, program, test) for plan in proposed]


def _plan(runner: str, version: str, commands: tuple[str, ...], command: str) -> Plan:
    return Plan(
        language="java",
        toolchain="java",
        version=version,
        packages=("gradle",) if runner == "gradle" else (),
        commands=commands,
        suite=Suite(runner=runner, command=command, timeout=900),
        dependencies=read_file(HERE / "java.toml", Rules).dependencies,
        why=f"{runner}, Java {version}",
    )


def _fill_in(plan: Plan, program: str, test: str) -> Plan:
    """The plan with the place holders in its commands replaced; the project's own Gradle needs no package."""
    quiet = " ".join(read_file(HERE / "java.toml", Rules).quiet.split())

    def fill(text: str) -> str:
        return text.replace("{quiet}", quiet).replace("{program}", program).replace("{test}", test)

    suite = plan.suite.model_copy(update={"command": fill(plan.suite.command)})
    packages = () if program == "./gradlew" else plan.packages
    commands = tuple(fill(command) for command in plan.commands)
    return plan.model_copy(update={"commands": commands, "suite": suite, "packages": packages})
