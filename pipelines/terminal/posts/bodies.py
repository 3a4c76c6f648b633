"""The HTML of a post as blocks: prose, code and quotations, as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from lxml import etree, html

INLINE_SPACE = " \t\r\n\f"
BREAKS = frozenset({"p", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "br"})


class Block(NamedTuple):
    """A piece of a post as it is shown."""

    kind: Literal["text", "code", "quote"]
    text: str
    depth: int = 0
    """How many lists it stands within."""


def read_blocks(body: str) -> list[Block]:
    """The blocks of a body, in order; a body that is no HTML at all is one block of text."""
    if not body.strip("\0" + INLINE_SPACE):
        return []
    try:
        root = html.fragment_fromstring(body.replace("\0", ""), create_parent="div")
    except (etree.ParserError, ValueError):
        return [Block("text", " ".join(body.split()))]
    return [block for block in _blocks(root, 0) if block.text.strip()]


def _blocks(element: html.HtmlElement, depth: int) -> Iterator[Block]:
    """The blocks of an element: text beside its children belongs to it."""
    prose = [element.text or ""]
    for child in element:
        if _is_block(child):
            yield _prose_block(prose, depth)
            yield from _child_blocks(child, depth)
            prose = []
        else:
            prose.append(_inline_text(child))
        prose.append(child.tail or "")
    yield _prose_block(prose, depth)


def _child_blocks(child: html.HtmlElement, depth: int) -> Iterator[Block]:
    if child.tag == "pre":
        yield Block("code", _code_text(child), depth)
    elif child.tag == "blockquote":
        quoted = list(_blocks(child, depth))
        yield from (block if block.kind == "code" else Block("quote", block.text, depth) for block in quoted)
    elif child.tag in ("ul", "ol"):
        yield from _list_blocks(child, depth)
    else:
        yield from _blocks(child, depth)


def _list_blocks(element: html.HtmlElement, depth: int) -> Iterator[Block]:
    """A list's items, each marked as one."""
    for number, item in enumerate(element.iterchildren("li"), start=1):
        mark = f"{number}. " if element.tag == "ol" else "- "
        for block in _blocks(item, depth + 1):
            if block.text.strip() and block.kind == "text":
                yield block._replace(text="  " * depth + mark + block.text.strip())
                mark = "  "
            else:
                yield block


def _is_block(element: html.HtmlElement) -> bool:
    if not isinstance(element.tag, str):  # a comment
        return False
    return (element.tag in BREAKS and element.tag != "br") or any(_is_block(child) for child in element)


def _prose_block(pieces: list[str], depth: int) -> Block:
    """Prose with its white space closed up, but for line breaks that the author made."""
    lines = [" ".join(line.split()) for line in "".join(pieces).replace("\n", " ").split("\v")]
    return Block("text", "\n".join(lines).strip(), depth)


def _inline_text(element: html.HtmlElement) -> str:
    """An inline element's text; code keeps its backquotes, a line break becomes a vertical tab for `_prose_block`."""
    if not isinstance(element.tag, str):
        return ""
    if element.tag == "br":
        return "\v"
    if element.tag in ("code", "kbd", "tt"):
        return f"`{element.text_content()}`" if element.text_content() else ""
    inner = "".join([element.text or "", *(_inline_text(child) + (child.tail or "") for child in element)])
    return f"{inner} ({element.get('href')})" if element.tag == "a" and _adds_address(element, inner) else inner


def _adds_address(link: html.HtmlElement, text: str) -> bool:
    """Whether a link tells more than its text."""
    address = link.get("href", "")
    return address.startswith("http") and address not in text


def _code_text(element: html.HtmlElement) -> str:
    """Code exactly as written, without the line break before its first line and the space behind its last."""
    for line_break in element.iter("br"):
        line_break.tail = "\n" + (line_break.tail or "")
    text: str = element.text_content()
    return text.replace("\r\n", "\n").removeprefix("\n").rstrip()
