"""What a log says is missing is named, and is put into the plan once."""

import json
import subprocess
from pathlib import Path

import pytest
from pydantic import ValidationError

from crucible.datafile import read_rows
from crucible.domains.code.suite import Suite
from pipelines.swe.recipes.advice import Advice, apply_advice, write_prompt
from pipelines.swe.recipes.diagnosis import HERE, Diagnosis, Sign, diagnose
from pipelines.swe.recipes.mends import mend_plan
from pipelines.swe.recipes.plan import Plan

PLAN = Plan(language="python", toolchain="python", commands=("install",), suite=Suite(), dependencies=())


@pytest.mark.parametrize(
    ("log", "kind", "name"),
    [
        ("x.c:1:10: fatal error: ffi.h: No such file or directory\n", "missing_header", "ffi.h"),
        ("/bin/sh: 1: cmake: not found", "missing_tool", "cmake"),
        ("make: g++: No such file or directory", "missing_tool", "g++"),
        ("-- Could NOT find OpenSSL, try to set", "missing_library", "OpenSSL"),
        ("/usr/bin/ld: cannot find -lz: No such file", "missing_library", "z"),
        ("E   ModuleNotFoundError: No module named 'yaml.loader'", "missing_module", "yaml.loader"),
        ("error: unrecognized arguments: --cov=x --cov-report", "missing_option", "--cov"),
        ("E       fixture 'mocker' not found", "missing_module", "mocker"),
        ("ERROR: Package 'x' requires a different Python: 3.11.2 not in '>=3.12'", "wrong_version", ""),
        ("go: go.mod requires go >= 1.99 (running go 1.27)", "wrong_version", "1.99"),
        ("npm error code ERESOLVE", "version_conflict", ""),
        (
            "npm error code E404\nnpm error 404  The requested resource '@a/b@https://x.example/b-1.tgz'",
            "unpublished",
            "@a/b",
        ),
        ("npm ERR! notarget No matching version found for sites@1.1.225.", "unpublished", "sites"),
        ("Error: Cannot find module '@babel/core/x'", "missing_node_module", "@babel/core"),
        ("! Couldn't find module or a distribution File::Next (1.16)", "missing_perl_module", "File::Next"),
        ("Can't locate File/Next.pm in @INC (you may need", "missing_perl_module", "File/Next"),
        ("npm error reason: getaddrinfo ENOTFOUND codeload.github.com", "elsewhere", "github.com"),
        (
            "npm error command git ls-remote ssh://git@github.com/a/b.git\nnpm error ssh: 1: ssh: not found",
            "elsewhere",
            "github.com",
        ),
        ("npm error reason: getaddrinfo ENOTFOUND registry.example", "network", ""),
        ("npm error command sh -c node postinstall\nnpm error getaddrinfo ENOTFOUND sites.example", "script", ""),
        ("node_modules/sites postinstall: Failed\ngetaddrinfo ENOTFOUND sites.example", "script", ""),
        ('Exception in thread "main" java.net.UnknownHostException: gradle.example', "network", ""),
        ("collected 0 items\n\nno tests ran in 0.01s", "no_tests", ""),
        ("\x1b[31mnothing that anybody knows\x1b[0m", "unknown", ""),
    ],
)
def test_a_log_says_what_is_missing(log: str, kind: str, name: str) -> None:
    found = diagnose(log)
    assert (found.kind, found.name) == (kind, name)
    assert found.line.startswith(f"{kind}: ")
    assert "\x1b" not in found.line


@pytest.mark.parametrize("sign", read_rows(HERE / "diagnoses.toml", "signs", Sign), ids=lambda sign: sign.example)
def test_the_example_of_a_sign_shows_it_and_none_before_it(sign: Sign) -> None:
    assert diagnose(sign.example).kind == sign.kind


@pytest.mark.parametrize(
    ("kind", "name", "packages", "command"),
    [
        ("missing_header", "ffi.h", ("libffi-dev",), ""),
        ("missing_tool", "protoc", ("protobuf-compiler",), ""),
        ("missing_library", "Protobuf", ("libprotobuf-dev", "protobuf-compiler"), ""),
        ("missing_module", "yaml.loader", (), "PyYAML"),
        ("missing_module", "freezegun", (), "freezegun"),
        ("missing_option", "--cov", (), "pytest-cov"),
    ],
)
def test_what_is_missing_is_added(kind: str, name: str, packages: tuple[str, ...], command: str) -> None:
    better = mend_plan(PLAN, Diagnosis(kind=kind, name=name), [PLAN])
    assert better is not None
    assert better.packages == packages
    assert (better.commands[1:] == ()) if not command else better.commands[-1].endswith(f" {command}")
    assert mend_plan(better, Diagnosis(kind=kind, name=name), [PLAN, better]) is None


def test_packages_are_installed_without_their_scripts_where_one_of_them_fails() -> None:
    found = diagnose("npm ERR! command sh -c node install.js\nnpm ERR! connect ETIMEDOUT")
    plan = PLAN.model_copy(update={"language": "javascript", "commands": ("npm ci",)})
    better = mend_plan(plan, found, [plan])
    assert better is not None
    assert better.commands == ("npm ci --ignore-scripts",)
    assert mend_plan(better, found, [plan, better]) is None is mend_plan(PLAN, found, [])


