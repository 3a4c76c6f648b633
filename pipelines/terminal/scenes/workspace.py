"""The folder a suggestion is first run in: what the question shows, and what the commands turn out to miss."""

from __future__ import annotations

import re
from collections.abc import Mapping

from crucible.domains.terminal.scenes import Entry, Scene, with_parents
from crucible.errors import Rejected
from pipelines.terminal.commands.named_files import (
    emptied_names,
    finds_one,
    folder_names,
    globbed_paths,
    is_plain_name,
    linked_names,
    removed_names,
    replaced_links,
    searched_folder,
    sought_paths,
)
from pipelines.terminal.commands.separators import field_separator
from pipelines.terminal.commands.shell import Called, read_script, without_comments, without_documents
from pipelines.terminal.commands.sought import sought_examples
from pipelines.terminal.posts.examples import PROGRAMS, Shown
from pipelines.terminal.scenes.invent import TOKEN, invent_folder, invent_text
from pipelines.terminal.scenes.invented_archives import invent_archive
from pipelines.terminal.scenes.varying import program_words

MISSING = (
    re.compile(
        r"(?i:cannot open|can't open|can't read|cannot access|cannot stat|cannot find) (?:file )?['\"‘`]?([\w./-]+)"
    ),
    re.compile(
        r"(?:^|[\s:'\"‘`])(?!(?:reading|open|stat)\b)([\w./-]+)['\"’`]?: (?:line \d+: )?([\w./-]+)?:? ?"
        r"No such file or directory",
        re.MULTILINE,
    ),
    re.compile(r"No such file or directory: '([\w./-]+)'"),
    re.compile(r"name not matched: ([\w./-]+)"),
    re.compile(r"link_stat \"/tmp/scenes/\d+/([\w./-]+)\" failed"),
    re.compile(r"([\w./-]+): Cannot (?:open|stat): No such file"),
)
# match: sed: can't read data.txt: No such file   cat: data.txt: No such file or directory
NO_FOLDER = re.compile(r"couldn't edit ([\w./-]+): not a regular file|([\w./-]+)'?: Is a directory")
# matches: sed: couldn't edit sub: not a regular file   grep: sub: Is a directory
GLOB = re.compile(r"(?<![\w./*])((?:[\w-]+/)*[\w-]*)\*\.(\w{1,5})\b")  # matches: *.txt, logs/*.log and img*.png
NAME_PATTERN = re.compile(r"-i?name\s+['\"]?\*\.(\w{1,5})")  # matches: -name '*.log'
WRITTEN = re.compile(
    r"(?<![0-9&])>{1,2}\s*([\w./-]+)|\btee\s+(?:-a\s+)?([\w./-]+)|\s-o\s+([\w./-]+)|/dev/stdin\s+([\w./-]+)"
)
# matches: > out.txt   tee log   -o result.json   install /dev/stdin tool.sh
STAR = re.compile(r"(?:^|[\s/])\*(?=[\s;|&/)]|$)", re.MULTILINE)  # matches: the * of `zip all.zip *`
ARGUMENTS = re.compile(r"set -- ((?:[\w./-]+ ?)+)$", re.MULTILINE)  # matches: set -- file.txt
TESTED = re.compile(r"\[\[?\s+(?:!\s+)?-[efrs]\s")  # matches: [ -f "$1" ]
BYSTANDER = "other.bak"
"""A file that no pattern of names means."""
REPEATS = re.compile(r"\buniq\b|\bsort\b[^|;]*\s-\w*u|\bseen\[|\ba\[\$0\]\+\+|!\w+\[\$\w+\]\+\+")
# matches: uniq, sort -u, awk '!seen[$0]++'
SORTS_NUMBERS = re.compile(r"\s*(?:cat \S+ \| *)?sort\b(?![^|;]*-k)[^|;]*\s-\w*[nh]")  # matches: sort -n a.txt
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")  # matches: '/is/p'
PROGRAM_WORDS = frozenset(
    {
        "print",
        "printf",
        "if",
        "else",
        "for",
        "in",
        "while",
        "next",
        "getline",
        "sub",
        "gsub",
        "split",
        "substr",
        "length",
    }
    | {
        "index",
        "match",
        "join",
        "map",
        "select",
        "say",
        "my",
        "sort",
        "keys",
        "type",
        "NR",
        "NF",
        "FNR",
        "BEGIN",
        "END",
    }
)
"""Words that programs of awk, sed, perl and jq have of their own."""
MOST_FOUND = 0.5
"""The share of a folder's words that may stay in other folders because commands look for a part of them."""
WALKERS = frozenset({"find", "ls", "tree", "du", "rsync"})
"""Commands that look at all that is there."""


