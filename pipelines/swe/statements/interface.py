"""What a solver cannot know: names, members, options, texts and files that the tests use and only the change brings.

Only what stands in a definition's head, after a dot, as a key or in quotation marks is told, never how it is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath

from crucible.record import Record
from pipelines.swe.paths import sort_of
from pipelines.swe.statements.languages import language_of
from pipelines.swe.statements.texts import compared, expected, fragments, literals

WORD = re.compile(r"[A-Za-z_$][\w$]*[?!]?")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]+")
MEMBER = re.compile(r"\.([A-Za-z]\w{2,})\b|\b([A-Za-z]\w{2,})(?::\s|=(?=[^\s=]))")
"""After a dot, or as the key of an option or an argument."""
ASKED = re.compile(r"\t(\w+)\([^()]*\).*")
"""A method that an interface of Go's asks for."""
CALLED = re.compile(r"\.\w+\(")
IMPORTS = ('\t"{}"', 'import "{}"', "import {} from", "import * as {} from", " {} = require(")
"""How languages say that a name is a module's."""
IMPORT = re.compile(r"\b(?:require|import|from|use|include)\b")
BROUGHT = re.compile(r'^--- /dev/null\n\+\+\+ "?b/(.+?)"?$', re.MULTILINE)
RETURNED = re.compile(r"\s*(?:->|:)\s*[^{=:;]+|\s+(?!=)[\w.*\[\]()]+(?=\s*\{)|\s*\([^(){}]*\)(?=\s*\{)")
MOST = 20
LONGEST = 300


class Interface(Record):
    """What the statement has to say besides."""

    signatures: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Parameters and members that only a signature shows; the signature is told."""
    members: tuple[str, ...] = ()
    """What stands after a dot, or is the key of an option or an argument."""
    options: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.signatures or self.members or self.options or self.texts or self.files)

    def told(self) -> str:
        """As a section of the statement."""
        parts = ["## Interface", "", "The tests use the following, which the code does not have yet."]
        for head, rows in (
            ("", self.signatures),
            ("Members, keys and arguments:", self.members),
            ("Options:", self.options),
            ("Texts, as they are compared:", self.texts),
            ("Files:", self.files),
        ):
            parts += ["", *([head, ""] if head and rows else []), *(f"- `{row}`" for row in rows)]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip()


Known = Callable[[str], bool]
"""Whether the code has that word already."""


def missing(patch: str, test_patch: str, statement: str, known: Known) -> Interface:
    """What the added test lines use, the change adds, and neither the statement nor the code has."""
    tests = "\n".join(line for _, line in added(test_patch))
    used = set(WORD.findall(tests))
    said = set(WORD.findall(statement))

    def is_needed(word: str) -> bool:
        return word in used and word not in said and not known(word)

    def is_untold(name: str, words: Sequence[str]) -> bool:
        """A function that is named, but of which nobody could know what it takes."""
        shown = re.search(rf"\b{re.escape(name)}\(\s*[^\s)%]", statement) or {name, *words} <= said
        return bool(words) and name in used and not shown and not known(f" {name}(")

    def is_unowned(name: str, signature: str) -> bool:
        """A method that others have, and now this type too."""
        owner = re.match(rf"func \(\w*\s*\*?(\w+)\) {re.escape(name)}\(", signature)
        return owner is not None and f".{name}(" in tests and not known(f"{owner[1]}) {name}(")

    def is_inside(name: str, signature: str) -> bool:
        """A field that others have, and now this type too, which is new itself; or a method that it asks for, and that
        the tests bring."""
        owner = re.match(r"(\w+): ", signature)
        used_there = owner is not None and ({owner[1], name} <= used or f") {name}(" in tests)
        return used_there and owner is not None and not known(f"type {owner[1]} ")

    heads, names = [], []
    for name, words, signature in definitions(patch):
        needed = [word for word in (name, *words) if is_needed(word)]
        if needed or is_untold(name, words) or is_unowned(name, signature) or is_inside(name, signature):
            heads.append(signature)
            names += needed or [name]
    code = "\n".join(line for path, line in added(patch) if sort_of(path) == "source")
    options = [one for one in _once(OPTION.findall(tests)) if one in code and one not in statement and not known(one)]
    shared = [one for one in _members(tests, code) if one not in names and is_needed(one)]
    members = [one for one in shared if not _is_imported(one, tests, code, known)]
    brought = compared(tests, code)
    texts = [text for text, origin in brought if text not in statement and not known(text) and not known(origin)]
    others = [one for one in (*fragments(tests, code), *expected(tests)) if one not in statement and not known(one)]
    for one in others:
        texts += [] if any(one in text or text in one for text in texts) else [one]
    files = [path for path in imported(patch, tests) if path not in statement]
    return Interface(
        signatures=_some(heads),
        names=_some(names),
        members=_some(members),
        options=_some(options),
        texts=_some(texts),
        files=_some(files),
    )


def imported(patch: str, tests: str) -> Iterator[str]:
    """The files that a change brings and tests import by their names, or by their folder's where they stand for it."""
    lines = "\n".join(line for line in tests.splitlines() if IMPORT.search(line))
    for path in map(PurePosixPath, BROUGHT.findall(patch)):
        name = path.parent.name if path.stem in ("index", "__init__", "mod") else path.stem
        if sort_of(str(path)) == "source" and re.search(rf"[./'\"\s]{re.escape(name)}\b(?!-)", lines):
            yield str(path)


