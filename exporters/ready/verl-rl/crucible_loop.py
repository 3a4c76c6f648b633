"""verl's agent loop and reward function for these rows: a policy that acts in Crucible's boxes.

EPISODES_URL and EPISODES_TOKEN say where `crucible episodes` listens. `agent_loops.yaml` names the loop, and every row
asks for it. A fault there is tried again from the beginning, and raised in the end: it is never a reward of 0.
"""

import asyncio
import json
from uuid import uuid4

from crucible_client import Episode, EpisodeFailed

TRIES = 3
"""How often a row is begun anew when something broke that is no doing of the policy."""


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **_):
    """The reward of one answer, for verl's reward managers where no agent loop runs: the calls that are written in it,
    in fenced blocks, are carried out, and what they left is judged."""
    for tries_left in reversed(range(TRIES)):
        try:
            with Episode(task=ground_truth, scaffold="text") as episode:
                episode.answer_text(solution_str)
                return episode.finish()
        except EpisodeFailed:
            if not tries_left:
                raise


try:
    from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register
    from verl.experimental.agent_loop.tool_parser import ToolParser
    from verl.tools.schemas import OpenAIFunctionToolSchema
except ImportError:  # a reward worker needs the function alone
    AgentLoopBase = None

if AgentLoopBase is not None:

    @register("crucible")
    class CrucibleLoop(AgentLoopBase):
        """One attempt for each row. The tokens that the policy sampled are trained, and no others."""

        def __init__(self, *args, tools=None, **kwargs):
            super().__init__(*args, **kwargs)
            turns = self.rollout_config.multi_turn
            self.parser = ToolParser.get_tool_parser(turns.format, self.tokenizer)
            self.max_turns = turns.max_assistant_turns
            self.response_length = self.rollout_config.response_length

        async def run(self, sampling_params, **row):
            """The attempt and its reward."""
            for tries_left in reversed(range(TRIES)):
                try:
                    episode = await asyncio.to_thread(Episode, task=row["reward_model"]["ground_truth"])
                    try:
                        return await self.attempt(episode, sampling_params)
                    finally:
                        await asyncio.to_thread(episode.close)
                except EpisodeFailed:
                    if not tries_left:
                        raise

        async def attempt(self, episode, sampling_params):
            """Let the policy answer until the attempt is over, or its tokens or turns are used up."""
            tools = episode.tools
            schemas = [OpenAIFunctionToolSchema.model_validate(tool) for tool in tools]
            sampling_params = {**sampling_params, **self.stop_tokens(sampling_params)}
            ids = await self.ct_build_initial_tokens(episode.messages, tools=tools)
            prompt, mask, logprobs, turns, request = len(ids), [], [], 0, uuid4().hex
            while not episode.done:
                sampled = await self.server_manager.generate(
                    request_id=request, prompt_ids=ids, sampling_params=sampling_params
                )
                kept = logprobs or [] if logprobs or sampled.log_probs else None
                merged, mask, logprobs = await self.ct_merge_assistant_token(
                    ids, sampled.token_ids, mask, kept, assistant_logprobs=sampled.log_probs or None
                )
                ids, turns = merged.token_ids, turns + 1
                text, calls = await self.parser.extract_tool_calls(sampled.token_ids, schemas)
                await asyncio.to_thread(episode.answer, to_message(text, calls, turns))
                if len(mask) >= self.response_length or (self.max_turns and turns >= self.max_turns):
                    break
                if not episode.done:
                    told = 1 + max(at for at, each in enumerate(episode.messages) if each["role"] == "assistant")
                    merged, mask, logprobs = await self.ct_merge_context_msg(
                        episode.messages[:told], episode.messages, ids, mask, logprobs or None, tools=tools
                    )
                    ids = merged.token_ids
                if len(mask) >= self.response_length:
                    break
            reward = await asyncio.to_thread(episode.finish)
            end = prompt + min(len(mask), self.response_length)
            return AgentLoopOutput(
                prompt_ids=ids[:prompt],
                response_ids=ids[prompt:end],
                response_mask=mask[: self.response_length],
                response_logprobs=logprobs[: self.response_length] if logprobs else None,
                reward_score=reward,
                num_turns=len(episode.messages),
                metrics={},
                extra_fields={"outcome": episode.judgement["outcome"], "ended": episode.judgement["ended"]},
            )

        def stop_tokens(self, sampling_params):
            """Where the parser of calls asks for it, an answer ends after its calls."""
            stops = {*(sampling_params.get("stop_token_ids") or ()), *(self.parser.stop_token_ids or ())}
            return {"stop_token_ids": sorted(stops)} if stops else {}


def to_message(text, calls, turn):
    """An answer as a message, its calls numbered where the model does not name them."""
    message = {"role": "assistant", "content": text or ""}
    if calls:
        message["tool_calls"] = [
            {
                "id": getattr(call, "tool_call_id", None) or f"call-{turn}-{number}",
                "type": "function",
                "function": {"name": call.name, "arguments": read_arguments(call.arguments)},
            }
            for number, call in enumerate(calls)
        ]
    return message


def read_arguments(text):
    """The arguments as chat templates want them: an object, or the text where it is none."""
    try:
        arguments = json.loads(text)
    except ValueError:
        return text
    return arguments if isinstance(arguments, dict) else text
