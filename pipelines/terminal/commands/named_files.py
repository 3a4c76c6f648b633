"""Files that commands name and do not complain to miss: what `find` looks for, what is removed, emptied, linked to; and
which names can only be folders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatch

from pipelines.terminal.commands.shell import Called, find_words, read_script

FOUND_NAME = re.compile(r"-i?(?:name|path)\s+(?:'([^'\[\]?]+)'|\"([^\"\[\]?$]+)\"|([\w./*-]+))")
# matches: -name .htaccess   -path './misc'   -name "*baz*"
EMPTIED = re.compile(r"(?:/dev/null|^\s*:|^\s*true|^)\s*>\s*([\w.-]+)|truncate\s.*?([\w.-]+)\s*$", re.MULTILINE)
# matches: cat /dev/null > app.log   : > app.log   truncate -s 0 app.log
PREFIX = re.compile(r"(?:\./)?((?:[\w-]+/)*[A-Za-z][\w-]*\.?)\*")  # matches: ABC.*, img*
FOLDER_NAME = re.compile(
    r"(?:[\w-]*[_-])?(?:my|some|your)?(?:dir|folder|directory)(?:[_-]?\w?|_?name|_(?:to|of)_\w+)/?", re.IGNORECASE
)
# matches: dir, dir1, some_folder, backup-dir, directoryname; not dirty.txt
REMOVERS = ("rm", "rmdir", "unlink", "shred")
"""Commands that some are silent about what is not there."""


def globbed_paths(script: str) -> list[str]:
    """Names for patterns of the shell that end with a star: `ABC.*`, `img*`."""
    prefixes = [match[1] for _, word in find_words(script) if (match := PREFIX.fullmatch(word))]
    return [
        f"{prefix}{ending}" if prefix.endswith(".") else f"{prefix}-{word}.{ending}"
        for prefix in dict.fromkeys(prefixes)
        for word, ending in (("one", "txt"), ("two", "md"), ("three", "csv"))
    ]


def finds_one(script: str, paths: Iterable[str]) -> bool:
    """Whether one of the paths is such as `find` looks for by name; without such names all are."""
    patterns = [name.removeprefix("./") for match in FOUND_NAME.findall(script) for name in match if name]
    return not patterns or any(fnmatch(path.rpartition("/")[2], pattern) for path in paths for pattern in patterns)


def sought_paths(script: str) -> list[str]:
    """Paths that `find` looks for by name, and some beside them that it must not find."""
    found = [name for match in FOUND_NAME.findall(script) for name in match if name]
    paths = [
        f"{searched_folder(script)}{place}{_fill_stars(name.removeprefix('./'), word)}"
        for name in found
        for place, word in (("", "one"), ("sub/", "two"))
        if not name.startswith("*.") and name.strip("*./")
    ]
    if re.search(r"-type\s+d|-prune|-path", script):
        paths = [f"{path.rstrip('/')}/inside.txt" for path in paths]
    beside = [f"{searched_folder(script)}{path}" for path in ("other.txt", "sub/another.txt")]
    return [*paths, *beside] if paths else []


def searched_folder(script: str) -> str:
    """The folder that `find` begins at, with a slash behind it; empty: it is the one that the script runs in."""
    calls = [call for call in read_script(script).calls if call.name == "find" and call.arguments]
    name = calls[0].arguments[0].removeprefix("./").rstrip("/") if calls else ""
    return f"{name}/" if is_plain_name(name) and name.strip(".") and not name.startswith("-") else ""


def _fill_stars(pattern: str, word: str) -> str:
    """A name that matches a pattern; the word is apart from what stands there, so that other names can keep that."""
    return re.sub(
        r"(\w?)\*(\w?)", lambda at: f"{at[1]}{'-' if at[1] else ''}{word}{'-' if at[2] else ''}{at[2]}", pattern
    )


def emptied_names(script: str) -> list[str]:
    """Files that are emptied: there has to be something in them."""
    return [name for match in EMPTIED.findall(script) for name in match if name]


def linked_names(script: str) -> list[str]:
    """Plain names that links are made to: `ln -s` does not complain that there is nothing."""
    links = [call for call in read_script(script).calls if call.name == "ln"]
    targets = [[word for word in call.arguments if not word.startswith("-")][:1] for call in links]
    return [name for names in targets for name in names if re.fullmatch(r"[\w./-]+", name) and is_plain_name(name)]


def replaced_links(script: str) -> dict[str, str]:
    """Links that are made even where there is one already, each with what it will point to."""
    calls = [call for call in read_script(script).calls if call.name == "ln"]
    forced = [call for call in calls if any(re.fullmatch(r"-\w*f\w*|--force", word) for word in call.arguments)]
    operands = [[word for word in call.arguments if not word.startswith("-")] for call in forced]
    return {pair[1]: pair[0] for pair in operands if len(pair) == 2 and all(map(is_plain_name, pair))}


def removed_names(script: str) -> list[str]:
    """Plain names that are removed: there has to be something of that name, and no command complains when it is not."""
    return [
        word.rstrip("/")
        for call in read_script(script).calls
        if call.name in REMOVERS
        for word in call.arguments
        if re.fullmatch(r"[\w.-]+/?", word) and not word.startswith("-") and is_plain_name(word) and word.strip("./")
    ]


def is_plain_name(name: str) -> bool:
    """Whether a name lies within the scene's folder."""
    return bool(name) and not name.startswith(("/", "-", "..")) and "/../" not in name and len(name) < 100


def folder_names(script: str) -> set[str]:
    """Words of the commands that can only be folders: what `cd` or `find` is given, or what stands before a slash."""
    folders = {
        call.arguments[0].rstrip("/")
        for call in read_script(script).calls
        if call.name in ("cd", "find", "ls", "tree") and call.arguments
    }
    folders |= {
        word.rstrip("/")
        for call in read_script(script).calls
        if call.name in ("tar", "zip", "rsync", "cp") or _removes_folders(call) or _compares_folders(call)
        for word in call.arguments
        if re.fullmatch(r"[\w-]+/?", word)
    }
    folders |= {
        word.rstrip("/")
        for call in read_script(script).calls
        if call.name in ("chmod", "chown", "chgrp") and {"-R", "--recursive"} & set(call.arguments)
        for word in call.arguments[1:]
        if re.fullmatch(r"[A-Za-z_][\w./-]*", word)
    }
    folders |= {
        word.rstrip("/")
        for call in read_script(script).calls
        if call.name not in ("mkdir", "echo", "printf")
        for word in call.arguments
        if FOLDER_NAME.fullmatch(word)
    }
    return folders | {folder.rstrip("/") for folder in re.findall(r"([\w.-]+)/(?:\s|$|\*)", script)}


def _compares_folders(call: Called) -> bool:
    return call.name == "diff" and any(re.match(r"-\w*r|--recursive", word) for word in call.arguments)


def _removes_folders(call: Called) -> bool:
    return call.name == "rmdir" or (call.name == "rm" and any(re.match(r"-\w*[rR]", word) for word in call.arguments))
