"""Tasks served to a trainer as episodes: its policy acts with our tools in our boxes, and our cascade gives the reward.

Trainers have environments of their own, often on machines without Docker, so they reach this over HTTP. An episode is
an attempt like any other, made by `agents/loop.py`; only that its teacher's answers come from outside.
"""
