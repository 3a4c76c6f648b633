"""Runs in a box: makes the edits of one mutation in the workdir. Ends with a given code where none of them applies."""

import json
import re
import sys
from pathlib import Path

SKIPPED = {"node_modules", ".git", ".venv", "dist", "__pycache__", "migrations"}


def list_files(pattern: str) -> list[Path]:
    found = sorted(path for path in Path().rglob(pattern) if path.is_file())
    return [path for path in found if not SKIPPED & set(path.parts)]


def apply_edit(edit: dict[str, str]) -> bool:
    """Whether anything was found to be replaced."""
    paths = list_files(edit["files"])
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    needed = [path.read_text(encoding="utf-8", errors="replace") for path in list_files("*")] if edit["needs"] else []
    if edit["needs"] and not any(re.search(edit["needs"], text) for text in needed):
        return False
    changed = {path: re.sub(edit["find"], edit["replace"], text) for path, text in texts.items()}
    for path, text in changed.items():
        if text != texts[path]:
            path.write_text(text, encoding="utf-8")
    return changed != texts


edits, nothing = json.loads(sys.argv[1]), int(sys.argv[2])
applied = [apply_edit(edit) for edit in edits]
sys.exit(0 if any(applied) else nothing)
