"""klens_gym as verl itself calls it, on the CPU: its config is composed by hydra, its agent loop calls the tool, its reward
manager the reward function, its trainer's `compute_advantage` the estimators. A whole training needs a GPU. Prints a line of
JSON; anything that does not hold raises.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

os.environ["VERL_USE_EXTERNAL_MODULES"] = "klens_gym.verl_adv"

import numpy as np
import torch
import verl
from hydra import compose, initialize_config_module
from klens_gym import GymClient
from klens_gym.userrl_tool import KlensInteractTool
from klens_gym.verl_tool import KlensTool
from tensordict import TensorDict
from verl import DataProto
from verl.experimental.agent_loop.tool_agent_loop import AgentData, ToolAgentLoop
from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager
from verl.tools.tool_registry import initialize_tools_from_config
from verl.trainer.ppo.ray_trainer import compute_advantage
from verl.trainer.ppo.reward import get_custom_reward_fn

TOOL_YAML = """
tools:
  - class_name: klens_gym.verl_tool.KlensTool
    config: {type: native}
"""

QUESTIONS = [
    "What is your budget?",
    "How many people will take part?",
    "How long should it last?",
    "When does it have to be ready?",
]

#: Four rollouts of one prompt: rewards and lengths of their turns; advantages by UserRL's own function, gamma 0.8.
ROLLOUTS = [([0.7, 1, 0], [3, 2, 4]), ([1, 0.7, 0.4, 0.7], [2, 2, 2, 3]), ([0], [5]), ([0.7, 0, 0, 0.7, 0.4], [1, 2, 3, 2, 2])]
ADVANTAGES = {
    "klens_mean_equal": [[0.524543] * 3, [0.961484] * 4, [-1.333032], [-0.152995] * 5],
    "klens_discounted_equal": [[0.303529] * 3, [1.045627] * 4, [-1.347043], [-0.002113] * 5],
    "klens_mean_return": [
        [0.605242, 0.403494, 0],
        [1.664414, 1.123694, 0.73484, 0.535821],
        [0],
        [-0.239253, -0.127786, -0.159732, -0.199665, -0.0783],
    ],
    "klens_discounted_exponential": [
        [0.375507, 0.401311, 0.200655],
        [1.131726, 1.058956, 0.926204, 1.058956],
        [-1.347043],
        [-0.002847, -0.001521, -0.001521, -0.002847, -0.00249],
    ],
}


def main() -> None:
    client = GymClient()
    task, questions = earning(client)
    with tempfile.TemporaryDirectory() as folder:
        tools = Path(folder) / "tools.yaml"
        tools.write_text(TOOL_YAML)
        config = composed(str(tools))
        tool = initialize_tools_from_config(str(tools))[0]
    assert isinstance(tool, KlensTool)
    data = asyncio.run(called(tool, task, questions))
    assert sum(data.tool_rewards) > 0 and len(data.tool_rewards) == len(questions), data.tool_rewards
    score = asyncio.run(rewarded(config, data))
    assert score["reward_score"] == sum(data.tool_rewards), score
    data.extra_fields["klens_failed"] = "an outage"
    failed = asyncio.run(rewarded(config, data))
    assert math.isnan(failed["reward_score"]), failed
    worst = max(parity(config, name) for name in ADVANTAGES)
    assert worst < 2e-6, worst
    left_out(config)
    asyncio.run(fork(task))
    print(json.dumps({"verl": verl.__version__, "tool_rewards": data.tool_rewards, "worst": worst}))


def earning(client: GymClient) -> tuple[str, list[str]]:
    """A task with two questions that it pays for, each found in an episode of its own."""
    for task in client.tasks():
        paid = [question for question in QUESTIONS if client.open(task).step("action", question).reward]
        if len(paid) > 1:
            return task, paid
    raise AssertionError("no task pays for plain questions")


def composed(tools: str):
    overrides = [
        "algorithm.adv_estimator=klens_mean_equal",
        "algorithm.gamma=0.8",
        "actor_rollout_ref.rollout.multi_turn.enable=True",
        "actor_rollout_ref.rollout.multi_turn.max_assistant_turns=16",
        "actor_rollout_ref.rollout.multi_turn.max_tool_response_length=4096",
        f"actor_rollout_ref.rollout.multi_turn.tool_config_path={tools}",
        "reward.custom_reward_function.path=pkg://klens_gym.verl_reward",
        "reward.custom_reward_function.name=sum_tool_rewards",
    ]
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("ppo_trainer", overrides)


async def called(tool: KlensTool, task: str, questions: list[str]) -> AgentData:
    """Calls of one trajectory, each by the agent loop's own `_call_tool`: an instance is made and released for each."""
    loop = ToolAgentLoop.__new__(ToolAgentLoop)
    loop.tools, loop.max_tool_response_length, loop.tool_response_truncate_side = {tool.name: tool}, 4096, "middle"
    kwargs = {tool.name: {"create_kwargs": {"id": task}}}
    data = AgentData([], [], [], None, None, {}, "trajectory-1", kwargs)
    for question in questions:
        call = SimpleNamespace(name=tool.name, arguments=json.dumps({"choice": "action", "content": question}))
        response, reward, _ = await loop._call_tool(call, kwargs, data)
        assert response.text and "Error" not in response.text, response
        if reward is not None:
            data.tool_rewards.append(reward)
    return data


