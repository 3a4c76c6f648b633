"""Runs in the office suite's box, once for each document: `convert.py SOURCE TARGET`. Without arguments it only asks
whether the suite answers.

    exit 0   done
    exit 3   the suite does not answer
    exit 4   the document cannot be opened or written; standard error says why
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from slim_deck import drop_unused_layouts
from suite import GONE, connect, ending_code, load, load_unseen, properties

KINDS = {
    "com.sun.star.sheet.SpreadsheetDocument": "spreadsheet",
    "com.sun.star.presentation.PresentationDocument": "presentation",
    "com.sun.star.text.TextDocument": "text",
    "com.sun.star.text.WebDocument": "web",
}


def convert(suite: Any, source: Path, target: Path) -> None:
    """Load a document, calculate it anew if it is a workbook, and write it in the format of the target's suffix."""
    document = (
        load_to_print(suite, source) if (source.suffix, target.suffix) == (".pptx", ".pdf") else load(suite, source)
    )
    try:
        kind = next(word for service, word in KINDS.items() if document.supportsService(service))
        formats = tomllib.loads(Path("/opt/office/formats.toml").read_text())[kind]
        name = formats.get(target.suffix[1:])
        if name is None:
            raise ValueError(f"a {kind} is not written as {target.suffix[1:]}; it is as: {', '.join(formats)}")
        if kind == "spreadsheet":
            document.calculateAll()
        document.storeToURL(target.as_uri(), properties(FilterName=name))
    finally:
        document.close(True)


def load_to_print(suite: Any, source: Path) -> Any:
    """A deck without the layouts that no slide has, which are never printed: loading them takes most of the time."""
    slim = source.with_name("slim.pptx")
    return load_unseen(suite, slim if drop_unused_layouts(source, slim) else source)


if __name__ == "__main__":
    try:
        suite = connect()
    except Exception as gone:  # the bridge has its own exceptions, made at run time
        print(gone, file=sys.stderr)
        sys.exit(GONE)
    if len(sys.argv) > 2:
        try:
            convert(suite, Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute())
        except Exception as fault:
            print(f"{type(fault).__name__}: {fault}", file=sys.stderr)
            sys.exit(ending_code(fault))
