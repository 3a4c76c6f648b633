"""Canaries within Rust source files, beside the tests that these hold."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence

from crucible.domains.code.inline_tests import find_tests
from crucible.domains.code.suite import Canary

FAILING_TEST = '#[test]\nfn {0}() {{\n    panic!("{0}");\n}}\n'


def make_canary(tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
    """A canary beside a test that only one of these files has; None where there is no such place."""
    for test in tests:
        above, _, leaf = test.rpartition("::")
        homes = [path for path, text in files.items() if re.search(rf"\bfn\s+{re.escape(leaf)}\b", text)]
        # matches: fn empty_input
        name = f"check_{secrets.token_hex(3)}"
        if len(homes) == 1 and (text := _put_beside(files[homes[0]], above, leaf, FAILING_TEST.format(name))):
            return Canary(path=homes[0], content=text, test=f"{above}::{name}")
    return None


def _put_beside(text: str, above: str, leaf: str, canary: str) -> str:
    """The tests with one more: at the top beside its like, or at the end of its module; empty where neither can be."""
    tests = find_tests(text)
    if any(item.name == f"fn {leaf}" for item in tests):
        return f"{text}\n\n{canary}"
    modules = [item for item in tests if item.name == f"mod {above.rpartition('::')[2]}" and text[item.end - 1] == "}"]
    if len(modules) != 1:
        return ""
    end = modules[0].end - 1
    return f"{text[:end]}\n{canary}{text[end:]}"
