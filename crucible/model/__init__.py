"""The nouns: tasks, trajectories, verdicts, rejections, selections. The shapes on disk are these."""

from crucible.model.selection import Choice, Selection
from crucible.model.task import Check, Difficulty, Provenance, Reference, Task
from crucible.model.trajectory import Agent, Ended, Observation, Step, Tokens, ToolCall, ToolSpec, Trajectory, Usage
from crucible.model.verdict import Criterion, Outcome, Rejection, Verdict

__all__ = [
    "Agent",
    "Check",
    "Choice",
    "Criterion",
    "Difficulty",
    "Ended",
    "Observation",
    "Outcome",
    "Provenance",
    "Reference",
    "Rejection",
    "Selection",
    "Step",
    "Task",
    "Tokens",
    "ToolCall",
    "ToolSpec",
    "Trajectory",
    "Usage",
    "Verdict",
]
