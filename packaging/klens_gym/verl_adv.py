"""Multi-turn advantage estimators for verl's registry: `VERL_USE_EXTERNAL_MODULES=klens_gym.verl_adv`, then
`algorithm.adv_estimator=klens_mean_equal` (a trajectory's score, then a turn's credit).

Score of a trajectory from its turns' rewards: `mean` (what UserRL calls "Sum"), `sum`, `discounted` (its "R2G", by
algorithm.gamma). Within a group of rollouts it becomes z; each turn's tokens then get z times the turn's credit: `equal`,
`return` (reward to go) or `exponential` ("EM"), scaled so that the mean over tokens with credit is z.

A turn is a run of the policy's own tokens in `response_mask`; its reward is whatever lies on its tokens and those behind it.
verl 0.9 puts one reward on a rollout's last token: then only `equal` credit with `mean` or `sum` can be computed, and the
others say so.
"""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from typing import Any, Callable, Optional

import torch
from verl.trainer.ppo.core_algos import register_adv_est

EPSILON = 1e-6


def trajectory_score(kind: str, rewards: list[float], gamma: float) -> float:
    if kind == "discounted":
        return sum(gamma**turn * reward for turn, reward in enumerate(rewards))
    total = sum(rewards)
    return total if kind == "sum" else round(total / len(rewards), 4)


def turn_credits(kind: str, rewards: list[float], gamma: float) -> list[float]:
    if kind == "equal":
        return [1.0] * len(rewards)
    if kind == "exponential":
        return [round(0.5 + 0.5 * (1 - math.exp(-2 * reward)) / (1 - math.exp(-2)), 4) for reward in rewards]
    to_go, credits = 0.0, []
    for reward in reversed(rewards):
        to_go = reward + gamma * to_go
        credits.append(to_go)
    return credits[::-1]


def turns_in(mask: torch.Tensor) -> list[tuple[int, int]]:
    """From where to where the policy speaks."""
    positions = torch.nonzero(mask > 0).flatten().tolist()
    turns: list[tuple[int, int]] = []
    for position in positions:
        if turns and turns[-1][1] == position:
            turns[-1] = (turns[-1][0], position + 1)
        else:
            turns.append((position, position + 1))
    return turns


def rewards_of(turns: list[tuple[int, int]], row: torch.Tensor) -> list[float]:
    starts = [start for start, _ in turns]
    ends = [*starts[1:], row.shape[0]]
    return [float(row[start:end].sum()) for start, end in zip(starts, ends)]


def multiturn_advantage(
    score: str,
    credit: str,
    token_level_rewards: torch.Tensor,
    response_mask: torch.Tensor,
    index: Any,
    gamma: float = 1.0,
    by_deviation: bool = True,
) -> torch.Tensor:
    """Advantages of the shape of `response_mask`. A rollout whose reward is NaN, or that said nothing, gets 0 and is left
    out of its group."""
    turns = [turns_in(mask) for mask in response_mask]
    rewards = [rewards_of(own, row.double()) if own else [] for own, row in zip(turns, token_level_rewards)]
    known = [i for i, own in enumerate(rewards) if own and not any(math.isnan(reward) for reward in own)]
    scores = {i: trajectory_score(score, rewards[i], gamma) for i in known}
    groups: dict[Any, list[int]] = defaultdict(list)
    for i in known:
        groups[index[i]].append(i)
    advantages = torch.zeros_like(response_mask, dtype=torch.float64)
    for members in groups.values():
        values = torch.tensor([scores[i] for i in members], dtype=torch.float64)
        mean, deviation = (0.0, 1.0) if len(members) == 1 else (values.mean().item(), values.std().item())
        for i in members:
            z = (scores[i] - mean) / ((deviation + EPSILON) if by_deviation else 1.0)
            credits = turn_credits(credit, rewards[i], gamma)
            lengths = [end - start for start, end in turns[i]]
            weight = sum(each * length for each, length in zip(credits, lengths))
            credited = sum(length for each, length in zip(credits, lengths) if each != 0)
            scale = 0.0 if weight == 0 else z * credited / weight
            for (start, end), each in zip(turns[i], credits):
                advantages[i, start:end] = each * scale
    return advantages.to(token_level_rewards.dtype) * (response_mask > 0)


def _estimator(score: str, credit: str) -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    needs_turns = credit != "equal" or score == "discounted"

    def estimate(
        token_level_rewards: torch.Tensor,
        response_mask: torch.Tensor,
        index: Any,
        config: Optional[Any] = None,
        **_: Any,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        if needs_turns and _is_outcome_only(token_level_rewards, response_mask):
            warnings.warn(
                f"klens_{score}_{credit} needs a reward for each turn, and every rollout here has one at its end: "
                "take klens_mean_equal, or put the turns' rewards on their tokens",
                stacklevel=2,
            )
        with torch.no_grad():
            advantages = multiturn_advantage(
                score,
                credit,
                token_level_rewards,
                response_mask,
                index,
                gamma=float(config.get("gamma", 1.0)) if config is not None else 1.0,
                by_deviation=bool(config.get("norm_adv_by_std_in_grpo", True)) if config is not None else True,
            )
        return advantages, advantages

    estimate.__name__ = f"klens_{score}_{credit}"
    return estimate


def _is_outcome_only(rewards: torch.Tensor, mask: torch.Tensor) -> bool:
    rows = [(turns_in(own), row) for own, row in zip(mask, rewards)]
    several = [(turns, row) for turns, row in rows if len(turns) > 1 and bool((row != 0).any())]
    return len(several) > 1 and all(not bool((row[: turns[-1][0]] != 0).any()) for turns, row in several)


ESTIMATORS = {
    f"klens_{score}_{credit}": _estimator(score, credit)
    for score in ("mean", "sum", "discounted")
    for credit in ("equal", "return", "exponential")
}
for _name, _function in ESTIMATORS.items():
    register_adv_est(_name)(_function)
