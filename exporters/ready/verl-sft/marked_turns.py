"""verl's dataset for these shards: conversations rendered whole, trained on the messages that `training` marks.

verl's own class renders every message alone, so that templates drop its thinking, trains on every answer, and takes
neither tools nor messages as JSON. Set data.custom_cls.path to this file and data.custom_cls.name to MarkedTurns.
"""

import json

import torch
from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset


class MarkedTurns(MultiTurnSFTDataset):
    """Conversations of which some turns are trained."""

    def _read_files_and_process(self):
        super()._read_files_and_process()
        self.tools = [json.loads(tools) if isinstance(tools, str) else None for tools in self.tools]

    def _build_messages(self, example):
        marks = zip(example["messages"], example["training"], strict=True)
        return [json.loads(message) | {"training": bool(mark)} for message, mark in marks]

    def _process_single_message(self, index, message, full_message, tools=None, enable_thinking=None):
        """With the first message comes the whole conversation, and nothing with the others."""
        if index:
            return (*(torch.zeros(0, dtype=torch.long) for _ in range(3)), {})

        def render(messages, add_generation_prompt=False):
            options = self.apply_chat_template_kwargs | {"tools": tools, "enable_thinking": enable_thinking}
            options["add_generation_prompt"] = add_generation_prompt
            rendered = self.tokenizer.apply_chat_template(messages, tokenize=True, return_dict=True, **options)
            return list(rendered["input_ids"])

        ids = render(full_message)
        mask = torch.zeros(len(ids), dtype=torch.long)
        for start, end in find_spans(full_message, ids, render):
            mask[start:end] = 1
        return torch.tensor(ids), mask, torch.ones(len(ids), dtype=torch.long), {}


def find_spans(messages, ids, render):
    """Where the tokens of the marked messages begin and end in the conversation's."""
    for at, message in enumerate(messages):
        if message["training"]:
            start = count_common(render(messages[:at], add_generation_prompt=True), ids)
            yield start, find_end(ids, start, render(messages[: at + 1]))


def count_common(first, second):
    """How many tokens two renderings have in common at their beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


def find_end(ids, start, alone):
    """Where an answer that starts there ends; `alone` is the conversation up to it. A template may write into a last
    answer what it does not write into an earlier one, such as an empty thinking block: that is skipped."""
    written = alone[start:]
    for skipped in range(len(written)):
        end = start + len(written) - skipped
        if ids[start:end] == written[skipped:]:
            return end
    return start
