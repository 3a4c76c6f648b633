"""The tool that shows a picture file of the box to the teacher."""

from __future__ import annotations

from crucible.parts import tool
from crucible.pictures import LARGEST_BYTES, identify_picture
from crucible.record import Record
from crucible.tooling import BoxPath, Shown, ToolContext, ToolFault


class ViewArguments(Record):
    """A picture file."""

    path: BoxPath


@tool("view")
async def view(context: ToolContext, arguments: ViewArguments) -> Shown:
    """Show a picture file: PNG, JPEG, WebP or GIF, told by its bytes and not by its name."""
    data = await context.read(arguments.path, limit=LARGEST_BYTES)
    picture = identify_picture(data)
    if picture is None:
        raise ToolFault(f"{arguments.path} is no PNG, JPEG, WebP or GIF picture that can be shown")
    text = f"{arguments.path}: a {picture.kind.upper()} picture of {picture.width} x {picture.height} pixels"
    return Shown(text, images=(data,))
