"""Tokenises the export of `peers.odd_attempts` with Axolotl: `python -m peers.axolotl.check FOLDER`."""

from __future__ import annotations

import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import yaml
from axolotl.prompt_strategies.chat_template import ChatTemplatePrompter, ChatTemplateStrategy
from datasets import load_dataset
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


def main(folder: Path) -> None:
    tool = f"axolotl {version('axolotl')}"
    for name in TEMPLATES:
        found = try_template(find_shards(folder, "axolotl", name), name)
        line = {"tool": tool, "format": "axolotl", "template": describe_template(name)}
        print(json.dumps(line | found), flush=True)


def try_template(shards: Path, name: str) -> dict[str, object]:
    """Tokenise every row with the settings that come along; what the labels leave is counted."""
    [settings] = yaml.safe_load((shards / "axolotl.yaml").read_text())["datasets"]
    with tempfile.TemporaryDirectory() as scratch:
        template = read_template(name)
        tokenizer = AutoTokenizer.from_pretrained(make_tokenizer(template, Path(scratch)))
        prompter = ChatTemplatePrompter(
            tokenizer,
            template,
            max_length=100_000,
            field_messages=settings["field_messages"],
            message_property_mappings=settings["message_property_mappings"],
            message_field_training=settings["message_field_training"],
        )
        strategy = ChatTemplateStrategy(
            prompter,
            tokenizer,
            train_on_inputs=False,
            sequence_len=100_000,
            roles_to_train=settings["roles_to_train"],
            train_on_eos=settings["train_on_eos"],
        )
        try:
            rows = [strategy.tokenize_prompt(row) for row in load_dataset(str(shards), split=settings["split"])]
        except Exception as refused:  # the tool's own refusal is the finding
            return {"ok": False, "seen": f"{type(refused).__name__}: {refused}"[:300]}
        trained = [(row["input_ids"], [label != -100 for label in row["labels"]]) for row in rows]
        has = {"thinking": name not in THOUGHTLESS, "beside_calls": name not in WORDLESS}
        return judge(shards, tokenizer.decode, trained, **has)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
