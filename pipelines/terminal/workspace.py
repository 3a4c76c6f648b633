"""The folder a suggestion is first run in: what the question shows, and what the commands turn out to miss."""

from __future__ import annotations

import re
from collections.abc import Mapping

from crucible.domains.terminal.scenes import Entry, Scene, with_parents
from pipelines.terminal.examples import Shown
from pipelines.terminal.invent import PROGRAMS, TOKEN, invent_folder, invent_text
from pipelines.terminal.invented_archives import invent_archive
from pipelines.terminal.shell import Called, read_script, without_comments
from pipelines.terminal.sought import sought_texts
from pipelines.terminal.varying import program_words

MISSING = (
    re.compile(
        r"(?i:cannot open|can't open|can't read|cannot access|cannot stat|cannot find) (?:file )?['\"‘`]?([\w./-]+)"
    ),
    re.compile(
        r"(?:^|[\s:'\"‘`])([\w./-]+)['\"’`]?: (?:line \d+: )?([\w./-]+)?:? ?No such file or directory", re.MULTILINE
    ),
    re.compile(r"No such file or directory: '([\w./-]+)'"),
    re.compile(r"name not matched: ([\w./-]+)"),
    re.compile(r"([\w./-]+): Cannot open: No such file"),
)
# match: sed: can't read data.txt: No such file   cat: data.txt: No such file or directory
GLOB = re.compile(r"(?<![\w./*])((?:[\w-]+/)*[\w-]*)\*\.(\w{1,5})\b")  # matches: *.txt, logs/*.log and img*.png
NAME_PATTERN = re.compile(r"-i?name\s+['\"]?\*\.(\w{1,5})")  # matches: -name '*.log'
FOUND_NAME = re.compile(r"-i?(?:name|path)\s+(?:'([^'\[\]?]+)'|\"([^\"\[\]?$]+)\"|([\w./*-]+))")
# matches: -name .htaccess   -path './misc'   -name "*baz*"
WRITTEN = re.compile(
    r"(?<![0-9&])>{1,2}\s*([\w./-]+)|\btee\s+(?:-a\s+)?([\w./-]+)|\s-o\s+([\w./-]+)|/dev/stdin\s+([\w./-]+)"
)
# matches: > out.txt   tee log   -o result.json   install /dev/stdin tool.sh
REMOVERS = ("rm", "rmdir", "unlink", "shred")
"""Commands that some are silent about what is not there."""
STAR = re.compile(r"(?:^|[\s/])\*(?=[\s;|&/)]|$)", re.MULTILINE)  # matches: the * of `zip all.zip *`
WALKERS = frozenset({"find", "ls", "tree", "du", "rsync"})
"""Commands that look at all that is there."""


def first_scene(script: str, shown: Shown, made: Mapping[str, Entry]) -> Scene:
    """The files that the question names or has commands for, and some for every pattern of names in the commands."""
    entries = {name: _shown_entry(name, text) for name, text in shown.files.items() if name and _is_plain(name)} | dict(
        made
    )
    for number, name in enumerate(shown.names):
        if _is_plain(name):
            entries.setdefault(name, _invented_entry(name, script, number))
    if made or shown.names:
        return Scene(entries=entries)
    for folder, ending in [*GLOB.findall(script), *(("", ending) for ending in NAME_PATTERN.findall(script))]:
        for number, stem in enumerate(("alpha", "beta", "gamma")):
            place = f"{folder}sub/" if number == 2 and not GLOB.search(script) else folder
            path = f"{place}{stem}.{ending}"
            entries.setdefault(path, _invented_entry(path, script, number))
    for path in _sought_paths(script):
        entries.setdefault(path, _invented_entry(path, script, len(entries)))
    for name in _removed_names(script):
        folder = invent_folder(name, 0) if name in _folders_in(script) else {name: _invented_entry(name, script, 0)}
        entries |= {path: entry for path, entry in folder.items() if path not in entries}
    return Scene(entries=entries or _walked_entries(script))


def _sought_paths(script: str) -> list[str]:
    """Paths that `find` looks for by name, and some beside them that it must not find."""
    found = [name for match in FOUND_NAME.findall(script) for name in match if name]
    paths = [
        f"{place}{name.removeprefix('./').replace('*', word)}"
        for name in found
        for place, word in (("", "one"), ("sub/", "two"))
        if not name.startswith("*.") and name.strip("*./")
    ]
    if re.search(r"-type\s+d|-prune|-path", script):
        paths = [f"{path.rstrip('/')}/inside.txt" for path in paths]
    return [*paths, "other.txt", "sub/another.txt"] if paths else []


