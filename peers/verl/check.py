"""Reads the export of `peers.odd_attempts` with verl and the class beside it, and rolls out `peers.live_task`:
`python -m peers.verl.check FOLDER`."""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from transformers import AutoTokenizer

from peers.counting import judge
from peers.tiny import (
    TEMPLATES,
    THOUGHTLESS,
    WORDLESS,
    describe_template,
    find_shards,
    make_tokenizer,
    read_template,
)
from peers.verl.rollouts import try_rollouts


def main(folder: Path) -> None:
    try_rollouts(folder)
    for name in TEMPLATES:
        found = try_template(find_shards(folder, "verl-sft", name), name)
        line = {"tool": f"verl {version('verl')}", "format": "verl-sft", "template": describe_template(name)}
        print(json.dumps(line | found), flush=True)


def try_template(shards: Path, name: str) -> dict[str, object]:
    """Load and tokenise every row; what the loss mask leaves is counted."""
    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = AutoTokenizer.from_pretrained(make_tokenizer(read_template(name), Path(scratch)))
        settings = OmegaConf.create({"pad_mode": "no_padding", "max_length": 100_000, "truncation": "error"})
        files = [str(path) for path in sorted((shards / "data").glob("train-*.parquet"))]
        try:
            rows = load_class(shards / "marked_turns.py")(files, tokenizer, settings)
            read = [rows[at] for at in range(len(rows))]
        except Exception as refused:  # the tool's own refusal is the finding
            return {"ok": False, "seen": f"{type(refused).__name__}: {refused}"[:300]}
        trained = [(row["input_ids"].tolist(), row["loss_mask"].tolist()) for row in read]
        has = {"thinking": name not in THOUGHTLESS, "beside_calls": name not in WORDLESS}
        return judge(shards, tokenizer.decode, trained, **has)


def load_class(path: Path) -> Any:
    """The dataset class beside the shards, loaded from its file as verl loads it."""
    spec = importlib.util.spec_from_file_location("marked_turns", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MarkedTurns


if __name__ == "__main__":
    main(Path(sys.argv[1]))
