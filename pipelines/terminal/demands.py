"""What is demanded of a solution, derived from what the reference was seen to do."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from crucible.domains.terminal.archives import is_archive
from crucible.domains.terminal.comparing import Case, Demand, normalise_text, say_the_same
from crucible.domains.terminal.documents import ENDINGS as DOCUMENTS
from crucible.domains.terminal.scenes import Effect
from crucible.errors import Rejected
from pipelines.terminal.examples import Shown
from pipelines.terminal.services import SENDS_NOTHING, SENDS_REQUESTS
from pipelines.terminal.shell import Called, read_script

PRINTS = "It prints exactly what `output.txt` of the examples shows for their folders, and nothing else."
PRINTS_ANY_ORDER = (
    "It prints exactly the lines that `output.txt` of the examples shows for their folders, in any order."
)
LEAVES = "It leaves the folder as `after` of the examples shows it: the same files with the same contents and modes."
LEAVES_ALONE = "It leaves every file of the folder as it was."
KEEPS_REPOSITORY = (
    "It leaves the git repository as `after` of the examples shows it: the same commits with the same messages and "
    "authors, branches, tags, stashes, staged files and settings. Dates do not count, nor do hashes that follow from "
    "them."
)
BY_MEANING = "JSON, CSV and INI files count by what they say, not by how they are written."
DIARIES = (".log", ".pid", "nohup.out")
"""Ends of names of files that tell when and as which process something ran."""
UNORDERED = frozenset({"find", "ls", "du", "parallel", "tree"})
"""Commands that print in the order in which a folder happens to be stored."""


def has_effect(case: Case) -> bool:
    """Whether the reference printed or changed anything."""
    expected = case.expected
    changed = expected.changed_entries(case.scene) or expected.changed_facts(case.scene)
    return bool(expected.out.strip() or changed or expected.requests)


def has_same_effect(case: Case, other: Case, demands: Sequence[Demand]) -> bool:
    """Whether the reference printed and changed the same in two cases: then their inputs do not matter."""
    ignored = {path for demand in demands for path in demand.any_content}
    return _changes(case, ignored) == _changes(other, ignored)


def _changes(case: Case, ignored: Collection[str]) -> tuple[object, ...]:
    """What the reference printed and changed, as far as it counts."""
    expected = case.expected
    entries = {path: entry for path, entry in expected.changed_entries(case.scene).items() if path not in ignored}
    return expected.out, entries, expected.changed_facts(case.scene), expected.requests


def derive_demands(script: str, cases: Sequence[Case]) -> tuple[Demand, ...]:
    """Demands on the output and the files, with the sentences that ask for them."""
    any_order = comes_unordered(script)
    if any("\0" in case.expected.out or "\ufffd" in case.expected.out for case in cases):
        raise Rejected("binary_output", script[:200])
    for case in cases:
        for path, entry in case.expected.changed_entries(case.scene).items():
            if entry is not None and (entry.sha256 or entry.data) and not is_archive(path, entry):
                raise Rejected("binary_output", f"{path} is neither text nor an archive")
    demands = []
    if any(case.expected.out.strip() for case in cases):
        sentence = PRINTS_ANY_ORDER if any_order else PRINTS
        demands.append(Demand(about="output", sentence=sentence, any_order=any_order))
    changes = any(case.expected.changed_entries(case.scene) for case in cases)
    meaning = changes and not any_order and count_by_meaning(cases)
    sentence = f"{LEAVES} {BY_MEANING}" if meaning else LEAVES if changes else LEAVES_ALONE
    demands.append(
        Demand(about="files", sentence=sentence, any_order=any_order and bool(changes), by_meaning=bool(meaning))
    )
    if any(case.scene.repositories or case.expected.repositories for case in cases):
        demands.append(Demand(about="repository", sentence=KEEPS_REPOSITORY))
    if service := cases[0].scene.service:
        sentence = SENDS_REQUESTS if any(case.expected.requests for case in cases) else SENDS_NOTHING
        demands.append(Demand(about="requests", sentence=sentence.format(address=service.address)))
    return tuple(demands)


def count_by_meaning(cases: Sequence[Case]) -> bool:
    """Whether the reference writes documents that say what no file of the folder said before. Where one said it, only
    the form has changed, and it is the form that is asked for."""
    written = [
        (case, path, entry)
        for case in cases
        for path, entry in case.expected.changed_entries(case.scene).items()
        if entry is not None and path.endswith(DOCUMENTS)
    ]
    return bool(written) and not any(
        say_the_same(path, entry, before) for case, path, entry in written for before in case.scene.entries.values()
    )


def allow_unstable_files(
    demands: Sequence[Demand], cases: Sequence[Case], again: Sequence[Effect]
) -> tuple[Demand, ...]:
    """The demands without the contents of files that the reference itself leaves otherwise when it is run again: a
    process id, the times of a log. What such a file is called stays a demand."""
    unstable = {
        path
        for case, effect in zip(cases, again, strict=True)
        for path, entry in effect.changed_entries(case.scene).items()
        if path.endswith(DIARIES) and entry is not None
        if (first := case.expected.entries.get(path)) is not None and first.text != entry.text
    }
    if not unstable:
        return tuple(demands)
    names = " and ".join(f"`{path}`" for path in sorted(unstable))
    return tuple(
        demand.model_copy(
            update={
                "sentence": f"{demand.sentence} What {names} holds does not count.",
                "any_content": tuple(sorted(unstable)),
            }
        )
        if demand.about == "files"
        else demand
        for demand in demands
    )


def comes_unordered(script: str) -> bool:
    """Whether the order of a script's lines is an accident of where it ran."""
    calls = read_script(script).calls
    walks = any(_walks_folders(call) for call in calls)
    lists_files = bool(re.search(r"\bxargs\b[^|]*$", script.rstrip()))  # `find | xargs wc -l` has a line for each file
    return (walks or bool(re.search(r"\bxargs\b.*-P|declare -A|\bin\s+\w+\s*\)", script))) and not (
        calls and calls[-1].name in ("sort", "wc", "uniq") and not lists_files
    )


def _walks_folders(call: Called) -> bool:
    """Whether a command goes through folders in the order in which the file system happens to hold their files."""
    if call.name == "tar":
        return bool(call.arguments) and bool(re.fullmatch(r"-?[a-zA-Z]*c[a-zA-Z]*|--create", call.arguments[0]))
    return call.name in UNORDERED or (call.name in ("grep", "zip") and _is_recursive(call.arguments))


def _is_recursive(arguments: Sequence[str]) -> bool:
    return any(re.fullmatch(r"-\w*[rR]\w*|--recursive", word) for word in arguments)


def check_shown_result(shown: Shown, case: Case) -> None:
    """Rejected when the question shows another result than the answer gives in the folder that the question shows."""
    if not shown.expected or not shown.files:
        return
    wanted = normalise_text(shown.expected)
    texts = [case.expected.out, *(entry.text for entry in case.expected.changed_entries(case.scene).values() if entry)]
    if not any(_agree(wanted, normalise_text(text)) for text in texts):
        raise Rejected("shown_result_differs", f"expected {shown.expected[:150]!r}, got {case.expected.out[:150]!r}")


def _agree(wanted: list[str], found: list[str]) -> bool:
    """Whether two results are the same to a reader: blanks between words do not count."""
    return [line.split() for line in wanted if line.strip()] == [line.split() for line in found if line.strip()]
