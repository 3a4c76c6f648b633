"""Configurations beside the shards, with which a trainer trains on them as they are.

They are the files in the folder `ready/FORMAT` beside the exporter's module, copied as they stand.
"""

from __future__ import annotations

import inspect
import shutil
from pathlib import Path

from crucible.part_kinds import Part
from crucible.shards.files import Shard, describe_file


def copy_ready_files(exporter: Part, folder: Path) -> tuple[Shard, ...]:
    """Put the exporter's configurations into the folder of an export, and list them."""
    source = Path(inspect.getfile(exporter.make)).parent / "ready" / exporter.name
    files = sorted(path for path in source.glob("*") if path.is_file())
    return tuple(describe_file(folder, Path(shutil.copyfile(file, folder / file.name)), 0) for file in files)
