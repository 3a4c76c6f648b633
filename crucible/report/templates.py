"""The pages themselves: templates filled in. Every value is made harmless and escaped; nothing from outside can act.

A page needs nothing but itself: style and script stand within it, and its policy lets no other run and no
request leave. The policy names them by their hashes, so a script that got in all the same would not run.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from crucible.report.clip import clip_name, make_visible, split_fences
from crucible.report.packing import embed_json

PAGES = Path(__file__).parent / "pages"


def render_template(template: str, **values: Any) -> str:
    """A page as text that can be encoded as UTF-8, whatever is in it."""
    return _environment().get_template(template).render(values)


@cache
def read_asset(name: str) -> Markup:
    """A style sheet or a script, as it stands in a page."""
    return Markup((PAGES / name).read_text("utf-8").strip())


@cache
def content_policy(*names: str) -> str:
    """The Content-Security-Policy of a page with these style sheets and scripts, and nothing else."""
    styles = " ".join(_hash(name) for name in names if name.endswith(".css"))
    scripts = " ".join(_hash(name) for name in names if name.endswith(".js")) or "'none'"
    return (
        f"default-src 'none'; style-src {styles}; script-src {scripts}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _hash(name: str) -> str:
    digest = hashlib.sha256(read_asset(name).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(PAGES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(asset=read_asset, policy=content_policy)
    environment.filters.update(
        embedded=embed_json,
        count=_count,
        seconds=_seconds,
        query=_query,
        name=clip_name,
        part=_part,
        fenced=split_fences,
    )
    return environment


def _finalize(value: Any) -> Any:
    """What every `{{ ... }}` passes through before it is escaped."""
    return make_visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _count(value: int) -> str:
    return f"{value:,}"


def _seconds(value: float) -> str:
    if value < 60:
        return f"{value:.1f} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes} min {seconds} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _query(filters: dict[str, str]) -> str:
    """Filters as the page's script reads them; it knows values as they are shown."""
    return urlencode({key: clip_name(value) for key, value in filters.items()})


def _part(value: str) -> str:
    """A text as one part of a URL's path."""
    return quote(value.encode("utf-8", "backslashreplace"), safe="")
