"""A new part from nothing: its test fails and says what to do, and passes once that is done."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from crucible.cli.app import invoke
from crucible.cli.new import Kind, write_part, write_pipeline
from tests.patience import HUNG

ROOT = Path(__file__).parents[3]
Command = Callable[..., subprocess.CompletedProcess[str]]

WRITTEN = {
    "verifier": ("verifiers/sampled.py", "    return found.strip() == params.expected\n"),
    "router": ("pipelines/swe/routes/sampled.py", '    return item.title.startswith("sampled:")\n'),
    "source": ("pipelines/sampled.py", '    return SampledItem(id=f"sampled-{number}", text=line)\n'),
    "exporter": (
        "exporters/sampled.py",
        "    thinking = [step.thinking for step in judged.trajectory.steps]\n"
        '    return {"prompt": judged.trajectory.prompt, "thinking": thinking}\n',
    ),
    "service": ("services/sampled.py", '        return f"heard: {question}"\n'),
    "proof": ("verifiers/proofs/sampled.py", '    yield Control(player="oracle", want="pass")\n'),
    "policy": ("exporters/policies/sampled.py", "    return float(candidate.length)\n"),
    "tool": ("agents/tools/sampled.py", '    return f"{len(text.splitlines())} lines"\n'),
}
"""What the user writes in place of the line that raises."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with no parts of its own, and the model that routers look at."""
    for folder in ("verifiers", "pipelines/swe/routes"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").write_text("")
    for folder in ("pipelines", "pipelines/swe"):
        (tmp_path / folder / "__init__.py").write_text("")
    for file in ("pipelines/swe/model.py", "pyproject.toml"):
        (tmp_path / file).write_text((ROOT / file).read_text())
    return tmp_path


QUICK = {"CRUCIBLE_SOUNDNESS__REPEATS": "1", "CRUCIBLE_SOUNDNESS__PROBES": "false"}
"""Short proofs: how sound tasks are is tried elsewhere."""


def tool(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(
        command, cwd=checkout, env=os.environ | QUICK, capture_output=True, text=True, check=False, timeout=HUNG
    )


def run_tests(checkout: Path) -> subprocess.CompletedProcess[str]:
    return tool(checkout, "pytest", "-q", "-p", "no:cacheprovider", "tests")


def test_new_parts_of_every_kind_fail_until_they_are_written(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    assert [invoke(["new", kind, "sampled"]) for kind in WRITTEN] == [0] * len(WRITTEN)
    before = run_tests(checkout)
    assert before.returncode == 1, before.stdout
    for path, line in WRITTEN.values():
        assert re.search(rf"{path}:\d+: NotImplementedError", before.stdout), before.stdout
        part = checkout / path
        lines = part.read_text().splitlines(keepends=True)
        part.write_text("".join(line if "raise NotImplemented" in one else one for one in lines))
    after = run_tests(checkout)
    assert after.returncode == 0, after.stdout


@pytest.mark.slow
def test_what_is_generated_is_clean_whatever_its_name(checkout: Path) -> None:
    names = ("ab", "sampled", "report-exists", "a_rather_long_name_of_a_part", "{}s.deeper")
    kinds = [kind for kind in Kind if kind is not Kind.pipeline]
    skeletons = [write_part(kind, name.format(kind), checkout) for kind in kinds for name in names]
    skeletons += [
        write_pipeline(Kind.pipeline, name, checkout) for name in ("notes", "field-notes", "a_long_name_of_one")
    ]
    files = [path for skeleton in skeletons for path in skeleton.files if path.endswith(".py")]
    (checkout / "crucible").symlink_to(ROOT / "crucible")
    known = (
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
    )  # of what is imported, where this checkout has been checked before
    for check in (("ruff", "check", *files), ("ruff", "format", "--check", *files), ("mypy", *known, *_modules(files))):
        done = tool(checkout, *check)
        assert done.returncode == 0, done.stdout


def _modules(files: list[str]) -> list[str]:
    """The parts, not their tests, whose file names repeat."""
    return [path for path in files if not path.startswith("tests/")]


def test_a_dotted_name_goes_into_its_own_folder(command: Command, checkout: Path) -> None:
    command("new", "verifier", "terminal.files", cwd=checkout)
    assert (checkout / "verifiers/terminal/files.py").exists()
    assert (checkout / "verifiers/terminal/__init__.py").exists()
    assert (checkout / "tests/verifiers/terminal/test_files.py").exists()


def test_nothing_is_overwritten(command: Command, checkout: Path) -> None:
    (checkout / "verifiers" / "sampled.py").write_text("mine = 1\n")
    done = command("new", "verifier", "sampled", cwd=checkout)
    assert done.returncode == 1
    assert "is there already" in done.stderr
    assert (checkout / "verifiers" / "sampled.py").read_text() == "mine = 1\n"
    assert not (checkout / "tests").exists()


def test_a_name_that_is_taken_is_refused(command: Command, process: Command, checkout: Path) -> None:
    command("new", "verifier", "sampled", cwd=checkout)
    done = process("new", "verifier", "sampled", cwd=checkout)
    assert "there is a verifier 'sampled' already" in done.stderr


@pytest.mark.parametrize("name", ["Files", "a.-b", "../up", "class", "a..b", "1st", "", "a/b", "a\n"])
def test_a_name_that_is_none_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["new", "verifier", name]) == 2
    assert "is no name for a verifier" in capsys.readouterr().err


def test_a_folder_that_is_no_checkout_is_left_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["new", "verifier", "sampled", "--root", str(tmp_path)]) == 2
    assert "is no checkout of Crucible" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


@pytest.fixture
def engines(tmp_path: Path) -> Path:
    """A checkout with every folder but its pipelines."""
    for folder in ("crucible", "envs", "agents", "verifiers", "exporters"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return tmp_path


@pytest.mark.slow
def test_a_new_pipeline_runs_and_asks_for_material_of_your_own(engines: Path) -> None:
    begun = tool(engines, "crucible", "new", "pipeline", "field-notes")
    assert begun.returncode == 0, begun.stderr
    demo = tool(engines, "crucible", "demo", "--json")
    assert demo.returncode == 0, demo.stderr
    shown = json.loads(demo.stdout)
    fates = {stage["stage"]: (stage["came"], stage["done"], stage["reasons"]) for stage in shown["stages"]}
    assert fates["field-notes.filter"] == (3, 2, {"too_few_words": 1})
    assert fates["validate"] == (2, 2, {})
    assert [attempt["verdict"] for attempt in shown["attempts"]] == ["pass", "pass"]
    assert "2 rows" in shown["shards"]

    before = run_tests(engines)
    assert "2 failed, 2 passed" in before.stdout, before.stdout
    assert "put raw items of your own into sample_data/field_notes/items.jsonl" in before.stdout
    samples = engines / "sample_data/field_notes/items.jsonl"
    samples.write_text(json.dumps({"id": "metals", "words": ["tin", "lead", "iron", "tin"]}) + "\n")
    (engines / "pipelines/field_notes/instruction.md").write_text(
        "Write the {count} words of `words.txt` to `sorted.txt`: by their characters, each once, one in a line.\n"
    )
    after = run_tests(engines)
    assert after.returncode == 0, after.stdout
