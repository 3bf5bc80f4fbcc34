"""A reward function for verl: `custom_reward_function.path=pkg://klens_gym.verl_reward`, `name=sum_tool_rewards`."""

from __future__ import annotations

from typing import Any, Optional


def sum_tool_rewards(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Optional[dict[str, Any]] = None,
    **_: Any,
) -> dict[str, float]:
    """The sum of what the tool's calls earned, as UserRL counts a rollout.

    NaN where the simulator failed: what nobody judged is missing, not 0. The estimators of `verl_adv` leave such a rollout out
    of its group; verl's own spread the NaN, so that an outage stops a training instead of teaching it something.
    """
    known = extra_info or {}
    rewards = [float(reward) for reward in known.get("tool_rewards") or []]
    failed = known.get("klens_failed") is not None
    score = float("nan") if failed else float(sum(rewards))
    return {"score": score, "tool_calls": float(len(rewards)), "failed": float(failed)}
