"""Prefect: the night, a pipeline, the hand-over, each wrapped whole. The only folder that knows the scheduler."""
