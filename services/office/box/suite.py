"""The running office suite, as programs in its box reach it: by a pipe in the box's files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import uno
from com.sun.star.beans import PropertyValue

GONE, UNUSABLE = 3, 4
"""How a program ends when the suite does not answer, and when the document cannot be opened or written."""
NEVER, SILENT = 0, 0
"""Macros are never run; links are not updated, and nobody is asked."""
UNSEEN = {
    ".xlsx": ("com.sun.star.sheet.SpreadsheetDocument", "Calc MS Excel 2007 XML"),
    ".pptx": ("com.sun.star.presentation.PresentationDocument", "Impress MS PowerPoint 2007 XML"),
}
"""The suite's names of a kind of document and of its format, by the file's suffix."""

LOCAL = uno.getComponentContext()
"""The bridge to the suite in this process. Asked for at once: until then the bridge, which looks at every import, fails
those of modules that are not there."""


def connect() -> Any:
    """The running suite, by the context that makes its objects."""
    resolver = LOCAL.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", LOCAL)
    return resolver.resolve("uno:pipe,name=office;urp;StarOffice.ComponentContext")


def load(suite: Any, source: Path) -> Any:
    """The open document; it is the caller's to close."""
    desktop = suite.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", suite)
    document = desktop.loadComponentFromURL(source.as_uri(), "_blank", 0, _options())
    if document is None:
        raise ValueError("the document cannot be opened")
    return document


def load_unseen(suite: Any, source: Path) -> Any:
    """The same for a workbook or a deck of today's formats, without the window that the suite makes even for a document
    that is hidden: a fifth of the time. What a window knows, which sheet is in front and the like, it does not have."""
    service, format_name = UNSEEN[source.suffix]
    document = suite.ServiceManager.createInstanceWithContext(service, suite)
    document.load(_options(URL=source.as_uri(), FilterName=format_name))
    return document


def _options(**more: Any) -> tuple[Any, ...]:
    return properties(Hidden=True, MacroExecutionMode=NEVER, UpdateDocMode=SILENT, **more)


def properties(**values: Any) -> tuple[Any, ...]:
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def ending_code(fault: Exception) -> int:
    """What a fault says: that the suite went away, or that the document is at fault."""
    gone = "bridge" in str(fault).lower() or "Disposed" in type(fault).__name__
    return GONE if gone else UNUSABLE
