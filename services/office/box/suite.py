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


LOCAL = uno.getComponentContext()
"""The bridge to the suite in this process. Asked for at once: until then the bridge, which looks at every import, fails
those of modules that are not there."""


def connect() -> Any:
    """The running suite's desktop."""
    resolver = LOCAL.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", LOCAL)
    context = resolver.resolve("uno:pipe,name=office;urp;StarOffice.ComponentContext")
    return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def load(desktop: Any, source: Path) -> Any:
    """The open document; it is the caller's to close."""
    options = properties(Hidden=True, MacroExecutionMode=NEVER, UpdateDocMode=SILENT)
    document = desktop.loadComponentFromURL(source.as_uri(), "_blank", 0, options)
    if document is None:
        raise ValueError("the document cannot be opened")
    return document


def properties(**values: Any) -> tuple[Any, ...]:
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def ending_code(fault: Exception) -> int:
    """What a fault says: that the suite went away, or that the document is at fault."""
    gone = "bridge" in str(fault).lower() or "Disposed" in type(fault).__name__
    return GONE if gone else UNUSABLE
