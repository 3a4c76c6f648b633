"""SkyRL-gym's environment for these rows: a policy that acts in Crucible's boxes, calling tools in its text.

EPISODES_URL and EPISODES_TOKEN say where `crucible episodes` listens. A fault there raises `EpisodeFailed`: it is never
a reward of 0.
"""

from crucible_client import Episode
from skyrl_gym.envs.base_text_env import BaseTextEnv
from skyrl_gym.envs.registration import register, registry

SCAFFOLD = "text"
"""SkyRL hands an environment the text of an answer, so calls are written in it."""


class CrucibleEnv(BaseTextEnv):
    """One attempt at the task of a row."""

    def __init__(self, env_config=None, extras=None):
        super().__init__()
        extras = extras or {}
        self.task = extras["reward_spec"]["ground_truth"]
        self.max_turns = extras.get("max_turns") or 40
        self.episode = None

    def init(self, prompt):
        """Open a box; the conversation begins as the server's scaffold has it."""
        self.close()
        self.turns = 0
        self.episode = Episode(task=self.task, scaffold=SCAFFOLD)
        return list(self.episode.messages), {}

    def step(self, action):
        """Carry out the calls of an answer. Once the attempt is over, or may go on no longer, it is judged."""
        self.turns += 1
        observations = self.episode.answer_text(action)
        if not self.episode.done and self.turns >= self.max_turns:
            self.episode.finish()
        if not self.episode.done:
            return {"observations": observations, "reward": 0.0, "done": False, "metadata": {}}
        judgement = self.episode.judgement
        return {"observations": [], "reward": judgement["reward"], "done": True, "metadata": judgement}

    def get_metrics(self):
        judgement = self.episode.judgement if self.episode else None
        return {"turns": self.turns, "passed": float(judgement["outcome"] == "pass")} if judgement else {}

    def close(self):
        """Give the box back, also in the middle of an attempt."""
        if self.episode is not None:
            self.episode.close()


def register_environment():
    """Make the environment known by the name that the rows have."""
    if "crucible" not in registry:
        register(id="crucible", entry_point=CrucibleEnv)
