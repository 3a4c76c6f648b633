"""Canaries in other languages than Python: a failing test put into a task's test file, or beside it in its package, so
that it runs in one process with the code under test and shares whatever that does to the test framework.

The texts are in `canaries.toml`. One is made only where the file itself shows how: which package or namespace it is in,
which function declares its tests. A canary that cannot be made costs a guard; one that does not run costs the task.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from crucible.datafile import rows
from crucible.domains.code.suite import Canary
from crucible.record import Record

HERE = Path(__file__).parent


class Nest(Record):
    """A row of `canaries.toml`: one way to add a failing test to a file. Fields in braces are filled in: what `needs`
    found by its groups' names, {path}, {folder}, {stem}, {hex}, {name} (a plain sentence), {word} (an identifier),
    {first} (the test's id up to the first `::`), {module} (that without its last word), {group} (the file, where the
    id begins with it in words of the framework's own)."""

    frameworks: tuple[str, ...]
    files: str
    """A regular expression over the whole path of the test file; its groups are fields too."""
    needs: str
    """A regular expression that the file must match; it may use the groups of `files`. A group named `count` is how
    many tests the file plans, which becomes one more."""
    path: str = "{path}"
    """Where the canary goes: into the file itself when it is the same."""
    before: str = ""
    """A regular expression for the line it is put before, the last that matches; else it is put at the end."""
    text: str
    test: str


def appended(framework: str) -> Callable[[Sequence[str], Mapping[str, str]], Canary | None]:
    """What makes canaries for a framework."""
    return partial(hatch, framework)


def hatch(framework: str, tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
    """The first canary that can be made for one of these tests."""
    nests = [nest for nest in rows(HERE / "canaries.toml", "nests", Nest) if framework in nest.frameworks]
    made = (_laid(nest, test, path, files[path]) for test in tests for path in _homes(test, files) for nest in nests)
    return next((canary for canary in made if canary), None)


def _homes(test: str, files: Mapping[str, str]) -> Iterator[str]:
    """The files this test is likely to be in: by its path, by its class, by its name. A test that is called by a file
    which is none of these is declared in one file and reported under another: there it has no home."""
    parts = [part.partition("$")[0] for part in test.split("::")]
    leaf = re.split(r"::| > | › |/|#", test.partition("[")[0])[-1]
    ends = [end for part in parts for end in (part, part.replace(".", "/")) if "/" in end or "." in end]
    yield from (path for path in files if path in parts)
    yield from (path for path in files for end in ends if f"/{path}".rpartition(".")[0].endswith(f"/{end}"))
    yield from (path for path in files for end in ends if f"/{path}".endswith(f"/{end}"))
    suffix = PurePosixPath(parts[0]).suffix
    if len(parts) == 1 or not suffix or not any(path.endswith(suffix) for path in files):
        yield from (path for path, content in files.items() if leaf and leaf in content)


def _laid(nest: Nest, test: str, path: str, content: str) -> Canary | None:
    place = re.search(nest.files, path)
    shown = place and re.search(_filled(nest.needs, _groups(place)), content, re.MULTILINE)
    if not (place and shown):
        return None
    fields = {**_named(test, path), **_groups(place), **_groups(shown)}
    where = _filled(nest.path, fields)
    text = _filled(nest.text, fields)
    whole = _within(nest, _one_more(content, shown), text) if where == path else text
    return Canary(path=where, content=whole, test=_filled(nest.test, fields))


def _within(nest: Nest, content: str, text: str) -> str:
    """The file with the canary in its place."""
    places = list(re.finditer(nest.before, content, re.MULTILINE)) if nest.before else []
    at = places[-1].start() if places else len(content)
    return f"{content[:at].rstrip()}\n{text}{content[at:]}"


def _one_more(content: str, shown: re.Match[str]) -> str:
    if "count" not in shown.groupdict():
        return content
    start, end = shown.span("count")
    return f"{content[:start]}{int(content[start:end]) + 1}{content[end:]}"


def _named(test: str, path: str) -> dict[str, str]:
    """Names that look like the task's own, with an end nobody can guess."""
    token, pure = secrets.token_hex(3), PurePosixPath(path)
    leaf = " ".join(re.findall(r"[A-Za-z]+", test.rpartition("::")[2]))[-60:] or "it"
    folder = "" if str(pure.parent) == "." else f"{pure.parent}/"
    stem = re.sub(r"\W", "_", pure.name.partition(".")[0])
    word = "".join(part.capitalize() for part in re.findall("[A-Za-z]+", leaf))
    fields = {"path": path, "folder": folder, "stem": stem, "hex": token, "name": f"{leaf} {token}".strip()}
    fields["module"] = test.partition("::")[0].rpartition(".")[0]
    return {**fields, "word": f"{word}{token}", "first": test.partition("::")[0], "group": _group(test, path)}


def _group(test: str, path: str) -> str:
    """AVA names the file before the title where there are several files; node-tap's own command always does."""
    if test.startswith(f"{path} > "):
        return f"{path} > "
    group, arrow, _ = test.partition(" › ")
    return f"{group}{arrow}" if arrow else ""


def _groups(match: re.Match[str]) -> dict[str, str]:
    return {name: value or "" for name, value in match.groupdict().items()}


def _filled(template: str, fields: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: fields.get(match[1], match[0]), template)
