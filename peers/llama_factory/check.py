"""Reads the export of `peers.odd_attempts` with LLaMA-Factory: `python -m peers.llama_factory.check FOLDER`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

os.environ["DISABLE_VERSION_CHECK"] = "1"  # it asks for an older transformers than TRL's templates come with

from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
from llamafactory.hparams import DataArguments, ModelArguments
from transformers import AutoTokenizer, Seq2SeqTrainingArguments

from peers.counting import judge
from peers.tiny import make_tokenizer

TEMPLATES = ("qwen", "qwen3", "llama3", "glm4_moe", "deepseek3", "glm4")
ONE_CALL = ("glm4",)
"""Those that take one call in an answer."""
MARKS = "<|im_start|><|im_end|><|eot_id|><|start_header_id|><|end_header_id|>[gMASK]<sop><|observation|><|user|>"


def main(folder: Path) -> None:
    for name in TEMPLATES:
        one_call = name in ONE_CALL
        found = try_template(folder / ("one-call" if one_call else "") / "llama-factory", name)
        line = {"tool": f"llamafactory {version('llamafactory')}", "format": "llama-factory"}
        template = f"{name}, one call per turn" if one_call else name
        print(json.dumps(line | {"template": template} | found), flush=True)


def try_template(shards: Path, name: str) -> dict[str, object]:
    """Load and tokenise every row with the settings that come along; what the labels leave is counted."""
    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = AutoTokenizer.from_pretrained(make_tokenizer(MARKS, Path(scratch) / "tokenizer"))
        data = DataArguments(
            dataset="crucible", dataset_dir=str(shards), template=name, cutoff_len=100_000, overwrite_cache=True
        )
        model = ModelArguments(model_name_or_path=scratch, cache_dir=scratch)
        try:
            template = get_template_and_fix_tokenizer(tokenizer, data)
            training = Seq2SeqTrainingArguments(output_dir=scratch, use_cpu=True)
            made = get_dataset(template, model, data, training, stage="sft", tokenizer=tokenizer)
            rows = list(made["train_dataset"])
        except Exception as refused:  # the tool's own refusal is the finding
            return {"ok": False, "seen": f"{type(refused).__name__}: {refused}"[:300]}
        return judge(
            shards, tokenizer.decode, [(row["input_ids"], [label != -100 for label in row["labels"]]) for row in rows]
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
