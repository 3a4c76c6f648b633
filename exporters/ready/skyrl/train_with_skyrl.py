"""Trains on these rows with SkyRL: python train_with_skyrl.py trainer.policy.model.path=MODEL [SETTING=VALUE...]

Start `crucible episodes` first, and set EPISODES_URL and EPISODES_TOKEN to what it prints.
"""

import sys
from pathlib import Path

import ray
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.entrypoints.main_base import BasePPOExp, validate_cfg
from skyrl.train.utils import initialize_ray

HERE = Path(__file__).resolve().parent
FILES = sorted(str(path) for path in (HERE / "data").glob("train-*.parquet"))
SETTINGS = [
    f"data.train_data={FILES}",
    "data.val_data=[]",
    "trainer.eval_before_train=false",
    "environment.env_class=crucible",
    "trainer.algorithm.advantage_estimator=grpo",
    "trainer.max_prompt_length=8192",
    "generator.sampling_params.max_generate_length=4096",
    "generator.max_input_length=32768",
    "generator.max_turns=40",
    "generator.n_samples_per_prompt=8",
    "generator.batched=false",
]


@ray.remote(num_cpus=1)
def train(settings):
    sys.path.insert(0, str(HERE))
    from crucible_env import register_environment

    register_environment()
    BasePPOExp(settings).run()


if __name__ == "__main__":
    chosen = SkyRLTrainConfig.from_cli_overrides([*SETTINGS, *sys.argv[1:]])
    validate_cfg(chosen)
    initialize_ray(chosen)
    ray.get(train.remote(chosen))
