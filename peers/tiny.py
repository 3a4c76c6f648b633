"""A tokenizer of bytes and a model of random weights, so that a tool can be tried without a download."""

from __future__ import annotations

import os
import re
from pathlib import Path

MARKS = re.compile(
    r"<\|[a-z_▁｜]+\|>|<｜[^｜>]+｜>|</?(?:think|tool_call|tool_response|arg_key|arg_value)>|\[gMASK\]|<sop>"
)
# matches: <|im_end|>, <｜User｜>, </think>, [gMASK]


TEMPLATES = ("qwen2_5", "qwen3", "qwen3_6", "llama3_1", "glm4moe", "deepseekv3", "nemotron_3_nano")
"""Chat templates as TRL ships them, copies of the models' own."""
ONE_CALL = ("llama3_1",)
"""Those that take one call in an answer: they get the exports of the folder `one-call`."""
THOUGHTLESS = ("qwen2_5", "llama3_1", "deepseekv3")
"""Those that have no place for thinking."""
WORDLESS = ("llama3_1", "deepseekv3")
"""Those that drop what is said beside a call, the second where a tool's result stands before it."""


def read_template(name: str) -> str:
    """A chat template, from the folder that `PEERS_TEMPLATES` names: the one of the TRL that is tried."""
    return Path(os.environ["PEERS_TEMPLATES"], f"{name}.jinja").read_text("utf-8")


def find_shards(folder: Path, format: str, template: str) -> Path:
    """The export of a format that a chat template can take."""
    return folder / "one-call" / format if template in ONE_CALL else folder / format


def describe_template(name: str) -> str:
    """The name of a template, and what of the exports it needs."""
    return f"{name}, one call per turn" if name in ONE_CALL else name


def make_tokenizer(template: str, folder: Path) -> Path:
    """Write a tokenizer whose tokens are bytes, and the marks that a chat template writes; returns its folder."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE(vocab={letter: at for at, letter in enumerate(letters)}, merges=[]))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bare.decoder = decoders.ByteLevel()
    marks = sorted({*MARKS.findall(template), "<|im_end|>", "<|endoftext|>"})
    end = next(
        (mark for mark in ("<|im_end|>", "<|eot_id|>", "<｜end▁of▁sentence｜>") if mark in template), "<|endoftext|>"
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bare, eos_token=end, pad_token="<|endoftext|>", bos_token="<|endoftext|>"
    )
    tokenizer.add_tokens(marks, special_tokens=True)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    return folder


def make_model(folder: Path, vocabulary: int) -> Path:
    """Write a model with a handful of random weights; returns its folder."""
    from transformers import Qwen2Config, Qwen2ForCausalLM

    config = Qwen2Config(
        vocab_size=vocabulary,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=8192,
    )
    Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder
