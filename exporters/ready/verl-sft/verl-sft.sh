#!/bin/sh
# Trains on these shards with verl, on one GPU: sh verl-sft.sh MODEL
here=$(cd "$(dirname "$0")" && pwd)
files=$(ls "$here"/data/train-*.parquet | sed 's/.*/"&"/' | paste -sd, -)
torchrun --standalone --nproc_per_node=1 -m verl.trainer.sft_trainer \
    model.path="$1" \
    data.train_files="[$files]" \
    data.custom_cls.path="$here/marked_turns.py" \
    data.custom_cls.name=MarkedTurns \
    data.max_length=32768 \
    data.truncation=right \
    data.train_batch_size=8 \
    optim.lr=1e-5 \
    trainer.total_epochs=1 \
    trainer.default_local_dir=trained \
    trainer.logger='["console"]'
