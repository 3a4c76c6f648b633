"""The stage `write`: a draft as tasks, one for each level of hints, all with the same checks and environment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import join

from crucible.domains.terminal.comparing import Case, ScriptParams
from crucible.domains.terminal.scenes import Entry, own_entries, with_parents
from crucible.errors import Rejected
from crucible.mining import BlobStore, MiningContext
from crucible.model import Check, Difficulty, Provenance, Reference, Task
from crucible.sandbox import Env, LaidFile
from pipelines.terminal.authoring.rewording import word_levels
from pipelines.terminal.drafting.environment import make_env
from pipelines.terminal.model import Draft
from pipelines.terminal.statements.complete import check_complete
from pipelines.terminal.statements.instruction import LEVELS, determines_all, write_instruction


async def write_tasks(draft: Draft, context: MiningContext) -> Sequence[Task]:
    """The tasks of a draft."""
    params = ScriptParams(demands=draft.demands, cases=draft.cases)
    listed = any(_needs_listing(case) for case in draft.cases)
    env = lay_examples(make_env(draft.suggestion.packages), draft.cases, context.blobs, listed)
    worded = await word_levels(draft, context)
    tasks = [make_task(worded[level], params, env, level, listed) for level in LEVELS]
    for task in tasks:
        if not determines_all(task.instruction, params):
            raise Rejected("instruction_incomplete", task.instruction[:200])
        check_complete(worded[task.difficulty.hint_level or LEVELS[0]], task.instruction)
    return tasks


def make_task(draft: Draft, params: ScriptParams, env: Env, level: int, listed: bool) -> Task:
    """The task with the hints of one level."""
    annotation = draft.selected.annotation
    return Task(
        domain="terminal",
        kind="script",
        instruction=write_instruction(draft, params, level, env.workdir, listed),
        env=env,
        checks=(Check(verifier="script-effects", params=params.model_dump(mode="json")),),
        reference=Reference(files={join(env.workdir, params.script): draft.suggestion.text + "\n"}),
        provenance=_provenance(draft),
        difficulty=Difficulty(repair_rounds=draft.repair_rounds, hint_level=level),
        labels={
            "category": annotation.category,
            "complexity": str(annotation.complexity),
            "type": annotation.task_type,
            "writer": draft.writer,
            "grade": str(draft.grade.total),
            "judged": str(draft.judged.total) if draft.judged else "",
            "alternatives": str(len(draft.alternatives)),
        },
    )


def _provenance(draft: Draft) -> Provenance:
    """Where the task came from, and whom the licence asks to name: who asked, and who answered."""
    thread = draft.selected.thread
    answer = next(each for each in thread.answers if each.number == draft.suggestion.answer)
    authors = dict.fromkeys(name for name in (thread.author, answer.author) if name)
    licences = dict.fromkeys((thread.licence, answer.licence))
    return Provenance(
        source=f"stack-exchange:{thread.site}#{thread.number}",
        licence=" AND ".join(licences),
        author=", ".join(authors),
        url=thread.url,
        commit=f"{thread.edited or thread.created}/{answer.edited or answer.created}",
        created=thread.created,
    )


def lay_examples(env: Env, cases: Sequence[Case], blobs: BlobStore, listed: bool) -> Env:
    """The environment with the cases that a solver may see: each folder before and after, and what is printed."""
    files = {}
    for number, case in enumerate((case for case in cases if not case.hidden), start=1):
        place = f"examples/{number}"
        for name, entries in (("before", case.scene.entries), ("after", case.expected.entries)):
            for path, entry in entries.items():
                if entry.kind == "file":
                    files[f"{place}/{name}/{path}"] = LaidFile(blob=blobs.put(entry.content), mode=entry.mode)
            if listed:
                listing = "".join(f"{line}\n" for line in list_entries(with_parents(own_entries(entries))))
                files[f"{place}/{name}.txt"] = LaidFile(blob=blobs.put(listing.encode()))
        for path, text in (case.scene.service.pages if case.scene.service else {}).items():
            files[f"{place}/pages/{path.lstrip('/')}"] = LaidFile(blob=blobs.put(text.encode()))
        if case.expected.requests:
            sent = "".join(f"{request}\n" for request in case.expected.requests)
            files[f"{place}/requests.txt"] = LaidFile(blob=blobs.put(sent.encode()))
        if case.scene.asked:
            pairs = zip(case.scene.asked, case.expected.answers, strict=True)
            said = "".join(f"{address}\n{answer}\n\n" for address, answer in pairs)
            files[f"{place}/answers.txt"] = LaidFile(blob=blobs.put(said.encode()))
        if case.expected.out:
            files[f"{place}/output.txt"] = LaidFile(blob=blobs.put(case.expected.out.encode(errors="surrogateescape")))
    return env.model_copy(update={"files": files})


def list_entries(entries: dict[str, Entry]) -> Iterator[str]:
    """One line for each path: its kind, its mode, and where a link points."""
    for path, entry in entries.items():
        yield f"link {path} -> {entry.target}" if entry.kind == "link" else f"{entry.kind} {entry.mode:o} {path}"


def _needs_listing(case: Case) -> bool:
    """Whether a case has what laid files cannot show: links, empty folders, modes."""
    return any(
        entry.kind != "file" or entry.mode != 0o644
        for entries in (case.scene.entries, case.expected.entries)
        for entry in own_entries(entries).values()
    )
