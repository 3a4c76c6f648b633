"""What a solver cannot know: names, members, options, texts and files that the tests use and only the change brings.

Only what stands in a definition's head, after a dot, as a key or in quotation marks is told, never how it is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from crucible.record import Record
from pipelines.swe.statements.compared_texts import find_compared_texts, literals_in
from pipelines.swe.statements.patch_files import ChangedTests, PatchFile, read_patch
from pipelines.swe.statements.signatures import IDENTIFIER, Signature, added_signatures

OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]+")
# matches: --dry-run
MEMBER = re.compile(r"\.([A-Za-z]\w{2,})\b|\b([A-Za-z]\w{2,})(?::\s|=(?=[^\s=]))")
# matches what stands after a dot, or is the key of an option or an argument: .skipNulls  skipNulls: true  skip=1
METHOD_CALL = re.compile(r"\.\w+\(")
# matches: .fetch(
IMPORTS_OF = ('\t"{}"', 'import "{}"', "import {} from", "import * as {} from", " {} = require(")
"""How languages say that a name is a module's."""
IMPORT = re.compile(r"\b(?:require|import|from|use|include)\b")
# matches the first word of: import halve from "./halve"
FIELD_OWNER = re.compile(r"(\w+): ")
# matches the beginning of: Half: Whole bool
BLANK_LINES = re.compile(r"\n{3,}")
# matches: \n\n\n
FOLDER_MODULES = ("index", "__init__", "mod")
"""Files that are imported by the name of their folder."""
MOST_ROWS = 20
"""More names, texts or files of one kind are not told."""

IsKnown = Callable[[str], bool]
"""Whether the code before the change has that word."""


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

    def as_section(self) -> str:
        """The interface as a section of the statement."""
        parts = ["## Interface", "", "The tests use the following, which the code does not have yet."]
        for head, rows in (
            ("", self.signatures),
            ("Members, keys and arguments:", self.members),
            ("Options:", self.options),
            ("Texts, as they are compared:", self.texts),
            ("Files:", self.files),
        ):
            parts += ["", *([head, ""] if head and rows else []), *(f"- `{row}`" for row in rows)]
        return BLANK_LINES.sub("\n\n", "\n".join(parts)).strip()


@dataclass(frozen=True)
class Knowledge:
    """What the added lines of the tests use, and what a solver knows: the statement, and the code before the change."""

    tests: str
    test_words: frozenset[str]
    statement: str
    statement_words: frozenset[str]
    is_known: IsKnown

    def needs(self, word: str) -> bool:
        """Whether the tests use the word, and neither the statement nor the code has it."""
        return word in self.test_words and word not in self.statement_words and not self.is_known(word)

    def needs_signature(self, signature: Signature) -> bool:
        """Whether the tests use a definition whose name a solver may know, but not what it takes or belongs to."""
        return self._needs_parameters(signature) or self._needs_receiver(signature) or self._needs_field(signature)

    def _needs_parameters(self, signature: Signature) -> bool:
        """A function that is named, but of which nobody could know what it takes."""
        name, parameters = signature.name, signature.parameters
        is_shown = (
            re.search(rf"\b{re.escape(name)}\(\s*[^\s)%]", self.statement)
            or {name, *parameters} <= self.statement_words
        )
        # matches a call with arguments: halve(3
        return bool(parameters) and name in self.test_words and not is_shown and not self.is_known(f" {name}(")

    def _needs_receiver(self, signature: Signature) -> bool:
        """A method that other types have, and now this one too."""
        name = signature.name
        receiver = re.match(rf"func \(\w*\s*\*?(\w+)\) {re.escape(name)}\(", signature.head)
        # matches: func (h *Half) search(
        return receiver is not None and f".{name}(" in self.tests and not self.is_known(f"{receiver[1]}) {name}(")

    def _needs_field(self, signature: Signature) -> bool:
        """A field that other types have, and now a new type too; or a method that a new type asks for, and that the
        tests bring."""
        owner = FIELD_OWNER.match(signature.head)
        if owner is None:
            return False
        is_used = {owner[1], signature.name} <= self.test_words or f") {signature.name}(" in self.tests
        return is_used and not self.is_known(f"type {owner[1]} ")


def find_missing_interface(patch: str, tests: ChangedTests, statement: str, is_known: IsKnown) -> Interface:
    """What the added test lines use, the change adds, and neither the statement nor the code has."""
    files = read_patch(patch)
    added = "\n".join(tests.added)
    words = frozenset(IDENTIFIER.findall(statement))
    knowledge = Knowledge(added, frozenset(IDENTIFIER.findall(added)), statement, words, is_known)
    code = "\n".join(line for file in files if file.sort == "source" for line in file.added)
    heads, names = list[str](), list[str]()
    for signature in added_signatures(files):
        needed = [word for word in (signature.name, *signature.parameters) if knowledge.needs(word)]
        if needed or knowledge.needs_signature(signature):
            heads.append(signature.head)
            names += needed or [signature.name]
    members = [name for name in _shared_members(added, code) if name not in names and knowledge.needs(name)]
    options = [option for option in dict.fromkeys(OPTION.findall(added)) if option in code and option not in statement]
    return Interface(
        signatures=_first_rows(heads),
        names=_first_rows(names),
        members=_first_rows(name for name in members if not _is_imported(name, added, code, is_known)),
        options=_first_rows(option for option in options if not is_known(option)),
        texts=_first_rows(find_compared_texts(added, code, statement, is_known)),
        files=_first_rows(path for path in _imported_files(files, added) if path not in statement),
    )


def _imported_files(files: Sequence[PatchFile], tests: str) -> Iterator[str]:
    """The files that a change brings and tests import by their names, or by their folder's where they stand for it."""
    imports = "\n".join(line for line in tests.splitlines() if IMPORT.search(line))
    for file in files:
        path = PurePosixPath(file.path)
        name = path.parent.name if path.stem in FOLDER_MODULES else path.stem
        imported = rf"[./'\"\s]{re.escape(name)}\b(?!-)"
        # matches, of lib/strip.js: /strip
        if file.is_new and file.sort == "source" and re.search(imported, imports):
            yield file.path


def _shared_members(tests: str, code: str) -> list[str]:
    """What the tests name as a member or a key, and the code as one too or as a text. What the code only calls is
    somebody else's."""
    in_code = {name for pair in MEMBER.findall(METHOD_CALL.sub(" ", code)) for name in pair} | set(literals_in(code))
    in_tests = dict.fromkeys(after_dot or key for after_dot, key in MEMBER.findall(tests))
    return [name for name in in_tests if name in in_code]


def _is_imported(name: str, tests: str, code: str, is_known: IsKnown) -> bool:
    """Whether tests and code have it from the same module, which the change did not write: `math.MaxUint64`."""
    owners = {match[1] for match in re.finditer(rf"\b(\w{{3,}})\.{name}\b", tests)}
    # matches: math.MaxUint64
    modules = [owner for owner in owners if f"{owner}.{name}" in code]
    imports = [phrase.format(module) for module in modules for phrase in IMPORTS_OF]
    return any(phrase in code or phrase in tests or is_known(phrase) for phrase in imports)


def _first_rows(rows: Iterable[str]) -> tuple[str, ...]:
    """The first few rows, each once."""
    return tuple(islice(dict.fromkeys(rows), MOST_ROWS))
