"""Commands that wait for what is typed, since an answer leaves the file out: here they read one."""

from __future__ import annotations

import re

from pipelines.terminal.commands.shell import Called, read_script, statement_kinds

TEXT_FILTERS = frozenset({"sort", "uniq", "wc", "cut", "head", "tail", "rev", "tac", "nl", "fold", "column"})
"""Commands that read what is typed unless they are given a file; they need no other word."""
PROGRAMMED = frozenset({"awk", "gawk", "mawk", "sed", "perl", "jq", "grep", "egrep"})
"""Commands of which one word is a program or a pattern, and further ones are files."""
OTHER_INPUT = {
    "jq": r"-\w*n\w*|--null-input",
    "grep": r"-\w*[rRf]\w*",
    "egrep": r"-\w*[rRf]\w*",
    "awk": r"-f|BEGIN\b.*",
    "sed": r"-f",
}
"""Words with which such a command reads something else, or nothing."""


def feed_filter(script: str, name: str) -> str:
    """The script reading a file of this name where its first command would wait for what is typed; else as it is."""
    kinds, calls = statement_kinds(script), read_script(script).calls
    if kinds not in (["command"], ["pipeline"]) or "<" in script or not calls:
        return script
    if not script.lstrip().startswith(calls[0].name) or not _is_unfed(calls[0]):  # a loop or a subshell may come first
        return script
    return f"< {name} {script.strip()}"


def _is_unfed(call: Called) -> bool:
    """Whether a command is a filter that is given no file."""
    words = [word for word in call.arguments if not word.startswith("-")]
    if call.name == "perl" and not any(re.fullmatch(r"-\w*[np]\w*", word) for word in call.arguments):
        return False
    if call.name in PROGRAMMED:
        other = OTHER_INPUT.get(call.name, "-f")
        return len(words) == 1 and not any(re.fullmatch(other, word, re.DOTALL) for word in call.arguments)
    return call.name == "tr" or (call.name in TEXT_FILTERS and not words)
