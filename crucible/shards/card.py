"""The dataset card: a README whose front matter tells Hugging Face `datasets` which files are rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from string import Template

from crucible.datafile import read_words
from crucible.part_kinds import Part
from crucible.running.terminal import to_one_line
from crucible.shards.lineage import NAME as LINEAGE
from crucible.shards.manifest import Manifest
from crucible.shards.schema import features_of_part

TEMPLATE = Path(__file__).with_name("card.md")
LICENCES = Path(__file__).with_name("licences.toml")
NAME = "README.md"
ACCEPTED_ONLY = "Every attempt passed every check of its task;"
FAILED_TOO = "Attempts that failed are in here too, each with its reward;"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def render_card(manifest: Manifest, exporter: Part) -> str:
    """The card of an export. What came from outside is shown as code, on one line, and cannot leave its cell."""
    counts = manifest.counts
    words = {
        "title": f"Crucible trajectories for {_plain_text(manifest.request.format)}",
        "size": next((name for limit, name in SIZES if counts.rows < limit), "n>1M"),
        "licence": _licence_lines(counts.licences),
        "configs": _config_lines(exporter.shape, manifest) + _feature_lines(exporter),
        "tasks": counts.tasks,
        "trajectories": counts.trajectories,
        "rows": counts.rows,
        "splits": _list_counts(counts.splits),
        "format": _plain_text(manifest.request.format),
        "summary": exporter.summary,
        "details": exporter.details,
        "accepted": FAILED_TOO if manifest.request.judged else ACCEPTED_ONLY,
        "where": _plain_text(manifest.request.where) or "none",
        "snapshot": manifest.ledger_snapshot,
        "verifiers": _list_counts(
            {name: "+".join(map(str, versions)) for name, versions in manifest.verifiers.items()}
        ),
        "licences": _list_counts(counts.licences),
        "authors": f"{len(counts.authors)}, named in `manifest.json` and `lineage.parquet`",
        "kinds": _list_counts(counts.kinds),
        "redacted": _list_counts(counts.redacted),
    }
    return Template(TEMPLATE.read_text("utf-8")).substitute(words)


def _licence_lines(licences: Mapping[str, int]) -> str:
    """The licence as the hub names it, where all that is in here has the same one."""
    name = next(iter(licences), "").lower()
    if len(licences) == 1 and name in read_words(LICENCES, "licences"):
        return f"license: {name}"
    return "license: other\nlicense_name: mixed"


def _config_lines(shape: str, manifest: Manifest) -> str:
    """Which files are rows. A folder of files has none of its own: what is in it is told by its lineage.

    The description holds a hash of the content: `datasets` keeps what it loaded from a folder by the folder's name and
    its card, and would hand out the rows of an earlier export."""
    rows = {split: f"data/{split}-*.{shape}" for split in manifest.counts.splits} if shape != "folder" else {}
    configs = {"default": (rows, manifest.shards)} if rows else {}
    configs["lineage"] = ({"train": LINEAGE}, (manifest.lineage,))
    lines = []
    for name, (files, shards) in configs.items():
        content = hashlib.sha256("".join(shard.sha256 for shard in shards).encode()).hexdigest()
        lines += [f"- config_name: {name}", f"  description: content {content[:16]}", "  data_files:"]
        lines += [f"  - split: {split}\n    path: {path}" for split, path in files.items()]
    return "\n".join(lines)


def _feature_lines(exporter: Part) -> str:
    """What the columns are, where `datasets` would not find that out by itself. YAML takes JSON as it is."""
    features = features_of_part(exporter) if exporter.shape == "parquet" else []
    lines = "".join(f"\n  - {json.dumps(feature)}" for feature in features)
    return f"\ndataset_info:\n- config_name: default\n  features:{lines}" if lines else ""


def _list_counts(counts: Mapping[str, int | str]) -> str:
    return ", ".join(f"`{_plain_text(name)}` {n}" for name, n in counts.items()) or "none"


def _plain_text(text: str) -> str:
    return to_one_line(text).replace("`", "'").replace("|", "\\|")
