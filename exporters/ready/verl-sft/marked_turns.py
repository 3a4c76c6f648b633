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
        options = self.apply_chat_template_kwargs | {"tools": tools, "enable_thinking": enable_thinking}
        ids = self._render(full_message, options)
        mask = torch.zeros(len(ids), dtype=torch.long)
        for at, turn in enumerate(full_message):
            if turn["training"]:
                start = count_common(self._render(full_message[:at], options, add_generation_prompt=True), ids)
                mask[start : find_end(ids, start, self._render(full_message[: at + 1], options))] = 1
        return torch.tensor(ids), mask, torch.ones(len(ids), dtype=torch.long), {}

    def _render(self, messages, options, add_generation_prompt=False):
        rendered = self.tokenizer.apply_chat_template(
            messages, tokenize=True, return_dict=True, add_generation_prompt=add_generation_prompt, **options
        )
        return list(rendered["input_ids"])


def count_common(first, second):
    """How many tokens two renderings have in common at their beginning."""
    return next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def find_end(ids, start, alone):
    """Where an answer that starts there ends; `alone` is the conversation up to it. A template may write into a last
    answer what it does not write into an earlier one, such as an empty thinking block: that is skipped."""
    written = alone[start:]
    for skipped in range(len(written)):
        end = start + len(written) - skipped
        if ids[start:end] == written[skipped:]:
            return end
    return start
