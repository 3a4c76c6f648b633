"""Trains a tiny model that sees with TRL on the export `trl-vision`, as the script beside the shards does."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import datasets
import trl
from transformers import (
    AutoTokenizer,
    Qwen2VLImageProcessor,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
    Qwen3VLProcessor,
    Qwen3VLVideoProcessor,
)

from peers.counting import Finding, judge
from peers.tiny import make_tokenizer, read_template

TEMPLATES = ("qwen3_vl", "qwen3_6")
THOUGHTLESS = ("qwen3_vl",)
MARKS = "<|vision_start|><|vision_end|><|image_pad|><|video_pad|>"


def try_vision(shards: Path, name: str) -> Finding:
    """Load, take one step, and count what is trained."""
    with tempfile.TemporaryDirectory() as scratch:
        processor = make_processor(name, Path(scratch))
        rows = datasets.load_dataset(str(shards), split="train").with_transform(load_placing(shards))
        settings = trl.SFTConfig(
            output_dir=scratch,
            assistant_only_loss=True,
            max_length=None,
            max_steps=1,
            per_device_train_batch_size=1,
            report_to=[],
            use_cpu=True,
            bf16=False,
            save_strategy="no",
            disable_tqdm=True,
        )
        try:
            trainer = trl.SFTTrainer(make_model(processor), settings, train_dataset=rows, processing_class=processor)
            trainer.train()
            batches = [trainer.data_collator([row]) for row in trainer.train_dataset]
        except Exception as refused:  # the tool's own refusal is the finding
            return {"ok": False, "seen": f"{type(refused).__name__}: {refused}"[:300]}
        trained = [(batch["input_ids"][0].tolist(), (batch["labels"][0] != -100).tolist()) for batch in batches]
        return judge(shards, processor.tokenizer.decode, trained, thinking=name not in THOUGHTLESS)


def load_placing(shards: Path) -> Any:
    """The function of the script beside the shards that puts pictures into their turns; nothing is trained by it."""
    spec = importlib.util.spec_from_file_location("train_with_trl", shards / "train_with_trl.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    with mock.patch("sys.argv", ["train", "model"]), mock.patch("trl.SFTTrainer"), mock.patch("trl.SFTConfig"):
        spec.loader.exec_module(script)
    return script.place_pictures


def make_processor(name: str, scratch: Path) -> Any:
    """A processor of bytes and small pictures, with a chat template."""
    template = read_template(name)
    tokenizer = AutoTokenizer.from_pretrained(make_tokenizer(template + MARKS, scratch / "tokenizer"))
    tokenizer.chat_template = template
    pictures = Qwen2VLImageProcessor(patch_size=16, merge_size=2, min_pixels=1024, max_pixels=4096)
    return Qwen3VLProcessor(
        image_processor=pictures,
        tokenizer=tokenizer,
        video_processor=Qwen3VLVideoProcessor(),
        chat_template=template,
    )


def make_model(processor: Any) -> Any:
    """A model that sees, with a handful of random weights."""
    tokenizer = processor.tokenizer
    small = {"hidden_size": 16, "intermediate_size": 16}
    rope = {"rope_type": "default", "mrope_section": [2, 1, 1], "rope_theta": 10000.0, "mrope_interleaved": True}
    heads = {"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8}
    seeing = {"depth": 1, "num_heads": 2, "patch_size": 16, "out_hidden_size": 16, "deepstack_visual_indexes": [0]}
    marks = {
        "image_token_id": "<|image_pad|>",
        "video_token_id": "<|video_pad|>",
        "vision_start_token_id": "<|vision_start|>",
        "vision_end_token_id": "<|vision_end|>",
    }
    config = Qwen3VLConfig(
        text_config={"vocab_size": len(tokenizer), **small, **heads, "rope_parameters": rope},
        vision_config={**small, **seeing},
        **{name: tokenizer.convert_tokens_to_ids(mark) for name, mark in marks.items()},
    )
    return Qwen3VLForConditionalGeneration(config)
