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

from suite import GONE, connect, ending_code, load, properties

KINDS = {
    "com.sun.star.sheet.SpreadsheetDocument": "spreadsheet",
    "com.sun.star.presentation.PresentationDocument": "presentation",
    "com.sun.star.text.TextDocument": "text",
    "com.sun.star.text.WebDocument": "web",
}


def convert(desktop: Any, source: Path, target: Path) -> None:
    """Load a document, calculate it anew if it is a workbook, and write it in the format of the target's suffix."""
    document = load(desktop, source)
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


if __name__ == "__main__":
    try:
        desktop = connect()
    except Exception as gone:  # the bridge has its own exceptions, made at run time
        print(gone, file=sys.stderr)
        sys.exit(GONE)
    if len(sys.argv) > 2:
        try:
            convert(desktop, Path(sys.argv[1]), Path(sys.argv[2]))
        except Exception as fault:
            print(f"{type(fault).__name__}: {fault}", file=sys.stderr)
            sys.exit(ending_code(fault))
