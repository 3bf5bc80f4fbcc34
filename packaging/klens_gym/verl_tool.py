"""The gym as a tool of verl (0.5 to 0.9), named by `class_name: klens_gym.verl_tool.KlensTool` in the tool's YAML.

verl's agent loop makes a tool instance for every single call and releases it after it, so the dialogue is held by the
trajectory (`agent_data.request_id`); older rollouts without one make an instance per trajectory, and it is held by that.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, Optional
from uuid import uuid4

from verl.tools.base_tool import BaseTool
from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse

from .client import Episode, GymClient

OVER = "The conversation is over."
#: The server keeps as many; a trajectory that was given up never says so.
MOST_EPISODES = 10_000


class KlensTool(BaseTool):
    """`config` may hold `url`, `token` and `show_reward`; `create_kwargs` of a row the task's `id`."""

    def __init__(self, config: dict[str, Any], tool_schema: Optional[OpenAIFunctionToolSchema]) -> None:
        self._client = GymClient(config.get("url"), config.get("token"))
        self._show_reward = bool(config.get("show_reward", False))
        self._tasks: dict[str, Optional[str]] = {}
        self._episodes: OrderedDict[str, asyncio.Task[Episode]] = OrderedDict()
        super().__init__(config, tool_schema)

    def get_openai_tool_schema(self) -> OpenAIFunctionToolSchema:
        choice = {"type": "string", "enum": ["action", "answer", "search"], "description": "What kind of move this is."}
        content = {"type": "string", "description": "The question, the answer or the search itself."}
        function = {
            "name": "interact_with_env",
            "description": "Interact with the environment.",
            "parameters": {
                "type": "object",
                "properties": {"choice": choice, "content": content},
                "required": ["choice", "content"],
            },
        }
        return OpenAIFunctionToolSchema.model_validate({"type": "function", "function": function})

    async def create(self, instance_id: Optional[str] = None, **kwargs: Any) -> tuple[str, ToolResponse]:
        instance = instance_id or str(uuid4())
        given = kwargs.get("create_kwargs", kwargs)
        self._tasks[instance] = given.get("id")
        return instance, ToolResponse()

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], **kwargs: Any
    ) -> tuple[ToolResponse, Optional[float], dict[str, Any]]:
        agent_data = kwargs.get("agent_data")
        holder = instance_id if agent_data is None else str(agent_data.request_id)
        episode = await self._episode(holder, self._tasks.get(instance_id))
        if episode.done:
            return ToolResponse(text=OVER), 0.0, {}
        choice, content = str(parameters.get("choice", "")), str(parameters.get("content", ""))
        step = await asyncio.to_thread(episode.step, choice, content)
        if step.reward is None and agent_data is not None:
            # Not a reward of 0: `verl_reward.sum_tool_rewards` makes the whole rollout's score NaN of it.
            agent_data.extra_fields["klens_failed"] = episode.failure
        text = f"{step.feedback}\nReward: {step.reward}" if self._show_reward else step.feedback
        return ToolResponse(text=text), step.reward, {"klens_done": step.done}

    async def calc_reward(self, instance_id: str, **kwargs: Any) -> float:
        """Of a rollout that makes one instance for its whole trajectory."""
        held = self._episodes.get(instance_id)
        if held is None:
            return 0.0
        episode = await held
        return float("nan") if episode.failure is not None else float(sum(episode.rewards))

    async def release(self, instance_id: str, **kwargs: Any) -> None:
        self._tasks.pop(instance_id, None)
        held = self._episodes.pop(instance_id, None)
        if held is not None:
            await asyncio.to_thread((await held).close)

    async def _episode(self, holder: str, task: Optional[str]) -> Episode:
        """Opened once, also when several calls of one message come at the same time."""
        held = self._episodes.get(holder)
        if held is None:
            held = asyncio.create_task(asyncio.to_thread(self._client.open, task))
            self._episodes[holder] = held
            while len(self._episodes) > MOST_EPISODES:
                self._episodes.popitem(last=False)
        return await held
