"""A file of the attempt's in which the settings of the test run are the base's again, and all else is as it was.

JSON is written anew; TOML and INI files keep their text, section by section. Where that does not come to the very
settings that were wanted (a key within a section that holds others), there is no such file, and the caller restores the
base's.
"""

from __future__ import annotations

import configparser
import copy
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from verifiers.protected_files import parse_settings, setting_keys, settings_differ

HEADER = re.compile(r"^\[+\s*([^\]]+?)\s*\]+\s*(?:[#;].*)?$", re.MULTILINE)
# matches: "[tool.pytest.ini_options]"  "[[test]]"  "[tool:pytest]  # how tests run"


def merge_settings(path: str, now: str, base: str) -> str | None:
    """The file with the base's settings of the test run; None where it cannot be made."""
    try:
        merged = _merge_json(path, now, base) if path.endswith(".json") else _merge_sections(path, now, base)
        kept = _without_settings(path, merged) == _without_settings(path, now)
        whole = kept and not settings_differ(path, merged, base)
    except (ValueError, TypeError, AttributeError, RecursionError, configparser.Error):
        return None
    return merged if whole else None


def _merge_json(path: str, now: str, base: str) -> str:
    merged = json.loads(now)
    for key in setting_keys(path):
        _set_value(merged, key, json.loads(base or "{}"))
    return json.dumps(merged, indent=2, ensure_ascii=False) + "\n"


def _set_value(settings: dict[str, Any], key: Sequence[str], base: Mapping[str, Any]) -> None:
    """Give the settings the base's value of this key, or none where the base has none."""
    *above, name = key
    for part in above:
        base = base.get(part) or {}
        if name not in base and part not in settings:
            return
        settings = settings.setdefault(part, {})
    if name in base:
        settings[name] = copy.deepcopy(base[name])
    else:
        settings.pop(name, None)


def _merge_sections(path: str, now: str, base: str) -> str:
    keys = setting_keys(path)
    own = [text for name, text in _split_sections(now) if not _is_setting(path, name, keys)]
    theirs = [text for name, text in _split_sections(base) if _is_setting(path, name, keys)]
    return "\n".join(part.rstrip("\n") for part in (*own, *theirs) if part.strip()) + "\n"


def _split_sections(text: str) -> list[tuple[str, str]]:
    """The sections of a file by name; what stands before the first has none."""
    starts = list(HEADER.finditer(text))
    ends = [*(start.start() for start in starts), len(text)]
    named = [(start[1], text[start.start() : end]) for start, end in zip(starts, ends[1:], strict=True)]
    return [("", text[: ends[0]]), *named]


def _is_setting(path: str, section: str, keys: Sequence[Sequence[str]]) -> bool:
    parts = [part.strip(" \"'") for part in section.split(".")] if path.endswith(".toml") else [section]
    return any(parts[: len(key)] == [*key] for key in keys)


def _without_settings(path: str, text: str) -> Any:
    """All that the file says of anything else."""
    settings = copy.deepcopy(dict(parse_settings(PurePosixPath(path).name, text)))
    for key in setting_keys(path):
        _set_value(settings, key, {})
    return _drop_empty(settings)


def _drop_empty(value: Any) -> Any:
    """Without tables that hold nothing: a section whose settings are gone may be there or not."""
    if not isinstance(value, dict):
        return value
    kept = {key: _drop_empty(inner) for key, inner in value.items()}
    return {key: inner for key, inner in kept.items() if inner != {}}
