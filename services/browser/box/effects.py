"""Runs in the browser's box: what an action changed in a page. What a page says of itself is taken for true here: an
effect that is not seen, or is forged, only costs or spares a control the name of a dead one."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any, Literal

from playwright.async_api import Error

from services.browser.box.pages import OpenPage, is_gone

NAMES = """elements => elements.map(e => e.getAttribute('aria-label') || e.placeholder || e.innerText || e.value
    || e.title || e.getAttribute('alt') || e.id || e.className || '').map(String)"""
LOOK = """() => {
    let hash = 0, canvas = false;
    const add = (text) => { for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0; };
    const walk = (root) => {
        for (const e of root.children) {
            add(e.localName);
            for (const a of e.attributes) add(a.name + a.value);
            if ('value' in e) add(String(e.value) + e.checked + e.open);
            for (const n of e.childNodes) if (n.nodeType === 3) add(n.data);
            canvas ||= e.localName === 'canvas' || e.localName === 'video';
            if (e.shadowRoot) walk(e.shadowRoot);
            walk(e);
        }
    };
    walk(document);
    const stored = (store) => { try { return JSON.stringify({...store()}); } catch { return ''; } };
    const focus = document.activeElement;
    return {
        document: hash, address: location.href, canvas,
        storage: stored(() => localStorage) + stored(() => sessionStorage) + document.cookie,
        focus: focus?.matches('input, textarea, select, [contenteditable]') ? focus.outerHTML.slice(0, 200) : '',
        scroll: [scrollX, scrollY].join(),
    };
}"""
AS_IT_IS: Literal["initial"] = "initial"
"""Hiding the caret for a picture changes the page, and that would be taken for an effect."""
LATE_SECONDS = 1.0
NOTED = ("dialog", "download", "window", "chooser")
MISTAKE = re.compile(r"is not defined|is not a function|Cannot (read|set|access)|(null|undefined) \(|constant variable")
# matches: x is not defined    Cannot read properties of null (reading 'value')    Assignment to constant variable.
"""An exception that speaks of the program. One that does not speaks of what was filled in, as where a text that is no
Base64 is to be decoded: the button works, and refuses."""


async def observe(opened: OpenPage) -> dict[str, Any]:
    """The state of a page, to be compared with a later one."""
    try:
        look: dict[str, Any] = await opened.page.evaluate(LOOK)
    except Error as between:  # it is just going somewhere else
        if is_gone(between):
            raise
        look = {}
    for kind in NOTED:
        look[kind] = sum(note.startswith(f"{kind}:") for note in opened.errors)
    look["refusal"] = sum(note.startswith("exception:") and not MISTAKE.search(note) for note in opened.errors)
    look["requests"] = len(opened.exchanges)
    canvas = look.pop("canvas", False)
    look["picture"] = await opened.page.screenshot(type="jpeg", quality=50, caret=AS_IT_IS) if canvas else b""
    return look


async def compare(opened: OpenPage, before: dict[str, Any]) -> list[str]:
    """What is different now, or soon: some effects come late."""
    ends = time.monotonic() + LATE_SECONDS
    while not (changed := _list_changes(before, await observe(opened))) and time.monotonic() < ends:
        await asyncio.sleep(0.2)
    return changed


def _list_changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return sorted(changed if after.get("focus") else changed - {"focus"})  # a click takes the focus from a field
