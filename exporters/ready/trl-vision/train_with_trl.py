"""Trains on these shards with TRL 1.16 or later: `python train_with_trl.py MODEL`."""

import sys
from pathlib import Path

from datasets import load_dataset
from trl import SFTConfig, SFTTrainer


def place_pictures(rows):
    """Put each picture into its turn: TRL does so for what people say, and not for what tools return."""
    filled = []
    for messages, images in zip(rows["messages"], rows["images"], strict=True):
        pictures = iter(images)
        for message in messages:
            message["content"] = [
                part | {"image": next(pictures)} if part["type"] == "image" else part for part in message["content"]
            ]
        filled.append(messages)
    return {"messages": filled, "images": [[] for _ in filled]}


splits = load_dataset(str(Path(__file__).parent)).with_transform(place_pictures)
settings = SFTConfig(
    output_dir="trained",
    assistant_only_loss=True,  # without it the results of tools are trained too
    max_length=None,  # a cut would divide a picture
    gradient_accumulation_steps=8,
    per_device_train_batch_size=1,
    learning_rate=1e-5,
    num_train_epochs=1,
    report_to=[],
)
trainer = SFTTrainer(sys.argv[1], settings, train_dataset=splits["train"], eval_dataset=splits.get("validation"))
trainer.train()
trainer.save_model()
