"""What is demanded of a solution, derived from what the reference was seen to do."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence

from crucible.domains.terminal.archives import is_archive
from crucible.domains.terminal.comparing import Case, Demand, normalise_text, say_the_same
from crucible.domains.terminal.documents import ENDINGS as DOCUMENTS
from crucible.domains.terminal.scenes import Effect
from crucible.errors import Rejected
from pipelines.terminal.accounts.steps import tell_script
from pipelines.terminal.commands.shell import Called, read_script, talk_patterns
from pipelines.terminal.drafting.forms import collect_results, describe_form, describe_new_names
from pipelines.terminal.posts.examples import PROGRAMS, Shown
from pipelines.terminal.posts.transcripts import ELLIPSIS
from pipelines.terminal.scenes.running import RESTARTED, RUNS_ON, describe_running
from pipelines.terminal.scenes.services import ANSWERS, SENDS_NOTHING, SENDS_REQUESTS

PRINTS = "It prints exactly what `output.txt` of the examples shows for their folders, and nothing else."
PRINTS_ANY_ORDER = (
    "It prints exactly the lines that `output.txt` of the examples shows for their folders, in any order."
)
ENDS = "White space at the ends of lines and empty lines at the end do not count."
LEAVES = "It leaves the folder as `after` of the examples shows it: the same files with the same contents and modes."
LEAVES_ALONE = "It leaves every file of the folder as it was."
KEEPS_REPOSITORY = (
    "It leaves the git repository as `after` of the examples shows it: the same commits with the same messages and "
    "authors, branches, tags, stashes, staged files and settings. Dates do not count, nor do hashes that follow from "
    "them."
)
ANY_ORDER = "Lines in files may come in any order."
TALKS = "What it prints does not count."
BY_MEANING = "JSON, CSV and INI files and tables of cron count by what they say, not by how they are written."
DIARIES = (".log", ".pid", "nohup.out")
"""Ends of names of files that tell when and as which process something ran."""
LEAST_LINES = 2
"""A result that is shown with lines left out has to have more lines than this."""
UNORDERED = frozenset({"find", "ls", "du", "parallel", "tree"})
"""Commands that print in the order in which a folder happens to be stored."""


def has_effect(case: Case) -> bool:
    """Whether the reference printed or changed anything."""
    expected = case.expected
    return bool(expected.out.strip() or has_changed(case) or expected.requests or expected.answers)


def has_changed(case: Case) -> bool:
    """Whether the reference changed files or repositories."""
    return bool(case.expected.changed_entries(case.scene) or case.expected.changed_facts(case.scene))


def has_same_effect(case: Case, other: Case, demands: Sequence[Demand]) -> bool:
    """Whether the reference printed and changed the same in two cases: then their inputs do not matter. Links, folders,
    empty files and what is gone hold nothing that could be copied from an example."""
    if not has_content(case):
        return False
    ignored = {path for demand in demands for path in demand.any_content}
    prints = any(demand.about == "output" for demand in demands)
    return _changes(case, ignored, prints) == _changes(other, ignored, prints)


def says_one_thing(cases: Sequence[Case]) -> bool:
    """Whether the reference only prints, and always the same line, here more often and there less."""
    lines = [line for case in cases for line in normalise_text(case.expected.out)]
    return len(lines) > len(cases) and len(set(lines)) == 1 and not any(has_changed(case) for case in cases)


def has_content(case: Case) -> bool:
    """Whether the reference printed, wrote or sent anything with a content."""
    expected = case.expected
    written = expected.changed_entries(case.scene).items()
    has_text = any(entry is not None and (entry.text or entry.data or entry.sha256) for _, entry in written)
    return bool(
        expected.out.strip() or has_text or expected.changed_facts(case.scene) or expected.requests or expected.answers
    )


def has_link(case: Case) -> bool:
    """Whether there is a link in the folder, before or afterwards."""
    return any(
        entry.kind == "link" for entries in (case.scene.entries, case.expected.entries) for entry in entries.values()
    )


def is_copy(case: Case) -> bool:
    """Whether what the reference printed is a file of the folder as it is, and nothing else happened."""
    expected = case.expected
    if expected.changed_entries(case.scene) or expected.changed_facts(case.scene):
        return False
    if expected.requests or expected.answers:
        return False
    texts = [normalise_text(entry.text) for entry in case.scene.entries.values() if entry.kind == "file"]
    return normalise_text(expected.out) in texts


def writes_copy(case: Case) -> bool:
    """Whether all that the reference did was to write files with what a file of the folder had before."""
    expected = case.expected
    changed = expected.changed_entries(case.scene)
    if not changed or expected.out.strip() or expected.requests or expected.answers or case.scene.repositories:
        return False
    texts = [normalise_text(entry.text) for entry in case.scene.entries.values() if entry.text]
    files = [entry for entry in changed.values() if entry is None or entry.kind != "folder"]
    return bool(files) and all(entry is not None and normalise_text(entry.text) in texts for entry in files)


def _changes(case: Case, ignored: Collection[str], prints: bool) -> tuple[object, ...]:
    """What the reference printed and changed, as far as it counts."""
    expected = case.expected
    entries = {path: entry for path, entry in expected.changed_entries(case.scene).items() if path not in ignored}
    return (
        expected.out if prints else "",
        entries,
        expected.changed_facts(case.scene),
        expected.requests,
        expected.answers,
    )


def derive_demands(script: str, cases: Sequence[Case], unstable: Collection[str] = ()) -> tuple[Demand, ...]:
    """Demands on the output and the files, with the sentences that ask for them. That `unstable` files are there is
    demanded, what they hold is not."""
    any_order = comes_unordered(script)
    if any("\0" in case.expected.out or "\ufffd" in case.expected.out for case in cases):
        raise Rejected("binary_output", script[:200])
    for case in cases:
        for path, entry in case.expected.changed_entries(case.scene).items():
            if entry is not None and (entry.sha256 or entry.data) and not is_archive(path, entry):
                raise Rejected("binary_output", f"{path} is neither text nor an archive")
    demands = []
    results = {path: found for path, found in collect_results(cases).items() if path not in unstable}
    is_told = not tell_script(script).untold
    forms = {path: describe_form(found, any_order, script, is_told) for path, found in results.items()}
    printed = forms.pop("", "")
    prints = any(case.expected.out.strip() for case in cases)
    talks = prints and only_talks(script) and all(has_changed(case) for case in cases)
    if prints and not talks:
        sentence = " ".join(filter(None, (PRINTS_ANY_ORDER if any_order else PRINTS, printed, ENDS)))
        demands.append(Demand(about="output", sentence=sentence, any_order=any_order))
    changes = any(case.expected.changed_entries(case.scene) for case in cases)
    meaning = changes and not any_order and count_by_meaning(cases)
    sentence = f"{LEAVES} {BY_MEANING}" if meaning else LEAVES if changes else LEAVES_ALONE
    written = "" if meaning else "".join(f" What `{path}` holds: {form}" for path, form in forms.items() if form)
    sentence += (
        written
        + describe_new_names(cases, script)
        + (f" {ANY_ORDER}" if any_order and forms else "")
        + (f" {TALKS}" if talks else "")
        + (f" What {' and '.join(f'`{path}`' for path in sorted(unstable))} holds does not count." if unstable else "")
    )
    demands.append(
        Demand(
            about="files",
            sentence=sentence,
            any_order=any_order and bool(changes),
            any_content=tuple(sorted(unstable)),
            by_meaning=bool(meaning),
        )
    )
    if any(case.scene.repositories or case.expected.repositories for case in cases):
        demands.append(Demand(about="repository", sentence=KEEPS_REPOSITORY))
    if service := cases[0].scene.service:
        sentence = SENDS_REQUESTS if any(case.expected.requests for case in cases) else SENDS_NOTHING
        demands.append(Demand(about="requests", sentence=sentence.format(address=service.address)))
    if cases[0].scene.started:
        sentence = RESTARTED if cases[0].expected.restarted else RUNS_ON
        demands.append(Demand(about="answers", sentence=describe_running(cases[0].scene)))
        demands.append(Demand(about="restart", sentence=sentence))
    elif asked := cases[0].scene.asked:
        port = asked[0].split(":")[2].partition("/")[0]
        demands.append(Demand(about="answers", sentence=ANSWERS.format(port=port)))
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


def unstable_files(cases: Sequence[Case], again: Sequence[Effect], serves: bool = False) -> frozenset[str]:
    """Files whose contents the reference leaves otherwise when it is run again, a process id, the times of a log;
    and programs that it writes: what they do counts. `serves`: it runs a server, whose log tells the time to the
    second, so that two logs may happen to be the same."""
    diaries = {
        path
        for case, effect in zip(cases, again, strict=True)
        for path, entry in effect.changed_entries(case.scene).items()
        if path.endswith(DIARIES) and entry is not None
        if (first := case.expected.entries.get(path)) is not None
        if first.text != entry.text or serves
    }
    return frozenset(diaries | written_programs(cases))


def written_programs(cases: Sequence[Case]) -> set[str]:
    """Programs that the reference writes, the same in every case: a solver may write them otherwise."""
    texts: dict[str, set[str]] = {}
    for case in cases:
        for path, entry in case.expected.changed_entries(case.scene).items():
            if entry is not None and path not in case.scene.entries and path.endswith(PROGRAMS):
                texts.setdefault(path, set()).add(entry.text)
    return {path for path, versions in texts.items() if len(versions) == 1}


def only_talks(script: str) -> bool:
    """Whether all that a script prints is what its commands say of their work."""
    said = (f"{call.name} {' '.join(call.arguments)}" for call in read_script(script).calls)
    return all(any(re.search(pattern, each) for pattern in talk_patterns()) for each in said)


def comes_unordered(script: str) -> bool:
    """Whether the order of a script's lines is an accident of where it ran."""
    if "sorted_in" in script:  # awk is told in which order it goes through a list
        return False
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