def test_a_package_that_is_no_longer_to_be_had_may_be_of_any_version_and_is_left_out_if_there_is_none(
    tmp_path: Path,
) -> None:
    asked = json.dumps({"name": "x", "devDependencies": {"@a/b": "1", "sites": "1", "c": "1"}})
    (tmp_path / "package.json").write_text(asked)
    plan: Plan | None = PLAN.model_copy(update={"language": "javascript", "commands": ("npm ci",)})
    for name in ("sites", "@a/b", "sites"):
        assert plan is not None
        plan = mend_plan(plan, Diagnosis(kind="unpublished", name=name), [])
    assert plan is not None
    assert mend_plan(plan, Diagnosis(kind="unpublished", name="sites"), []) is None
    script = "\n".join(plan.commands).replace("/tmp/asked.json", "asked.json")
    npm = "npm() { cp package.json seen.json; }"
    subprocess.run(["sh", "-ec", f"{npm}\n{script}"], cwd=tmp_path, check=True)
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert seen["devDependencies"] == {"@a/b": "*", "c": "1"}
    assert (tmp_path / "package.json").read_text() == asked


def test_a_package_that_is_gone_is_known_by_the_words_of_each_manager() -> None:
    for log, name in (
        ("npm error 404  '@a/b@https://r.example/@a/b/-/b-0.1.0.tgz' is not in this registry.", "@a/b"),
        ('error "https://r.example/@a/b/-/b-0.1.0.tgz: Request failed \\"404 Not Found\\"".', "@a/b"),
        ('error "https://r.example/b/-/b-0.1.0.tgz: Request failed \\"404 Not Found\\"".', "b"),
    ):
        assert (diagnose(log).kind, diagnose(log).name) == ("unpublished", name)


def test_tests_of_javascript_are_tried_without_a_build_that_fails() -> None:
    suite = Suite(runner="jest", command="npx jest", build="npm run build")
    plan = PLAN.model_copy(update={"language": "javascript", "suite": suite})
    better = mend_plan(plan, diagnose("Error: odd", "the build ended with code 1"), [plan])
    assert better is not None
    assert better.suite.build == ""
    assert mend_plan(better, diagnose("", "the build ended with code 1"), [plan]) is None


def test_node_is_kept_from_taking_for_a_module_what_a_hook_compiles() -> None:
    log = "(node:20) [MODULE_TYPELESS_PACKAGE_JSON] Warning: Module type of a.js is not specified"
    better = mend_plan(PLAN, diagnose(log), [PLAN])
    assert better is not None
    assert better.environment["NODE_OPTIONS"] == "--no-experimental-detect-module"
    assert mend_plan(better, diagnose(log), [PLAN]) is None


def test_pytest_is_kept_out_of_a_folder_that_stops_it_unless_tests_are_in_it() -> None:
    log = "INTERNALERROR> pluggy._manager.PluginValidationError: unknown hook '{}' in plugin <module 'c' from '{}'>"
    found = diagnose(log.format("pytest_benchmark_x", "/workspace/perf/deep/conftest.py") + "\n\nno tests ran in 0.01s")
    better = mend_plan(PLAN, found, [PLAN])
    assert better is not None
    assert better.suite.command.endswith(" --ignore=perf/deep")
    assert mend_plan(better, found, [PLAN]) is None
    for place in ("/workspace/tests/conftest.py", "/workspace/conftest.py"):
        better = mend_plan(PLAN, diagnose(log.format("pytest_benchmark_x", place)), [PLAN])
        assert better is not None
        assert better.commands[-1].endswith(" pytest-benchmark")
    assert mend_plan(PLAN, diagnose(log.format("pytest_odd", place)), [PLAN]) is None


def test_mocha_is_told_which_words_its_tests_are_written_in() -> None:
    suite = Suite(runner="mocha", command="npx mocha")
    found = diagnose("/workspace/test/a.js:3\nsuite('a', function () {\n^\n\nReferenceError: suite is not defined\n")
    better = mend_plan(PLAN.model_copy(update={"suite": suite}), found, [])
    assert better is not None
    assert better.suite.command == "npx mocha --ui tdd"
    assert mend_plan(better, found, []) is None is mend_plan(PLAN, found, [])


@pytest.mark.parametrize("name", ["File::Next", "File/Next"])
def test_a_perl_module_is_had_from_the_distribution(name: str) -> None:
    perl = PLAN.model_copy(update={"language": "perl", "toolchain": "perl"})
    better = mend_plan(perl, Diagnosis(kind="missing_perl_module", name=name), [perl])
    assert better is not None
    assert better.packages == ("libfile-next-perl",)


def test_a_wrong_version_is_exchanged_until_there_is_no_other() -> None:
    wrong = Diagnosis(kind="wrong_version")
    newer = mend_plan(PLAN, wrong, [PLAN])
    assert newer is not None
    assert newer.version == "3.13"
    assert mend_plan(newer, wrong, [PLAN, newer]) is None


@pytest.mark.parametrize("kind", ["unknown", "network", "timeout", "no_tests"])
def test_what_no_rule_knows_is_left_alone(kind: str) -> None:
    assert mend_plan(PLAN, Diagnosis(kind=kind), [PLAN]) is None


def test_advice_changes_the_plan() -> None:
    advice = Advice(packages=("libffi-dev",), commands=("a", "b"), test="tox")
    better = apply_advice(PLAN, advice)
    assert better is not None
    assert (better.packages, better.commands, better.suite.command) == (("libffi-dev",), ("a", "b"), "tox")


@pytest.mark.parametrize(
    "answer",
    [
        "I do not know",
        "{}}",
        '{"packages": ["x; rm -rf /"]}',
        '{"commands": ["a\\nb"]}',
        '{"commands": ["' + "a" * 601 + '"]}',
        '{"surprise": 1}',
        '{"packages": "libffi-dev"}',
    ],
)
def test_advice_that_is_not_what_was_asked_for_is_no_advice(answer: str) -> None:
    with pytest.raises(ValidationError):
        Advice.model_validate_json(answer)


def test_braces_in_a_log_stay_as_they_are() -> None:
    assert "{plan}{kind}" in write_prompt(PLAN, Diagnosis(kind="unknown", log="{plan}{kind}"))