def first_scene(script: str, shown: Shown, made: Mapping[str, Entry]) -> Scene:
    """The files that the question names or has commands for, and some for every pattern of names in the commands."""
    script = without_documents(script)
    entries = {
        name: _shown_entry(name, text) for name, text in shown.files.items() if name.strip() and is_plain_name(name)
    } | dict(made)
    for number, name in enumerate(shown.names):
        if is_plain_name(name):
            entries.setdefault(name, _invented_entry(name, script, number))
    if made or (shown.names and finds_one(script, entries)):
        return Scene(entries=entries)
    for folder, ending in [
        *GLOB.findall(script),
        *((searched_folder(script), ending) for ending in NAME_PATTERN.findall(script)),
    ]:
        for number, stem in enumerate(("alpha", "beta", "gamma")):
            is_deep = number == 2 and (not GLOB.search(script) or goes_through_folders(script))
            place = f"{folder}sub/" if is_deep else folder
            path = f"{place}{stem}.{ending}"
            entries.setdefault(path, _invented_entry(path, script, number))
    if given := ARGUMENTS.match(script):
        for name in given[1].split():
            if is_plain_name(name) and ("." in name or TESTED.search(script)):
                entries.setdefault(name, _invented_entry(name, script, 0))
    for path in globbed_paths(script):
        entries.setdefault(path, _invented_entry(path, script, len(entries)))
    if NAME_PATTERN.search(script) or GLOB.search(script):
        entries.setdefault(BYSTANDER, _invented_entry(BYSTANDER, script, 0))
    for path in sought_paths(script):
        entries.setdefault(path, _invented_entry(path, script, len(entries)))
    for name in removed_names(script):
        folder = invent_folder(name, 0) if name in folder_names(script) else {name: _invented_entry(name, script, 0)}
        entries |= {path: entry for path, entry in folder.items() if path not in entries}
    for name in [*linked_names(script), *emptied_names(script)]:
        if name.rstrip("/").rpartition("/")[2] in shown.folders:
            entries |= _invented_folder(name.rstrip("/"), script, 0)
        else:
            entries.setdefault(name, _invented_entry(name, script, 0))
    for name, target in replaced_links(script).items():
        entries.setdefault(name, Entry(kind="link", mode=0o777, target=f"{target}.old"))
    return Scene(entries=entries or _walked_entries(script))


def add_bystanders(scene: Scene) -> Scene:
    """The scene, where it is empty, with files that the commands have to leave alone."""
    return scene if scene.entries else scene.model_copy(update={"entries": invent_folder("other", 0)})


def _walked_entries(script: str) -> dict[str, Entry]:
    """What lies in a folder that commands go through as a whole; nothing when they do not."""
    if not goes_through_folders(script):
        return {}
    folder = _with_odd_modes(invent_folder(".", 0, sought_examples(script)), script)
    entries = {path.removeprefix("./"): entry for path, entry in folder.items()}
    return entries | _odd_folders(entries, script)


def goes_through_folders(script: str) -> bool:
    """Whether commands look at whatever lies in a folder."""
    script = without_documents(script)
    calls = read_script(script).calls
    return bool(STAR.search(script)) or any(call.name in WALKERS or _is_recursive(call) for call in calls)


def _with_odd_modes(entries: Mapping[str, Entry], script: str) -> dict[str, Entry]:
    return {
        path: entry.model_copy(update={"mode": _odd_mode(script, number)})
        for number, (path, entry) in enumerate(entries.items())
    }


def _is_recursive(call: Called) -> bool:
    return call.name.endswith("grep") and any(re.fullmatch(r"-\w*[rR]\w*|--recursive", word) for word in call.arguments)


def add_missing(scene: Scene, script: str, complaints: str, shown: Shown) -> Scene | None:
    """The scene with what the commands complained to miss; None when they miss nothing that can be added."""
    missing = dict.fromkeys((name.rstrip("/"), name.endswith("/")) for name in missing_names(complaints))
    written = written_names(script)
    names = [
        (name, is_folder)
        for name, is_folder in missing
        if is_plain_name(name) and name not in written and not _is_there(name, scene)
    ]
    if not names:
        return None
    if program := next((name for name, _ in names if _is_run(name, script)), ""):
        raise Rejected("program_not_shown", program)
    entries = dict(scene.entries)
    folders = 0
    for name, is_folder in names:
        if is_folder or name in folder_names(script) or name.rpartition("/")[2] in shown.folders:
            entries |= _with_odd_modes(_invented_folder(name, script, folders), script)
            folders += 1
        elif spare := _spare_text(entries, script, shown):
            entries[name] = _shown_entry(name, spare)
        else:
            entries[name] = _invented_entry(name, script, 0)
    return scene.model_copy(update={"entries": entries | _odd_folders(entries, script)})


def _is_run(name: str, script: str) -> bool:
    """Whether commands run a file: what it does is what was asked for, and nobody has shown it."""
    return (
        re.search(rf"(?:\b(?:bash|sh|source|python3?|perl)\s+|^\./)(?:\./)?{re.escape(name)}\b", script, re.MULTILINE)
        is not None
    )


