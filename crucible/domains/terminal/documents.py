"""What JSON, CSV and INI files and tables of cron say: two that say the same are equal, however they are written."""

from __future__ import annotations

import configparser
import csv
import io
import json
from typing import Any

from crucible.domains.terminal import crontabs

ENDINGS = (".json", ".csv", ".ini", *crontabs.ENDINGS)


def read_document(path: str, text: str) -> Any:
    """What a file says; None where it is no such document, or cannot be read as one. Comments of an INI file count."""
    try:
        if path.endswith(".json"):
            return ["json", json.loads(text)]
        if path.endswith(".csv"):
            return ["csv", *csv.reader(io.StringIO(text), strict=True)]
        if path.endswith(".ini"):
            return ["ini", *_read_ini(text)]
        if path.endswith(crontabs.ENDINGS):
            return ["cron", *crontabs.read_crontab(text).meaning()]
    except (ValueError, RecursionError, csv.Error, configparser.Error):
        return None
    return None


def _read_ini(text: str) -> list[Any]:
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    comments = sorted(line.strip() for line in text.splitlines() if line.lstrip().startswith(("#", ";")))
    return [{name: dict(parser.items(name)) for name in parser.sections()}, comments]
