"""Episodes of a Crucible server for a trainer's policy. Needs nothing but Python.

    with Episode(task=row["task"]) as episode:
        while not episode.done:
            episode.answer(ask_policy(episode.messages, episode.tools))
        print(episode.reward)

`crucible episodes` prints the address and the token that EPISODES_URL and EPISODES_TOKEN are to be set to. The server
opens a box, carries out the policy's calls in it, and judges what it left in a fresh one. An `EpisodeFailed` says that
something broke there: it is never a judgement of the policy, and no reward of 0.
"""

import contextlib
import json
import os
import re
import time
import urllib.error
import urllib.request
import uuid

TRIES = 6
"""How often a request is sent when the connection breaks: every request may be sent twice."""
THINKING = re.compile(r"\A\s*(?:<think>)?(.*?)</think>\s*", re.DOTALL)
# matches: <think>Let me look.</think>, and the same without its first mark, which some chat templates write


class EpisodeFailed(Exception):
    """There is no reward, because something broke that is no doing of the policy."""


class Episode:
    """An attempt at one task. It is open until it is done or closed; the server closes what nobody asks about."""

    def __init__(self, task=None, task_id="", scaffold="", seed=0, url="", token=""):
        """Open a box for a task: that of a row, or one of the server's ledger by its id. With the scaffold `text` calls
        are written in the answer's text, as the system prompt explains, for a policy of which only text is seen."""
        self.url = (url or os.environ["EPISODES_URL"]).rstrip("/")
        self.token = token or os.environ["EPISODES_TOKEN"]
        self.id = uuid.uuid4().hex
        self.messages = []
        """The whole conversation."""
        self.tools = []
        """What the policy may call."""
        self.turn = 0
        self.done = False
        self.judgement = None
        """Once done: reward, outcome, ended, verdicts."""
        opening = {"task_id": task_id, "scaffold": scaffold, "seed": seed}
        if task is not None:
            opening["task"] = json.loads(task) if isinstance(task, str) else task
        self._follow("PUT", "", opening)

    @property
    def reward(self):
        """What the attempt is worth, from 0 to 1."""
        if self.judgement is None:
            raise EpisodeFailed("the episode is not judged yet")
        return self.judgement["reward"]

    def answer(self, message):
        """Give the policy's message, and get those that follow; none when the attempt is over."""
        if self.done:
            raise EpisodeFailed("the episode is over")
        self.messages.append(message)
        return self._follow("PUT", f"/answers/{self.turn}", message)

    def answer_text(self, text):
        """Give what the policy wrote, thinking included, where that is all there is."""
        thinking = THINKING.match(text)
        content = text[thinking.end() :] if thinking else text
        return self.answer(
            {"role": "assistant", "content": content, "reasoning_content": thinking[1].strip() if thinking else ""}
        )

    def finish(self):
        """The policy may say no more: have what there is judged. Returns the reward."""
        while not self.done:
            self._follow("POST", "/finish", {})
        return self.reward

    def close(self):
        """Give the box back. What is done stays as it is here."""
        with contextlib.suppress(EpisodeFailed):  # the server closes what nobody asks about any more
            self._send("DELETE", "", None, tries=1)

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.close()

    def _follow(self, method, path, body):
        """Send a request and wait until the server has something to tell."""
        state = self._send(method, path, body)
        while state["state"] == "working":
            state = self._send("GET", "", None)
        if state["state"] == "failed":
            raise EpisodeFailed(state["error"])
        self.turn = state["turn"]
        self.done, self.judgement = state["state"] == "done", state["judgement"]
        self.tools = state["tools"] or self.tools
        self.messages += state["messages"]
        return state["messages"]

    def _send(self, method, path, body, tries=TRIES):
        # A tokenizer may have cut a character in two: its halves are no text that JSON carries.
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode(errors="replace")
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/episodes/{self.id}{path}", data, headers, method=method)
        for waited in range(tries):
            try:
                with urllib.request.urlopen(request, timeout=120) as answer:
                    return json.loads(answer.read() or b"{}")
            except urllib.error.HTTPError as refused:
                raise EpisodeFailed(read_error(refused)) from None
            except (OSError, ValueError) as broken:  # no connection, or one that broke in the middle
                fault = broken
                time.sleep(min(2.0**waited, 30) if waited + 1 < tries else 0)
        raise EpisodeFailed(f"{self.url} does not answer: {fault}")


def read_error(refused):
    """What the server says of a request that it refuses."""
    try:
        return json.loads(refused.read())["error"]
    except (ValueError, KeyError):
        return f"HTTP {refused.code}"