def _walked_entries(script: str) -> dict[str, Entry]:
    """What lies in a folder that commands go through as a whole; nothing when they do not."""
    calls = read_script(script).calls
    if not STAR.search(script) and not any(call.name in WALKERS or _is_recursive(call) for call in calls):
        return {}
    return {path.removeprefix("./"): entry for path, entry in invent_folder(".", 0, sought_texts(script)).items()}


def _is_recursive(call: Called) -> bool:
    return call.name.endswith("grep") and any(re.fullmatch(r"-\w*[rR]\w*|--recursive", word) for word in call.arguments)


def _removed_names(script: str) -> list[str]:
    """Plain names that are removed: there has to be something of that name, and no command complains when it is not."""
    return [
        word.rstrip("/")
        for call in read_script(script).calls
        if call.name in REMOVERS
        for word in call.arguments
        if re.fullmatch(r"[\w.-]+/?", word) and not word.startswith("-") and _is_plain(word) and word.strip("./")
    ]


def add_missing(scene: Scene, script: str, complaints: str, shown: Shown) -> Scene | None:
    """The scene with what the commands complained to miss; None when they miss nothing that can be added."""
    missing = dict.fromkeys((name.rstrip("/"), name.endswith("/")) for name in missing_names(complaints))
    names = [(name, is_folder) for name, is_folder in missing if _is_plain(name) and not _is_there(name, scene)]
    if not names:
        return None
    entries = dict(scene.entries)
    for name, is_folder in names:
        if is_folder or name in _folders_in(script):
            folder = invent_folder(name, 0, sought_texts(script))
            entries |= {
                path: entry.model_copy(update={"mode": _odd_mode(script, n)})
                for n, (path, entry) in enumerate(folder.items())
            }
        elif spare := _spare_text(entries, script, shown):
            entries[name] = _shown_entry(name, spare)
        else:
            entries[name] = _invented_entry(name, script, 0)
    return scene.model_copy(update={"entries": entries | _odd_folders(entries, script)})


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
        if not name and all(entry.text.strip() != text.strip() for entry in entries.values()):
            return text
    return ""


def _invented_entry(path: str, script: str, number: int) -> Entry:
    archive = invent_archive(path, number)
    return archive or Entry(text=invent_text(path, number, sought_texts(script)), mode=_odd_mode(script, number))


def _odd_mode(script: str, number: int) -> int:
    """The mode of an invented file; where the commands set modes, one that they have to change."""
    return (0o600, 0o777, 0o640)[number % 3] if "chmod" in script else 0o644


def written_names(script: str) -> frozenset[str]:
    """Files that the commands write to by name."""
    return frozenset(name for match in WRITTEN.findall(script) for name in match if name)


def kept_tokens(script: str, scene: Scene) -> frozenset[str]:
    """The words and numbers that commands and programs speak of: other contents must still have them."""
    programs = [program_words(path, entry.text) for path, entry in scene.entries.items() if path.endswith(PROGRAMS)]
    tokens = TOKEN.findall("\n".join([without_comments(script), *programs]))
    return frozenset(tokens) | frozenset(token.lower() for token in tokens)


def _shown_entry(name: str, text: str) -> Entry:
    """A file as the question shows it; a program can be run."""
    return Entry(text=text.rstrip("\n") + "\n", mode=0o755 if text.startswith("#!") or name.endswith(".sh") else 0o644)


def missing_names(complaints: str) -> list[str]:
    """The files that commands complained to miss."""
    found = [name for pattern in MISSING for match in pattern.findall(complaints) for name in _words_of(match)]
    return [name.removeprefix("./").rstrip(":") for name in dict.fromkeys(found)]


def _words_of(match: str | tuple[str, ...]) -> list[str]:
    words = [match] if isinstance(match, str) else [word for word in match if word]
    return words[-1:]


def _folders_in(script: str) -> set[str]:
    """Words of the commands that can only be folders: what `cd` or `find` is given, or what stands before a slash."""
    folders = {
        call.arguments[0].rstrip("/")
        for call in read_script(script).calls
        if call.name in ("cd", "find", "ls", "tree") and call.arguments
    }
    folders |= {
        word.rstrip("/")
        for call in read_script(script).calls
        if call.name in ("tar", "zip", "rsync", "cp") or _removes_folders(call)
        for word in call.arguments
        if re.fullmatch(r"[\w-]+/?", word)
    }
    return folders | {folder.rstrip("/") for folder in re.findall(r"([\w.-]+)/(?:\s|$|\*)", script)}


def _removes_folders(call: Called) -> bool:
    return call.name == "rmdir" or (call.name == "rm" and any(re.match(r"-\w*[rR]", word) for word in call.arguments))


def _is_plain(name: str) -> bool:
    """Whether a name lies within the scene's folder."""
    return bool(name) and not name.startswith(("/", "-", "..")) and "/../" not in name and len(name) < 100
