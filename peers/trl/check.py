"""Trains a tiny model with TRL on the exports of `peers.odd_attempts`: `python -m peers.trl.check FOLDER`."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import trl
from datasets import load_dataset
from transformers import AutoTokenizer
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer

from peers.counting import judge
from peers.tiny import (
    TEMPLATES,
    THOUGHTLESS,
    WORDLESS,
    describe_template,
    find_shards,
    make_model,
    make_tokenizer,
    read_template,
)
from peers.trl import vision

FORMATS = ("trl", "trl-completion", "trl-dpo")


def main(folder: Path) -> None:
    for name in TEMPLATES:
        for format in FORMATS:
            found = try_format(find_shards(folder, format, name), name)
            line = {"tool": f"trl {trl.__version__}", "format": format, "template": describe_template(name)}
            print(json.dumps(line | found), flush=True)
    for name in vision.TEMPLATES:
        line = {"tool": f"trl {trl.__version__}", "format": "trl-vision", "template": name}
        print(json.dumps(line | vision.try_vision(folder / "trl-vision", name)), flush=True)


def try_format(shards: Path, name: str) -> dict[str, object]:
    """Load, tokenise, take one step; what is trained is counted."""
    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = AutoTokenizer.from_pretrained(make_tokenizer(read_template(name), Path(scratch) / "tokenizer"))
        model = str(make_model(Path(scratch) / "model", len(tokenizer)))
        rows = load_dataset(str(shards), split="train")
        try:
            trainer = make_trainer(shards.name, model, tokenizer, rows, scratch)
            loss = trainer.train().training_loss
        except Exception as refused:  # the tool's own refusal is the finding
            return {"ok": False, "seen": f"{type(refused).__name__}: {refused}"[:300]}
        if shards.name == "trl-dpo":
            return {"ok": True, "seen": f"{len(rows)} rows, loss {loss:.2f}"}
        trained = [(row["input_ids"], [label != -100 for label in row["labels"]]) for row in trainer.train_dataset]
        has = {"thinking": name not in THOUGHTLESS, "beside_calls": name not in WORDLESS}
        return judge(shards, tokenizer.decode, trained, **has)


def make_trainer(format: str, model: str, tokenizer: Any, rows: Any, scratch: str) -> Any:
    """The trainer with the settings of the script that comes along, for one step on a processor."""
    small = {"output_dir": scratch, "max_length": None, "max_steps": 1, "per_device_train_batch_size": 1}
    quiet = {"report_to": [], "use_cpu": True, "bf16": False, "save_strategy": "no", "disable_tqdm": True}
    if format == "trl-dpo":
        return DPOTrainer(model, args=DPOConfig(**small, **quiet), train_dataset=rows, processing_class=tokenizer)
    settings = SFTConfig(**small, **quiet, assistant_only_loss=format == "trl")
    return SFTTrainer(model, settings, train_dataset=rows, processing_class=tokenizer)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
