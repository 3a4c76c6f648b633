#!/bin/sh
# Trains on these rows with verl, on one GPU: sh verl-rl.sh MODEL
# Start `crucible episodes` first, and set EPISODES_URL and EPISODES_TOKEN to what it prints.
here=$(cd "$(dirname "$0")" && pwd)
files=$(ls "$here"/data/train-*.parquet | sed 's/.*/"&"/' | paste -sd, -)
export PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}"
python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files="[$files]" \
    data.val_files="[$files]" \
    data.return_raw_chat=True \
    data.max_prompt_length=8192 \
    data.max_response_length=24576 \
    data.train_batch_size=16 \
    actor_rollout_ref.model.path="$1" \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.mode=async \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.rollout.multi_turn.format=hermes \
    actor_rollout_ref.rollout.multi_turn.max_assistant_turns=40 \
    actor_rollout_ref.rollout.agent.agent_loop_config_path="$here/agent_loops.yaml" \
    actor_rollout_ref.actor.ppo_mini_batch_size=16 \
    actor_rollout_ref.actor.optim.lr=1e-6 \
    reward.custom_reward_function.path="$here/crucible_loop.py" \
    reward.custom_reward_function.name=compute_score \
    trainer.n_gpus_per_node=1 \
    trainer.logger='["console"]'