def _members(tests: str, code: str) -> list[str]:
    """What the tests name as a member or a key, and the code as one too or as a text. What the code only calls is
    somebody else's."""
    there = {name for pair in MEMBER.findall(CALLED.sub(" ", code)) for name in pair} | set(literals(code))
    return [name for name in _once([one or other for one, other in MEMBER.findall(tests)]) if name in there]


def _is_imported(name: str, tests: str, code: str, known: Known) -> bool:
    """Whether tests and code have it from the same module, which the change did not write: `math.MaxUint64`."""
    modules = {found[1] for found in re.finditer(rf"\b(\w{{3,}})\.{name}\b", tests) if f"{found[1]}.{name}" in code}
    heads = [head.format(module) for module in modules for head in IMPORTS]
    return any(head in code or head in tests or known(head) for head in heads)


def definitions(patch: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """What a patch adds to source files for others to use: name, names of its parameters, head on one line."""
    lines = [(path, line) for path, line in added(patch) if sort_of(path) == "source"]
    owners = _owners(patch)
    for place, (path, line) in enumerate(lines):
        language = language_of(path)
        found = language.definition(line) if language else None
        of = owners.get((path, line))
        if of and (asked := ASKED.fullmatch(line)):
            yield asked[1], (), f"{of}: {line.strip()}"[:LONGEST]
        if not found:
            continue
        inside = found.groupdict().get("inside")
        if inside is None:
            yield found["name"], (), (f"{of}: " if of else "") + line.strip().rstrip(":{ =")[:LONGEST]
            continue
        head = _whole(line, found["name"], [more for other, more in lines[place + 1 : place + 20] if other == path])
        yield found["name"], _parameters(head.partition(found["name"])[2]), head


def added(patch: str) -> Iterator[tuple[str, str]]:
    """The lines a patch adds, each with its file."""
    path = ""
    for line in patch.splitlines():
        if line.startswith("+++ "):
            path = line[6:].strip('"')
        elif line.startswith("+"):
            yield path, line[1:]


def _owners(patch: str) -> dict[tuple[str, str], str]:
    """What the members that a patch adds are members of, by file and line."""
    path, of, found = "", "", {}
    for line in patch.splitlines():
        if line.startswith("+++ "):
            path, of = line[6:].strip('"'), ""
        language = language_of(path)
        head = re.search(language.owner, line.rpartition("@@")[2].lstrip("+ ")) if language and language.owner else None
        if line[1:2] == "}" or line.startswith("@@") or head:
            of = head[1] if head else ""
        elif of and line.startswith("+"):
            found[path, line[1:]] = of
    return found


def _whole(line: str, name: str, more: Sequence[str]) -> str:
    """A signature up to the bracket that closes it, and what it returns; never what it does. A receiver before the
    name has brackets of its own."""
    text, rest = line.strip(), list(more)
    while text.count("(") > text.count(")") and rest:
        text += " " + rest.pop(0).strip()
    text = re.sub(r",?\s+\)", ")", text.replace("( ", "("))
    depth, start = 0, text.index(name)
    for place, sign in enumerate(text[start:], start=start):
        depth += (sign in "([") - (sign in ")]")
        if sign == ")" and depth == 0:
            returned = RETURNED.match(text[place + 1 :])
            return (text[: place + 1] + (returned[0].rstrip() if returned else ""))[:LONGEST]
    return text.rstrip(":{ =")[:LONGEST]


def _parameters(head: str) -> tuple[str, ...]:
    inside = head.partition("(")[2]
    return tuple(dict.fromkeys(WORD.findall(re.sub(r"=\s*[^,)]+", "", inside))))


def _once(words: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _some(rows: Sequence[str]) -> tuple[str, ...]:
    return tuple(islice(_once(rows), MOST))
