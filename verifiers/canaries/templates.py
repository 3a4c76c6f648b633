"""Canaries from templates: a failing test put into a task's test file, or beside it in its package, so that it runs in
one process with the code under test and shares whatever that does to the test framework.

The texts are in `templates.toml`. A canary is made only where the file itself shows how: which package or namespace it
is in, which function declares its tests. A canary that cannot be made costs a guard; one that does not run costs the
task.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from crucible.datafile import read_rows
from crucible.domains.code.suite import Canary
from crucible.record import Record

TABLE = Path(__file__).with_name("templates.toml")
FIELD = re.compile(r"\{(\w+)\}")
# matches: {name}
SEPARATOR = re.compile(r"::| > | › |/|#")
# matches: what stands between a test's name and what is above it, in "a.js::sum > adds" or "SumTest#test_adds"


class CanaryTemplate(Record):
    """A row of `templates.toml`: one way to add a failing test to a file. Fields in braces are filled in: what `needs`
    matched by its groups' names, {path}, {folder}, {stem}, {hex}, {name} (a plain sentence), {word} (an identifier),
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


def canary_maker(framework: str) -> Callable[[Sequence[str], Mapping[str, str]], Canary | None]:
    """The function that makes canaries for a framework, given its tests and their files."""
    return partial(make_canary, framework)


def make_canary(framework: str, tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
    """The first canary that can be made for one of these tests; None when there is none."""
    templates = [row for row in read_rows(TABLE, "templates", CanaryTemplate) if framework in row.frameworks]
    canaries = (
        _fill_template(template, test, path, files[path])
        for test in tests
        for path in _likely_files(test, files)
        for template in templates
    )
    return next((canary for canary in canaries if canary), None)


def _likely_files(test: str, files: Mapping[str, str]) -> Iterator[str]:
    """The files this test is likely to be in: by its path, by its class, by its name. A test whose id begins with a
    file that is none of these is declared in one file and reported under another: for it there is none."""
    parts = [part.partition("$")[0] for part in test.split("::")]
    leaf = SEPARATOR.split(test.partition("[")[0])[-1]
    ends = [end for part in parts for end in (part, part.replace(".", "/")) if "/" in end or "." in end]
    yield from (path for path in files if path in parts)
    yield from (path for path in files for end in ends if f"/{path}".rpartition(".")[0].endswith(f"/{end}"))
    yield from (path for path in files for end in ends if f"/{path}".endswith(f"/{end}"))
    suffix = PurePosixPath(parts[0]).suffix
    if len(parts) == 1 or not suffix or not any(path.endswith(suffix) for path in files):
        yield from (path for path, content in files.items() if leaf and leaf in content)


def _fill_template(template: CanaryTemplate, test: str, path: str, content: str) -> Canary | None:
    """The canary that a template gives beside this test in this file; None where it does not fit."""
    place = re.search(template.files, path)
    declaration = place and re.search(_fill(template.needs, _groups(place)), content, re.MULTILINE)
    if not (place and declaration):
        return None
    fields = {**_fresh_names(test, path), **_groups(place), **_groups(declaration)}
    target = _fill(template.path, fields)
    text = _fill(template.text, fields)
    if target == path:
        text = _insert(template, _plan_one_more(content, declaration), text)
    return Canary(path=target, content=text, test=_fill(template.test, fields))


def _insert(template: CanaryTemplate, content: str, text: str) -> str:
    """The file with the canary in its place."""
    places = list(re.finditer(template.before, content, re.MULTILINE)) if template.before else []
    at = places[-1].start() if places else len(content)
    return f"{content[:at].rstrip()}\n{text}{content[at:]}"


def _plan_one_more(content: str, declaration: re.Match[str]) -> str:
    """The file with one more test in the number that it plans, where it plans one."""
    if "count" not in declaration.groupdict():
        return content
    start, end = declaration.span("count")
    return f"{content[:start]}{int(content[start:end]) + 1}{content[end:]}"


def _fresh_names(test: str, path: str) -> dict[str, str]:
    """Names that look like the task's own, with an end nobody can guess: the fields of a template."""
    token, pure = secrets.token_hex(3), PurePosixPath(path)
    leaf = " ".join(re.findall(r"[A-Za-z]+", test.rpartition("::")[2]))[-60:] or "it"
    word = "".join(part.capitalize() for part in re.findall("[A-Za-z]+", leaf))
    first = test.partition("::")[0]
    return {
        "path": path,
        "folder": "" if str(pure.parent) == "." else f"{pure.parent}/",
        "stem": re.sub(r"\W", "_", pure.name.partition(".")[0]),
        "hex": token,
        "name": f"{leaf} {token}".strip(),
        "word": f"{word}{token}",
        "first": first,
        "module": first.rpartition(".")[0],
        "group": _group_prefix(test, path),
    }


def _group_prefix(test: str, path: str) -> str:
    """AVA names the file before the title where there are several files; node-tap's own command always does."""
    if test.startswith(f"{path} > "):
        return f"{path} > "
    group, arrow, _ = test.partition(" › ")
    return f"{group}{arrow}" if arrow else ""


def _groups(match: re.Match[str]) -> dict[str, str]:
    return {name: value or "" for name, value in match.groupdict().items()}


def _fill(template: str, fields: Mapping[str, str]) -> str:
    return FIELD.sub(lambda match: fields.get(match[1], match[0]), template)
