"""The test files of a task whose tests are all in its tree, and which names them by package or class: an injected bug
in a language whose reports tell no files.

They become the task's own, laid over every attempt, as they are in the tree of the reference.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from crucible.domains.code.suite import SuiteParams
from crucible.sandbox import Sandbox
from verifiers.protected_files import is_protected

MOST_FILES = 20
"""How many files are taken at most."""
LARGEST_FILE = 1 << 20
"""In bytes."""
PIECE = re.compile(r"::| > |[/#.\s\[(]")
# matches: what stands between the words of "tally.example/tally::TestParseSize/by_1024"


async def read_test_files(box: Sandbox, params: SuiteParams) -> dict[str, str]:
    """The files of the tree that decide how tests run and name one of the tests that must start to pass."""
    words = list_words(params.fail_to_pass)
    found = await box.exec(f"git grep -l -w -F {' '.join(f'-e {shlex.quote(word)}' for word in words)} -- .")
    paths = [path for path in found.out.splitlines() if is_protected(path) and path not in params.deleted]
    return {path: text for path in paths[:MOST_FILES] if (text := await _read_text(box, path))}


def list_words(tests: Sequence[str]) -> list[str]:
    """The words by which a file could name these tests: the pieces behind their package, class or file."""
    names = (test.partition("::")[2] or test for test in tests)
    return sorted({word for name in names for word in PIECE.split(name) if len(word) > 2})


async def _read_text(box: Sandbox, path: str) -> str:
    try:
        return (await box.read(path, limit=LARGEST_FILE)).decode()
    except (OSError, ValueError):  # a link or a folder, too large, or no text
        return ""
