"""Trains on these shards with TRL 1.16 or later: `python train_with_trl.py MODEL`."""

import sys
from pathlib import Path

from datasets import load_dataset
from trl import DPOConfig, DPOTrainer

splits = load_dataset(str(Path(__file__).parent))
settings = DPOConfig(
    output_dir="trained",
    max_length=32768,
    gradient_accumulation_steps=8,
    per_device_train_batch_size=1,
    learning_rate=1e-6,
    num_train_epochs=1,
    report_to=[],
)
trainer = DPOTrainer(sys.argv[1], settings, train_dataset=splits["train"], eval_dataset=splits.get("validation"))
trainer.train()
trainer.save_model()