def _invented_folder(name: str, script: str, number: int) -> dict[str, Entry]:
    """A folder that commands miss. One that something is moved or copied to holds another file already; of several
    to be compared, each has one file with other content, and lacks one."""
    if re.search(rf"\b(?:mv|cp|rsync)\b.*\s(?:\./)?{re.escape(name)}/?\s*$", script, re.MULTILINE):
        return {f"{name}/present.txt": Entry(text=invent_text("present.txt", number))}
    entries = invent_folder(name, 0, sought_examples(script))
    if number:
        other, lacking, *_ = list(entries)[number - 1 :] + list(entries)
        entries[other] = Entry(text=invent_text(other, number, sought_examples(script)))
        del entries[lacking]
    return entries


def drop_folders(scene: Scene, complaints: str) -> Scene | None:
    """The scene without the folders that commands complained about, since they want nothing but files; None when they
    did not."""
    unwanted = [name.rstrip("/") for match in NO_FOLDER.findall(complaints) for name in match if name]
    entries = {
        path: entry for path, entry in scene.entries.items() if not any(f"{name}/" in f"{path}/" for name in unwanted)
    }
    return scene.model_copy(update={"entries": entries}) if entries and len(entries) < len(scene.entries) else None


def _odd_folders(entries: Mapping[str, Entry], script: str) -> dict[str, Entry]:
    """Where the commands set modes: the folders of the entries, with modes that they have to change."""
    if "chmod" not in script:
        return {}
    folders = [path for path, entry in with_parents(entries).items() if entry.kind == "folder" and path not in entries]
    return {path: Entry(kind="folder", mode=(0o777, 0o700, 0o775)[n % 3]) for n, path in enumerate(folders)}


def _is_there(name: str, scene: Scene) -> bool:
    """Whether a scene has a path, or something below it or above it that is a file."""
    return any(path == name or path.startswith(f"{name}/") or name.startswith(f"{path}/") for path in scene.entries)


def _spare_text(entries: dict[str, Entry], script: str, shown: Shown) -> str:
    """The content of a file that the question shows and that the commands call by another name, or by none."""
    for name, text in shown.files.items():
        if name and name in entries and name not in script:
            del entries[name]
            return text
        if not name.strip() and all(entry.text.strip() != text.strip() for entry in entries.values()):
            return text
    return ""


def _invented_entry(path: str, script: str, number: int) -> Entry:
    if archive := invent_archive(path, number):
        return archive
    is_json = re.search(r"\bjq\b", script) is not None
    text = invent_text(f"{path}.json" if is_json else path, number, sought_examples(script))
    sign = field_separator(script)
    if sign and sign not in text:
        text = text.replace(" ", sign)
    if SORTS_NUMBERS.match(script):  # by what lines begin with
        text = re.sub(r"(?m)^(\D.*) (\d+)$", r"\2 \1", text)
    if REPEATS.search(script):
        lines = text.splitlines(keepends=True)
        text = "".join([*lines, *lines[1:3]])
    return Entry(text=text, mode=_odd_mode(script, number))


def _odd_mode(script: str, number: int) -> int:
    """The mode of an invented file; where the commands set modes, one that they have to change."""
    return (0o600, 0o777, 0o640)[number % 3] if "chmod" in script else 0o644


def written_names(script: str) -> frozenset[str]:
    """Files that the commands write to by name."""
    return frozenset(name for match in WRITTEN.findall(script) for name in match if name)


def kept_tokens(script: str, scene: Scene) -> frozenset[str]:
    """The words and numbers that commands and programs speak of: other contents must still have them."""
    programs = [
        entry.text if scene.started else program_words(path, entry.text)  # one that runs a service says how it is run
        for path, entry in scene.entries.items()
        if path.endswith(PROGRAMS)
    ]
    tokens = TOKEN.findall("\n".join([without_comments(script), scene.started, *scene.asked, *programs]))
    return frozenset(tokens) | frozenset(token.lower() for token in tokens) | _found_tokens(script, scene)


def _found_tokens(script: str, scene: Scene) -> frozenset[str]:
    """Words and numbers of the contents that have a part which the commands look for, unless these are most of them:
    then nothing else would differ."""
    quoted = " ".join(part for match in QUOTED.findall(script) for part in match)
    parts = {token for token in TOKEN.findall(quoted) if len(token) > 1 and token not in PROGRAM_WORDS}
    words = {token for entry in scene.entries.values() for token in TOKEN.findall(entry.text) if len(token) > 1}
    found = frozenset(word for word in words if any(part in word for part in parts))
    return found if len(found) <= MOST_FOUND * len(words) else frozenset()


def _shown_entry(name: str, text: str) -> Entry:
    """A file as the question shows it; a program can be run."""
    return Entry(text=text.rstrip("\n") + "\n", mode=0o755 if text.startswith("#!") or name.endswith(".sh") else 0o644)


def missing_names(complaints: str) -> list[str]:
    """The files that commands complained to miss."""
    found = [name for pattern in MISSING for match in pattern.findall(complaints) for name in _words_of(match)]
    return [re.sub(r"/\.?$", "/", name.removeprefix("./").rstrip(":")) for name in dict.fromkeys(found)]


def _words_of(match: str | tuple[str, ...]) -> list[str]:
    words = [match] if isinstance(match, str) else [word for word in match if word]
    return words[-1:]