def check_shown_result(shown: Shown, case: Case) -> bool:
    """Whether the answer gives the result that the question shows, in the folder that it shows; Rejected when it gives
    another one."""
    if not shown.expected or not shown.files:
        return False
    wanted = normalise_text(shown.expected)
    texts = [case.expected.out, *(entry.text for entry in case.expected.changed_entries(case.scene).values() if entry)]
    if not any(_agree(wanted, normalise_text(text)) for text in texts):
        raise Rejected("shown_result_differs", f"expected {shown.expected[:150]!r}, got {case.expected.out[:150]!r}")
    return True


def gives_answered_output(shown: Shown, output: str, case: Case) -> bool:
    """Whether commands print, in the folder that the question shows, what their answer shows them to print."""
    if not shown.files or not output.strip():
        return False
    return _agree(normalise_text(output), normalise_text(case.expected.out))


def _agree(wanted: list[str], found: list[str]) -> bool:
    """Whether two results are the same to a reader: blanks between words do not count, nor how JSON is laid out, and
    points may stand for lines left out."""
    lines = [" ".join(line.split()) for line in wanted if line.strip()]
    others = [" ".join(line.split()) for line in found if line.strip()]
    if lines == others or _say_the_same_json("\n".join(wanted), "\n".join(found)):
        return True
    if not any(ELLIPSIS.match(line) for line in lines) or len(lines) <= LEAST_LINES:
        return False
    pattern = "".join(r"(?:.*\n)*" if ELLIPSIS.match(line) else re.escape(line) + r"\n" for line in lines)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in others)) is not None


def _say_the_same_json(wanted: str, found: str) -> bool:
    """Whether two texts are JSON, lists or objects, that say the same."""
    try:
        first, second = json.loads(wanted), json.loads(found)
    except ValueError:
        return False
    return isinstance(first, list | dict) and bool(first == second)
