"""What a solver is told: the asker's own words, what the reference was seen to do, what is asserted, and the hints of
its level.

    1  the commands with their options      3  the goal with exact paths
    2  the tools by name                    4  the goal in the asker's own terms

All levels ask for the same: the sentences behind the assertions and the examples are in each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from posixpath import join

from crucible.domains.terminal.comparing import ScriptParams, ending_sentence
from crucible.domains.terminal.scenes import Entry, own_entries, with_parents
from pipelines.terminal.commands.shell import WRAPPERS, Called, read_script, without_comments
from pipelines.terminal.commands.values import describe_values
from pipelines.terminal.model import Draft
from pipelines.terminal.scenes.workspace import written_names
from pipelines.terminal.statements.complete import made_paths
from pipelines.terminal.statements.goals import account_of, goal_of, is_named

OPTION = re.compile(r"--[A-Za-z][\w-]*|-print0|-0|-[A-Za-z]+")  # matches: --printf, and the -d of -d,
LEVELS = (1, 2, 3, 4)
MOST_PATHS = 4
"""Paths of an example that an instruction lists."""


def write_instruction(draft: Draft, params: ScriptParams, level: int, workdir: str, has_listing: bool) -> str:
    """The instruction of one level."""
    prints = any(demand.about == "output" for demand in draft.demands)
    goal = goal_of(draft)
    account = account_of(draft)
    told = goal if level > 3 and (account is None or account.untold) else ""
    bullets = [*_write_facts(draft, told), *asserted_sentences(params)]
    words = {
        "goal": goal,
        "script": join(workdir, params.script),
        "workdir": workdir,
        "paths": "".join(f" {sentence}" for sentence in draft.inputs)
        + _name_paths(draft, told)
        + ("" if level > 3 else _list_paths(draft)),
        "demands": "\n".join(f"- {sentence}" for sentence in bullets),
        "output": ", with what it must print in `output.txt`" if prints else "",
        "listing": " `before.txt` and `after.txt` list every path with its kind and mode." if has_listing else "",
        "hint": _write_hint(draft, level),
    }
    template = Path(__file__).with_name("task.md").read_text("utf-8").strip()
    return re.sub(r"\{(\w+)\}", lambda hole: words[hole[1]], template)  # matches: {goal}


def asserted_sentences(params: ScriptParams) -> list[str]:
    """The sentences that what is asserted rests on."""
    return [*(demand.sentence for demand in params.demands), ending_sentence(params.seconds)]


def determines_all(instruction: str, params: ScriptParams) -> bool:
    """Whether an instruction still has every sentence that something asserted rests on."""
    return all(sentence in instruction for sentence in asserted_sentences(params))


def _write_facts(draft: Draft, told: str) -> list[str]:
    """What has to be known of the values that the reference uses, but for those that were told in other words."""
    if draft.writer == "model":  # its goal says them
        return []
    account = account_of(draft)
    if account is not None and account.steps and not account.untold:
        first, *others = account.steps
        return [first, *(step if step.startswith("Otherwise") else f"Then: {step}" for step in others)]
    return [
        fact.sentence
        for fact in describe_values(draft.suggestion.text)
        if not (fact.is_step and draft.shows_result)
        if not fact.values or not all(is_named(value, told) for value in fact.values)
    ]


def _name_paths(draft: Draft, told: str) -> str:
    """Which files the reference reads and writes, by name, but for those that were told already, and for the only file
    of the folder."""
    script = without_comments(draft.suggestion.text)
    written = {name for name in written_names(script) if not name.startswith("/")} | set(made_paths(draft.cases))
    written = {
        name
        for name in written
        if not is_named(name, told) and any(name in case.expected.entries for case in draft.cases)
    }
    there = own_entries(draft.cases[0].scene.entries)
    words = {word.strip("\"'").removeprefix("./").rstrip("/*") for word in re.split(r"[\s;|&()<>=]+", script)}
    names = [path for path in there if _is_word(path, script)] + [name for name in _folders(there) if name in words]
    names = [name for name in names if not any(other.startswith(f"{name}/") for other in names)]
    read = sorted(path for path in names if path not in written and not is_named(path, told))
    if told and len(there) == 1:
        read = []
    said = [f" It works on {_join_names(read)}."] if read else []
    said += [f" It writes {_join_names(sorted(written))}."] if written else []
    return "".join(said)


def _is_word(path: str, script: str) -> bool:
    """Whether a script has a path that is no part of another one."""
    return re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w-])", script) is not None


def _list_paths(draft: Draft) -> str:
    """Paths of files that the folder of the first example has, as far as they are few enough to be read, those that the
    reference speaks of first."""
    script = without_comments(draft.suggestion.text)
    paths = [path for path, entry in own_entries(draft.cases[0].scene.entries).items() if entry.kind == "file"]
    spoken = [path for path in paths if any(_is_word(part, script) for part in (path, *path.split("/")[:-1]))]
    listed = [*spoken, *(path for path in paths if path not in spoken)]
    more = " and others" if len(listed) > MOST_PATHS else ""
    names = (", ".join if more else " and ".join)(f"`{path}`" for path in listed[:MOST_PATHS])
    return f" The first example's folder has {names}{more}." if listed else ""


def _folders(paths: Iterable[str]) -> list[str]:
    """The folders that paths lie in, at every depth."""
    return list(with_parents({path: Entry() for path in paths}).keys() - set(paths))


def _join_names(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _write_hint(draft: Draft, level: int) -> str:
    if level > 2:
        return ""
    calls = [call for call in read_script(draft.suggestion.text).calls if call.name not in ("set", "cd", ":")]
    if not calls:
        return ""
    if level == 1:
        steps = [_with_options(call) for call in calls]
        return f"\n\nHint: it takes, in this order, {', then '.join(f'`{step}`' for step in steps)}."
    return f"\n\nHint: it can be done with {_join_names(list(dict.fromkeys(call.name for call in calls)))}."


def _with_options(call: Called) -> str:
    """A command with its options, without what it is given. Behind the options of one that calls another stand the
    other's."""
    words = takewhile(lambda word: word.startswith("-"), call.arguments) if call.name in WRAPPERS else call.arguments
    options = [match[0] for word in words if (match := OPTION.match(word))]
    return " ".join([call.name, *options])