async def rewarded(config, data: AgentData) -> dict:
    """As the reward loop does it for a rollout, with what the agent loop puts beside it."""
    tokenizer = SimpleNamespace(decode=lambda ids, skip_special_tokens: "")
    manager = NaiveRewardManager(config, tokenizer, get_custom_reward_fn(config))
    manager.loop = asyncio.get_running_loop()
    fields = np.empty(1, dtype=object)
    fields[0] = {"tool_rewards": data.tool_rewards, **data.extra_fields}
    ids = torch.ones(1, 8, dtype=torch.long)
    batch = TensorDict({"responses": ids[:, 4:], "attention_mask": ids}, batch_size=1)
    non_tensor = {
        "data_source": np.array(["interact_intention"], dtype=object),
        "reward_model": np.array([{"ground_truth": ""}], dtype=object),
        "extra_info": np.array([{}], dtype=object),
        "tool_extra_fields": fields,
    }
    return await manager.run_single(DataProto(batch=batch, non_tensor_batch=non_tensor))


def batch_of(rollouts: list) -> tuple[DataProto, list]:
    width = max(sum(lengths) + len(lengths) for _, lengths in rollouts)
    mask, rewards, starts = torch.zeros(len(rollouts), width), torch.zeros(len(rollouts), width), []
    for i, (earned, lengths) in enumerate(rollouts):
        at, own = 0, []
        for reward, length in zip(earned, lengths):
            own.append(at)
            mask[i, at : at + length] = 1
            rewards[i, at + length - 1] = reward
            at += length + 1
        starts.append(own)
    batch = TensorDict({"token_level_rewards": rewards.double(), "response_mask": mask}, batch_size=len(rollouts))
    uid = np.array(["prompt"] * len(rollouts), dtype=object)
    return DataProto(batch=batch, non_tensor_batch={"uid": uid}), starts


def parity(config, name: str) -> float:
    data, starts = batch_of(ROLLOUTS)
    advantages = compute_advantage(data, adv_estimator=name, config=config.algorithm).batch["advantages"]
    told = [[advantages[i, at].item() for at in own] for i, own in enumerate(starts)]
    pairs = zip((x for row in told for x in row), (x for row in ADVANTAGES[name] for x in row))
    return max(abs(one - other) for one, other in pairs)


def left_out(config) -> None:
    """A rollout that nobody judged gets no advantage, and its group is as if it were not there."""
    whole, _ = batch_of(ROLLOUTS)
    more, _ = batch_of([*ROLLOUTS, ([float("nan")], [4])])
    one, other = (
        compute_advantage(data, adv_estimator="klens_mean_equal", config=config.algorithm).batch["advantages"]
        for data in (whole, more)
    )
    assert torch.equal(one, other[:-1]) and torch.equal(other[-1], torch.zeros_like(other[-1]))


async def fork(task: str) -> None:
    """The contract of UserRL's fork; the fork itself cannot be had here."""
    schema = KlensTool({}, None).tool_schema
    tool = KlensInteractTool({}, schema)
    instance = await tool.create(env_name="IntentionGym", max_turns=16, id=task)
    text, reward, done, choice, content, _ = await tool.execute(
        instance, {"choice": "action", "content": "When should it be?"}, current_turns=0
    )
    assert text and done is False and (choice, content) == ("action", "When should it be?")
    assert await tool.calc_reward(instance) == reward
    await tool.release(instance)


if __name__ == "__main__":
    main()
