"""The tool class of the UserRL fork of verl (0.4): name it as `class_name: klens_gym.userrl_tool.KlensInteractTool` in the
tool's YAML, in place of the fork's own, and the gym is klens's, with its simulator and without the fork's second try after a
time-out, which counts an action twice.
"""

from __future__ import annotations

import asyncio
from typing import Any, Optional
from uuid import uuid4

from verl.tools.base_tool import BaseTool

from .client import Episode, GymClient, GymError

OVER = "The conversation is over."


class KlensInteractTool(BaseTool):
    """`create` gets the row's `create_kwargs` (env_name, id, …); an instance is one trajectory."""

    def __init__(self, config: dict[str, Any], tool_schema: Any) -> None:
        self._client = GymClient(config.get("url"), config.get("token"))
        self._episodes: dict[str, Episode] = {}
        super().__init__(config, tool_schema)

    async def create(self, instance_id: Optional[str] = None, **kwargs: Any) -> str:
        instance = instance_id or str(uuid4())
        self._episodes[instance] = await asyncio.to_thread(self._client.open, kwargs.get("id"))
        return instance

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], current_turns: int = 0, **kwargs: Any
    ) -> tuple[str, float, bool, str, str, dict[str, Any]]:
        """What the fork's rollout reads: text, reward, done, choice, content, metrics. It appends the reward itself.

        An episode whose simulator failed stops the training with its reason: the fork knows no missing reward, and a 0 would
        be learned from.
        """
        choice, content = str(parameters.get("choice", "")), str(parameters.get("content", ""))
        episode = self._episodes[instance_id]
        if episode.done:
            return OVER, 0.0, True, choice, content, {}
        step = await asyncio.to_thread(episode.step, choice, content)
        if step.reward is None:
            raise GymError(f"the simulator failed: {episode.failure}")
        return step.feedback, step.reward, step.done, choice, content, {}

    async def calc_reward(self, instance_id: str, **kwargs: Any) -> float:
        return float(sum(self._episodes[instance_id].rewards))

    async def release(self, instance_id: str, **kwargs: Any) -> None:
        episode = self._episodes.pop(instance_id, None)
        if episode is not None and not episode.done:
            await asyncio.to_thread(episode.close)
