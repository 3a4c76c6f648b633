"""Judged trajectories to shards: one module for each shape that a trainer reads."""
